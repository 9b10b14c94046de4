// Package trees predicts with forests of decision trees that were trained elsewhere, and has the files they are kept in. It knows neither
// what the columns are nor what is predicted: a leaf holds a probability for each output.
//
// Sums over trees are sums of integers, so a prediction is the same on every machine.
package trees

import (
	"encoding/json"
	"fmt"
	"math"

	"roem/internal/model/nn/weightfile"
)

// Limits of a forest.
const (
	MaxColumns = math.MaxUint16 - 1
	MaxOutputs = 1024
	MaxTrees   = 10_000
	MaxDepth   = 1024 // splits above a leaf
	MaxLevels  = math.MaxUint16
)

// Shape says what a forest takes and gives.
type Shape struct {
	Inputs  string `json:"inputs"`  // names the columns and their codes; a file with another name is refused
	Columns int    `json:"columns"` // codes of a row
	Outputs int    `json:"outputs"` // probabilities of a leaf
	// Levels is how finely a leaf's probabilities are kept, 1 to MaxLevels: as the nearest multiples of 1/Levels. With at most 255 a
	// probability takes one byte of the file, otherwise two.
	Levels int `json:"levels"`
	// Training is what the file says of how it was made, as JSON of the maker's choice. It is not interpreted.
	Training json.RawMessage `json:"training,omitempty"`
}

func (s *Shape) validate() error {
	for _, f := range []struct {
		name    string
		n, most int
	}{{"columns", s.Columns, MaxColumns}, {"outputs", s.Outputs, MaxOutputs}, {"levels", s.Levels, MaxLevels}} {
		if f.n < 1 || f.n > f.most {
			return weightfile.Wrong("%s is %d, expected 1 to %d", f.name, f.n, f.most)
		}
	}
	return nil
}

// Forest is a forest of one or more trees. It is safe for concurrent use.
type Forest struct {
	shape  Shape
	nodes  []node
	roots  []uint32
	leaves []uint16 // the outputs of leaf 0, of leaf 1, and so on, in multiples of 1/Levels
	depth  int
}

// node is a split or a leaf. The nodes of a tree are in preorder: rows whose code in the column is at most split go to the next node,
// others to the node at next. A leaf has the column leaf, and next is its number.
type node struct {
	column uint16
	split  uint8
	next   uint32
}

const leaf = math.MaxUint16

// Shape returns the shape of the forest.
func (f *Forest) Shape() Shape { return f.shape }

// Trees returns the number of trees.
func (f *Forest) Trees() int { return len(f.roots) }

// Nodes returns the number of splits and leaves of all trees.
func (f *Forest) Nodes() int { return len(f.nodes) }

// Depth returns the greatest number of splits above a leaf.
func (f *Forest) Depth() int { return f.depth }

// Bytes returns about how much memory the forest takes.
func (f *Forest) Bytes() int { return 8*len(f.nodes) + 4*len(f.roots) + 2*len(f.leaves) }

// Predict writes the probability of each output for rows to out: the mean over the trees. codes has the Columns codes of the first row, of
// the second, and so on, and out Outputs numbers for each. It allocates nothing.
//
// Each tree predicts all rows before the next: a tree fits the cache of a core, and a forest may not. This makes rows cheaper together than
// alone.
func (f *Forest) Predict(codes []uint8, out []float64) {
	columns, outputs := f.shape.Columns, f.shape.Outputs
	rows := len(codes) / columns
	out = out[:rows*outputs]
	clear(out)
	for _, at := range f.roots {
		for row := range rows {
			to := out[row*outputs:][:outputs]
			for i, level := range f.leafOf(at, codes[row*columns:][:columns]) {
				to[i] += float64(level) // exact: at most MaxTrees x MaxLevels
			}
		}
	}
	most := float64(len(f.roots) * f.shape.Levels)
	for i := range out {
		out[i] /= most
	}
}

func (f *Forest) leafOf(at uint32, codes []uint8) []uint16 {
	n := f.nodes[at]
	for n.column != leaf {
		at++
		if codes[n.column] > n.split {
			at = n.next
		}
		n = f.nodes[at]
	}
	return f.leaves[int(n.next)*f.shape.Outputs:][:f.shape.Outputs]
}

// Builder makes a forest from the nodes of its trees, which are given in preorder: a split, then all nodes of its lower side (codes of at
// most the split), then all nodes of the other side. A tree ends with its last leaf, and the next node is the root of the next one.
type Builder struct {
	forest Forest
	known  map[string]uint32 // the leaves so far, by their levels
	open   []side            // splits whose other side has not begun
	under  int               // splits above the next node
	within bool              // a tree has begun and has not ended
	levels []uint16
	err    error
}

// side is a split of the depth, whose other side comes later.
type side struct {
	split uint32
	depth int
}

// NewBuilder returns a builder for forests of a shape.
func NewBuilder(s Shape) *Builder {
	return &Builder{forest: Forest{shape: s}, known: map[string]uint32{}, err: s.validate()}
}

// Split adds a split: rows whose code in the column is at most the split go to the lower side.
func (b *Builder) Split(column int, split uint8) {
	if b.err == nil {
		b.err = b.split(column, split)
	}
}

func (b *Builder) split(column int, split uint8) error {
	f := &b.forest
	if column < 0 || column >= f.shape.Columns {
		return weightfile.Wrong("node %d splits column %d of %d", len(f.nodes), column, f.shape.Columns)
	}
	if b.under == MaxDepth {
		return weightfile.Wrong("node %d has %d splits above it, expected at most %d", len(f.nodes), b.under+1, MaxDepth)
	}
	if err := b.begin(); err != nil {
		return err
	}
	b.open = append(b.open, side{uint32(len(f.nodes)), b.under})
	f.nodes = append(f.nodes, node{column: uint16(column), split: split})
	b.under++
	f.depth = max(f.depth, b.under)
	return nil
}

// begin begins a tree, unless one has begun.
func (b *Builder) begin() error {
	f := &b.forest
	if b.within {
		return nil
	}
	if len(f.roots) == MaxTrees {
		return weightfile.Wrong("it has more than %d trees", MaxTrees)
	}
	f.roots = append(f.roots, uint32(len(f.nodes)))
	b.within = true
	return nil
}

// Leaf adds a leaf with the probability of each output.
func (b *Builder) Leaf(probabilities []float32) {
	if b.err != nil {
		return
	}
	f := &b.forest
	if len(probabilities) != f.shape.Outputs {
		b.err = weightfile.Wrong("a leaf has %d probabilities, expected %d", len(probabilities), f.shape.Outputs)
		return
	}
	b.levels = b.levels[:0]
	key := make([]byte, 0, 2*len(probabilities))
	for _, p := range probabilities {
		if !(p >= 0 && p <= 1) {
			b.err = weightfile.Wrong("a probability is %g", p)
			return
		}
		level := uint16(math.Round(float64(p) * float64(f.shape.Levels)))
		b.levels = append(b.levels, level)
		key = append(key, byte(level), byte(level>>8))
	}
	number, ok := b.known[string(key)]
	if !ok {
		number = uint32(len(b.known))
		b.known[string(key)] = number
		f.leaves = append(f.leaves, b.levels...)
	}
	b.err = b.leaf(number)
}

// leaf adds a leaf by its number.
func (b *Builder) leaf(number uint32) error {
	if err := b.begin(); err != nil {
		return err
	}
	f := &b.forest
	f.nodes = append(f.nodes, node{column: leaf, next: number})
	if len(b.open) == 0 {
		b.within, b.under = false, 0
		return nil
	}
	top := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	f.nodes[top.split].next = uint32(len(f.nodes))
	b.under = top.depth + 1
	return nil
}

// Forest returns the forest. The error says what is wrong with the nodes, and is an error of package weightfile.
func (b *Builder) Forest() (*Forest, error) {
	switch {
	case b.err != nil:
		return nil, b.err
	case b.within:
		return nil, weightfile.Wrong("tree %d has no end", len(b.forest.roots)-1)
	case len(b.forest.roots) == 0:
		return nil, weightfile.Wrong("it has no tree")
	}
	f := b.forest
	return &f, nil
}

// String names the size of the forest.
func (f *Forest) String() string {
	return fmt.Sprintf("%d trees, %d nodes, depth %d", f.Trees(), f.Nodes(), f.depth)
}

package forest

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"roem/lab/learn/blocks"
	"roem/lab/learn/trees"
)

// Limits of a multi-output forest.
const (
	MaxOutputs      = 128 // MaxOutputs is the greatest number of outputs.
	maxMultiColumns = math.MaxUint16 - 1
)

// Outputs is a set of outputs: those that are true for a row.
type Outputs [MaxOutputs / 64]uint64

// Set adds an output.
func (o *Outputs) Set(i int) { o[i>>6] |= 1 << (i & 63) }

// Multi is a multi-output forest: each leaf has a probability for every output, and a split is the one that decreases the mean Gini
// impurity of all outputs most (Dumont et al. 2009, "Fast multi-class image annotation with random subwindows and multiple output
// randomized trees"; Hein et al., "Random Forests for Opponent Hand Estimation in Gin Rummy", section "Multi-Output Random Forests"). It
// is safe for concurrent use.
type Multi struct {
	trees   []multiTree
	columns int
	outputs int
}

// multiTree holds the nodes of a tree, the root first, and the probabilities of the leaves.
type multiTree struct {
	nodes  []multiNode
	leaves []float32 // the outputs of leaf 0, of leaf 1, and so on
}

// multiNode is a split or a leaf. Rows whose code in the column is at most split go to node next, others to node next+1. A leaf has the
// column multiLeaf, and next is its number.
type multiNode struct {
	column uint16
	split  uint8
	next   uint32
}

const multiLeaf = math.MaxUint16

// MultiOptions are the options of TrainMulti. The paper on Gin Rummy has 100 trees, the square root of the number of columns, and MinLeaf
// 2.
type MultiOptions struct {
	Options
	MinLeaf int // no split leaves fewer copies of rows than this on a side; 0 is as 1
}

// TrainMulti grows a multi-output forest. labels has the true outputs of each row. Only columns whose codes are their values are supported
// (Column.Between is nil). The error is the error of ctx, or it describes an invalid argument.
func TrainMulti(ctx context.Context, columns []Column, labels []Outputs, outputs int, o MultiOptions) (*Multi, error) {
	if err := checkMulti(columns, labels, outputs, o); err != nil {
		return nil, err
	}
	features, workers := o.features(len(columns)), o.workers()
	f := &Multi{trees: make([]multiTree, o.Trees), columns: len(columns), outputs: outputs}
	if err := blocks.Each(ctx, o.Trees, 1, workers, func() func(from, to int) {
		g := newMultiGrower(columns, labels, outputs, features, max(o.MinLeaf, 1))
		return func(t, _ int) {
			f.trees[t] = g.grow(ctx, trees.Generator("forest multi", o.Seed, uint64(t)), o.Bootstrap)
			if o.Grown != nil {
				o.Grown()
			}
		}
	}); err != nil {
		return nil, err
	}
	return f, nil
}

func checkMulti(columns []Column, labels []Outputs, outputs int, o MultiOptions) error {
	if len(columns) > maxMultiColumns {
		return fmt.Errorf("forest: %d columns, expected 1 to %d", len(columns), maxMultiColumns)
	}
	if outputs < 1 || outputs > MaxOutputs {
		return fmt.Errorf("forest: %d outputs, expected 1 to %d", outputs, MaxOutputs)
	}
	for i, c := range columns {
		if c.Between != nil {
			return fmt.Errorf("forest: column %d has values between its codes", i)
		}
	}
	// The other conditions are the conditions of a single output, whose number of columns is smaller.
	for part := range slices.Chunk(columns, maxColumns) {
		if err := check(part, make([]bool, len(labels)), o.Options); err != nil {
			return err
		}
	}
	if len(columns) == 0 {
		return check(nil, make([]bool, len(labels)), o.Options)
	}
	return nil
}

// Nodes returns the number of nodes of all trees.
func (f *Multi) Nodes() (n int) {
	for i := range f.trees {
		n += len(f.trees[i].nodes)
	}
	return n
}

// Predict writes the probability of each output of a row to out: the mean over the trees. row holds its codes by column.
func (f *Multi) Predict(row []uint8, out []float64) {
	clear(out)
	for i := range f.trees {
		for j, p := range f.trees[i].leaf(row, f.outputs) {
			out[j] += float64(p)
		}
	}
	for j := range out {
		out[j] /= float64(len(f.trees))
	}
}

func (t *multiTree) leaf(row []uint8, outputs int) []float32 {
	n := t.nodes[0]
	for n.column != multiLeaf {
		at := n.next
		if row[n.column] > n.split {
			at++
		}
		n = t.nodes[at]
	}
	return t.leaves[int(n.next)*outputs:][:outputs]
}

// multiCount counts copies of rows, and the copies for which each output is true.
type multiCount struct {
	copies uint32
	trues  []uint32
}

func (c *multiCount) add(copies uint16, labels *Outputs) {
	n := uint32(copies)
	c.copies += n
	for w, word := range labels {
		for ; word != 0; word &= word - 1 {
			c.trues[w<<6+bits.TrailingZeros64(word)] += n
		}
	}
}

// purity is the sum over the outputs of the squares of the true and of the false count, divided by the count. It decreases as the Gini
// impurity times the count increases.
func (c *multiCount) purity() float64 {
	n, sum := float64(c.copies), 0.0
	for _, t := range c.trues {
		p := float64(t)
		q := n - p
		sum += float64(p*p) + float64(q*q)
	}
	return sum / n
}

// rest returns the purity of the rows of a total that are not counted in c.
func (c *multiCount) rest(total *multiCount) float64 {
	n, sum := float64(total.copies-c.copies), 0.0
	for i, t := range c.trues {
		p := float64(total.trues[i] - t)
		q := n - p
		sum += float64(p*p) + float64(q*q)
	}
	return sum / n
}

func (c *multiCount) pure() bool {
	for _, t := range c.trues {
		if t != 0 && t != c.copies {
			return false
		}
	}
	return true
}

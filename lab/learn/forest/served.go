package forest

import (
	"roem/internal/model/trees"
)

// Served returns the forest in the form in which it is kept and served. The shape says its inputs, levels and training; its columns and
// outputs are set here. Probabilities are rounded to the levels.
func (f *Forest) Served(s trees.Shape) (*trees.Forest, error) {
	s.Columns, s.Outputs = f.columns, 1
	b := trees.NewBuilder(s)
	for _, t := range f.trees {
		preorder(b, func(at uint32) (split, []float32) {
			if n := t[at]; n.column != leafColumn {
				return split{int(n.column), n.split, n.next}, nil
			}
			return split{}, []float32{t[at].probability()}
		})
	}
	return b.Forest()
}

// Served is [Forest.Served] with all outputs.
func (f *Multi) Served(s trees.Shape) (*trees.Forest, error) {
	s.Columns, s.Outputs = f.columns, f.outputs
	b := trees.NewBuilder(s)
	for i := range f.trees {
		t := &f.trees[i]
		preorder(b, func(at uint32) (split, []float32) {
			n := t.nodes[at]
			if n.column != multiLeaf {
				return split{int(n.column), n.split, n.next}, nil
			}
			return split{}, t.leaves[int(n.next)*f.outputs:][:f.outputs]
		})
	}
	return b.Forest()
}

// split is a split of a tree of either kind: its sides are the nodes next and next+1.
type split struct {
	column int
	split  uint8
	next   uint32
}

// preorder adds a tree to a builder. node returns the split at a node, or the probabilities of a leaf.
func preorder(b *trees.Builder, node func(at uint32) (split, []float32)) {
	for stack := []uint32{0}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		s, probabilities := node(at)
		if probabilities != nil {
			b.Leaf(probabilities)
			continue
		}
		b.Split(s.column, s.split)
		stack = append(stack, s.next+1, s.next)
	}
}

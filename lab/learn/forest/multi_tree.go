package forest

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
)

// multiGrower grows trees of a multi-output forest, one after the other, in the manner of grower.
type multiGrower struct {
	columns  []Column
	labels   []Outputs
	outputs  int
	features int
	minLeaf  uint32

	rng       *rand.ChaCha8
	order     []uint16 // the columns; each node shuffles them further
	items     []item   // members is not used
	scratch   []item
	total     multiCount      // of the node that is being split
	left      multiCount      // while a column is scanned
	histogram [256]multiCount // all zero between uses
	tree      multiTree
	stack     []multiPending
}

type multiPending struct {
	node     uint32
	from, to int
}

func newMultiGrower(columns []Column, labels []Outputs, outputs, features, minLeaf int) *multiGrower {
	g := &multiGrower{
		columns: columns, labels: labels, outputs: outputs, features: features, minLeaf: uint32(minLeaf),
		order: make([]uint16, len(columns)), scratch: make([]item, len(labels)),
		total: multiCount{trues: make([]uint32, outputs)}, left: multiCount{trues: make([]uint32, outputs)},
	}
	most := 0
	for _, c := range columns {
		most = max(most, c.Limit)
	}
	for code := range most {
		g.histogram[code].trues = make([]uint32, outputs)
	}
	return g
}

func (g *multiGrower) below(n int) int {
	high, _ := bits.Mul64(g.rng.Uint64(), uint64(n))
	return int(high)
}

// grow grows a tree. If ctx ends, the tree is incomplete.
func (g *multiGrower) grow(ctx context.Context, rng *rand.ChaCha8, bootstrap bool) multiTree {
	g.rng = rng
	for i := range g.order {
		g.order[i] = uint16(i)
	}
	copies := make([]uint16, len(g.labels))
	for i := range copies {
		if !bootstrap {
			copies[i] = 1
		} else if k := g.below(len(copies)); copies[k] < maxCopies {
			copies[k]++
		}
	}
	g.items = g.items[:0]
	for row, n := range copies {
		if n > 0 {
			g.items = append(g.items, item{row: int32(row), copies: n})
		}
	}
	g.tree = multiTree{nodes: []multiNode{{}}}
	g.stack = append(g.stack[:0], multiPending{to: len(g.items)})
	for steps := 0; len(g.stack) > 0; steps++ {
		if steps%1024 == 0 && ctx.Err() != nil {
			return multiTree{}
		}
		top := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		g.split(top)
	}
	return g.tree
}

// split splits a node or turns it into a leaf.
func (g *multiGrower) split(p multiPending) {
	items := g.items[p.from:p.to]
	g.total.copies = 0
	clear(g.total.trues)
	for _, it := range items {
		g.total.add(it.copies, &g.labels[it.row])
	}
	column, split, found := 0, uint8(0), false
	if g.total.copies >= 2*g.minLeaf && !g.total.pure() {
		column, split, found = g.search(items)
	}
	if !found {
		g.tree.nodes[p.node] = multiNode{column: multiLeaf, next: uint32(len(g.tree.leaves) / g.outputs)}
		for _, t := range g.total.trues {
			g.tree.leaves = append(g.tree.leaves, float32(t)/float32(g.total.copies))
		}
		return
	}
	middle := divide(items, g.scratch[:0], g.columns[column].Codes, split)
	next := uint32(len(g.tree.nodes))
	g.tree.nodes[p.node] = multiNode{column: uint16(column), split: split, next: next}
	g.tree.nodes = append(g.tree.nodes, multiNode{}, multiNode{})
	g.stack = append(g.stack, multiPending{next + 1, p.from + middle, p.to}, multiPending{next, p.from, p.from + middle})
}

// search finds the best split of the rows. It examines columns in random order, and more than features only while none has a split.
func (g *multiGrower) search(items []item) (column int, split uint8, found bool) {
	best := math.Inf(-1)
	for drawn := 0; drawn < len(g.order) && (drawn < g.features || !found); drawn++ {
		k := drawn + g.below(len(g.order)-drawn)
		g.order[drawn], g.order[k] = g.order[k], g.order[drawn]
		at := int(g.order[drawn])
		codes := g.columns[at].Codes
		if constant(codes, items) {
			continue
		}
		for _, it := range items {
			g.histogram[codes[it.row]].add(it.copies, &g.labels[it.row])
		}
		if purity, s, ok := g.scan(g.columns[at].Limit); ok && purity > best {
			best, column, split, found = purity, at, s, true
		}
	}
	return column, split, found
}

func constant(codes []uint8, items []item) bool {
	first := codes[items[0].row]
	for _, it := range items[1:] {
		if codes[it.row] != first {
			return false
		}
	}
	return true
}

// scan tries every split of a column, and sets its histogram back to zero. A split is halfway between two codes, rounded down.
func (g *multiGrower) scan(limit int) (best float64, split uint8, found bool) {
	g.left.copies = 0
	clear(g.left.trues)
	best = math.Inf(-1)
	last := 0
	for code := range limit {
		h := &g.histogram[code]
		if h.copies == 0 {
			continue
		}
		if g.left.copies >= g.minLeaf && g.total.copies-g.left.copies >= g.minLeaf {
			if purity := g.left.purity() + g.left.rest(&g.total); purity > best {
				best, split, found = purity, uint8(last+(code-last)/2), true
			}
		}
		g.left.copies += h.copies
		for i, t := range h.trues {
			g.left.trues[i] += t
		}
		h.copies = 0
		clear(h.trues)
		last = code
	}
	return best, split, found
}

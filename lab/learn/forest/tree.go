package forest

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
)

// tree holds the nodes of a tree. The first node is the root.
type tree []node

// node is a split or a leaf.
//
//	split  rows whose code in the column is at most split go to node next, others to node next+1
//	leaf   the column is leafColumn, and next holds the bits of the probability, a float32
type node struct {
	column uint8
	split  uint8
	next   uint32
}

const leafColumn = maxColumns

func leaf(probability float32) node {
	return node{column: leafColumn, next: math.Float32bits(probability)}
}

func (t tree) predict(row []uint8) float32 {
	n := t[0]
	for n.column != leafColumn {
		at := n.next
		if row[n.column] > n.split {
			at++
		}
		n = t[at]
	}
	return n.probability()
}

// probability returns the probability of a leaf.
func (n node) probability() float32 { return math.Float32frombits(n.next) }

// item is a row of the node that is being split.
type item struct {
	row     int32
	copies  uint16 // how often the bootstrap drew it
	members uint16 // copies if the row belongs to the class, otherwise 0
}

// tally counts copies in the low 32 bits and members in the high 32 bits.
type tally uint64

func (i item) tally() tally { return tally(i.copies) | tally(i.members)<<32 }

func (t tally) copies() float64  { return float64(uint32(t)) }
func (t tally) members() float64 { return float64(t >> 32) }

// pure reports whether all rows or no rows belong to the class.
func (t tally) pure() bool { return t>>32 == 0 || uint32(t>>32) == uint32(t) }

// purity is the sum of the squares of both counts, divided by their sum. It decreases as the Gini impurity times the count increases.
// Each product is rounded separately, so that machines with fused multiply-add give the same result.
func (t tally) purity() float64 {
	n, p := t.copies(), t.members()
	q := n - p
	return (float64(p*p) + float64(q*q)) / n
}

type columnSet [(maxColumns + 63) / 64]uint64

func (s *columnSet) has(column uint8) bool { return s[column>>6]>>(column&63)&1 != 0 }
func (s *columnSet) add(column uint8)      { s[column>>6] |= 1 << (column & 63) }

// grower grows trees, one after the other.
type grower struct {
	columns  []Column
	labels   []bool
	features int

	rng        *rand.ChaCha8
	order      []uint8 // the columns; each node shuffles them further
	items      []item
	scratch    []item
	histogram  [256]tally // all zero between uses
	nodes      tree
	importance []float64
	stack      []pending
}

// pending is a node that must still be split. It has the items from..to.
type pending struct {
	node      uint32
	from, to  int
	total     tally
	constants columnSet // columns that are known to be constant in all items
}

func newGrower(columns []Column, labels []bool, features int) *grower {
	return &grower{
		columns: columns, labels: labels, features: features,
		order: make([]uint8, len(columns)),
		items: make([]item, 0, len(labels)), scratch: make([]item, len(labels)),
	}
}

// below returns a random number less than n. n is much less than 2^64, so the bias is negligible.
func (g *grower) below(n int) int {
	high, _ := bits.Mul64(g.rng.Uint64(), uint64(n))
	return int(high)
}

// grow grows a tree. It also returns the decrease in impurity by the splits of each column, weighted by copies. If ctx ends, the tree
// is incomplete.
func (g *grower) grow(ctx context.Context, rng *rand.ChaCha8, bootstrap bool) (tree, []float64) {
	g.rng = rng
	for i := range g.order {
		g.order[i] = uint8(i)
	}
	g.importance = make([]float64, len(g.columns))
	g.nodes = append(tree(nil), node{})
	total := g.draw(bootstrap)
	g.stack = append(g.stack[:0], pending{node: 0, to: len(g.items), total: total})
	for steps := 0; len(g.stack) > 0; steps++ {
		if steps%4096 == 0 && ctx.Err() != nil {
			return nil, nil
		}
		top := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		g.split(&top)
	}
	return append(tree(nil), g.nodes...), g.importance
}

// draw sets the items and returns their tally.
func (g *grower) draw(bootstrap bool) tally {
	copies := make([]uint16, len(g.labels))
	for i := range copies {
		if !bootstrap {
			copies[i] = 1
		} else if k := g.below(len(copies)); copies[k] < maxCopies {
			copies[k]++
		}
	}
	g.items = g.items[:0]
	var total tally
	for row, n := range copies {
		if n == 0 {
			continue
		}
		it := item{row: int32(row), copies: n}
		if g.labels[row] {
			it.members = n
		}
		g.items = append(g.items, it)
		total += it.tally()
	}
	return total
}

// best is the best split found so far.
type best struct {
	purity       float64 // sum over both sides
	column       uint8
	below, above uint8 // the neighbouring codes on both sides of the threshold
	left         tally
}

// split splits a node or turns it into a leaf.
func (g *grower) split(p *pending) {
	var b best
	found := false
	if !p.total.pure() {
		b, found = g.search(p)
	}
	if !found {
		g.nodes[p.node] = leaf(float32(p.total.members() / p.total.copies()))
		return
	}
	g.importance[b.column] += b.purity - p.total.purity()
	c := g.columns[b.column]
	split := b.below + (b.above-b.below)/2
	if c.Between != nil {
		split = c.Between(b.below, b.above)
	}
	middle := g.part(p, c.Codes, split)
	next := uint32(len(g.nodes))
	g.nodes[p.node] = node{column: b.column, split: split, next: next}
	g.nodes = append(g.nodes, node{}, node{})
	// The left node is split next, so it is pushed last.
	g.stack = append(g.stack,
		pending{node: next + 1, from: middle, to: p.to, total: p.total - b.left, constants: p.constants},
		pending{node: next, from: p.from, to: middle, total: b.left, constants: p.constants})
}

// search finds the best split of a node. It examines columns in random order and records the constant ones.
func (g *grower) search(p *pending) (best, bool) {
	b := best{purity: math.Inf(-1)}
	found := false
	items := g.items[p.from:p.to]
	for drawn := 0; drawn < len(g.order) && (drawn < g.features || !found); drawn++ {
		k := drawn + g.below(len(g.order)-drawn)
		g.order[drawn], g.order[k] = g.order[k], g.order[drawn]
		column := g.order[drawn]
		if p.constants.has(column) {
			continue
		}
		c := &g.columns[column]
		codes := c.Codes
		for _, it := range items {
			g.histogram[codes[it.row]] += it.tally()
		}
		if g.scan(column, c.Limit, p.total, &b) {
			found = true
		} else {
			p.constants.add(column)
		}
	}
	return b, found
}

// scan tries every split of a column and sets its histogram back to zero. It reports whether the column has a split.
func (g *grower) scan(column uint8, limit int, total tally, b *best) bool {
	var left tally
	last, some := 0, false
	for code, count := range g.histogram[:limit] {
		if count == 0 {
			continue
		}
		g.histogram[code] = 0
		if left != 0 {
			some = true
			right := total - left
			if purity := left.purity() + right.purity(); purity > b.purity {
				*b = best{purity: purity, column: column, below: uint8(last), above: uint8(code), left: left}
			}
		}
		left += count
		last = code
	}
	return some
}

// part moves the items whose code is at most split to the front and returns the index of the first other item. The order is otherwise
// unchanged, so rows are still read in ascending order.
func (g *grower) part(p *pending, codes []uint8, split uint8) int {
	return p.from + divide(g.items[p.from:p.to], g.scratch[:0], codes, split)
}

// divide moves the items whose code is at most split to the front and returns their number. The order is otherwise unchanged.
func divide(items, others []item, codes []uint8, split uint8) int {
	n := 0
	for _, it := range items {
		if codes[it.row] <= split {
			items[n] = it
			n++
		} else {
			others = append(others, it)
		}
	}
	copy(items[n:], others)
	return n
}

package boost

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"roem/lab/learn/blocks"
)

// pair holds a sum of gradients in the upper bits and a sum of second derivatives, which are never negative, in the lower bits. Both
// are whole multiples of a quantum. One addition adds both.
type pair int64

const weightBits = 29

func (p pair) gradient() int64 { return int64(p) >> weightBits }
func (p pair) weight() int64   { return int64(p) & (1<<weightBits - 1) }

// trainer is the state of a training.
type trainer struct {
	o       Options
	model   *Model
	columns []Column
	targets []float64
	width   int
	codes   []uint8 // row by row

	scores    []float64
	gradients []float64
	weights   []float64 // second derivatives by row
	pairs     []pair
	gradUnit  float64 // the gradient of one unit of a pair
	massUnit  float64 // the second derivative of one unit of a pair

	// The state of the tree that is being grown.
	sample  []int32  // its rows
	used    []uint8  // its columns
	base    []uint16 // the first cell of each used column in a histogram
	cells   int      // number of cells of a histogram
	packed  []uint16 // the cells of each row, row by row
	sampled []pair   // the pairs of the rows
	places  []int32  // indexes into sample, leaf by leaf

	scratch []int32
	order   []uint8 // all columns; each tree shuffles them further
	spare   [][]pair
}

// blockRows is the number of rows that a worker processes at a time.
const blockRows = 8192

// slack is the tolerance for rounding errors of weights.
const slack = 1e-6

func newTrainer(columns []Column, targets []float64, o Options) *trainer {
	n, width := len(targets), len(columns)
	t := &trainer{
		o: o, columns: columns, targets: targets, width: width,
		model:  &Model{loss: o.Loss, columns: width},
		codes:  make([]uint8, n*width),
		scores: make([]float64, n), gradients: make([]float64, n), weights: make([]float64, n), pairs: make([]pair, n),
		scratch: make([]int32, n), order: make([]uint8, width),
	}
	for i, c := range columns {
		t.order[i] = uint8(i)
		for row, code := range c.Codes {
			t.codes[row*width+i] = code
		}
	}
	mean := 0.0
	for _, y := range targets {
		mean += y
	}
	mean /= float64(n)
	t.model.base = mean
	if o.Loss == Logistic {
		// If all rows have one class, half a row of the other class is assumed.
		half := 0.5 / float64(n)
		mean = min(max(mean, half), 1-half)
		t.model.base = math.Log(mean / (1 - mean))
	}
	for row := range t.scores {
		t.scores[row] = t.model.base
	}
	return t
}

// leafAt is a leaf of the tree that is being grown.
type leafAt struct {
	node      uint32
	from, to  int // its rows
	total     pair
	histogram []pair
	best      choice
}

// choice is the best split of a leaf.
type choice struct {
	gain     float64
	column   int // its index in used
	split    uint8
	category bool
	left     pair
}

// round grows a tree.
func (t *trainer) round(ctx context.Context, number int) error {
	rng := generator(t.o.Seed, uint64(number))
	if err := t.derive(ctx); err != nil {
		return err
	}
	t.draw(rng)
	if err := t.pack(ctx); err != nil {
		return err
	}
	grown, leaves, err := t.grow(ctx)
	if err != nil {
		return err
	}
	t.value(grown, leaves)
	t.model.trees = append(t.model.trees, grown)
	return blocks.Each(ctx, len(t.scores), blockRows, t.o.Workers, func() func(from, to int) {
		return func(from, to int) {
			for row := from; row < to; row++ {
				t.scores[row] += grown.predict(t.codes[row*t.width:][:t.width])
			}
		}
	})
}

// derive computes the derivatives of the loss at the scores, and rounds them.
func (t *trainer) derive(ctx context.Context) error {
	var mu sync.Mutex
	most, heaviest := 0.0, 0.0
	err := blocks.Each(ctx, len(t.scores), blockRows, t.o.Workers, func() func(from, to int) {
		return func(from, to int) {
			largest, heavy := 0.0, 0.0
			for row := from; row < to; row++ {
				g, h := t.scores[row]-t.targets[row], 1.0
				if t.o.Loss == Logistic {
					p := Probability(t.scores[row])
					g, h = p-t.targets[row], p*(1-p)
				}
				t.gradients[row], t.weights[row] = g, h
				largest, heavy = max(largest, math.Abs(g)), max(heavy, h)
			}
			mu.Lock()
			defer mu.Unlock()
			most, heaviest = max(most, largest), max(heaviest, heavy)
		}
	})
	if err != nil {
		return err
	}
	// The quanta are as small as possible without an overflow of the sums of all rows. A weight is at least one unit.
	n := float64(len(t.scores))
	t.gradUnit = max(most, math.SmallestNonzeroFloat64*1e30) / math.Floor((1<<34-1)/n)
	t.massUnit = max(heaviest, math.SmallestNonzeroFloat64*1e30) / math.Floor((1<<weightBits-1)/n)
	return blocks.Each(ctx, len(t.scores), blockRows, t.o.Workers, func() func(from, to int) {
		return func(from, to int) {
			for row := from; row < to; row++ {
				g := math.Round(t.gradients[row] / t.gradUnit)
				h := max(1, math.Round(t.weights[row]/t.massUnit))
				t.pairs[row] = pair(int64(g)<<weightBits + int64(h))
			}
		}
	})
}

func below(rng *rand.ChaCha8, n int) int {
	high, _ := bits.Mul64(rng.Uint64(), uint64(n))
	return int(high)
}

// draw selects the rows and columns of a tree.
func (t *trainer) draw(rng *rand.ChaCha8) {
	t.sample = t.sample[:0]
	limit := uint64(math.MaxUint64)
	if t.o.Rows < 1 {
		limit = uint64(t.o.Rows * (1 << 63) * 2)
	}
	for row := range t.scores {
		if t.o.Rows >= 1 || rng.Uint64() < limit {
			t.sample = append(t.sample, int32(row))
		}
	}
	n := max(1, int(math.Ceil(t.o.Columns*float64(t.width))))
	for i := range n {
		k := i + below(rng, t.width-i)
		t.order[i], t.order[k] = t.order[k], t.order[i]
	}
	t.used = t.order[:n]
}

// pack arranges the data for counting, so that count reads it sequentially.
func (t *trainer) pack(ctx context.Context) error {
	cells := 0
	t.base = t.base[:0]
	for _, column := range t.used {
		t.base = append(t.base, uint16(cells))
		cells += t.columns[column].Limit
	}
	if cells != t.cells {
		t.cells, t.spare = cells, nil
	}
	t.packed = slices.Grow(t.packed[:0], len(t.sample)*len(t.used))[:len(t.sample)*len(t.used)]
	t.sampled = slices.Grow(t.sampled[:0], len(t.sample))[:len(t.sample)]
	t.places = slices.Grow(t.places[:0], len(t.sample))[:len(t.sample)]
	return blocks.Each(ctx, len(t.sample), blockRows, t.o.Workers, func() func(from, to int) {
		return func(from, to int) {
			for k := from; k < to; k++ {
				row := int(t.sample[k])
				t.places[k], t.sampled[k] = int32(k), t.pairs[row]
				codes := t.codes[row*t.width:][:t.width]
				cells := t.packed[k*len(t.used):][:len(t.used)]
				for i, column := range t.used {
					cells[i] = t.base[i] + uint16(codes[column])
				}
			}
		}
	})
}

// grow grows a tree. Its leaves have no values yet.
func (t *trainer) grow(ctx context.Context) (tree, []leafAt, error) {
	root := leafAt{to: len(t.places), histogram: t.histogram()}
	if err := t.fill(ctx, &root); err != nil {
		return nil, nil, err
	}
	for _, p := range t.sampled {
		root.total += p
	}
	t.choose(&root)
	grown := tree{{column: leafColumn}}
	leaves := []leafAt{root}
	for len(leaves) < t.o.Leaves {
		at := 0
		for i := range leaves {
			if leaves[i].best.gain > leaves[at].best.gain {
				at = i
			}
		}
		if leaves[at].best.gain <= 0 {
			break
		}
		left, right, err := t.part(ctx, &leaves[at], &grown)
		if err != nil {
			return nil, nil, err
		}
		leaves[at] = left
		leaves = append(leaves, right)
	}
	for i := range leaves {
		t.spare = append(t.spare, leaves[i].histogram)
		leaves[i].histogram = nil
	}
	return grown, leaves, nil
}

// histogram returns an empty histogram.
func (t *trainer) histogram() []pair {
	if len(t.spare) == 0 {
		return make([]pair, t.cells)
	}
	h := t.spare[len(t.spare)-1]
	t.spare = t.spare[:len(t.spare)-1]
	clear(h)
	return h
}

// part splits a leaf into two.
func (t *trainer) part(ctx context.Context, leaf *leafAt, grown *tree) (left, right leafAt, err error) {
	b := leaf.best
	next := uint32(len(*grown))
	n := node{column: t.used[b.column], split: b.split, category: b.category, next: next}
	(*grown)[leaf.node] = n
	*grown = append(*grown, node{column: leafColumn}, node{column: leafColumn})

	places, others, kept := t.places[leaf.from:leaf.to], t.scratch[:0], 0
	base := t.base[b.column]
	for _, k := range places {
		if n.leftOf(uint8(t.packed[int(k)*len(t.used)+b.column] - base)) {
			places[kept] = k
			kept++
		} else {
			others = append(others, k)
		}
	}
	copy(places[kept:], others)
	left = leafAt{node: next, from: leaf.from, to: leaf.from + kept, total: b.left}
	right = leafAt{node: next + 1, from: leaf.from + kept, to: leaf.to, total: leaf.total - b.left}
	// Only the smaller leaf is counted. The histogram of the larger leaf is the difference from the histogram of the parent.
	small, large := &left, &right
	if right.to-right.from < left.to-left.from {
		small, large = large, small
	}
	small.histogram, large.histogram = t.histogram(), leaf.histogram
	if err := t.fill(ctx, small); err != nil {
		return left, right, err
	}
	for i, p := range small.histogram {
		large.histogram[i] -= p
	}
	t.choose(&left)
	t.choose(&right)
	return left, right, nil
}

// fill computes the histogram of a leaf.
func (t *trainer) fill(ctx context.Context, leaf *leafAt) error {
	places := t.places[leaf.from:leaf.to]
	if len(places) <= blockRows || t.o.Workers == 1 {
		t.count(leaf.histogram, places)
		return ctx.Err()
	}
	var mu sync.Mutex
	var partial [][]pair
	for range t.o.Workers - 1 {
		partial = append(partial, t.histogram())
	}
	free := append([][]pair{leaf.histogram}, partial...)
	err := blocks.Each(ctx, len(places), blockRows, t.o.Workers, func() func(from, to int) {
		mu.Lock()
		own := free[0]
		free = free[1:]
		mu.Unlock()
		return func(from, to int) { t.count(own, places[from:to]) }
	})
	for _, h := range partial {
		for i, p := range h {
			leaf.histogram[i] += p
		}
		t.spare = append(t.spare, h)
	}
	return err
}

// count adds rows to a histogram.
func (t *trainer) count(histogram []pair, places []int32) {
	width := len(t.used)
	for _, k := range places {
		p := t.sampled[k]
		for _, cell := range t.packed[int(k)*width:][:width] {
			histogram[cell] += p
		}
	}
}

// choose finds the best split of a leaf.
func (t *trainer) choose(leaf *leafAt) {
	leaf.best = choice{}
	for i, column := range t.used {
		c := &t.columns[column]
		cells := leaf.histogram[t.base[i]:][:c.Limit]
		if c.Category {
			// The last category stays on the right side: the other sets are the complements of these.
			for set := 1; set < 1<<(c.Limit-1); set++ {
				var left pair
				for code := range c.Limit - 1 {
					if set>>code&1 != 0 {
						left += cells[code]
					}
				}
				t.weigh(leaf, choice{column: i, split: uint8(set), category: true, left: left})
			}
			continue
		}
		var left pair
		for code, p := range cells[:c.Limit-1] {
			if p == 0 {
				continue
			}
			left += p
			t.weigh(leaf, choice{column: i, split: uint8(code), left: left})
		}
	}
}

// weigh replaces the best split with c if c is better and both sides have enough weight.
func (t *trainer) weigh(leaf *leafAt, c choice) {
	right := leaf.total - c.left
	if c.left == 0 || right == 0 {
		return
	}
	lw, rw := t.massUnit*float64(c.left.weight()), t.massUnit*float64(right.weight())
	if least := t.o.LeastWeight * (1 - slack); lw < least || rw < least {
		return
	}
	c.gain = t.strength(c.left, lw) + t.strength(right, rw) - t.strength(leaf.total, lw+rw)
	if c.gain > leaf.best.gain {
		leaf.best = c
	}
}

// strength is the square of the sum of gradients, divided by the sum of the weights and lambda.
func (t *trainer) strength(p pair, weight float64) float64 {
	g := t.gradUnit * float64(p.gradient())
	return g * g / (weight + t.o.Lambda)
}

// value sets the values of the leaves from the unrounded derivatives.
func (t *trainer) value(grown tree, leaves []leafAt) {
	for _, l := range leaves {
		g, h := 0.0, 0.0
		for _, k := range t.places[l.from:l.to] {
			row := t.sample[k]
			g += t.gradients[row]
			h += t.weights[row]
		}
		if h+t.o.Lambda > 0 {
			grown[l.node].value = -t.o.Rate * g / (h + t.o.Lambda)
		}
	}
}

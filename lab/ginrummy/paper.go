package ginrummy

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	served "roem/internal/model/ginrummy/forest"
	"roem/internal/random"
	"roem/lab/learn/forest"
)

// paperInputs is the number of inputs of the paper's models.
const paperInputs = served.Columns

// Facts are what the models of the paper see of a row.
type Facts struct {
	Deal uint64
	served.Facts
	Hand ginrummy.Set // of the opponent: what is learned
}

// FactsOf returns the facts of a row.
func FactsOf(r *Row) Facts { return Facts{r.Deal, served.FactsOf(&r.View), r.Hand} }

// each calls do with the inputs that are present.
func (f *Facts) each(do func(input int)) {
	for i, w := range f.Sets() {
		for ; w != 0; w &= w - 1 {
			do(i*ginrummy.DeckSize + int(w.First()))
		}
	}
}

// Walk is the source of the paper's leak: a generator that is set to a new seed for each deal, and that seed was drawn from itself. So the
// deals are a walk in a graph with Range nodes and one way out of each, and soon repeat in a cycle (lab/docs/gin-rummy/README.md).
type Walk struct {
	Range uint64
	seed  uint64
	count uint64
	Seen  map[uint64]bool // the seeds of the deals so far
}

// NewWalk returns the walk from a seed. The paper's range is 10^8.
func NewWalk(seed, limit uint64) *Walk {
	return &Walk{Range: limit, seed: seed % limit, Seen: map[uint64]bool{}}
}

// EachRow plays the next deals of the walk, and calls do with their rows.
func (w *Walk) EachRow(ctx context.Context, deals uint64, do func(*Row)) error {
	for range deals {
		w.Seen[w.seed] = true
		rng := random.New(w.seed, starterStream) // the one generator: of the deal, of both players, and of the next seed
		deal := ginrummy.RandomDeal(rng, ginrummy.Seat(random.Below(rng, 2)))
		if err := rowsOf(ctx, w.count, &deal, [2]players.Player{players.NewSimple(rng), players.NewSimple(rng)}, do); err != nil {
			return err
		}
		w.count++
		w.seed = random.Below(rng, w.Range)
	}
	return nil
}

// B1 takes ten cards at random, and B2 the cards known to be held and random cards that are neither discarded nor in the player's hand.
func B1(rng *rand.Rand) Estimator {
	return Estimator{"B1, no information", func(*Row) (p Estimate) { return certain(draw(rng, 0, ginrummy.Deck)) }}
}

// B2 is described at B1.
func B2(rng *rand.Rand) Estimator {
	return Estimator{"B2, with information", func(r *Row) (p Estimate) {
		f := FactsOf(r)
		return certain(draw(rng, f.Kept, ginrummy.Deck&^(f.Kept|f.Discards|f.Own)))
	}}
}

func certain(hand ginrummy.Set) (p Estimate) {
	for c := range hand.All() {
		p[c] = 1
	}
	return p
}

// draw returns ten cards: the cards of a set, and others at random.
func draw(rng *rand.Rand, kept, others ginrummy.Set) ginrummy.Set {
	list := others.Slice()
	random.Shuffle(rng, list)
	for i := 0; kept.Len() < ginrummy.HandSize && i < len(list); i++ {
		kept = kept.With(list[i])
	}
	return kept
}

// Logistic is 52 logistic regressions of the paper's inputs.
type Logistic struct {
	weights [paperInputs + 1][ginrummy.DeckSize]float64
} // the last row is the bias

// TrainLogistic fits them by stochastic gradient descent.
func TrainLogistic(ctx context.Context, rows []Facts, epochs int, seed uint64) (*Logistic, error) {
	m := new(Logistic)
	rng := rand.New(rand.NewPCG(seed, 0x109))
	order := rng.Perm(len(rows))
	var inputs []int
	step, steps := 0, epochs*len(rows)
	for range epochs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			rate := 0.05 * (1 - float64(step)/float64(steps))
			step++
			inputs = append(inputs[:0], paperInputs)
			rows[i].each(func(input int) { inputs = append(inputs, input) })
			p := m.predict(inputs)
			for c := range p {
				if rows[i].Hand.Has(ginrummy.Card(c)) {
					p[c]--
				}
				p[c] *= rate
			}
			for _, input := range inputs {
				w := &m.weights[input]
				for c, d := range p {
					w[c] -= d
				}
			}
		}
	}
	return m, nil
}

func (m *Logistic) predict(inputs []int) (p Estimate) {
	for _, input := range inputs {
		for c, w := range &m.weights[input] {
			p[c] += w
		}
	}
	for c, score := range p {
		p[c] = 1 / (1 + math.Exp(-score))
	}
	return p
}

// Estimator returns the model as an estimator.
func (m *Logistic) Estimator() Estimator {
	return Estimator{"logistic regression", func(r *Row) Estimate {
		f := FactsOf(r)
		inputs := []int{paperInputs}
		f.each(func(input int) { inputs = append(inputs, input) })
		return m.predict(inputs)
	}}
}

// Nearest returns the estimator of the k nearest rows by the number of inputs that differ (KNN). Of equally near ones, the first count.
func Nearest(rows []Facts, k int) Estimator {
	return Estimator{fmt.Sprintf("nearest neighbours, k = %d", k), func(r *Row) (p Estimate) {
		f := FactsOf(r)
		at := f.Sets()
		type near struct{ row, distance int }
		list := make([]near, 0, k+1)
		for i := range rows {
			other := rows[i].Sets()
			d := bits.OnesCount64(uint64(at[0]^other[0])) + bits.OnesCount64(uint64(at[1]^other[1])) + bits.OnesCount64(uint64(at[2]^other[2]))
			if len(list) == k && d >= list[k-1].distance {
				continue
			}
			to, _ := slices.BinarySearchFunc(list, d+1, func(n near, d int) int { return cmp.Compare(n.distance, d) })
			if list = slices.Insert(list, to, near{i, d}); len(list) > k {
				list = list[:k]
			}
		}
		for _, n := range list {
			for c := range rows[n.row].Hand.All() {
				p[c] += 1 / float64(k)
			}
		}
		return p
	}}
}

// ForestSettings configure TrainForest. The paper has 100 trees with at least two rows in a leaf.
type ForestSettings struct {
	Trees, MinLeaf int
	Seed           uint64
	Workers        int    // 0 means 1
	Grown          func() // called after each tree; nil for nothing
}

// TrainForest grows the multi-output forest of the paper, with the square root of the inputs at a split.
func TrainForest(ctx context.Context, rows []Facts, s ForestSettings) (*forest.Multi, error) {
	columns := make([]forest.Column, paperInputs)
	for i := range columns {
		columns[i] = forest.Column{Codes: make([]uint8, len(rows)), Limit: 2}
	}
	labels := make([]forest.Outputs, len(rows))
	for i := range rows {
		rows[i].each(func(input int) { columns[input].Codes[i] = 1 })
		labels[i][0] = uint64(rows[i].Hand)
	}
	return forest.TrainMulti(ctx, columns, labels, ginrummy.DeckSize, forest.MultiOptions{
		Options: forest.Options{
			Trees: s.Trees, Features: -1, Bootstrap: true, Seed: s.Seed, Workers: max(s.Workers, 1), Grown: s.Grown,
		}, MinLeaf: s.MinLeaf,
	})
}

// Forest returns a forest as an estimator.
func Forest(f *forest.Multi) Estimator {
	return Estimator{"random forest", func(r *Row) (p Estimate) {
		facts := FactsOf(r)
		row := facts.Codes()
		f.Predict(row[:], p[:])
		return p
	}}
}

// Symmetric returns the mean of a forest over the 24 orders of the suits: the future work of the paper.
func Symmetric(f *forest.Multi) Estimator {
	return Estimator{"random forest, mean of 24 orders", func(r *Row) Estimate {
		return served.Mean24(served.FactsOf(&r.View), func(facts served.Facts) (p ginrummy.Probabilities) {
			row := facts.Codes()
			f.Predict(row[:], p[:])
			return p
		})
	}}
}

// Masked returns an estimator whose known cards are 0 or 1, and whose others are scaled so that all sum to ten.
func Masked(e Estimator) Estimator {
	return Estimator{e.Name + ", masked", func(r *Row) Estimate {
		p := ginrummy.Probabilities(e.Of(r))
		return served.Scaled(&r.View, &p)
	}}
}

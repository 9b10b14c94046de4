package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/lab/klaverjas/dataset"
)

const (
	replicates   = 400 // of the bootstrap
	eceBins      = 20
	classRows    = 10_000 // rows of a set for RankCorrelationFromClass
	dealsOfClass = 32
)

// judged is a row with its prediction.
type judged struct {
	deal.Prediction
	won     bool
	nodes   uint64
	outcome int
}

// Evaluate measures a model on a data set that was not used in training. Equal models and sets give equal reports.
func Evaluate(ctx context.Context, m *deal.Model, dir string) (deal.SetReport, error) {
	set, err := dataset.Open(dir)
	if err != nil {
		return deal.SetReport{}, err
	}
	if err := set.AsTheyCome(); err != nil {
		return deal.SetReport{}, fmt.Errorf("%s: %w", dir, err)
	}
	s := set.Settings
	rules := klaverjas.RulesJSON(s.Rules)
	out := deal.SetReport{Sampling: string(s.Sampling), Seed: set.Manifest.Seed, LeaderDeclares: leads(s), Rules: &rules}
	rows, deals, err := judge(ctx, m, set)
	if err != nil {
		return out, fmt.Errorf("%s: %w", dir, err)
	}
	out.Rows = len(rows)
	won := 0
	for _, r := range rows {
		if r.won {
			won++
		}
	}
	out.ShareWon = float64(won) / float64(len(rows))
	measure(&out, rows)
	out.ByConfidence = byConfidence(rows)
	if s.Goal == search.Win {
		out.ByEffort = byEffort(rows)
		out.Hardness.RankCorrelationFromClass = fromClass(m, s.Rules, rows, deals)
		return out, nil
	}
	out.Hardness = deal.Hardness{} // these are the nodes of the goal value
	out.Outcome = outcomes(rows)
	return out, nil
}

// leads reports whether the leader's side declares in a set.
func leads(s dataset.Settings) bool { return s.Declarer == piquet.NorthSouth }

// judge predicts every row of a set.
func judge(ctx context.Context, m *deal.Model, set *dataset.Set) ([]judged, []klaverjas.Deal, error) {
	rows, deals, err := readRows(ctx, set)
	if err != nil {
		return nil, nil, err
	}
	if !predict(m, set, rows, deals) {
		return nil, nil, errors.New("the model is not trained for its rules or its declarers")
	}
	return rows, deals, nil
}

// readRows reads every row of a set.
func readRows(ctx context.Context, set *dataset.Set) ([]judged, []klaverjas.Deal, error) {
	var (
		rows  []judged
		deals []klaverjas.Deal
	)
	for row, err := range set.Rows() {
		if err == nil && len(rows)&0xffff == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return nil, nil, err
		}
		deals = append(deals, row.Deal())
		rows = append(rows, judged{won: row.Won, nodes: row.Nodes, outcome: row.Outcome})
	}
	if len(rows) == 0 {
		return nil, nil, errors.New("it has no rows")
	}
	return rows, deals, nil
}

// predict sets the predictions of the rows of a set. It returns false if the model is not trained for the set.
func predict(m *deal.Model, set *dataset.Set, rows []judged, deals []klaverjas.Deal) bool {
	out, covered := make([]deal.Prediction, len(deals)), make([]bool, len(deals))
	m.PredictBatch(set.Settings.Rules, deals, out, covered)
	if !covered[0] {
		return false
	}
	for i := range rows {
		rows[i].Prediction = out[i]
	}
	return true
}

// figures are the measurements with a confidence interval.
type figures [6]float64

const (
	accuracy = iota
	logLoss
	brier
	ece
	coverage
	correlation
)

// tally accumulates the sums for figures.
type tally struct {
	n                            float64
	right, loss, square, covered float64
	bins                         [eceBins]struct{ n, p, won float64 }
	x, y, xx, yy, xy             float64
}

// item is the contribution of a row to a tally.
type item struct {
	right, loss, square, covered, p, won, x, y float64
	bin                                        int
}

func (t *tally) add(i *item) {
	t.n++
	t.right += i.right
	t.loss += i.loss
	t.square += i.square
	t.covered += i.covered
	b := &t.bins[i.bin]
	b.n++
	b.p += i.p
	b.won += i.won
	t.x += i.x
	t.y += i.y
	t.xx += i.x * i.x
	t.yy += i.y * i.y
	t.xy += i.x * i.y
}

func (t *tally) figures() figures {
	var f figures
	f[accuracy], f[logLoss], f[brier], f[coverage] = t.right/t.n, t.loss/t.n, t.square/t.n, t.covered/t.n
	for _, b := range t.bins {
		f[ece] += math.Abs(b.p-b.won) / t.n
	}
	f[correlation] = (t.xy - t.x*t.y/t.n) / math.Sqrt((t.xx-t.x*t.x/t.n)*(t.yy-t.y*t.y/t.n))
	return f
}

// measure computes the figures and their intervals by bootstrap: from the 2.5th to the 97.5th percentile over samples of the rows, drawn
// with replacement. Ranks are those among all rows.
func measure(out *deal.SetReport, rows []judged) {
	x := ranks(rows, func(r *judged) float64 { return r.Log10Nodes })
	y := ranks(rows, func(r *judged) float64 { return float64(r.nodes) })
	items := make([]item, len(rows))
	var all tally
	for i := range rows {
		r, it := &rows[i], &items[i]
		p := min(max(r.WinProbability, 1e-12), 1-1e-12)
		it.p, it.x, it.y, it.bin = r.WinProbability, x[i], y[i], min(int(r.WinProbability*eceBins), eceBins-1)
		it.loss = -math.Log(1 - p)
		if r.won {
			it.won, it.loss = 1, -math.Log(p)
		}
		if r.Won() == r.won {
			it.right = 1
		}
		it.square = (it.won - r.WinProbability) * (it.won - r.WinProbability)
		if logNodes(r.nodes) <= r.Log10Nodes90 {
			it.covered = 1
		}
		all.add(it)
	}
	value := all.figures()
	var samples [len(value)][]float64
	rng := rand.New(rand.NewPCG(1, uint64(len(rows))))
	for range replicates {
		var t tally
		for range items {
			t.add(&items[rng.IntN(len(items))])
		}
		for k, v := range t.figures() {
			samples[k] = append(samples[k], v)
		}
	}
	for k, to := range map[int]*deal.Measured{
		accuracy: &out.Accuracy, logLoss: &out.LogLoss, brier: &out.Brier, ece: &out.ECE,
		coverage: &out.Hardness.Coverage, correlation: &out.Hardness.RankCorrelation,
	} {
		slices.Sort(samples[k])
		*to = deal.Measured{Value: value[k], Low: samples[k][replicates/40], High: samples[k][replicates-1-replicates/40]}
	}
	sum := 0.0
	for i := range rows {
		d := rows[i].Log10Nodes - logNodes(rows[i].nodes)
		sum += d * d
	}
	out.Hardness.RMSE = math.Sqrt(sum / float64(len(rows)))
}

// ranks returns the rank of each row by a number, from 0 to 1. Equal numbers get the mean of their ranks.
func ranks(rows []judged, by func(*judged) float64) []float64 {
	keys := make([]float64, len(rows))
	order := make([]int, len(rows))
	for i := range rows {
		keys[i], order[i] = by(&rows[i]), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	out := make([]float64, len(rows))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && keys[order[j]] == keys[order[i]] {
			j++
		}
		for _, row := range order[i:j] {
			out[row] = float64(i+j-1) / 2 / float64(len(rows))
		}
		i = j
	}
	return out
}

// byConfidence groups rows by confidence.
func byConfidence(rows []judged) []deal.ConfidenceBin {
	edges := []float64{0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1}
	var bins []deal.ConfidenceBin
	for i, from := range edges[:len(edges)-1] {
		to, n, right, sum := edges[i+1], 0.0, 0.0, 0.0
		for k := range rows {
			c := rows[k].Confidence()
			if c < from || c >= to && to < 1 {
				continue
			}
			n++
			sum += c
			if rows[k].Won() == rows[k].won {
				right++
			}
		}
		if n > 0 {
			bins = append(bins, deal.ConfidenceBin{From: from, To: to, Share: n / float64(len(rows)), Expected: sum / n, Accuracy: right / n})
		}
	}
	return bins
}

// byEffort groups rows by the nodes of their search.
func byEffort(rows []judged) []deal.EffortBin {
	edges := []uint64{0, 100, 1_000, 10_000, 100_000, 1_000_000, 0}
	var bins []deal.EffortBin
	for i, from := range edges[:len(edges)-1] {
		to, n, right := edges[i+1], 0.0, 0.0
		for k := range rows {
			if r := &rows[k]; r.nodes >= from && (to == 0 || r.nodes < to) {
				n++
				if r.Won() == r.won {
					right++
				}
			}
		}
		if n > 0 {
			bins = append(bins, deal.EffortBin{From: from, To: to, Share: n / float64(len(rows)), Accuracy: right / n})
		}
	}
	return bins
}

// outcomes measures the error of the predicted outcome.
func outcomes(rows []judged) *deal.OutcomeMeasure {
	var off, square float64
	for i := range rows {
		d := rows[i].Outcome - float64(rows[i].outcome)
		off += math.Abs(d)
		square += d * d
	}
	n := float64(len(rows))
	return &deal.OutcomeMeasure{MeanAbsoluteError: off / n, RMSE: math.Sqrt(square / n)}
}

// fromClass returns, for the first rows, the rank correlation of the actual nodes and the mean of the nodes that the model expects for
// deals of the same class.
func fromClass(m *deal.Model, rules klaverjas.Rules, rows []judged, deals []klaverjas.Deal) float64 {
	n := min(len(rows), classRows)
	rng := index.NewRand(1)
	guesses := make([]judged, n)
	others, out, covered := make([]klaverjas.Deal, dealsOfClass), make([]deal.Prediction, dealsOfClass), make([]bool, dealsOfClass)
	for i := range guesses {
		guesses[i].nodes = rows[i].nodes
		class := index.ClassOf(deals[i])
		for k := range others {
			others[k] = deals[i]
			if hands, err := index.RandomOfClass(rng, class, deals[i].Trump, deals[i].Leader); err == nil {
				others[k].Hands = hands
			}
		}
		m.PredictBatch(rules, others, out, covered)
		for k := range out {
			guesses[i].Log10Nodes += out[k].Log10Nodes / dealsOfClass
		}
	}
	x := ranks(guesses, func(r *judged) float64 { return r.Log10Nodes })
	y := ranks(guesses, func(r *judged) float64 { return float64(r.nodes) })
	var t tally
	for i := range x {
		t.add(&item{x: x[i], y: y[i]})
	}
	return t.figures()[correlation]
}

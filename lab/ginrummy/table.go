package ginrummy

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
)

// TableSettings configure Table.
type TableSettings struct {
	Seed     uint64 // of the deals to learn from
	Deals    uint64 // how many
	Every    int    // the network learns from about one of this number of rows
	HeldSeed uint64 // of the deals that are measured on
	Held     uint64
	Rows     int // measured on at most
	Trees    int // of the forest; 0 leaves it out
	MinLeaf  int // least rows of a leaf of the forest; 0 for the paper's 2
	Nearest  int // rows that are looked through; 0 leaves nearest neighbours out
	Epochs   int // of the logistic regression
	// Reseeded is the range of the seeds of the paper's generator (10^8), with which training and test are parts of one walk; 0 draws deals
	// honestly.
	Reseeded uint64
	More     []Estimator // further estimators
}

// Table is the paper's Table 1 on other deals, or with its leak.
type Table struct {
	Learned  int // rows learned from
	Distinct int // distinct deals of a walk
	Walked   int // deals of a walk
	Names    []string
	Scores   []*Score
}

// learner returns a function that appends about one of every rows after a discard of the opponent.
func learner(to *[]Facts, rng *rand.Rand, every int) func(*Row) {
	return func(r *Row) {
		if r.Moment == AfterDiscard && rng.IntN(max(every, 1)) == 0 {
			*to = append(*to, FactsOf(r))
		}
	}
}

// Learn returns about one of every rows of the first deals of a seed, which two simple players play.
func Learn(ctx context.Context, seed, deals uint64, every int) (facts []Facts, err error) {
	err = EachRow(ctx, seed, 0, deals, learner(&facts, rand.New(rand.NewPCG(seed, 0x7ab1e)), every))
	return facts, err
}

// RunTable learns the models of the paper, and measures them and further estimators.
func RunTable(ctx context.Context, s TableSettings) (t Table, err error) {
	var facts []Facts
	var held []Row
	rng := rand.New(rand.NewPCG(s.Seed, 0x7ab1e))
	learn := learner(&facts, rng, s.Every)
	hold := func(r *Row) {
		if r.Moment == AfterDiscard && len(held) < s.Rows {
			held = append(held, *r)
		}
	}
	if s.Reseeded > 0 {
		walk := NewWalk(s.Seed, s.Reseeded)
		if err = walk.EachRow(ctx, s.Deals, learn); err == nil {
			err = walk.EachRow(ctx, s.Held, hold)
		}
		t.Distinct, t.Walked = len(walk.Seen), int(walk.count)
	} else if err = EachRow(ctx, s.Seed, 0, s.Deals, learn); err == nil {
		err = EachRow(ctx, s.HeldSeed, 0, s.Held, hold)
	}
	if err != nil {
		return t, err
	}
	t.Learned = len(facts)
	estimators := []Estimator{Uniform(), B1(rng), B2(rng)}
	logistic, err := TrainLogistic(ctx, facts, s.Epochs, s.Seed)
	if err != nil {
		return t, err
	}
	estimators = append(estimators, logistic.Estimator(), Masked(logistic.Estimator()))
	if s.Nearest > 0 {
		near := Nearest(facts[:min(len(facts), s.Nearest)], 5)
		estimators = append(estimators, near, Masked(near))
	}
	if s.Trees > 0 {
		grown, err := TrainForest(ctx, facts, ForestSettings{Trees: s.Trees, MinLeaf: max(s.MinLeaf, 2), Seed: s.Seed})
		if err != nil {
			return t, err
		}
		f := Forest(grown)
		estimators = append(estimators, f, Masked(f))
	}
	for _, e := range append(estimators, s.More...) {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		t.Names, t.Scores = append(t.Names, e.Name), append(t.Scores, Measure(e, held))
	}
	return t, nil
}

// Markdown returns the table.
func (t *Table) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d rows learned from, %d rows of %d deals measured on.", t.Learned, t.Scores[0].Rows, len(t.Scores[0].Deals))
	if t.Walked > 0 {
		fmt.Fprintf(&b, " The generator is reseeded from itself: %d deals, %d of them distinct.", t.Walked, t.Distinct)
	}
	b.WriteString("\n\n| estimate | log loss a card | ten most probable | calibration error | Brier | t = 0.25: accuracy, precision, " +
		"recall, F1 | t = 0.30 |\n" +
		"|---|---|---|---|---|---|---|\n")
	for i, s := range t.Scores {
		l := s.LogLoss()
		fmt.Fprintf(&b, "| %s | %.4f ± %.4f | %.4f | %.2f points | %.3f |", t.Names[i], l.Mean, l.High-l.Mean, s.TopTen().Mean, 100*s.ECE(),
			s.Brier/float64(s.Rows))
		for k := range Thresholds {
			r := s.At(k)
			fmt.Fprintf(&b, " %.4f, %.4f, %.4f, %.3f |", r.Accuracy, r.Precision, r.Recall, r.F1)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

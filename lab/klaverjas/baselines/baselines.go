// Package baselines trains classical models on one data set and measures them on others. They are the baselines for the network. For
// the winner: the share of wins, logistic regression, the paper's random forest, gradient boosting. For the effort of a search:
// gradient boosting with the suit counts alone, and with the hands.
//
// [Run] trains and measures. [Render] converts the results to the files of lab/docs/klaverjas/baselines.
package baselines

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/features"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/matrix"
	"roem/lab/learn/boost"
	"roem/lab/learn/forest"
	"roem/lab/learn/logistic"
)

// Options are the options of Run.
type Options struct {
	Seed    uint64
	Rows    int // maximum number of rows of the training set, from its start; 0 for all
	Trees   int // of a random forest; the paper uses 64
	Rounds  int // of gradient boosting
	Workers int // 0 for one per core

	// Told is called at the start of each step and then with its progress. It may be nil.
	Told func(step string, done, of int)
}

// Default returns the options of lab/docs/klaverjas/baselines.
func Default() Options { return Options{Seed: 1, Trees: 64, Rounds: 500} }

// Results holds all results.
type Results struct {
	Train    Set        `json:"train"`
	Seed     string     `json:"seed"` // a decimal number, since it may exceed 2^53
	Trees    int        `json:"trees"`
	Rounds   int        `json:"rounds"`
	Tests    []Set      `json:"tests"`
	Winners  []Winner   `json:"winners"`  // by set and model
	Hardness []Hardness `json:"hardness"` // by set and model
}

// Set describes a data set.
type Set struct {
	Sampling dataset.Sampling    `json:"sampling"`
	Seed     string              `json:"seed"`
	Rules    klaverjas.RulesJSON `json:"rules"`
	Solver   string              `json:"solver"`
	Rows     int                 `json:"rows"`    // number of rows used
	Dropped  int                 `json:"dropped"` // training rows that were dropped: the test sets have them or twins of them
	Won      float64             `json:"won"`     // share of wins among the rows used
}

// RowsDrawn returns the number of rows that were read.
func (s Set) RowsDrawn() int { return s.Rows + s.Dropped }

// Interval is a number with its 95 % interval for another sample of test rows.
type Interval struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Winner is the quality of a model's predictions of the winner.
type Winner struct {
	Set      dataset.Sampling `json:"set"`
	Model    string           `json:"model"`
	Accuracy Interval         `json:"accuracy"` // share
	LogLoss  Interval         `json:"log_loss"` // nats
	Brier    Interval         `json:"brier"`
}

// Hardness is the quality of a model's predictions of the effort: the decimal logarithm of the nodes of a search with the goal win.
type Hardness struct {
	Set   dataset.Sampling `json:"set"`
	Model string           `json:"model"`
	Rank  Interval         `json:"rank_correlation"` // Spearman's
	Error Interval         `json:"absolute_error"`   // mean, in decades
}

// rows is a data set in memory.
type rows struct {
	info    Set
	owners  []dataset.Owners
	won     []bool
	effort  []float64 // log10 of nodes
	columns *matrix.Matrix
}

// The names of the models.
const (
	ShareOfWins      = "share of wins"
	Logistic         = "logistic regression, handcrafted features"
	PaperForest      = "the paper's random forest, all features"
	Boosting         = "gradient boosting, all features"
	MeanEffort       = "mean"
	EffortFromCounts = "gradient boosting, suit counts alone"
	EffortFromHands  = "gradient boosting, from the hands"
)

// Run trains on one set and measures on others. All sets must have the goal win, the same rules and the same version of the solver. The
// results depend only on the sets, the seed and the numbers of rows, trees and rounds.
func Run(ctx context.Context, train *dataset.Set, tests []*dataset.Set, o Options) (*Results, error) {
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Told == nil {
		o.Told = func(string, int, int) {}
	}
	held := make(map[uint64]struct{})
	var measured []*rows
	for _, set := range tests {
		if err := alike(train, set); err != nil {
			return nil, err
		}
		o.Told("reading "+string(set.Manifest.Sampling)+" deals", 0, 1)
		t, err := read(ctx, set, o, 0, nil, held)
		if err != nil {
			return nil, err
		}
		measured = append(measured, t)
	}
	if err := alike(train, train); err != nil {
		return nil, err
	}
	o.Told("reading "+string(train.Manifest.Sampling)+" deals to train on", 0, 1)
	t, err := read(ctx, train, o, o.Rows, held, nil)
	if err != nil {
		return nil, err
	}
	if len(t.won) == 0 {
		return nil, fmt.Errorf("no rows to train on: the test sets have them all")
	}
	l := &comparison{options: o, train: t, tests: measured, results: &Results{
		Train: t.info, Seed: fmt.Sprint(o.Seed), Trees: o.Trees, Rounds: o.Rounds,
	}}
	for _, m := range measured {
		l.results.Tests = append(l.results.Tests, m.info)
	}
	for _, step := range []func(context.Context) error{
		l.shareOfWins, l.logistic, l.forest, l.boosting, l.meanEffort, l.effortFromCounts, l.effortFromHands,
	} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return l.results, nil
}

// alike returns an error if two sets are not comparable.
func alike(train, test *dataset.Set) error {
	switch {
	case !test.Manifest.Complete:
		return fmt.Errorf("the data set %s of seed %s is not complete", test.Manifest.Sampling, test.Manifest.Seed)
	case test.Settings.Goal != search.Win:
		return fmt.Errorf("the data set %s of seed %s has the goal %s, expected %s",
			test.Manifest.Sampling, test.Manifest.Seed, test.Settings.Goal, search.Win)
	case test.Settings.Rules != train.Settings.Rules:
		return fmt.Errorf("the data sets %s and %s have different rules", train.Manifest.Sampling, test.Manifest.Sampling)
	case test.Manifest.Solver != train.Manifest.Solver || test.Manifest.TableBytes != train.Manifest.TableBytes:
		return fmt.Errorf("the data sets %s and %s were made by different versions of the search: nodes do not compare",
			train.Manifest.Sampling, test.Manifest.Sampling)
	}
	return nil
}

// read reads a set, at most the first most rows if most is not 0. It drops deals whose canonical index is in drop, and adds the indexes
// of the others to held.
func read(ctx context.Context, set *dataset.Set, o Options, most int, drop, held map[uint64]struct{}) (*rows, error) {
	m := set.Manifest
	r := &rows{info: Set{Sampling: m.Sampling, Seed: m.Seed, Rules: m.Rules, Solver: m.Solver}}
	won, read := 0, 0
	for row, err := range set.Rows() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if read == most && most > 0 {
			break
		}
		read++
		canonical, _ := index.Canonical(row.Deal())
		if _, ok := drop[canonical]; ok {
			r.info.Dropped++
			continue
		}
		if held != nil {
			held[canonical] = struct{}{}
		}
		r.owners = append(r.owners, row.Owners)
		r.won = append(r.won, row.Won)
		r.effort = append(r.effort, math.Log10(float64(max(1, row.Nodes))))
		if row.Won {
			won++
		}
	}
	r.info.Rows = len(r.owners)
	r.info.Won = float64(won) / float64(max(1, len(r.owners)))
	var err error
	r.columns, err = matrix.Extract(ctx, len(r.owners), o.Workers, func(i int) [4]piquet.Set { return r.owners[i].Hands() })
	return r, err
}

// comparison is the state of Run.
type comparison struct {
	options Options
	train   *rows
	tests   []*rows
	results *Results
}

// wins measures the predicted probabilities of a win on every test set.
func (l *comparison) wins(model string, predict func(*rows) ([]float64, error)) error {
	for _, test := range l.tests {
		p, err := predict(test)
		if err != nil {
			return err
		}
		l.results.Winners = append(l.results.Winners, winner(test, model, p))
	}
	return nil
}

// efforts measures the predicted efforts on every test set.
func (l *comparison) efforts(model string, predict func(*rows) ([]float64, error)) error {
	for _, test := range l.tests {
		p, err := predict(test)
		if err != nil {
			return err
		}
		l.results.Hardness = append(l.results.Hardness, hardness(test, model, p))
	}
	return nil
}

func constant(n int, value float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = value
	}
	return out
}

func (l *comparison) shareOfWins(context.Context) error {
	return l.wins(ShareOfWins, func(r *rows) ([]float64, error) { return constant(len(r.won), l.train.info.Won), nil })
}

func logisticColumns(r *rows) (out []logistic.Column) {
	for column := features.Hand; column < features.TeamSuit; column++ { // in a linear model, sums over teams add no information
		values := make([]float64, features.Codes(column))
		for code := range values {
			values[code] = features.Value(column, uint8(code))
		}
		out = append(out, logistic.Column{Codes: r.columns.Column(column), Values: values})
	}
	return out
}

func (l *comparison) logistic(ctx context.Context) error {
	l.options.Told(Logistic, 0, 1)
	o := logistic.Default()
	o.Workers = l.options.Workers
	m, err := logistic.Train(ctx, logisticColumns(l.train), l.train.won, o)
	if err != nil {
		return err
	}
	return l.wins(Logistic, func(r *rows) ([]float64, error) {
		scores, err := m.PredictAll(logisticColumns(r))
		for i, s := range scores {
			scores[i] = boost.Probability(s)
		}
		return scores, err
	})
}

func (l *comparison) forest(ctx context.Context) error {
	o := forest.Paper(l.options.Seed)
	o.Trees, o.Workers = l.options.Trees, l.options.Workers
	grown := make(chan struct{}, o.Trees)
	o.Grown = func() {
		grown <- struct{}{}
		l.options.Told(PaperForest, len(grown), o.Trees)
	}
	m, err := forest.Train(ctx, l.train.columns.Forest(), l.train.won, o)
	if err != nil {
		return err
	}
	return l.wins(PaperForest, func(r *rows) ([]float64, error) { return m.PredictAll(ctx, r.columns.Forest(), o.Workers) })
}

// boostColumns returns columns of a set for boosting. Owners are categories, since the order of seats has no meaning.
func boostColumns(r *rows, used []int) (out []boost.Column) {
	for _, column := range used {
		out = append(out, boost.Column{
			Codes: r.columns.Column(column), Limit: features.Codes(column), Category: column < features.Hand,
		})
	}
	return out
}

func allColumns() (out []int) {
	for column := range features.Columns {
		out = append(out, column)
	}
	return out
}

// countColumns returns the columns that are determined by the number of cards of each suit in each hand.
func countColumns() (out []int) {
	for _, group := range [][2]int{
		{features.SuitCount, features.RankCount}, {features.StdevSeat, features.TopCards}, {features.TeamSuit, features.TeamRank},
	} {
		for column := group[0]; column < group[1]; column++ {
			out = append(out, column)
		}
	}
	return out
}

// boosted trains a model by gradient boosting.
func (l *comparison) boosted(ctx context.Context, name string, loss boost.Loss, used []int, targets []float64) (*boost.Model, error) {
	return boost.Train(ctx, boostColumns(l.train, used), targets, boost.Options{
		Loss: loss, Trees: l.options.Rounds, Leaves: 255, Rate: 0.1, Lambda: 1, LeastWeight: 5, Rows: 0.5, Columns: 0.5,
		Seed: l.options.Seed, Workers: l.options.Workers,
		Grown: func(n int) { l.options.Told(name, n, l.options.Rounds) },
	})
}

func (l *comparison) boosting(ctx context.Context) error {
	targets := make([]float64, len(l.train.won))
	for i, won := range l.train.won {
		if won {
			targets[i] = 1
		}
	}
	m, err := l.boosted(ctx, Boosting, boost.Logistic, allColumns(), targets)
	if err != nil {
		return err
	}
	return l.wins(Boosting, func(r *rows) ([]float64, error) {
		scores, err := m.PredictAll(ctx, boostColumns(r, allColumns()), l.options.Workers)
		for i, s := range scores {
			scores[i] = boost.Probability(s)
		}
		return scores, err
	})
}

func (l *comparison) meanEffort(context.Context) error {
	mean := 0.0
	for _, e := range l.train.effort {
		mean += e / float64(len(l.train.effort))
	}
	return l.efforts(MeanEffort, func(r *rows) ([]float64, error) { return constant(len(r.won), mean), nil })
}

func (l *comparison) effortFrom(ctx context.Context, name string, used []int) error {
	m, err := l.boosted(ctx, name, boost.Squared, used, l.train.effort)
	if err != nil {
		return err
	}
	return l.efforts(name, func(r *rows) ([]float64, error) { return m.PredictAll(ctx, boostColumns(r, used), l.options.Workers) })
}

func (l *comparison) effortFromCounts(ctx context.Context) error {
	return l.effortFrom(ctx, EffortFromCounts, countColumns())
}

func (l *comparison) effortFromHands(ctx context.Context) error {
	return l.effortFrom(ctx, EffortFromHands, allColumns())
}

// Package paper repeats section 6 of "Computing and Predicting Winning Hands in the Trick-Taking Game of Klaverjas" (van Rijn, Takes,
// Vis) with a data set of this project: the effort of the search (Figure 1), the accuracy of trees (Table 3), the importance of the
// features in the forest (Figure 2), and the effort for the deals that the forest classifies wrongly (Figure 3).
//
// [Run] runs the experiment. [Render] writes every file under lab/docs/klaverjas/paper from its results.
package paper

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"runtime"
	"sync"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/features"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/matrix"
	"roem/lab/learn/blocks"
	"roem/lab/learn/forest"
)

// folds is the number of folds of the cross-validation (the paper, section 6.2).
const folds = 2

// Options are the options of Run.
type Options struct {
	Seed    uint64 // of the folds and of the trees
	Trees   int    // of a random forest; the paper uses 64
	Workers int    // 0 for one per core

	// Told is called by several goroutines with the share of the work that has been completed since the last call. It may be nil.
	Told func(share float64)
}

// PaperTrees is the number of trees of the paper's forests.
const PaperTrees = 64

// Model is a kind of classifier in Table 3.
type Model string

// The models.
const (
	DecisionTree Model = "decision tree"
	RandomForest Model = "random forest"
)

// Subset is a set of columns in Table 3.
type Subset string

// The subsets.
const (
	Ownership   Subset = "card ownership"
	Handcrafted Subset = "handcrafted"
	All         Subset = "all"
)

// Subsets returns the subsets in the order of Table 3.
func Subsets() []Subset { return []Subset{Ownership, Handcrafted, All} }

// columns returns the first column of a subset, and the one after the last.
func (s Subset) columns() (from, to int) {
	switch s {
	case Ownership:
		return 0, features.Hand
	case Handcrafted:
		return features.Hand, features.Columns
	}
	return 0, features.Columns
}

// Results holds all results of the experiment.
type Results struct {
	Data       Data         `json:"data"`
	Seed       string       `json:"seed"` // a decimal number, since it may exceed 2^53
	Trees      int          `json:"trees"`
	Folds      []Fold       `json:"folds"`
	Accuracies []Accuracy   `json:"accuracies"` // Table 3, row by row
	Importance []Importance `json:"importance"` // Figure 2, by column
	Effort     []Effort     `json:"effort"`     // Figures 1 and 3: won and right, won and wrong, lost and right, lost and wrong
	// Values is Effort for searches with the goal value, as the paper's, on a sample of the rows.
	Values []Effort `json:"values"`
	// Judge is the model whose mistakes Effort counts.
	Judge Cell `json:"judge"`
}

// Data describes the data set.
type Data struct {
	Sampling dataset.Sampling    `json:"sampling"`
	Goal     string              `json:"goal"`
	Seed     string              `json:"seed"`
	Rules    klaverjas.RulesJSON `json:"rules"`
	Solver   string              `json:"solver"`
	Rows     int                 `json:"rows"`
	Won      int                 `json:"won"`
	Nodes    Nodes               `json:"nodes"`
}

// Nodes holds statistics of the nodes of the rows.
type Nodes struct {
	Mean   float64 `json:"mean"`
	Median uint64  `json:"median"`
	Most   uint64  `json:"most"`
}

// Fold is one of the parts of the rows.
type Fold struct {
	Rows int `json:"rows"`
	Won  int `json:"won"`
}

// Cell is a cell of Table 3.
type Cell struct {
	Model  Model  `json:"model"`
	Subset Subset `json:"subset"`
}

// Accuracy is the accuracy of a model on the rows that it was not trained on.
type Accuracy struct {
	Cell
	Columns int     `json:"columns"`
	Right   []int   `json:"right"`   // rows with a correct prediction, by fold
	Percent float64 `json:"percent"` // share of correct predictions among all rows
	Paper   float64 `json:"paper"`   // the percentage in Table 3
}

// Importance is the Gini importance of a column in the random forest on each subset, as the mean over both folds. It is 0 for a subset
// without the column.
type Importance struct {
	Column      string  `json:"column"`
	Ownership   float64 `json:"card_ownership"`
	Handcrafted float64 `json:"handcrafted"`
	All         float64 `json:"all"`
}

// published holds the percentages of Table 3.
var published = map[Cell]float64{
	{DecisionTree, Ownership}: 82.44, {RandomForest, Ownership}: 88.16,
	{DecisionTree, Handcrafted}: 88.02, {RandomForest, Handcrafted}: 91.98,
	{DecisionTree, All}: 87.96, {RandomForest, All}: 91.79,
}

// Published shares and counts (section 6.2).
const (
	publishedWon  = 528_339
	publishedRows = 981_541
)

// sample is the data set in memory.
type sample struct {
	owners []dataset.Owners
	won    []bool
	nodes  []uint64
	fold   []uint8
}

// Run runs the experiment on a data set, which must be complete. The results depend only on the set, the seed and the number of trees. The
// error is the error of reading the set or the error of ctx.
func Run(ctx context.Context, set *dataset.Set, o Options) (*Results, error) {
	if !set.Manifest.Complete {
		return nil, fmt.Errorf("the data set is not complete: %d of %d shards are there",
			len(set.Manifest.Shards), set.Settings.Shards())
	}
	if set.Settings.Goal != search.Win {
		return nil, fmt.Errorf("the data set has the goal %s, expected %s: its nodes belong to another question", set.Settings.Goal,
			search.Win)
	}
	if o.Told == nil {
		o.Told = func(float64) {}
	}
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	s, err := read(ctx, set, o)
	if err != nil {
		return nil, err
	}
	columns, err := matrix.Extract(ctx, len(s.owners), o.Workers, func(row int) [4]piquet.Set { return s.owners[row].Hands() })
	if err != nil {
		return nil, err
	}
	r := &Results{
		Data: describe(set, s), Seed: fmt.Sprint(o.Seed), Trees: o.Trees,
		Judge: Cell{RandomForest, Handcrafted},
	}
	for f := range uint8(folds) {
		fold := Fold{}
		for row, of := range s.fold {
			if of == f {
				fold.Rows++
				fold.Won += one(s.won[row])
			}
		}
		r.Folds = append(r.Folds, fold)
	}
	for _, name := range features.Names() {
		r.Importance = append(r.Importance, Importance{Column: name})
	}
	e := &experiment{sample: s, options: o, results: r, judged: make([]bool, len(s.owners)), matrix: columns}
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	r.Effort = efforts(s, nil, s.nodes, e.judged)
	rows, nodes, err := e.values(ctx, set.Settings.Rules, set.Manifest.TableBytes)
	if err != nil {
		return nil, err
	}
	r.Values = efforts(s, rows, nodes, e.judged)
	return r, nil
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// read reads the set and assigns the rows to the folds.
func read(ctx context.Context, set *dataset.Set, o Options) (*sample, error) {
	s := new(sample)
	for row, err := range set.Rows() {
		if err != nil {
			return nil, err
		}
		s.owners = append(s.owners, row.Owners)
		s.won = append(s.won, row.Won)
		s.nodes = append(s.nodes, row.Nodes)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	s.fold = make([]uint8, len(s.owners))
	return s, eachPart(ctx, len(s.owners), o.Workers, func(row int) {
		s.fold[row] = foldOf(dataset.Row{Owners: s.owners[row]}.Deal(), o.Seed)
	})
}

// foldOf returns the fold of a deal. Deals that differ only in the names of plain suits have the same canonical index and so the same
// fold. No model is tested on a twin of a training row.
func foldOf(d klaverjas.Deal, seed uint64) uint8 {
	canonical, _ := index.Canonical(d)
	h := fnv.New64a()
	_, _ = h.Write(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, seed), canonical)) // Write never fails
	return uint8(h.Sum64() >> 32 % folds)
}

// eachPart calls do for each number less than n, on several goroutines.
func eachPart(ctx context.Context, n, workers int, do func(int)) error {
	const part = 1024
	return blocks.Each(ctx, n, part, workers, func() func(from, to int) {
		return func(from, to int) {
			for i := from; i < to; i++ {
				do(i)
			}
		}
	})
}

func describe(set *dataset.Set, s *sample) Data {
	m := set.Manifest
	d := Data{
		Sampling: m.Sampling, Goal: m.Goal, Seed: m.Seed, Rules: m.Rules, Solver: m.Solver, Rows: len(s.owners), Nodes: nodesOf(s.nodes),
	}
	for _, won := range s.won {
		d.Won += one(won)
	}
	return d
}

// experiment is the state of Run.
type experiment struct {
	*sample

	matrix  *matrix.Matrix
	options Options
	results *Results
	judged  []bool // whether the judge was right about each row
}

// part holds the rows of a fold, for training or for testing.
type part struct {
	rows    []int32
	columns []forest.Column
	labels  []bool
}

func (e *experiment) run(ctx context.Context) error {
	var parts [folds]*part
	for f := range parts {
		parts[f] = e.part(uint8(f))
	}
	for _, subset := range Subsets() {
		for _, model := range []Model{DecisionTree, RandomForest} {
			cell := Cell{model, subset}
			right, err := e.cell(ctx, cell, parts)
			if err != nil {
				return err
			}
			from, to := subset.columns()
			a := Accuracy{Cell: cell, Columns: to - from, Right: right, Paper: published[cell]}
			for _, n := range right {
				a.Percent += 100 * float64(n) / float64(len(e.owners))
			}
			e.results.Accuracies = append(e.results.Accuracies, a)
		}
	}
	return nil
}

func (e *experiment) part(fold uint8) *part {
	p := new(part)
	for row, of := range e.fold {
		if of == fold {
			p.rows = append(p.rows, int32(row))
			p.labels = append(p.labels, e.won[row])
		}
	}
	p.columns = e.matrix.Select(p.rows).Forest()
	return p
}

// cell trains a model on each fold and tests it on the other. It returns the number of correct predictions by test fold.
func (e *experiment) cell(ctx context.Context, cell Cell, parts [folds]*part) ([]int, error) {
	var right [folds]int
	var errs [folds]error
	each := func(tested int) {
		right[tested], errs[tested] = e.fit(ctx, cell, parts[1-tested], parts[tested])
	}
	if cell.Model == DecisionTree && e.options.Workers > 1 { // a single tree is grown on one core
		var all sync.WaitGroup
		for tested := range folds {
			all.Go(func() { each(tested) })
		}
		all.Wait()
	} else {
		for tested := range folds {
			each(tested)
		}
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return right[:], nil
}

// Measured shares of the work. They are used only to report progress.
const (
	treeShare   = 0.01
	valuesShare = 0.15
	forestShare = (1 - valuesShare - 3*folds*treeShare) / (3 * folds)
)

// fit trains a model on one part and returns the number of its correct predictions on another.
func (e *experiment) fit(ctx context.Context, cell Cell, train, test *part) (int, error) {
	from, to := cell.Subset.columns()
	o := forest.Single(e.options.Seed)
	share := treeShare
	if cell.Model == RandomForest {
		o = forest.Paper(e.options.Seed)
		o.Trees = e.options.Trees
		share = forestShare / float64(o.Trees)
	}
	o.Workers = e.options.Workers
	o.Grown = func() { e.options.Told(share) }
	f, err := forest.Train(ctx, train.columns[from:to], train.labels, o)
	if err != nil {
		return 0, err
	}
	probabilities, err := f.PredictAll(ctx, test.columns[from:to], e.options.Workers)
	if err != nil {
		return 0, err
	}
	right := 0
	for i, p := range probabilities {
		// A tie is a loss, the first class, as in scikit-learn.
		ok := p > 0.5 == test.labels[i]
		right += one(ok)
		if cell == e.results.Judge {
			e.judged[test.rows[i]] = ok
		}
	}
	if cell.Model == RandomForest {
		for i, x := range f.Importance() {
			at := &e.results.Importance[from+i]
			switch cell.Subset {
			case Ownership:
				at.Ownership += x / folds
			case Handcrafted:
				at.Handcrafted += x / folds
			case All:
				at.All += x / folds
			}
		}
	}
	return right, nil
}

package handnet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/lab/klaverjas/dataset"
)

// Outcomes are the outcomes of deals by what the deal network predicts of them: groups of similar win probability and outcome, with the
// outcomes that deals of the group had in a data set.
type Outcomes struct {
	Shifts []float64   // by group: the mean of the outcome minus the predicted outcome, in points
	Pits   []float64   // by group: the share of outcomes of a pit
	below  [][]float32 // by group: the share of outcomes up to each point of the grid
	// The groups: bounds of the win probability, and in each part bounds of the predicted outcome. A value on a bound is above it.
	wins []float64
	outs [][]float64
	Rows int
	Seed string
}

// The grid of outcomes, in points.
const (
	gridStep = 10
	gridLow  = -700
	gridSize = 141
)

// PitOutcome is the least outcome of a declarers' pit under the default rules: 162 points and the bonus of 100. An outcome as high without
// a pit needs 120 points of melds or more, and is very rare.
const PitOutcome = 262

// groupRows is the number of rows of a group, about.
const groupRows = 120

// predicted is a row of a data set with its prediction.
type predicted struct {
	deal.Prediction
	deal    klaverjas.Deal
	outcome int
	won     bool
}

// readPredicted reads a data set and predicts its deals.
func readPredicted(ctx context.Context, m *deal.Model, set *dataset.Set) ([]predicted, error) {
	var rows []predicted
	var deals []klaverjas.Deal
	for row, err := range set.Rows() {
		if err == nil && len(rows)&0xffff == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		deals = append(deals, row.Deal())
		rows = append(rows, predicted{deal: row.Deal(), outcome: row.Outcome, won: row.Won})
	}
	out, covered := make([]deal.Prediction, len(deals)), make([]bool, len(deals))
	m.PredictBatch(set.Settings.Rules, deals, out, covered)
	for i := range rows {
		if !covered[i] {
			return nil, errors.New("the deal network is not trained for its rules or its declarers")
		}
		rows[i].Prediction = out[i]
	}
	return rows, nil
}

// ReadTeachers reads data sets of goal value and uniform sampling, one for each declaring side of each rule set, and returns the rule sets
// and the teachers.
func ReadTeachers(ctx context.Context, m *deal.Model, dirs []string) ([]klaverjas.Rules, []Teacher, error) {
	var rules []klaverjas.Rules
	var teachers []Teacher
	for _, dir := range dirs {
		set, err := dataset.Open(dir)
		if err != nil {
			return nil, nil, err
		}
		s := set.Settings
		if s.Goal != search.Value || s.Sampling != dataset.Uniform || s.Choice != nil {
			return nil, nil, fmt.Errorf("%s: expected a set of goal value with uniform sampling, not selected", dir)
		}
		at := slices.Index(rules, s.Rules)
		if at < 0 {
			at = len(rules)
			rules = append(rules, s.Rules)
		}
		kind := kindOf(at, s.Declarer)
		if slices.ContainsFunc(teachers, func(t Teacher) bool { return t.Kind == kind }) {
			return nil, nil, fmt.Errorf("%s: there is another set of these rules and declarers", dir)
		}
		rows, err := readPredicted(ctx, m, set)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", dir, err)
		}
		o, err := newOutcomes(rows)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", dir, err)
		}
		o.Seed = set.Manifest.Seed
		teachers = append(teachers, Teacher{kind, s.Rules, s.Declarer, o})
	}
	if len(teachers) == 0 || len(teachers) != 2*len(rules) {
		return nil, nil, fmt.Errorf("%d sets of %d rule sets: expected one for each declaring side of each", len(teachers), len(rules))
	}
	slices.SortFunc(teachers, func(a, b Teacher) int { return cmp.Compare(a.Kind, b.Kind) })
	return rules, teachers, nil
}

// kindOf returns the kind of question for a declaring team; north leads.
func kindOf(rules int, declarer piquet.Team) int {
	if declarer == piquet.NorthSouth {
		return 2 * rules
	}
	return 2*rules + 1
}

// newOutcomes groups rows: parts of equally many rows by win probability, and in each part groups of equally many by predicted outcome.
func newOutcomes(rows []predicted) (*Outcomes, error) {
	if len(rows) < 100 {
		return nil, fmt.Errorf("%d rows: expected at least 100", len(rows))
	}
	o := &Outcomes{Rows: len(rows)}
	parts := 1
	for 2*parts*parts*groupRows <= len(rows) {
		parts++
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b predicted) int { return cmp.Compare(a.WinProbability, b.WinProbability) })
	for i := range parts {
		part := rows[i*len(rows)/parts : (i+1)*len(rows)/parts]
		if i > 0 {
			o.wins = append(o.wins, part[0].WinProbability)
		}
		slices.SortStableFunc(part, func(a, b predicted) int { return cmp.Compare(a.Outcome, b.Outcome) })
		groups := max(1, len(part)/groupRows)
		var bounds []float64
		for k := range groups {
			group := part[k*len(part)/groups : (k+1)*len(part)/groups]
			if k > 0 {
				bounds = append(bounds, group[0].Outcome)
			}
			o.add(group)
		}
		o.outs = append(o.outs, bounds)
	}
	return o, nil
}

// add adds a group.
func (o *Outcomes) add(rows []predicted) {
	n := float64(len(rows))
	shift, pits := 0.0, 0.0
	below := make([]float32, gridSize)
	for _, r := range rows {
		shift += (float64(r.outcome) - r.Outcome) / n
		if r.outcome >= PitOutcome {
			pits += 1 / n
		}
		// The share below a point between two points of the grid is interpolated. An outcome counts half at its own value.
		for g := range below {
			d := float64(gridLow+gridStep*g-r.outcome)/gridStep + 0.5
			below[g] += float32(min(1, max(0, d)) / n)
		}
	}
	o.Shifts, o.Pits, o.below = append(o.Shifts, shift), append(o.Pits, pits), append(o.below, below)
}

// Group returns the group of a prediction.
func (o *Outcomes) Group(p deal.Prediction) int {
	part := sort.Search(len(o.wins), func(i int) bool { return o.wins[i] > p.WinProbability })
	at := 0
	for _, bounds := range o.outs[:part] {
		at += len(bounds) + 1
	}
	bounds := o.outs[part]
	return at + sort.Search(len(bounds), func(i int) bool { return bounds[i] > p.Outcome })
}

// Below returns the share of outcomes of a group below a number of points.
func (o *Outcomes) Below(group int, points float64) float64 {
	x := (points - gridLow) / gridStep
	switch {
	case !(x > 0):
		return 0
	case x >= gridSize-1:
		return 1
	}
	i := int(x)
	below := o.below[group]
	return float64(below[i]) + (x-float64(i))*float64(below[i+1]-below[i])
}

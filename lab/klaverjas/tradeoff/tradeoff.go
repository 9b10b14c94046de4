// Package tradeoff measures the accuracy of the hybrid for a given effort. It uses data sets of package dataset, whose labels say who
// wins. The model must not have been trained on them.
package tradeoff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	game "roem/internal/service/klaverjas"
	"roem/internal/service/klaverjas/hybrid"
	"roem/lab/klaverjas/dataset"
)

// Deal is a labelled deal with the model's prediction.
type Deal struct {
	Position   klaverjas.Position
	Prediction hybrid.Prediction
	Class      hybrid.Hardness // the effort that the suit distribution alone suggests
	Spread     float64         // of the suit distribution: index.Class.Spread
	Won        bool
	Cards      float64       // cards that the search plays
	Took       time.Duration // time of the search, if it was measured
}

// Wrong reports whether the model's prediction is wrong.
func (d *Deal) Wrong() bool { return d.Prediction.Won() != d.Won }

// Predict returns a model's prediction for a deal.
type Predict func(klaverjas.Rules, klaverjas.Deal) (hybrid.Prediction, error)

// Read reads the first n deals of a data set, or all if n is 0. It returns the mean time of a prediction, including reading the deal.
func Read(set *dataset.Set, n int, predict Predict) ([]Deal, time.Duration, error) {
	if err := set.AsTheyCome(); err != nil {
		return nil, 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := processorTime()
	rules := set.Settings.Rules
	var deals []Deal
	for row, err := range set.Rows() {
		if err != nil {
			return nil, 0, err
		}
		if n > 0 && len(deals) == n {
			break
		}
		start, err := klaverjas.NewPosition(rules, row.Deal())
		if err != nil {
			return nil, 0, fmt.Errorf("row %d: %w", row.Number, err)
		}
		p, err := predict(rules, row.Deal())
		if err != nil {
			return nil, 0, fmt.Errorf("row %d: %w", row.Number, err)
		}
		deals = append(deals, Deal{
			Position: start, Prediction: p, Won: row.Won, Cards: float64(row.Nodes),
			Class: game.ClassEffort(rules, row.Deal()), Spread: index.ClassOf(row.Deal()).Spread(),
		})
	}
	if len(deals) == 0 {
		return nil, 0, errors.New("the data set has no rows")
	}
	return deals, (processorTime() - began) / time.Duration(len(deals)), nil
}

// Measure searches every deal on one core, as a server does, and sets Took to the processor time of the search. It is an error if the
// winner differs from the label.
func Measure(ctx context.Context, deals []Deal, tableBytes int, done func()) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	solver := search.New(search.Options{TableBytes: tableBytes})
	for i := range deals {
		d := &deals[i]
		began := processorTime()
		result, err := solver.Solve(ctx, search.Query{Position: d.Position, Goal: search.Win})
		if err != nil {
			return err
		}
		d.Took = processorTime() - began
		if result.Won != d.Won {
			return fmt.Errorf("deal %d: the search says won %v, the data set %v", i, result.Won, d.Won)
		}
		d.Cards = float64(result.Nodes)
		done()
	}
	return nil
}

// Policy is a rule with the requirements of a request.
type Policy struct {
	Rule          hybrid.Rule
	MinConfidence float64
	Budget        time.Duration // hybrid.Unlimited for none
	By            hybrid.Choice
}

// Budgets are the budgets of single deals that are measured.
func Budgets() []time.Duration {
	return []time.Duration{
		250 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2 * time.Millisecond,
		5 * time.Millisecond,
	}
}

// need returns what a request with the policy needs of a deal with the given time left.
func (p Policy) need(d *Deal, left time.Duration) hybrid.Requirements {
	return hybrid.Requirements{
		MinConfidence: p.MinConfidence, Left: left, Budget: p.Budget, Own: p.Budget < hybrid.Unlimited, By: p.By, Class: d.Class,
	}
}

// Outcome is the measurement of a policy.
type Outcome struct {
	Accuracy float64
	Model    float64       // the share of deals that the model answers
	Cards    float64       // the share of the cards that searching all deals plays
	Mean     time.Duration // mean time of an answer
	P99      time.Duration
}

// Try answers measured deals by a policy. predict is the time of a prediction, which is part of every answer. Searches that do not finish
// in time are interrupted, and their progress is combined with the prediction. If interrupt is nil, the prediction alone is used.
func Try(deals []Deal, p Policy, predict time.Duration, interrupt Interrupt) (Outcome, error) {
	total, speed := 0.0, speedOf(deals)
	for i := range deals {
		total += deals[i].Cards
	}
	var (
		right, byModel int
		cards          float64
		sum            time.Duration
		times          = make([]time.Duration, 0, len(deals))
	)
	for i := range deals {
		d := &deals[i]
		took := predict
		need := p.need(d, p.Budget)
		if p.Budget < hybrid.Unlimited {
			need.Left -= predict
		}
		byTheModel, won := true, d.Prediction.Won()
		if p.Rule.Decide(d.Prediction, need, speed).Route == hybrid.Search {
			if byTheModel = d.Took > need.Left; byTheModel {
				took += need.Left
				played := d.Cards * need.Left.Seconds() / d.Took.Seconds()
				cards += played
				if interrupt != nil {
					e, err := interrupt(d, uint64(played))
					if err != nil {
						return Outcome{}, err
					}
					if e != nil {
						won = hybrid.DefaultRegressions().Probability(d.Prediction, e) > 0.5
					}
				}
			} else {
				took += d.Took
				cards += d.Cards
			}
		}
		if byTheModel {
			byModel++
		}
		if !byTheModel || won == d.Won {
			right++
		}
		sum += took
		times = append(times, took)
	}
	slices.Sort(times)
	n := len(deals)
	return Outcome{
		Accuracy: float64(right) / float64(n), Model: float64(byModel) / float64(n), Cards: cards / total,
		Mean: sum / time.Duration(n), P99: times[(n*99+99)/100-1],
	}, nil
}

// Batch answers measured deals as a list with the budget of the policy, one search at a time. It returns the accuracy and the time.
func Batch(deals []Deal, p Policy, predict time.Duration) (accuracy float64, took time.Duration) {
	took = predict * time.Duration(len(deals))
	speed := speedOf(deals)
	var searches []*Deal
	right := 0
	for i := range deals {
		d := &deals[i]
		if p.Rule.Decide(d.Prediction, p.need(d, p.Budget-took), speed).Route == hybrid.Search {
			searches = append(searches, d)
		} else if !d.Wrong() {
			right++
		}
	}
	slices.SortStableFunc(searches, func(a, b *Deal) int {
		return cmp.Compare(p.By.Worth(b.Prediction, b.Class), p.By.Worth(a.Prediction, a.Class))
	})
	for _, d := range searches {
		if took+d.Took <= p.Budget {
			took += d.Took
			right++
		} else if !d.Wrong() {
			right++
		}
	}
	return float64(right) / float64(len(deals)), took
}

// speedOf returns how many cards a second the searches of measured deals played.
func speedOf(deals []Deal) float64 {
	total, searched := 0.0, time.Duration(0)
	for i := range deals {
		total += deals[i].Cards
		searched += deals[i].Took
	}
	return total / searched.Seconds()
}

// Package tradeoff measures what accuracy the hybrid of model and search has for which effort, on deals whose truth is known:
// data sets of package dataset, which the model must not have been trained on.
package tradeoff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/hybrid"
	"roem/internal/lab/dataset"
)

// Deal is a deal of which both the model's opinion and the truth are known.
type Deal struct {
	Position   klaverjas.Position
	Prediction hybrid.Prediction
	Won        bool
	Cards      float64       // that the search plays
	Took       time.Duration // by the search, where it was measured
}

// Wrong reports whether the model is.
func (d *Deal) Wrong() bool { return d.Prediction.Won() != d.Won }

// Predict is a model.
type Predict func(klaverjas.Rules, klaverjas.Deal) (hybrid.Prediction, error)

// Read reads at most n deals of a data set, all for 0, and returns how long a prediction took, with reading the deal.
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
		deals = append(deals, Deal{Position: start, Prediction: p, Won: row.Won, Cards: float64(row.Nodes)})
	}
	if len(deals) == 0 {
		return nil, 0, errors.New("the data set has no rows")
	}
	return deals, (processorTime() - began) / time.Duration(len(deals)), nil
}

// Measure searches every deal on one core, as a server does, and notes how long that took of its processor's time. The truth
// must be that of the data set.
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

// Order is an order in which deals are given to the search.
type Order struct {
	Name string
	Of   func(hybrid.Prediction) float64 // the higher, the earlier
}

// Orders returns the orders that are compared: the rule of package hybrid, and the least confident first.
func Orders() []Order {
	return []Order{
		{"gain", hybrid.Gain},
		{"doubt", func(p hybrid.Prediction) float64 { return p.Doubt() }},
	}
}

// Point is one place on a curve.
type Point struct {
	Threshold float64 // of the order: deals at it or above are searched
	Searched  float64 // the share of deals
	Cards     float64 // the share of the cards that searching all deals plays
	Accuracy  float64
}

// Curve returns the accuracy for every threshold of an order, from searching nothing to searching all, at most points points.
func Curve(deals []Deal, order Order, points int) []Point {
	type one struct {
		key, cards float64
		wrong      bool
	}
	all := make([]one, len(deals))
	total, wrong := 0.0, 0
	for i := range deals {
		d := &deals[i]
		all[i] = one{order.Of(d.Prediction), d.Cards, d.Wrong()}
		total += d.Cards
		if d.Wrong() {
			wrong++
		}
	}
	slices.SortFunc(all, func(a, b one) int { return cmp.Compare(b.key, a.key) })
	n := len(all)
	step := max(1, n/points)
	out := []Point{{Threshold: math.Inf(1), Accuracy: 1 - float64(wrong)/float64(n)}}
	spent := 0.0
	for i, d := range all {
		spent += d.cards
		if d.wrong {
			wrong--
		}
		if (i+1)%step == 0 || i == n-1 {
			out = append(out, Point{d.key, float64(i+1) / float64(n), spent / total, 1 - float64(wrong)/float64(n)})
		}
	}
	return out
}

// At returns the first point of a curve that is at least so accurate.
func At(curve []Point, accuracy float64) Point {
	for _, p := range curve {
		if p.Accuracy >= accuracy {
			return p
		}
	}
	return curve[len(curve)-1]
}

// Policy is a way to answer, and its name.
type Policy struct {
	Name          string
	Rule          hybrid.Rule
	MinConfidence float64
	Budget        time.Duration // hybrid.Unlimited for none
}

// Policies returns those that are measured: the model alone, the default rule, several confidences and gains, several budgets,
// and the search alone.
func Policies() []Policy {
	rule := hybrid.DefaultRule()
	out := []Policy{{Name: "model alone", Rule: rule, Budget: 0}}
	for _, confidence := range []float64{0.9, 0.95, 0.98, 0.99, 0.995} {
		out = append(out, Policy{fmt.Sprintf("min_confidence %g", confidence), rule, confidence, hybrid.Unlimited})
	}
	for _, gain := range []float64{32, 16, 8, 4, 2, 1} {
		out = append(out, Policy{fmt.Sprintf("gain %g", gain), hybrid.Rule{Gain: gain, Chance: rule.Chance}, 0, hybrid.Unlimited})
	}
	out = append(out, Policy{"default", rule, 0, hybrid.Unlimited})
	for _, budget := range []time.Duration{250 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond} {
		ms := float64(budget) / float64(time.Millisecond)
		out = append(out,
			Policy{fmt.Sprintf("budget_ms %g", ms), rule, 0, budget},
			Policy{fmt.Sprintf("budget_ms %g, min_confidence 1", ms), rule, 1, budget})
	}
	return append(out, Policy{"search alone", rule, 1, hybrid.Unlimited})
}

// Outcome is what comes of a policy.
type Outcome struct {
	Policy   string
	Accuracy float64
	Model    float64       // the share of deals that the model answers
	Cards    float64       // the share of the cards that searching all deals plays
	Mean     time.Duration // of an answer
	P99      time.Duration
	Stopped  Testimony
}

// Testimony is what searches that were stopped brought.
type Testimony struct {
	Deals      int // whose search was begun and stopped
	Alone      int // of which the model alone is right about
	Testifying int // and the model in the light of the evidence
}

// Try answers measured deals by a policy. predict is how long a prediction takes, which every answer does. Searches that do not finish
// are stopped, to see what they have to say; with a nil stop they say nothing.
func Try(deals []Deal, p Policy, predict time.Duration, stop Stop) (Outcome, error) {
	total, searched := 0.0, time.Duration(0)
	for i := range deals {
		total += deals[i].Cards
		searched += deals[i].Took
	}
	speed := total / searched.Seconds()
	var (
		right, byModel int
		stopped        Testimony
		cards          float64
		sum            time.Duration
		times          = make([]time.Duration, 0, len(deals))
	)
	for i := range deals {
		d := &deals[i]
		took := predict
		wish := hybrid.Wish{MinConfidence: p.MinConfidence, Left: p.Budget, Budget: p.Budget}
		if p.Budget < hybrid.Unlimited {
			wish.Left -= predict
		}
		byTheModel, won := true, d.Prediction.Won()
		if p.Rule.Decide(d.Prediction, wish, speed).Route == hybrid.Search {
			if byTheModel = d.Took > wish.Left; byTheModel {
				took += wish.Left
				played := d.Cards * wish.Left.Seconds() / d.Took.Seconds()
				cards += played
				if stop != nil {
					e, err := stop(d, uint64(played))
					if err != nil {
						return Outcome{}, err
					}
					if e != nil {
						won = hybrid.DefaultScales().Weigh(d.Prediction, e) > 0.5
						stopped.add(d, won)
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
		Policy: p.Name, Accuracy: float64(right) / float64(n), Model: float64(byModel) / float64(n), Cards: cards / total,
		Mean: sum / time.Duration(n), P99: times[(n*99+99)/100-1], Stopped: stopped,
	}, nil
}

// add counts a deal whose search was stopped, and what came of it.
func (s *Testimony) add(d *Deal, won bool) {
	s.Deals++
	if !d.Wrong() {
		s.Alone++
	}
	if won == d.Won {
		s.Testifying++
	}
}

// Batch answers measured deals together within a budget for all, one search at a time, and returns the accuracy and the time.
func Batch(deals []Deal, rule hybrid.Rule, budget time.Duration, predict time.Duration) (accuracy float64, took time.Duration) {
	order := make([]int, len(deals))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(hybrid.Gain(deals[b].Prediction), hybrid.Gain(deals[a].Prediction))
	})
	took = predict * time.Duration(len(deals))
	right := 0
	for _, i := range order {
		d := &deals[i]
		if hybrid.Gain(d.Prediction) >= rule.Gain && took+d.Took <= budget {
			took += d.Took
			right++
		} else if !d.Wrong() {
			right++
		}
	}
	return float64(right) / float64(len(deals)), took
}

package advice

import (
	"cmp"
	"slices"

	"roem/internal/engine/piquet"
	"roem/internal/engine/standing"
)

// Confidence says whether the worlds suffice to tell the advised card from the others.
type Confidence uint8

// The confidences.
const (
	// Close means that more worlds could show that another card is better.
	Close Confidence = iota
	// Clear means that each other card is at least ClearErrors standard errors worse, or is equal in every world that was searched,
	// or that all worlds were searched.
	Clear
)

// String returns the name of the confidence in JSON.
func (c Confidence) String() string { return [2]string{"close", "clear"}[c&1] }

// ClearErrors is the number of standard errors of a clear difference.
const ClearErrors = standing.Errors

// little is what a card must cost to matter, by objective: five points, or a chance to win.
var little = [numObjectives]float64{Score: 5, Win: standing.Chance}

// standing returns where a card stands that is not the advised one.
func (v *Value) standing(o Objective) standing.Kind {
	if v.Equal {
		return standing.AsGood
	}
	return standing.Of(v.Cost.Mean, v.Cost.Error, little[o])
}

// Estimate is a mean over the worlds with its standard error. The error is 0 if all worlds were searched, and infinite if only one of
// several was.
type Estimate struct{ Mean, Error float64 }

// Value is what the worlds say about one legal card. WinProbability and Outcome are from the declarers' side, as everywhere.
type Value struct {
	Card           piquet.Card
	WinProbability Estimate // the share of the worlds that the declarers win after the card
	Outcome        Estimate // in points
	BestIn         float64  // the share of the worlds in which no card is better for the objective
	// Cost is how much worse the card is than the advised one for the seat's team, at least 0: in points for the objective Score, in
	// probability for Win. Its standard error is computed from the paired differences.
	Cost  Estimate
	Equal bool // for the objective, no world differs between the card and the advised one
	// Standing follows from the cost and from its standard error.
	Standing standing.Kind
}

// Advice is the answer to a Question.
type Advice struct {
	Card       piquet.Card
	Cards      []Value // every legal card, the best first; Cards[0] is the advised one
	Used       int     // the number of worlds that were searched; 0 if there is only one legal card
	Of         uint64  // the number of worlds
	All        bool    // every world was searched: the figures are exact over all worlds
	Confidence Confidence
	Nodes      uint64
}

// Advise returns the advice of a tally. distinct says that its worlds are different ones, drawn uniformly without replacement; only then
// can All be true. A question with one legal card needs no worlds; otherwise the tally must have at least one.
func (q *Question) Advise(t *Tally, o Objective, distinct bool) Advice {
	a := Advice{Used: t.Worlds, Of: q.k.Worlds(), Confidence: Clear, Nodes: t.Nodes}
	if t.weight == 0 {
		for _, c := range q.cards {
			a.Cards = append(a.Cards, Value{Card: c, BestIn: 1, Equal: true, Standing: standing.Best})
		}
		a.Card = q.cards[0]
		return a
	}
	of := uint64(0)
	if distinct {
		of = a.Of
		a.All = uint64(t.Worlds) == a.Of
	}
	order := q.order(t, o)
	best := order[0]
	a.Card = q.cards[best]
	for _, i := range order {
		v := Value{
			Card:           q.cards[i],
			WinProbability: Estimate{t.won[i] / t.weight, t.deviation(t.won[i], t.won[i], of)},
			Outcome:        Estimate{t.sum[i] / t.weight, t.deviation(t.sum[i], t.square[i], of)},
			BestIn:         t.best[o][i] / t.weight,
			Equal:          true,
		}
		if i != best {
			apart := t.apart[o][pair(best, i)]
			lost := t.value(q, o, best) - t.value(q, o, i)
			v.Cost = Estimate{max(lost, 0) / t.weight, t.deviation(lost, apart, of)}
			v.Equal = apart == 0
			v.Standing = v.standing(o)
			if !v.Equal && v.Cost.Mean < ClearErrors*v.Cost.Error {
				a.Confidence = Close
			}
		}
		a.Cards = append(a.Cards, v)
	}
	return a
}

// order returns the indices of the legal cards, the best first. Equal cards for the objective are ordered by the other objective, and
// equal ones for both as they are preferred.
func (q *Question) order(t *Tally, o Objective) []int {
	order := make([]int, len(q.cards))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if c := cmp.Compare(t.value(q, o, j), t.value(q, o, i)); c != 0 {
			return c
		}
		return cmp.Compare(t.value(q, numObjectives-1-o, j), t.value(q, numObjectives-1-o, i))
	})
	return order
}

// Separated reports whether each card is equal to the best one in all worlds of the tally, or worse by more than the given number of
// standard errors.
func (q *Question) Separated(t *Tally, o Objective, errors float64, distinct bool) bool {
	of := uint64(0)
	if distinct {
		of = q.k.Worlds()
	}
	best := q.order(t, o)[0]
	for i := range q.cards {
		if i == best {
			continue
		}
		apart := t.apart[o][pair(best, i)]
		lost := t.value(q, o, best) - t.value(q, o, i)
		if apart != 0 && lost/t.weight <= errors*t.deviation(lost, apart, of) {
			return false
		}
	}
	return true
}

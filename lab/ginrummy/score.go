package ginrummy

import (
	"math"
	"slices"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/match"
	"roem/lab/learn/calibration"
)

// Estimate is the probability of each card to be in the hand of the opponent.
type Estimate = [ginrummy.DeckSize]float64

// Thresholds classify cards, as in the paper: a card is taken to be in the hand if its probability is greater.
var Thresholds = [...]float64{0.25, 0.3}

// Rates are accuracy, precision, recall and F1, as in the paper: of each row, then averaged. F1 is computed from the mean precision and
// recall.
type Rates struct{ Accuracy, Precision, Recall, F1 float64 }

// Score measures an estimate. All means are over rows.
type Score struct {
	Rows int
	// negative natural logarithm of the probability of what is true of a card, mean of the 52 cards, by deal: its sum over the deal's rows
	Log              []float64
	Deals            []float64 // rows of each deal
	Brier            float64   // sum over the cards
	Top              []float64 // share of the ten cards of the hand among the ten most probable, by deal: its sum over the deal's rows
	rates            [len(Thresholds)]Rates
	calibration.Bins // of all cards that are not known

	deal uint64
}

// floor keeps the logarithm finite: a forest says 0 for what is possible.
const floor = 1e-4

// Add adds the estimate of a row. Rows of a deal come together.
func (s *Score) Add(row *Row, p *Estimate) {
	if s.Rows == 0 || row.Deal != s.deal {
		s.Log, s.Top, s.Deals, s.deal = append(s.Log, 0), append(s.Top, 0), append(s.Deals, 0), row.Deal
	}
	s.Rows++
	seen := row.View.Seen()
	log := 0.0
	for c, x := range p {
		q, y := min(1, max(0, x)), 0.0
		if row.Hand.Has(ginrummy.Card(c)) {
			y = 1
		}
		s.Brier += (q - y) * (q - y)
		if q != y {
			log -= math.Log(max(floor, 1-math.Abs(q-y)))
		}
		if seen.Unknown().Has(ginrummy.Card(c)) {
			s.Bins.Add(q, y == 1)
		}
	}
	s.Log[len(s.Log)-1] += log / ginrummy.DeckSize
	s.Deals[len(s.Deals)-1]++
	for i, t := range Thresholds {
		said := ginrummy.Set(0)
		for c, x := range p {
			if x > t {
				said = said.With(ginrummy.Card(c))
			}
		}
		s.rates[i].add(classify(said, row.Hand))
	}
	s.Top[len(s.Top)-1] += float64((TopTen(p) & row.Hand).Len()) / float64(row.Hand.Len())
}

// TopTen returns the ten most probable cards. Of equal ones, the lower numbers come first.
func TopTen(p *Estimate) (top ginrummy.Set) {
	var order [ginrummy.DeckSize]int
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order[:], func(a, b int) int {
		switch {
		case p[a] > p[b]:
			return -1
		case p[a] < p[b]:
			return 1
		}
		return 0
	})
	for _, c := range order[:ginrummy.HandSize] {
		top = top.With(ginrummy.Card(c))
	}
	return top
}

// classify returns the rates of a row.
func classify(said, hand ginrummy.Set) (r Rates) {
	both := float64((said & hand).Len())
	wrong := float64((said ^ hand).Len())
	r.Accuracy, r.Recall = 1-wrong/ginrummy.DeckSize, both/float64(hand.Len())
	if !said.Empty() {
		r.Precision = both / float64(said.Len())
	}
	return r
}

func (r *Rates) add(o Rates) {
	r.Accuracy += o.Accuracy
	r.Precision += o.Precision
	r.Recall += o.Recall
}

// At returns the rates at a threshold.
func (s *Score) At(threshold int) Rates { return s.rates[threshold].mean(s.Rows) }

func (r Rates) mean(rows int) Rates {
	n := float64(max(rows, 1))
	r.Accuracy, r.Precision, r.Recall = r.Accuracy/n, r.Precision/n, r.Recall/n
	if r.Precision+r.Recall > 0 {
		r.F1 = 2 * r.Precision * r.Recall / (r.Precision + r.Recall)
	}
	return r
}

// LogLoss returns the mean log loss of a card, with its interval over deals.
func (s *Score) LogLoss() match.Estimate { return ratio(s.Log, s.Deals) }

// Gain returns how much lower the log loss of a card is than with another estimate of the same rows, paired.
func (s *Score) Gain(other *Score) match.Estimate {
	d := make([]float64, len(s.Log))
	for i := range d {
		d[i] = other.Log[i] - s.Log[i]
	}
	return ratio(d, s.Deals)
}

// ratio estimates the sum of values divided by the sum of counts, where pairs are independent.
func ratio(values, counts []float64) match.Estimate {
	v, n := 0.0, 0.0
	for i := range values {
		v += values[i]
		n += counts[i]
	}
	mean := v / max(n, 1)
	square := 0.0
	for i := range values {
		rest := values[i] - mean*counts[i]
		square += rest * rest
	}
	return match.NewEstimate(mean, math.Sqrt(square)/max(n, 1))
}

// TopTen returns the mean share of the hand among the ten most probable cards, with its interval over deals.
func (s *Score) TopTen() match.Estimate { return ratio(s.Top, s.Deals) }

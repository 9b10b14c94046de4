package beliefnet

import (
	"math"
	"math/rand/v2"

	"roem/internal/cards"
	"roem/internal/lab/games"
	"roem/internal/model/belief"
)

// Tricks is the number of tricks after which beliefs are measured, 0 to 6.
const Tricks = 7

// bins is the number of equal bins of a calibration error.
const bins = 20

// Score is how good a belief is on views in the same trick. Cards are the unseen cards whose holder is not certain.
type Score struct {
	Views, Cards int
	Uniform      float64 // the mean negative natural logarithm of the probability of the true holder, exact uniform knowledge
	Belief       float64 // the same for the belief
	World        float64 // the mean gain in the logarithm of the probability of the true world
	RightUniform float64 // the share of the cards whose most likely holder is the true one, exact uniform knowledge
	Right        float64 // the same for the belief
	ECE          float64 // the calibration error of the probabilities of a card and a seat, 0 to 1
	// Gain is the mean gain of a card in the logarithm of the probability of its holder, and GainError its standard error. Both are over views,
	// of which each game has one a trick.
	Gain, GainError float64

	gains     []float64
	predicted [bins]float64
	held      [bins]float64
	count     [bins]float64
}

// Measure scores a belief on games that it was not trained on, by the trick. One seat and one number of cards is drawn for each game and trick.
func Measure(n *belief.Network, all []games.Game, seed uint64) (scores [Tricks]Score, err error) {
	var sp belief.Space
	rng := rand.New(rand.NewPCG(seed, 0x5c0e))
	for i := range all {
		for t := range scores {
			ex, err := ExampleAt(&all[i], 4*t+rng.IntN(4), cards.Seat(rng.IntN(4)))
			if err != nil {
				return scores, err
			}
			if err := scores[t].add(n, &ex, &sp); err != nil {
				return scores, err
			}
		}
	}
	for t := range scores {
		scores[t].finish()
	}
	return scores, nil
}

func (s *Score) add(n *belief.Network, ex *Example, sp *belief.Space) error {
	k := ex.Knowledge
	w, err := n.Of(k, sp)
	if err != nil {
		return err
	}
	s.Views++
	s.World += w.LogProbability(ex.World) + math.Log(float64(k.Worlds()))
	gain, number := 0.0, 0
	for c := range k.Unseen().All() {
		var holder cards.Seat
		var best, bestUniform cards.Seat
		for _, seat := range cards.Seats() {
			if ex.World[seat].Has(c) {
				holder = seat
			}
			if w.Probability(c, seat) > w.Probability(c, best) {
				best = seat
			}
			if k.Probability(c, seat) > k.Probability(c, bestUniform) {
				bestUniform = seat
			}
		}
		p, q := k.Probability(c, holder), w.Probability(c, holder)
		if p == 1 {
			continue
		}
		number++
		s.Uniform -= math.Log(p)
		s.Belief -= math.Log(q)
		gain += math.Log(q) - math.Log(p)
		if best == holder {
			s.Right++
		}
		if bestUniform == holder {
			s.RightUniform++
		}
		for _, seat := range cards.Seats() {
			if k.Probability(c, seat) == 0 {
				continue
			}
			q := w.Probability(c, seat)
			bin := min(int(q*bins), bins-1)
			s.count[bin]++
			s.predicted[bin] += q
			if seat == holder {
				s.held[bin]++
			}
		}
	}
	if number > 0 {
		s.Cards += number
		s.gains = append(s.gains, gain/float64(number))
	}
	return nil
}

func (s *Score) finish() {
	s.World /= float64(s.Views)
	for _, sum := range []*float64{&s.Uniform, &s.Belief, &s.Right, &s.RightUniform} {
		*sum /= float64(s.Cards)
	}
	all := 0.0
	for b := range s.count {
		all += s.count[b]
		s.ECE += math.Abs(s.predicted[b] - s.held[b])
	}
	s.ECE /= all
	var sum, square float64
	for _, g := range s.gains {
		sum += g
		square += g * g
	}
	n := float64(len(s.gains))
	s.Gain = sum / n
	s.GainError = math.Sqrt((square/n - s.Gain*s.Gain) / (n - 1))
}

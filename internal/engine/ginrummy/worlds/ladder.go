package worlds

import (
	"math"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/random"
)

// Ladder are chains over the same history with ascending penalties, which exchange their places: those with a small penalty are nearly
// always at possible histories, and those with a great one go from one region of them to another (parallel tempering; Geyer 1991). The
// possible histories of each chain have the same distribution, so that all count.
type Ladder struct {
	chains []*Chain
	rng    *rand.Rand
}

// Penalties returns penalties of a ladder that mixes well, also for rounds with many turns.
func Penalties() []float64 { return []float64{0.05, 0.085, 0.14, 0.24, 0.4} }

// NewLadder returns a ladder with the penalties.
func NewLadder(penalties ...float64) *Ladder {
	l := new(Ladder)
	for _, p := range penalties {
		l.chains = append(l.chains, &Chain{Penalty: p})
	}
	return l
}

// Set sets all chains as [Chain.Set] does.
func (l *Ladder) Set(v *ginrummy.View, knocked bool, odds *Odds, rng *rand.Rand) {
	l.rng = rng
	for _, c := range l.chains {
		c.Set(v, knocked, rng)
		if odds != nil {
			c.Propose(odds)
		}
	}
}

// Restart restarts all chains.
func (l *Ladder) Restart(dealt ginrummy.Set, drawn []ginrummy.Card) {
	for _, c := range l.chains {
		c.Restart(dealt, drawn)
	}
}

// Run makes rounds of steps of each chain, and calls do for each possible history at the end of one.
func (l *Ladder) Run(rounds, steps int, do func(ginrummy.Set)) {
	for round := range rounds {
		for _, c := range l.chains {
			for range steps {
				c.Step(l.rng)
			}
			if c.Fault() == 0 {
				do(c.Hand())
			}
		}
		for i := round & 1; i+1 < len(l.chains); i += 2 {
			a, b := l.chains[i], l.chains[i+1]
			if random.Float64(l.rng) < math.Pow(a.Penalty/b.Penalty, b.Fault()-a.Fault()) {
				a.Penalty, b.Penalty = b.Penalty, a.Penalty
				l.chains[i], l.chains[i+1] = b, a
				b.place()
				a.place()
			}
		}
	}
}

// Probabilities returns the probability of each card in the possible histories of the given number of rounds after a view, with four steps
// of each chain in a round. A fifth of the rounds before do not count. odds propose cards and may be nil. Without any possible history it
// returns 0.
func (l *Ladder) Probabilities(v *ginrummy.View, knocked bool, odds *Odds, rounds int, rng *rand.Rand) (p [ginrummy.DeckSize]float64) {
	l.Set(v, knocked, odds, rng)
	l.Run(rounds/5, 4, func(ginrummy.Set) {})
	n := 0.0
	l.Run(rounds, 4, func(hand ginrummy.Set) {
		n++
		for ; hand != 0; hand &= hand - 1 {
			p[hand.First()]++
		}
	})
	for c := range p {
		p[c] /= max(n, 1)
	}
	return p
}

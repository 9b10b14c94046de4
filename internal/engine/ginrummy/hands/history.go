package hands

import (
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/random"
)

// slip is the probability with which the simple player of a History does something else than its rule. It keeps hands possible if the opponent is
// another player.
const slip = 0.02

// turn is a turn of the opponent.
type turn struct {
	kind    ginrummy.Kind // Pass, Take or Stock
	top     ginrummy.Card // the card that was offered; NoCard if none was
	discard ginrummy.Card
	kept    ginrummy.Set // cards taken from the discards before the turn and held at its start
	second  bool         // the opponent has discarded before, and did not knock
}

// History is what the opponent did, as its likelihood for a simple player: how well a hand explains it.
type History struct {
	turns []turn
	knows bool // the opponent did not knock after its last discard
}

// Set sets the history to that of a view, in which the opponent has finished its turns. knocked says that the opponent may be about to knock.
func (h *History) Set(v *ginrummy.View, knocked bool) {
	h.turns = h.turns[:0]
	seen := ginrummy.NewSeen(v.Upcard, 0)
	discarded := false
	turns := 0
	for _, e := range v.Events {
		if e.Kind <= ginrummy.Stock {
			turns++
		}
		if e.Seat != v.Seat {
			switch e.Kind {
			case ginrummy.Pass, ginrummy.Take, ginrummy.Stock:
				top := seen.Top
				if e.Kind == ginrummy.Stock && turns == 3 && top == v.Upcard {
					top = ginrummy.NoCard // both have passed: the card is not offered again
				}
				h.turns = append(h.turns, turn{e.Kind, top, ginrummy.NoCard, seen.Kept, discarded})
			case ginrummy.Discard:
				if n := len(h.turns); n > 0 {
					h.turns[n-1].discard = e.Card
				}
				discarded = true
			default:
			}
		}
		seen.Add(e, e.Seat == v.Seat)
	}
	h.knows = discarded && !knocked
}

// Likelihood returns how likely a simple player that now holds the hand would have done what it did. The cards that it drew from the stock are not
// known: they are drawn here backwards, each in proportion to what it explains, so that the number is random and its mean is the likelihood, up to
// a factor that does not depend on the hand.
func (h *History) Likelihood(hand ginrummy.Set, rng *rand.Rand) float64 {
	l := 1.0
	if h.knows && hand.Deadwood() <= ginrummy.MaxDeadwood {
		l = slip
	}
	for i := len(h.turns) - 1; i >= 0; i-- {
		t := &h.turns[i]
		if t.kind == ginrummy.Pass {
			if hand.Completes(t.top) {
				l *= slip
			}
			continue
		}
		var factor float64
		if hand, factor = t.before(hand.With(t.discard), rng); factor == 0 {
			return 0
		}
		l *= factor
	}
	return l
}

// before returns the hand before a turn after which the player held eleven cards, and the likelihood of the turn.
func (t *turn) before(eleven ginrummy.Set, rng *rand.Rand) (ginrummy.Set, float64) {
	var (
		cards    [ginrummy.HandSize + 1]ginrummy.Card
		deadwood [ginrummy.HandSize + 1]int
		n        = 0
		least    = 1000
		count    = 0.0
		mine     = 1000
	)
	taken := ginrummy.NoCard
	if t.kind == ginrummy.Take {
		taken = t.top
	}
	for s := eleven; s != 0; s &= s - 1 {
		c := s.First()
		cards[n], deadwood[n] = c, eleven.Without(c).Deadwood()
		if c == t.discard {
			mine = deadwood[n]
		}
		if c != taken {
			switch {
			case deadwood[n] < least:
				least, count = deadwood[n], 1
			case deadwood[n] == least:
				count++
			}
		}
		n++
	}
	l := slip / 10
	if mine == least {
		l += (1 - slip) / count
	}
	if taken != ginrummy.NoCard {
		hand := eleven.Without(taken)
		if !hand.Completes(taken) {
			l *= slip
		}
		if t.second && hand.Deadwood() <= ginrummy.MaxDeadwood {
			l *= slip
		}
		return hand, l
	}
	var weights [ginrummy.HandSize + 1]float64
	sum := 0.0
	for i, c := range cards[:n] {
		if t.kept.Has(c) {
			continue
		}
		w := 1.0
		if t.second && deadwood[i] <= ginrummy.MaxDeadwood {
			w = slip
		}
		if t.top != ginrummy.NoCard && eleven.Without(c).Completes(t.top) {
			w *= slip
		}
		weights[i] = w
		sum += w
	}
	if sum == 0 {
		return eleven, 0
	}
	at := random.Float64(rng) * sum
	pick := 0
	for i, w := range weights[:n] {
		if w == 0 {
			continue
		}
		pick = i
		if at < w {
			break
		}
		at -= w
	}
	return eleven.Without(cards[pick]), l * sum
}

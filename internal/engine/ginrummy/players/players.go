// Package players has the players of Gin Rummy, and lets them play rounds and games. A player decides from what its seat sees.
//
//	random  any allowed action, each equally likely; it knocks whenever it may
//	simple  the simple player of the EAAI 2021 challenge
//	ohe     the player of the paper on opponent hand estimation: see OHE
package players

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/match"
	"roem/internal/random"
)

// Player plays one seat. It returns an action that is allowed in the phase of the view. It is the turn of the view's seat. The view's
// events must not be changed or kept.
type Player = match.Player[ginrummy.View, ginrummy.Action]

// below draws a number 0 to n-1.
func below(rng *rand.Rand, n int) int { return int(random.Below(rng, uint64(n))) }

// pick returns a card of the set, each equally likely.
func pick(rng *rand.Rand, s ginrummy.Set) ginrummy.Card {
	for range below(rng, s.Len()) {
		s &= s - 1
	}
	return s.First()
}

// bestMelds returns one of the best arrangements of a hand, each equally likely. A hand without a meld has none: ok is false.
func bestMelds(rng *rand.Rand, hand ginrummy.Set) (a ginrummy.Arrangement, ok bool) {
	best := hand.Best()
	if len(best) == 0 {
		return a, false
	}
	return best[below(rng, len(best))], true
}

// randomPlayer plays any allowed action.
type randomPlayer struct{ rng *rand.Rand }

// NewRandom returns the random player.
func NewRandom(rng *rand.Rand) Player { return randomPlayer{rng} }

func (p randomPlayer) Choose(_ context.Context, v ginrummy.View) (ginrummy.Action, error) {
	switch v.Phase {
	case ginrummy.ToDraw:
		var kinds []ginrummy.Kind
		for kind, may := range [3]bool{v.May.Pass, v.May.Take, v.May.Stock} {
			if may {
				kinds = append(kinds, [3]ginrummy.Kind{ginrummy.Pass, ginrummy.Take, ginrummy.Stock}[kind])
			}
		}
		return ginrummy.Action{Kind: kinds[below(p.rng, len(kinds))]}, nil
	case ginrummy.ToDiscard:
		return ginrummy.Action{Kind: ginrummy.Discard, Card: pick(p.rng, v.Discards())}, nil
	case ginrummy.ToKnock:
		melds, _ := bestMelds(p.rng, v.Own)
		return ginrummy.Action{Kind: ginrummy.Knock, Melds: melds}, nil
	default:
		melds, _ := bestMelds(p.rng, v.Own)
		return ginrummy.Action{Kind: ginrummy.Lay, Melds: melds}, nil
	}
}

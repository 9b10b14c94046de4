// Package players has the players of tarok, and lets them play hands, sessions and duplicate matches. A player decides from what its seat
// knows.
//
//	random     anything that is allowed, each equally likely; it announces nothing
//	heuristic  rules of thumb in every phase
package players

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/match"
	"roem/internal/engine/tarok"
	"roem/internal/random"
)

// Player plays one seat. It returns an action that is allowed in the phase of the view. It is the turn of the view's seat. The lists of the
// view must not be changed or kept.
type Player = match.Player[*View, Action]

// randomPlayer does anything that is allowed.
type randomPlayer struct{ rng *rand.Rand }

// NewRandom returns the random player.
func NewRandom(rng *rand.Rand) Player { return randomPlayer{rng} }

func (p randomPlayer) Choose(_ context.Context, v *View) (Action, error) {
	a := Action{Phase: v.Phase}
	switch v.Phase {
	case ToBid:
		legal := v.Bidding.Legal()
		a.Bid = legal[random.Below(p.rng, uint64(len(legal)))]
	case ToExchange:
		a.Group = int(random.Below(p.rng, uint64(v.Contract.Groups())))
		hand := v.Hand | v.Taken(a.Group)
		for range v.Contract.Exchange() {
			c := tarok.Any(p.rng, tarok.Discards(hand))
			hand, a.Discards = hand.Without(c), a.Discards.With(c)
		}
	case ToPlay:
		a.Card = tarok.Any(p.rng, v.Legal())
	default:
	}
	return a, nil
}

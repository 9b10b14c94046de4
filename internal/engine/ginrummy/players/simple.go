package players

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
)

// simplePlayer is the simple player of the EAAI 2021 challenge. It keeps nothing between two decisions.
//
// It takes the top discard only if that makes a meld with its hand. It discards one of the cards that leave the least deadwood, and knocks
// as soon as it can with a meld.
type simplePlayer struct{ rng *rand.Rand }

// NewSimple returns the simple player.
func NewSimple(rng *rand.Rand) Player { return simplePlayer{rng} }

func (p simplePlayer) Choose(_ context.Context, v ginrummy.View) (ginrummy.Action, error) {
	switch v.Phase {
	case ginrummy.ToDraw:
		return ginrummy.Action{Kind: simpleDraw(&v)}, nil
	case ginrummy.ToDiscard:
		return ginrummy.Action{Kind: ginrummy.Discard, Card: pick(p.rng, SimpleDiscards(&v))}, nil
	case ginrummy.ToKnock:
		melds, ok := bestMelds(p.rng, v.Own)
		if !ok { // at most 10 points of deadwood without a meld
			return ginrummy.Action{Kind: ginrummy.Continue}, nil
		}
		return ginrummy.Action{Kind: ginrummy.Knock, Melds: melds}, nil
	default:
		melds, _ := bestMelds(p.rng, v.Own)
		return ginrummy.Action{Kind: ginrummy.Lay, Melds: melds}, nil
	}
}

// simpleDraw returns how the simple player draws.
func simpleDraw(v *ginrummy.View) ginrummy.Kind {
	switch {
	case v.May.Take && v.Own.Completes(v.Top):
		return ginrummy.Take
	case v.May.Pass:
		return ginrummy.Pass
	}
	return ginrummy.Stock
}

// SimpleDiscards returns the cards of which the simple player discards one, each equally likely: those that leave the least deadwood. It
// leaves out the cards c for which it has already drawn and discarded, or discarded and drawn, the card just drawn and c in one turn of
// this round.
func SimpleDiscards(v *ginrummy.View) ginrummy.Set {
	_, least := v.Own.AfterDiscardOf(simpleChoice(v))
	return least
}

// simpleChoice returns the cards that SimpleDiscards does not leave out.
func simpleChoice(v *ginrummy.View) ginrummy.Set {
	choice := v.Discards()
	drawn := ginrummy.NoCard
	for _, e := range v.Events {
		if e.Seat != v.Seat {
			continue
		}
		switch e.Kind {
		case ginrummy.Take, ginrummy.Stock:
			drawn = e.Card
		case ginrummy.Discard:
			switch v.Drawn {
			case drawn:
				choice = choice.Without(e.Card)
			case e.Card:
				choice = choice.Without(drawn)
			default:
			}
		default:
		}
	}
	if choice.Empty() { // every card is left out: any allowed card
		return v.Discards()
	}
	return choice
}

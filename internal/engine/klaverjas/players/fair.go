package players

import (
	"context"
	"errors"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/knowledge"
	"roem/internal/engine/klaverjas/search"
)

// Random plays any legal card, each equally likely.
type Random struct{ rng *rand.Rand }

// Choose draws a legal card.
func (r *Random) Choose(_ context.Context, v knowledge.View) (Choice, error) {
	s, err := look(&v)
	if err != nil {
		return Choice{}, err
	}
	legal := s.legal.Slice()
	return Choice{Card: legal[below(r.rng, len(legal))]}, nil
}

// PIMC searches worlds drawn uniformly, without repetition, and plays the card with the highest mean outcome for its team: perfect information
// Monte Carlo. Of equal cards it plays the first in the order of the deck.
type PIMC struct {
	Worlds int
	rng    *rand.Rand
	tools  *Tools
}

// Choose searches the worlds. Its error is that of the context, or of a view without worlds.
func (m *PIMC) Choose(ctx context.Context, v knowledge.View) (Choice, error) {
	k, err := knowledge.New(v)
	if err != nil {
		return Choice{}, err
	}
	legal := k.Legal()
	switch legal.Len() {
	case 0:
		return Choice{}, errTurn
	case 1:
		return Choice{Card: legal.First()}, nil
	}
	sign := 1
	if v.Seat.Team() != v.Declarer {
		sign = -1
	}
	var sums [32]int
	for _, n := range k.SampleDistinct(m.rng, m.Worlds) {
		r, err := m.tools.solve(ctx, k.Position(k.World(n)), search.Moves)
		if err != nil {
			return Choice{}, err
		}
		for _, move := range r.Moves {
			sums[move.Card] += sign * move.Outcome
		}
	}
	best := legal.First()
	for c := range legal.All() {
		if sums[c] > sums[best] {
			best = c
		}
	}
	return Choice{Card: best}, nil
}

// Open plays the best card with all cards visible. It is no fair player, but an upper bound for them.
type Open struct {
	tools *Tools
	now   klaverjas.Position
	shown bool
}

func (o *Open) see(p klaverjas.Position) { o.now, o.shown = p, true }

// Choose searches the position that was shown. Its error is that of the context, or that no position was shown.
func (o *Open) Choose(ctx context.Context, _ knowledge.View) (Choice, error) {
	if !o.shown {
		return Choice{}, errors.New("the open player has not been shown the position")
	}
	legal := o.now.Legal()
	if legal.Len() == 1 {
		return Choice{Card: legal.First()}, nil
	}
	r, err := o.tools.solve(ctx, o.now, search.Value)
	if err != nil {
		return Choice{}, err
	}
	if len(r.Line) == 0 {
		return Choice{}, errors.New("the hand is finished")
	}
	return Choice{Card: r.Line[0]}, nil
}

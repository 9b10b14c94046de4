package players

import (
	"context"
	"errors"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
)

// Random plays any legal card, each equally likely.
type Random struct{ rng *rand.Rand }

// Choose draws a legal card.
func (r *Random) Choose(_ context.Context, v worlds.View) (Choice, error) {
	s, err := look(&v)
	if err != nil {
		return Choice{}, err
	}
	legal := s.legal.Slice()
	c := legal[below(r.rng, len(legal))]
	if len(legal) == 1 {
		return only(c), nil
	}
	return Choice{Card: c, Thoughts: because(AnyCard)}, nil
}

// PIMC searches worlds drawn uniformly, without repetition, and plays the card with the highest mean outcome for its team: perfect
// information Monte Carlo. Package advice chooses among equal cards.
type PIMC struct {
	Worlds int
	rng    *rand.Rand
	tools  *Tools
}

// Choose searches the worlds. Its error is the error of the context, or of a view without worlds.
func (m *PIMC) Choose(ctx context.Context, v worlds.View) (Choice, error) {
	return m.tools.advise(ctx, v, m.rng, func(*worlds.Knowledge) (advice.Options, error) {
		return advice.Options{Worlds: m.Worlds}, nil
	})
}

// advise returns the advised card for a view.
func (t *Tools) advise(
	ctx context.Context, v worlds.View, rng *rand.Rand, options func(*worlds.Knowledge) (advice.Options, error),
) (Choice, error) {
	k, err := worlds.New(v)
	if err != nil {
		return Choice{}, err
	}
	q, err := advice.NewQuestion(k)
	if err != nil {
		return Choice{}, err
	}
	if legal := k.Legal(); legal.Len() == 1 {
		return only(legal.First()), nil
	}
	o, err := options(k)
	if err != nil {
		return Choice{}, err
	}
	a, err := q.Decide(ctx, rng, t.searcher(), o)
	t.nodes += a.Nodes
	if err != nil {
		return Choice{}, err
	}
	return advised(&a, signOf(&v)), nil
}

// Open plays the best card with all cards visible. It is no fair player, but an upper bound for them.
type Open struct {
	tools *Tools
	now   klaverjas.Position
	shown bool
}

func (o *Open) see(p klaverjas.Position) { o.now, o.shown = p, true }

// Choose searches the position that was shown. Its error is the error of the context, or that no position was shown.
func (o *Open) Choose(ctx context.Context, _ worlds.View) (Choice, error) {
	if !o.shown {
		return Choice{}, errors.New("the open player has not been shown the position")
	}
	legal := o.now.Legal()
	if legal.Len() == 1 {
		return only(legal.First()), nil
	}
	r, err := o.tools.solve(ctx, o.now, search.Value)
	if err != nil {
		return Choice{}, err
	}
	if len(r.Line) == 0 {
		return Choice{}, errors.New("the hand is finished")
	}
	thought := about(OpenCards, r.Line[0])
	thought.Points = float64(r.Outcome)
	if o.now.Turn().Team() != o.now.Deal().Declarer {
		thought.Points = -thought.Points
	}
	return Choice{Card: r.Line[0], Thoughts: []Thought{thought}}, nil
}

// signOf returns 1 if the seat of the view is of the declarers, and -1 otherwise.
func signOf(v *worlds.View) float64 {
	if v.Seat.Team() == v.Declarer {
		return 1
	}
	return -1
}

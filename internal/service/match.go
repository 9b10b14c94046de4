package service

import (
	"context"

	"roem/internal/computation"
	"roem/internal/engine/match"
	"roem/internal/engine/table/contest"
)

// ReadKinds reads the names of the two kinds of players of a match, at the pointers /a and /b.
func ReadKinds[P any](vs *Problems, a, b string, kinds []match.Kind[P]) (out [2]match.Kind[P]) {
	for i, name := range [2]string{a, b} {
		var err error
		out[i], err = match.ParseKind(name, kinds)
		vs.Add([2]string{"/a", "/b"}[i], err)
	}
	return out
}

// Contest returns the computation of the query with a key for a match of that many units. It needs no slot: what play lends to does.
func Contest[R any](s *Service, key []byte, units int, play func(context.Context, contest.Plan) (R, error)) computation.Spec {
	return Running(computation.Key(key), func(ctx context.Context, task *computation.Task) (Answer[R], error) {
		result, err := play(ctx, contest.Plan{
			Units: units, Workers: s.ShareOf(ctx), Keeping: s.Keeping(ctx, key), Progress: Counted(task, units),
		})
		if err != nil {
			return Answer[R]{}, err
		}
		return Answer[R]{Result: result, Progress: computation.Progress{Done: units, Of: units}}, nil
	})
}

// Lend runs work with a slot.
func (s *Service) Lend(ctx context.Context, work func(context.Context) error) error {
	return s.WithSlot(ctx, func(ctx context.Context, _ *computation.Slot) error { return work(ctx) })
}

// MatchQuery asks for a match. Its Key has everything that the result depends on.
type MatchQuery[R any] struct {
	Uncached[R]
	service *Service
	key     Key
	units   int
	play    func(context.Context, contest.Plan) (R, error)
}

// NewMatchQuery returns the query of a match of that many units.
func NewMatchQuery[R any](s *Service, key Key, units int, play func(context.Context, contest.Plan) (R, error)) *MatchQuery[R] {
	return &MatchQuery[R]{service: s, key: key, units: units, play: play}
}

// Key returns the key.
func (q *MatchQuery[R]) Key() []byte { return q.key }

// Computation plays the match.
func (q *MatchQuery[R]) Computation() computation.Spec {
	return Contest(q.service, q.key, q.units, q.play)
}

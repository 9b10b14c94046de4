package service

import (
	"context"
	"errors"
	"time"

	"roem/internal/solvecache"
)

// Refining is a query that can be asked again for a better answer.
type Refining[R any] interface {
	TypedQuery[R]
	// Begin returns the query of the first answer, and for how long better ones are wanted. It is called once, on the query of the request.
	Begin() (first Refining[R], during time.Duration)
	// Better returns the query of a better answer than the one that this query has given, or nil and why there is none.
	Better() (next Refining[R], end RefinedEnd)
}

// RefinedEnd is why no better answer follows. The contract has these words.
type RefinedEnd string

// The reasons.
const (
	RefinedTime   RefinedEnd = "time"   // the time is over
	RefinedWorlds RefinedEnd = "worlds" // all worlds have been used, or as many as were asked for
	RefinedClear  RefinedEnd = "clear"  // a better answer would be the same
	RefinedBusy   RefinedEnd = "busy"   // a further search is refused
)

// Refine answers a query again and again, each time better, and tells each answer, until no better one follows. The first answer may take
// until most is over. An error means that there is no answer, that tell has failed, or that ctx has ended.
func (s *Service) Refine(ctx context.Context, q Refining[any], most time.Duration, tell func(Answer[any]) error) (RefinedEnd, error) {
	first, during := q.Begin()
	q = first
	began := time.Now()
	until := began.Add(most)
	for {
		within, cancel := context.WithDeadline(ctx, until)
		answer, err := s.Answer(solvecache.Once(within), q)
		late := within.Err() != nil
		cancel()
		if err != nil {
			switch {
			case q == first || ctx.Err() != nil:
				return "", err
			case late:
				return RefinedTime, nil //nolint:nilerr // the answers before are there
			case isRefusal(err):
				return RefinedBusy, nil
			}
			return "", err
		}
		if err := tell(answer); err != nil {
			return "", err
		}
		next, end := q.Better()
		if next == nil {
			return end, nil
		}
		q, until = next, began.Add(min(during, most))
		if !time.Now().Before(until) {
			return RefinedTime, nil
		}
	}
}

// isRefusal reports whether an error says that a search is refused that another time would be done.
func isRefusal(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && (e.Kind == Busy || e.Kind == Limited || e.Kind == Stopping)
}

package service

import (
	"context"
	"time"
)

// The bounds of what is explained to one request.
const (
	// listViolations is how many violations the items of a list may have together before each further wrong item lists only one.
	listViolations = 1024
	// freeTokens is how much of its bodies is walked through for a request before that needs a place: some milliseconds. An ordinary mistake,
	// also one in each item of a list, needs less.
	freeTokens = 1 << 15
)

// reading is what explaining uses for one request. It is not safe for concurrent use.
type reading struct {
	service *Service
	left    int // how many violations may still be listed
	tokens  int
	before  int    // how many bytes of the request are before the body, if that is an item of a list
	leave   func() // gives the place back; nil without one
}

func newReading(s *Service, violations int) *reading { return &reading{service: s, left: violations} }

type readingKey struct{}

// withReading returns a context with which all bodies of a request share what may be used to explain them. The caller calls end.
func withReading(ctx context.Context, of *Service, violations int) (context.Context, *reading) {
	if use := readingOf(ctx); use != nil {
		return ctx, use
	}
	use := newReading(of, violations)
	return context.WithValue(ctx, readingKey{}, use), use
}

func readingOf(ctx context.Context) *reading {
	use, _ := ctx.Value(readingKey{}).(*reading)
	return use
}

// limit returns how many violations the next body may list.
func (r *reading) limit() int { return max(1, min(maxViolations, r.left)) }

// spend notes that tokens have been read. It waits for a place when a request has had more than is free.
func (r *reading) spend(ctx context.Context, tokens int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.tokens += tokens
	if r.tokens <= freeTokens || r.leave != nil || r.service == nil {
		return nil
	}
	var err error
	r.leave, err = r.service.takePlace(ctx)
	return err
}

// end gives the place back.
func (r *reading) end() {
	if r.leave != nil {
		r.leave()
		r.leave = nil
	}
}

// freeText is how long a text may be whose records are read and written without a place. What they become takes up to a hundred times
// their bytes, in any form.
const freeText = 2 << 10

// Room waits for a place for a request with a text of a number of bytes, if it is long. The context is that in which its body is read; the
// function gives the place back.
func (s *Service) Room(ctx context.Context, bytes int) (within context.Context, leave func(), err error) {
	within, use := withReading(ctx, s, listViolations)
	if bytes > freeText && use.leave == nil {
		use.leave, err = s.takePlace(ctx)
	}
	return within, use.end, err
}

// takePlace waits for one of the places for slow explanations and long texts, and returns the function that gives it back. The time until
// then is charged to the client, as the time of a search is.
func (s *Service) takePlace(ctx context.Context) (leave func(), err error) {
	charge, err := s.computations.Enter(ctx)
	if err != nil {
		return nil, s.computationError(err)
	}
	select {
	case s.places <- struct{}{}:
	case <-ctx.Done():
		charge(0)
		return nil, ctx.Err()
	}
	began := time.Now()
	return func() {
		<-s.places
		charge(time.Since(began))
	}, nil
}

// placesFor returns how many slow explanations run at a time beside the given number of slots.
func placesFor(slots int) int { return max(1, slots/2) }

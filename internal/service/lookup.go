package service

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/solvecache"
)

// Lookup describes a value that is read from the cache or, if the cache does not have it, computed.
type Lookup struct {
	// Keys are the keys of the values that can be used, the best first. A computed value is put under the first key, which also
	// names the computation.
	Keys []solvecache.Key
	// Valid reports whether a value of the cache fits. A value that does not is a miss.
	Valid func(value []byte) bool
	// Compute computes the value. The task has a slot, unless InParts says that Compute takes its slots itself, in parts or in turns. The
	// bytes that it returns with an error become Value.Partial.
	Compute func(ctx context.Context, task *computation.Task) ([]byte, error)
	InParts bool
}

// Value is the value of a Lookup.
type Value struct {
	Bytes   []byte // must not be changed
	Layer   string // the cache layer that had it; empty if it was computed
	Shared  bool   // computed for an equal request
	Partial []byte // the value that a stopped computation returned with its error
}

// Source returns where the value came from.
func (v Value) Source() api.Source {
	if v.Layer != "" {
		return api.SourceCache
	}
	return api.SourceSearch
}

// Known returns the value if the cache has it.
func (s *Service) Known(ctx context.Context, l Lookup) (Value, bool) {
	return known(s.cache.First(ctx, l.Keys, l.Valid))
}

// known returns an answer of the cache as a Value.
func known(a solvecache.Answer, ok bool) (Value, bool) {
	return Value{Bytes: a.Value, Layer: a.Layer}, ok
}

// Computation returns the computation of the value. Its result is a Value.
func (s *Service) Computation(l Lookup) computation.Spec {
	spec := computation.Spec{Slot: !l.InParts, Run: func(ctx context.Context, task *computation.Task) (any, error) {
		recent := s.cache.Get
		if !l.InParts {
			s.noteWait(ctx, task)
			recent = s.cache.GetLocal // a slot waits for no other layer
		}
		// An equal computation may have ended between the cache lookup and the creation of this computation.
		if value, ok := known(solvecache.FirstOf(recent(ctx, l.Keys[:1]), l.Valid)); ok {
			return value, nil
		}
		bytes, err := l.Compute(ctx, task)
		if err != nil {
			return Value{Partial: bytes}, err
		}
		s.cache.Put(ctx, l.Keys[0], bytes) // before the computation ends, so that a later request finds the value
		return Value{Bytes: bytes}, nil
	}}
	if s.cache != nil { // without a cache computations are not shared, which saves the time of sharing
		spec.Key = computation.Key(l.Keys[0])
	}
	return spec
}

// LookUp returns the value from the cache or computes it. progress, which may be nil, is called with the progress of the computation.
// linger is how long LookUp waits for a partial value after ctx has ended.
func (s *Service) LookUp(
	ctx context.Context, l Lookup, progress func(computation.Progress), linger time.Duration,
) (Value, error) {
	if value, ok := s.Known(ctx, l); ok {
		EffortOf(ctx).NoteValue(value)
		return value, nil
	}
	result, err := s.computations.Do(ctx, s.Computation(l), computation.Urgent, progress, linger)
	value := ValueOf(result)
	if err != nil {
		return value, s.computationError(err)
	}
	EffortOf(ctx).NoteValue(value)
	return value, nil
}

// Part runs work that needs a slot, for a computation with the context ctx that waits for it. Nothing is cached or shared. Its error
// is an *Error where the Scheduler refuses or ends the work.
func (s *Service) Part(ctx context.Context, work func(ctx context.Context, task *computation.Task) error) error {
	spec := computation.Spec{Slot: true, Run: func(ctx context.Context, task *computation.Task) (any, error) {
		s.noteWait(ctx, task)
		return nil, work(ctx, task)
	}}
	_, err := s.computations.Do(ctx, spec, computation.Urgent, nil, 0)
	return s.computationError(err)
}

// AsOne runs work that makes several searches for one request and is not itself a computation: the first of them can be refused, and no
// other one. Its error is an *Error where the Scheduler refuses a search or ends.
func (s *Service) AsOne(ctx context.Context, work func(ctx context.Context) error) error {
	_, err := s.computations.Do(ctx, computation.Spec{Run: func(ctx context.Context, _ *computation.Task) (any, error) {
		return nil, work(ctx)
	}}, computation.Urgent, nil, 0)
	return s.computationError(err)
}

// ValueOf returns the Value in the result of a Computation.
func ValueOf(result computation.Result) Value {
	value, ok := result.Value.(Value)
	if !ok {
		value, _ = result.Partial.(Value)
	}
	value.Shared = result.Shared
	return value
}

// Cache returns the cache, which may be nil.
func (s *Service) Cache() *solvecache.Cache { return s.cache }

// TrySlot runs work with a slot if one is free, and reports whether it did. It is charged to no client.
func (s *Service) TrySlot(ctx context.Context, work func(context.Context, *computation.Slot)) bool {
	return s.computations.TryDo(ctx, work)
}

// WithSlot runs work with a slot, when one is free. Nothing is shared with it. Work that has begun has ended when WithSlot returns, also
// when the context ends first: so work may write what its caller reads. It should return soon after its context ends. The error is an
// *Error, the error of the context, or the error of work.
func (s *Service) WithSlot(ctx context.Context, work func(context.Context, *computation.Slot) error) error {
	var (
		begun atomic.Bool // work has begun, or never will
		ended = make(chan struct{})
	)
	spec := computation.Spec{Slot: true, Run: func(ctx context.Context, task *computation.Task) (any, error) {
		if !begun.CompareAndSwap(false, true) {
			return nil, context.Canceled // the caller has left
		}
		defer close(ended)
		s.noteWait(ctx, task)
		return nil, work(ctx, task.Slot())
	}}
	_, err := s.computations.Do(ctx, spec, computation.Urgent, nil, 0)
	if !begun.CompareAndSwap(false, true) {
		<-ended
	}
	if err != nil {
		return s.computationError(err)
	}
	return nil
}

// noteWait records how long the computation waited for its slot.
func (s *Service) noteWait(ctx context.Context, task *computation.Task) {
	from, to := task.Waited()
	s.observe.Waited(to.Sub(from))
	if to.After(from) {
		EffortOf(ctx).noteWait(to.Sub(from))
		spanOf(ctx, "wait for a slot", from, to)
	}
}

// computationError returns an error of the scheduler as an *Error. Other errors are returned unchanged.
func (s *Service) computationError(err error) error {
	if _, known := errors.AsType[*Error](err); known {
		return err
	}
	if busy, ok := errors.AsType[*computation.BusyError](err); ok {
		return &Error{Kind: Busy, Code: BusySearchers, RetryAfter: busy.RetryAfter, Cause: err, Detail: busyDetail(busy)}
	}
	if limited, ok := errors.AsType[*computation.LimitedError](err); ok {
		e := &Error{
			Kind: Limited, Limit: LimitTime, RetryAfter: limited.RetryAfter, Cause: err,
			Detail: "Your searches have taken more time than is allowed.",
		}
		if limited.Searches > 0 {
			e.Limit, e.Detail = LimitSearches, searchesDetail(limited)
		}
		s.observe.Limited(e.Limit)
		return e
	}
	switch {
	case errors.Is(err, computation.ErrClosed):
		return &Error{Kind: Stopping, RetryAfter: computation.MinRetry, Cause: err, Detail: "The server is shutting down."}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{
			Kind: TooSlow, RetryAfter: s.computations.RetryAfter(), Cause: err,
			Detail: "The search did not finish in the time that the request allowed.",
		}
	}
	return err
}

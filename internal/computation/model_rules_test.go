package computation

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// The functions of this file return what the specification requires after each step. They do not use the state of the Scheduler.

func (w *world) failure() error {
	switch w.outcome {
	case returnsDeadline:
		return fmt.Errorf("wrapped: %w", context.DeadlineExceeded)
	case returnsBusy:
		return fmt.Errorf("wrapped: %w", &BusyError{})
	case returnsLimitedA:
		return fmt.Errorf("wrapped: %w", &LimitedError{Client: "a", Searches: 1})
	case returnsLimitedB:
		return fmt.Errorf("wrapped: %w", &LimitedError{Client: "b", Searches: 1})
	default:
		return errFailure
	}
}

// joinable returns the computation with the key that has a waiter.
func (w *world) joinable(key Key) *shadow {
	for _, h := range w.order {
		if key != "" && h.key == key && len(h.members) > 0 {
			return h
		}
	}
	return nil
}

// refusal returns the error with which the caller must be refused.
func (w *world) refusal(i int) error {
	c := w.config.callers[i]
	free := w.s.slots
	for _, h := range w.order {
		if h.execute != nil && h.slot {
			free--
		}
	}
	switch {
	case w.closed:
		return ErrClosed
	case w.joinable(c.key) != nil, !c.slot:
		return nil
	case free > 0, c.priority == first:
	case c.priority == ifFree:
		return &BusyError{}
	case !w.urgent(i), c.parent > 0 && w.callers[c.parent-1].of.begun:
	case len(w.lines[1]) >= w.s.queueLimit:
		return &BusyError{}
	}
	return w.charge(w.clientOf(i))
}

// charge returns the error of a client that is at its limit of computations.
func (w *world) charge(client string) error {
	n := 0
	for _, h := range w.order {
		if h.charged && h.client == client {
			n++
		}
	}
	if w.limited(client) && n >= w.config.options.Limits.Searches {
		return &LimitedError{Client: client, Searches: n}
	}
	return nil
}

func (w *world) limited(client string) bool {
	return client != "" && w.config.options.Limits.Searches > 0
}

// clientOf returns the client that a new computation of the caller is charged to.
func (w *world) clientOf(i int) string {
	c := w.config.callers[i]
	switch {
	case c.priority > Urgent:
		return ""
	case c.parent > 0:
		return w.callers[c.parent-1].of.client
	default:
		return c.client
	}
}

// tell records the result that the caller must have.
func (w *world) tell(i int, result Result, err error) {
	st := &w.callers[i]
	st.done, st.result, st.err = true, result, err
}

// deliver records which callers must have which result of the run.
func (w *world) deliver(h *shadow, x *execution) {
	var rest []int
	for _, i := range h.members {
		switch {
		case w.outcome == returnsValue:
			w.tell(i, Result{Value: w.value, Shared: w.callers[i].shared}, nil)
		case !w.concerned(i, x):
			rest = append(rest, i)
		case w.outcome == panics:
			w.tell(i, Result{}, &PanicError{Value: "a bug"})
		default:
			w.tell(i, Result{Partial: w.value}, w.failure())
		}
	}
	h.members = rest
	for len(h.members) > 0 { // if one of them is not limited, it runs again
		h.client = w.waiterClient(h.members[0])
		if !h.slot {
			break
		}
		err := w.charge(h.client)
		if err == nil {
			h.charged = w.limited(h.client)
			break
		}
		w.tell(h.members[0], Result{}, err)
		h.members = h.members[1:]
	}
}

// concerned reports whether the error of a run applies to the caller. It is called before a caller leaves because of the error.
func (w *world) concerned(i int, x *execution) bool {
	switch w.outcome {
	case returnsLimitedA:
		return w.waiterClient(i) == "a"
	case returnsLimitedB:
		return w.waiterClient(i) == "b"
	case returnsBusy:
		return w.urgent(i)
	case returnsDeadline:
		return !x.moved || w.config.callers[i].deadline == passed && w.config.callers[i].parent == 0
	default:
		return true
	}
}

// waiterClient returns the client to which a computation that the caller waits for may be charged.
func (w *world) waiterClient(i int) string {
	if c := w.config.callers[i]; c.priority > Urgent {
		return ""
	}
	return w.clientOf(i)
}

// urgent reports whether a client waits, directly or not, for the caller's computation.
func (w *world) urgent(i int) bool {
	c := w.config.callers[i]
	if c.parent == 0 {
		return c.priority != Background && !w.callers[i].background
	}
	h := w.callers[c.parent-1].of
	if len(h.members) == 0 {
		return h.c.urgent // it was abandoned and will leave soon; until then its parts keep its urgency
	}
	return w.anyUrgent(h)
}

func (w *world) anyUrgent(h *shadow) bool { return slices.ContainsFunc(h.members, w.urgent) }

// latest returns the latest deadline of the members, or noDeadline if a member has none.
func (w *world) latest(h *shadow) deadline {
	last := passed
	for _, i := range h.members {
		c := w.config.callers[i]
		if c.parent > 0 || c.deadline == noDeadline {
			return noDeadline
		}
		last = max(last, c.deadline)
	}
	return last
}

// same reports whether a caller got the required error. Stacks and waiting times are not compared.
func same(got, want error) bool {
	if wanted, ok := errors.AsType[*PanicError](want); ok {
		p, ok := errors.AsType[*PanicError](got)
		return ok && p.Value == wanted.Value
	}
	if _, ok := errors.AsType[*BusyError](want); ok {
		_, ok := errors.AsType[*BusyError](got)
		return ok
	}
	if wanted, ok := errors.AsType[*LimitedError](want); ok {
		l, ok := errors.AsType[*LimitedError](got)
		return ok && l.Client == wanted.Client && l.Searches == wanted.Searches
	}
	return errors.Is(got, want) || got != nil && want != nil && got.Error() == want.Error()
}

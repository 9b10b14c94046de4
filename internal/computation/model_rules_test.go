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

// refusal returns the error with which the caller must be refused, whose computation would be for the request.
func (w *world) refusal(i int, r *shadowRequest) error {
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
	case !w.urgent(i), r.admitted:
	case w.waitingRequests() >= w.s.queueLimit:
		return &BusyError{}
	}
	return w.charge(r)
}

// waitingRequests returns how many requests wait in the queue for their first slot, or wait again for it.
func (w *world) waitingRequests() (n int) {
	for _, c := range w.lines[1] {
		if w.shadows[c].first {
			n++
		}
	}
	return n
}

// charge returns the error of a request that has not been admitted and whose client is at a limit.
func (w *world) charge(r *shadowRequest) error {
	if r.admitted || r.payer.job || !w.limited(r.payer) {
		return nil
	}
	counted := map[*shadowRequest]bool{}
	for _, h := range w.order {
		if h.request.counted && h.request.payer.client == r.payer.client {
			counted[h.request] = true
		}
	}
	switch most := w.config.options.Limits.Searches; {
	case most > 0 && len(counted) >= most:
		return &LimitedError{Client: r.payer.client, Searches: len(counted)}
	case w.spent[r.payer.client]:
		return &LimitedError{Client: r.payer.client}
	}
	return nil
}

func (w *world) limited(p payer) bool {
	return p.client != "" && (w.config.options.Limits.Searches > 0 || w.config.options.Limits.Time > 0)
}

// admit records that a computation that needs a slot was charged to its request.
func (w *world) admit(h *shadow) {
	r := h.request
	h.first, h.charged = !r.admitted, w.limited(r.payer)
	if h.first {
		r.admitted, r.counted = true, w.limited(r.payer) && !r.payer.job
	}
}

// requestOf returns the request that a new computation of the caller is for, and whether it is the whole request.
func (w *world) requestOf(i int) (r *shadowRequest, whole bool) {
	c := w.config.callers[i]
	switch {
	case c.priority > Urgent:
		return &shadowRequest{}, true
	case c.parent > 0:
		return w.callers[c.parent-1].of.request, false
	default:
		return &shadowRequest{payer: payer{client: c.client, job: c.job}}, true
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
		h.request, h.whole = w.requestOf(h.members[0])
		if !h.slot {
			break
		}
		err := w.charge(h.request)
		if err == nil {
			w.admit(h)
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
	r, _ := w.requestOf(i)
	return r.payer.client
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

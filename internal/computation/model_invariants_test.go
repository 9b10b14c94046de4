package computation

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

func lineOf(l *list.List) []*computation {
	var line []*computation
	for e := l.Front(); e != nil; e = e.Next() {
		line = append(line, computationAt(e))
	}
	return line
}

// observe records the runs that started in the last step, and checks their order.
func (w *world) observe() error {
	spawned := 0
	for _, h := range w.order {
		r := h.c.run
		if r == nil || r == h.last {
			continue
		}
		if h.execute != nil {
			return errors.New("a computation runs two times at once")
		}
		h.last, h.execute = r, &execution{r: r, slot: r.task.slot}
		w.runs++
		if !slices.ContainsFunc(w.callers, func(st callerState) bool { return st.of == h && st.executes }) {
			spawned++
		}
		h.begun = h.begun || h.slot
	}
	for changed := true; changed; { // a computation whose part has started has started too
		changed = false
		for i := range w.callers {
			if st := &w.callers[i]; st.live() && st.of.begun && w.config.callers[i].parent > 0 {
				if parent := w.callers[w.config.callers[i].parent-1].of; !parent.begun {
					parent.begun, changed = true, true
				}
			}
		}
	}
	if w.spawned != spawned {
		return fmt.Errorf("%d goroutines were started for %d runs", w.spawned, spawned)
	}
	w.spawned = 0
	return w.inOrder()
}

// inOrder checks that computations wait in the order in which they came, that the first one of a queue starts first, and that no
// background computation starts before its turn.
func (w *world) inOrder() error {
	now := [2][]*computation{lineOf(&w.s.background), lineOf(&w.s.urgent)}
	for k, before := range w.lines {
		stays := func(c *computation) bool { return slices.Contains(now[k], c) }
		begun := func(c *computation) bool { return w.shadows[c].execute != nil }
		var want []*computation
		for _, c := range before {
			if stays(c) {
				want = append(want, c)
				continue
			}
			if begun(c) && len(want) > 0 {
				return errors.New("a computation started before one that was ahead of it in the queue")
			}
			if begun(c) && k == 0 && len(now[1]) > 0 && w.passed < maxPassed {
				return errors.New("a background computation started before an urgent one")
			}
		}
		for _, c := range now[k] {
			if !slices.Contains(before, c) {
				if w.config.callers[w.nameOf(w.shadows[c])].priority == first {
					want = slices.Insert(want, 0, c)
				} else {
					want = append(want, c)
				}
			}
		}
		if !slices.Equal(now[k], want) {
			return errors.New("a computation was not moved to the end of the queue, or others were moved")
		}
	}
	return nil
}

// check checks the invariants after a step.
func (w *world) check() error {
	for _, one := range []struct {
		rule string
		hold func() error
	}{
		{"every slot is either free or in use, once; no slot is free while a computation waits for one", w.checkSlots},
		{"a computation is in the queue of its urgency if and only if it waits for a slot", w.checkQueues},
		{"the registry has exactly the computations with a waiter; each runs or is queued", w.checkRegistry},
		{"a waiting caller is a waiter of one computation, once; any other caller is a waiter of none", w.checkWaiters},
		{"a caller has a result if and only if it must, and the result does not change", w.checkResults},
		{"a run is cancelled if and only if it has no waiter", w.checkAbandoned},
		{"a client's account counts its admitted requests and the computations that are charged", w.checkAccounts},
		{"a computation is urgent if a waiter is, has the latest deadline of its waiters, and has started if a part has", w.checkDerived},
	} {
		if err := one.hold(); err != nil {
			return fmt.Errorf("%s: %w", one.rule, err)
		}
	}
	return nil
}

func (w *world) checkSlots() error {
	slots := map[*Slot]bool{}
	n := len(w.s.free)
	for _, s := range w.s.free {
		slots[s] = true
	}
	for _, h := range w.order {
		if x := h.execute; x != nil && h.slot {
			n++
			slots[x.slot] = true
		}
	}
	for _, s := range w.spoiled {
		if slots[s] {
			return errors.New("a slot is used again although its work panicked")
		}
	}
	if n != w.s.slots || len(slots) != n || slots[nil] {
		return fmt.Errorf("%d slots, %d different ones, want %d", n, len(slots), w.s.slots)
	}
	if waiting := w.s.urgent.Len() + w.s.background.Len(); waiting > 0 && len(w.s.free) > 0 {
		return fmt.Errorf("%d slots are free, %d computations wait", len(w.s.free), waiting)
	}
	return nil
}

func (w *world) checkQueues() error {
	seen := 0
	for _, urgent := range []bool{false, true} {
		l := &w.s.background
		if urgent {
			l = &w.s.urgent
		}
		for e := l.Front(); e != nil; e = e.Next() {
			seen++
			c := computationAt(e)
			if c.place != e || c.urgent != urgent || len(c.waiters) == 0 || c.run != nil || !c.spec.Slot {
				return fmt.Errorf("in the queue: place %v, urgent %v, %d waiters, run %v", c.place == e, c.urgent, len(c.waiters), c.run)
			}
		}
	}
	for _, h := range w.order {
		if h.c.place != nil {
			seen--
		}
	}
	if seen != 0 {
		return errors.New("a computation has a place but is in no queue or in two")
	}
	return nil
}

func (w *world) checkRegistry() error {
	all, byKey := map[*computation]struct{}{}, map[Key]*computation{}
	for _, h := range w.order {
		if len(h.members) == 0 {
			continue
		}
		all[h.c] = struct{}{}
		if h.key != "" {
			byKey[h.key] = h.c
		}
		if (h.c.place != nil) == (h.execute != nil) {
			return fmt.Errorf("queued %v, runs %v", h.c.place != nil, h.execute != nil)
		}
	}
	if !maps.Equal(all, w.s.all) || !maps.Equal(byKey, w.s.byKey) {
		return fmt.Errorf("%d computations, %d of them by key, want %d and %d", len(w.s.all), len(w.s.byKey), len(all), len(byKey))
	}
	return nil
}

func (w *world) checkWaiters() error {
	waiters, children := map[*computation][]*Waiter{}, map[*computation][]*Waiter{}
	for _, h := range w.order {
		for _, i := range h.members {
			one := w.callers[i].w
			if !w.callers[i].live() || one.gone || one.c != h.c {
				return fmt.Errorf("caller %d: live %v, gone %v", i, w.callers[i].live(), one.gone)
			}
			waiters[h.c] = append(waiters[h.c], one)
			if one.parent != nil {
				children[one.parent] = append(children[one.parent], one)
			}
		}
	}
	for _, h := range w.order {
		if !slices.Equal(h.c.waiters, waiters[h.c]) {
			return fmt.Errorf("%d waiters, want %d", len(h.c.waiters), len(waiters[h.c]))
		}
		got, want := children[h.c], h.c.children
		if len(got) != len(want) || slices.ContainsFunc(got, func(one *Waiter) bool { return !slices.Contains(want, one) }) {
			return fmt.Errorf("waits for %d, want %d", len(want), len(got))
		}
	}
	return nil
}

func (w *world) checkResults() error {
	for i := range w.callers {
		st := &w.callers[i]
		if st.w == nil {
			continue
		}
		done := false
		select {
		case <-st.w.Done():
			done = true
		default:
		}
		if done != st.done {
			return fmt.Errorf("caller %d: done %v, want %v", i, done, st.done)
		}
		if st.live() == st.w.gone {
			return fmt.Errorf("caller %d: gone %v", i, st.w.gone)
		}
		if result, err := st.w.Result(); !reflect.DeepEqual(result, st.result) || !same(err, st.err) {
			return fmt.Errorf("caller %d: %+v, %w, want %+v, %w", i, result, err, st.result, st.err)
		}
	}
	return nil
}

func (w *world) checkAbandoned() error {
	abandoned := 0
	for _, h := range w.order {
		x := h.execute
		if x == nil {
			if h.last != nil && h.last.ctx.Err() == nil {
				return errors.New("a run has ended, but its context has not")
			}
			continue
		}
		_, listed := w.s.abandoned[x.r]
		cancelled := errors.Is(x.r.ctx.Err(), context.Canceled)
		if none := len(h.members) == 0; listed != none || cancelled != none || x.abandoned != none {
			return fmt.Errorf("%d waiters, listed %v, cancelled %v", len(h.members), listed, cancelled)
		}
		if x.abandoned {
			abandoned++
		}
	}
	if abandoned != len(w.s.abandoned) {
		return fmt.Errorf("%d are listed as abandoned, want %d", len(w.s.abandoned), abandoned)
	}
	return nil
}

func (w *world) checkAccounts() error {
	type use struct{ requests, slots int }
	want := map[string]use{}
	counted := map[*shadowRequest]bool{}
	for _, h := range w.order {
		client := h.request.payer.client
		u := want[client]
		if h.charged {
			u.slots++
		}
		if h.request.counted && !counted[h.request] {
			counted[h.request] = true
			u.requests++
		}
		if u != (use{}) {
			want[client] = u
		}
	}
	got := map[string]use{}
	for client, one := range w.s.accounts.byClient {
		if u := (use{one.requests, one.slots}); u != (use{}) || !w.spent[client] {
			got[client] = u
		}
	}
	if !maps.Equal(got, want) {
		return fmt.Errorf("%v, want %v", got, want)
	}
	for client := range w.spent {
		if one := w.s.accounts.byClient[client]; one == nil || one.hasTime(w.clock) == nil {
			return fmt.Errorf("client %s has time, and has used it up", client)
		}
	}
	return nil
}

func (w *world) checkDerived() error {
	for _, h := range w.order {
		if len(h.members) == 0 {
			continue
		}
		if urgent := w.anyUrgent(h); h.c.urgent != urgent {
			return fmt.Errorf("urgent %v, want %v", h.c.urgent, urgent)
		}
		at := map[deadline]bool{noDeadline: h.c.deadline.IsZero(), passed: h.c.deadline.Equal(passedTime), far: h.c.deadline.Equal(farTime)}
		if !at[w.latest(h)] {
			return fmt.Errorf("deadline %v, want the deadline of kind %d", h.c.deadline, w.latest(h))
		}
		if got, want := *h.c.request, *h.request; h.c.begun != h.begun || got.payer != want.payer || got.admitted != want.admitted ||
			h.c.first != h.first {
			return fmt.Errorf("begun %v, request %+v, first %v, want %v, %+v, %v", h.c.begun, got, h.c.first, h.begun, want, h.first)
		}
	}
	return nil
}

// empty checks that no computation, waiter or account is left.
func (w *world) empty() error {
	s := w.s
	left := len(s.all) + len(s.byKey) + len(s.abandoned) + s.urgent.Len() + s.background.Len()
	if left != 0 || len(s.free) != s.slots || len(s.accounts.byClient) != len(w.spent) || s.accounts.others.requests != 0 {
		return fmt.Errorf("left: %d, free slots: %d, accounts: %d", left, len(s.free), len(s.accounts.byClient))
	}
	return w.checkAccounts()
}

// drain lets every run return a value until none runs. Then every waiting caller must have a result, and nothing may be left.
func (w *world) drain() error {
	for {
		i := slices.IndexFunc(w.order, w.canEnd)
		if i < 0 {
			break
		}
		if err := w.apply(step{action: doEnd, caller: w.nameOf(w.order[i]), outcome: returnsValue}); err != nil {
			return err
		}
	}
	for i := range w.callers {
		if w.callers[i].live() {
			return fmt.Errorf("caller %d waits forever", i)
		}
	}
	return errors.Join(w.check(), w.empty())
}

// state returns everything that affects later steps. Worlds with equal states behave equally.
func (w *world) state() string {
	var b strings.Builder
	ids := map[*computation]int{}
	for i := range w.callers {
		st := &w.callers[i]
		if st.of != nil {
			if _, ok := ids[st.of.c]; !ok {
				ids[st.of.c] = len(ids)
			}
			fmt.Fprintf(&b, "%d:", ids[st.of.c])
		}
		for _, flag := range []bool{st.tried, st.live(), st.executes, st.background, st.shared} {
			b.WriteByte("01"[btoi(flag)])
		}
		b.WriteByte(' ')
	}
	requests := map[*shadowRequest]int{}
	names := make([]*shadow, len(ids))
	for c, id := range ids {
		names[id] = w.shadows[c]
	}
	for _, h := range names {
		c := h.c
		r := h.request
		if _, ok := requests[r]; !ok {
			requests[r] = len(requests)
		}
		fmt.Fprintf(&b, "|%v %d %v ", h.members, requests[r], r.payer)
		for _, flag := range []bool{
			r.admitted, r.counted, h.first, h.whole, h.charged, c.urgent, c.begun, c.extended, c.inline, h.execute != nil,
			h.execute != nil && h.execute.abandoned,
		} {
			b.WriteByte("01"[btoi(flag)])
		}
	}
	for _, line := range []*list.List{&w.s.background, &w.s.urgent} {
		b.WriteByte('/')
		for _, c := range lineOf(line) {
			b.WriteByte(byte('0' + ids[c]))
		}
	}
	fmt.Fprint(&b, w.closed, w.s.passed, w.spent)
	return b.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

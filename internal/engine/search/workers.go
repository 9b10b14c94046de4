package search

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// Several workers on one position.
//
// All workers run the same search with the same window and share the table; whoever ends first has the answer. They do
// different work because each shows which cards it is leading, high in the tree, and leaves a card that another is leading
// for last: by then its result is in the table (Weill's ABDADA, in the simple form of Kerrigan). That goes for the first card too, although nobody
// knows yet whether the others are needed: two workers behind one card would soon be at the same positions, and do the same work twice.
// For that reason it is leads alone that are shared out. Second and third cards are mostly needed one at a time. Where another worker has meanwhile
// answered what this one is still in, it goes back there.
//
// A crew sets out only when a search has proved to be long, so easy positions are spared the cost of starting it.
type crew struct {
	helpers []*searcher
	all     []*searcher // and the worker that the caller waits in

	begun bool
	quit  atomic.Bool // somebody has the answer, or the context has ended
	found atomic.Bool // a helper has it: value
	value int32
	group sync.WaitGroup

	root        root
	state       state
	alpha, beta int32
}

const (
	shareTricks = 5       // leads are shared out while at least so many tricks are left
	pollEvery   = 192     // nodes between two looks at quit and at what others have answered
	crewAfter   = 512     // nodes after which a search counts as long
	crewBuckets = 1 << 15 // the least size of a shared table, which cannot grow: 2 MiB
)

func newCrew(workers int, t *table) *crew {
	c := &crew{}
	for range workers - 1 {
		c.helpers = append(c.helpers, &searcher{table: t, teamwork: teamwork{crew: c, helper: true}})
	}
	return c
}

// search runs a search from the root with all workers.
func (c *crew) search(s *searcher, r *root, st state, alpha, beta int32) int32 {
	c.begun = false
	c.quit.Store(false)
	c.found.Store(false)
	c.root, c.state, c.alpha, c.beta = *r, st, alpha, beta
	s.checkAt = s.nodes + crewAfter
	v := s.from(r, st, alpha, beta)
	if !c.begun {
		return v
	}
	c.quit.Store(true) // the answer is there, or the context has ended
	c.group.Wait()
	s.table.shared = false
	for _, h := range c.helpers {
		s.nodes += h.nodes
		s.stored += h.stored
	}
	s.growTable()
	if s.stop && c.found.Load() {
		s.stop = false
		return c.value
	}
	return v
}

// begin sets the helpers to work.
func (c *crew) begin(s *searcher) {
	c.begun = true
	c.all = append(append(c.all[:0], s), c.helpers...)
	times := uint64(1)
	for s.table.buckets*times < crewBuckets && s.table.canGrow(2*times) {
		times *= 2
	}
	if times > 1 {
		s.table.grow(times, s.rehash)
	}
	s.table.shared = true
	s.open = 0
	for _, w := range c.all {
		for i := range w.leads { // what stands there is never taken back: a card that has been led is in the table, and may as well be left
			w.leads[i].Store(0)
		}
	}
	for _, h := range c.helpers {
		h.deal, h.end, h.cards = s.deal, s.end, s.cards
		h.nodes, h.checkAt, h.stored, h.stop, h.backTo, h.open = 0, 0, 0, false, 0, 0
		c.group.Go(func() {
			v := h.from(&c.root, c.state, c.alpha, c.beta)
			if !h.stop && c.quit.CompareAndSwap(false, true) {
				c.value = v
				c.found.Store(true)
			}
		})
	}
}

// leading reports whether another worker than s is leading what the key stands for, with so many tricks left.
func (c *crew) leading(s *searcher, tricks int, key uint64) bool {
	for _, other := range c.all {
		if other != s && other.leads[tricks].Load() == key {
			return true
		}
	}
	return false
}

// teamwork is what a searcher needs to be one of several workers.
type teamwork struct {
	crew   *crew // nil for a single worker
	helper bool  // not the worker that the caller waits in

	leads     [9]atomic.Uint64 // the keys of the cards that it is leading, by the tricks left
	questions [9]question      // those that it is in the middle of, likewise
	open      uint32           // a bit for each of them
	backTo    int              // another worker has answered the one with so many tricks left: stop there; 0 for none
}

// question is what is being asked about a position between two tricks.
type question struct {
	hash, about uint64
	left        uint32
	st          state
	alpha, beta int32
}

// answered reports whether another worker has answered a question that this one is in, and makes for the first of them.
func (s *searcher) answered() bool {
	for m := s.open; m != 0; {
		tricks := bits.Len32(m) - 1
		m &^= 1 << tricks
		q := &s.questions[tricks]
		if s.lookUp(q.hash, q.about, q.left, q.st, q.alpha, q.beta).decided {
			s.stop, s.backTo = true, tricks
			return true
		}
	}
	return false
}

// share is one position's part in the sharing out of work. The zero value shares nothing.
type share struct {
	s      *searcher
	tricks int    // left
	hash   uint64 // of the position
	later  uint32 // cards that another worker was leading
}

// ask begins a share, and notes that the worker is in a question.
func (h *share) ask(s *searcher, tricks int, q question) {
	h.s, h.tricks, h.hash = s, tricks, q.hash
	s.questions[tricks] = q
	s.open |= 1 << tricks
}

// end takes that back.
func (h *share) end() {
	if h.s != nil {
		h.s.open &^= 1 << h.tricks
	}
}

// isBack reports whether the search has stopped for this position alone, which another worker has answered. It goes on from
// here.
func (h *share) isBack() bool {
	if h.s == nil || h.s.backTo != h.tricks {
		return false
	}
	h.s.stop, h.s.backTo = false, 0
	h.s.open &^= 1<<h.tricks - 1
	return true
}

// mine returns the cards to choose from: those not left for later, or all if nothing else remains.
func (h *share) mine(todo uint32) uint32 {
	if m := todo &^ h.later; m != 0 {
		return m
	}
	return todo
}

// elsewhere reports whether to leave a card for later because another worker is leading it, and shows that this one is
// leading it if not.
func (h *share) elsewhere(c, todo uint32) bool {
	if h.s == nil {
		return false
	}
	key := (h.hash ^ uint64(c+1)<<58 ^ uint64(c+1)) * 0x9e3779b97f4a7c15
	if todo&^h.later&^(1<<c) != 0 && h.s.crew.leading(h.s, h.tricks, key) {
		h.later |= 1 << c
		return true
	}
	h.s.leads[h.tricks].Store(key)
	return false
}

package search

import (
	"math/bits"
	"sync"
	"sync/atomic"
)

// Several workers on one position.
//
// All workers run the same search with the same window and share the table; whoever ends first has the answer. They do
// different work because each shows the cards that it is trying, high in the tree, and leaves a card that another is trying
// for last: by then its result is in the table (Weill's ABDADA, in the simple form of Kerrigan). The first card of a position
// is never left, since nobody knows yet whether the others are needed. Where another worker has meanwhile answered what
// this one is still in, it goes back there.
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
	shareTricks = 5       // positions with at least so many tricks left are shared out
	pollEvery   = 64      // nodes between two looks at quit and at what others have answered
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
	for s.table.buckets < crewBuckets && s.table.canGrow() {
		s.table.grow(s.rehash)
	}
	s.table.shared = true
	s.open = 0
	for _, h := range c.helpers {
		h.deal, h.done = s.deal, s.done
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

// trying reports whether another worker than s is trying what the key stands for, so many cards from the end.
func (c *crew) trying(s *searcher, left int, key uint64) bool {
	for _, other := range c.all {
		if other != s && other.tries[left&31].Load() == key {
			return true
		}
	}
	return false
}

// teamwork is what a searcher needs to be one of several workers.
type teamwork struct {
	crew   *crew // nil for a single worker
	helper bool  // not the worker that the caller waits in

	tries     [32]atomic.Uint64 // the keys of the cards that it is trying, by the number of cards left in the hands
	questions [9]question       // those that it is in the middle of, by the tricks left
	open      uint32            // a bit for each of them
	backTo    int               // another worker has answered the one with so many tricks left: stop there; 0 for none
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
	s     *searcher
	left  int    // cards left in the hands
	hash  uint64 // of the position
	later uint32 // cards that another worker was trying
	tried bool   // the first card has been tried
}

// shares returns the share of a position with so many cards left in the hands; hash tells it from others.
func (s *searcher) shares(left int, hash uint64) share {
	if !s.table.shared || left < 4*shareTricks {
		return share{}
	}
	return share{s: s, left: left, hash: hash}
}

// ask notes that the worker is in a question about a position between two tricks.
func (h *share) ask(q question) {
	if h.s != nil {
		h.s.questions[h.left/4] = q
		h.s.open |= 1 << (h.left / 4)
	}
}

// end takes that back.
func (h *share) end() {
	if h.s != nil {
		h.s.open &^= 1 << (h.left / 4)
	}
}

// isBack reports whether the search has stopped for this position alone, which another worker has answered. It goes on from
// here.
func (h *share) isBack() bool {
	if h.s == nil || h.s.backTo != h.left/4 {
		return false
	}
	h.s.stop, h.s.backTo = false, 0
	h.s.open &^= 1<<(h.left/4) - 1
	return true
}

// mine returns the cards to choose from: those not left for later, or all if nothing else remains.
func (h *share) mine(todo uint32) uint32 {
	if m := todo &^ h.later; m != 0 {
		return m
	}
	return todo
}

// elsewhere reports whether to leave a card for later because another worker is trying it, and shows that this one is
// trying it if not.
func (h *share) elsewhere(c, todo uint32) bool {
	if h.s == nil {
		return false
	}
	key := (h.hash ^ uint64(c+1)<<58 ^ uint64(c+1)) * 0x9e3779b97f4a7c15
	if h.tried && todo&^h.later&^(1<<c) != 0 && h.s.crew.trying(h.s, h.left, key) {
		h.later |= 1 << c
		return true
	}
	h.tried = true
	h.s.tries[h.left&31].Store(key)
	return false
}

// done takes the card back.
func (h *share) done() {
	if h.s != nil {
		h.s.tries[h.left&31].Store(0)
	}
}

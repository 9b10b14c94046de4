package search

import (
	"sync"
	"sync/atomic"
)

// Several workers on one position.
//
// All workers run the same search with the same window and share the table; whoever ends first has the answer. They do
// different work because each marks the cards it is trying, high in the tree, and leaves a card that another is trying for
// last: by then its result is in the table (Weill's ABDADA, in the simple form of Kerrigan). The first card of a position
// is never left, since nobody knows yet whether the others are needed.
//
// A crew sets out only when a search has proved to be long, so easy positions are spared the cost of starting it.
type crew struct {
	helpers []*searcher
	busy    [busySize]atomic.Uint64 // what is being tried: a position's hash with a card

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
	busySize    = 1 << 12
	shareTricks = 4    // positions with at least so many tricks left are shared out
	pollEvery   = 64   // nodes between two looks at quit
	crewAfter   = 2048 // nodes after which a search counts as long
)

func newCrew(workers int, t *table) *crew {
	c := &crew{}
	for range workers - 1 {
		c.helpers = append(c.helpers, &searcher{table: t, crew: c, helper: true})
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
	s.table.shared = true
	for _, h := range c.helpers {
		h.deal, h.done = s.deal, s.done
		h.nodes, h.checkAt, h.stored, h.stop = 0, 0, 0, false
		c.group.Go(func() {
			v := h.from(&c.root, c.state, c.alpha, c.beta)
			if !h.stop && c.quit.CompareAndSwap(false, true) {
				c.value = v
				c.found.Store(true)
			}
		})
	}
}

// share is one position's part in the sharing out of work. The zero value shares nothing.
type share struct {
	crew  *crew
	hash  uint64
	later uint32 // cards that another worker was trying
	tried bool   // the first card has been tried
}

func (s *searcher) shares(tricks int, hash uint64) share {
	if !s.table.shared || tricks < shareTricks {
		return share{}
	}
	return share{crew: s.crew, hash: hash}
}

// mine returns the cards to choose from: those not left for later, or all if nothing else remains.
func (h *share) mine(todo uint32) uint32 {
	if m := todo &^ h.later; m != 0 {
		return m
	}
	return todo
}

func (h *share) key(c uint32) uint64 {
	return (h.hash ^ uint64(c+1)<<58 ^ uint64(c+1)) * 0x9e3779b97f4a7c15
}

// elsewhere reports whether to leave a card for later because another worker is trying it, and marks it as being tried if
// not.
func (h *share) elsewhere(c, todo uint32) bool {
	if h.crew == nil {
		return false
	}
	key := h.key(c)
	slot := &h.crew.busy[key>>52]
	if h.tried && todo&^h.later&^(1<<c) != 0 && slot.Load() == key {
		h.later |= 1 << c
		return true
	}
	h.tried = true
	slot.Store(key)
	return false
}

// done takes back the mark.
func (h *share) done(c uint32) {
	if h.crew != nil {
		key := h.key(c)
		h.crew.busy[key>>52].CompareAndSwap(key, 0)
	}
}

package search

import (
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// Several workers on one position.
//
// All workers run the same search with the same window and share the table; whoever ends first has the answer. They do
// different work because each shows which cards it is leading, high in the tree, and leaves a card that another is leading
// for last: by then its result is in the table (Weill's ABDADA, in the simple form of Kerrigan). That goes for the first card too, although nobody
// knows yet whether the others are needed: two workers behind one card would soon be at the same positions, and do the same work twice.
// For that reason it is leads alone that are shared out. Second and third cards are mostly needed one at a time.
//
// Who has answered a question tells the others that are still in it, and they go back there. They are told through checkAt, which a worker looks at in every position
// anyway, so that nobody has to ask.
//
// A crew sets out only when a search has proved to be long, so easy positions are spared the cost of starting it. Its helpers
// stay awake until the Solve ends: to wake a core takes as long as some thousand nodes, and a value takes several searches.
type crew struct {
	helpers []*searcher
	all     []*searcher // and the worker that the caller waits in
	awake   bool        // the helpers are
	begun   bool        // they may take part in the search under way

	phase atomic.Uint32
	busy  atomic.Int32 // helpers that take part, or are about to look whether they may
	group sync.WaitGroup

	found atomic.Bool // a helper has the answer: value
	value int32

	root        root
	state       state
	alpha, beta int32
}

// The phases of a crew. What its helpers read is written while it rests and none of them is busy.
const (
	resting   uint32 = iota // nothing to search, or somebody has the answer, or the context has ended
	searching               // helpers may join
	dismissed               // the Solve has ended
)

const (
	shareTricks = 5       // leads are shared out while at least so many tricks are left; with just so many, the first alone
	crewAfter   = 512     // nodes after which a search counts as long
	crewAgain   = 64      // the same once the helpers are awake
	crewBuckets = 1 << 14 // the least size of a shared table: 1 MiB
	restLooks   = 256     // looks at the phase after which a helper that rests lets other goroutines have its core
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
	c.root, c.state, c.alpha, c.beta = *r, st, alpha, beta
	if c.awake {
		s.checkAt.Store(s.nodes + crewAgain)
	} else {
		s.checkAt.Store(s.nodes + crewAfter)
	}
	v := s.from(r, st, alpha, beta)
	if !c.begun {
		return v
	}
	c.phase.Store(resting)
	c.call(s)
	for c.busy.Load() != 0 {
		runtime.Gosched()
	}
	s.table.shared = false
	for _, h := range c.helpers {
		s.nodes += h.nodes
		s.stored += h.stored
	}
	if s.stop && c.found.Load() {
		s.stop = false
		return c.value
	}
	return v
}

// begin sets the helpers to work.
func (c *crew) begin(s *searcher) {
	c.begun = true
	if !c.awake {
		c.muster(s)
	}
	s.table.shared = true
	s.open = 0
	for _, w := range c.all {
		for i := range w.leads { // what stands there is never taken back: a card that has been led is in the table, and may as well be left
			w.leads[i].Store(0)
			w.asking[i].Store(0)
		}
	}
	for _, h := range c.helpers {
		h.nodes, h.stored, h.open = 0, 0, 0
	}
	c.found.Store(false)
	c.phase.Store(searching)
}

// muster wakes the helpers.
func (c *crew) muster(s *searcher) {
	c.group.Wait() // for those of the Solve before, who may need a moment to go
	c.awake = true
	c.phase.Store(resting)
	c.all = append(append(c.all[:0], s), c.helpers...)
	for _, h := range c.helpers {
		h.deal, h.end, h.cards = s.deal, s.end, s.cards
		c.group.Go(func() { c.help(h) })
	}
	go func() {}() // the runtime keeps the newest goroutine some 100 us for the core that made it: let that not be a helper
}

// dismiss lets the helpers go.
func (c *crew) dismiss() {
	c.awake = false
	for _, h := range c.helpers {
		h.end = end{} // keep nothing of the caller's
	}
	c.phase.Store(dismissed)
}

// help takes part in every search until the crew is dismissed.
func (c *crew) help(h *searcher) {
	for looks := 1; ; looks++ {
		switch c.phase.Load() {
		case dismissed:
			return
		case resting:
			if looks%restLooks == 0 {
				runtime.Gosched()
			}
		case searching:
			c.busy.Add(1)
			if c.phase.Load() == searching { // if so, nothing changes before this helper is not busy any more
				c.join(h)
			}
			c.busy.Add(-1)
		}
	}
}

// join searches until there is an answer, and shows it if it is this helper's.
func (c *crew) join(h *searcher) {
	h.stop, h.backTo = false, 0
	h.checkAt.Store(0)
	v := h.from(&c.root, c.state, c.alpha, c.beta)
	if !h.stop && c.phase.CompareAndSwap(searching, resting) {
		c.value = v
		c.found.Store(true)
		c.call(h)
	}
}

// call has all workers but s look at once whether the search has ended.
func (c *crew) call(s *searcher) {
	for _, w := range c.all {
		if w != s {
			w.checkAt.Store(0)
		}
	}
}

// calls is what a worker looks at when it is called, and from time to time. It reports whether to stop.
func (c *crew) calls(s *searcher) bool {
	if !s.helper && !c.begun {
		c.begin(s)
	}
	if c.phase.Load() != searching {
		s.stop = true
	}
	return s.stop || s.told.Swap(false) && s.answered()
}

// tell tells the others that are in a question about a position, with so many tricks left, that s has answered one.
func (c *crew) tell(s *searcher, tricks int, hash uint64) {
	for _, w := range c.all {
		if w != s && w.asking[tricks].Load() == hash {
			w.told.Store(true)
			w.checkAt.Store(0)
		}
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
	asking    [9]atomic.Uint64 // the hashes of the positions of the questions that it is in the middle of, likewise
	told      atomic.Bool      // another worker has answered one of them, perhaps
	questions [9]question
	open      uint32 // a bit for each of them
	backTo    int    // another worker has answered the one with so many tricks left: stop there; 0 for none
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
	tried  bool   // a card has been looked at
}

// ask begins a share, and notes that the worker is in a question.
func (h *share) ask(s *searcher, tricks int, q question) {
	h.s, h.tricks, h.hash = s, tricks, q.hash
	s.questions[tricks] = q
	s.open |= 1 << tricks
	s.asking[tricks].Store(q.hash)
}

// end ends it when the answer is in the table.
func (h *share) end() {
	if h.s != nil {
		h.s.open &^= 1 << h.tricks
		h.s.crew.tell(h.s, h.tricks, h.hash)
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
	if h.s == nil || h.tried && h.tricks == shareTricks {
		return false
	}
	h.tried = true
	key := (h.hash ^ uint64(c+1)<<58 ^ uint64(c+1)) * 0x9e3779b97f4a7c15
	if todo&^h.later&^(1<<c) != 0 && h.s.crew.leading(h.s, h.tricks, key) {
		h.later |= 1 << c
		return true
	}
	h.s.leads[h.tricks].Store(key)
	return false
}

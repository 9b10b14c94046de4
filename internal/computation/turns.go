package computation

import (
	"cmp"
	"container/list"
	"time"
)

// turns says whose background computation starts next: clients take turns, by the time that their background computations have had on
// slots. So a client whose jobs need many slots for long does not delay another one whose job needs a slot now and then.
//
// A turn is a time on slots. A client's turn is behind what it has used, and not before the turn of the last background computation that
// was started, so that no time is saved up. The Scheduler's lock guards it.
type turns struct {
	reached time.Duration            // the turn of the last background computation that was started
	next    map[string]time.Duration // the turns of clients that are later than that, and some old ones
}

// keptTurns is how many turns are kept before old ones are removed.
const keptTurns = 1024

// of returns the turn of the client.
func (t *turns) of(client string) time.Duration { return max(t.reached, t.next[client]) }

// front returns the element of a queue that starts next: the first of the client with the earliest turn, of equal ones the first.
func (t *turns) front(line *list.List) *list.Element {
	first := line.Front()
	if first == nil {
		return nil
	}
	for e := first.Next(); e != nil; e = e.Next() {
		if t.of(computationAt(e).taker()) < t.of(computationAt(first).taker()) {
			first = e
		}
	}
	return first
}

// begin records that a computation of the client starts, and returns its turn.
func (t *turns) begin(client string) time.Duration {
	t.reached = t.of(client)
	return t.reached
}

// charge moves the client's turn behind a computation that began at a turn.
func (t *turns) charge(client string, began, took time.Duration) {
	t.next[client] = max(t.next[client], began) + took
	if len(t.next) > keptTurns {
		for name, turn := range t.next {
			if turn <= t.reached {
				delete(t.next, name)
			}
		}
	}
}

// taker returns who takes turns for the computation: the network of its client, or the client; empty for none.
func (c *computation) taker() string { return cmp.Or(c.request.payer.network, c.request.payer.client) }

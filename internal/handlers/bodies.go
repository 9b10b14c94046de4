package handlers

import (
	"context"
	"fmt"
	"sync"
	"time"

	"roem/internal/service"
)

// bodies bounds the bytes of large bodies that are in memory, in all and for each client. Room belongs to bytes that have come: a body has
// twice of them, so that clients that declare much and send little take little. Where there is no room, bodies that come too slowly end
// first. It is safe for concurrent use.
type bodies struct {
	most, each int64

	mu      sync.Mutex
	used    int64            // in all
	begun   int              // how many have begun
	of      map[string]int64 // by client; no zeros
	coming  map[*upload]bool // bodies that have not come to their end
	changed chan struct{}    // is closed when room may have become free
}

// upload is a large body that is read or answered.
type upload struct {
	client string
	cut    func() // ends a read of the body
	held   int64  // the room that it has
	number int    // in the order in which bodies began

	came    int64     // bytes that have come
	mark    int64     // bytes that had come at the time since
	since   time.Time // is zero while the body waits for room
	tooSlow bool      // it was cut
}

// How many bodies of the largest size may be in memory at a time, and how many of one client.
const (
	bodiesOfAll    = 8
	bodiesOfClient = 2
)

const (
	// bodiesWait is how long a body waits for room.
	bodiesWait = 5 * time.Second
	// slowAfter is the time in which a body must come by leastOfBody bytes, if others wait for its room.
	slowAfter   = time.Second
	leastOfBody = 64 << 10
)

// newBodies returns the bounds of bodies that have at most largest bytes each.
func newBodies(largest int64) *bodies {
	return &bodies{
		most: bodiesOfAll * largest, each: bodiesOfClient * largest,
		of: make(map[string]int64), coming: make(map[*upload]bool), changed: make(chan struct{}),
	}
}

// begin returns a body of a client, which has no room yet. leave must be called when the request ends.
func (b *bodies) begin(client string, came int64, cut func()) *upload {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.begun++
	u := &upload{client: client, number: b.begun, came: came, mark: came, cut: cut, since: time.Now()}
	b.coming[u] = true
	return u
}

// read counts bytes of a body that have come, and returns the error of reading them: another one if the body was cut.
func (b *bodies) read(u *upload, n int, err error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	u.came += int64(n)
	if err == nil {
		return nil
	}
	delete(b.coming, u)
	if u.tooSlow {
		return &service.Error{
			Kind: service.Busy, Code: service.BusyBodies, RetryAfter: stoppingRetry,
			Detail: "The body came too slowly, and other requests wait for its room.",
		}
	}
	return err
}

// leave gives back what the body has.
func (b *bodies) leave(u *upload) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.coming, u)
	b.used -= u.held
	if b.of[u.client] -= u.held; b.of[u.client] == 0 {
		delete(b.of, u.client)
	}
	close(b.changed)
	b.changed = make(chan struct{})
}

// grow gives the body room for size bytes. It waits for it, and returns a *service.Error if there is none in time.
func (b *bodies) grow(ctx context.Context, u *upload, size int64) error {
	late := time.NewTimer(bodiesWait)
	defer late.Stop()
	for last := false; ; {
		done, changed, err := b.try(u, size, last)
		if done || err != nil {
			return err
		}
		select {
		case <-changed:
		case <-time.After(slowAfter / 4): // by then a body may have become too slow
		case <-late.C:
			last = true
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// try gives the body room for size bytes if there is some. If not, it cuts bodies that come too slowly, and returns what is closed when
// there may be more room. In the last attempt it returns an error instead.
func (b *bodies) try(u *upload, size int64, last bool) (done bool, changed <-chan struct{}, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	more, now := size-u.held, time.Now()
	own := b.of[u.client]+more > b.each
	if !own && b.used+more <= b.most {
		u.held = size
		b.used += more
		b.of[u.client] += more
		u.mark, u.since = u.came, now
		return true, nil, nil
	}
	u.since = time.Time{}
	for other := range b.coming {
		if own && other.client != u.client || other.since.IsZero() || now.Sub(other.since) < slowAfter {
			continue
		}
		if other.came-other.mark < leastOfBody && !other.tooSlow {
			other.tooSlow = true
			other.cut()
		}
		other.mark, other.since = other.came, now
	}
	if last || b.stuck(u) {
		return false, nil, b.full(own)
	}
	return false, b.changed, nil
}

// stuck reports whether all room belongs to bodies that wait for more of it, of which u has the least, or came last: then it ends, so
// that another one can go on.
func (b *bodies) stuck(u *upload) bool {
	var waiting int64
	for other := range b.coming {
		if !other.since.IsZero() || other.held < u.held || other.held == u.held && other.number > u.number {
			return false
		}
		waiting += other.held
	}
	return len(b.coming) > 1 && waiting == b.used
}

// full is the error of a body for which there is no room, for its own client or at all.
func (b *bodies) full(own bool) error {
	if own {
		return &service.Error{
			Kind: service.Limited, Limit: service.LimitBodies, RetryAfter: stoppingRetry,
			Detail: fmt.Sprintf("Your earlier large requests are not answered yet, and the server keeps at most %d bytes of them for you.", b.each),
		}
	}
	return &service.Error{
		Kind: service.Busy, Code: service.BusyBodies, RetryAfter: stoppingRetry,
		Detail: fmt.Sprintf("Earlier large requests are not answered yet, and the server keeps at most %d bytes of them.", b.most),
	}
}

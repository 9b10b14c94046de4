package handlers

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"roem/internal/service"
)

// sending bounds the bytes of answers in memory that clients have not received yet, in all and for each client. Without it,
// clients that ask for large answers and never read them use all of the memory.
type sending struct {
	most, each int64
	all        *semaphore.Weighted

	mu      sync.Mutex
	waiting int64                // bytes of the answers that wait, in all
	to      map[string]*receiver // clients with an answer that is being sent or waits
}

// receiver is the part of sending that belongs to one client.
type receiver struct {
	bytes   *semaphore.Weighted
	answers int   // being sent and waiting
	waiting int64 // bytes of the answers that wait
}

// unboundedAnswer is the size up to which an answer is not counted. The connection takes so much without its client.
const unboundedAnswer = 16 << 10

// sendingWait is how long an answer waits until others have been sent.
const sendingWait = 5 * time.Second

// newSending returns the bounds in bytes. each is 0 for no bound of one client.
func newSending(most, each int64) *sending {
	if each <= 0 || each > most {
		each = most
	}
	return &sending{most: most, each: each, all: semaphore.NewWeighted(most), to: make(map[string]*receiver)}
}

// enter counts the bytes of an answer to the client until leave is called. It waits until there is room, and returns a *service.Error if
// there is none in time, or if too much waits already. An answer larger than the bound counts as much as the bound.
func (s *sending) enter(ctx context.Context, client string, bytes int) (leave func(), err error) {
	if bytes <= unboundedAnswer {
		return func() {}, nil
	}
	n := min(int64(bytes), s.each)
	to := s.receiver(client)
	if err := s.acquire(ctx, to, n); err != nil {
		s.forget(client, to)
		return nil, err
	}
	return func() {
		s.all.Release(n)
		to.bytes.Release(n)
		s.forget(client, to)
	}, nil
}

func (s *sending) receiver(client string) *receiver {
	s.mu.Lock()
	defer s.mu.Unlock()
	to := s.to[client]
	if to == nil {
		to = &receiver{bytes: semaphore.NewWeighted(s.each)}
		s.to[client] = to
	}
	to.answers++
	return to
}

func (s *sending) forget(client string, to *receiver) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if to.answers--; to.answers == 0 {
		delete(s.to, client)
	}
}

// acquire takes n bytes of the client and then of all, so that answers that wait for their own client take nothing from others.
func (s *sending) acquire(ctx context.Context, to *receiver, n int64) error {
	if to.bytes.TryAcquire(n) {
		if s.all.TryAcquire(n) {
			return nil
		}
		to.bytes.Release(n)
	}
	if err := s.wait(to, n); err != nil {
		return err
	}
	defer s.waited(to, n)
	limited, cancel := context.WithTimeout(ctx, sendingWait)
	defer cancel()
	if to.bytes.Acquire(limited, n) != nil {
		return errorOr(ctx, s.unread(true))
	}
	if s.all.Acquire(limited, n) != nil {
		to.bytes.Release(n)
		return errorOr(ctx, s.unread(false))
	}
	return nil
}

// errorOr returns the error of a context that has ended, and otherwise err.
func errorOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// unread returns what a client is told for whose answer there is no room.
func (s *sending) unread(byClient bool) error {
	if byClient {
		return &service.Error{
			Kind: service.Limited, Limit: service.LimitSending, RetryAfter: stoppingRetry,
			Detail: fmt.Sprintf("You have not received earlier answers yet, and the server keeps at most %d bytes "+
				"of answers for you. Read them first.", s.each),
		}
	}
	return &service.Error{
		Kind: service.Busy, Code: service.BusySending, RetryAfter: stoppingRetry,
		Detail: fmt.Sprintf("Clients have not received earlier answers yet, and the server keeps at most %d bytes of answers.", s.most),
	}
}

// wait counts n bytes that wait. Answers that wait are in memory too. For one client they may have as many bytes as the answers being
// sent to it, and for all clients half as many.
func (s *sending) wait(to *receiver, n int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case to.waiting+n > s.each:
		return s.unread(true)
	case s.waiting+n > max(s.most/2, s.each):
		return s.unread(false)
	}
	to.waiting += n
	s.waiting += n
	return nil
}

func (s *sending) waited(to *receiver, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	to.waiting -= n
	s.waiting -= n
}

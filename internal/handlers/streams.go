package handlers

import (
	"fmt"
	"sync"

	"roem/internal/service"
)

// streams counts the event streams that are being sent. It limits their number in all and for each client. Streams last as long as
// clients like, so without the second limit one client could use all of them.
type streams struct {
	most, each int // each is 0 for no limit

	mu    sync.Mutex
	total int
	to    map[string]int // by client; no zeros
}

func newStreams(most, each int) *streams {
	return &streams{most: most, each: each, to: make(map[string]int)}
}

// enter counts one more stream of the client until leave is called, or returns a *service.Error.
func (s *streams) enter(client string) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.each > 0 && s.to[client] >= s.each {
		return nil, &service.Error{
			Kind: service.Limited, Limit: service.LimitStreams, RetryAfter: stoppingRetry,
			Detail: fmt.Sprintf(
				"You already have %d event streams, and at most %d are allowed. End one, or use ?wait= instead.", s.to[client], s.each),
		}
	}
	if s.total >= s.most {
		return nil, &service.Error{
			Kind: service.Busy, Code: service.BusyStreams, RetryAfter: stoppingRetry,
			Detail: fmt.Sprintf("The server already sends %d event streams, which is its maximum. Use ?wait= instead, or connect later.", s.total),
		}
	}
	s.total++
	s.to[client]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.total--
		if s.to[client]--; s.to[client] == 0 {
			delete(s.to, client)
		}
	}, nil
}

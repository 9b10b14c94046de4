package handlers

import (
	"fmt"
	"sync"

	"roem/internal/service"
)

// streams counts the streams of events that are being sent, of which there may be so many in all and so many to each client.
// They last as long as clients like, so without the latter one client could keep all others from having any.
type streams struct {
	most, each int // each is 0 for no limit

	mu    sync.Mutex
	total int
	to    map[string]int // by client, those that have some
}

func newStreams(most, each int) *streams {
	return &streams{most: most, each: each, to: make(map[string]int)}
}

// enter counts one more stream to the client, until leave is called, or returns an *Error.
func (s *streams) enter(client string) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.each > 0 && s.to[client] >= s.each {
		return nil, &service.Error{
			Kind: service.Limited, Limit: service.LimitStreams, RetryAfter: stoppingRetry,
			Detail: fmt.Sprintf("%d streams of events go to you already, of at most %d. End one, or ask with ?wait= instead.", s.to[client], s.each),
		}
	}
	if s.total >= s.most {
		return nil, &service.Error{
			Kind: service.Busy, RetryAfter: stoppingRetry,
			Detail: fmt.Sprintf("The server sends %d streams of events already. Ask with ?wait= instead, or connect later.", s.total),
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

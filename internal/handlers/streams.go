package handlers

import (
	"fmt"
	"sync"

	"roem/internal/service"
)

// streams counts the event streams that are being sent, and the waits for jobs. It limits their number in all, for each client and for each
// network. They last as long as clients like, so without these limits one client could use all of them.
type streams struct {
	most, each int // each is 0 for no limit

	mu    sync.Mutex
	total int
	of    map[string]int // by client and by network; no zeros
}

// networkStreams is how many times the streams of a client its network may have.
const networkStreams = 2

func newStreams(most, each int) *streams {
	return &streams{most: most, each: each, of: make(map[string]int)}
}

// enter counts one more stream of the client until leave is called, or returns a *service.Error.
func (s *streams) enter(c client) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.full(c); err != nil {
		return nil, err
	}
	s.add(c, 1)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.add(c, -1)
	}, nil
}

// full returns why the client cannot have one more, nil if it can.
func (s *streams) full(c client) error {
	const instead = "End one, or ask for the job without ?wait=."
	limited := func(format string, args ...any) error {
		return &service.Error{
			Kind: service.Limited, Limit: service.LimitStreams, RetryAfter: stoppingRetry, Detail: fmt.Sprintf(format, args...),
		}
	}
	switch {
	case s.each > 0 && s.of[c.owner] >= s.each:
		return limited("You already have %d event streams and waits for jobs, and at most %d are allowed. %s", s.of[c.owner], s.each, instead)
	case s.each > 0 && c.network != "" && s.of[c.network] >= networkStreams*s.each:
		return limited("The clients of your network already have %d event streams and waits for jobs, and at most %d are allowed. %s",
			s.of[c.network], networkStreams*s.each, instead)
	case s.total >= s.most:
		return &service.Error{
			Kind: service.Busy, Code: service.BusyStreams, RetryAfter: stoppingRetry,
			Detail: fmt.Sprintf("The server already has %d event streams and waits for jobs, which is its maximum. Ask for the job "+
				"without ?wait=, or connect later.", s.total),
		}
	}
	return nil
}

// add counts n streams of the client.
func (s *streams) add(c client, n int) {
	s.total += n
	for _, name := range []string{c.owner, c.network} {
		if name == "" {
			continue
		}
		if s.of[name] += n; s.of[name] == 0 {
			delete(s.of, name)
		}
	}
}

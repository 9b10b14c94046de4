package computation

import (
	"context"
	"time"
)

// Enter counts work of the client of ctx that needs no slot, as one of its computations, until leave is called. leave charges the time that the work
// took. The error is ErrClosed or a *LimitedError.
func (s *Scheduler) Enter(ctx context.Context) (leave func(took time.Duration), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	one, err := s.accounts.enter(ClientOf(ctx), time.Now(), s.retryAfter())
	if err != nil {
		return nil, err
	}
	return func(took time.Duration) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.accounts.leave(one, time.Now(), took)
	}, nil
}

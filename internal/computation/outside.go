package computation

import (
	"context"
	"time"
)

// Enter counts work of the client of ctx that needs no slot, as a request of its own, until leave is called. leave charges the time that
// the work took. The error is ErrClosed or a *LimitedError.
func (s *Scheduler) Enter(ctx context.Context) (leave func(took time.Duration), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	payer := payerOf(ctx)
	one, err := s.accounts.admit(payer, s.now(), s.retryAfter())
	if err != nil {
		return nil, err
	}
	if one != nil {
		one.slots++
	}
	return func(took time.Duration) {
		s.mu.Lock()
		defer s.mu.Unlock()
		now := s.now()
		s.accounts.charge(one, now, took)
		s.accounts.leave(one, payer, now)
	}, nil
}

package service

import (
	"context"
	"sync"
	"time"
)

// operation is work that a client waits for, and that a job can take over when the client has waited long enough: the
// search goes on, only who it is for changes.
type operation struct {
	work   *Work
	state  *runState
	cancel context.CancelFunc

	done   chan struct{} // closed when answer and err are set
	answer any
	err    error

	mu      sync.Mutex
	last    progress
	forward func(progress) // where progress goes once a job has taken it over
}

// begin starts the work. The values of the context go along, its end does not: that is for whoever waits to decide.
func (s *Service) begin(ctx context.Context, w *Work) *operation {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	o := &operation{work: w, state: &runState{}, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer cancel()
		defer close(o.done)
		o.answer, o.err = protected(func() (any, error) {
			return s.do(withRun(ctx, run{o.state, o.tell}), w)
		})
	}()
	return o
}

// abandon ends the work and waits until it has.
func (o *operation) abandon() {
	o.cancel()
	<-o.done
}

func (o *operation) tell(p progress) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = p
	if o.forward != nil {
		o.forward(p)
	}
}

// take makes the operation one that nobody waits for, and sends its progress elsewhere from now on.
func (o *operation) take(forward func(progress)) {
	o.state.background.Store(true)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.forward = forward
	if o.last.Of > 0 {
		forward(o.last)
	}
}

// carried holds operations that wait for the job that takes them over.
type carried struct {
	mu    sync.Mutex
	byKey map[string]*operation
}

// takeoverLimit is how long an operation waits for its job to take it over, once that has been accepted: it has been
// elsewhere when it has not done so by then.
const takeoverLimit = time.Second

// offer lets the job of the key take the operation over. It is false where another operation is offered for it already.
func (c *carried) offer(key string, o *operation) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey[key] != nil {
		return false
	}
	c.byKey[key] = o
	return true
}

// takeOver returns the operation that is offered for the key, or nil. It is the caller's then.
func (c *carried) takeOver(key string) *operation {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.byKey[key]
	delete(c.byKey, key)
	return o
}

// withdraw ends the operation unless a job has taken it over.
func (c *carried) withdraw(key string, o *operation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey[key] == o {
		delete(c.byKey, key)
		o.cancel()
	}
}

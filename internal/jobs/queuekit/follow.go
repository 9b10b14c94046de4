package queuekit

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"time"

	"roem/internal/jobs"
)

// Bell tells those who listen that something about a topic has changed. Its zero value is ready.
type Bell struct {
	mu        sync.Mutex
	listeners map[string]map[chan struct{}]struct{}
}

// Listen returns a channel that holds a value when one of the topics has been rung since it was last received from, and
// a function that must be called in the end.
func (b *Bell) Listen(topics ...string) (rung <-chan struct{}, stop func()) {
	ch := make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.listeners == nil {
		b.listeners = map[string]map[chan struct{}]struct{}{}
	}
	for _, topic := range topics {
		if b.listeners[topic] == nil {
			b.listeners[topic] = map[chan struct{}]struct{}{}
		}
		b.listeners[topic][ch] = struct{}{}
	}
	return ch, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, topic := range topics {
			delete(b.listeners[topic], ch)
			if len(b.listeners[topic]) == 0 {
				delete(b.listeners, topic)
			}
		}
	}
}

// Ring tells whoever listens to the topic.
func (b *Bell) Ring(topic string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch := range b.listeners[topic] {
		ring(ch)
	}
}

// RingAll tells everybody.
func (b *Bell) RingAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, channels := range b.listeners {
		for ch := range channels {
			ring(ch)
		}
	}
}

func ring(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default: // it has not been heard yet
	}
}

// Following is what Follow needs.
type Following struct {
	First jobs.Job                                    // what is sent first
	Get   func(ctx context.Context) (jobs.Job, error) // the job as it is now
	Rung  <-chan struct{}                             // when it may have changed
	Every time.Duration                               // how often to look without having heard anything
	Done  <-chan struct{}                             // when the queue is closed
	Stop  func()                                      // called at the end
}

// pace is the least time between two looks at a job. Progress may come far quicker than anybody reads it.
const pace = 20 * time.Millisecond

// Follow returns the channel of a Queue's Watch.
func Follow(ctx context.Context, f Following) <-chan jobs.Job {
	ch := make(chan jobs.Job, 1)
	ch <- f.First
	go func() {
		defer close(ch)
		defer f.Stop()
		last := f.First
		tick := time.NewTicker(f.Every)
		defer tick.Stop()
		pacer := time.NewTimer(0)
		defer pacer.Stop()
		for !last.Status.Final() {
			select {
			case <-ctx.Done():
				return
			case <-f.Done:
				return
			case <-pacer.C:
			}
			select {
			case <-ctx.Done():
				return
			case <-f.Done:
				return
			case <-f.Rung:
			case <-tick.C:
			}
			job, err := f.Get(ctx)
			pacer.Reset(pace)
			switch {
			case errors.Is(err, jobs.ErrNotFound), errors.Is(err, jobs.ErrClosed):
				return
			case err != nil || same(last, job):
				continue
			}
			last = job
			select {
			case ch <- job:
				continue
			default:
			}
			select { // it has been overtaken
			case <-ch:
			default:
			}
			ch <- job // nobody else sends
		}
	}()
	return ch
}

func same(a, b jobs.Job) bool {
	return a.Status == b.Status && a.Attempts == b.Attempts && a.PositionInQueue == b.PositionInQueue &&
		a.StartedAt.Equal(b.StartedAt) && bytes.Equal(a.Progress, b.Progress)
}

package queuekit

import (
	"sync"
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

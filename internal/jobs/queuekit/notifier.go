package queuekit

import "sync"

// Notifier notifies subscribers of changes to a topic. Its zero value is ready to use.
type Notifier struct {
	mu          sync.Mutex
	subscribers map[string]map[chan struct{}]struct{}
}

// Subscribe returns a channel that holds a value when one of the topics has changed since the last receive, and a function
// that ends the subscription. The function must be called.
func (n *Notifier) Subscribe(topics ...string) (changed <-chan struct{}, stop func()) {
	ch := make(chan struct{}, 1)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.subscribers == nil {
		n.subscribers = map[string]map[chan struct{}]struct{}{}
	}
	for _, topic := range topics {
		if n.subscribers[topic] == nil {
			n.subscribers[topic] = map[chan struct{}]struct{}{}
		}
		n.subscribers[topic][ch] = struct{}{}
	}
	return ch, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		for _, topic := range topics {
			delete(n.subscribers[topic], ch)
			if len(n.subscribers[topic]) == 0 {
				delete(n.subscribers, topic)
			}
		}
	}
}

// Notify notifies the subscribers of the topic. It never blocks.
func (n *Notifier) Notify(topic string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for ch := range n.subscribers[topic] {
		Signal(ch)
	}
}

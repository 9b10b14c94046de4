package weightfile

import "sync"

// Remembered is a model that is loaded when it is first asked for. Unlike sync.OnceValues it remembers no error: where files come over a
// network, the next call may have more luck. Its zero value is ready: a program that asks for no model has nothing of it.
type Remembered[T any] struct {
	mu     sync.Mutex
	loaded bool
	model  T
}

// Get returns the model, which load returns when it is first called.
func (r *Remembered[T]) Get(load func() (T, error)) (T, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.loaded {
		return r.model, nil
	}
	m, err := load()
	if err == nil {
		r.model, r.loaded = m, true
	}
	return m, err
}

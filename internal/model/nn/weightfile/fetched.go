package weightfile

import "sync"

// Remembered returns a function that loads a model when it is first called. Unlike sync.OnceValues it remembers no error: where files come
// over a network, the next call may have more luck.
func Remembered[T any](load func() (T, error)) func() (T, error) {
	var (
		mu     sync.Mutex
		loaded bool
		model  T
	)
	return func() (T, error) {
		mu.Lock()
		defer mu.Unlock()
		if loaded {
			return model, nil
		}
		m, err := load()
		if err == nil {
			model, loaded = m, true
		}
		return m, err
	}
}

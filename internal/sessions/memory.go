package sessions

import (
	"context"
	"sync"
)

// Memory keeps sessions in the memory of the process. They end with it.
type Memory struct {
	mu     sync.Mutex
	table  *table
	closed bool
}

var _ Store = (*Memory)(nil)

// NewMemory returns an empty store.
func NewMemory(o Options) *Memory { return &Memory{table: newTable(o.withDefaults())} }

// do returns the session that a function finds or changes in the table.
func (m *Memory) do(ctx context.Context, f func(t *table) (*kept, error)) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return Entry{}, ErrClosed
	}
	k, err := f(m.table)
	if err != nil {
		return Entry{}, err
	}
	return k.Entry, nil
}

// Create keeps a new session.
func (m *Memory) Create(ctx context.Context, n New) (Entry, error) {
	return m.do(ctx, func(t *table) (*kept, error) { return t.create(n) })
}

// Find returns the session that an owner has created with a key.
func (m *Memory) Find(ctx context.Context, owner, key, request string) (Entry, error) {
	return m.do(ctx, func(t *table) (*kept, error) { return t.find(owner, key, request) })
}

// Get returns a session.
func (m *Memory) Get(ctx context.Context, id string) (Entry, error) {
	return m.do(ctx, func(t *table) (*kept, error) { return t.get(id) })
}

// Swap changes the value of a session.
func (m *Memory) Swap(ctx context.Context, id string, version uint64, value []byte, finished bool) (Entry, error) {
	return m.do(ctx, func(t *table) (*kept, error) { return t.swap(id, version, value, finished) })
}

// Delete ends a session.
func (m *Memory) Delete(ctx context.Context, id string) error {
	_, err := m.do(ctx, func(t *table) (*kept, error) { return t.end(id) })
	return err
}

// Len returns how many sessions there are.
func (m *Memory) Len(context.Context) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0, ErrClosed
	}
	m.table.expire()
	return m.table.all.Len(), nil
}

// Check has an error only after Close: nothing else can fail.
func (m *Memory) Check(ctx context.Context) error {
	_, err := m.Len(ctx)
	return err
}

// Counts returns how many sessions were created and have ended.
func (m *Memory) Counts() Counts {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.table.count()
}

// Close ends all sessions.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

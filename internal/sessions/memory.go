package sessions

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// Memory keeps sessions in the memory of the process. They end with it.
type Memory struct {
	options Options

	mu     sync.Mutex
	byID   map[string]*kept
	all    list.List             // of *kept, the least recently changed first, so also the first to expire
	owners map[string]*list.List // the same for each owner
}

var _ Store = (*Memory)(nil)

// kept is a session of a Memory.
type kept struct {
	Entry
	id, owner       string
	inAll, inOwners *list.Element
}

// NewMemory returns an empty store.
func NewMemory(o Options) *Memory {
	return &Memory{options: o.withDefaults(), byID: map[string]*kept{}, owners: map[string]*list.List{}}
}

// Create keeps a new session.
func (m *Memory) Create(ctx context.Context, owner, id string, value []byte) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.expire()
	if old := m.byID[id]; old != nil {
		m.remove(old)
	}
	of := m.owners[owner]
	if of == nil {
		of = list.New()
		m.owners[owner] = of
	}
	k := &kept{Entry: Entry{Value: value, Version: 1, Expires: now.Add(m.options.Retention)}, id: id, owner: owner}
	k.inAll, k.inOwners = m.all.PushBack(k), of.PushBack(k)
	m.byID[id] = k
	if most := m.options.MaxEach; most > 0 && of.Len() > most {
		m.remove(at(of.Front()))
	}
	if m.all.Len() > m.options.Max {
		m.remove(at(m.all.Front()))
	}
	return k.Entry, nil
}

// Get returns a session.
func (m *Memory) Get(ctx context.Context, id string) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	k := m.byID[id]
	if k == nil {
		return Entry{}, ErrNotFound
	}
	return k.Entry, nil
}

// Swap changes the value of a session.
func (m *Memory) Swap(ctx context.Context, id string, version uint64, value []byte) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.expire()
	k := m.byID[id]
	switch {
	case k == nil:
		return Entry{}, ErrNotFound
	case k.Version != version:
		return Entry{}, ErrChanged
	}
	k.Entry = Entry{Value: value, Version: version + 1, Expires: now.Add(m.options.Retention)}
	m.all.MoveToBack(k.inAll)
	m.owners[k.owner].MoveToBack(k.inOwners)
	return k.Entry, nil
}

// Delete ends a session.
func (m *Memory) Delete(ctx context.Context, id string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	k := m.byID[id]
	if k == nil {
		return ErrNotFound
	}
	m.remove(k)
	return nil
}

// Len returns how many sessions there are.
func (m *Memory) Len(context.Context) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	return m.all.Len(), nil
}

// Close does nothing.
func (m *Memory) Close() error { return nil }

// expire removes the sessions that have expired, and returns the time. The caller holds m.mu.
func (m *Memory) expire() time.Time {
	now := m.options.Now()
	for e := m.all.Front(); e != nil && !at(e).Expires.After(now); e = m.all.Front() {
		m.remove(at(e))
	}
	return now
}

// remove removes a session. The caller holds m.mu.
func (m *Memory) remove(k *kept) {
	delete(m.byID, k.id)
	m.all.Remove(k.inAll)
	of := m.owners[k.owner]
	if of.Remove(k.inOwners); of.Len() == 0 {
		delete(m.owners, k.owner)
	}
}

func at(e *list.Element) *kept {
	k, _ := e.Value.(*kept)
	return k
}

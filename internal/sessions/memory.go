package sessions

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"
)

// Memory keeps sessions in the memory of the process. They end with it.
type Memory struct {
	options Options

	mu     sync.Mutex
	byID   map[string]*kept
	byKey  map[ownerKey]*kept
	all    list.List             // of *kept, the least recently changed first, so also the first to expire
	owners map[string]*list.List // the same for each owner
	counts Counts                // without Expired
	// expired counts the sessions that have expired.
	expired uint64
}

var _ Store = (*Memory)(nil)

// kept is a session of a Memory.
type kept struct {
	Entry
	key             ownerKey // without a key if it has none
	request         string
	inAll, inOwners *list.Element
}

// ownerKey is a key that an owner has used.
type ownerKey struct{ owner, key string }

// NewMemory returns an empty store.
func NewMemory(o Options) *Memory {
	return &Memory{options: o.withDefaults(), byID: map[string]*kept{}, byKey: map[ownerKey]*kept{}, owners: map[string]*list.List{}}
}

// Create keeps a new session.
func (m *Memory) Create(ctx context.Context, n New) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.expire()
	if e, err := m.find(ownerKey{n.Owner, n.Key}, n.Request); !errors.Is(err, ErrNotFound) {
		return e, err
	}
	if old := m.byID[n.ID]; old != nil {
		m.remove(old)
	}
	of := m.owners[n.Owner]
	if of == nil {
		of = list.New()
		m.owners[n.Owner] = of
	}
	k := &kept{
		Entry: Entry{ID: n.ID, Value: n.Value, Version: 1, Expires: now.Add(m.options.Retention)}, key: ownerKey{n.Owner, n.Key}, request: n.Request,
	}
	k.inAll, k.inOwners = m.all.PushBack(k), of.PushBack(k)
	m.byID[n.ID] = k
	if n.Key != "" {
		m.byKey[k.key] = k
	}
	m.counts.Created++
	if most := m.options.MaxEach; most > 0 && of.Len() > most {
		m.remove(at(of.Front()))
		m.counts.Displaced++
	}
	if m.all.Len() > m.options.Max {
		m.remove(at(m.all.Front()))
		m.counts.Displaced++
	}
	return k.Entry, nil
}

// Find returns the session that an owner has created with a key.
func (m *Memory) Find(ctx context.Context, owner, key, request string) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	return m.find(ownerKey{owner, key}, request)
}

// find returns the session of a key. The caller holds m.mu.
func (m *Memory) find(key ownerKey, request string) (Entry, error) {
	switch k := m.byKey[key]; {
	case k == nil:
		return Entry{}, ErrNotFound
	case k.request != request:
		return Entry{}, ErrKeyReused
	default:
		return k.Entry, nil
	}
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
	k.Entry = Entry{ID: id, Value: value, Version: version + 1, Expires: now.Add(m.options.Retention)}
	m.all.MoveToBack(k.inAll)
	m.owners[k.key.owner].MoveToBack(k.inOwners)
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
	m.counts.Deleted++
	return nil
}

// Len returns how many sessions there are.
func (m *Memory) Len(context.Context) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	return m.all.Len(), nil
}

// Counts returns how many sessions were created and have ended.
func (m *Memory) Counts() Counts {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	c := m.counts
	c.Expired = new(m.expired)
	return c
}

// Close does nothing.
func (m *Memory) Close() error { return nil }

// expire removes the sessions that have expired, and returns the time. The caller holds m.mu.
func (m *Memory) expire() time.Time {
	now := m.options.Now()
	for e := m.all.Front(); e != nil && !at(e).Expires.After(now); e = m.all.Front() {
		m.remove(at(e))
		m.expired++
	}
	return now
}

// remove removes a session. The caller holds m.mu.
func (m *Memory) remove(k *kept) {
	delete(m.byID, k.ID)
	delete(m.byKey, k.key)
	m.all.Remove(k.inAll)
	of := m.owners[k.key.owner]
	if of.Remove(k.inOwners); of.Len() == 0 {
		delete(m.owners, k.key.owner)
	}
}

func at(e *list.Element) *kept {
	k, _ := e.Value.(*kept)
	return k
}

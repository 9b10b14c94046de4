package sessions

import (
	"container/list"
	"errors"
	"time"
)

// table holds the sessions of one process and decides which of them end. Its owner guards it with a lock.
type table struct {
	options Options

	byID   map[string]*kept
	byKey  map[ownerKey]*kept
	all    list.List             // of *kept, the least recently changed first, so also the first to expire
	owners map[string]*list.List // the same for each owner
	counts Counts                // without Expired
	// expired counts the sessions that have expired.
	expired uint64
	// changed, if not nil, is called with each session that was created, changed or removed.
	changed func(*kept)
}

// kept is a session of a table.
type kept struct {
	Entry
	key             ownerKey // without a key if it has none
	request         string
	inAll, inOwners *list.Element
	written         *commit // the last change, on its way to the disk; nil if it is there or the sessions are in memory only
	ended           bool    // it is no longer in the table
}

// ownerKey is a key that an owner has used.
type ownerKey struct{ owner, key string }

func newTable(o Options) *table {
	return &table{
		options: o, byID: make(map[string]*kept), byKey: make(map[ownerKey]*kept), owners: make(map[string]*list.List), changed: func(*kept) {},
	}
}

// create adds a new session, or returns the one that its owner has created with its key.
func (t *table) create(n New) (*kept, error) {
	now := t.expire()
	if k, err := t.find(n.Owner, n.Key, n.Request); !errors.Is(err, ErrNotFound) {
		return k, err
	}
	if old := t.byID[n.ID]; old != nil {
		t.remove(old)
	}
	k := &kept{
		Entry: Entry{ID: n.ID, Value: n.Value, Version: 1, Expires: now.Add(t.options.Retention)}, key: ownerKey{n.Owner, n.Key}, request: n.Request,
	}
	t.add(k)
	t.counts.Created++
	t.limit(n.Owner)
	return k, nil
}

// add adds a session that was changed after all others.
func (t *table) add(k *kept) {
	of := t.owners[k.key.owner]
	if of == nil {
		of = list.New()
		t.owners[k.key.owner] = of
	}
	k.inAll, k.inOwners = t.all.PushBack(k), of.PushBack(k)
	t.byID[k.ID] = k
	if k.key.key != "" {
		t.byKey[k.key] = k
	}
	t.changed(k)
}

// limit ends sessions beyond the limits of an owner and of all.
func (t *table) limit(owner string) {
	for of := t.owners[owner]; t.options.MaxEach > 0 && of.Len() > t.options.MaxEach; t.counts.Displaced++ {
		t.remove(at(of.Front()))
	}
	for ; t.all.Len() > t.options.Max; t.counts.Displaced++ {
		t.remove(at(t.all.Front()))
	}
}

// find returns the session that an owner has created with a key.
func (t *table) find(owner, key, request string) (*kept, error) {
	t.expire()
	switch k := t.byKey[ownerKey{owner, key}]; {
	case k == nil:
		return nil, ErrNotFound
	case k.request != request:
		return nil, ErrKeyReused
	default:
		return k, nil
	}
}

// get returns a session.
func (t *table) get(id string) (*kept, error) {
	t.expire()
	if k := t.byID[id]; k != nil {
		return k, nil
	}
	return nil, ErrNotFound
}

// swap changes the value of a session.
func (t *table) swap(id string, version uint64, value []byte) (*kept, error) {
	now := t.expire()
	k := t.byID[id]
	switch {
	case k == nil:
		return nil, ErrNotFound
	case k.Version != version:
		return nil, ErrChanged
	}
	k.Entry = Entry{ID: id, Value: value, Version: version + 1, Expires: now.Add(t.options.Retention)}
	t.all.MoveToBack(k.inAll)
	t.owners[k.key.owner].MoveToBack(k.inOwners)
	t.changed(k)
	return k, nil
}

// end removes a session that a client has ended.
func (t *table) end(id string) (*kept, error) {
	t.expire()
	k := t.byID[id]
	if k == nil {
		return nil, ErrNotFound
	}
	t.remove(k)
	t.counts.Deleted++
	return k, nil
}

// expire removes the sessions that have expired, and returns the time.
func (t *table) expire() time.Time {
	now := t.options.Now()
	for e := t.all.Front(); e != nil && !at(e).Expires.After(now); e = t.all.Front() {
		t.remove(at(e))
		t.expired++
	}
	return now
}

// remove removes a session.
func (t *table) remove(k *kept) {
	k.ended = true
	delete(t.byID, k.ID)
	delete(t.byKey, k.key)
	t.all.Remove(k.inAll)
	of := t.owners[k.key.owner]
	if of.Remove(k.inOwners); of.Len() == 0 {
		delete(t.owners, k.key.owner)
	}
	t.changed(k)
}

// count returns how many sessions were created and have ended.
func (t *table) count() Counts {
	t.expire()
	c := t.counts
	c.Expired = new(t.expired)
	return c
}

func at(e *list.Element) *kept {
	k, _ := e.Value.(*kept)
	return k
}

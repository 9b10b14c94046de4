package sessions

import (
	"cmp"
	"container/list"
	"errors"
	"time"
)

// table holds the sessions of one process and decides which of them end. Its owner guards it with a lock.
type table struct {
	options Options

	byID   map[string]*kept
	byKey  map[ownerKey]*kept
	all    list.List // of *kept, the least recently changed first, so also the first to expire
	owners map[string]*ends
	groups map[string]*group
	order  groupHeap
	counts Counts // without Expired
	// expired counts the sessions that have expired.
	expired uint64
	// changed, if not nil, is called with each session that was created, changed or removed.
	changed func(*kept)
}

// kept is a session of a table.
type kept struct {
	Entry
	key                     ownerKey // without a key if it has none
	group                   string
	request                 string
	finished                bool
	inAll, inOwner, inGroup *list.Element
	written                 *commit // the last change, on its way to the disk; nil if it is there or the sessions are in memory only
}

// ownerKey is a key that an owner has used.
type ownerKey struct{ owner, key string }

func newTable(o Options) *table {
	return &table{
		options: o, byID: make(map[string]*kept), byKey: make(map[ownerKey]*kept),
		owners: make(map[string]*ends), groups: make(map[string]*group), changed: func(*kept) {},
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
		Entry: Entry{ID: n.ID, Holder: n.Holder, Value: n.Value, Version: 1, Expires: now.Add(t.options.Retention)},
		key:   ownerKey{n.Owner, n.Key}, group: cmp.Or(n.Group, n.Owner), request: n.Request, finished: n.Finished,
	}
	t.makeRoom(k)
	t.add(k)
	t.counts.Created++
	return k, nil
}

// add adds a session that was changed after all others.
func (t *table) add(k *kept) {
	if t.owners[k.key.owner] == nil {
		t.owners[k.key.owner] = new(ends)
	}
	g := t.groups[k.group]
	if g == nil {
		g = new(group)
		t.groups[k.group] = g
	}
	k.inAll, k.inOwner, k.inGroup = t.all.PushBack(k), t.owners[k.key.owner].push(k), g.push(k)
	t.order.fix(g)
	t.byID[k.ID] = k
	if k.key.key != "" {
		t.byKey[k.key] = k
	}
	t.changed(k)
}

// makeRoom ends sessions so that another one can be added within the limits.
func (t *table) makeRoom(k *kept) {
	for of := t.owners[k.key.owner]; of != nil && of.len() >= t.options.MaxEach && of.len() > 0; t.counts.DisplacedByOwner++ {
		t.remove(of.first())
	}
	for ; t.all.Len() >= t.options.Max; t.counts.DisplacedByAll++ {
		t.remove(t.order.firstWith(t.groups[k.group]))
	}
}

// trim ends sessions beyond the limits, which may have been larger before a restart.
func (t *table) trim() {
	for _, of := range t.owners {
		for ; of.len() > t.options.MaxEach; t.counts.DisplacedByOwner++ {
			t.remove(of.first())
		}
	}
	for ; t.all.Len() > t.options.Max; t.counts.DisplacedByAll++ {
		t.remove(t.order[0].first())
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
func (t *table) swap(id string, version uint64, value []byte, finished bool) (*kept, error) {
	now := t.expire()
	k := t.byID[id]
	switch {
	case k == nil:
		return nil, ErrNotFound
	case k.Version != version:
		return nil, ErrChanged
	}
	k.Entry = Entry{ID: id, Holder: k.Holder, Value: value, Version: version + 1, Expires: now.Add(t.options.Retention)}
	k.finished = finished
	of, g := t.owners[k.key.owner], t.groups[k.group]
	t.all.MoveToBack(k.inAll)
	of.remove(k.inOwner)
	g.remove(k.inGroup)
	k.inOwner, k.inGroup = of.push(k), g.push(k)
	t.order.fix(g)
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
	delete(t.byID, k.ID)
	delete(t.byKey, k.key)
	t.all.Remove(k.inAll)
	of, g := t.owners[k.key.owner], t.groups[k.group]
	if of.remove(k.inOwner); of.len() == 0 {
		delete(t.owners, k.key.owner)
	}
	if g.remove(k.inGroup); g.len() == 0 {
		delete(t.groups, k.group)
	}
	t.order.fix(g)
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

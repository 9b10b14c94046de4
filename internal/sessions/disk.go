//go:build !js

package sessions

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	"go.uber.org/zap"

	"roem/internal/boltfile"
)

// DiskOptions are the options common to all stores, and those for a file.
type DiskOptions struct {
	Options
	Path string      // of the file, which is created if it does not exist
	Log  *zap.Logger // gets errors about a damaged file and about changes that could not be written; nil for no log
}

// lockTimeout is how long NewDisk waits for another process that has the file open, such as one that is stopping.
const lockTimeout = 2 * time.Second

// Disk keeps sessions in a file, for one process at a time. They survive the death of the process at any moment: a change is flushed to the
// disk before the call that makes it returns.
//
// Decisions are made in a table in memory. One goroutine writes the changes of the table to the file, all that have come together since its
// last write in one transaction. A call returns when what it has seen or changed in the table is in the file. If the file cannot be
// written, the table is read from the file again, so that it has only what the file has. A file that is damaged, removed or replaced while
// it is open is moved aside, and the whole table is written to a new one.
type Disk struct {
	options Options
	path    string
	file    *boltfile.File
	log     *zap.Logger
	wake    chan struct{} // receives when there may be something to write
	stop    chan struct{} // closed by Close
	stopped chan struct{} // closed when the writer has ended

	mu      sync.Mutex
	table   *table  // nil after a failed write, until the file has been read
	next    *commit // the changes that are not being written yet
	settled Counts  // of what is in the file
	closed  bool

	partial bool // a new file has not got the whole table yet; only the writer uses it
}

var _ Store = (*Disk)(nil)

// commit is a number of changes that are written together.
type commit struct {
	ids  map[string]bool // of the sessions that have changed or ended
	done chan struct{}   // closed when they are in the file, or could not be written
	err  error           // set before that
}

func newCommit() *commit { return &commit{ids: make(map[string]bool), done: make(chan struct{})} }

// wait waits until the changes are in the file.
func (c *commit) wait(ctx context.Context) error {
	if c == nil {
		return nil
	}
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// NewDisk opens the file. A damaged file is moved aside and replaced by an empty one. Sessions beyond the limits end, like those that have
// expired while no process had the file open. The error wraps boltfile.ErrInUse if another process has the file open.
func NewDisk(o DiskOptions) (*Disk, error) {
	d := &Disk{
		options: o.withDefaults(), path: o.Path, log: o.Log,
		wake: make(chan struct{}, 1), stop: make(chan struct{}), stopped: make(chan struct{}), next: newCommit(),
	}
	if d.log == nil {
		d.log = zap.NewNop()
	}
	var loaded []*kept
	var err error
	d.file, err = boltfile.Open(o.Path, boltfile.Options{
		Wait: lockTimeout, Log: d.log, Fresh: true, Prepare: func(tx *bolt.Tx, mended bool) (err error) {
			if err := prepareFile(tx, mended); err != nil {
				return err
			}
			loaded, err = readFile(tx, o.Path, d.options, mended)
			return err
		},
	})
	if err != nil {
		return nil, fmt.Errorf("opening the sessions: %w", err)
	}
	d.fill(loaded)
	d.tell() // some may have ended
	go d.write()
	return d, nil
}

// fill makes a table of the sessions of the file.
func (d *Disk) fill(loaded []*kept) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := newTable(d.options)
	for _, k := range loaded {
		t.add(k)
	}
	t.changed = func(k *kept) {
		k.written = d.next
		d.next.ids[k.ID] = true
	}
	t.counts, t.expired = d.settled, 0
	if d.settled.Expired != nil {
		t.expired = *d.settled.Expired
	}
	t.expire()
	t.trim()
	d.table = t
}

// do returns the session that a function finds or changes in the table, when it is in the file.
func (d *Disk) do(ctx context.Context, f func(t *table) (*kept, error)) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	e, written, err := d.decide(f)
	if err != nil {
		return Entry{}, err
	}
	return e, written.wait(ctx)
}

// decide calls a function with the table.
func (d *Disk) decide(f func(t *table) (*kept, error)) (e Entry, written *commit, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return e, nil, ErrClosed
	}
	if d.table == nil {
		d.tell()
		return e, nil, fmt.Errorf("%w: the file could not be written, and is being read again", ErrUnavailable)
	}
	k, err := f(d.table)
	if len(d.next.ids) > 0 {
		d.tell()
	}
	if err != nil {
		return e, nil, err
	}
	return k.Entry, k.written, nil
}

// tell wakes the writer.
func (d *Disk) tell() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// write writes changes until Close, and then the last ones.
func (d *Disk) write() {
	defer close(d.stopped)
	for {
		select {
		case <-d.wake:
			d.flush()
		case <-d.stop:
			d.flush()
			return
		}
	}
}

// flush writes the changes that have come together. If the file is damaged, it writes the whole table to a new one.
func (d *Disk) flush() {
	c, records, counts := d.take()
	damage := d.file.Damage()
	switch {
	case c == nil:
		d.restore()
		return
	case len(records) == 0 && damage == nil && !d.partial:
		return
	case len(records) == 0: // nobody waits for this commit, and the next changes are in it
		if err := d.renew(); err != nil {
			d.log.Error("a damaged file of sessions could not be replaced", zap.String("file", d.path), zap.Error(err))
		}
		return
	}
	if damage == nil && !d.partial {
		c.err = writeFile(d.file, records)
		damage = d.file.Damage()
	}
	if damage != nil || d.partial {
		c.err = d.renew()
	}
	if c.err == nil {
		d.mu.Lock()
		d.settled = counts
		d.mu.Unlock()
		close(c.done)
		return
	}
	d.log.Error("changes of sessions could not be written", zap.String("file", d.path), zap.Int("sessions", len(records)), zap.Error(c.err))
	c.err = fmt.Errorf("%w: %w", ErrUnavailable, c.err)
	if damage != nil || d.partial { // the table has more than the file: it stays, and is written as a whole later
		close(c.done)
		return
	}
	// The changes since then were decided by what is not in the file.
	d.mu.Lock()
	later := d.next
	d.table, d.next = nil, newCommit()
	d.mu.Unlock()
	later.err = c.err
	close(c.done)
	close(later.done)
	d.restore()
}

// renew replaces a damaged file by a new one with all sessions of the table.
func (d *Disk) renew() error {
	if err := d.file.Reopen(); err != nil {
		return err
	}
	d.partial = true
	all := make(map[string]*record)
	d.mu.Lock()
	for id, k := range d.table.byID {
		all[id] = newRecord(k, d.options.Retention)
	}
	d.mu.Unlock()
	if err := writeFile(d.file, all); err != nil {
		return err
	}
	d.partial = false
	d.log.Warn("the sessions were written to a new file", zap.String("file", d.path), zap.Int("sessions", len(all)))
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, k := range d.table.byID {
		if k.written != d.next { // it may have failed before
			k.written = nil
		}
	}
	return nil
}

// take returns the changes to write, as what the file shall have of each session: nil for nothing. Without a table it returns no commit.
func (d *Disk) take() (c *commit, records map[string]*record, counts Counts) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.table == nil {
		return nil, nil, counts
	}
	c = d.next
	if len(c.ids) == 0 {
		return c, nil, counts
	}
	records = make(map[string]*record, len(c.ids))
	for id := range c.ids {
		records[id] = newRecord(d.table.byID[id], d.options.Retention)
	}
	d.next = newCommit()
	return c, records, d.table.count()
}

// restore reads the table from the file again. If that fails, the next call tries again.
func (d *Disk) restore() {
	var loaded []*kept
	err := d.file.View(func(tx *bolt.Tx) (err error) {
		loaded, err = readFile(tx, d.path, d.options, false)
		return err
	})
	if err != nil {
		d.log.Error("the sessions could not be read again", zap.String("file", d.path), zap.Error(err))
		return
	}
	d.fill(loaded)
}

// Create keeps a new session.
func (d *Disk) Create(ctx context.Context, n New) (Entry, error) {
	return d.do(ctx, func(t *table) (*kept, error) { return t.create(n) })
}

// Find returns the session that an owner has created with a key.
func (d *Disk) Find(ctx context.Context, owner, key, request string) (Entry, error) {
	return d.do(ctx, func(t *table) (*kept, error) { return t.find(owner, key, request) })
}

// Get returns a session.
func (d *Disk) Get(ctx context.Context, id string) (Entry, error) {
	return d.do(ctx, func(t *table) (*kept, error) { return t.get(id) })
}

// Swap changes the value of a session. If the context ends first, the change may be made or not.
func (d *Disk) Swap(ctx context.Context, id string, version uint64, value []byte, finished bool) (Entry, error) {
	return d.do(ctx, func(t *table) (*kept, error) { return t.swap(id, version, value, finished) })
}

// Delete ends a session.
func (d *Disk) Delete(ctx context.Context, id string) error {
	_, err := d.do(ctx, func(t *table) (*kept, error) { return t.end(id) })
	return err
}

// Len returns how many sessions there are.
func (d *Disk) Len(context.Context) (n int, err error) {
	_, _, err = d.decide(func(t *table) (*kept, error) {
		t.expire()
		n = t.all.Len()
		return nil, errNone
	})
	if errors.Is(err, errNone) {
		err = nil
	}
	return n, err
}

// Check looks for damage of the file, writes to it, and reads what could not be read after a failed write. If there is damage, a new file
// is written.
func (d *Disk) Check(ctx context.Context) error {
	if _, err := d.Len(ctx); err != nil {
		return err
	}
	err := d.file.Verify()
	if err == nil {
		err = touchFile(d.file, d.options.Now())
	}
	if err != nil {
		d.tell()
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// errNone is the error of a function for decide that returns no session.
var errNone = errors.New("no session")

// Counts returns how many sessions were created and have ended, without the sessions of the last process.
func (d *Disk) Counts() (c Counts) {
	_, _, err := d.decide(func(t *table) (*kept, error) {
		c = t.count()
		return nil, errNone
	})
	if errors.Is(err, ErrUnavailable) {
		d.mu.Lock()
		defer d.mu.Unlock()
		c = d.settled
	}
	return c
}

// Close writes the last changes and closes the file.
func (d *Disk) Close() error {
	d.mu.Lock()
	first := !d.closed
	d.closed = true
	d.mu.Unlock()
	if first {
		close(d.stop)
	}
	<-d.stopped
	return d.file.Close()
}

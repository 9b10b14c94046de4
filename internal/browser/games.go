package browser

import (
	"context"
	"fmt"
	"time"

	"roem/internal/sessions"
)

// Shelf keeps games where they outlive the program: in the database of the browser, which all pages of a site share.
type Shelf interface {
	// Read returns the bytes under an id, and their version, which is 0 if there are none.
	Read(ctx context.Context, id string) (version int, value []byte, err error)
	// Write puts bytes under an id, as the version after one, if that is there; after 0, if there are none. It returns the version that it has
	// found: if it is another one, nothing has changed.
	Write(ctx context.Context, id string, after int, value []byte) (found int, err error)
	// Remove removes the bytes under an id, if there are some.
	Remove(ctx context.Context, id string) error
}

// games is the store of the sessions of a page: those on a Shelf. They do not expire: the Shelf keeps the last ones.
type games struct{ shelf Shelf }

var _ sessions.Store = games{}

// Games returns the store of the sessions on a Shelf.
func Games(s Shelf) sessions.Store { return games{s} }

// forever is when a session ends that does not expire.
var forever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

func entry(id string, version int, value []byte) sessions.Entry {
	return sessions.Entry{ID: id, Value: value, Version: uint64(version), Expires: forever}
}

// unavailable is an error of the Shelf, as that of a Store.
func unavailable(err error) error { return fmt.Errorf("%w: %w", sessions.ErrUnavailable, err) }

func (g games) Create(ctx context.Context, n sessions.New) (sessions.Entry, error) {
	if _, err := g.shelf.Write(ctx, n.ID, 0, n.Value); err != nil {
		return sessions.Entry{}, unavailable(err)
	}
	return entry(n.ID, 1, n.Value), nil
}

func (games) Find(context.Context, string, string, string) (sessions.Entry, error) {
	return sessions.Entry{}, sessions.ErrNotFound // a page names no keys: its requests do not get lost
}

func (g games) Get(ctx context.Context, id string) (sessions.Entry, error) {
	version, value, err := g.shelf.Read(ctx, id)
	switch {
	case err != nil:
		return sessions.Entry{}, unavailable(err)
	case version == 0:
		return sessions.Entry{}, sessions.ErrNotFound
	}
	return entry(id, version, value), nil
}

func (g games) Swap(ctx context.Context, id string, version uint64, value []byte, _ bool) (sessions.Entry, error) {
	after := int(version)
	found, err := g.shelf.Write(ctx, id, after, value)
	switch {
	case err != nil:
		return sessions.Entry{}, unavailable(err)
	case found == 0:
		return sessions.Entry{}, sessions.ErrNotFound
	case found != after:
		return sessions.Entry{}, sessions.ErrChanged
	}
	return entry(id, after+1, value), nil
}

func (g games) Delete(ctx context.Context, id string) error {
	if _, err := g.Get(ctx, id); err != nil {
		return err
	}
	if err := g.shelf.Remove(ctx, id); err != nil {
		return unavailable(err)
	}
	return nil
}

func (games) Len(context.Context) (int, error) { return 0, nil }
func (games) Check(context.Context) error      { return nil }
func (games) Counts() sessions.Counts          { return sessions.Counts{} }
func (games) Close() error                     { return nil }

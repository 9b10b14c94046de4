// Package sessions keeps the state of sessions: bytes that change with each act of a client. A session ends when it is deleted, when
// nothing has been done in it for some time, or when there are too many. Package sessions knows no game.
package sessions

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Store keeps sessions. It is safe for concurrent use. Every store passes the tests of sessionstest.
type Store interface {
	// Create keeps a new session and returns it. Where its owner would have more sessions than is allowed, an earlier session of the owner
	// ends. Where all owners together would have too many, a session of the group with the most sessions ends, counting the new one. Of
	// the sessions from which one has to end, that is the finished one whose last change is the longest ago, and if none is finished, the
	// one whose last change is the longest ago. Groups of equal size are one in this. The new session does not end.
	//
	// If the owner has a session of the same Key, that one is returned as it is now, and nothing is created; the error is ErrKeyReused if
	// it was created by another Request.
	Create(ctx context.Context, n New) (Entry, error)
	// Find returns the session that an owner has created with a key, or ErrNotFound. The error is ErrKeyReused if it was created by
	// another request.
	Find(ctx context.Context, owner, key, request string) (Entry, error)
	// Get returns a session, or ErrNotFound. It does not prolong it.
	Get(ctx context.Context, id string) (Entry, error)
	// Swap changes the value of a session that has the given version, and prolongs it. finished is as in New. Its error is ErrChanged if the
	// session has another version, or ErrNotFound.
	Swap(ctx context.Context, id string, version uint64, value []byte, finished bool) (Entry, error)
	// Delete ends a session. Its error is ErrNotFound if there is none.
	Delete(ctx context.Context, id string) error
	// Len returns how many sessions there are.
	Len(ctx context.Context) (int, error)
	// Check tries what the Store needs of the place where it keeps sessions, and changes none. Its error says what is refused there.
	Check(ctx context.Context) error
	// Counts returns how many sessions this Store has created and ended.
	Counts() Counts
	// Close releases what the store uses. Calls that have begun end in order, and later ones fail with ErrClosed. A second Close does
	// nothing.
	Close() error
}

// New is a session to be created.
type New struct {
	Owner string // counts for the limit of each owner
	Group string // the owners among whom a session ends when there are too many of all; empty for the owner alone
	// Holder is who alone may use the session. The store only keeps it. Empty for whoever knows the id.
	Holder string
	ID     string
	Value  []byte
	// Key makes Create repeatable: as long as the session is kept, it is the only one of the owner and the key. Empty for none.
	Key string
	// Request stands for what was asked for with the Key, for example a digest.
	Request string
	// Finished says that nothing can change in the session any more: it ends before others.
	Finished bool
}

// Entry is a session at one moment.
type Entry struct {
	ID      string
	Holder  string
	Value   []byte // must not be changed
	Version uint64 // another one after each change
	Expires time.Time
}

// Counts are numbers of sessions since a Store was opened.
type Counts struct {
	Created uint64
	Deleted uint64 // ended by Delete
	// DisplacedByOwner and DisplacedByAll are the sessions ended by new ones beyond the limit of their owner, and of all.
	DisplacedByOwner, DisplacedByAll uint64
	Expired                          *uint64 // nil if the Store does not learn of it
}

// The errors of a Store. All of its other errors are errors of the context.
var (
	ErrNotFound    = errors.New("there is no such session")
	ErrChanged     = errors.New("the session has changed")
	ErrKeyReused   = errors.New("the key was used with another request")
	ErrUnavailable = errors.New("the store of the sessions is unavailable")
	// ErrClosed is the error of a call after Close.
	ErrClosed = fmt.Errorf("%w: it is closed", ErrUnavailable)
)

// Options are the options of a Store.
type Options struct {
	Retention time.Duration    // how long a session is kept after its last change; 0 for DefaultRetention
	Max       int              // how many sessions there may be; 0 for DefaultMax
	MaxEach   int              // how many of them one owner may have; 0 for Max
	Now       func() time.Time // the clock; nil for time.Now
}

// The defaults of Options.
const (
	DefaultRetention = 24 * time.Hour
	DefaultMax       = 10_000
)

func (o Options) withDefaults() Options {
	if o.Retention == 0 {
		o.Retention = DefaultRetention
	}
	if o.Max == 0 {
		o.Max = DefaultMax
	}
	if o.MaxEach == 0 {
		o.MaxEach = o.Max
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// NewID returns the id of a new session: 130 random bits, as 26 lower-case letters and digits. Nobody can guess it.
func NewID() string { return strings.ToLower(rand.Text()) }

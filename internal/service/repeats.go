//go:build !js

package service

import (
	"context"

	"github.com/maypok86/otter/v2"

	"roem/internal/solvecache"
)

// repeats has answers by the bytes of their bodies. What comes again is answered from it without being decoded, and without the steps from
// a deal to its canonical form and back: those take more time than the rest of a request. A deal that is on many pages is asked for in the
// same bytes by all of them.
//
// Only what the cache has is kept. So a body is in repeats from the second time on that it is asked for. A nil repeats keeps nothing.
type repeats[Q TypedQuery[R], R any] struct {
	cache    *solvecache.Cache // counts what is answered
	answered *otter.Cache[string, repeated[Q, R]]
}

// repeated is an answer with its query. Both are shared, and never changed.
type repeated[Q, R any] struct {
	query  Q
	answer Answer[R]
}

const (
	// maxRepeated is the most bytes of a body that is kept. A deal has some 300.
	maxRepeated = 1 << 10
	// repeatsBytes is the most memory of what is kept, and repeatedOverhead what a body takes with its query besides its bytes.
	repeatsBytes     = 4 << 20
	repeatedOverhead = 4 << 10
)

func newRepeats[Q TypedQuery[R], R any](cache *solvecache.Cache) *repeats[Q, R] {
	return &repeats[Q, R]{cache, otter.Must(&otter.Options[string, repeated[Q, R]]{
		MaximumWeight: repeatsBytes,
		Weigher:       func(body string, _ repeated[Q, R]) uint32 { return uint32(len(body) + repeatedOverhead) },
	})}
}

// find returns what a body was answered with before.
func (r *repeats[Q, R]) find(body []byte) (again repeated[Q, R], ok bool) {
	if r == nil || len(body) > maxRepeated {
		return again, false
	}
	return r.answered.GetIfPresent(string(body))
}

// count counts an answer that was found.
func (r *repeats[Q, R]) count(ctx context.Context) {
	EffortOf(ctx).NoteValue(Value{Layer: r.cache.CountRepeat()})
}

// keep keeps an answer if the cache had it.
func (r *repeats[Q, R]) keep(body []byte, q Q, answer Answer[R]) {
	if r != nil && answer.Source == FromCache && len(body) <= maxRepeated {
		r.answered.Set(string(body), repeated[Q, R]{q, answer})
	}
}

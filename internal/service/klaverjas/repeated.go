//go:build !js

package klaverjas

import (
	"time"

	"github.com/maypok86/otter/v2"
)

// Solves that come again are answered from repeats, without being decoded and without the steps from their deal to its canonical form and
// back: those take more time than the rest of a request. A deal that is on many pages is asked for in the same bytes by all of them.
//
// Only what the cache has is kept. So a body is in repeats from the second time on that it is asked for.
type repeats struct {
	answered *otter.Cache[string, *SolveQuery]
}

const (
	// maxRepeated is the most bytes of a body that is kept. A deal has some 300.
	maxRepeated = 1 << 10
	// repeatsBytes is the most memory of what is kept, and repeatedOverhead what a body takes with its query besides its bytes.
	repeatsBytes     = 4 << 20
	repeatedOverhead = 4 << 10
)

func newRepeats() *repeats {
	return &repeats{answered: otter.Must(&otter.Options[string, *SolveQuery]{
		MaximumWeight: repeatsBytes,
		Weigher:       func(body string, _ *SolveQuery) uint32 { return uint32(len(body) + repeatedOverhead) },
	})}
}

// find returns the query of a body that was answered before.
func (r *repeats) find(body []byte) (*SolveQuery, bool) {
	if len(body) > maxRepeated {
		return nil, false
	}
	kept, ok := r.answered.GetIfPresent(string(body))
	if !ok {
		return nil, false
	}
	q := *kept
	q.began = time.Now()
	return &q, true
}

// keep keeps a query whose result the cache had.
func (r *repeats) keep(q *SolveQuery, f result) {
	if q.body == nil || len(q.body) > maxRepeated {
		return
	}
	kept := *q
	kept.body, kept.found = nil, &f
	r.answered.Set(string(q.body), &kept)
}

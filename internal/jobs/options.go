package jobs

import (
	"fmt"
	"math"
	"time"

	"go.uber.org/zap"
)

// Options are what every Queue can be told. What is zero is as DefaultOptions has it.
type Options struct {
	MaxQueued  int           // work that may wait; local work and attempts after the first are not counted
	MaxOwned   int           // unfinished jobs of one owner, from which on no new work of theirs may wait; 0 for no limit
	MaxPayload int           // bytes of a payload
	MaxResult  int           // bytes of a result; work that returns more fails
	Retention  time.Duration // how long a job is kept after it became final
	MaxKept    int           // jobs that are final and kept; of more, the oldest are forgotten before their time, within a minute
	MaxBytes   int           // of their payloads and results together; of more, likewise

	Now func() time.Time // the clock that jobs are dated and retained by
	Log *zap.Logger      // where failed attempts and troubles are told; nil for nowhere
}

// DefaultOptions returns the options for what nothing is said about.
func DefaultOptions() Options {
	return Options{
		MaxQueued: 1000, MaxPayload: 4 << 20, MaxResult: 16 << 20, MaxKept: 10_000, MaxBytes: 1 << 30, Retention: time.Hour,
		Now: time.Now, Log: zap.NewNop(),
	}
}

// Complete returns the options with defaults for what is zero, or an error that names what cannot be.
func (o Options) Complete() (Options, error) {
	d := DefaultOptions()
	for _, limit := range []struct {
		name       string
		value      *int
		byDefault  int
		notGreater int
	}{
		{"MaxQueued", &o.MaxQueued, d.MaxQueued, 1 << 24},
		{"MaxPayload", &o.MaxPayload, d.MaxPayload, 1 << 28},
		{"MaxResult", &o.MaxResult, d.MaxResult, 1 << 28},
		{"MaxKept", &o.MaxKept, d.MaxKept, 1 << 28},
		{"MaxBytes", &o.MaxBytes, d.MaxBytes, math.MaxInt},
	} {
		if *limit.value == 0 {
			*limit.value = limit.byDefault
		}
		if *limit.value < 0 || *limit.value > limit.notGreater {
			return Options{}, fmt.Errorf("jobs: %s is %d: expected 1 to %d", limit.name, *limit.value, limit.notGreater)
		}
	}
	if o.MaxOwned < 0 {
		return Options{}, fmt.Errorf("jobs: MaxOwned is %d: expected 0, for no limit, or more", o.MaxOwned)
	}
	if o.Retention == 0 {
		o.Retention = d.Retention
	}
	if o.Retention < 0 {
		return Options{}, fmt.Errorf("jobs: Retention is %v: expected a time that has not passed", o.Retention)
	}
	if o.Now == nil {
		o.Now = d.Now
	}
	if o.Log == nil {
		o.Log = d.Log
	}
	return o, nil
}

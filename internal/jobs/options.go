//go:build !js

package jobs

import (
	"fmt"
	"math"
	"time"

	"go.uber.org/zap"
)

// Options holds the options common to all queues. A zero field takes its value from DefaultOptions.
type Options struct {
	MaxQueued  int           // waiting tasks; local tasks and tasks that are queued again may exceed it
	Reserved   int           // how many of MaxQueued are only for tasks of owners of whom none waits
	MaxOwned   int           // unfinished jobs of one owner, or network, from which on no new task of theirs may wait; 0 for no limit
	MaxCost    time.Duration // of the waiting tasks of one owner, or network, by Spec.Cost; one may cost more; 0 for no limit
	MaxPayload int           // bytes of a payload
	MaxResult  int           // bytes of a result; a task with a larger one fails
	Retention  time.Duration // how long a job is kept after it became final
	MaxKept    int           // final jobs; of more, the oldest are removed before Retention, within a minute
	MaxBytes   int           // of the payloads and results of final jobs together; of more, likewise

	Now func() time.Time // the clock for the times of jobs and for Retention; a queue that processes share uses the clock of its store
	Log *zap.Logger      // gets failed attempts and errors of the store; nil for none
}

// DefaultOptions returns the defaults.
func DefaultOptions() Options {
	return Options{
		MaxQueued: 1000, MaxPayload: 4 << 20, MaxResult: 16 << 20, MaxKept: 10_000, MaxBytes: 1 << 30, Retention: time.Hour,
		Now: time.Now, Log: zap.NewNop(),
	}
}

// Complete returns the options with defaults for zero values, or an error that names an invalid value.
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
	if o.Reserved < 0 || o.Reserved >= o.MaxQueued {
		return Options{}, fmt.Errorf("jobs: Reserved is %d: expected 0 to %d", o.Reserved, o.MaxQueued-1)
	}
	if o.MaxOwned < 0 {
		return Options{}, fmt.Errorf("jobs: MaxOwned is %d: expected 0, for no limit, or more", o.MaxOwned)
	}
	if o.MaxCost < 0 {
		return Options{}, fmt.Errorf("jobs: MaxCost is %v: expected 0, for no limit, or more", o.MaxCost)
	}
	if o.Retention == 0 {
		o.Retention = d.Retention
	}
	if o.Retention < 0 {
		return Options{}, fmt.Errorf("jobs: Retention is %v: expected a positive duration", o.Retention)
	}
	if o.Now == nil {
		o.Now = d.Now
	}
	if o.Log == nil {
		o.Log = d.Log
	}
	return o, nil
}

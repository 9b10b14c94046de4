package decide

import (
	"math"
	"time"

	"roem/internal/jobs"
)

// Cost returns the cost of a spec, at least a microsecond.
func Cost(spec *jobs.Spec) time.Duration {
	if spec.Cost == 0 {
		return jobs.DefaultCost
	}
	return max(spec.Cost, time.Microsecond)
}

// Load is what there is when a new task asks to wait.
type Load struct {
	Unfinished int           // jobs of its owner or its network, of which there are more
	Waiting    int           // tasks of all
	Own        int           // waiting tasks of its owner, or its network
	Cost       time.Duration // of these together
}

// None is a bound that no Load reaches. A script in Lua can count to it.
const None = math.MaxInt32

// Bounds are the most of a Load with which a task may wait.
type Bounds struct {
	Unfinished int // also for a job that shares a task and is not found by an equal one
	Waiting    int
	Behind     int           // Waiting, if tasks of the owner wait
	Cost       time.Duration // if tasks of the owner wait; it may be negative
}

// Limits returns the bounds for a spec.
func Limits(o *jobs.Options, spec *jobs.Spec) Bounds {
	b := Bounds{Unfinished: None, Waiting: o.MaxQueued - 1, Behind: o.MaxQueued - o.Reserved - 1, Cost: None * time.Second}
	if o.MaxOwned > 0 {
		b.Unfinished = o.MaxOwned - 1
	}
	if o.MaxCost > 0 {
		b.Cost = o.MaxCost - Cost(spec)
	}
	if spec.NoNewTask {
		b.Waiting, b.Behind = -1, -1
	}
	return b
}

// AsksOwn reports whether it matters how many tasks of the owner wait, and what they cost.
func (b Bounds) AsksOwn(waiting int) bool { return b.Cost < None*time.Second || waiting > b.Behind }

// Refuse returns why a new task of a spec may not wait beside a load, or nil if it may.
func Refuse(o *jobs.Options, spec *jobs.Spec, l Load) error {
	b := Limits(o, spec)
	switch {
	case spec.NoNewTask:
		return jobs.ErrNewTask
	case l.Unfinished > b.Unfinished:
		return TooMany(o, l.Unfinished)
	case l.Own > 0 && l.Cost > b.Cost:
		return &jobs.TooCostlyError{Waiting: l.Cost, Cost: Cost(spec), Max: o.MaxCost}
	case l.Waiting > b.Waiting, l.Own > 0 && l.Waiting > b.Behind:
		return &jobs.FullError{Queued: l.Waiting, Max: o.MaxQueued, Reserved: l.Waiting < o.MaxQueued}
	}
	return nil
}

// TooMany returns a *jobs.TooManyError if an owner may not have another unfinished job, or nil.
func TooMany(o *jobs.Options, unfinished int) error {
	if o.MaxOwned == 0 || unfinished < o.MaxOwned {
		return nil
	}
	return &jobs.TooManyError{Unfinished: unfinished, Max: o.MaxOwned}
}

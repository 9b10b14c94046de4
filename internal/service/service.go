package service

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/record"
	"roem/internal/jobs"
	"roem/internal/solvecache"
)

// Options are the options of a Service. The zero value of every field but Version is a usable default.
type Options struct {
	Version  string             // the version of the program, part of every answer
	Slots    int                // maximum number of concurrent searches; 0 for DefaultSlots
	Queue    int                // maximum number of requests that wait for a slot; 0 for DefaultQueue, NoQueue for none
	Cache    *solvecache.Cache  // the results of searches; nil to keep and share nothing. The caller closes it, after Close
	Limits   computation.Limits // the limits of one client
	JobTime  time.Duration      // the most that a job may take by its estimate; 0 for no limit. The queue bounds the sum
	Sessions SessionRates       // how many sessions are created
	Observer Observer           // is called on events
	Jobs     jobs.Queue         // the queue of jobs; nil for none. The caller closes it, after Close
}

// Observer has functions that are called on events. They may be called from many goroutines at once; nil functions are not called.
type Observer struct {
	Waited  func(took time.Duration) // a computation has got a slot, after this wait
	Limited func(limit Limit)        // a search or a job was refused because of a limit of its client
	Fault   func(err error)          // one item of a list failed because of an internal error; the others were answered
}

func (o Observer) withDefaults() Observer {
	if o.Waited == nil {
		o.Waited = func(time.Duration) {}
	}
	if o.Limited == nil {
		o.Limited = func(Limit) {}
	}
	if o.Fault == nil {
		o.Fault = func(error) {}
	}
	return o
}

// DefaultQueue is the default maximum number of requests that wait for a slot.
const DefaultQueue = 64

// NoQueue is the value of Options.Queue with which no request may wait.
const NoQueue = -1

// DefaultSlots returns the default number of concurrent searches for a number of processors: one per processor, but with more than two
// processors one is kept free.
func DefaultSlots(processors int) int {
	if processors > 2 {
		return processors - 1
	}
	return processors
}

// Service runs the operations of games. It is safe for concurrent use.
type Service struct {
	schemas      *Schemas      // of requests for jobs
	places       chan struct{} // has an element for each slow explanation that runs
	version      string
	games        []Game
	records      record.Kinds         // of the games
	operations   map[string]Operation // by kind
	computations *computation.Scheduler
	cache        *solvecache.Cache
	observe      Observer
	queue        jobs.Queue
	jobTime      time.Duration // as in Options
	handoffs     handoffs
	creations    creations
}

// New returns a service without operations.
func New(o Options) (*Service, error) {
	if o.Slots == 0 {
		o.Slots = DefaultSlots(runtime.GOMAXPROCS(0))
	}
	if o.Queue == 0 {
		o.Queue = DefaultQueue
	}
	if o.Slots < 0 {
		return nil, fmt.Errorf("the number of slots must be positive: %d", o.Slots)
	}
	s := &Service{
		places:       make(chan struct{}, placesFor(o.Slots)),
		version:      o.Version,
		operations:   make(map[string]Operation),
		computations: computation.New(computation.Options{Slots: o.Slots, Queue: o.Queue, Limits: o.Limits}),
		cache:        o.Cache,
		observe:      o.Observer.withDefaults(),
		queue:        o.Jobs,
		jobTime:      o.JobTime,
		creations:    creations{clients: newRates(o.Sessions.Client), networks: newRates(o.Sessions.Network)},
		handoffs:     handoffs{byKey: make(map[string][]handoff)},
	}
	s.schemas = NewSchemas(s, nil)
	return s, nil
}

// Version returns the version of the program, as every answer has it.
func (s *Service) Version() string { return s.version }

// Standing returns how much of its limits on searches a client has left.
func (s *Service) Standing(owner string) computation.Standing { return s.computations.Standing(owner) }

// Load returns the current state of the slots and queues.
func (s *Service) Load() computation.Load { return s.computations.Load() }

// Slots returns the maximum number of concurrent searches.
func (s *Service) Slots() int { return s.computations.Slots() }

// ShareOf returns how many searches the work with this context should make at a time. A job may use every slot.
func (s *Service) ShareOf(ctx context.Context) int { return s.computations.Share(ctx) }

// Shared returns how many requests joined the computation of an equal request.
func (s *Service) Shared() uint64 { return s.computations.Shared() }

// RetryAfter returns how long a client should wait that was refused because every slot was busy.
func (s *Service) RetryAfter() time.Duration { return s.computations.RetryAfter() }

// Fault reports to the observer that one item of a list failed because of an internal error.
func (s *Service) Fault(err error) { s.observe.Fault(err) }

// Close ends all computations and waits until they have returned or ctx ends. Requests and jobs that still wait get an error of the
// kind Stopping.
func (s *Service) Close(ctx context.Context) error { return s.computations.Close(ctx) }

package service

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"roem/internal/engine/search"
	"roem/internal/hybrid"
	"roem/internal/jobs"
	"roem/internal/solvecache"
)

// Options sets a Service up. The zero value of every field but Version is a sensible default.
type Options struct {
	Version    string            // the version of the program, told in every answer
	Searchers  int               // how many searches run at a time; 0 for DefaultSearchers of GOMAXPROCS
	Queue      int               // how many more may wait for their turn; 0 for DefaultQueue, NoQueue for none
	TableBytes int               // the memory of each searcher's table, in bytes; 0 for search.DefaultTableBytes
	Cache      *solvecache.Cache // what has been solved; nil to keep and share nothing. The caller closes it, after the Service's last call
	Searcher   func() Searcher   // makes searchers; nil for search.New
	Predictor  Predictor         // the models; nil for none
	Limits     Limits            // how much of the searchers one client may have
	Observer   Observer          // is told what searchers do
	Jobs       jobs.Queue        // what nobody waits for; nil for none. The caller closes it, after the Service's last call
}

// DefaultQueue is how many requests may wait for a searcher.
const DefaultQueue = 64

// NoQueue as Options.Queue lets no request wait.
const NoQueue = -1

// DefaultSearchers returns how many searches run at a time on so many cores: one on each, and with more than two cores one less,
// which leaves a core for everything else.
func DefaultSearchers(cores int) int {
	if cores > 2 {
		return cores - 1
	}
	return cores
}

// Service answers the operations of the contract. It is safe for concurrent use.
type Service struct {
	*Decoder
	version   string
	pool      *pool
	cache     *solvecache.Cache
	predictor Predictor
	rule      hybrid.Rule
	pace      *hybrid.Pace
	topics    topics
	queue     jobs.Queue
	carried   carried
}

// New returns a service.
func New(o Options) (*Service, error) {
	if o.Searchers == 0 {
		o.Searchers = DefaultSearchers(runtime.GOMAXPROCS(0))
	}
	if o.Queue == 0 {
		o.Queue = DefaultQueue
	}
	if o.Searchers < 0 || o.TableBytes < 0 {
		return nil, fmt.Errorf("a service needs searchers and tables of a size: %d, %d bytes", o.Searchers, o.TableBytes)
	}
	if o.Searcher == nil {
		o.Searcher = func() Searcher { return search.New(search.Options{TableBytes: o.TableBytes}) }
	}
	if o.Predictor == nil {
		o.Predictor = without{}
	}
	return &Service{
		Decoder:   NewDecoder(),
		version:   o.Version,
		pool:      newPool(o.Searchers, max(o.Queue, 0), o.Searcher, o.Limits, o.Observer),
		cache:     o.Cache,
		predictor: o.Predictor,
		rule:      hybrid.DefaultRule(),
		pace:      hybrid.NewPace(),
		topics:    topics{byKey: make(map[solvecache.Key]*topic)},
		queue:     o.Jobs,
		carried:   carried{byKey: make(map[string]*operation)},
	}, nil
}

// Version returns the version of the program, as every answer tells it.
func (s *Service) Version() string { return s.version }

// Load says how busy the searchers are at the moment.
func (s *Service) Load() Load { return s.pool.load() }

// searchError gives the error of a search its kind. The error of a client that left stays what it is.
func (s *Service) searchError(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return &Error{
			Kind: TooSlow, RetryAfter: s.pool.retryAfter(), Cause: err,
			Detail: "The search did not finish in the time that the request allowed.",
		}
	}
	return err
}

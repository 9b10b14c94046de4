package handlers_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"go.uber.org/zap"

	contract "roem/api"
	"roem/api/apitest"
	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/handlers"
	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/jobs/redisqueue"
	"roem/internal/metrics"
	"roem/internal/model/klaverjas/forest"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/redistest"
	"roem/internal/service"
	"roem/internal/service/belote"
	"roem/internal/service/ginrummy"
	game "roem/internal/service/klaverjas"
	"roem/internal/service/records"
	"roem/internal/service/tarok"
	"roem/internal/sessions"
	"roem/internal/solvecache"
	"roem/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// The maximum body sizes of a test server.
const (
	maxBody = 64 << 10
	maxList = 2 << 20
)

// config is the configuration of a test server that tests may change.
type config struct {
	searchers int
	queue     int
	maxWait   time.Duration
	searcher  func() game.Searcher
	log       *zap.Logger
	noCache   bool
	predictor game.Predictor
	handModel *hand.Model
	trees     []*forest.Model
	limits    computation.Limits

	sessionRates service.SessionRates
	clients      handlers.Clients
	keyed        bool // each client of the test has an API key; set by keyed
	origins      []string
	noMetrics    bool          // metrics are not served at /metrics
	workers      int           // number of jobs that run at a time; noWorkers for none
	maxQueued    int           // size of the queue of jobs
	maxOwned     int           // maximum number of unfinished jobs of a client; 0 for no limit
	jobTime      time.Duration // that the waiting jobs of a client may take; 0 for no limit
	noQueue      bool          // the store of jobs is unavailable
	redis        string        // URL of the Redis with the jobs, if they are not in a file
	options      func(*handlers.Options)
	sessions     sessions.Store // nil for the memory
	observer     service.Observer
}

// noWorkers is the value of config.workers for a server that runs no jobs.
const noWorkers = -1

// server holds the handlers with a real service, and the contract, with which every answer is checked.
type server struct {
	*handlers.Handlers
	doc     *openapi3.T
	service *service.Service
	cache   *solvecache.Cache
	stop    func() // stops running jobs; the queue stays open

	keyed   bool             // requests have the API key of their address
	through http.HandlerFunc // answers requests instead of the handlers, by asking them; nil to call them
}

// ServeHTTP answers a request. Like net/http it recovers from the panic that aborts a connection.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler { //nolint:errorlint // net/http compares it in the same way
			panic(p)
		}
	}()
	if s.through != nil {
		s.through(w, r)
		return
	}
	s.Handlers.ServeHTTP(w, r)
}

func loadContract(tb testing.TB) *openapi3.T {
	tb.Helper()
	doc, err := apitest.StrictDocument()
	if err != nil {
		tb.Fatal(err)
	}
	return doc
}

func newServer(tb testing.TB, change ...func(*config)) *server {
	tb.Helper()
	shipped, err := game.DefaultPredictor()
	if err != nil {
		tb.Fatal(err)
	}
	hands, err := hand.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	c := config{searchers: 2, queue: 300, maxWait: testkit.Patience, log: zap.NewNop(), predictor: shipped, handModel: hands}
	for _, f := range change {
		f(&c)
	}
	var layers []solvecache.Layer
	if !c.noCache {
		memory, err := solvecache.NewMemory(16 << 20)
		if err != nil {
			tb.Fatal(err)
		}
		layers = append(layers, memory)
	}
	cache := solvecache.New(layers...)
	tb.Cleanup(func() {
		if err := cache.Close(); err != nil {
			tb.Error(err)
		}
	})
	queue, err := newQueue(tb, c)
	if err != nil {
		tb.Fatal(err)
	}
	if c.noQueue {
		if err := queue.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	svc, err := service.New(service.Options{
		Version: "v0.1.0", Slots: c.searchers, Queue: c.queue, Cache: cache, Limits: c.limits, Jobs: queue, Observer: c.observer,
		JobTime: c.jobTime, Sessions: c.sessionRates,
	})
	if err != nil {
		tb.Fatal(err)
	}
	learned, err := ginrummy.Learned(nil)
	if err != nil {
		tb.Fatal(err)
	}
	learned.Sessions = c.sessions
	game.New(svc, game.Options{
		TableBytes: 8 << 20, Searcher: c.searcher, Predictor: c.predictor, HandModel: c.handModel, Trees: c.trees, Sessions: c.sessions,
	})
	belote.New(svc, belote.Options{Sessions: c.sessions})
	ginrummy.New(svc, learned)
	tarok.New(svc, tarok.Options{Sessions: c.sessions})
	records.New(svc, svc.Records())
	options := handlers.Options{
		Service: svc, Log: c.log, MaxWait: c.maxWait, MaxBody: maxBody, MaxList: maxList,
		Clients: c.clients, Origins: c.origins, Metrics: metrics.New(metrics.Build{Version: "v0.1.0"}), ServeMetrics: !c.noMetrics,
		Version: api.Version{Version: "v0.1.0", Solver: search.Version, Contract: contract.Embedded.Version, Go: "go1.x"},
	}
	if c.options != nil {
		c.options(&options)
	}
	h, err := handlers.New(options)
	if err != nil {
		tb.Fatal(err)
	}
	s := &server{Handlers: h, doc: loadContract(tb), service: svc, cache: cache, keyed: c.keyed, stop: func() {}}
	if !c.noQueue {
		s.work(tb, c.workers)
		tb.Cleanup(func() {
			s.stop()
			if err := queue.Close(); err != nil {
				tb.Error(err)
			}
		})
	}
	return s
}

// keyed gives each client of a test an API key: clients without one have no lists of jobs, and do not share jobs. The key is the address,
// and do adds it to each request without a key.
func keyed(c *config) {
	c.keyed = true
	for _, address := range []string{"192.0.2.1", "192.0.2.2", "192.0.2.77"} {
		c.clients.Keys = append(c.clients.Keys, keyFor(address, address))
	}
}

func newQueue(tb testing.TB, c config) (jobs.Queue, error) {
	tb.Helper()
	options := jobs.Options{MaxQueued: c.maxQueued, MaxOwned: c.maxOwned, MaxCost: c.jobTime}
	if c.redis != "" {
		return redisqueue.Open(tb.Context(), redisqueue.Options{Options: options, URL: c.redis})
	}
	return boltqueue.Open(filepath.Join(tb.TempDir(), "jobs.db"), options)
}

// onEachQueue runs a test with the queue in a file and with the queue in Redis.
func onEachQueue(t *testing.T, test func(t *testing.T, queue func(*config))) {
	t.Helper()
	t.Run("file", func(t *testing.T) { test(t, func(*config) {}) })
	t.Run("redis", func(t *testing.T) {
		redis := redistest.Start(t, redistest.Options{})
		test(t, func(c *config) { c.redis = redis.URL() })
	})
}

// work runs jobs until s.stop is called.
func (s *server) work(tb testing.TB, workers int) {
	tb.Helper()
	switch workers {
	case noWorkers:
		return
	case 0:
		workers = 2
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.service.WorkJobs(ctx, workers) }()
	s.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			tb.Errorf("working jobs: %v", err)
		}
	})
}

// testHost is a name that the server knows from any address.
const testHost = "roem"

// request returns a request with a JSON body, or without a body if it is empty.
func request(method, target, body string) *http.Request {
	if method == http.MethodGet || method == http.MethodHead || method == http.MethodDelete {
		r := httptest.NewRequest(method, target, nil)
		r.Host = testHost
		return r
	}
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = testHost
	r.Header.Set("Content-Type", "application/json")
	return r
}

// do sends a request and checks the answer against the contract.
func (s *server) do(tb testing.TB, r *http.Request) *httptest.ResponseRecorder {
	tb.Helper()
	if s.keyed && r.Header.Get("Authorization") == "" {
		address, _, _ := net.SplitHostPort(r.RemoteAddr)
		r.Header.Set("Authorization", "Bearer "+address)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	s.validate(tb, r, w)
	return w
}

func (s *server) post(tb testing.TB, path, body string) *httptest.ResponseRecorder {
	tb.Helper()
	return s.do(tb, request(http.MethodPost, path, body))
}

func (s *server) get(tb testing.TB, target string) *httptest.ResponseRecorder {
	tb.Helper()
	return s.do(tb, request(http.MethodGet, target, ""))
}

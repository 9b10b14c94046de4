package handlers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"go.uber.org/goleak"
	"go.uber.org/zap"

	contract "roem/api"
	"roem/internal/api"
	"roem/internal/cards"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/handlers"
	"roem/internal/hybrid"
	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/jobs/redisqueue"
	"roem/internal/metrics"
	"roem/internal/redistest"
	"roem/internal/service"
	game "roem/internal/service/klaverjas"
	"roem/internal/solvecache"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The largest bodies of a test server.
const (
	maxBody = 64 << 10
	maxList = 2 << 20
)

// config is what a test may change of the server it talks to.
type config struct {
	searchers int
	queue     int
	maxWait   time.Duration
	searcher  func() game.Searcher
	log       *zap.Logger
	noCache   bool
	predictor game.Predictor
	limits    computation.Limits
	clients   handlers.Clients
	origins   []string
	noMetrics bool   // not served at /metrics
	workers   int    // how many jobs are worked at a time; noWorkers for none
	maxQueued int    // how many jobs may wait
	maxOwned  int    // how many unfinished jobs a client may have; 0 for no limit
	noQueue   bool   // the place where jobs are kept cannot be reached
	redis     string // where jobs are kept, if not in a file
	options   func(*handlers.Options)
}

// noWorkers as config.workers lets jobs wait for ever.
const noWorkers = -1

// server is the handlers with everything behind them, and the contract that every answer is held against.
type server struct {
	*handlers.Handlers
	doc     *openapi3.T
	service *service.Service
	cache   *solvecache.Cache
	stop    func() // stops working jobs; the queue stays open
}

func loadContract(tb testing.TB) *openapi3.T {
	tb.Helper()
	doc, err := contract.Document()
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
	c := config{searchers: 2, queue: 300, maxWait: 30 * time.Second, log: zap.NewNop(), predictor: shipped}
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
		Version: "v0.1.0", Slots: c.searchers, Queue: c.queue, Cache: cache, Limits: c.limits, Jobs: queue,
	})
	if err != nil {
		tb.Fatal(err)
	}
	options := handlers.Options{
		Service: svc, Klaverjas: game.New(svc, game.Options{TableBytes: 8 << 20, Searcher: c.searcher, Predictor: c.predictor}), Log: c.log, MaxWait: c.maxWait, MaxBody: maxBody, MaxList: maxList,
		Clients: c.clients, Origins: c.origins, Metrics: metrics.New(metrics.Build{Version: "v0.1.0"}), ServeMetrics: !c.noMetrics,
		Version: api.Version{Version: "v0.1.0", Solver: search.Version, Contract: handlers.ContractVersion(), Go: "go1.x"},
	}
	if c.options != nil {
		c.options(&options)
	}
	h, err := handlers.New(options)
	if err != nil {
		tb.Fatal(err)
	}
	s := &server{Handlers: h, doc: loadContract(tb), service: svc, cache: cache, stop: func() {}}
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

func newQueue(tb testing.TB, c config) (jobs.Queue, error) {
	tb.Helper()
	options := jobs.Options{MaxQueued: c.maxQueued, MaxOwned: c.maxOwned}
	if c.redis != "" {
		return redisqueue.Open(tb.Context(), redisqueue.Options{Options: options, URL: c.redis})
	}
	return boltqueue.Open(filepath.Join(tb.TempDir(), "jobs.db"), options)
}

// onEachQueue runs a test with jobs in a file and with jobs in Redis.
func onEachQueue(t *testing.T, test func(t *testing.T, queue func(*config))) {
	t.Helper()
	t.Run("file", func(t *testing.T) { test(t, func(*config) {}) })
	t.Run("redis", func(t *testing.T) {
		redis := redistest.Start(t, redistest.Options{})
		test(t, func(c *config) { c.redis = redis.URL() })
	})
}

// work has jobs worked until s.stop.
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

// request makes a request with a JSON body, or with none.
func request(method, target, body string) *http.Request {
	if method == http.MethodGet || method == http.MethodHead || method == http.MethodDelete {
		return httptest.NewRequest(method, target, nil)
	}
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

// do sends a request and holds the answer against the contract.
func (s *server) do(tb testing.TB, r *http.Request) *httptest.ResponseRecorder {
	tb.Helper()
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

// pathItem finds the path of the contract that a request is for.
func (s *server) pathItem(path string) *openapi3.PathItem {
	if item := s.doc.Paths.Value(path); item != nil {
		return item
	}
	if rest, ok := strings.CutPrefix(path, "/v1/klaverjas/deals/"); ok && rest != "" && !strings.Contains(rest, "/") {
		return s.doc.Paths.Value("/v1/klaverjas/deals/{index}")
	}
	if rest, ok := strings.CutPrefix(path, "/v1/jobs/"); ok && rest != "" {
		if id, ok := strings.CutSuffix(rest, "/events"); ok && !strings.Contains(id, "/") {
			return s.doc.Paths.Value("/v1/jobs/{id}/events")
		}
		if !strings.Contains(rest, "/") {
			return s.doc.Paths.Value("/v1/jobs/{id}")
		}
	}
	return nil
}

// validate holds an answer against the contract: its status, its headers and its body must be described there. Every
// problem must be whole and its status the one of the answer.
func (s *server) validate(tb testing.TB, r *http.Request, w *httptest.ResponseRecorder) {
	tb.Helper()
	if w.Header().Get("X-Request-ID") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
		tb.Errorf("%s %s: headers %v", r.Method, r.URL, w.Header())
	}
	mediaType := w.Header().Get("Content-Type")
	if w.Code >= 400 && r.Method != http.MethodHead {
		if mediaType != "application/problem+json" {
			tb.Errorf("%s %s: %d is %q", r.Method, r.URL, w.Code, mediaType)
		}
		s.validateProblem(tb, w)
	}
	item := s.pathItem(r.URL.Path)
	if item == nil || r.Method == http.MethodHead || r.Method == http.MethodOptions {
		return
	}
	operation := item.GetOperation(r.Method)
	if operation == nil { // a wrong method: the answer is described at the right one
		operation = item.Post
		if operation == nil {
			operation = item.Get
		}
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: r,
			Route:   &routers.Route{Spec: s.doc, PathItem: item, Operation: operation, Method: r.Method},
		},
		Status: w.Code,
		Header: w.Header(),
		Body:   io.NopCloser(bytes.NewReader(w.Body.Bytes())),
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true,
			MultiError:            true,
			// These are strings to the contract, and the validator would parse them.
			ExcludeResponseBody: mediaType == "application/yaml" || strings.HasPrefix(mediaType, "text/"),
		},
	}
	if err := openapi3filter.ValidateResponse(context.Background(), input); err != nil {
		tb.Errorf("%s %s: the answer is not in the contract: %v\n%s", r.Method, r.URL, err, w.Body)
	}
}

func (s *server) validateProblem(tb testing.TB, w *httptest.ResponseRecorder) api.Problem {
	tb.Helper()
	var value any
	if err := json.Unmarshal(w.Body.Bytes(), &value); err != nil {
		tb.Fatalf("no JSON: %v\n%s", err, w.Body)
	}
	if err := s.doc.Components.Schemas["Problem"].Value.VisitJSON(value); err != nil {
		tb.Errorf("no problem: %v", err)
	}
	p := decodeAs[api.Problem](tb, w)
	if p.Status != w.Code || p.RequestId == nil || *p.RequestId != w.Header().Get("X-Request-ID") {
		tb.Errorf("problem %+v in an answer %d %v", p, w.Code, w.Header())
	}
	if !strings.HasPrefix(p.Type, service.ProblemType) || p.Title == "" || p.Detail == "" {
		tb.Errorf("problem %+v", p)
	}
	if (w.Code == http.StatusServiceUnavailable || w.Code == http.StatusTooManyRequests) && w.Header().Get("Retry-After") == "" {
		tb.Errorf("%d without Retry-After", w.Code)
	}
	if w.Code == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") == "" {
		tb.Error("401 without WWW-Authenticate")
	}
	if w.Code == http.StatusMethodNotAllowed && w.Header().Get("Allow") == "" {
		tb.Error("405 without Allow")
	}
	return p
}

func decodeAs[T any](tb testing.TB, w *httptest.ResponseRecorder) T {
	tb.Helper()
	var v T
	dec := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		tb.Fatalf("decoding %T: %v\n%s", v, err, w.Body)
	}
	return v
}

// status fails the test unless the answer has the status.
func status(tb testing.TB, w *httptest.ResponseRecorder, want int) {
	tb.Helper()
	if w.Code != want {
		tb.Fatalf("status %d, want %d\n%s", w.Code, want, w.Body)
	}
}

// searcherFunc is a searcher made of a function.
type searcherFunc func(ctx context.Context, q search.Query) (search.Result, error)

func (f searcherFunc) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	return f(ctx, q)
}

// withSearcher lets a function search in place of the solver.
func withSearcher(f searcherFunc) func(*config) {
	return func(c *config) { c.searcher = func() game.Searcher { return f } }
}

// waiting is a searcher that waits until its context ends, and tells when it starts and stops.
type waiting struct{ started, stopped chan struct{} }

func newWaiting() *waiting {
	return &waiting{started: make(chan struct{}, 1000), stopped: make(chan struct{}, 1000)}
}

func (s *waiting) solve(ctx context.Context, _ search.Query) (search.Result, error) {
	s.started <- struct{}{}
	<-ctx.Done()
	s.stopped <- struct{}{}
	return search.Result{}, ctx.Err()
}

// within fails the test if nothing comes.
func within(tb testing.TB, c <-chan struct{}, what string) {
	tb.Helper()
	select {
	case <-c:
	case <-time.After(10 * time.Second):
		tb.Fatal("timed out waiting for: " + what)
	}
}

// trumps is a model that knows nothing but the number of trumps that the declarers hold, of deals under the default rules
// whose leader's team declares.
type trumps struct{}

func (trumps) Card() ([]api.ModelDescription, []api.ModelMeasured) { return nil, nil }

func (trumps) Predict(rules klaverjas.Rules, deal klaverjas.Deal) (hybrid.Prediction, api.ModelIdentity, *game.NoModelFor) {
	if rules != klaverjas.DefaultRules(klaverjas.Rotterdam) {
		return hybrid.Prediction{}, api.ModelIdentity{}, &game.NoModelFor{Pointer: "/rules", Detail: "are not those of a model"}
	}
	if deal.Declarer != deal.Leader.Team() {
		return hybrid.Prediction{}, api.ModelIdentity{}, &game.NoModelFor{Pointer: "/declarer", Detail: "is not the leader's team"}
	}
	n := 0
	for _, seat := range cards.Seats() {
		if seat.Team() == deal.Declarer {
			n += deal.Hands[seat].InSuit(deal.Trump).Len()
		}
	}
	p := hybrid.Prediction{WinProbability: 0.02 + 0.12*float64(n), Outcome: float64(40*n - 160)}
	p.Effort = hybrid.Hardness{Log10: 4 - math.Abs(float64(n)-4)/2, Sigma: 0.5}
	return p, api.ModelIdentity{Name: "trumps", Version: "1", Sha256: strings.Repeat("0", 64)}, nil
}

func (m trumps) PredictAll(rules klaverjas.Rules, deals []klaverjas.Deal) []game.Predicted {
	return oneByOne(m, rules, deals)
}

// oneByOne is PredictAll for models that have nothing to gain from many deals at a time.
func oneByOne(m game.Predictor, rules klaverjas.Rules, deals []klaverjas.Deal) []game.Predicted {
	out := make([]game.Predicted, len(deals))
	for i, deal := range deals {
		out[i].Prediction, out[i].Model, out[i].Unknown = m.Predict(rules, deal)
	}
	return out
}

type (
	searchQuery  = search.Query
	searchResult = search.Result
)

package board_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	contract "roem/api"
	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/handlers"
	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/service"
	"roem/internal/service/belote"
	"roem/internal/service/ginrummy"
	game "roem/internal/service/klaverjas"
	"roem/internal/service/records"
	"roem/internal/service/tarok"
	"roem/internal/solvecache"
	"roem/internal/web"
)

// assets is a folder from which the files of the board are served in place of those in the program: to see the tests fail for a page that
// is broken on purpose, without building the tests again.
var assets = flag.String("assets", "", "the folder of other files of the board")

// isPageAsset is whether one of the pages loads the file.
func isPageAsset(name string) bool {
	return slices.ContainsFunc(web.Pages, func(p web.Page) bool { return slices.Contains(p.Assets(), name) })
}

// asset returns the path of a file of the board.
func asset(tb testing.TB, name string) string {
	tb.Helper()
	file, err := web.AssetPath(name)
	if err != nil {
		tb.Fatal(err)
	}
	return file
}

// site is a server with everything that the pages need.
type site struct {
	url     string
	stop    func() error
	handler http.Handler // answers, without what the tests change
	key     string       // sent with the requests of the tests, not with the requests of the pages
	alone   *alone       // the pages are files, and the server answers the tests only; nil for a server that has the pages

	mu        sync.Mutex
	intercept func(w http.ResponseWriter, r *http.Request) bool
	recording bool
	exchanges []exchange   // of the API, while recording
	streams   atomic.Int32 // event streams that are open
	lists     atomic.Int32 // lists of jobs that were asked for
}

// exchange is a request and its answer.
type exchange struct {
	method, path, request, response string
	status                          int
}

// options change a site.
type options struct {
	searcher func() game.Searcher
	clients  handlers.Clients
	maxWait  time.Duration

	embedders []string
	pages     web.Worker
	worker    bool   // the server has the worker of the pages
	base      string // the path below which the proxy has the site
}

// common is the site of the tests that change nothing in it and intercept nothing: its cache solves each position once.
var common struct {
	start  sync.Once
	site   *site
	folder string
	err    error
}

func commonSite(tb testing.TB) *site {
	tb.Helper()
	browser(tb)
	if *withoutServer {
		return newSite(tb)
	}
	common.start.Do(func() {
		// it lives longer than the first test
		if common.folder, common.err = os.MkdirTemp("", "roem-board-"); common.err != nil {
			return
		}
		common.site, common.err = startSite(common.folder, options{maxWait: patience})
	})
	if common.err != nil {
		tb.Fatal(common.err)
	}
	return common.site
}

func newSite(tb testing.TB, change ...func(*options)) *site {
	tb.Helper()
	o := options{maxWait: patience}
	for _, f := range change {
		f(&o)
	}
	if o.worker {
		o.pages = pageWorker(tb)
	}
	if *withoutServer && len(change) > 0 {
		tb.Skip("speaks of the server: what it is configured with")
	}
	s, err := startSite(tb.TempDir(), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.stop(); err != nil {
			tb.Error(err)
		}
	})
	if *withoutServer {
		return s.asFiles(tb)
	}
	return s
}

// startSite starts a server that keeps its jobs in a folder.
func startSite(folder string, o options) (*site, error) {
	memory, err := solvecache.NewMemory(16 << 20)
	if err != nil {
		return nil, err
	}
	cache := solvecache.New(memory)
	queue, err := boltqueue.Open(filepath.Join(folder, "jobs.db"), jobs.Options{})
	if err != nil {
		return nil, err
	}
	svc, err := service.New(service.Options{Version: "v0.1.0", Slots: 2, Queue: 100, Cache: cache, Jobs: queue})
	if err != nil {
		return nil, err
	}
	predictor, err := game.DefaultPredictor()
	if err != nil {
		return nil, err
	}
	hands, err := hand.Embedded()
	if err != nil {
		return nil, err
	}
	learned, err := ginrummy.Learned(nil)
	if err != nil {
		return nil, err
	}
	ginrummy.New(svc, learned)
	game.New(svc, game.Options{TableBytes: 8 << 20, Searcher: o.searcher, Predictor: predictor, HandModel: hands})
	belote.New(svc, belote.Options{})
	tarok.New(svc, tarok.Options{})
	records.New(svc, svc.Records())
	h, err := handlers.New(handlers.Options{
		Service: svc, Log: zap.NewNop(),
		MaxWait: o.maxWait, MaxBody: 64 << 10, MaxList: 2 << 20, Clients: o.clients, Embedders: o.embedders, BasePath: o.base,
		PageWorker: o.pages,
		Version:    api.Version{Version: "v0.1.0", Solver: search.Version, Contract: contract.Embedded.Version, Go: "go1.x"},
	})
	if err != nil {
		return nil, err
	}
	s := &site{handler: h}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, h) }))
	s.url = server.URL
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- svc.WorkJobs(ctx, 2) }()
	s.stop = func() error {
		h.Drain()
		server.CloseClientConnections()
		server.Close()
		cancel()
		return errors.Join(<-done, queue.Close(), cache.Close())
	}
	return s, nil
}

// serve answers a request, unless the test intercepts it.
func (s *site) serve(w http.ResponseWriter, r *http.Request, h http.Handler) {
	if strings.HasSuffix(r.URL.Path, "/events") {
		s.streams.Add(1)
		defer s.streams.Add(-1)
	}
	if r.URL.Path == "/v1/jobs" && r.Method == http.MethodGet {
		s.lists.Add(1)
	}
	s.mu.Lock()
	intercept := s.intercept
	s.mu.Unlock()
	if intercept != nil && intercept(w, r) {
		return
	}
	if name := path.Base(r.URL.Path); *assets != "" && isPageAsset(web.SourceName(name)) {
		http.ServeFile(w, r, filepath.Join(*assets, web.SourceName(name)))
		return
	}
	if r.URL.Path == reviewPath && !*withoutServer { // the worker reviews with as many as it is asked for
		fewerWorlds(r)
	}
	s.mu.Lock()
	recording := s.recording && strings.HasPrefix(r.URL.Path, "/v1/")
	s.mu.Unlock()
	if !recording {
		h.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the page has left
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.Header.Del("Accept-Encoding") // the tests read the answer
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, r)
	s.mu.Lock()
	s.exchanges = append(s.exchanges, exchange{r.Method, r.URL.Path, string(body), answer.Body.String(), answer.Code})
	s.mu.Unlock()
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

const reviewPath = "/v1/klaverjas/review"

// fewerWorlds makes a request for a review one of 60 worlds for each card, whether a page or a test has sent it. With the default of 100
// and more, reviews were most of the work of all tests. With this seed south's cards of wholeHand have a mistake and an uncertain card.
func fewerWorlds(r *http.Request) {
	var request map[string]any
	body, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(body, &request) != nil {
		r.Body = io.NopCloser(bytes.NewReader(body)) // the handlers refuse it
		return
	}
	request["worlds"], request["seed"] = 60, "3"
	if body, err = json.Marshal(request); err != nil {
		return
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
}

// record begins to keep what is sent and answered.
func (s *site) record() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recording = true
}

// exchanged keeps an exchange of a page with its worker.
func (s *site) exchanged(text string) {
	var e struct {
		Method, Path, Request, Response string
		Status                          int
	}
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return // what a page has sent in place of the script of the tests
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.recording {
		s.exchanges = append(s.exchanges, exchange{e.Method, e.Path, e.Request, e.Response, e.Status})
	}
}

// recorded returns the exchanges since the last call.
func (s *site) recorded() []exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.exchanges
	s.exchanges = nil
	return out
}

// intercepts makes a function see every request first. It returns whether it has answered.
func (s *site) intercepts(f func(w http.ResponseWriter, r *http.Request) bool) {
	s.speaks("what it answers")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.intercept = f
}

// request sends a request of the test, and decodes the answer.
func request[T any](tb testing.TB, s *site, method, target string, body any) T {
	tb.Helper()
	var out T
	text, err := json.Marshal(body)
	if err != nil {
		tb.Fatal(err)
	}
	if s.alone != nil && strings.HasPrefix(target, sessionsPath) {
		if err := json.Unmarshal([]byte(s.alone.ask(tb, method, target, string(text))), &out); err != nil {
			tb.Fatal(err)
		}
		return out
	}
	r, err := http.NewRequestWithContext(context.Background(), method, s.server()+target, bytes.NewReader(text))
	if err != nil {
		tb.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if s.key != "" {
		r.Header.Set("Authorization", "Bearer "+s.key)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		tb.Fatalf("%s %s: %d %v\n%s", method, target, response.StatusCode, err, answer)
	}
	if err := json.Unmarshal(answer, &out); err != nil {
		tb.Fatal(err)
	}
	return out
}

// position is a position as the API takes it.
type position struct {
	Rules    *klaverjas.RulesJSON `json:"rules,omitempty"`
	Trump    string               `json:"trump"`
	Leader   string               `json:"leader"`
	Declarer string               `json:"declarer,omitempty"`
	Hands    map[string][]string  `json:"hands,omitempty"`
	Deal     string               `json:"deal,omitempty"`
	Played   []string             `json:"played,omitempty"`
	Goal     string               `json:"goal,omitempty"`
}

// example is the deal of the contract's examples.
func example(played ...string) position {
	return position{
		Trump: "S", Leader: "S", Declarer: "NS", Played: played,
		Hands: map[string][]string{
			"N": {"9C", "10C", "7D", "7H", "9H", "10H", "10S", "AS"}, "E": {"8C", "QC", "KC", "JD", "KD", "8H", "QH", "AH"},
			"S": {"7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"}, "W": {"8D", "9D", "10D", "QD", "AD", "8S", "JS", "QS"},
		},
	}
}

// wholeHand is a hand that was played to the end, with mistakes.
var wholeHand = strings.Fields(
	"KH 8S 7H 8H JS 10S KD 7S QS AS JD 9S KS 8D 9C 8C AC 9D 10C QC 7C 10D 7D KC QH JH QD 10H 9H AH JC AD")

// fragment is the part of the URL that names the position on the board. The first card that is shown is cursor, if it is not -1.
func (p position) fragment(cursor int) string {
	holders := make([]byte, 0, 32)
	for _, suit := range "CDHS" {
		for _, face := range []string{"7", "8", "9", "10", "J", "Q", "K", "A"} {
			holder := byte('.')
			for seat, hand := range p.Hands {
				for _, c := range hand {
					if c == face+string(suit) {
						holder = seat[0]
					}
				}
			}
			holders = append(holders, holder)
		}
	}
	out := "#v=1&t=" + p.Trump + "&l=" + p.Leader + "&d=" + p.Declarer + "&h=" + string(holders)
	if len(p.Played) > 0 {
		out += "&p=" + strings.ReplaceAll(strings.Join(p.Played, ""), "10", "T")
	}
	if cursor >= 0 {
		out += "&i=" + itoa(cursor)
	}
	return out
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

// slow is a searcher that reports the bounds that it is told, and finishes when it is told.
type slow struct {
	bounds chan search.Progress
	finish chan struct{}
}

func newSlow() *slow { return &slow{bounds: make(chan search.Progress), finish: make(chan struct{})} }

func (s *slow) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	for {
		select {
		case p := <-s.bounds:
			if q.Progress != nil {
				q.Progress(p)
			}
		case <-s.finish:
			return search.New(search.Options{TableBytes: 1 << 20}).Solve(ctx, q)
		case <-ctx.Done():
			return search.Result{}, ctx.Err()
		}
	}
}

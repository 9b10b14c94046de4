package test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/testkit"
)

// The permitted increases from before to after a storm.
const (
	// The connection that requests the metrics uses two goroutines, and up to two other connections may be closing. A leak of one
	// goroutine per thousand requests would be much more.
	moreGoroutines = 4
	// Bytes of the heap without those that the cache reports: the index of ended jobs, which are kept for an hour, and buffer pools.
	moreHeap = 16 << 20
)

// The maximum time of an answer of every endpoint after a storm, also with the race detector. Without -full other tests run at the same
// time, so the times are not compared.
const (
	afterAnswer      = 100 * time.Millisecond
	afterAnswerRaced = 500 * time.Millisecond
)

// stormState holds the resources that an idle server uses.
type stormState struct {
	goroutines float64
	heap       float64 // bytes after the last garbage collection
	cache      float64 // bytes of it that belong to the cache
}

func stateOf(t *testing.T, s *server) stormState {
	t.Helper()
	s.collects(t)
	// The next collection starts when the heap is twice its size after the last one, or earlier because of the memory limit.
	heap := min(s.metric(t, "go_memstats_next_gc_bytes")/2, s.metric(t, "go_memstats_heap_alloc_bytes"))
	return stormState{goroutines: s.metric(t, "go_goroutines"), heap: heap, cache: s.metric(t, "roem_cache_bytes")}
}

// collects makes the server collect its garbage twice. It sends requests without searches, which allocate memory.
func (s *server) collects(t *testing.T) {
	t.Helper()
	var positions []map[string]any
	for i := range 500 {
		positions = append(positions, map[string]any{"trump": "C", "leader": "N", "deal": fmt.Sprint(i)})
	}
	body := mustJSON(map[string]any{"positions": positions})
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	collected := s.metric(t, "go_gc_duration_seconds_count")
	eventually(t, testkit.Patience, "two garbage collections", func() bool {
		for range 5 {
			answer, err := c.Post(s.url+opPredictBatch.path, "application/json", strings.NewReader(string(body)))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
		}
		return s.metric(t, "go_gc_duration_seconds_count") >= collected+2
	})
}

// everySearcher fails the test unless one search per searcher can run at the same time and all end.
func everySearcher(t *testing.T, s *server, seed uint64) {
	t.Helper()
	n := int(s.metric(t, "roem_searchers"))
	next := hard(t, seed)
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	var busy atomic.Int64
	ended := make(chan struct{})
	var watch, searches sync.WaitGroup
	watch.Go(func() {
		for {
			busy.Store(max(busy.Load(), int64(s.metric(t, "roem_searchers_busy"))))
			select {
			case <-ended:
				return
			default:
			}
		}
	})
	// Nobody may look while the first ones run.
	for began := time.Now(); int(busy.Load()) < n && time.Since(began) < testkit.Patience && !t.Failed(); searches.Wait() {
		search(t, c, s.url, 4*n, next, &searches)
	}
	close(ended)
	if watch.Wait(); int(busy.Load()) != n {
		t.Errorf("%v searches ran at the same time, of %d searchers", busy.Load(), n)
	}
}

// search begins n searches.
func search(t *testing.T, c *http.Client, url string, n int, next func() map[string]any, all *sync.WaitGroup) {
	t.Helper()
	for range n {
		body := mustJSON(next())
		all.Go(func() {
			answer, err := c.Post(url+opSolve.path, "application/json", bytes.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			text, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Errorf("a search by itself: %d, %v: %.300s", answer.StatusCode, err, text)
			}
		})
	}
}

// checkAfter fails the test unless the server is in the same state as before the storm, and stops in order.
func (s *storm) checkAfter(t *testing.T, server *server, seed uint64, before stormState) {
	t.Helper()
	began := time.Now()
	for _, metric := range []string{"roem_search_queue_depth", "roem_jobs_queued", "roem_jobs_running", "roem_searchers_busy"} {
		eventually(t, testkit.Patience, metric+" is 0", func() bool { return server.metric(t, metric) == 0 })
	}
	t.Logf("no search or job was queued or running %.1f s after the storm", time.Since(began).Seconds())
	s.jobsEnded(t, seed)
	for range 3 {
		s.everyEndpoint(t, seed)
	}
	s.complete(t)
	everySearcher(t, server, seed+1)
	eventually(t, testkit.Patience, "all searchers are free", func() bool { return server.metric(t, "roem_searchers_busy") == 0 })
	eventually(t, testkit.Patience, "no request but this one", func() bool { return server.metric(t, "roem_http_requests_in_flight") <= 1 })
	eventually(t, testkit.Patience, "as many goroutines as before", func() bool {
		return server.metric(t, "go_goroutines") <= before.goroutines+moreGoroutines
	})
	after := stateOf(t, server)
	t.Logf("goroutines: %.0f before the storm, %.0f after; heap: %.1f MiB before, %.1f MiB after, of which the cache %.1f and %.1f",
		before.goroutines, after.goroutines, before.heap/(1<<20), after.heap/(1<<20), before.cache/(1<<20), after.cache/(1<<20))
	if after.heap-after.cache > before.heap-before.cache+moreHeap {
		t.Errorf("the heap without the cache has grown by %.1f MiB", (after.heap-after.cache-before.heap+before.cache)/(1<<20))
	}
	if !raced() { // the race detector uses memory too
		server.bounded(t)
	}
	s.stops(t, server)
}

// jobOfEachEnd submits a job that is cancelled and one that succeeds, so that jobsEnded sees both, however few the storm has.
func (s *storm) jobOfEachEnd(t *testing.T, seed uint64) {
	t.Helper()
	c := s.client(seed, 0)
	c.owner = "198.51.100.2"
	defer c.http.CloseIdleConnections()
	ask := func(q stormRequest) (j job) {
		ctx, cancel := context.WithTimeout(t.Context(), stormAnswer)
		defer cancel()
		status, _, body, err := c.send(ctx, q)
		if err == nil {
			err = json.Unmarshal(body, &j)
		}
		if err != nil || status >= 300 {
			t.Errorf("%v after the storm: %d, %v: %.300s", q.op, status, err, body)
		}
		return j
	}
	submit := func(kind stormOperation, body map[string]any) string {
		q := stormRequest{op: opCreateJob, target: opCreateJob.path, body: mustJSON(map[string]any{"kind": jobKinds[kind], "request": body})}
		id := ask(q).ID
		s.tally.job(id, c.owner)
		return id
	}
	long := submit(opSolveBatch, longBatch(t, seed, 300))
	s.tally.cancels(long)
	ask(ofJob(opCancelJob, long, c.rng, nil))
	short := submit(opMatch, s.deals[0].matchRequest())
	eventually(t, testkit.Patience, "a short job ends", func() bool {
		return ask(ofJob(opGetJob, short, c.rng, nil)).final() || t.Failed()
	})
}

// jobsEnded fails the test for jobs of the storm that have not ended or have a wrong end.
func (s *storm) jobsEnded(t *testing.T, seed uint64) {
	t.Helper()
	states, c := make(map[string]int), s.client(seed, 0)
	defer c.http.CloseIdleConnections()
	for _, one := range s.tally.lastJobs() {
		c.owner = one.owner
		ctx, cancel := context.WithTimeout(t.Context(), stormAnswer)
		q := ofJob(opGetJob, one.id, c.rng, func([]byte) error { return nil })
		status, _, body, err := c.send(ctx, q)
		cancel()
		var j job
		if err == nil && status == http.StatusOK {
			err = json.Unmarshal(body, &j)
		}
		if err == nil {
			err = rightJob(j, q.right, s.tally)
		}
		if err != nil || !j.final() {
			t.Errorf("job %s after the storm: %d, %q, %v", one.id, status, j.Status, err)
		}
		states[j.Status]++
	}
	t.Logf("jobs by their end, of the last %d at most: %v", stormJobsKept, states)
	if !raced() && (states["succeeded"] == 0 || states["cancelled"] == 0) {
		t.Error("no job succeeded, or no job was cancelled: the test has no effect for jobs")
	}
}

// everyEndpoint sends one request to every endpoint, one after the other, and fails the test if an answer is wrong, or with -full late.
// Other load on the machine can delay an answer, so an endpoint fails only if it is late three times, a second apart.
func (s *storm) everyEndpoint(t *testing.T, seed uint64) {
	t.Helper()
	c := s.client(seed, 0)
	c.owner = "198.51.100.1" // no client of the storm uses it, so its limits are not reached
	defer c.http.CloseIdleConnections()
	limit := stormAnswer
	switch {
	case testkit.Full() && raced():
		limit = afterAnswerRaced
	case testkit.Full():
		limit = afterAnswer
	}
	rng, id, keys := rand.New(rand.NewPCG(seed, 2)), "", 0
	slowest, of := time.Duration(0), ""
	prompt := func(name string, ask func() (string, error)) (answered bool) {
		t.Helper()
		for try := 1; ; try++ {
			began := time.Now()
			got, err := ask()
			took := time.Since(began)
			if err != nil {
				t.Errorf("after the storm, %s: %v", name, err)
				return false
			}
			if got != "" {
				id = got
			}
			if took <= limit {
				if took > slowest {
					slowest, of = took, name
				}
				return true
			}
			if try == 3 {
				t.Errorf("after the storm, %s is late three times, the last time after %v; the limit is %v", name, took, limit)
				return true
			}
			time.Sleep(time.Second) // the other load may have ended by then
		}
	}
	for _, page := range stormPages {
		prompt(page, func() (string, error) {
			s.asked.Store(stormOperation{http.MethodGet, page}.String(), true)
			status, body, err := get(s.url + page)
			if err == nil && (status != http.StatusOK || len(body) == 0) {
				err = fmt.Errorf("%d with %d bytes", status, len(body))
			}
			return "", err
		})
	}
	ask := func(next func() stormRequest) func() (string, error) {
		return func() (string, error) {
			q := next()
			ctx, cancel := context.WithTimeout(t.Context(), stormAnswer)
			defer cancel()
			status, header, body, err := c.send(ctx, q)
			if err != nil {
				return "", err
			}
			if status >= 400 {
				return "", fmt.Errorf("%d: %.300s", status, body)
			}
			return c.check(q, status, header, body)
		}
	}
	for _, w := range stormAll {
		// All use one deal, so few searches are necessary.
		prompt(w.op.String(), ask(func() stormRequest {
			q := newStormRequest(w.op, rng, s.deals[:1], 0)
			if q.prefer = ""; w.op == opCreateJob || w.op == opMatch || w.op == opGinMatch || w.op == opTarokMatch {
				// Not from rng: a request that is sent again shifts its numbers, and a key would come back with another body.
				keys++
				q.key = fmt.Sprintf("after-%d-%d", time.Now().UnixNano(), keys)
			}
			return q
		}))
	}
	for _, next := range s.sessionsAfter(t) {
		begun, play, friendly := next.op.String(), next.session, bytes.Contains(next.body, []byte(`"takeback"`))
		for range 200 {
			if !prompt(next.op.String(), ask(func() stormRequest { return next })) || play.over() || strings.HasSuffix(next.op.path, "/next") {
				break
			}
			next = play.act(rng)
		}
		if friendly {
			back := takeback(play)
			prompt(back.op.String(), ask(func() stormRequest { return back }))
		}
		prompt("reading after "+begun, ask(play.read))
		for _, q := range pastRequests(play) {
			prompt(q.op.String(), ask(func() stormRequest { return q }))
		}
		prompt("ending after "+begun, ask(play.end))
	}
	for _, op := range []stormOperation{opGetJob, opJobEvents, opJobToken, opCancelJob} {
		prompt(op.String(), ask(func() stormRequest {
			return ofJob(op, id, rng, isNothing)
		}))
	}
	t.Logf("every endpoint has answered, the slowest, %s, in %v", of, slowest.Round(time.Millisecond))
}

// sessionsAfter returns the requests for the sessions that are played after the storm, each up to its second hand: no first round of Gin
// Rummy has 500 points.
func (s *storm) sessionsAfter(t *testing.T) []stormRequest {
	t.Helper()
	klaverjas, position := new(stormSession), &stormSession{compare: "strong"}
	belote, gin, tarok := new(stormBeloteSession), new(stormGinSession), &stormTarokSession{bids: true}
	all := []stormRequest{
		{op: opCreateSession, session: klaverjas, right: klaverjas.right, body: []byte(
			`{"players": {"partner": "simple", "opponents": "simple"}, "hands": 16, "bidding": "obliged", "leader": "S", "takeback": true}`)},
		// The end of a hand, in which nothing is left to decide.
		{op: opCreateSession, session: position, right: position.right, body: s.example(t, opCreateSession, `"compare"`)},
		{op: opBeloteCreateSession, session: belote, right: belote.right, body: []byte(
			`{"players": {"opponent": "simple"}, "suits": ["H"], "hands": 2, "takeback": true}`)},
		{op: opGinCreateSession, session: gin, right: gin.right, body: []byte(
			`{"players": {"opponent": "simple"}, "starter": "A", "target": 500, "takeback": true}`)},
		{op: opTarokCreateSession, session: tarok, right: tarok.right, body: []byte(
			`{"players": {"left": "random", "right": "heuristic"}, "hands": 2, "seed": "9", "seat": "B", "takeback": true}`)},
	}
	for i := range all {
		all[i].target = all[i].op.path
	}
	return all
}

// example returns the example of the contract that contains a text.
func (s *storm) example(t *testing.T, op stormOperation, part string) []byte {
	t.Helper()
	for _, body := range s.routes[op.String()].bodies {
		if bytes.Contains(body, []byte(part)) {
			return body
		}
	}
	t.Fatalf("%v has no example with %s", op, part)
	return nil
}

// complete fails the test for each operation of the contract that has not been requested, in the storm or after it.
func (s *storm) complete(t *testing.T) {
	t.Helper()
	for name := range s.routes {
		if _, asked := s.asked.Load(name); !asked {
			t.Errorf("no client of the storm has sent %s", name)
		}
	}
}

// TestStormKinds compares the kinds of jobs of the storm with the contract.
func TestStormKinds(t *testing.T) {
	var ours []string
	for op, kind := range jobKinds {
		ours = append(ours, kind)
		if path := "/v1/" + strings.NewReplacer(".", "/", "_batch", "/batch", "_", "-").Replace(kind); op.path != path {
			t.Errorf("%s is the kind of %v", kind, op)
		}
	}
	slices.Sort(ours)
	schema := routes(t)[0].doc.Components.Schemas["JobRequest"].Value
	if diff := cmp.Diff(slices.Sorted(maps.Keys(schema.Discriminator.Mapping)), ours); diff != "" {
		t.Errorf("the kinds of jobs of the contract and of the storm (-contract +storm)\n%s", diff)
	}
}

// stops ends the server with SIGTERM and fails the test unless it stops in order.
func (s *storm) stops(t *testing.T, server *server) {
	t.Helper()
	const drain = 20 * time.Second // the default; on a busy machine the process may end later
	began := time.Now()
	server.signal(t, syscall.SIGTERM)
	status := server.ends(t, testkit.Patience)
	took := time.Since(began)
	t.Logf("ended %v after SIGTERM, with status %d", took.Round(time.Millisecond), status)
	if status != 0 || testkit.Full() && took > drain {
		t.Errorf("it ended %v after SIGTERM, with status %d", took, status)
	}
	races(t, server)
	server.sound(t)
	lines := strings.Split(strings.TrimSpace(server.logged()), "\n")
	var last struct{ Msg string }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Msg != "stopped" {
		t.Errorf("the log ends with %s", lines[len(lines)-1])
	}
}

// describe logs which requests a server that hangs still answers, and how it stops.
func (s *storm) describe(t *testing.T, server *server) {
	t.Helper()
	for _, page := range stormPages {
		t.Logf("%s: %s", page, s.probe("GET", page, nil))
	}
	for _, op := range []stormOperation{opLegalMoves, opPredict} {
		t.Logf("%v: %s", op, s.probe(op.method, op.path, mustJSON(s.deals[0].position)))
	}
	next := hard(t, 3)
	for range 3 {
		t.Logf("%v of a new deal: %s", opSolve, s.probe(opSolve.method, opSolve.path, mustJSON(next())))
	}
	t.Logf("%v: %s", opListJobs, s.probe(opListJobs.method, opListJobs.path, nil))
	began := time.Now()
	server.signal(t, syscall.SIGTERM)
	status := server.ends(t, testkit.Patience)
	t.Logf("ended %.1f s after SIGTERM, with status %d", time.Since(began).Seconds(), status)
	races(t, server)
	server.sound(t)
}

// probe sends one request and describes the result.
func (s *storm) probe(method, path string, body []byte) string {
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	request, err := http.NewRequest(method, s.url+path, strings.NewReader(string(body)))
	if err != nil {
		return err.Error()
	}
	request.Header.Set("Content-Type", "application/json")
	began := time.Now()
	answer, err := c.Do(request)
	if err != nil {
		return "no answer: " + err.Error()
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	_ = answer.Body.Close()
	return fmt.Sprintf("%d after %v", answer.StatusCode, time.Since(began).Round(time.Millisecond))
}

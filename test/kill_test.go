package test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/redistest"
	"roem/internal/testkit"
)

var (
	killJobs = flag.Int("kill.jobs", 500, "with -full, how many `jobs` TestKill submits")
	kills    = flag.Int("kill.kills", 20, "with -full, how many `times` TestKill kills")
)

// house holds the processes that run the jobs of TestKill. They can be killed and started again.
type house struct {
	mu      sync.Mutex
	servers []*server
	again   []func() *server // restarts each process with the same settings
	apis    []int            // indexes of the servers that answer requests
	killed  []int            // number of kills by process
	errors  []string         // messages of the errors that the test causes
}

func (h *house) urls() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []string
	for _, i := range h.apis {
		all = append(all, h.servers[i].url)
	}
	return all
}

func (h *house) add(tb testing.TB, api bool, environ ...string) {
	tb.Helper()
	addr := freeAddr(tb)
	again := func() *server { return startAt(tb, addr, environ...) }
	if api {
		h.apis = append(h.apis, len(h.servers))
	}
	h.servers, h.again, h.killed = append(h.servers, again()), append(h.again, again), append(h.killed, 0)
}

// kill kills a process with SIGKILL and starts it again. It returns the time until it was ready.
func (h *house) kill(tb testing.TB, i int) time.Duration {
	tb.Helper()
	h.mu.Lock()
	s := h.servers[i]
	h.mu.Unlock()
	s.kill()
	s.sound(tb, h.errors...)
	began := time.Now()
	s = h.again[i]()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.servers[i] = s
	h.killed[i]++
	return time.Since(began)
}

// TestKill kills processes at random times while jobs are created and run. Every accepted job succeeds and has one result.
func TestKill(t *testing.T) {
	jobs, deaths := 24, 2
	switch {
	case testkit.Full():
		jobs, deaths = *killJobs, *kills
	case testkit.Long():
		jobs, deaths = 40, 3
	case testing.Short():
		t.Skip("it also runs without the race detector, with the same code")
	}
	t.Run("embedded", func(t *testing.T) {
		h := &house{}
		h.add(t, true, "ROEM_DATA="+filepath.Join(t.TempDir(), "data"), "ROEM_SEARCH_TABLE=8MiB", "ROEM_SEARCH_SEARCHERS=2",
			"ROEM_LIMITS_SEARCHES=0", "ROEM_LIMITS_JOBS=0")
		h.survives(t, jobs, deaths, nil)
	})
	t.Run("Redis", func(t *testing.T) {
		redis := redistest.Start(t, redistest.Options{Durable: true, MaxMemoryPolicy: "noeviction"})
		h := &house{errors: []string{"a store fails"}} // while Redis starts again
		common := []string{
			"ROEM_REDIS_URL=" + redis.URL(), "ROEM_JOBS_LEASE=5s", "ROEM_SEARCH_TABLE=8MiB", "ROEM_SEARCH_SEARCHERS=1",
			"ROEM_LIMITS_SEARCHES=0", "ROEM_LIMITS_JOBS=0",
		}
		for range 2 {
			h.add(t, true, append([]string{"ROEM_ROLE=api"}, common...)...)
			h.add(t, false, append([]string{"ROEM_ROLE=worker"}, common...)...)
		}
		h.survives(t, jobs, deaths, redis)
	})
}

// survives submits jobs while processes are killed, and waits for the end of all jobs.
func (h *house) survives(t *testing.T, jobs, deaths int, redis *redistest.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	p := newPatient(t, h.urls)
	table, solve := hardTable(t, 11), hard(t, 12)
	kinds, requests, rights := make([]string, jobs), make([]map[string]any, jobs), make([]func([]byte) error, jobs)
	for i := range jobs {
		rights[i] = isObject
		switch i % 5 {
		case 3:
			kinds[i], requests[i], rights[i] = beloteJob(i, i/5)
		case 2:
			kinds[i], requests[i], rights[i] = tarokJob(i, i/5)
		case 4:
			kinds[i], requests[i] = "klaverjas.solve", solve()
		default:
			kinds[i], requests[i] = "klaverjas.table", table()
		}
	}
	var submitted, finished, died atomic.Int64
	accepted := make([]job, jobs)
	ended := make([]job, jobs)
	began := time.Now()
	var clients sync.WaitGroup
	next := make(chan int)
	go func() {
		defer close(next)
		for i := range jobs {
			// At each kill some jobs wait and some run. Some jobs remain after the last kill.
			for ctx.Err() == nil && (int64(i) > finished.Load()+int64(jobs)/4+8 || int64(i*deaths) > (died.Load()+2)*int64(jobs)) {
				time.Sleep(5 * time.Millisecond)
			}
			next <- i
		}
	}()
	for range 8 {
		clients.Go(func() {
			for i := range next {
				j, err := p.submit(ctx, fmt.Sprintf("job-%d", i), kinds[i], requests[i])
				if err != nil {
					t.Errorf("job %d was not accepted: %v", i, err)
					return
				}
				accepted[i] = j
				submitted.Add(1)
				clients.Go(func() {
					j, err := p.finish(ctx, j.ID)
					if err != nil {
						t.Errorf("job %d, %s: %v", i, j.ID, err)
						return
					}
					ended[i] = j
					finished.Add(1)
				})
			}
		})
	}
	all := make(chan struct{})
	go func() { clients.Wait(); close(all) }()
	slowest := time.Duration(0)
	for n := 1; n <= deaths && !t.Failed(); n++ {
		// Some jobs end between two kills, so that none runs during three of them, after which it would fail (TestPoison).
		before := finished.Load()
		time.Sleep(time.Second + time.Duration(rand.Int64N(int64(1500*time.Millisecond))))
		eventually(t, 10*time.Minute, "jobs end between the kills", func() bool {
			return finished.Load() >= min(before+4, int64(jobs)) || t.Failed()
		})
		slowest = max(slowest, h.kill(t, rand.IntN(len(h.servers))))
		died.Store(int64(n))
		if redis != nil && (n == (deaths+1)/2 || n == deaths*3/4) {
			redis.Restart()
			t.Logf("Redis restarted after %d deaths, %d of %d jobs done", n, finished.Load(), submitted.Load())
		}
	}
	lastKill := time.Now()
	select {
	case <-all:
	case <-time.After(10 * time.Minute):
		cancel()
		<-all
	}
	t.Logf("%d jobs submitted, %d ended in %.1f s; kills by process: %v, ready again after at most %v; the "+
		"last job ended %.1f s after the last kill",
		submitted.Load(), finished.Load(), time.Since(began).Seconds(), h.killed, slowest.Round(time.Millisecond), time.Since(lastKill).Seconds())
	h.verify(t, p, accepted, ended, rights)
}

// beloteJob returns the n-th job of Belote, of its operations in turn, and the check of its result. Equal requests would get the same job,
// so that seed is in each request, or chooses it.
func beloteJob(seed, n int) (kind string, request map[string]any, right func([]byte) error) {
	v := &beloteVectors()[seed%beloteCount]
	drawn := fmt.Sprint(seed)
	switch op := []stormOperation{opBeloteMatch, opBeloteSolve, opBeloteBid, opBeloteAdvise, opBeloteCompare, opBeloteAnalyse}[n%6]; op {
	case opBeloteMatch:
		return jobKinds[op], map[string]any{"a": "sampling:20", "b": "sampling:4", "deals": 8, "suits": 3, "seed": drawn}, isObject
	case opBeloteBid:
		return jobKinds[op], map[string]any{
			"suits": []string{"C", "D", "H", "S"},
			"open":  map[string]any{"A": []string{"JH", "9H", "AS", "7C"}, "B": []string{}}, "worlds": 4, "seed": drawn,
		}, isObject
	case opBeloteCompare:
		return jobKinds[op], map[string]any{"suits": []int{1, 2}, "deals": 3, "seed": drawn}, isObject
	default:
		return jobKinds[op], v.request(op), v.right(op)
	}
}

// tarokJob returns the n-th job of tarok, like beloteJob.
func tarokJob(seed, n int) (kind string, request map[string]any, right func([]byte) error) {
	v := &tarokVectors()[seed%tarokCount]
	switch op := []stormOperation{opTarokMatch, opTarokAdvise, opTarokSolve, opTarokBid, opTarokExchange, opTarokAnnounce}[n%6]; op {
	case opTarokMatch:
		return jobKinds[op], map[string]any{"a": "quick", "b": "random", "deals": 1, "seating": "one", "seed": fmt.Sprint(seed)}, isObject
	case opTarokSolve:
		return jobKinds[op], v.request(op), v.right(op)
	default:
		body := v.decision(op)
		body["seed"] = fmt.Sprint(seed)
		return jobKinds[op], body, isObject
	}
}

// verify reads every job again. It must have the same end as before, and a result that is right.
func (h *house) verify(t *testing.T, p *patient, accepted, ended []job, rights []func([]byte) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	ids := make(map[string]bool)
	again := 0
	for i, first := range accepted {
		if first.ID == "" {
			continue // already reported
		}
		if ids[first.ID] {
			t.Errorf("job %d has the id of another: %s", i, first.ID)
		}
		ids[first.ID] = true
		got := ended[i]
		if got.Status != "succeeded" || len(got.Result) == 0 {
			t.Errorf("job %d, %s, ended as %q: %s %s", i, first.ID, got.Status, got.Result, got.Error)
			continue
		}
		if err := rights[i](got.Result); err != nil {
			t.Errorf("job %d: %v", i, err)
		}
		now, err := p.ask(ctx, "GET", "/v1/jobs/"+first.ID, "", nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if now.Status != "succeeded" || !bytes.Equal(now.Result, ended[i].Result) {
			t.Errorf("job %d, %s, has ended twice: %s, then %s", i, first.ID, ended[i].Result, now.Result)
		}
		if now.Attempts > 1 {
			again++
		}
	}
	t.Logf("%d jobs were started more than once", again)
	for _, s := range h.servers {
		s.sound(t, h.errors...)
	}
}

// TestPoison checks that a job that crashes every process fails after its attempts, and that later jobs are run.
func TestPoison(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes several starts of the server")
	}
	h := &house{}
	h.add(t, true, "ROEM_DATA="+filepath.Join(t.TempDir(), "data"), "ROEM_SEARCH_SEARCHERS=1")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	p := newPatient(t, h.urls)
	poison, err := p.submit(ctx, "poison", "klaverjas.solve_batch", longBatch(t, 21, 100))
	if err != nil {
		t.Fatal(err)
	}
	next, err := p.submit(ctx, "next", "klaverjas.solve", hard(t, 22)())
	if err != nil {
		t.Fatal(err)
	}
	died := 0
	for {
		j, err := p.ask(ctx, "GET", "/v1/jobs/"+poison.ID, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if j.final() {
			if j.Status != "failed" || len(j.Error) == 0 {
				t.Errorf("it ended as %s after %d deaths: %s", j.Status, died, j.Error)
			}
			t.Logf("failed after %d deaths: %s", died, j.Error)
			break
		}
		if j.Status == "running" {
			if died++; died > 20 {
				t.Fatal("20 deaths were not enough")
			}
			h.kill(t, 0)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if j, err := p.finish(ctx, next.ID); err != nil || j.Status != "succeeded" {
		t.Errorf("the job after it: %v, %s", err, j.Status)
	}
	if died < 3 && !t.Failed() {
		t.Errorf("failed after %d deaths, want at least 3 attempts", died)
	}
}

// TestCancel checks that cancelling a job frees its slot immediately: with -full in 50 ms, and on any machine before a tenth of the job
// could have been done.
func TestCancel(t *testing.T) {
	const positions = 100
	s := start(t, "ROEM_SEARCH_SEARCHERS=1")
	p := newPatient(t, func() []string { return []string{s.url} })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	began := time.Now()
	tenth, err := p.submit(ctx, "tenth", "klaverjas.solve_batch", longBatch(t, 30, positions/10))
	if err == nil {
		_, err = p.finish(ctx, tenth.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	within, worst := time.Since(began), time.Duration(0)
	if testkit.Full() {
		within = 50 * time.Millisecond
	}
	for i := range 10 {
		j, err := p.submit(ctx, fmt.Sprintf("long-%d", i), "klaverjas.solve_batch", longBatch(t, uint64(31+i), positions))
		if err != nil {
			t.Fatal(err)
		}
		eventually(t, testkit.Patience, "the job searches", func() bool { return s.metric(t, "roem_searchers_busy") == 1 })
		began := time.Now()
		if j, err = p.ask(ctx, "DELETE", "/v1/jobs/"+j.ID, "", nil); err != nil || j.Status != "cancelled" {
			t.Fatalf("cancelling: %v, %s", err, j.Status)
		}
		for s.metric(t, "roem_searchers_busy") != 0 && time.Since(began) < testkit.Patience {
			time.Sleep(time.Millisecond)
		}
		worst = max(worst, time.Since(began))
		if j, err = p.ask(ctx, "GET", "/v1/jobs/"+j.ID, "", nil); err != nil || j.Status != "cancelled" {
			t.Errorf("afterwards: %v, %s", err, j.Status)
		}
	}
	t.Logf("maximum time from the cancellation to a free searcher, of 10: %v", worst)
	if worst > within {
		t.Errorf("a searcher was free after %v, want %v", worst, within)
	}
	s.sound(t)
}

// addresses counts what freeAddr has returned.
var addresses atomic.Uint32

// freeAddr returns an address that is not in use.
func freeAddr(tb testing.TB) string {
	tb.Helper()
	// Each has a host of its own, from which no connection comes: nothing else takes its port while a server starts again.
	n := addresses.Add(1)
	l, err := net.Listen("tcp4", fmt.Sprintf("127.%d.%d.%d:0", 16+os.Getpid()%200, 1+n/200, 1+n%200))
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

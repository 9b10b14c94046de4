package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	game "roem/internal/service/klaverjas"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
)

// The searches of a cancelled job stop, and its slots become free.
func TestCancelledJobsStop(t *testing.T) { onEachQueue(t, testCancelledJobsStop) }

func testCancelledJobsStop(t *testing.T, queue func(*config)) {
	t.Helper()
	waiting := newWaiting()
	s := newServer(t, queue, withSearcher(waiting.solve), func(c *config) { c.searchers = 1; c.maxWait = 100 * time.Millisecond })
	for name, begin := range map[string]func() api.Job{
		"a job":                     func() api.Job { return s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal)) },
		"a request that waited":     func() api.Job { return s.accept(t, "/v1/klaverjas/solve", with(`"goal": "win"`)) },
		"a batch":                   func() api.Job { return s.accept(t, "/v1/klaverjas/solve/batch", `{"positions": [`+someDeal+`]}`) },
		"a table that became a job": func() api.Job { return s.accept(t, "/v1/klaverjas/table", `{"leader": "S", "hands": `+goodHands+`}`) },
	} {
		t.Run(name, func(t *testing.T) {
			job := begin()
			within(t, waiting.started, "the search")
			for range 2 {
				w := s.do(t, request(http.MethodDelete, job.Links.Self, ""))
				status(t, w, 200)
				if got := decodeAs[api.Job](t, w); got.Status != api.JobStatusCancelled || got.FinishedAt == nil {
					t.Errorf("%+v", got)
				}
			}
			within(t, waiting.stopped, "the end of the search")
			if got := s.finished(t, job); got.Status != api.JobStatusCancelled {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A cancelled job frees its slot, within 50 ms on a machine without other load (TestCancel). The test logs the time: the search has no
// other end.
func TestCancelFreesTheSearcher(t *testing.T) {
	var began, ended atomic.Int64
	s := newServer(t, func(c *config) {
		c.searchers = 1
		c.searcher = func() game.Searcher {
			solver := search.New(search.Options{TableBytes: 8 << 20})
			return searcherFunc(func(ctx context.Context, q search.Query) (r search.Result, err error) {
				began.Add(1)
				for ctx.Err() == nil { // every real search would end too soon
					solver = search.New(search.Options{TableBytes: 1 << 20})
					r, err = solver.Solve(ctx, q)
				}
				ended.Store(time.Now().UnixNano())
				return r, err
			})
		}
	})
	var worst time.Duration
	for i := range 10 {
		job := s.accept(t, "/v1/jobs", jobOf("klaverjas.solve",
			fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d", "goal": "moves"}`, 12345678901234+i)))
		until(t, "the search", func() bool { return began.Load() == int64(i+1) })
		asked := time.Now()
		ended.Store(0)
		status(t, s.do(t, request(http.MethodDelete, job.Links.Self, "")), 200)
		until(t, "the end of the search", func() bool { return ended.Load() != 0 })
		worst = max(worst, time.Unix(0, ended.Load()).Sub(asked))
	}
	t.Logf("maximum time from the cancellation to the end of the search: %v", worst)
}

// A search that fails is attempted again. After the last attempt the job has a problem without internal details.
func TestFailingJob(t *testing.T) { onEachQueue(t, testFailingJob) }

func testFailingJob(t *testing.T, queue func(*config)) {
	t.Helper()
	var attempts atomic.Int64
	var answering sync.Mutex // a job that fails before the request for it is answered is answered with 200
	s := newServer(t, queue, withSearcher(func(context.Context, search.Query) (search.Result, error) {
		answering.Lock()
		defer answering.Unlock()
		attempts.Add(1)
		panic("the inside of the server")
	}))
	accept := func() api.Job {
		answering.Lock()
		defer answering.Unlock()
		return s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
	}
	job := s.finished(t, accept())
	if job.Status != api.JobStatusFailed || job.Attempts != 3 || attempts.Load() != 3 || job.Error == nil || job.Error.Status != 500 ||
		strings.Contains(job.Error.Detail, "inside") {
		t.Errorf("after %d attempts: %+v %+v", attempts.Load(), job, job.Error)
	}
	// Another equal request creates a new job.
	if again := accept(); again.Id == job.Id {
		t.Error("an equal request gets the failed job")
	}
}

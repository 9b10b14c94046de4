package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"roem/internal/api"
	"roem/internal/redistest"
	"roem/internal/testkit"
)

// submit sends a request that becomes a job.
func (p *process) submit(t *testing.T, path, body string) api.Job {
	t.Helper()
	code, text, err := p.post(context.Background(), path, body)
	if err != nil || code != http.StatusAccepted {
		t.Fatalf("%d, %v: %s\n%s", code, err, text, p.logged())
	}
	var job api.Job
	if err := json.Unmarshal(text, &job); err != nil {
		t.Fatal(err)
	}
	return job
}

// job gets a job. It waits at most wait seconds for its end.
func (p *process) job(t *testing.T, id string, wait int) api.Job {
	t.Helper()
	code, text, err := p.request(context.Background(), http.MethodGet, fmt.Sprintf("/v1/jobs/%s?wait=%d", id, wait), "")
	if err != nil || code != http.StatusOK {
		t.Fatalf("%d, %v: %s\n%s", code, err, text, p.logged())
	}
	var job api.Job
	if err := json.Unmarshal(text, &job); err != nil {
		t.Fatal(err)
	}
	return job
}

// succeeds waits until the job has succeeded.
func (p *process) succeeds(t *testing.T, id string) api.Job {
	t.Helper()
	var job api.Job
	await(t, "the end of the job", func() bool {
		job = p.job(t, id, 5)
		return job.FinishedAt != nil
	})
	if job.Status != api.JobStatusSucceeded {
		t.Fatalf("%+v\n%s", job, tail(p.logged()))
	}
	return job
}

// unready waits until the server says that it takes no more requests, which it must do before it ends.
func (p *process) unready(t *testing.T) {
	t.Helper()
	await(t, "/readyz to be 503", func() bool {
		status := p.status("/readyz")
		if status == 0 {
			t.Fatalf("the server ended, and /readyz has not said 503\n%s", tail(p.logged()))
		}
		return status == http.StatusServiceUnavailable
	})
}

// await polls until the condition is true.
func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	testkit.Until(t, what, is)
}

func slowBatch(t *testing.T) string {
	t.Helper()
	return `{"kind": "klaverjas.solve_batch", "request": {"goal": "moves", "positions": [` + strings.Join(hardDeals(t)[:4], ",") + `]}}`
}

// An accepted job is run even if the server is stopped or killed.
func TestJobsSurviveTheServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	environ := []string{"ROEM_DATA=" + dir, "ROEM_SEARCH_SEARCHERS=1", "ROEM_CACHE_DISK=0"}
	p := start(t, environ...)
	running := p.submit(t, "/v1/jobs", slowBatch(t))
	waiting := p.submit(t, "/v1/jobs", `{"kind": "klaverjas.solve", "request": {"trump": "C", "leader": "N", "deal": "71234567890123456"}}`)
	await(t, "the job to run", func() bool { return p.job(t, running.Id, 0).Status == api.JobStatusRunning })
	p.signal(t, syscall.SIGKILL)
	p.ends(t, testkit.Patience)

	p = start(t, environ...)
	await(t, "the job to run again", func() bool { return p.job(t, running.Id, 0).Status == api.JobStatusRunning })
	stream, err := http.Get(p.url + running.Links.Events)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stream.Body.Close() }()
	p.signal(t, syscall.SIGTERM)
	if got := p.ends(t, testkit.Patience); got != 0 {
		t.Errorf("exit status %d\n%s", got, p.logged())
	}
	if events, err := io.ReadAll(stream.Body); err != nil ||
		!strings.HasSuffix(string(events), ": the server is shutting down; connect again\n\n") {
		t.Errorf("the stream of events ended with %v: %s", err, tail(string(events)))
	}

	p = start(t, environ...)
	for _, job := range []api.Job{running, waiting} {
		done := p.succeeds(t, job.Id)
		if done.Kind != job.Kind || !done.CreatedAt.Equal(job.CreatedAt) {
			t.Errorf("%+v was %+v", done, job)
		}
	}
}

// After the signal to stop, a server finishes its running job while it still answers requests, and starts no other job. The next server
// runs the other jobs.
func TestStopsClaimingAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	environ := []string{"ROEM_DATA=" + dir, "ROEM_SEARCH_SEARCHERS=1", "ROEM_CACHE_DISK=0"}
	p := start(t, append(environ, "ROEM_SHUTDOWN_GRACE=1h")...)
	running := p.submit(t, "/v1/jobs", slowBatch(t))
	waiting := p.submit(t, "/v1/jobs", `{"kind": "klaverjas.solve", "request": {"trump": "C", "leader": "N", "deal": "71234567890123456"}}`)
	await(t, "the job to run", func() bool { return p.job(t, running.Id, 0).Status == api.JobStatusRunning })
	p.signal(t, syscall.SIGTERM)
	p.unready(t)
	p.succeeds(t, running.Id)
	if got := p.job(t, waiting.Id, 1); got.Status != api.JobStatusQueued {
		t.Errorf("started after the signal: %+v", got)
	}
	p.signal(t, syscall.SIGTERM) // ends the grace
	p.ends(t, testkit.Patience)
	p = start(t, environ...)
	if done := p.succeeds(t, waiting.Id); done.Attempts != 1 {
		t.Errorf("%+v", done)
	}
}

// Without a folder there are no jobs. Everything else works.
func TestWithoutJobs(t *testing.T) {
	p := start(t, "ROEM_DATA=")
	code, body, err := p.post(context.Background(), "/v1/jobs",
		`{"kind": "klaverjas.solve", "request": {"trump": "C", "leader": "N", "deal": "7"}}`)
	if err != nil || code != http.StatusServiceUnavailable || !strings.Contains(string(body), "no store for jobs") {
		t.Errorf("%d, %v: %s", code, err, body)
	}
	if code, body, err = p.post(context.Background(), "/v1/klaverjas/solve", `{"trump": "C", "leader": "N", "deal": "7"}`); err != nil ||
		code != http.StatusOK {
		t.Errorf("%d, %v: %s", code, err, body)
	}
}

// Servers that share a Redis have roles: some answer requests, others run jobs.
func TestRoles(t *testing.T) {
	redis := redistest.Start(t, redistest.Options{})
	server := func(role string, environ ...string) *process {
		return start(t, append(environ, "ROEM_REDIS_URL="+redis.URL(), "ROEM_ROLE="+role, "ROEM_JOBS_LEASE=5s", "ROEM_DATA=")...)
	}
	front := server("api", "ROEM_HTTP_MAX_WAIT=20s")
	simple := `{"kind": "klaverjas.solve", "request": {"trump": "C", "leader": "N", "deal": "71234567890123456"}}`
	job := front.submit(t, "/v1/jobs", simple)
	if got := front.job(t, job.Id, 1); got.Status != api.JobStatusQueued || got.PositionInQueue != 1 || got.EstimatedWaitMs != nil {
		t.Errorf("without a worker: %+v", got)
	}
	worker := server("worker")
	front.succeeds(t, job.Id)
	for path, want := range map[string]int{
		"/healthz": 200, "/readyz": 200, "/version": 200, "/metrics": 200, "/v1/jobs": 404, "/docs": 404,
		"/": 404,
	} {
		if got := worker.status(path); got != want {
			t.Errorf("the worker: %s is %d, want %d", path, got, want)
		}
	}
	if code, _, err := worker.post(context.Background(), "/v1/jobs", simple); err != nil || code != http.StatusNotFound {
		t.Errorf("the worker accepts jobs: %d, %v", code, err)
	}

	// When a worker is killed, another one runs its jobs.
	batch := front.submit(t, "/v1/jobs", slowBatch(t))
	await(t, "the batch to run", func() bool { return front.job(t, batch.Id, 0).Status == api.JobStatusRunning })
	worker.signal(t, syscall.SIGKILL)
	worker.ends(t, testkit.Patience)
	other := server("worker")
	front.succeeds(t, batch.Id)

	// A search that becomes a job continues in its server, even without workers. If that server is killed, a worker runs the job.
	other.signal(t, syscall.SIGTERM)
	if got := other.ends(t, testkit.Patience); got != 0 {
		t.Errorf("exit status %d\n%s", got, other.logged())
	}
	hasty := server("api", "ROEM_HTTP_MAX_WAIT=5ms")
	var carried []api.Job
	for _, system := range []string{"rotterdam", "amsterdam"} {
		table := strings.Replace(slowRequest(t), "{", `{"rules": {"system": "`+system+`"},`, 1)
		carried = append(carried, hasty.submit(t, "/v1/klaverjas/table", table))
	}
	front.succeeds(t, carried[0].Id)
	hasty.signal(t, syscall.SIGKILL)
	hasty.ends(t, testkit.Patience)
	server("worker")
	front.succeeds(t, carried[1].Id)
}

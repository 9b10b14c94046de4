package jobstest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"roem/internal/jobs"
)

// Storm is a run in which processes are killed while they work.
type Storm struct {
	Jobs  int // to be submitted
	Kills int // of worker processes, at random moments
	Seed  uint64
	// Workers is the number of worker processes. If the store is not Shared, there is one, which also serves the submits.
	Workers int
	// Restart, if not nil, restarts the clients of the store. It is called after half and three quarters of the kills.
	Restart func()
}

// StormFromEnvironment returns a short storm, or one of the size in ROEM_STORM_JOBS, ROEM_STORM_KILLS and ROEM_STORM_SEED.
func StormFromEnvironment(tb testing.TB, workers int) Storm {
	tb.Helper()
	read := func(name string, otherwise int) int {
		text := os.Getenv(name)
		if text == "" {
			return otherwise
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		return n
	}
	number, kills := 60, 4
	if testing.Short() {
		number, kills = 20, 2
	}
	return Storm{
		Jobs: read("ROEM_STORM_JOBS", number), Kills: read("ROEM_STORM_KILLS", kills), Workers: workers,
		Seed: uint64(read("ROEM_STORM_SEED", 1)),
	}
}

const (
	stormSlots     = 2
	leastBetween   = 100 * time.Millisecond // between two kills
	spreadBetween  = 900 * time.Millisecond
	longestJob     = 120 * time.Millisecond
	stormTimeLimit = timeLimit // for the last job after the last kill
)

// client serves submits: a queue, or the process that has it open.
type client interface {
	Submit(spec jobs.Spec) (jobs.Job, error)
	Get(id string) (jobs.Job, error)
	Result(id string) (string, error)
}

type queueClient struct{ jobs.Queue }

func (c queueClient) Submit(spec jobs.Spec) (jobs.Job, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	job, _, err := c.Queue.Submit(ctx, spec)
	return job, err
}

func (c queueClient) Get(id string) (jobs.Job, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	return c.Queue.Get(ctx, id)
}

func (c queueClient) Result(id string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	whole, err := wholeResult(ctx, c.Queue, id, 1<<10)
	return string(whole), err
}

// current is the client in use, which changes with each kill.
type current struct {
	mu     sync.Mutex
	client client
}

func (c *current) set(to client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.client = to
}

func (c *current) get() client {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.client
}

// stormRun is a storm under way.
type stormRun struct {
	Storm
	*fixture
	clients   current
	processes []*Process
	log       string
	start     time.Time
	ids       []string // of the accepted jobs
}

// Run submits jobs while processes are killed, and checks that every accepted job succeeds once, with its result.
func (s Storm) Run(t *testing.T, store Store) {
	t.Helper()
	r := &stormRun{Storm: s, fixture: &fixture{t: t, Store: store}, start: time.Now(), ids: make([]string, s.Jobs)}
	random := rand.New(rand.NewPCG(s.Seed, 0))
	r.log = r.fixture.log()
	r.processes = make([]*Process, max(1, s.Workers))
	for i := range r.processes {
		r.processes[i] = StartProcess(t, store.Target, stormSlots)
	}
	if store.Shared {
		r.clients.set(queueClient{r.open(jobs.Options{})})
	} else {
		r.clients.set(r.processes[0])
	}
	lengths := make([]time.Duration, s.Jobs)
	for i := range lengths {
		lengths[i] = time.Duration(random.Int64N(int64(longestJob)))
	}
	var submitting sync.WaitGroup
	submitting.Go(func() { r.submit(lengths) })
	r.kill(random)
	submitting.Wait()
	r.check()
	for _, p := range r.processes {
		p.Stop(t)
	}
}

// submit submits a job for each length. An accepted job must exist. A submit without an answer is repeated with the same idempotency key.
func (r *stormRun) submit(lengths []time.Duration) {
	for i, length := range lengths {
		script := Script{Log: r.log, Name: fmt.Sprint(i), Sleep: length}
		spec := jobs.Spec{Kind: "script", Owner: "o", IdempotencyKey: fmt.Sprint(i), Payload: script.Bytes()}
		for r.ids[i] == "" {
			job, err := r.clients.get().Submit(spec)
			if err == nil {
				r.ids[i] = job.ID
			} else {
				time.Sleep(10 * time.Millisecond)
			}
			if time.Since(r.start) > stormTimeLimit+time.Duration(r.Kills)*time.Minute {
				r.t.Errorf("job %d cannot be submitted: %v", i, err)
				return
			}
		}
		time.Sleep(time.Duration(i%3) * time.Millisecond)
	}
}

// kill kills processes and starts others in their places.
func (r *stormRun) kill(random *rand.Rand) {
	for kill := range r.Kills {
		// Some jobs end between two kills, so that none runs during three of them, after which it would fail.
		enough := min(r.ended()+2*stormSlots, r.Jobs)
		r.until("jobs end between the kills", func() bool { return r.ended() >= enough })
		time.Sleep(leastBetween + time.Duration(random.Int64N(int64(spreadBetween))))
		if r.Restart != nil && (kill == r.Kills/2 || kill == r.Kills*3/4) {
			r.Restart()
		}
		i := random.IntN(len(r.processes))
		r.processes[i].Kill()
		r.processes[i] = StartProcess(r.t, r.Target, stormSlots)
		if !r.Shared {
			r.clients.set(r.processes[i])
		}
	}
}

// ended returns how many attempts have ended.
func (r *stormRun) ended() int {
	r.t.Helper()
	text, err := os.ReadFile(r.log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.t.Fatal(err)
	}
	return strings.Count(string(text), "end ")
}

// check waits for the end of every job, and checks that the jobs do not change after it.
func (r *stormRun) check() {
	ended, begun := time.Now(), 0
	for i, id := range r.ids {
		var job jobs.Job
		var err error
		for job, err = r.clients.get().Get(id); !job.Status.Final(); job, err = r.clients.get().Get(id) {
			if errors.Is(err, jobs.ErrNotFound) || time.Since(ended) > stormTimeLimit {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		result := ""
		if err == nil && job.Status == jobs.Succeeded {
			result, err = r.clients.get().Result(id)
		}
		if err != nil || result != fmt.Sprint(i, " ok") {
			r.t.Errorf("job %d: %+v with the result %q, %v", i, job, result, err)
		}
		begun += r.count(r.log, fmt.Sprint("begin ", i))
	}
	r.t.Logf("%d jobs, %d kills in %v; the last job ended %v after the last kill; %d attempts",
		r.Jobs, r.Kills, ended.Sub(r.start).Round(time.Millisecond), time.Since(ended).Round(time.Millisecond), begun)
	if begun < r.Jobs {
		r.t.Errorf("%d attempts at %d jobs", begun, r.Jobs)
	}
	for i, id := range r.ids {
		if job, err := r.clients.get().Get(id); err != nil || job.Status != jobs.Succeeded {
			r.t.Errorf("job %d in the end: %+v, %v", i, job, err)
		}
	}
}

package jobstest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
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
	stormTimeLimit = 2 * time.Minute // for the last job after the last kill
)

// client serves submits: a queue, or the process that has it open.
type client interface {
	Submit(spec jobs.Spec) (jobs.Job, error)
	Get(id string) (jobs.Job, error)
	Result(id string) (string, error)
}

type queueClient struct{ jobs.Queue }

func (c queueClient) Submit(spec jobs.Spec) (jobs.Job, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	job, _, err := c.Queue.Submit(ctx, spec)
	return job, err
}

func (c queueClient) Get(id string) (jobs.Job, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return c.Queue.Get(ctx, id)
}

func (c queueClient) Result(id string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
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

// Run submits jobs while processes are killed, and checks that every accepted job succeeds once, with its result.
func (s Storm) Run(t *testing.T, store Store) {
	t.Helper()
	f := &fixture{t: t, Store: store}
	random := rand.New(rand.NewPCG(s.Seed, 0))
	log := f.log()
	var clients current
	processes := make([]*Process, max(1, s.Workers))
	for i := range processes {
		processes[i] = StartProcess(t, store.Target, stormSlots)
	}
	if store.Shared {
		clients.set(queueClient{f.open(jobs.Options{})})
	} else {
		clients.set(processes[0])
	}

	// An accepted job must exist. A submit without an answer is repeated with the same idempotency key.
	var submitting sync.WaitGroup
	ids := make([]string, s.Jobs)
	lengths := make([]time.Duration, s.Jobs)
	for i := range lengths {
		lengths[i] = time.Duration(random.Int64N(int64(longestJob)))
	}
	start := time.Now()
	submitting.Go(func() {
		for i := range ids {
			script := Script{Log: log, Name: fmt.Sprint(i), Sleep: lengths[i]}
			spec := jobs.Spec{Kind: "script", Owner: "o", IdempotencyKey: fmt.Sprint(i), Payload: script.Bytes()}
			for ids[i] == "" {
				job, err := clients.get().Submit(spec)
				if err == nil {
					ids[i] = job.ID
				} else {
					time.Sleep(10 * time.Millisecond)
				}
				if time.Since(start) > stormTimeLimit+time.Duration(s.Kills)*10*time.Second {
					t.Errorf("job %d cannot be submitted: %v", i, err)
					return
				}
			}
			time.Sleep(time.Duration(i%3) * time.Millisecond)
		}
	})
	for kill := range s.Kills {
		time.Sleep(leastBetween + time.Duration(random.Int64N(int64(spreadBetween))))
		if s.Restart != nil && (kill == s.Kills/2 || kill == s.Kills*3/4) {
			s.Restart()
		}
		i := random.IntN(len(processes))
		processes[i].Kill()
		processes[i] = StartProcess(t, store.Target, stormSlots)
		if !store.Shared {
			clients.set(processes[i])
		}
	}
	submitting.Wait()
	killsEnded := time.Now()

	begun := 0
	for i, id := range ids {
		var job jobs.Job
		var err error
		for job, err = clients.get().Get(id); !job.Status.Final(); job, err = clients.get().Get(id) {
			if errors.Is(err, jobs.ErrNotFound) || time.Since(killsEnded) > stormTimeLimit {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		result := ""
		if err == nil && job.Status == jobs.Succeeded {
			result, err = clients.get().Result(id)
		}
		if err != nil || result != fmt.Sprint(i, " ok") {
			t.Errorf("job %d: %+v with the result %q, %v", i, job, result, err)
		}
		begun += f.count(log, fmt.Sprint("begin ", i))
	}
	t.Logf("%d jobs, %d kills in %v; the last job ended %v after the last kill; %d attempts",
		s.Jobs, s.Kills, killsEnded.Sub(start).Round(time.Millisecond), time.Since(killsEnded).Round(time.Millisecond), begun)
	if begun < s.Jobs {
		t.Errorf("%d attempts at %d jobs", begun, s.Jobs)
	}
	// Final jobs do not change.
	for i, id := range ids {
		if job, err := clients.get().Get(id); err != nil || job.Status != jobs.Succeeded {
			t.Errorf("job %d in the end: %+v, %v", i, job, err)
		}
	}
	for _, p := range processes {
		p.Stop(t)
	}
}

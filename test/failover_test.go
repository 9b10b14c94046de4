package test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redisconn"
	"roem/internal/redistest"
	"roem/internal/sessions"
	"roem/internal/testkit"
)

// normalWithin is how long after the death of the primary jobs and sessions are accepted again, on a quiet machine and with the settings of
// deploy/redis/replicated.
const normalWithin = 5 * time.Second

// TestFailover kills the primary of a Redis with two replicas and three Sentinels again and again, while clients create jobs and play
// sessions through two servers. Every job and every act that was confirmed is there afterwards (jobs.replicas: 1), and nobody restarts a
// server.
func TestFailover(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it also runs without the race detector, with the same code")
	}
	deaths := testkit.Times(0, 1, 5, 5)
	group := redistest.StartGroup(t)
	h := &house{errors: []string{"a store fails"}} // while there is no primary
	for range 2 {
		h.add(t, true, "ROEM_REDIS_URL="+group.URL(), "ROEM_JOBS_REPLICAS=1", "ROEM_JOBS_LEASE=5s", "ROEM_SEARCH_TABLE=8MiB",
			"ROEM_SEARCH_SEARCHERS=1", "ROEM_LIMITS_SEARCHES=0", "ROEM_LIMITS_JOBS=0", "ROEM_LIMITS_SESSIONS=0",
			"ROEM_LIMITS_SESSIONS_PER_MINUTE=0", "ROEM_SESSIONS_KEEP=100000", "ROEM_JOBS_QUEUE=100000")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	p := newPatient(t, h.urls)
	l := newFailoverLoad(ctx, t, p)
	for n := range deaths {
		// Some acts later, at a random time.
		enough := l.acted.Load() + 40
		testkit.Until(t, "sessions are played", func() bool { return l.acted.Load() >= enough || t.Failed() })
		time.Sleep(time.Duration(rand.Int64N(int64(time.Second))))
		primary := group.Settled(t)
		primary.Kill()
		died := time.Now()
		p.acceptsAgain(ctx, t, n)
		took := time.Since(died)
		t.Logf("death %d: jobs and sessions are accepted again after %v", n+1, took.Round(10*time.Millisecond))
		if testkit.Full() && took > normalWithin {
			t.Errorf("that is later than %v", normalWithin)
		}
		primary.Restart()
	}
	l.check(ctx, t, p)
	for _, s := range h.servers {
		s.sound(t, h.errors...)
	}
}

// failoverLoad is what the clients of TestFailover do.
type failoverLoad struct {
	clients sync.WaitGroup
	stopped atomic.Bool
	acted   atomic.Int64
	plays   [4][]*killedPlay
	ids     [4][]string
}

// newFailoverLoad starts clients that play sessions and create jobs until check.
func newFailoverLoad(ctx context.Context, t *testing.T, p *patient) *failoverLoad {
	t.Helper()
	l := &failoverLoad{}
	for i := range 4 {
		l.clients.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 3))
			for n := 0; !l.stopped.Load() && !t.Failed(); n++ {
				one, err := p.begin(ctx, fmt.Sprintf("player %d, session %d", i, n), i, rng)
				if err == nil {
					l.plays[i] = append(l.plays[i], one)
					err = one.playOn(ctx, p, rng, func() bool { l.acted.Add(1); return !l.stopped.Load() })
				}
				if err != nil {
					t.Error(err)
				}
				time.Sleep(50 * time.Millisecond)
			}
		})
		l.clients.Go(func() {
			for n := 0; !l.stopped.Load() && !t.Failed(); n++ {
				kind, request, _ := tarokJob(1000*i+n, 0)
				j, err := p.submit(ctx, fmt.Sprintf("client %d, job %d", i, n), kind, request)
				if err != nil {
					t.Error(err)
					return
				}
				l.ids[i] = append(l.ids[i], j.ID)
				time.Sleep(testkit.Times(time.Second, time.Second, 50*time.Millisecond, 50*time.Millisecond)) // at the end all of them have run
			}
		})
	}
	return l
}

// check ends the clients, and reads all that was confirmed to them.
func (l *failoverLoad) check(ctx context.Context, t *testing.T, p *patient) {
	t.Helper()
	l.stopped.Store(true)
	l.clients.Wait()
	jobs, acts, sessions := 0, 0, 0
	for i := range 4 {
		for _, one := range l.plays[i] {
			sessions, acts = sessions+1, acts+one.acts
			if err := one.unchanged(ctx, p); err != nil {
				t.Errorf("at the end: %v", err)
			}
		}
		for _, id := range l.ids[i] {
			jobs++
			if j, err := p.finish(ctx, id); err != nil || j.Status != "succeeded" {
				t.Errorf("job %s: %v, %+v", id, err, j)
			}
		}
	}
	t.Logf("%d jobs, %d acts in %d sessions", jobs, acts, sessions)
	if jobs < 4 || acts < 40 {
		t.Error("too few to mean anything")
	}
}

// acceptsAgain waits until a new job and a new session are accepted by each server.
func (p *patient) acceptsAgain(ctx context.Context, t *testing.T, n int) {
	t.Helper()
	kind, request, _ := tarokJob(90000+n, 0)
	for i, url := range p.urls() {
		one := newPatient(t, func() []string { return []string{url} })
		if _, err := one.submit(ctx, fmt.Sprintf("death %d, server %d", n, i), kind, request); err != nil {
			t.Fatal(err)
		}
		if _, err := one.begin(ctx, fmt.Sprintf("death %d, server %d", n, i), 0, rand.New(rand.NewPCG(uint64(n), 9))); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReplicas lags both replicas: what they do not have is confirmed only without jobs.replicas. When they go on, the repetition of a
// request is confirmed, with the job and the session of the first.
func TestReplicas(t *testing.T) {
	t.Parallel()
	group := redistest.StartGroup(t)
	primary := group.Settled(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*testkit.Patience)
	defer cancel()
	create := func(replicas int, key string) error {
		queue, err := redisqueue.Open(ctx, redisqueue.Options{URL: primary.URL(), Replicas: replicas})
		if err != nil {
			return err
		}
		defer func() { _ = queue.Close() }()
		store, err := sessions.NewRedis(sessions.RedisOptions{URL: primary.URL(), Replicas: replicas})
		if err != nil {
			return err
		}
		defer func() { _ = store.Close() }()
		_, _, jobErr := queue.Submit(ctx, jobs.Spec{Kind: "k", Owner: "o", IdempotencyKey: key})
		_, err = store.Create(ctx, sessions.New{ID: key, Owner: "o", Key: key, Value: []byte("1")})
		if (jobErr == nil) != (err == nil) {
			t.Errorf("the job: %v, the session: %v", jobErr, err)
		}
		return errors.Join(jobErr, err)
	}
	for _, s := range group.Servers {
		if s != primary {
			s.Pause()
		}
	}
	for replicas, fails := range []bool{false, true, true} {
		err := create(replicas, fmt.Sprint("key ", replicas))
		if (err != nil) != fails || fails && redisconn.Reason(err) != "it has too few replicas" {
			t.Errorf("replicas that lag, %d wanted: %v", replicas, err)
		}
	}
	for _, s := range group.Servers {
		s.Resume()
	}
	eventually(t, testkit.Patience, "the replicas have all", func() bool { return create(2, "key 2") == nil })
}

// TestSentinelURL starts no server with a name that no Sentinel knows, and says so.
func TestSentinelURL(t *testing.T) {
	group := redistest.StartGroup(t)
	if err := checkStores(t, group.URL()); err != nil {
		t.Errorf("the right name: %v", err)
	}
	err := checkStores(t, strings.Replace(group.URL(), "/main/", "/other/", 1))
	if err == nil || !strings.Contains(err.Error(), "no Sentinel of redis.url answers with a primary of the name") {
		t.Errorf("another name: %v", err)
	}
}

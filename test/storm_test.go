package test

import (
	"bytes"
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"roem/internal/redistest"
	"roem/internal/testkit"
)

var (
	stormFor  = flag.Duration("storm.duration", 10*time.Minute, "with -full, how `long` TestStorm lasts in each configuration")
	stormSeed = flag.Uint64("storm.seed", 0, "the `seed` of TestStorm; 0 for one at random")
)

// TestStorm sends requests of every operation, including jobs, streams and batches, from many concurrent clients: first each operation
// once, then operations at random. They request the same few neighbouring deals, disconnect after 1 to 200 ms, set short time limits,
// cancel jobs, and repeat requests. Every complete answer must be correct. Afterwards the server must be in the same state as before: it
// answers immediately, no goroutine, searcher, job or memory is missing, and SIGTERM ends it in order.
func TestStorm(t *testing.T) {
	requests, deals := int64(math.MaxInt64), 8000
	switch {
	case testkit.Full() && raced():
		deals = 1500
	case testkit.Full():
	case testkit.Long():
		requests, deals = 12_000, 400
	case raced():
		requests, deals = 1000, 100
	default:
		requests, deals = 3000, 120
	}
	seed := *stormSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-storm.seed %d", seed)
	all := stormDeals(t, seed, deals)
	// The caches are too small for all deals, so a deal that is used again must be searched again. The test acts as a proxy, so that
	// its clients have several addresses. Every finished job is kept, so that each one can be read at the end. All other settings are
	// the defaults.
	common := []string{
		"ROEM_HTTP_TRUSTED_PROXIES=127.0.0.0/8", "ROEM_CACHE_MEMORY=1MiB", "ROEM_JOBS_KEEP=1000000",
		"ROEM_LIMITS_SESSIONS_PER_MINUTE=0",
	}
	if raced() {
		common = append(common, "ROEM_JOBS_QUEUE=200") // such a server needs minutes for a thousand jobs
	}
	t.Run("embedded", func(t *testing.T) {
		stormAt(t, seed, requests, all, append(common, "ROEM_CACHE_DISK=4MiB")...)
	})
	t.Run("Redis", func(t *testing.T) {
		redis := redistest.Start(t, redistest.Options{MaxMemoryPolicy: "noeviction"})
		stormAt(t, seed, requests, all, append(common, "ROEM_REDIS_URL="+redis.URL(), "ROEM_DATA=", "ROEM_CACHE_TTL=10s")...)
	})
}

// stormAt runs a storm of a number of requests, or with -full of some minutes, on a new server and checks the server afterwards.
func stormAt(t *testing.T, seed uint64, requests int64, deals []stormDeal, environ ...string) {
	t.Helper()
	s := startLogging(t, "127.0.0.1:0", withoutRequests, environ...)
	st := &storm{url: s.url, deals: deals, routes: make(map[string]route), tally: newStormTally()}
	for _, r := range routes(t) {
		st.routes[r.String()] = r
	}
	everySearcher(t, s, seed)
	before := stateOf(t, s)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if testkit.Full() {
		defer time.AfterFunc(*stormFor, cancel).Stop()
	}
	st.most, st.end = requests, cancel
	began := time.Now()
	var clients sync.WaitGroup
	for i := range stormClients {
		clients.Go(func() { st.client(seed, i).run(ctx) })
	}
	if page, since := st.watch(ctx); page != "" {
		t.Errorf("%.1f s after the storm began, %s stopped answering: nothing for %v", since.Sub(began).Seconds(), page, stormSilence)
		cancel()
		st.tell(t, began)
		st.describe(t, s)
		clients.Wait()
		return
	}
	clients.Wait()
	st.tell(t, began)
	st.jobOfEachEnd(t, seed)
	st.checkAfter(t, s, seed, before)
}

// tell logs the results of the requests, and fails the test if there are wrong answers.
func (s *storm) tell(t *testing.T, began time.Time) {
	t.Helper()
	requests, hangUps := s.tally.sum()
	t.Logf("%d requests in %.1f s, %d hang-ups; by status:\n%v", requests, time.Since(began).Seconds(), hangUps, s.tally)
	s.tally.mu.Lock()
	defer s.tally.mu.Unlock()
	for _, wrong := range s.tally.wrong {
		t.Error(wrong)
	}
	if s.tally.wrongs > len(s.tally.wrong) {
		t.Errorf("%d more wrong answers", s.tally.wrongs-len(s.tally.wrong))
	}
	if requests < stormClients || hangUps < requests/20 {
		t.Error("too few requests or too few hang-ups for the test")
	}
}

// stormSilence is the maximum time of an answer of a page without a search. After that the server is considered to hang.
const stormSilence = testkit.Patience

// watch requests a page that takes the locks of the service, and one that takes none, until the context ends. If one of them is not
// answered, it returns which one, and the time of its request.
func (s *storm) watch(ctx context.Context) (page string, since time.Time) {
	c := client(stormSilence)
	defer c.CloseIdleConnections()
	for ctx.Err() == nil {
		for _, page := range []string{"/healthz", "/metrics"} {
			asked := time.Now()
			answer, err := c.Get(s.url + page)
			if err != nil {
				return page, asked
			}
			_ = answer.Body.Close()
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	return "", time.Time{}
}

// withoutRequests removes the log lines of successful requests: a long storm has millions.
func withoutRequests(line []byte) bool {
	return !bytes.HasPrefix(line, []byte(`{"level":"info"`)) || !bytes.Contains(line, []byte(`"msg":"request"`))
}

// races fails the test if the race detector in the server has found races.
func races(t *testing.T, s *server) {
	t.Helper()
	if _, race, found := strings.Cut(s.logged(), "WARNING: DATA RACE"); found {
		t.Errorf("DATA RACE in the server:%.4000s", race)
	}
}

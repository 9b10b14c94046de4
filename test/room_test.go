package test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redistest"
	"roem/internal/sessions"
	"roem/internal/solvecache"
	"roem/internal/testkit"
)

// TestResultsLeaveRoom writes several times more results than a Redis has memory, under each kind of policy, while jobs and sessions are
// created. None of these is refused, and none is lost: results take at most half of the memory.
func TestResultsLeaveRoom(t *testing.T) {
	for _, policy := range []string{"noeviction", "volatile-lru", "volatile-ttl", "allkeys-lru", "allkeys-random"} {
		t.Run(policy, func(t *testing.T) {
			redis := redistest.Start(t, redistest.Options{MaxMemory: "12mb", MaxMemoryPolicy: policy})
			leavesRoom(t, redis.URL())
			text, err := adminOf(t, redis).Info(t.Context(), "memory").Result()
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, "used_memory_human") {
					t.Log(strings.TrimSpace(line))
				}
			}
		})
	}
}

func leavesRoom(t *testing.T, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*testkit.Patience)
	defer cancel()
	queue, err := redisqueue.Open(ctx, redisqueue.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = queue.Close() }()
	kept, err := sessions.NewRedis(sessions.RedisOptions{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = kept.Close() }()
	cache, err := solvecache.NewRedis(solvecache.RedisOptions{URL: url, Timeout: testkit.Patience, TTL: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	closed := false
	defer func() {
		if !closed {
			_ = cache.Close()
		}
	}()
	var ids []string
	const rounds, each, size = 100, 1000, 400 // 40 MB
	for round := range rounds {
		for i := range each {
			for cache.Put(ctx, solvecache.Key(fmt.Sprintf("%d of %d", i, round)), make([]byte, size)) != nil && ctx.Err() == nil {
				time.Sleep(time.Millisecond) // until the values before it are sent
			}
		}
		_, err := kept.Create(ctx, sessions.New{ID: fmt.Sprint(round), Owner: "o", Value: make([]byte, 4<<10)})
		job, _, jobErr := queue.Submit(ctx, jobs.Spec{Kind: "k", Owner: "o", Payload: make([]byte, 4<<10)})
		if err := errors.Join(err, jobErr); err != nil {
			t.Fatalf("after %d results: %v", (round+1)*each, err)
		}
		ids = append(ids, job.ID)
	}
	closed = true
	if err := cache.Close(); err != nil {
		t.Error(err)
	}
	for round, id := range ids {
		_, err := kept.Get(ctx, fmt.Sprint(round))
		if _, jobErr := queue.Get(ctx, id); err != nil || jobErr != nil {
			t.Fatalf("of round %d the session: %v, the job: %v", round, err, jobErr)
		}
	}
	if s := cache.Stats(); s.Dropped == 0 || s.Puts < each {
		t.Errorf("the results: %+v", s)
	} else {
		t.Logf("%d results kept, %d dropped", s.Puts, s.Dropped)
	}
}

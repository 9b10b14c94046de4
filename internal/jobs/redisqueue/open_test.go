package redisqueue_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/jobs"
	"roem/internal/jobs/jobstest"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redistest"
	"roem/internal/testkit"
)

// Only the counters of expired jobs remain.
func TestExpiredJobsAreRemoved(t *testing.T) {
	t.Cleanup(func() { testkit.NoLeaks(t) })
	server := redistest.Start(t, redistest.Options{MaxMemoryPolicy: "noeviction"})
	clock := jobstest.NewClock()
	q, err := open(server.URL(), jobs.Options{Now: clock.Now, Retention: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	go func() { worked <- q.Work(ctx, jobstest.Handler, 2) }()
	jobstest.SubmitVarious(ctx, t, q)
	clock.Advance(time.Minute)
	options, err := redis.ParseURL(server.AdminURL())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	var left []string
	f := &fixture{t: t}
	f.until("old jobs are removed", func() bool {
		left, err = client.Keys(ctx, "*").Result()
		return err == nil && len(left) <= 4
	})
	cancel()
	if err := errors.Join(<-worked, q.Close()); err != nil {
		t.Fatal(err)
	}
	if left, err = client.Keys(context.Background(), "*").Result(); err != nil {
		t.Fatal(err)
	}
	for _, key := range left {
		if key != metaKey {
			t.Errorf("the key %s remains", key)
		}
	}
}

func TestOpen(t *testing.T) {
	for _, test := range []struct {
		name    string
		options redistest.Options
		want    []string // the messages in the log
	}{
		{"as it should be", redistest.Options{Durable: true, MaxMemory: "64mb", MaxMemoryPolicy: "noeviction"}, nil},
		{"evicts all", redistest.Options{Durable: true, MaxMemory: "64mb", MaxMemoryPolicy: "allkeys-lru"}, []string{
			"Redis will lose jobs and sessions when its memory is full: set its maxmemory-policy to noeviction",
		}},
		{"evicts what expires", redistest.Options{Durable: true, MaxMemory: "64mb", MaxMemoryPolicy: "volatile-ttl"}, []string{
			"Redis will lose sessions when its memory is full: set its maxmemory-policy to noeviction",
		}},
		{"takes all memory", redistest.Options{Durable: true, MaxMemoryPolicy: "noeviction"}, []string{
			"Redis may take all memory of its machine: set its maxmemory",
		}},
		{"in memory only", redistest.Options{MaxMemory: "64mb", MaxMemoryPolicy: "noeviction"}, []string{
			"jobs do not survive a restart of Redis: set appendonly yes",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := redistest.Start(t, test.options)
			core, logs := observer.New(zap.WarnLevel)
			q, err := open(server.URL(), jobs.Options{Log: zap.New(core)})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = q.Close() }()
			var got []string
			for _, entry := range logs.All() {
				got = append(got, entry.Message)
			}
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("the log has %q, want %q", got, test.want)
			}
		})
	}
	for name, o := range map[string]redisqueue.Options{
		"no server":    {URL: "redis://127.0.0.1:1/0"},
		"no URL":       {URL: "::secret::"},
		"short lease":  {URL: "redis://127.0.0.1:1/0", Lease: time.Millisecond},
		"a bad name":   {URL: "redis://127.0.0.1:1/0", Name: "{a}"},
		"a bad option": {URL: "redis://127.0.0.1:1/0", Options: jobs.Options{MaxQueued: -1}},
	} {
		if _, err := redisqueue.Open(context.Background(), o); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package sessions_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"roem/internal/redistest"
	"roem/internal/sessions"
	"roem/internal/sessions/sessionstest"
	"roem/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestNewID(t *testing.T) { sessionstest.TestNewID(t) }

func TestMemory(t *testing.T) {
	sessionstest.Run(t, func(_ *testing.T, o sessions.Options) sessions.Store { return sessions.NewMemory(o) })
}

func TestRedis(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	sessionstest.Run(t, func(t *testing.T, o sessions.Options) sessions.Store {
		t.Helper()
		server.Restart() // without its data
		return openRedis(t, server.URL(), o)
	})
}

func openRedis(t *testing.T, url string, o sessions.Options) *sessions.Redis {
	t.Helper()
	s, err := sessions.NewRedis(sessions.RedisOptions{URL: url, Options: o})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

// All processes share the sessions in Redis. The sessions survive the death of a Redis that keeps its data.
func TestRedisKeepsSessions(t *testing.T) {
	server := redistest.Start(t, redistest.Options{Durable: true})
	a, b := openRedis(t, server.URL(), sessions.Options{}), openRedis(t, server.URL(), sessions.Options{})
	created, err := a.Create(t.Context(), sessions.New{Owner: "ann", ID: "a", Value: []byte("1")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Swap(t.Context(), "a", created.Version, []byte("2"), false); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Swap(t.Context(), "a", created.Version, []byte("3"), false); !errors.Is(err, sessions.ErrChanged) {
		t.Errorf("Swap after the swap of another process: %v", err)
	}
	server.Kill()
	if _, err := a.Get(t.Context(), "a"); !errors.Is(err, sessions.ErrUnavailable) {
		t.Errorf("Get without Redis: %v", err)
	}
	server.Restart()
	e, err := a.Get(t.Context(), "a")
	if err != nil || string(e.Value) != "2" {
		t.Errorf("after a restart: %q, %v", e.Value, err)
	}
}

// A Redis with faults gives errors, within the limits of time, and no wrong values.
func TestRedisFaults(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	proxy := redistest.NewProxy(t, server.Addr())
	s := openRedis(t, proxy.URL(), sessions.Options{})
	if _, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: "a", Value: []byte("1")}); err != nil {
		t.Fatal(err)
	}
	for _, fault := range []redistest.Fault{redistest.Refuse, redistest.Garbage} {
		proxy.Set(fault, 0)
		if _, err := s.Get(t.Context(), "a"); !errors.Is(err, sessions.ErrUnavailable) {
			t.Errorf("%v: Get: %v", fault, err)
		}
		if _, err := s.Swap(t.Context(), "a", 1, []byte("2"), false); !errors.Is(err, sessions.ErrUnavailable) {
			t.Errorf("%v: Swap: %v", fault, err)
		}
		if _, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: "b", Value: []byte("2")}); !errors.Is(err, sessions.ErrUnavailable) {
			t.Errorf("%v: Create: %v", fault, err)
		}
		if _, err := s.Find(t.Context(), "ann", "key", ""); !errors.Is(err, sessions.ErrUnavailable) {
			t.Errorf("%v: Find: %v", fault, err)
		}
		if err := s.Delete(t.Context(), "a"); !errors.Is(err, sessions.ErrUnavailable) {
			t.Errorf("%v: Delete: %v", fault, err)
		}
	}
	proxy.Set(redistest.None, 0)
	if e, err := s.Get(t.Context(), "a"); err != nil || string(e.Value) != "1" {
		t.Errorf("after the faults: %q, %v", e.Value, err)
	}
}

// Sessions of an earlier version, without a mark, count as not finished, whether they were changed or not.
func TestRedisOfEarlierVersion(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	s := openRedis(t, server.URL(), sessions.Options{MaxEach: 3})
	options, err := redis.ParseURL(server.AdminURL())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	for _, id := range []string{"idle", "new", "over"} {
		if _, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: id, Finished: id == "over"}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Millisecond) // the order is by milliseconds
	}
	// The earlier version had the time alone as the score of a session without a change.
	for _, set := range []string{"of:", "in:"} {
		keys, err := client.Keys(t.Context(), "*"+set+"*").Result()
		if err != nil || len(keys) != 1 {
			t.Fatalf("%v, %v", keys, err)
		}
		last, err := client.ZRange(t.Context(), keys[0], -1, -1).Result()
		if err != nil || !strings.HasSuffix(last[0], "new") {
			t.Fatalf("%v, %v", last, err)
		}
		if err := client.ZIncrBy(t.Context(), keys[0], -1<<42, last[0]).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for _, ends := range []string{"over", "idle", "new"} {
		if _, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: "after " + ends}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Millisecond)
		if _, err := s.Get(t.Context(), ends); !errors.Is(err, sessions.ErrNotFound) {
			t.Errorf("%s has not ended: %v", ends, err)
		}
	}
}

func TestRedisURL(t *testing.T) {
	_, err := sessions.NewRedis(sessions.RedisOptions{URL: "http://user:secret@host"})
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a URL that is none: %v", err)
	}
}

// All keys in Redis end with the sessions.
func TestRedisLeavesNothing(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	s := openRedis(t, server.URL(), sessions.Options{Retention: 50 * time.Millisecond})
	for _, id := range []string{"a", "b"} {
		if _, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: id, Value: []byte("1"), Key: id}); err != nil {
			t.Fatal(err)
		}
	}
	options, err := redis.ParseURL(server.AdminURL())
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	for end := time.Now().Add(testkit.Patience); ; time.Sleep(time.Millisecond) {
		keys, err := client.Keys(t.Context(), "*").Result()
		if err != nil {
			t.Fatal(err)
		}
		if len(keys) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("Redis still has the keys %v", keys)
		}
	}
}

package solvecache_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/redistest"
	"roem/internal/solvecache"
	"roem/internal/testkit"
)

// openRedis returns a layer with a timeout that is long enough for a busy machine, unless the options have one.
func openRedis(t *testing.T, o solvecache.RedisOptions) *solvecache.Redis {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = testkit.Patience
	}
	r, err := solvecache.NewRedis(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRedisURL(t *testing.T) {
	for _, url := range []string{
		"", "localhost:6379", "http://localhost", "redis://:secret@host:port", "redis://u:secret@h/x",
		"redis://:secret@h?no=1",
	} {
		_, err := solvecache.NewRedis(solvecache.RedisOptions{URL: url})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", url, err)
		}
	}
}

// For each fault of Redis: the first read asks Redis and waits for its timeout, which counts as an error, hardly another one does, all
// reads are misses, and Redis is used again after it recovers.
func TestRedisFaults(t *testing.T) {
	server := redistest.Start(t, redistest.Options{Durable: true})
	proxy := redistest.NewProxy(t, server.Addr())
	const timeout = 2 * time.Second
	faults := []struct {
		name       string
		begin, end func()
	}{
		{"stopped", server.Stop, server.Restart},
		{"killed", server.Kill, server.Restart},
		{"paused", server.Pause, server.Resume},
		{"refuse", func() { proxy.Set(redistest.Refuse, 0) }, func() { proxy.Set(redistest.None, 0) }},
		{"silent", func() { proxy.Set(redistest.Silent, 0) }, func() { proxy.Set(redistest.None, 0) }},
		{"slow", func() { proxy.Set(redistest.Slow, 2*timeout) }, func() { proxy.Set(redistest.None, 0) }},
		{"garbage", func() { proxy.Set(redistest.Garbage, 0) }, func() { proxy.Set(redistest.None, 0) }},
	}
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			core, logged := observer.New(zapcore.InfoLevel)
			r := openRedis(t, solvecache.RedisOptions{URL: proxy.URL(), Timeout: timeout, Log: zap.New(core)})
			closing(t, r)
			put(t, r, map[solvecache.Key][]byte{"a": []byte("1")})
			eventually(t, "it is kept", func() bool { s := r.Stats(); return s.Puts == 1 && s.Pending == 0 })
			if got := get(t, r, "a"); string(got[0]) != "1" {
				t.Fatalf("before: %q", got)
			}
			fault.begin()
			for range 50 {
				_, _ = r.Get(context.Background(), []solvecache.Key{"a", "b"})
			}
			s := r.Stats()
			if s.Breaker == "closed" || s.Errors == 0 || s.Errors > 5 || s.Misses < 100 || s.Corrupt > 0 {
				t.Errorf("counted %+v", s)
			}
			put(t, r, map[solvecache.Key][]byte{"b": []byte("2")}) // the put is dropped without waiting
			settle(t, r)
			if s := r.Stats(); s.Dropped != 1 {
				t.Errorf("counted %+v", s)
			}
			fault.end()
			eventually(t, "it is used again", func() bool {
				got, err := r.Get(context.Background(), []solvecache.Key{"a"})
				return err == nil && string(got[0]) == "1"
			})
			put(t, r, map[solvecache.Key][]byte{"c": []byte("3")})
			eventually(t, "it takes values again", func() bool { s := r.Stats(); return s.Puts == 2 && s.Breaker == "closed" })
			if logged.FilterMessageSnippet("does not answer").Len() == 0 || logged.FilterMessageSnippet("answers again").Len() == 0 {
				t.Errorf("logged %v", logged.All())
			}
		})
	}
}

// A layer opens while its Redis is not running, and uses it when it runs.
func TestRedisThatComesLater(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	server.Stop()
	r := openRedis(t, solvecache.RedisOptions{URL: server.URL()})
	closing(t, r)
	if got, err := r.Get(context.Background(), []solvecache.Key{"a"}); err == nil {
		t.Errorf("the layer returns %q without a Redis", got)
	}
	server.Restart()
	eventually(t, "it is used", func() bool {
		_, err := r.Get(context.Background(), []solvecache.Key{"a"})
		return err == nil
	})
}

// A Redis with a long delay is used if the timeout is longer.
func TestFarRedis(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	proxy := redistest.NewProxy(t, server.Addr())
	proxy.Set(redistest.Slow, 200*time.Millisecond)
	r := openRedis(t, solvecache.RedisOptions{URL: proxy.URL()})
	closing(t, r)
	put(t, r, map[solvecache.Key][]byte{"a": []byte("1")})
	eventually(t, "it is kept", func() bool { s := r.Stats(); return s.Puts == 1 && s.Pending == 0 })
	if got := get(t, r, "a"); string(got[0]) != "1" {
		t.Errorf("%q", got)
	}
	if s := r.Stats(); s.Errors != 0 {
		t.Errorf("counted %+v", s)
	}
}

// A Redis that answers later than a read waits opens the breaker, and works: the check of the store succeeds.
func TestLateRedis(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	proxy := redistest.NewProxy(t, server.Addr())
	r := openRedis(t, solvecache.RedisOptions{URL: proxy.URL(), Timeout: time.Millisecond})
	closing(t, r)
	proxy.Set(redistest.Slow, 100*time.Millisecond)
	if _, err := r.Get(t.Context(), []solvecache.Key{"a"}); err == nil {
		t.Error("a read waited for the answer")
	}
	if s := r.Stats(); s.Breaker == "closed" {
		t.Errorf("counted %+v", s)
	}
	if err := r.Check(t.Context()); err != nil {
		t.Errorf("the check fails: %v", err)
	}
	server.Stop()
	if err := r.Check(t.Context()); err == nil {
		t.Error("the check succeeds without a Redis")
	}
}

// A read whose context ends does not open the breaker.
func TestRequestsThatEnd(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	r := openRedis(t, solvecache.RedisOptions{URL: server.URL()})
	closing(t, r)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancelLate := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancelLate()
	for _, ctx := range []context.Context{gone, late} {
		if _, err := r.Get(ctx, []solvecache.Key{"a"}); err == nil {
			t.Error("an answer after the end of the context")
		}
	}
	if s := r.Stats(); s.Breaker != "closed" || s.Errors != 0 {
		t.Errorf("counted %+v", s)
	}
}

// Values that this layer has not written are misses and counted as corrupt.
func TestForeignValues(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	r := openRedis(t, solvecache.RedisOptions{URL: server.URL()})
	closing(t, r)
	put(t, r, map[solvecache.Key][]byte{"a": []byte("1"), "b": []byte("2"), "c": []byte("3"), "d": []byte("4")})
	settle(t, r)
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer func() { _ = client.Close() }()
	ctx := context.Background()
	const prefix = "roem:result:1:"
	other, err := client.Get(ctx, prefix+"b").Result()
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range map[string]string{"a": other, "b": other[:len(other)-1], "c": ""} {
		if err := client.Set(ctx, prefix+key, value, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Del(ctx, prefix+"d").Err(); err != nil {
		t.Fatal(err)
	}
	if err := client.LPush(ctx, prefix+"d", "a list").Err(); err != nil {
		t.Fatal(err)
	}
	for i, value := range get(t, r, "a", "b", "c", "d") {
		if value != nil {
			t.Errorf("value %d is %q", i, value)
		}
	}
	if s := r.Stats(); s.Corrupt != 3 || s.Misses != 4 || s.Breaker != "closed" {
		t.Errorf("counted %+v", s)
	}
}

// If the memory of a Redis is full, puts are dropped and values can still be read.
func TestFullRedis(t *testing.T) {
	server := redistest.Start(t, redistest.Options{MaxMemory: "3mb", MaxMemoryPolicy: "noeviction"})
	r := openRedis(t, solvecache.RedisOptions{URL: server.URL()})
	closing(t, r)
	put(t, r, map[solvecache.Key][]byte{"a": []byte("1")})
	settle(t, r)
	for i := range 60 {
		put(t, r, map[solvecache.Key][]byte{solvecache.Key(fmt.Sprint(i)): make([]byte, 64<<10)})
		settle(t, r) // or those that wait would be dropped for their number
	}
	if got := get(t, r, "a"); string(got[0]) != "1" {
		t.Errorf("%q", got)
	}
	if s := r.Stats(); s.Dropped == 0 || s.Breaker != "closed" {
		t.Errorf("counted %+v", s)
	}
}

func TestRedisTTL(t *testing.T) {
	server := redistest.Start(t, redistest.Options{})
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer func() { _ = client.Close() }()
	for ttl, want := range map[time.Duration]time.Duration{0: -1, time.Hour: time.Hour} {
		r := openRedis(t, solvecache.RedisOptions{URL: server.URL(), TTL: ttl})
		put(t, r, map[solvecache.Key][]byte{"a": []byte("1")})
		closing(t, r).close(t)
		got, err := client.TTL(context.Background(), "roem:result:1:a").Result()
		if err != nil || got > want || got < want-time.Minute && want > 0 {
			t.Errorf("%v: Redis keeps it for %v, %v", ttl, got, err)
		}
	}
}

// Invalid lengths in an answer are errors and cause no panic.
func TestAbsurdLengths(t *testing.T) {
	for _, answer := range []string{"$9223372036854775807\r\n", "*1\r\n$9223372036854775806\r\n", ":5\r\n", "*0\r\n", "+OK\r\n"} {
		t.Run(strings.TrimSpace(answer), func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = listener.Close() }()
			go func() {
				for {
					conn, err := listener.Accept()
					if err != nil {
						return
					}
					go func() {
						defer func() { _ = conn.Close() }()
						lines := bufio.NewReader(conn)
						for {
							line, err := lines.ReadString('\n')
							if err != nil {
								return
							}
							switch strings.ToLower(strings.TrimSpace(line)) {
							case "hello": // an error, as from an old server
								_, err = conn.Write([]byte("-ERR unknown command\r\n"))
							case "mget":
								_, err = conn.Write([]byte(answer))
							}
							if err != nil {
								return
							}
						}
					}()
				}
			}()
			// One answer looks like the begin of a longer one.
			r := openRedis(t, solvecache.RedisOptions{URL: "redis://" + listener.Addr().String(), Timeout: 2 * time.Second})
			closing(t, r)
			if got, err := r.Get(context.Background(), []solvecache.Key{"a"}); err == nil {
				t.Errorf("%q", got)
			}
			if s := r.Stats(); s.Errors != 1 {
				t.Errorf("counted %+v", s)
			}
		})
	}
}

package test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"roem/internal/api"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redistest"
	"roem/internal/sessions"
	"roem/internal/solvecache"
	"roem/internal/testkit"
)

// adminOf returns a client of a Redis that may do everything.
func adminOf(t *testing.T, server *redistest.Server) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(server.AdminURL())
	if err != nil {
		t.Fatal(err)
	}
	admin := redis.NewClient(options)
	t.Cleanup(func() { _ = admin.Close() })
	return admin
}

// TestFailingStores makes a Redis full, narrows its user, and stops it. /readyz stays 200 and names the stores that fail and why, a metric
// shows them, and the log has the causes, once each.
func TestFailingStores(t *testing.T) {
	server := redistest.Start(t, redistest.Options{MaxMemoryPolicy: "noeviction"})
	admin := adminOf(t, server)
	s := start(t, "ROEM_REDIS_URL="+server.URL(), "ROEM_HEALTH_INTERVAL=100ms", "ROEM_LOG_LEVEL=info", "ROEM_SEARCH_SEARCHERS=1")
	all := []string{"cache", "jobs", "sessions"}
	fails := func(what string, stores []string, reason string) {
		t.Helper()
		var got api.Readiness
		eventually(t, testkit.Patience, what, func() bool {
			status, body, err := get(s.url + "/readyz")
			got = api.Readiness{}
			if err != nil || status != http.StatusOK || json.Unmarshal(body, &got) != nil {
				t.Fatalf("/readyz: %d, %v: %s", status, err, body)
			}
			var names []string
			if got.Failing != nil {
				for _, one := range *got.Failing {
					if one.Reason == reason {
						names = append(names, one.Store)
					}
				}
			}
			return slices.Equal(names, stores) && (got.Failing == nil) == (len(stores) == 0)
		})
		up := float64(len(all) - len(stores))
		eventually(t, testkit.Patience, "the metric shows it", func() bool { return s.metric(t, "roem_store_up") == up })
	}
	do := func(args ...any) {
		t.Helper()
		if err := admin.Do(t.Context(), args...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, testkit.Patience, "the stores are checked", func() bool {
		_, text, err := getWith(s.url+"/metrics", s.key)
		return err == nil && bytes.Contains(text, []byte("roem_store_up{"))
	})
	fails("no store fails", nil, "")

	do("CONFIG", "SET", "maxmemory", "1")
	fails("full", all, "its memory is full")
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	for range 10 {
		answer, err := c.Post(s.url+"/v1/jobs", "application/json", strings.NewReader(`{"kind": "klaverjas.solve", "request": `+solvable+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("a job in a full Redis: %d, %v", answer.StatusCode, err)
		}
	}
	log := s.logged()
	if n := strings.Count(log, `"msg":"not answered: jobs-unavailable"`); n < 1 || n > 3 || !strings.Contains(log, "OOM command not allowed") {
		t.Errorf("the log has the cause of ten answers of 503 %d times:\n%s", n, tail(log))
	}
	do("CONFIG", "SET", "maxmemory", "0")
	fails("not full any more", nil, "")

	do("ACL", "SETUSER", redistest.User, "-hstrlen")
	fails("a user that may not HSTRLEN", []string{"jobs"}, "its user may not run all necessary commands")
	do("ACL", "SETUSER", redistest.User, "+hstrlen")
	fails("a user that may again", nil, "")

	server.Kill()
	fails("stopped", all, "it cannot be reached or changed")
	server.Restart()
	fails("started again", nil, "")
}

// TestRedisUser takes one right after the other from the user that deploy/redis/users.acl describes. Roem's own checks notice each of them.
// So the rules contain nothing that is not needed, and the checks try all that is.
func TestRedisUser(t *testing.T) {
	server := redistest.Start(t, redistest.Options{MaxMemoryPolicy: "noeviction"})
	admin := adminOf(t, server)
	rules, err := redistest.Rules()
	if err != nil {
		t.Fatal(err)
	}
	whole := []any{"ACL", "SETUSER", redistest.User, "reset"}
	for _, rule := range rules {
		whole = append(whole, rule)
	}
	set := func(rules ...any) {
		t.Helper()
		if err := admin.Do(t.Context(), rules...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	url := strings.TrimSuffix(server.URL(), "0") + "1" // another database than the first needs a right too
	if err := checkStores(t, url); err != nil {
		t.Fatalf("with all rights: %v", err)
	}
	tried := 0
	for _, rule := range rules {
		var without []any
		switch {
		case strings.HasPrefix(rule, "+"):
			without = []any{"ACL", "SETUSER", redistest.User, "-" + rule[1:]}
		case strings.HasPrefix(rule, "~"), strings.HasPrefix(rule, "&"):
			without = slices.DeleteFunc(slices.Clone(whole), func(one any) bool { return one == rule })
		default:
			continue
		}
		set(without...)
		err := checkStores(t, url)
		if err == nil || !strings.Contains(err.Error(), "NOPERM") && !strings.Contains(err.Error(), "The user executing the script can't") {
			t.Errorf("without %s: %v", rule, err)
		}
		set(whole...)
		tried++
	}
	if err := checkStores(t, url); err != nil || tried < 40 {
		t.Errorf("%d rights were taken; with all again: %v", tried, err)
	}
}

// checkStores opens the three stores on a Redis and checks them.
func checkStores(t *testing.T, url string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	var errs []error
	queue, err := redisqueue.Open(ctx, redisqueue.Options{URL: url})
	if err == nil {
		err = errors.Join(queue.Check(ctx), queue.Close())
	}
	errs = append(errs, err)
	kept, err := sessions.NewRedis(sessions.RedisOptions{URL: url})
	if err == nil {
		err = errors.Join(kept.Check(ctx), kept.Close())
	}
	errs = append(errs, err)
	cache, err := solvecache.NewRedis(solvecache.RedisOptions{URL: url, Timeout: testkit.Patience})
	if err == nil {
		err = errors.Join(cache.Check(ctx), cache.Close())
	}
	return errors.Join(append(errs, err)...)
}

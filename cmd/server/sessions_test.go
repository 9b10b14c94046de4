package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/redistest"
	"roem/internal/testkit"
)

// session sends a request about a session, which must be answered with the status, and returns the session.
func (p *process) session(t *testing.T, method, path, body string, status int) (s api.KlaverjasSession) {
	t.Helper()
	code, text, err := p.request(context.Background(), method, path, body)
	if err != nil || code != status {
		t.Fatalf("%s %s: %d, %v: %s\n%s", method, path, code, err, text, p.logged())
	}
	if status >= http.StatusBadRequest {
		return s
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

const sessionRequest = `{"players": {"partner": "simple", "opponents": "playout:2"}, "hands": 16, "leader": "S"}`

func play(s api.KlaverjasSession) string {
	return fmt.Sprintf(`{"acts": %d, "card": %q}`, s.Acts, s.Legal[0])
}

// With Redis a session goes on at another server, also when the first one was killed, and an act whose answer was lost can be repeated
// there.
func TestSessionsSurviveTheServer(t *testing.T) {
	redis := redistest.Start(t, redistest.Options{Durable: true, MaxMemoryPolicy: "noeviction"})
	environ := []string{"ROEM_REDIS_URL=" + redis.URL(), "ROEM_SESSIONS_RETENTION=1h"}
	a, b := start(t, environ...), start(t, environ...)
	now := a.session(t, http.MethodPost, "/v1/klaverjas/sessions", sessionRequest, http.StatusCreated)
	if left := time.Until(now.ExpiresAt); left > time.Hour || left < 55*time.Minute {
		t.Errorf("the session expires in %v", left)
	}
	path, first := now.Links.Self, play(now)
	now = a.session(t, http.MethodPost, path+"/play", first, http.StatusOK)
	a.signal(t, syscall.SIGKILL)
	a.ends(t, testkit.Patience)

	again := b.session(t, http.MethodPost, path+"/play", first, http.StatusOK)
	again.ExpiresAt = now.ExpiresAt // Redis knows it to the millisecond
	if diff := cmp.Diff(now, again); diff != "" {
		t.Errorf("the act again at another server (-first +again)\n%s", diff)
	}
	redis.Kill()
	b.session(t, http.MethodGet, path, "", http.StatusServiceUnavailable)
	redis.Restart()
	await(t, "sessions to be there again", func() bool { return b.status(path) == http.StatusOK })
	now = b.session(t, http.MethodPost, path+"/play", play(now), http.StatusOK)
	if now.Acts != 2 || len(now.Results) != 0 {
		t.Errorf("after the restart of Redis: %+v", now)
	}
	if id := now.Id; strings.Contains(a.logged()+b.logged(), id) {
		t.Errorf("the log has the id of the session, with which anybody may play")
	}
	b.signal(t, syscall.SIGTERM)
	if status := b.ends(t, testkit.Patience); status != 0 {
		t.Errorf("exit status %d\n%s", status, b.logged())
	}
}

// Without Redis, sessions are in the data folder: they go on after the server was stopped, and after it was killed.
func TestSessionsSurviveARestart(t *testing.T) {
	data := "ROEM_DATA=" + filepath.Join(t.TempDir(), "data")
	p := start(t, data)
	now := p.session(t, http.MethodPost, "/v1/klaverjas/sessions", sessionRequest, http.StatusCreated)
	path := now.Links.Self
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL, syscall.SIGTERM} {
		act := play(now)
		now = p.session(t, http.MethodPost, path+"/play", act, http.StatusOK)
		p.signal(t, signal)
		p.ends(t, testkit.Patience)
		p = start(t, data)
		if diff := cmp.Diff(now, p.session(t, http.MethodGet, path, "", http.StatusOK)); diff != "" {
			t.Errorf("the session after %v (-before +after)\n%s", signal, diff)
		}
		if diff := cmp.Diff(now, p.session(t, http.MethodPost, path+"/play", act, http.StatusOK)); diff != "" {
			t.Errorf("the act again after %v (-first +again)\n%s", signal, diff)
		}
	}
	if got := p.session(t, http.MethodPost, path+"/play", play(now), http.StatusOK); got.Acts != now.Acts+1 {
		t.Errorf("after the restarts an act leads to %d acts, not %d", got.Acts, now.Acts+1)
	}
}

// With a damaged file of sessions the server starts without them, and moves the file aside.
func TestSessionsFileDamaged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	p := start(t, "ROEM_DATA="+dir)
	path := p.session(t, http.MethodPost, "/v1/klaverjas/sessions", sessionRequest, http.StatusCreated).Links.Self
	p.signal(t, syscall.SIGTERM)
	p.ends(t, testkit.Patience)
	file := filepath.Join(dir, sessionsFile)
	if err := os.Truncate(file, 9000); err != nil {
		t.Fatal(err)
	}
	p = start(t, "ROEM_DATA="+dir)
	if got := p.status(path); got != http.StatusNotFound {
		t.Errorf("the session that was in the damaged file: %d", got)
	}
	if log := p.logged(); !strings.Contains(log, "a damaged file was moved aside") || !strings.Contains(log, file+".damaged") {
		t.Errorf("the log:\n%s", log)
	}
	p.session(t, http.MethodPost, "/v1/klaverjas/sessions", sessionRequest, http.StatusCreated)
}

// Without Redis and without a data folder, sessions end with the server.
func TestSessionsInMemory(t *testing.T) {
	environ := []string{"ROEM_DATA=", "ROEM_SESSIONS_KEEP=2", "ROEM_LIMITS_SESSIONS=0"}
	p := start(t, environ...)
	var paths []string
	for range 3 {
		paths = append(paths, p.session(t, http.MethodPost, "/v1/klaverjas/sessions", sessionRequest, http.StatusCreated).Links.Self)
	}
	for i, want := range []int{http.StatusNotFound, http.StatusOK, http.StatusOK} {
		if got := p.status(paths[i]); got != want {
			t.Errorf("session %d: %d, want %d", i, got, want)
		}
	}
	p.signal(t, syscall.SIGTERM)
	p.ends(t, testkit.Patience)
	p = start(t, environ...)
	if got := p.status(paths[2]); got != http.StatusNotFound {
		t.Errorf("after a restart: %d", got)
	}
}

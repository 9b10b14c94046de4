package test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"roem/internal/boltfile/boltfiletest"
	"roem/internal/testkit"
)

// kept is what a server has confirmed: sessions with their last answers, and finished jobs.
type kept struct {
	sessions []*killedPlay
	jobs     []string
}

// keep plays sessions of each game and runs jobs.
func keep(t *testing.T, p *patient, sessions, jobs int) (k kept) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range sessions {
		q := shortGames()[n%4]
		one := &killedPlay{stormPlay: q.session}
		_, err := one.ask(t.Context(), p, q, "", http.StatusCreated)
		if acts := 0; err == nil {
			err = one.playOn(t.Context(), p, rng, func() bool { acts++; return acts < 4 })
		}
		if err != nil {
			t.Fatal(err)
		}
		k.sessions = append(k.sessions, one)
	}
	for n := range jobs {
		j, err := p.submit(t.Context(), fmt.Sprint("kept ", n), "klaverjas.solve", json.RawMessage(solvable))
		if err == nil {
			j, err = p.finish(t.Context(), j.ID)
		}
		if err != nil || j.Status != "succeeded" {
			t.Fatalf("%+v, %v", j, err)
		}
		k.jobs = append(k.jobs, j.ID)
	}
	return k
}

// there fails the test unless all sessions are as they were, and returns how many of the jobs there are.
func (k kept) there(t *testing.T, p *patient, url string) (jobs int) {
	t.Helper()
	for _, one := range k.sessions {
		if err := one.unchanged(t.Context(), p); err != nil {
			t.Error(err)
		}
	}
	for _, id := range k.jobs {
		status, body, err := get(url + "/v1/jobs/" + id)
		switch {
		case err == nil && status == http.StatusOK && strings.Contains(string(body), `"succeeded"`):
			jobs++
		case err != nil || status != http.StatusNotFound:
			t.Errorf("a job: %d, %v: %s", status, err, body)
		}
	}
	return jobs
}

// failing returns which stores /readyz names, and why. The answer must be 200.
func (s *server) failing(t *testing.T) map[string]string {
	t.Helper()
	status, body, err := get(s.url + "/readyz")
	var got struct {
		Failing []struct{ Store, Reason string }
	}
	if err != nil || status != http.StatusOK || json.Unmarshal(body, &got) != nil {
		t.Errorf("/readyz: %d, %v: %s", status, err, body)
	}
	all := map[string]string{}
	for _, one := range got.Failing {
		all[one.Store] = one.Reason
	}
	return all
}

// TestDamageWhileServing damages the files of jobs and sessions of a running server in every way, while clients use both. The server goes
// on and names the stores, no session is lost, and the jobs that can be read are there, also after a restart.
func TestDamageWhileServing(t *testing.T) {
	t.Parallel()
	all := boltfiletest.All()
	if !testkit.Full() {
		some := map[string]bool{"cut to half": true, "zeros in both meta pages": true, "noise in a leaf": true}
		all = slices.DeleteFunc(all, func(d boltfiletest.Damage) bool { return !some[d.Name] })
	}
	for n, damage := range all {
		t.Run(damage.Name, func(t *testing.T) {
			t.Parallel()
			survivesDamage(t, damage, uint64(n))
		})
	}
}

func survivesDamage(t *testing.T, damage boltfiletest.Damage, seed uint64) {
	t.Helper()
	const sessions, jobs = 24, 40
	data := t.TempDir()
	h := &house{errors: []string{
		"damage was found in an open file", "a damaged file was moved aside, and a new one takes its place", "a store fails",
	}}
	h.add(t, true, "ROEM_DATA="+data, "ROEM_HEALTH_INTERVAL=300ms", "ROEM_SEARCH_SEARCHERS=1", "ROEM_SEARCH_TABLE=8MiB",
		"ROEM_LIMITS_SESSIONS_PER_MINUTE=0", "ROEM_LIMITS_SESSIONS=0", "ROEM_LIMITS_JOBS=0")
	s, p := h.servers[0], newPatient(t, h.urls)
	before := keep(t, p, sessions, jobs)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var users sync.WaitGroup
	for user := range 2 {
		users.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				_, _ = p.submit(ctx, fmt.Sprint(user, n), "klaverjas.solve", json.RawMessage(solvable))
				_, _ = s.newSession(t, "") // it ends with the server
			}
		})
	}
	for _, file := range []string{"jobs.db", "sessions.db"} {
		damage.Do(t, filepath.Join(data, file), seed)
	}
	defer s.explain(t)
	named := map[string]bool{} // a store is named for a moment only, which a look at /readyz can miss: the log has it too
	look := func() bool {
		for store, reason := range s.failing(t) {
			named[store] = true
			if reason != "its file was damaged and is replaced" {
				t.Fatalf("/readyz says of %s: %s", store, reason)
			}
		}
		for _, store := range []string{"jobs", "sessions"} {
			named[store] = named[store] || strings.Contains(s.logged(), `"a store fails","store":"`+store+`"`)
		}
		return named["jobs"] && named["sessions"]
	}
	// Damage to single pages can be where no version of the file is that is still read, and a commit writes a meta page anew.
	if !strings.Contains(damage.Name, " in a ") && !strings.Contains(damage.Name, "five") && !strings.Contains(damage.Name, "list") &&
		!strings.Contains(damage.Name, "meta") {
		eventually(t, testkit.Patience, "both stores are named", look)
	} else {
		for range 50 {
			look()
			time.Sleep(20 * time.Millisecond)
		}
	}
	eventually(t, testkit.Patience, "/readyz names no store any more", func() bool { return len(s.failing(t)) == 0 })
	cancel()
	users.Wait()
	found := before.there(t, p, s.url)
	after := keep(t, p, 4, 4)
	h.kill(t, 0) // which fails if the log has other errors, such as a panic
	if n := after.there(t, p, h.servers[0].url); n != len(after.jobs) {
		t.Errorf("%d of %d later jobs are there after a restart", n, len(after.jobs))
	}
	again := before.there(t, p, h.servers[0].url)
	if again != found || !damage.Lasting && found != jobs {
		t.Errorf("%d of %d jobs are there, and %d after a restart", found, jobs, again)
	}
	t.Logf("%d of %d jobs and %d of %d sessions are there; /readyz named %v", found, jobs, sessions, sessions, named)
}

// explain logs, if the test has failed, why stores failed, and what the server's goroutines did in their files.
func (s *server) explain(t *testing.T) {
	t.Helper()
	if !t.Failed() {
		return
	}
	s.signal(t, syscall.SIGQUIT)
	<-s.done
	for part := range strings.SplitSeq(s.logged(), "\n\n") { // a goroutine
		if strings.Contains(part, "internal/boltfile.") {
			t.Log(part)
		}
	}
	for line := range strings.SplitSeq(s.logged(), "\n") {
		if strings.Contains(line, `"a store fails"`) {
			t.Log(line)
		}
	}
}

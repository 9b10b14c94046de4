package test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"roem/internal/redistest"
	"roem/internal/testkit"
)

// redisSettings returns the arguments of redis-server in each example of a deployment.
func redisSettings(t *testing.T) map[string][]string {
	t.Helper()
	command, _ := at(documents(t, "../deploy/compose/compose.yaml")[0], "services", "redis", "command").(string)
	compose, ok := strings.CutPrefix(command, "redis-server ")
	if !ok {
		t.Fatalf("Compose starts Redis by %q", command)
	}
	settings := map[string][]string{"compose": strings.Fields(compose)}
	for _, d := range documents(t, "../deploy/kubernetes/redis.yaml") {
		if d["kind"] != "StatefulSet" {
			continue
		}
		for _, argument := range list(at(d, "spec", "template", "spec", "containers", 0, "args")) {
			settings["kubernetes"] = append(settings["kubernetes"], argument.(string))
		}
	}
	for name, arguments := range settings {
		if !strings.Contains(strings.Join(arguments, " "), "--appendonly yes") {
			t.Fatalf("%s: Redis keeps nothing with %q", name, arguments)
		}
	}
	return settings
}

// TestRedisRestarts restarts Redis with the settings of each deployment, without users and with the users of deploy/redis/users.acl, while
// jobs run and wait and sessions are open. All of them are there afterwards.
func TestRedisRestarts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it also runs without the race detector, with the same code")
	}
	for name, settings := range redisSettings(t) {
		for _, users := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, users %v", name, users), func(t *testing.T) {
				redis := redistest.Start(t, redistest.Options{Settings: settings, ACLFile: users})
				s := start(t, "ROEM_REDIS_URL="+redis.URL(), "ROEM_SEARCH_SEARCHERS=1", "ROEM_SEARCH_TABLE=8MiB")
				keptByRestart(t, s, redis)
			})
		}
	}
}

func keptByRestart(t *testing.T, s *server, redis *redistest.Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*testkit.Patience)
	defer cancel()
	p := newPatient(t, func() []string { return []string{s.url} })
	must := func(j job, err error) job {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	long := must(p.submit(ctx, "long", "klaverjas.solve_batch", longBatch(t, 71, 100)))
	eventually(t, testkit.Patience, "the job runs", func() bool {
		return must(p.ask(ctx, "GET", "/v1/jobs/"+long.ID, "", nil)).Status == "running"
	})
	next, waiting := hard(t, 72), make([]job, 5)
	for i := range waiting {
		waiting[i] = must(p.submit(ctx, fmt.Sprint("waits ", i), "klaverjas.solve", next()))
	}
	rng := rand.New(rand.NewPCG(1, 7))
	sessions := make([]*killedPlay, 8)
	for i := range sessions {
		one, err := p.begin(ctx, fmt.Sprint("session ", i), i, rng)
		if err == nil && i >= 4 { // also sessions with acts
			acts := 0
			err = one.playOn(ctx, p, rng, func() bool { acts++; return acts <= 3 })
		}
		if err != nil {
			t.Fatal(err)
		}
		sessions[i] = one
	}

	redis.Restart()
	if n := strings.Count(redis.Log(), "NOPERM"); n > 0 {
		t.Errorf("Redis refused %d of the changes that it read from its file:\n%s", n, tail(redis.Log()))
	}
	for i, one := range sessions {
		if err := one.unchanged(ctx, p); err != nil {
			t.Errorf("session %d: %v", i, err)
		}
	}
	if j := must(p.ask(ctx, "DELETE", "/v1/jobs/"+long.ID, "", nil)); j.Status != "cancelled" || j.Attempts != 1 {
		t.Errorf("the running job was %+v", j)
	}
	for i, j := range waiting {
		if j := must(p.finish(ctx, j.ID)); j.Status != "succeeded" {
			t.Errorf("waiting job %d ended as %+v", i, j)
		}
	}
}

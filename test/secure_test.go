package test

import (
	"context"
	"testing"

	"roem/internal/redistest"
	"roem/internal/testkit"
)

// TestSecureSentinel follows a failover with TLS and the users of deploy/redis: of Roem and of replicas at the servers, and of Roem at the
// Sentinel.
func TestSecureSentinel(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it also runs without the race detector, with the same code")
	}
	primary, url, authority := redistest.StartSecure(t)
	s := start(t, "ROEM_REDIS_URL="+url, "SSL_CERT_FILE="+authority, "ROEM_SEARCH_SEARCHERS=1", "ROEM_SEARCH_TABLE=8MiB")
	ctx, cancel := context.WithTimeout(t.Context(), 2*testkit.Patience)
	defer cancel()
	p := newPatient(t, func() []string { return []string{s.url} })
	for i, what := range []string{"before the failover", "after it"} {
		kind, request, _ := tarokJob(i, 0)
		j, err := p.submit(ctx, what, kind, request)
		if err == nil {
			j, err = p.finish(ctx, j.ID)
		}
		if err != nil || j.Status != "succeeded" {
			t.Errorf("%s: %v, %+v", what, err, j)
		}
		primary.Kill()
	}
	s.sound(t, "a store fails")
}

package handlers_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/api"
)

// A match is a job with a part for each deal. An equal request gets the same job, and another server the same result.
func TestMatch(t *testing.T) {
	const body = `{"a": "simple", "b": "pimc:2", "deals": 5, "seed": "7", "declarer": "best", "rules": {"system": "amsterdam"}}`
	var results []api.KlaverjasMatch
	for range 2 {
		s := newServer(t)
		job := s.finished(t, s.accept(t, "/v1/klaverjas/match", body))
		got := result[api.KlaverjasMatch](t, job)
		if got.Deals != 5 || got.Hands != 10 || got.A.Decisions != 160 || got.B.Declared+got.A.Declared != 10 || got.Games != nil {
			t.Errorf("%+v", got)
		}
		if p := job.Progress; p.Done != 5 || p.Of != 5 || p.Nodes != got.Stats.Nodes || p.Nodes == 0 {
			t.Errorf("progress %+v, %d nodes", p, got.Stats.Nodes)
		}
		status(t, s.post(t, "/v1/klaverjas/match", body), 200)
		results = append(results, got)
	}
	effort := cmp.Options{cmpopts.IgnoreTypes(api.KlaverjasStats{}), cmpopts.IgnoreFields(api.KlaverjasMatchSide{}, "MeanUs", "P99Us")}
	if diff := cmp.Diff(results[0], results[1], effort); diff != "" {
		t.Errorf("(-first +second)\n%s", diff)
	}
}

// The bidding of a match decides who declares, and the answer says so.
func TestMatchBidding(t *testing.T) {
	s := newServer(t)
	got := result[api.KlaverjasMatch](t, s.finished(t, s.accept(t, "/v1/klaverjas/match",
		`{"a": "simple", "b": "random", "deals": 20, "seed": "7", "bidding": "free"}`)))
	if got.Declarer != nil || got.Bidding == nil || *got.Bidding != api.KlaverjasFlowFree || got.A.Declared+got.B.Declared != 40 {
		t.Errorf("%+v", got)
	}
}

// The work that a match may ask for is limited.
func TestMatchLimits(t *testing.T) {
	s := newServer(t)
	for body, want := range map[string]int{
		`{"a": "pimc:40", "b": "simple", "deals": 5001}`:                               422,
		`{"a": "simple", "b": "pimc", "deals": 400, "game": "16"}`:                     422,
		`{"a": "simple", "b": "logical", "deals": 10, "rules": {"system": "utrecht"}}`: 400,
		`{"a": "simple", "b": "logical", "deals": 100000}`:                             400,
		`{"a": "simple"}`: 400,
		`{"a": "simple", "b": "random", "bidding": "leids"}`:                           400,
		`{"a": "simple", "b": "random", "bidding": "free", "declarer": "best"}`:        422,
		`{"a": "simple", "b": "random", "bidding": "free", "rules": {"melds": false}}`: 422,
	} {
		status(t, s.post(t, "/v1/klaverjas/match", body), want)
	}
}

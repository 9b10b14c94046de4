package handlers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

const (
	strengthPath      = "/v1/klaverjas/hand-strength"
	strengthBatchPath = "/v1/klaverjas/hand-strength/batch"
	someHand          = `["JH", "AH", "8H", "AS", "10S", "KD", "7D", "8C"]`
)

// ofHand returns a request about a hand in south, who leads.
func ofHand(fields string) string {
	return `{"hand": ` + someHand + `, "seat": "S", "leader": "S"` + fields + `}`
}

// The same request has the same answer, with the seed that is in it; another seed has another. A trump alone has the answer that it has
// among all four.
func TestHandStrengthRepeats(t *testing.T) {
	s := newServer(t)
	ask := func(fields string) api.KlaverjasHandStrength {
		w := s.post(t, strengthPath, ofHand(fields))
		status(t, w, 200)
		out := decodeAs[api.KlaverjasHandStrength](t, w)
		out.Stats = api.KlaverjasStats{}
		return out
	}
	for _, fields := range []string{`, "precision": 3, "method": "network"`, `, "precision": 6, "method": "exact"`} {
		first := ask(fields)
		if diff := cmp.Diff(first, ask(fields)); diff != "" {
			t.Errorf("%s: the second answer differs: %s", fields, diff)
		}
		if diff := cmp.Diff(first, ask(fields+`, "seed": "`+first.Seed+`"`)); diff != "" {
			t.Errorf("%s: the answer with the seed differs: %s", fields, diff)
		}
		if other := ask(fields + `, "seed": "1"`); cmp.Equal(first.Trumps, other.Trumps) {
			t.Errorf("%s: another seed has the same answer", fields)
		}
		if len(first.Trumps) != 4 {
			t.Fatalf("%d trumps", len(first.Trumps))
		}
		for i, one := range first.Trumps {
			if i > 0 && one.WinProbability > first.Trumps[i-1].WinProbability {
				t.Errorf("%s: trump %d is better than the one before", fields, i)
			}
			if alone := ask(fields + `, "trump": "` + string(one.Trump) + `"`).Trumps; len(alone) != 1 || !cmp.Equal(alone[0], one) {
				t.Errorf("%s: %s alone: %s", fields, one.Trump, cmp.Diff([]api.KlaverjasTrumpStrength{one}, alone))
			}
			if len(one.Examples) != 3 || one.StandardError > 0.08 {
				t.Errorf("%s: %+v", fields, one)
			}
		}
	}
}

func TestHandStrengthBadRequests(t *testing.T) {
	s := newServer(t)
	nine := strings.Replace(someHand, `"8C"`, `"8C", "9C"`, 1)
	twice := strings.Replace(someHand, `"8C"`, `"JH"`, 1)
	for _, test := range []struct {
		name, path, body string
		status           int
		where            []string
	}{
		{"no hand", strengthPath, `{"seat": "S", "leader": "S"}`, 400, []string{"/hand"}},
		{"no seat, no leader", strengthPath, `{"hand": ` + someHand + `}`, 400, []string{"/leader", "/seat"}},
		{"unknown field", strengthPath, ofHand(`, "budget_ms": 5`), 400, []string{"/budget_ms"}},
		{"precision 0", strengthPath, ofHand(`, "precision": 0`), 400, []string{"/precision"}},
		{"precision 11", strengthPath, ofHand(`, "precision": 11`), 400, []string{"/precision"}},
		{"precision text", strengthPath, ofHand(`, "precision": "1"`), 400, []string{"/precision"}},
		{"unknown method", strengthPath, ofHand(`, "method": "guess"`), 400, []string{"/method"}},
		{"seed number", strengthPath, ofHand(`, "seed": 1`), 400, []string{"/seed"}},
		{"seed too large", strengthPath, ofHand(`, "seed": "18446744073709551616"`), 400, []string{"/seed"}},
		{"nine cards", strengthPath, strings.Replace(ofHand(``), someHand, nine, 1), 422, []string{"/hand"}},
		{"card twice", strengthPath, strings.Replace(ofHand(``), someHand, twice, 1), 422, []string{"/hand/7"}},
		{"no card", strengthPath, strings.Replace(ofHand(``), `"8C"`, `"1C"`, 1), 400, []string{"/hand/7"}},
		{"unknown trump, seat and team", strengthPath, strings.Replace(ofHand(`, "trump": "X", "declarer": "N"`), `"seat": "S"`, `"seat": "Q"`,
			1), 400, []string{"/seat", "/declarer", "/trump"}},
		{"unknown rule", strengthPath, ofHand(`, "rules": {"system": "utrecht"}`), 400, []string{"/rules/system"}},
		{"no hand model for the rules", strengthPath, ofHand(`, "method": "hand_model", "rules": {"melds": false}`), 422, []string{"/method"}},
		{"no network for the rules", strengthPath, ofHand(`, "method": "network", "rules": {"melds": false}`), 422, []string{"/method"}},
		{"no hands", strengthBatchPath, `{"hands": []}`, 400, []string{"/hands"}},
		{"1001 hands", strengthBatchPath, `{"hands": [` + strings.Repeat(`{},`, 1000) + `{}]}`, 400, []string{"/hands"}},
		{"unknown default", strengthBatchPath, `{"hands": [{"hand": ` + someHand + `}], "leader": "X"}`, 400, []string{"/leader"}},
		{"a hand for all", strengthBatchPath, `{"hands": [{"hand": ` + someHand + `}], "hand": ` + someHand + `}`, 400, []string{"/hand"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := s.post(t, test.path, test.body)
			status(t, w, test.status)
			if diff := cmp.Diff(test.where, places(t, decodeAs[api.Problem](t, w))); diff != "" {
				t.Errorf("%s: %s", w.Body, diff)
			}
		})
	}
}

// Hands of a list have its fields as defaults, and each its own error. The answers agree with the hands alone.
func TestHandStrengthBatch(t *testing.T) {
	s := newServer(t)
	const body = `{"seat": "S", "leader": "S", "trump": "H", "precision": 5, "method": "exact", "seed": "9", "hands": [
		{"hand": ` + someHand + `}, {"hand": ["JH"]}, {"hand": ` + someHand + `, "trump": "S", "leader": "N", "method": "network"},
		{"hand": ` + someHand + `, "goal": "win"}, {"hand": ` + someHand + `, "method": "network", "rules": {"melds": false}}, {}]}`
	type item struct {
		api.KlaverjasHandStrength
		Ok    bool
		Error *api.Problem
	}
	type batch struct {
		Results []item
		Stats   api.KlaverjasStats
		Version string
	}
	check := func(got batch) {
		t.Helper()
		var where []string
		for _, one := range got.Results {
			if one.Ok == (one.Error != nil) {
				t.Errorf("ok is %v, and the error %v", one.Ok, one.Error)
			}
			if one.Error != nil {
				where = append(where, *(*one.Error.Errors)[0].Pointer)
				if !strings.Contains(one.Error.Detail, where[len(where)-1]) {
					t.Errorf("the detail %q does not contain %s", one.Error.Detail, where[len(where)-1])
				}
			}
		}
		if diff := cmp.Diff([]string{"/hands/1/hand", "/hands/3/goal", "/hands/4/method", "/hands/5/hand"}, where); diff != "" {
			t.Error(diff)
		}
		for i, fields := range map[int]string{
			0: `, "trump": "H", "precision": 5, "method": "exact", "seed": "9"`,
			2: `, "trump": "S", "precision": 5, "method": "network", "seed": "9"`,
		} {
			alone := ofHand(fields)
			if i == 2 {
				alone = strings.Replace(alone, `"leader": "S"`, `"leader": "N"`, 1)
			}
			w := s.post(t, strengthPath, alone)
			status(t, w, 200)
			want := decodeAs[api.KlaverjasHandStrength](t, w)
			want.Stats = got.Results[i].Stats
			if diff := cmp.Diff(want, got.Results[i].KlaverjasHandStrength); diff != "" {
				t.Errorf("hand %d: (-alone +list) %s", i, diff)
			}
		}
	}
	w := s.post(t, strengthBatchPath, body)
	status(t, w, 200)
	check(decodeAs[batch](t, w))
	// The same as a job, by its own path and by the path of jobs.
	w = s.do(t, preferring(request(http.MethodPost, strengthBatchPath, body), "respond-async"))
	job := s.finished(t, accepted(t, w))
	check(result[batch](t, job))
	if p := job.Progress; p.Done != 6 || p.Of != 6 || p.Nodes == 0 {
		t.Errorf("progress %+v", p)
	}
	status(t, s.post(t, "/v1/jobs", jobOf("klaverjas.hand_strength_batch", body)), 200)
}

// By default the hand model answers, for both systems. It depends on the leader relative to the seat, and on whether the seat's team
// declares. A list that it answers comes at once, with each hand's own error, even if no searcher is free.
func TestHandStrengthByHandModel(t *testing.T) {
	gate := make(chan struct{})
	defer close(gate)
	var searches atomic.Int64
	s := newServer(t, counting(&searches, gate))
	ask := func(body string) api.KlaverjasTrumpStrength {
		t.Helper()
		w := s.post(t, strengthPath, body)
		status(t, w, 200)
		out := decodeAs[api.KlaverjasHandStrength](t, w)
		if len(out.Trumps) != 1 || out.Trumps[0].Method != api.KlaverjasStrengthMethodHandModel || out.Trumps[0].Worlds != 0 ||
			len(out.Trumps[0].Examples) != 0 {
			t.Errorf("%s: %+v", body, out.Trumps)
		}
		return out.Trumps[0]
	}
	for _, system := range []string{"rotterdam", "amsterdam"} {
		rules := `, "trump": "H", "rules": {"system": "` + system + `"}`
		leads := ask(ofHand(rules))
		if leads.WinProbability < 0.8 || leads.StandardError > 0.01 || leads.Outcome.P5 > leads.Outcome.P95 {
			t.Errorf("%s: %+v", system, leads)
		}
		turned := strings.NewReplacer(`"seat": "S"`, `"seat": "W"`, `"leader": "S"`, `"leader": "W"`).Replace(ofHand(rules))
		if diff := cmp.Diff(leads, ask(turned)); diff != "" {
			t.Errorf("%s: the same hand in west: %s", system, diff)
		}
		if other := ask(ofHand(rules + `, "declarer": "EW"`)); other.WinProbability > 0.5 {
			t.Errorf("%s: the other team declares: %+v", system, other)
		}
		later := ask(strings.Replace(ofHand(rules), `"leader": "S"`, `"leader": "W"`, 1))
		if later.WinProbability == leads.WinProbability {
			t.Errorf("%s: the next seat leads: %+v", system, later)
		}
		// The network gives about the same.
		w := s.post(t, strengthPath, ofHand(rules+`, "method": "network"`))
		status(t, w, 200)
		near := decodeAs[api.KlaverjasHandStrength](t, w).Trumps[0]
		if d := near.WinProbability - leads.WinProbability; d < -0.05 || d > 0.05 {
			t.Errorf("%s: the network: %v, the hand model: %v", system, near.WinProbability, leads.WinProbability)
		}
	}
	w := s.post(t, strengthBatchPath, `{"seat": "S", "leader": "S", "hands": [{"hand": `+someHand+`}, {"hand": ["JH"]}, `+
		strings.Repeat(`{"hand": `+someHand+`}, `, 997)+`{"hand": `+someHand+`, "trump": "H"}]}`)
	status(t, w, 200)
	out := decodeAs[struct {
		Results []struct {
			api.KlaverjasHandStrength
			Ok    bool
			Error *api.Problem
		}
		Stats   api.KlaverjasStats
		Version string
	}](t, w).Results
	if len(out) != 1000 || !out[0].Ok || len(out[0].Trumps) != 4 || out[1].Ok || out[1].Error == nil || len(out[999].Trumps) != 1 ||
		out[999].Trumps[0].Method != api.KlaverjasStrengthMethodHandModel {
		t.Errorf("%d results", len(out))
	}
	if n := searches.Load(); n != 0 {
		t.Errorf("%d searches", n)
	}
}

// An estimate that takes longer than its request waits continues as a job, without a second start, and stops when its client leaves.
func TestHandStrengthContinuesAsJob(t *testing.T) {
	var searches atomic.Int64
	gate := make(chan struct{})
	s := newServer(t, keyed, counting(&searches, gate), func(c *config) { c.maxWait = 100 * time.Millisecond })
	body := ofHand(`, "trump": "H", "precision": 8, "method": "exact"`)
	job := s.accept(t, strengthPath, body)
	if job.Status != api.JobStatusRunning || string(job.Kind) != "klaverjas.hand_strength" {
		t.Errorf("%+v", job)
	}
	if again := s.accept(t, strengthPath, body); again.Id != job.Id || searches.Load() != 1 {
		t.Errorf("a second job or search: %+v, %d", again, searches.Load())
	}
	close(gate)
	got := result[api.KlaverjasHandStrength](t, s.finished(t, job))
	w := s.post(t, strengthPath, body)
	var want api.KlaverjasHandStrength
	if w.Code == http.StatusAccepted { // on a slow machine it becomes a job again
		want = result[api.KlaverjasHandStrength](t, s.finished(t, accepted(t, w)))
	} else {
		status(t, w, http.StatusOK)
		want = decodeAs[api.KlaverjasHandStrength](t, w)
	}
	want.Stats = got.Stats
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-at once +job) %s", diff)
	}
}

func TestHandStrengthStopsWhenItsClientLeaves(t *testing.T) {
	for path, body := range map[string]string{
		strengthPath:      ofHand(`, "method": "exact"`),
		strengthBatchPath: `{"hands": [` + ofHand(`, "method": "exact"`) + `]}`,
	} {
		t.Run(path, func(t *testing.T) {
			waiting := newWaiting()
			s := newServer(t, withSearcher(waiting.solve))
			ctx, leave := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, path, body).WithContext(ctx))
			}()
			within(t, waiting.started, "the first search")
			leave()
			within(t, waiting.stopped, "the end of the search")
			within(t, done, "the request")
		})
	}
}

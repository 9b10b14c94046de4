package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/service"
)

// The results are in the order of the items. Equal positions and twins share one search.
func TestBatch(t *testing.T) {
	var searches atomic.Int64
	s := newServer(t, counting(&searches, open()))
	status(t, s.post(t, "/v1/klaverjas/solve", with(`"played": ["JH"], "goal": "win"`)), 200)
	known := searches.Load()
	over := `"KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S", "KS", "8D", "9C", "8C", "AC", "9D", "10C", "QC", ` +
		`"7C", "10D", "7D", "KC", "QH", "JH", "QD", "10H", "9H", "AH", "JC", "AD"`
	positions := []string{
		someDeal, `{"trump": "S", "leader": "S"}`, someDeal, `7`, with(`"played": ["JH"]`), twinOf(someDeal),
		strings.Replace(someDeal, `"AH"`, `"AS"`, 1), with(`"declarer": "EW"`), with(`"goal": "win"`), `{"trump": "S", "trump": "S"}`,
		with(`"played": [` + over + `]`),
	}
	job := s.finished(t, s.accept(t, "/v1/jobs", jobOf("klaverjas.solve_batch", list(`"goal": "win", `, positions...))))
	batch := result[struct {
		Results []struct {
			api.KlaverjasSolution
			Error *api.Problem
		}
		Stats   api.KlaverjasStats
		Version string
	}](t, job)
	if len(batch.Results) != len(positions) {
		t.Fatalf("%d results of %d", len(batch.Results), len(positions))
	}
	type line struct {
		Status, Pointer, Source string
		Won                     bool
		Declarer                string
	}
	var got []line
	for _, r := range batch.Results {
		if r.Error != nil {
			got = append(got, line{Status: fmt.Sprint(r.Error.Status), Pointer: *(*r.Error.Errors)[0].Pointer})
			continue
		}
		got = append(got, line{Source: string(r.Source), Won: r.Won, Declarer: string(*r.Deal.Declarer)})
	}
	want := []line{
		{Source: "search", Won: true, Declarer: "NS"},
		{Status: "400", Pointer: "/positions/1/hands"},
		{Source: "cache", Won: true, Declarer: "NS"},
		{Status: "400", Pointer: "/positions/3"},
		{Source: "cache", Won: true, Declarer: "NS"},
		{Source: "cache", Won: true, Declarer: "EW"},
		{Status: "422", Pointer: "/positions/6/hands/E/7"},
		{Source: "search", Won: false, Declarer: "EW"},
		{Status: "400", Pointer: "/positions/8/goal"},
		{Status: "400", Pointer: "/positions/9/trump"},
		{Source: "search", Won: true, Declarer: "NS"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if n := searches.Load() - known; n != 2 {
		t.Errorf("%d searches, want 2", n)
	}
	if p := job.Progress; p.Done != len(positions) || p.Of != len(positions) || p.Nodes != batch.Stats.Nodes || p.Lower != nil {
		t.Errorf("progress %+v, %d nodes", p, batch.Stats.Nodes)
	}
	// A list that is too long, and one that is too large.
	many := `{"positions": [` + strings.Repeat(`{},`, 1000) + `{}]}`
	status(t, s.post(t, "/v1/klaverjas/solve/batch", many), 400)
	status(t, s.post(t, "/v1/klaverjas/solve/batch", strings.Repeat(" ", maxList+1)), 413)
}

// A list that needs a second of searches is answered at once, and a longer one becomes a job at once, unless its client says how long it
// waits, or the results are known.
func TestListsAtOnceOrAsJobs(t *testing.T) {
	const each = 4 * time.Millisecond // a search of a deal
	most := int(service.AtOnce / each)
	hands := func(n int, more string) string {
		return `{"seat": "S", "leader": "S", "trump": "H"` + more + `, "hands": [` +
			strings.TrimSuffix(strings.Repeat(`{"hand": `+someHand+`},`, n), ",") + `]}`
	}
	for _, one := range []struct {
		path, cheap, dear string
		knows             bool // its results are kept
	}{
		{"/v1/klaverjas/solve/batch", list("", randomPositions(most)...), list("", randomPositions(most+1)...), true},
		{
			"/v1/klaverjas/hand-strength/batch", hands(2, `, "method": "network", "precision": 5`),
			hands(40, `, "method": "exact", "precision": 2`), false,
		},
	} {
		t.Run(one.path, func(t *testing.T) {
			s := newServer(t, keyed, counting(new(atomic.Int64), open()))
			asks := func(body string, prefer ...string) *httptest.ResponseRecorder {
				return s.do(t, preferring(request(http.MethodPost, one.path, body), prefer...))
			}
			status(t, asks(one.cheap), http.StatusOK)
			job := accepted(t, asks(one.dear))
			if got := s.finished(t, job); got.Status != api.JobStatusSucceeded {
				t.Fatalf("%+v", got)
			}
			// What is known needs no search.
			if w := asks(one.dear, "respond-async"); one.knows {
				status(t, w, http.StatusOK)
			} else if again := accepted(t, w); again.Id != job.Id {
				t.Errorf("the job %s, want %s", again.Id, job.Id)
			}
			fresh := newServer(t, counting(new(atomic.Int64), open()))
			w := fresh.do(t, preferring(request(http.MethodPost, one.path, one.dear), "wait=100"))
			status(t, w, http.StatusOK)
			if w.Header().Get("Preference-Applied") == "" {
				t.Errorf("%v", w.Header())
			}
		})
	}
}

// A result of a list has the same fields, whichever operation answers it.
func TestListsHaveOneShape(t *testing.T) {
	s := newServer(t)
	for path, body := range map[string]string{
		"/v1/klaverjas/solve/batch":         list("", someDeal, `{}`),
		"/v1/klaverjas/predict/batch":       list("", someDeal, `{}`),
		"/v1/klaverjas/features":            list("", someDeal, `{}`),
		"/v1/klaverjas/hybrid/batch":        list("", someDeal, `{}`),
		"/v1/klaverjas/hand-strength/batch": `{"seat": "S", "leader": "S", "hands": [{"hand": ` + someHand + `}, {}]}`,
		"/v1/gin-rummy/estimate/batch":      `{"views": [` + ginSituation("") + `, {}]}`,
	} {
		t.Run(path, func(t *testing.T) {
			w := s.post(t, path, body)
			status(t, w, http.StatusOK)
			var got struct {
				Results []struct {
					Ok    bool
					Error *api.Problem
				}
				Version string
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatal(err)
			}
			if len(got.Results) != 2 || !got.Results[0].Ok || got.Results[1].Ok || got.Results[1].Error == nil || got.Version == "" {
				t.Errorf("%s", w.Body)
			}
			if w.Header().Get("Location") != "" {
				t.Error("it has become a job")
			}
		})
	}
	var lists []string
	for _, game := range s.service.Games() {
		for _, o := range game.Operations {
			if !o.List {
				continue
			}
			lists = append(lists, o.Path)
			ref := s.doc.Paths.Find(o.Path).Post.RequestBody.Value.Content["application/json"].Schema.Value
			most := 0
			for _, field := range ref.Properties {
				if field.Value.Type.Is("array") {
					most = int(*field.Value.MaxItems)
				}
			}
			if most != service.MostItems {
				t.Errorf("%s: at most %d items, want %d", o.Path, most, service.MostItems)
			}
			if o.Mode == service.ModeAsJob || o.Mode == service.ModeGet {
				t.Errorf("%s is answered as no other list", o.Path)
			}
		}
	}
	if len(lists) != 6 {
		t.Errorf("the lists are %v", lists)
	}
}

package handlers_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
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
	job := s.finished(t, s.accept(t, "/v1/klaverjas/solve/batch", `{"goal": "win", "positions": [`+strings.Join(positions, ",")+`]}`))
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

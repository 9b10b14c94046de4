package handlers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// The result of a solved position comes from the cache, also for goals that need less, and for twins.
func TestCache(t *testing.T) {
	var searches atomic.Int64
	s := newServer(t, counting(&searches, open()))
	solve := func(body string, want api.Source) api.KlaverjasSolution {
		t.Helper()
		w := s.post(t, "/v1/klaverjas/solve", body)
		status(t, w, 200)
		got := decodeAs[api.KlaverjasSolution](t, w)
		if got.Source != want {
			t.Errorf("from the %s, want the %s", got.Source, want)
		}
		if (got.Source == api.SourceCache) != (got.Stats.Nodes == 0) {
			t.Errorf("%s with %d nodes", got.Source, got.Stats.Nodes)
		}
		return got
	}
	solve(with(`"goal": "win"`), api.SourceSearch)
	solve(with(`"goal": "win"`), api.SourceCache)
	value := solve(with(`"goal": "value"`), api.SourceSearch)
	solve(with(`"goal": "win"`), api.SourceCache)
	moves := solve(with(`"goal": "moves"`), api.SourceSearch)
	if again := solve(with(`"goal": "moves"`), api.SourceCache); cmp.Diff(moves.Moves, again.Moves) != "" ||
		cmp.Diff(moves.Line, again.Line) != "" {
		t.Errorf("the cache has %+v, the search %+v", again, moves)
	}
	if *moves.Outcome != *value.Outcome || *value.Outcome != 32 {
		t.Errorf("outcomes %d, %d, want 32", *value.Outcome, *moves.Outcome)
	}
	// The same deal with its suits renamed S H D C -> D C S H and its seats rotated by one.
	var hands map[string][]string
	if err := json.Unmarshal([]byte(goodHands), &hands); err != nil {
		t.Fatal(err)
	}
	next := map[string]string{"N": "E", "E": "S", "S": "W", "W": "N"}
	turned := map[string][]string{}
	for seat, hand := range hands {
		for _, card := range hand {
			suit := map[byte]string{'S': "D", 'H': "C", 'D': "S", 'C': "H"}[card[len(card)-1]]
			turned[next[seat]] = append(turned[next[seat]], card[:len(card)-1]+suit)
		}
	}
	twin, err := json.Marshal(map[string]any{"trump": "D", "leader": "W", "hands": turned, "goal": "moves"})
	if err != nil {
		t.Fatal(err)
	}
	got := solve(string(twin), api.SourceCache)
	if *got.Outcome != 32 || *got.Turn != "W" || got.Deal.Trump != "D" || *got.Deal.Declarer != "EW" {
		t.Errorf("the twin is answered by %+v", got)
	}
	if first := (*got.Line)[0]; first != "JC" {
		t.Errorf("the twin's line starts with %s, want JC", first)
	}
	if got.Deal.CanonicalIndex != moves.Deal.CanonicalIndex || got.Deal.Index == moves.Deal.Index {
		t.Errorf("indices %+v and %+v", got.Deal, moves.Deal)
	}
	if n := searches.Load(); n != 3 {
		t.Errorf("%d searches, want 3", n)
	}
	// A request with a different value of any other field that affects the answer is searched.
	for _, other := range []string{
		with(`"declarer": "EW"`), with(`"rules": {"system": "amsterdam"}`), with(`"rules": {"melds": false}`),
		with(`"rules": {"pit": {"declarers": 0}}`), with(`"rules": {"four_of_a_kind": {"J": 200}}`),
		with(`"rules": {"nat_melds": "all"}`), with(`"rules": {"under_ruff": "free"}`), with(`"played": ["JH"]`),
		strings.Replace(someDeal, `"trump": "S"`, `"trump": "H"`, 1), strings.Replace(someDeal, `"leader": "S"`, `"leader": "N"`, 1),
	} {
		solve(other, api.SourceSearch)
	}
}

// An analysis is consistent: the outcome after a card is the one before the next card, costs are not negative and add up, and a
// second request comes from the cache.
func TestAnalysisAddsUp(t *testing.T) {
	s := newServer(t)
	body := with(`"played": ["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S", "KS", "8D", "9C", "8C", "AC", "9D", ` +
		`"10C", "QC", "7C", "10D", "7D", "KC", "QH", "JH", "QD", "10H", "9H", "AH", "JC", "AD"]`)
	w := s.post(t, "/v1/klaverjas/analyse", body)
	status(t, w, 200)
	got := decodeAs[api.KlaverjasAnalysis](t, w)
	if !got.Finished || len(got.Cards) != 32 || got.Before != 32 {
		t.Fatalf("finished %v, %d cards, before %d", got.Finished, len(got.Cards), got.Before)
	}
	sum := map[api.KlaverjasSeat]api.Tally{}
	for i, c := range got.Cards {
		if i > 0 && c.Before != got.Cards[i-1].After {
			t.Errorf("card %d starts at %d, the one before ended at %d", i+1, c.Before, got.Cards[i-1].After)
		}
		change := c.Before - c.After
		if c.Seat == "E" || c.Seat == "W" {
			change = -change
		}
		best := false
		for _, b := range c.Best {
			best = best || b == c.Card
		}
		if c.Cost < 0 || c.Cost != change || best != (c.Cost == 0) || len(c.Best) == 0 {
			t.Errorf("card %d: %+v", i+1, c)
		}
		tally := sum[c.Seat]
		tally.Cards, tally.Cost = tally.Cards+1, tally.Cost+c.Cost
		if c.Cost > 0 {
			tally.Mistakes++
		}
		sum[c.Seat] = tally
		// Each outcome equals the outcome of solve for the same position.
		if i%5 == 0 {
			var object map[string]any
			if err := json.Unmarshal([]byte(body), &object); err != nil {
				t.Fatal(err)
			}
			object["played"] = object["played"].([]any)[:i]
			text, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			w := s.post(t, "/v1/klaverjas/solve", string(text))
			status(t, w, 200)
			if outcome := *decodeAs[api.KlaverjasSolution](t, w).Outcome; outcome != c.Before {
				t.Errorf("card %d: before %d, solve %d", i+1, c.Before, outcome)
			}
		}
	}
	want := api.KlaverjasSeatTallies{N: sum["N"], E: sum["E"], S: sum["S"], W: sum["W"]}
	if diff := cmp.Diff(want, got.Seats); diff != "" {
		t.Errorf("seats (-sum +answer)\n%s", diff)
	}
	ns, ew := got.Seats.N.Cost+got.Seats.S.Cost, got.Seats.E.Cost+got.Seats.W.Cost
	if got.Teams.NS.Cost != ns || got.Teams.EW.Cost != ew || got.Before-ns+ew != got.After || ns == 0 {
		t.Errorf("teams %+v of seats %+v, from %d to %d", got.Teams, got.Seats, got.Before, got.After)
	}
	w = s.post(t, "/v1/klaverjas/solve", body)
	status(t, w, 200)
	if end := decodeAs[api.KlaverjasSolution](t, w); *end.Outcome != got.After {
		t.Errorf("the hand ended at %d, the analysis at %d", *end.Outcome, got.After)
	}
	w = s.post(t, "/v1/klaverjas/analyse", body)
	again := decodeAs[api.KlaverjasAnalysis](t, w)
	if again.Source != api.SourceCache || cmp.Diff(got.Cards, again.Cards) != "" {
		t.Errorf("the second analysis comes from the %s", again.Source)
	}
}

// A table has the outcomes of eight solves.
func TestTableAgreesWithSolve(t *testing.T) {
	s := newServer(t)
	w := s.post(t, "/v1/klaverjas/table", `{"leader": "S", "hands": `+goodHands+`}`)
	status(t, w, 200)
	table := decodeAs[api.KlaverjasTable](t, w)
	rows := map[string]api.KlaverjasTableRow{"C": table.Outcomes.C, "D": table.Outcomes.D, "H": table.Outcomes.H, "S": table.Outcomes.S}
	for trump, row := range rows {
		for declarer, entry := range map[string]api.KlaverjasTableEntry{"NS": row.NS, "EW": row.EW} {
			body := strings.Replace(with(`"declarer": "`+declarer+`"`), `"trump": "S"`, `"trump": "`+trump+`"`, 1)
			w := s.post(t, "/v1/klaverjas/solve", body)
			status(t, w, 200)
			got := decodeAs[api.KlaverjasSolution](t, w)
			if *got.Outcome != entry.Outcome || got.Won != entry.Won || got.Source != api.SourceCache {
				t.Errorf("%s %s: table %+v, solve %d %v from the %s", trump, declarer, entry, *got.Outcome, got.Won, got.Source)
			}
		}
	}
}

// The answer of random is a valid request, and its seed draws the same deal again.
func TestRandomDealsCanBeSolved(t *testing.T) {
	s := newServer(t)
	for _, query := range []string{"", "?trump=h&leader=w", "?draw=class-uniform&trump=♠", "?seed=18446744073709551615"} {
		w := s.get(t, "/v1/klaverjas/deals/random"+query)
		status(t, w, 200)
		drawn := decodeAs[api.KlaverjasNumberedDeal](t, w)
		position, err := json.Marshal(drawn.Position)
		if err != nil {
			t.Fatal(err)
		}
		w = s.post(t, "/v1/klaverjas/legal-moves", string(position))
		status(t, w, 200)
		w = s.get(t, fmt.Sprintf("/v1/klaverjas/deals/%s?trump=%s&leader=%s", drawn.Deal.Index, drawn.Deal.Trump, drawn.Deal.Leader))
		status(t, w, 200)
		if diff := cmp.Diff(drawn.Position, decodeAs[api.KlaverjasNumberedDeal](t, w).Position); diff != "" {
			t.Errorf("(-drawn +unranked)\n%s", diff)
		}
		again := "?seed=" + *drawn.Seed
		if query != "" {
			again = query + "&seed=" + *drawn.Seed
		}
		if strings.Contains(query, "seed") {
			again = query
		}
		if diff := cmp.Diff(drawn, decodeAs[api.KlaverjasNumberedDeal](t, s.get(t, "/v1/klaverjas/deals/random"+again))); diff != "" {
			t.Errorf("the same seed gives another deal\n%s", diff)
		}
	}
	a, b := s.get(t, "/v1/klaverjas/deals/random").Body.String(), s.get(t, "/v1/klaverjas/deals/random").Body.String()
	if a == b {
		t.Error("two requests without a seed have the same deal")
	}
}

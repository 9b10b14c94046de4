package ginrummy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/ginrummy/enginetest"
	"roem/internal/service"
)

func answer[Q, A any](t *testing.T, parse func(context.Context, []byte) (Q, error), do func(Q) (A, error), body any) A {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	q, err := parse(context.Background(), text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	a, err := do(q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The answers for the hands of the vectors agree with the reference.
func TestMelds(t *testing.T) {
	g := newGame(t)
	vectors, err := enginetest.Read[enginetest.MeldsVector]("melds.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		got := answer(t, ParseMelds.Of(g), g.Melds, map[string]any{"hand": v.Hand})
		if got.Deadwood != v.Deadwood || len(got.Melds) != v.Melds || len(got.Best) != v.BestSets ||
			(got.AfterDiscard != nil) != (v.AfterDiscard != nil) {
			t.Errorf("%v: %+v", v.Hand, got)
		}
		if v.AfterDiscard != nil && (got.AfterDiscard.Deadwood != v.AfterDiscard.Deadwood ||
			len(got.AfterDiscard.Cards) != len(v.AfterDiscard.Cards)) {
			t.Errorf("%v: %+v", v.Hand, got.AfterDiscard)
		}
	}
}

// The knocks of the vectors score as in the reference, with the melds that were laid down.
func TestScore(t *testing.T) {
	g := newGame(t)
	rounds, err := enginetest.Read[enginetest.RoundVector]("rounds.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	knocks := 0
	for _, v := range rounds {
		if v.Result.Kind == "void" {
			continue
		}
		knocks++
		knocker := int(v.Result.Knocker)
		both := [2]map[string]any{{"hand": v.FinalHands[knocker]}, {"hand": v.FinalHands[1-knocker]}}
		body := map[string]any{"knocker": both[0], "opponent": both[1], "lay_offs": "challenge"}
		var laid []string
		for _, e := range v.Events {
			melds := e.Melds
			if melds == nil {
				melds = []enginetest.Names{}
			}
			switch e.Action {
			case "knock":
				both[0]["melds"] = melds
			case "melds":
				both[1]["melds"] = melds
			case "layoff":
				laid = append(laid, e.Card)
			}
		}
		got := answer(t, ParseScore.Of(g), g.Score, body)
		want := api.GinScore{
			Result: api.GinScoreResult(v.Result.Kind), Score: api.GinPoints{Knocker: v.Result.Score[knocker], Opponent: v.Result.Score[1-knocker]},
		}
		var cards []string
		for _, l := range got.LaidOff {
			cards = append(cards, l.Card)
		}
		slices.Sort(laid)
		slices.Sort(cards)
		if got.Result != want.Result || got.Score != want.Score || !slices.Equal(cards, laid) ||
			got.Knocker.Deadwood != v.Result.Deadwood[knocker] || got.Opponent.Deadwood != v.Result.Deadwood[1-knocker] {
			t.Errorf("round %d.%d: %+v, want %+v", v.Game, v.Round, got, v.Result)
		}
	}
	if knocks < 60 {
		t.Errorf("%d knocks", knocks)
	}
}

// Estimates of the situations of the vectors contain what the player knows, sum to ten, and do not contradict the opponent's hand.
func TestEstimate(t *testing.T) {
	g := newGame(t)
	views, err := enginetest.Read[map[string]any]("views.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := enginetest.Read[enginetest.SituationVector]("views.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors {
		body := map[string]any{"threshold": 0.5}
		for _, field := range []string{"seat", "starter", "upcard", "hand", "events"} {
			body[field] = views[i][field]
		}
		for _, m := range g.methods {
			body["method"] = m.Name
			got := answer(t, ParseEstimate.Of(g), g.Estimate, body)
			sum := 0.0
			for card, p := range got.Probabilities {
				sum += p
				if p < 0 || p > 1 || slices.Contains(v.Own, card) && p != 0 || slices.Contains(v.Features.Kept, card) && p != 1 ||
					slices.Contains(v.Opponent, card) && p == 0 || (p > 0.5) != slices.Contains(got.Above, card) {
					t.Errorf("situation %d, %s: %s has %v", i, m.Name, card, p)
				}
			}
			if math.Abs(sum-10) > 1e-9 || len(got.Likely) != 10 {
				t.Errorf("situation %d, %s: the sum is %v, likely %v", i, m.Name, sum, got.Likely)
			}
		}
	}
}

// A knock is worth more, and its melds may be others, under the rule by which the opponent lays off less well.
func TestAdviseOfLayOffs(t *testing.T) {
	learned, err := Learned(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := newGameOf(t, learned)
	var values []float64
	for _, rule := range []string{"best", "challenge"} {
		got := answer(t, ParseAdvise.Of(g), func(q AdviseQuery) (api.GinAdvice, error) { return g.Advise(t.Context(), q) }, map[string]any{
			"seat": "A", "starter": "A", "upcard": "KH", "hand": []string{"JS", "QS", "KS", "10D", "10C", "10H", "4C", "4D", "4H", "8C"},
			"lay_offs": rule, "events": []map[string]any{
				{"seat": "A", "kind": "pass"},
				{"seat": "B", "kind": "pass"},
				{"seat": "A", "kind": "stock", "card": "8C"},
				{"seat": "A", "kind": "discard", "card": "9C"},
			},
		})
		for _, o := range got.Options {
			if o.Action.Kind == "knock" {
				values = append(values, *o.Value)
			}
		}
	}
	if len(values) != 2 || values[0] >= values[1] {
		t.Errorf("a knock is worth %v", values)
	}
}

// The advice of the simple player is what it did in the rounds of the vectors, or one of its candidates.
func TestAdvise(t *testing.T) {
	g := newGame(t)
	rounds, err := enginetest.Read[enginetest.RoundVector]("rounds.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	phases := map[api.GinAdvicePhase]int{}
	for _, v := range rounds {
		hands := [2][]string{slices.Clone(v.Hands[0]), slices.Clone(v.Hands[1])}
		var events [2][]map[string]any
		for _, e := range v.Events {
			if e.Action == "melds" || e.Action == "layoff" {
				break
			}
			me := int(e.Player)
			who := []string{"A", "B"}
			body := map[string]any{"seat": who[me], "starter": who[v.Starter], "upcard": v.Upcard, "hand": hands[me], "events": events[me]}
			if events[me] == nil {
				body["events"] = []any{}
			}
			got := answer(t, ParseAdvise.Of(g), func(q AdviseQuery) (api.GinAdvice, error) { return g.Advise(t.Context(), q) }, body)
			phases[got.Phase]++
			if string(got.Action.Kind) != e.Action {
				t.Fatalf("round %d.%d: %+v, want %+v", v.Game, v.Round, got.Action, e)
			}
			if e.Action == "discard" {
				var best []string
				for _, o := range got.Options {
					if o.Best {
						best = append(best, *o.Action.Card)
					}
				}
				slices.Sort(best)
				want := slices.Clone([]string(e.Candidates))
				slices.Sort(want)
				if diff := cmp.Diff(want, best); diff != "" || !slices.Contains(want, *got.Action.Card) {
					t.Errorf("round %d.%d: %s\n%s", v.Game, v.Round, *got.Action.Card, diff)
				}
				hands[me] = slices.DeleteFunc(hands[me], func(c string) bool { return c == e.Card })
			}
			if e.Action == "take" || e.Action == "stock" {
				hands[me] = append(hands[me], e.Card)
			}
			if e.Action == "knock" {
				break
			}
			for seat := range events {
				event := map[string]any{"seat": who[e.Player], "kind": e.Action}
				if e.Card != "" && (e.Action != "stock" || seat == me) {
					event["card"] = e.Card
				}
				events[seat] = append(events[seat], event)
			}
		}
	}
	if len(phases) != 3 {
		t.Errorf("phases %v", phases)
	}
}

// A deal of a seed is the same each time, has each card once, and is another for another seed.
func TestRandomDeal(t *testing.T) {
	g := newGame(t)
	deal := func(seed string) api.GinDeal {
		d, err := g.RandomDeal(api.GinRummyRandomDealParams{Seed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	a := deal("7")
	if diff := cmp.Diff(a, deal("7")); diff != "" {
		t.Error(diff)
	}
	b := deal("8")
	if cmp.Equal(a.Position, b.Position) {
		t.Error("two seeds have the same deal")
	}
	seen := map[string]bool{a.Position.Upcard: true}
	for _, list := range [][]string{a.Position.Hands.A, a.Position.Hands.B, a.Stock} {
		for _, card := range list {
			seen[card] = true
		}
	}
	if len(seen) != 52 {
		t.Errorf("%d cards", len(seen))
	}
}

// A card that fits a set and a run is laid off where the opponent wants it: by default where the least deadwood is left.
func TestScoreOfLayOffs(t *testing.T) {
	g := newGame(t)
	const hands = `{"knocker": {"hand": ["JS","QS","KS","10D","10C","10H","4C","4D","4H","8C"], ` +
		`"melds": [["JS","QS","KS"],["10D","10C","10H"],["4C","4D","4H"]]}, ` +
		`"opponent": {"hand": ["9S","10S","2C","2D","2H","2S","7C","7D","7H","7S"]}`
	for _, tt := range []struct {
		name, more string
		result     api.GinScoreResult
		score      api.GinPoints
		left       string
	}{
		{"best", ``, api.GinScoreResultUndercut, api.GinPoints{Opponent: 33}, "[]"},
		{"challenge", `, "lay_offs": "challenge"`, api.GinScoreResultKnock, api.GinPoints{Knocker: 1}, "[9S]"},
		{"sent", `, "laid_off": [["9S", "10S"]]`, api.GinScoreResultUndercut, api.GinPoints{Opponent: 33}, "[]"},
		{"sent, on the set", `, "laid_off": [[], ["10S"]]`, api.GinScoreResultKnock, api.GinPoints{Knocker: 1}, "[9S]"},
		{"sent, nothing", `, "laid_off": []`, api.GinScoreResultKnock, api.GinPoints{Knocker: 11}, "[9S 10S]"},
		{"sent, a meld broken", `, "laid_off": [["10S"]]`, api.GinScoreResultKnock, api.GinPoints{Knocker: 1}, "[9S]"},
	} {
		q, err := ParseScore(t.Context(), g, []byte(hands+tt.more+"}"))
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		got, err := g.Score(q)
		if err != nil || got.Result != tt.result || got.Score != tt.score || fmt.Sprint(got.Opponent.Unmelded) != tt.left {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
	}
	for _, tt := range []struct{ name, more, pointer string }{
		{"a run with a gap", `, "laid_off": [["9S"]]`, "/laid_off"},
		{"on two melds", `, "laid_off": [["10S"], ["10S"]]`, "/laid_off"},
		{"not in the hand", `, "laid_off": [["AS"]]`, "/laid_off"},
		{"with the fixed order", `, "lay_offs": "challenge", "laid_off": [["10S"]]`, "/laid_off"},
		{"no card", `, "laid_off": [["X"]]`, "/laid_off/0/0"},
	} {
		_, err := ParseScore(t.Context(), g, []byte(hands+tt.more+"}"))
		if problem, ok := errors.AsType[*service.Error](err); !ok || problem.Violations[0].Pointer != tt.pointer {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

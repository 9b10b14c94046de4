package handlers_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

const knowledgePath, worldsPath, checkPath = "/v1/klaverjas/knowledge", "/v1/klaverjas/worlds", "/v1/klaverjas/knowledge/check"

// someView is a view at the start of a deal.
const someView = `{"trump": "S", "leader": "S", "seat": "S", "hand": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"]`

// view returns a view with more fields.
func view(more string) string {
	if more == "" {
		return someView + "}"
	}
	return someView + ", " + more + "}"
}

// holders returns the probabilities of an answer by seat.
func holders(p api.KlaverjasProbabilities) map[string]float64 {
	out := map[string]float64{}
	for seat, value := range map[string]*float64{"N": p.N, "E": p.E, "S": p.S, "W": p.W} {
		if value != nil {
			out[seat] = *value
		}
	}
	return out
}

// The answers over HTTP have the number of worlds and the probabilities of every vector, and the worlds that are drawn have a probability.
func TestKnowledgeVectors(t *testing.T) {
	text, err := os.ReadFile("../../testdata/vectors/knowledge.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t)
	lines := 0
	for line := range strings.Lines(string(text)) {
		lines++
		var v struct {
			View   json.RawMessage `json:"view"`
			Expect struct {
				Worlds  string
				Holders map[string]map[string]float64
			} `json:"expect"`
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		w := s.post(t, knowledgePath, string(v.View))
		status(t, w, 200)
		got := decodeAs[api.KlaverjasKnowledge](t, w)
		if got.Worlds == nil || *got.Worlds != v.Expect.Worlds || len(got.Cards) != len(v.Expect.Holders) {
			t.Errorf("line %d: %v worlds, %d cards, want %s, %d", lines, got.Worlds, len(got.Cards), v.Expect.Worlds, len(v.Expect.Holders))
		}
		for _, c := range got.Cards {
			want := v.Expect.Holders[c.Card]
			if diff := cmp.Diff(want, holders(c.Holders), cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 1e-12 })); diff != "" {
				t.Errorf("line %d: %s (-want +got)\n%s", lines, c.Card, diff)
			}
		}
		body := strings.TrimSuffix(string(v.View), "}") + `, "worlds": 3, "distinct": true, "seed": "5"}`
		w = s.post(t, worldsPath, body)
		status(t, w, 200)
		drawn := decodeAs[api.KlaverjasWorlds](t, w)
		if drawn.Of != v.Expect.Worlds || drawn.Seed != "5" || len(drawn.Worlds) == 0 || len(drawn.Worlds) > 3 {
			t.Errorf("line %d: %d of %s worlds", lines, len(drawn.Worlds), drawn.Of)
		}
		for _, sample := range drawn.Worlds {
			for seat, hand := range map[string]api.Cards{"N": sample.Hands.N, "E": sample.Hands.E, "S": sample.Hands.S, "W": sample.Hands.W} {
				for _, c := range hand {
					if want, unseen := v.Expect.Holders[c]; unseen && want[seat] == 0 {
						t.Errorf("line %d: world %s has %s at %s", lines, sample.Index, c, seat)
					}
				}
			}
		}
		if again := s.post(t, worldsPath, body); again.Body.String() != w.Body.String() {
			t.Errorf("line %d: the same seed gives other worlds", lines)
		}
	}
	if lines != 240 {
		t.Errorf("%d vectors, want 240", lines)
	}
}

// Impossible views and formulas have exact places.
func TestBadViews(t *testing.T) {
	s := newServer(t)
	hand := func(cards string) string {
		return `{"trump": "S", "leader": "S", "seat": "S", "hand": [` + cards + `]}`
	}
	for _, tt := range []struct {
		name, path, body string
		where, says      string
		status           int
	}{
		{"nine cards", knowledgePath, hand(`"7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS", "8S"`), "/hand", "has 9 cards, expected the 8", 422},
		{"seven cards", worldsPath, hand(`"7C", "JC", "AC", "JH", "KH", "7S", "9S"`), "/hand", "has 7 cards", 422},
		{"a card twice", knowledgePath, hand(`"7C", "JC", "AC", "JH", "KH", "7S", "9S", "7C"`), "/hand/7", "7C is in the list twice", 422},
		{"no card", knowledgePath, hand(`"7C", "JC", "AC", "JH", "KH", "7S", "9S", "1S"`), "/hand/7", "is not a card", 400},
		{"no seat", knowledgePath, strings.Replace(view(""), `"seat": "S"`, `"seat": "X"`, 1), "/seat", `"X" is not a seat`, 400},
		{"played by another", knowledgePath, view(`"played": ["JH", "KS"]`), "/played/1", "was played by W, but is in the hand of S", 422},
		{"not in hand", knowledgePath, view(`"played": ["QH"]`), "/played/0", "was played by S, whose hand does not have it", 422},
		{"played twice", knowledgePath, view(`"played": ["JH", "8S", "8S"]`), "/played/2", "has been played before", 422},
		{"played, no card", knowledgePath, view(`"played": ["JH", "XS"]`), "/played/1", "is not a card", 400},
		{
			"an own revoke", knowledgePath, view(`"played": ["JH", "QH", "8H", "9H", "AH", "7H", "10H", "7C"]`), "/played/7", "7C is not legal",
			422,
		},
		{
			"a revoke", checkPath, view(`"formula": "true", "played": ["JH", "8S", "7H", "8H", "8D", "7D", "JD", "7S", "KH", "AH"]`), "/played/9",
			"proves that W revoked",
			422,
		},
		{"an open card in hand", knowledgePath, view(`"known": {"N": ["AS", "KS"]}`), "/known/N", "has KS, which is in hand", 422},
		{"an open card of the seat", knowledgePath, view(`"known": {"S": ["AS"]}`), "/known/S", "is the seat of the view", 422},
		{
			"an open card of two seats", knowledgePath, view(`"known": {"N": ["AS"], "W": ["AS"]}`), "/known/W", "is known to be in another hand",
			422,
		},
		{"an open card, no card", knowledgePath, view(`"known": {"W": ["AS", "♠"]}`), "/known/W/1", "is not a card", 400},
		{"no formula", checkPath, view(`"formula": "K_S own(W,AH"`), "/formula", "column 13: the formula ends here: expected )", 400},
		{
			"too many worlds", checkPath, view(`"formula": "C (void(W,C) or void(W,D) or void(N,H))"`), "/formula",
			"common knowledge needs a model of the 99561092450391000 worlds",
			422,
		},
		{
			"several cards", checkPath, view(`"formula": "C own(W,AH) or own(W,8H)", "model": "card"`), "/formula",
			"the model of one card decides only formulas", 422,
		},
		{"no such model", checkPath, view(`"formula": "true", "model": "cards"`), "/model", "cards", 400},
		{"a deal in pieces", checkPath, with(`"formula": "true", "played": ["9D"]`), "/played/0", "does not hold it", 422},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := s.post(t, tt.path, tt.body)
			status(t, w, tt.status)
			p := decodeAs[api.Problem](t, w)
			if p.Errors == nil || len(*p.Errors) != 1 || *(*p.Errors)[0].Pointer != tt.where || !strings.Contains((*p.Errors)[0].Detail, tt.says) {
				t.Errorf("%s, want %s at %s", w.Body, tt.says, tt.where)
			}
		})
	}
}

// What the seat of a view cannot know is not in the answer: the truth value of a formula does not depend on the hidden hands.
func TestCheckOfViewAndDeal(t *testing.T) {
	s := newServer(t)
	check := func(body string) api.KlaverjasKnowledgeCheck {
		w := s.post(t, checkPath, body)
		status(t, w, 200)
		return decodeAs[api.KlaverjasKnowledgeCheck](t, w)
	}
	if got := check(with(`"formula": "own(E,AH)"`)); !got.Value || got.TrueIn != nil {
		t.Errorf("in the deal: %+v, want true", got)
	}
	got := check(view(`"formula": "own(E,AH)"`))
	if got.Value || len(got.World.E) != 8 || strings.Contains(strings.Join(got.World.E, " "), "AH") {
		t.Errorf("of the view: %+v, want false, with a world in which E does not have the AH", got)
	}
}

// A card on the table is common knowledge, and what is known of knowledge has an exact answer before the first card. Answers of the model
// of one card say that they are, and whether they are exact.
func TestCheckMethods(t *testing.T) {
	const late = `{"trump": "C", "leader": "N", "hands": {"N": ["10C", "JC", "9D", "10D", "QD", "AD", "JH", "AH"],
		"E": ["7D", "8D", "KD", "7H", "8H", "QH", "KS", "AS"], "S": ["9C", "JD", "7S", "8S", "9S", "10S", "JS", "QS"],
		"W": ["7C", "8C", "QC", "KC", "AC", "9H", "10H", "KH"]},
		"played": ["10C", "7H", "9C", "AC", "8S", "QC", "JC", "AS", "QD", "KD", "JD", "8C", "KC", "9D", "QH", "10S"],
		"formula": "M_E own(S,AH)"`
	s := newServer(t)
	for _, tt := range []struct {
		body   string
		value  bool
		method api.KlaverjasKnowledgeCheckMethod
		exact  bool
		worlds int
	}{
		{view(`"played": ["JH"], "formula": "C own(S,JH)"`), true, api.KlaverjasKnowledgeCheckMethodPublic, true, 0},
		{view(`"formula": "K_E not K_W own(N,10D)"`), true, api.KlaverjasKnowledgeCheckMethodModel, true, 4},
		{view(`"formula": "M_S K_W own(W,10D)", "model": "joint"`), true, api.KlaverjasKnowledgeCheckMethodModel, true, 4},
		{view(`"formula": "M_S K_W own(W,10D)", "model": "card"`), true, api.KlaverjasKnowledgeCheckMethodCard, true, 4},
		{view(`"formula": "M_S (void(W,H) and void(N,S) and has_suit(E,D))"`), true, api.KlaverjasKnowledgeCheckMethodProof, true, 0},
		{late + "}", false, api.KlaverjasKnowledgeCheckMethodModel, true, 56},
		{late + `, "model": "card"}`, true, api.KlaverjasKnowledgeCheckMethodCard, false, 4},
	} {
		w := s.post(t, checkPath, tt.body)
		status(t, w, 200)
		got := decodeAs[api.KlaverjasKnowledgeCheck](t, w)
		worlds := 0
		if got.ModelWorlds != nil {
			worlds = *got.ModelWorlds
		}
		if got.Value != tt.value || got.Method != tt.method || got.Exact != tt.exact || worlds != tt.worlds {
			t.Errorf("%s: %s", tt.body, w.Body)
		}
	}
}

// At the level belief the answer has the probabilities of a model; what is possible and certain agrees with the rules.
func TestBelievedKnowledge(t *testing.T) {
	s := newServer(t)
	ask := func(more string) api.KlaverjasKnowledge {
		w := s.post(t, knowledgePath, view(more))
		status(t, w, 200)
		return decodeAs[api.KlaverjasKnowledge](t, w)
	}
	const played = `"played": ["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S"]`
	rules, believed := ask(played), ask(played+`, "level": "belief"`)
	if believed.Model == nil || believed.Model.Name == "" || rules.Model != nil {
		t.Errorf("the models are %v and %v", rules.Model, believed.Model)
	}
	differ := 0
	for i, c := range rules.Cards {
		proven, likely := holders(c.Holders), holders(believed.Cards[i].Holders)
		sum := 0.0
		for seat, p := range likely {
			sum += p
			if proven[seat] == 0 {
				t.Errorf("%s: %s has it with %g, which the rules exclude", c.Card, seat, p)
			}
			if math.Abs(p-proven[seat]) > 0.01 {
				differ++
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s: the probabilities sum to %g", c.Card, sum)
		}
	}
	if differ == 0 {
		t.Error("the belief is the same as the rules")
	}
	if diff := cmp.Diff(rules.Facts, believed.Facts); diff != "" {
		t.Errorf("the facts (-rules +belief)\n%s", diff)
	}
	if *rules.Worlds != *believed.Worlds || rules.Possibles != believed.Possibles {
		t.Errorf("%s worlds and %d possibles, by the rules %s and %d", *believed.Worlds, believed.Possibles, *rules.Worlds, rules.Possibles)
	}
}

// The models of a card change when a card played says something of it. What is wrong with a request is named.
func TestCardModel(t *testing.T) {
	const path = "/v1/klaverjas/knowledge/card"
	s := newServer(t)
	w := s.post(t, path, view(`"played": ["JH", "8S", "7H", "QH"], "card": "QH"`))
	status(t, w, 200)
	got := decodeAs[api.KlaverjasCardModel](t, w)
	var steps []string
	for _, step := range got.Steps {
		text := fmt.Sprint(step.Number, step.Worlds, *step.Seats.S.Possible)
		if step.By != nil {
			text += fmt.Sprintf(" %s %s", *step.By, *step.Played)
		}
		if step.Actual != nil {
			text += fmt.Sprint(" with ", *step.Actual)
		}
		steps = append(steps, text)
	}
	want := []string{"0 [N E S W] [N E W]", "2 [N E S] [N E] W 8S", "4 [E] [E] E QH with E"}
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got.Steps[0].Seats.N.Possible != nil {
		t.Error("the model of a view says what north holds possible")
	}
	for body, want := range map[string]string{
		view(""):                          "/card",
		view(`"card": "1H"`):              "/card",
		view(`"card": "QH", "deal": "1"`): "/seat",
		`{"trump": "S", "leader": "S", "card": "QH"}`: "/seat",
	} {
		w := s.post(t, path, body)
		if w.Code < 400 || w.Code > 499 || !strings.Contains(w.Body.String(), `"`+want+`"`) {
			t.Errorf("%s: %d %s, expected an error at %s", body, w.Code, w.Body, want)
		}
	}
}

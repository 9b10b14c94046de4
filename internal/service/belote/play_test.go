package belote

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/belote/enginetest"
	"roem/internal/service/servicetest"
)

func ask[Q interface {
	*AdviseQuery | *BidQuery | *MatchQuery | *SolveQuery
}, T any](t *testing.T, g *Game, parse func(context.Context, []byte) (Q, error), body string) T {
	t.Helper()
	q, err := parse(context.Background(), []byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return answer[T](t, g, q, nil)
}

// If every card is known, the values agree with solve.
func TestAdviseOfKnownCards(t *testing.T) {
	g := newGame(t, false)
	list, err := enginetest.Vectors("../../../testdata/belote/decouverte.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		a := ask[*AdviseQuery, api.BeloteAdvice](t, g, ParseAdvise.Of(g), string(v.Raw))
		got := map[string]int{}
		for _, c := range a.Cards {
			got[c.Card] = int(c.Value)
			if c.StandardError != 0 || c.Best != (c.Cost == 0) {
				t.Errorf("%+v", c)
			}
		}
		if diff := cmp.Diff(v.Expect.Moves, got); diff != "" || a.Hidden != 0 || a.Method != api.BeloteAdviceMethodExpectimax ||
			a.Confidence != api.BeloteConfidenceClear {
			t.Errorf("%s (-want +got)\n%s\n%+v", v.Raw, diff, a)
		}
	}
}

// Names of suits and players, and the order of the stacks, change no value, and equal views share their cached result.
func TestAdviseOfOtherNames(t *testing.T) {
	g := newGame(t, true)
	one := `{"trump": "H", "suits": ["H", "S"], "leader": "A", "stacks": {"A": [["AS", null], ["QH", null], ["10S", null], ["9H", null]],` +
		` "B": [["9S", null], ["KH", null], ["JH", null], ["8H", null]]}, "seed": "3", "worlds": 7}`
	other := `{"trump": "D", "suits": ["C", "D"], "leader": "B", "stacks": {"B": [["9D", null], ["AC", null], ["QD", null], ["10C", null]],` +
		` "A": [["JD", null], ["9C", null], ["8D", null], ["KD", null]]}, "seed": "3", "worlds": 7}`
	first := ask[*AdviseQuery, api.BeloteAdvice](t, g, ParseAdvise.Of(g), one)
	second := ask[*AdviseQuery, api.BeloteAdvice](t, g, ParseAdvise.Of(g), other)
	if first.Source != api.SourceSearch || second.Source != api.SourceCache || first.Worlds.Of != "40320" || first.Worlds.Used != 7 ||
		second.Turn != api.BeloteSeatB {
		t.Errorf("%+v\n%+v", first, second)
	}
	rename := strings.NewReplacer("S", "C", "H", "D")
	for i := range first.Cards {
		first.Cards[i].Card = rename.Replace(first.Cards[i].Card)
	}
	if diff := cmp.Diff(first.Cards, second.Cards); diff != "" {
		t.Error(diff)
	}
	third := ask[*AdviseQuery, api.BeloteAdvice](t, g, ParseAdvise.Of(g), strings.Replace(one, `"seed": "3"`, `"seed": "4"`, 1))
	if third.Source != api.SourceSearch || cmp.Equal(second.Cards, third.Cards) {
		t.Error("another seed searches no other worlds")
	}
}

// Where a card stands follows from its cost and from the unit of the cost, also if it is exact.
func TestStandings(t *testing.T) {
	g := newGame(t, false)
	seen := map[api.Standing]int{}
	for seed := range 12 {
		body := fmt.Sprintf(`{"trump": "H", "suits": ["H", "S"], "leader": "A", "seed": "%d", "worlds": %d, "utility": "%s", "stacks": `+
			`{"A": [["AS", null], ["QH", null], ["10S", null], ["9H", null]], "B": [["9S", null], ["KH", null], ["JH", null], ["8H", null]]}}`,
			seed, 2+50*seed, []string{"points", "contract"}[seed%2])
		exact := strings.Replace(body, `"worlds"`, `"played": ["AS", "9S", "10S"], "method": "expectimax", "worlds"`, 1)
		for _, body := range []string{body, strings.NewReplacer(`["AS", null]`, `["AS", "QS"]`, `["9S", null]`, `["9S", "7S"]`,
			`["10S", null]`, `["10S", "JS"]`).Replace(exact)} {
			a := ask[*AdviseQuery, api.BeloteAdvice](t, g, ParseAdvise.Of(g), body)
			limit := map[api.BeloteUtility]float64{"points": 5, "contract": 0.02}[a.Utility]
			for _, c := range a.Cards {
				seen[c.Standing]++
				if c.Card != a.Card {
					servicetest.Stands(t, c.Standing, c.Cost, c.CostError, limit)
				} else if c.Standing != api.StandingBest {
					t.Errorf("the advised card is %s", c.Standing)
				}
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("the standings were %v", seen)
	}
}

// In a late view all worlds are searched whatever the seed, and the answer has both values.
func TestAdviseExpectimax(t *testing.T) {
	g := newGame(t, true)
	body := `{` + oneView + `, "played": ["KH", "JH"], "worlds": 2, "seed": "5"}`
	body = strings.Replace(strings.Replace(body, `["KH", null]`, `["KH", "AH"]`, 1), `["JH", null]`, `["JH", "9H"]`, 1)
	a := ask[*AdviseQuery, api.BeloteAdvice](t, g, ParseAdvise.Of(g), body)
	if a.Method != api.BeloteAdviceMethodExpectimax || !a.Worlds.All || a.Worlds.Used != 2 || a.Fusion == nil || a.Hidden != 2 || a.Left != 6 {
		t.Errorf("%+v", a)
	}
	plain := ask[*AdviseQuery, api.BeloteAdvice](t, g, ParseAdvise.Of(g), strings.Replace(body, `"seed"`, `"method": "sampling", "seed"`, 1))
	if plain.Method != api.BeloteAdviceMethodSampling || plain.Fusion != nil || plain.Cards[0].Expectimax != nil {
		t.Errorf("%+v", plain)
	}
	again := ask[*AdviseQuery, api.BeloteAdvice](t, g, ParseAdvise.Of(g), strings.Replace(body, `"5"`, `"6"`, 1))
	if again.Source != api.SourceCache {
		t.Error("the seed counts although all worlds are searched")
	}
}

func TestBidAnswers(t *testing.T) {
	g := newGame(t, true)
	body := `{"suits": ["H", "S"], "open": {"A": ["JH", "AS"], "B": ["7H"]}, "worlds": 9}`
	body = strings.Replace(body, `["7H"]`, `["7H", "9S"]`, 1)
	one := ask[*BidQuery, api.BeloteBidAdvice](t, g, ParseBid.Of(g), body)
	other := ask[*BidQuery, api.BeloteBidAdvice](t, g, ParseBid.Of(g), strings.NewReplacer("H", "C", "S", "D").Replace(body))
	if one.Source != api.SourceSearch || other.Source != api.SourceCache || one.Worlds != 9 || one.Groups != 3 || one.Stage != 2 ||
		one.Speaker != api.BeloteSeatB {
		t.Errorf("%+v\n%+v", one, other)
	}
	rename := map[string]string{"H": "C", "S": "D"}
	for i, c := range one.Trumps {
		if rename[*c.Trump] != *other.Trumps[i].Trump || !cmp.Equal(c.Score, other.Trumps[i].Score) {
			t.Errorf("%+v, %+v", c, other.Trumps[i])
		}
	}
	sum := 0.0
	for _, n := range one.Pass.Next {
		sum += n.Share
	}
	if sum < 0.999 || sum > 1.001 || (one.Call == api.BeloteBidAdviceCallPass) != (one.Pass.Score.Mean > one.Trumps[0].Score.Mean) {
		t.Errorf("%+v", one)
	}
}

// At the last stage a pass is worth the hand without trump, and what the dealer's opponent writes down is the negative.
func TestLastBid(t *testing.T) {
	g := newGame(t, false)
	b := ask[*BidQuery, api.BeloteBidAdvice](t, g, ParseBid.Of(g),
		`{"suits": ["H"], "open": {"A": ["7H", "8H"], "B": ["JH", "9H"]}, "worlds": 16}`)
	if b.Stage != 4 || b.Call != "H" || b.Groups != 16 || !cmp.Equal(b.Pass.Score, b.NoTrump.Score) {
		t.Errorf("%+v", b)
	}
}

// A match has the result of its contest, however many searchers there are.
func TestMatchAnswers(t *testing.T) {
	body := `{"a": "sampling:2", "b": "simple", "deals": 12, "suits": 1, "seed": "9"}`
	g := newGame(t, false)
	m := ask[*MatchQuery, api.BeloteMatch](t, g, ParseMatch.Of(g), body)
	q, err := ParseMatch(context.Background(), g, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	r, err := q.contest.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := OutMatch(q.contest, r, 0, "test")
	for _, one := range []*api.BeloteMatch{&m, &want} {
		one.Stats, one.A.MeanUs, one.A.P99Us, one.B.MeanUs, one.B.P99Us = api.BeloteStats{}, 0, 0, 0, 0
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
	if m.Hands != 24 || m.A.Declared != 12 || m.A.Decisions != 96 {
		text, _ := json.Marshal(m)
		t.Errorf("%s", text)
	}
}

package klaverjas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// trickBy is a completed trick of the reference implementation of the rules. Melds is the sum of its melds.
type trickBy struct {
	Number         int
	Leader, Winner string
	Cards          []string
	Points, Melds  int
}

// tricksBy returns the game after the cards, and its completed tricks.
func tricksBy(g naive.Game, played []string) (naive.Game, []trickBy) {
	tricks := []trickBy{}
	for i, card := range played {
		before := g
		g = g.Play(card)
		if i%4 < 3 {
			continue
		}
		cards := played[i-3 : i+1]
		trick := trickBy{i/4 + 1, before.Leader, g.Leader, cards, before.TrickPoints(cards), before.Meld(cards)}
		if i == 31 {
			trick.Points += 10
		}
		tricks = append(tricks, trick)
	}
	return g, tricks
}

// summed returns the tricks of an answer with the sum of the melds of each.
func summed(tricks []api.KlaverjasCompletedTrick) []trickBy {
	out := []trickBy{}
	for _, t := range tricks {
		one := trickBy{t.Number, string(t.Leader), string(t.Winner), t.Cards, t.Points, 0}
		for _, m := range t.Melds {
			one.Melds += m.Points
		}
		out = append(out, one)
	}
	return out
}

// scored is a vector, and the same hand in the reference implementation of the rules.
type scored struct {
	name     string
	position map[string]any
	start    naive.Game
	played   []string
}

// scoredVectors reads the vectors. Each gets points for its pits and a value for the switch of melds, which vectors do not vary.
func scoredVectors(t *testing.T, rng *rand.Rand) (out []scored) {
	t.Helper()
	for _, name := range []string{"rotterdam-positions", "amsterdam-positions", "variants-positions"} {
		text, err := os.ReadFile("../../../testdata/vectors/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var v struct {
				Position struct {
					Rules struct {
						System      string
						UnderRuff   string         `json:"under_ruff"`
						NatMelds    string         `json:"nat_melds"`
						FourOfAKind map[string]int `json:"four_of_a_kind"`
					}
					Trump, Leader, Declarer string
					Hands                   map[string][]string
					Played                  []string
				}
			}
			var all struct{ Position map[string]any }
			if err := errors.Join(json.Unmarshal(line, &v), json.Unmarshal(line, &all)); err != nil {
				t.Fatal(err)
			}
			in := v.Position
			rules := naive.Default(in.Rules.System)
			rules.UnderRuff = service.Or(nonEmpty(in.Rules.UnderRuff), rules.UnderRuff)
			rules.NatMelds = service.Or(nonEmpty(in.Rules.NatMelds), rules.NatMelds)
			rules.FourOfAKind = in.Rules.FourOfAKind
			rules.Melds, rules.PitDeclarers, rules.PitDefenders = rng.IntN(8) > 0, 10*rng.IntN(20), 10*rng.IntN(20)
			given, _ := all.Position["rules"].(map[string]any)
			given["melds"], given["pit"] = rules.Melds, map[string]int{"declarers": rules.PitDeclarers, "defenders": rules.PitDefenders}
			out = append(out, scored{
				fmt.Sprintf("%s %d", name, len(out)), all.Position,
				naive.Start(rules, in.Trump, in.Leader, in.Declarer, in.Hands), in.Played,
			})
		}
	}
	return out
}

func nonEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// body returns the request about the hand after some cards.
func (s *scored) body(t *testing.T, played []string) []byte {
	t.Helper()
	s.position["played"] = played
	text, err := json.Marshal(s.position)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The completed tricks of each vector, and the score of the hand after random legal cards, agree with the reference implementation.
func TestTricksAndScoreOfVectors(t *testing.T) {
	g := newGame(t, service.Options{Version: "test"}, Options{})
	rng := rand.New(rand.NewPCG(28, 3))
	won, pits, melds := map[bool]int{}, 0, 0
	for _, s := range scoredVectors(t, rng) {
		p, err := ParsePosition(t.Context(), g, s.body(t, append([]string{}, s.played...)))
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		legal, err := g.Legal(p)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		end, tricks := tricksBy(s.start, s.played)
		if diff := cmp.Diff(tricks, summed(legal.Completed)); diff != "" {
			t.Errorf("%s: tricks (-reference +answer)\n%s", s.name, diff)
		}
		played := append([]string{}, s.played...)
		for !end.Finished() {
			cards := end.Legal()
			played = append(played, cards[rng.IntN(len(cards))])
			end = end.Play(played[len(played)-1])
		}
		_, tricks = tricksBy(s.start, played)
		if p, err = ParseScore(t.Context(), g, s.body(t, played)); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		got, err := g.Score(p)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if diff := cmp.Diff(tricks, summed(got.Completed)); diff != "" {
			t.Errorf("%s: tricks of the score (-reference +answer)\n%s", s.name, diff)
		}
		compareScore(t, s.name, end, got, tricks[7].Winner)
		won[got.Won]++
		if got.Pit {
			pits++
		}
		melds += got.Score.NS.Melds + got.Score.EW.Melds
	}
	if won[true] < 50 || won[false] < 50 || pits == 0 || melds == 0 {
		t.Errorf("%v won, %d pits, %d of melds: the hands differ too little", won, pits, melds)
	}
}

// compareScore compares a score with the end of the hand in the reference implementation.
func compareScore(t *testing.T, name string, end naive.Game, got api.KlaverjasHandScore, last string) {
	t.Helper()
	outcome := end.Outcome()
	sheet := map[string]int{}
	defenders := map[string]string{"NS": "EW", "EW": "NS"}[end.Declarer]
	if outcome > 0 {
		for _, team := range []string{"NS", "EW"} {
			sheet[team] = end.Points[team] + end.Melds[team]
		}
	} else {
		sheet[defenders] = -outcome
	}
	type numbers struct {
		Won, Pit                 bool
		Outcome                  int
		Last                     string
		Tricks, Melds, Taken, On [2]int
	}
	team := func(m map[string]int) [2]int { return [2]int{m["NS"], m["EW"]} }
	want := numbers{
		outcome > 0, end.Taken[end.Declarer] == 8 || end.Taken[defenders] == 8 && end.Rules.PitDefenders > 0, outcome, last,
		team(end.Points), team(end.Melds), team(end.Taken), team(sheet),
	}
	answer := numbers{
		got.Won, got.Pit, got.Outcome, string(got.LastTrick),
		[2]int{got.Score.NS.Tricks, got.Score.EW.Tricks},
		[2]int{got.Score.NS.Melds, got.Score.EW.Melds},
		[2]int{got.TricksTaken.NS, got.TricksTaken.EW},
		[2]int{got.Points.NS, got.Points.EW},
	}
	if diff := cmp.Diff(want, answer); diff != "" {
		t.Errorf("%s: score (-reference +answer)\n%s", name, diff)
	}
}

// A hand is scored once all its cards have been played.
func TestScoreNeedsAFinishedHand(t *testing.T) {
	g := newGame(t, service.Options{}, Options{})
	p := randomPosition(t, rand.New(rand.NewPCG(1, 1)), piquet.Deck.Len()-1)
	names := []string{}
	for _, c := range p.played {
		names = append(names, c.String())
	}
	hands := map[string][]string{}
	for _, seat := range piquet.Seats() {
		hands[seat.String()] = outCards(p.start.Deal().Hands[seat].Slice())
	}
	d := p.start.Deal()
	text, err := json.Marshal(map[string]any{
		"trump": d.Trump.String(), "leader": d.Leader.String(), "declarer": d.Declarer.String(), "hands": hands, "played": names,
		"rules": map[string]string{"system": p.start.Rules().System.String()},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = ParseScore(t.Context(), g, text)
	e, ok := errors.AsType[*service.Error](err)
	if !ok || e.Kind != service.Impossible {
		t.Fatalf("%v", err)
	}
	want := []service.Violation{
		violation.New(violation.WrongCount, "has 31 cards, expected all 32 of a finished hand").At("/played").Of(31).Between(32, 32),
	}
	if diff := cmp.Diff(want, e.Violations); diff != "" {
		t.Error(diff)
	}
}

package enginetest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/piquet"
	"roem/internal/testkit"
)

// many returns a number of repetitions of a comparison with the reference: all of them in make proof NAME=klaverjas, a part of them in
// make test-long, and a quarter of that part in make test.
func many(all, part int) int {
	return testkit.Times(max(min(all/20, part/4), 1), part/4, part, all)
}

// names returns the names of a set of cards in the form of the reference implementation, sorted.
func names(s piquet.Set) []string {
	out := []string{}
	for c := range s.All() {
		out = append(out, c.String())
	}
	slices.Sort(out)
	return out
}

func sorted(texts []string) []string {
	out := append([]string{}, texts...)
	slices.Sort(out)
	return out
}

// compare describes the differences between a position of the engine and a game of the reference, or returns an empty string.
func compare(p klaverjas.Position, g naive.Game) string {
	if p.Finished() != g.Finished() {
		return fmt.Sprintf("finished: engine %v, rules %v", p.Finished(), g.Finished())
	}
	score := p.Score()
	for _, team := range piquet.Teams() {
		want := [3]int{g.Points[team.String()], g.Melds[team.String()], g.Taken[team.String()]}
		if got := [3]int{score.Tricks[team], score.Melds[team], p.TricksTaken()[team]}; got != want {
			return fmt.Sprintf("%v has points, melds, tricks %v by the engine, %v by the rules", team, got, want)
		}
	}
	if p.Finished() {
		if got, want := p.Outcome(), g.Outcome(); got != want {
			return fmt.Sprintf("outcome: engine %d, rules %d", got, want)
		}
		sweep := g.Taken["NS"] == 0 || g.Taken["EW"] == 0
		declarers := g.Taken[g.Declarer] > 0
		if want := sweep && (declarers || g.Rules.PitDefenders > 0); p.Pit() != want {
			return fmt.Sprintf("pit: engine %v, rules %v", p.Pit(), want)
		}
		if !p.Legal().Empty() {
			return fmt.Sprintf("finished, but %v are legal", p.Legal())
		}
		return ""
	}
	if got, want := p.Turn().String(), g.Turn(); got != want {
		return fmt.Sprintf("turn: engine %s, rules %s", got, want)
	}
	for _, seat := range piquet.Seats() {
		if diff := cmp.Diff(sorted(g.Hands[seat.String()]), names(p.Hand(seat))); diff != "" {
			return fmt.Sprintf("hand of %v (-rules +engine):\n%s", seat, diff)
		}
	}
	trick := p.Trick()
	if trick.Len != len(g.Trick) || trick.Leader.String() != g.Leader {
		return fmt.Sprintf("trick: engine %+v, rules %s led, %v", trick, g.Leader, g.Trick)
	}
	for i, card := range g.Trick {
		if trick.Cards[i].String() != card {
			return fmt.Sprintf("trick: engine %+v, rules %v", trick, g.Trick)
		}
	}
	if trick.Len > 0 && trick.Winner.String() != g.Winner() {
		return fmt.Sprintf("winning: engine %v, rules %s", trick.Winner, g.Winner())
	}
	if diff := cmp.Diff(sorted(g.Legal()), names(p.Legal())); diff != "" {
		return fmt.Sprintf("legal (-rules +engine):\n%s", diff)
	}
	return ""
}

// playOut plays both to the end and compares them after every card. choose selects one of n legal cards.
func playOut(t *testing.T, p klaverjas.Position, g naive.Game, choose func(n int) int) klaverjas.Position {
	t.Helper()
	var line []string
	for {
		if diff := compare(p, g); diff != "" {
			t.Fatalf("%v\nafter %v: %s", g, line, diff)
		}
		if p.Finished() {
			return p
		}
		legal := p.Legal().Slice()
		card := legal[choose(len(legal))]
		line = append(line, card.String())
		next, err := p.Play(card)
		if err != nil {
			t.Fatalf("%v\nplaying %v: %v", g, line, err)
		}
		p, g = next, g.Play(card.String())
	}
}

// drawn returns a random state as a position of the engine and as a game of the reference.
func drawn(t *testing.T, s naive.State, convert func(naive.State) (klaverjas.Position, error)) (klaverjas.Position, naive.Game) {
	t.Helper()
	p, err := convert(s)
	if err != nil {
		t.Fatalf("%v: %v", s, err)
	}
	return p, s.Game()
}

// Whole deals, card by card: turn, trick, legal cards and score agree after every card, and the outcome at the end.
func TestPlayOuts(t *testing.T) {
	t.Parallel()
	sets := naive.RuleSets()
	met := map[string]int{} // the cases that occurred
	for i := range many(16_000, 4_000) {
		rng := rand.New(rand.NewPCG(11, uint64(i)))
		rules := naive.RandomRules(rng)
		if i%2 == 0 {
			rules = sets[i/2%len(sets)]
		}
		s := naive.RandomDeal(rng, rules, naive.Kind(i%int(naive.Kinds)))
		p, g := drawn(t, s, Start)
		p = playOut(t, p, g, rng.IntN)

		score, outcome := p.Score(), p.Outcome()
		if score.Tricks[0]+score.Tricks[1] != klaverjas.AllTricks {
			t.Fatalf("play-out %d: %v: trick points %v, want a sum of 162", i, g, score.Tricks)
		}
		if outcome%2 != 0 || outcome > -162 && outcome < 2 {
			t.Fatalf("play-out %d: %v: outcome %d is odd or between -162 and 2", i, g, outcome)
		}
		if p.Played() != 32 {
			t.Fatalf("play-out %d: %v: %d cards played", i, g, p.Played())
		}
		declarer := p.Deal().Declarer
		switch {
		case outcome > 0:
			met["win"]++
		case score.Sum(0) == score.Sum(1):
			met["tie"]++
		default:
			met["nat"]++
		}
		if p.Pit() && p.TricksTaken()[declarer] == 8 {
			met["declarers' pit"]++
		} else if p.Pit() {
			met["defenders' pit"]++
		}
	}
	t.Log(met)
	if !testing.Short() {
		for _, what := range []string{"win", "tie", "nat", "declarers' pit", "defenders' pit"} {
			if met[what] == 0 {
				t.Errorf("no play-out had a %s", what)
			}
		}
	}
}

// The same from the middle of a hand, with random scores.
func TestEndgamePlayOuts(t *testing.T) {
	t.Parallel()
	for i := range many(30_000, 6_000) {
		rng := rand.New(rand.NewPCG(12, uint64(i)))
		s := naive.RandomEndgame(rng, naive.RandomRules(rng), naive.Kind(i%int(naive.Kinds)), 1+i/4%5)
		p, g := drawn(t, s, Endgame)
		playOut(t, p, g, rng.IntN)
	}
}

// Only illegal cards are refused, and the error lists the legal cards.
func TestIllegalCards(t *testing.T) {
	for i := range many(1_000, 1_000) {
		rng := rand.New(rand.NewPCG(13, uint64(i)))
		p, g := drawn(t, naive.RandomDeal(rng, naive.RandomRules(rng), naive.Kind(i%int(naive.Kinds))), Start)
		for !p.Finished() {
			var next klaverjas.Position
			for card := range piquet.Deck.All() {
				after, err := p.Play(card)
				if slices.Contains(g.Legal(), card.String()) {
					if err != nil {
						t.Fatalf("%v: %v: %v", g, card, err)
					}
					if next.Played() == 0 || rng.IntN(2) == 0 {
						next = after
					}
					continue
				}
				var illegal *klaverjas.IllegalCard
				if !errors.As(err, &illegal) {
					t.Fatalf("%v: %v: error = %v, want an *IllegalCard", g, card, err)
				}
				if illegal.Card != card || illegal.Turn.String() != g.Turn() || illegal.Legal != p.Legal() || illegal.Reason == "" {
					t.Fatalf("%v: %v: error = %+v", g, card, illegal)
				}
			}
			for _, seat := range piquet.Seats() { // the seat of the card
				if gone := p.Hand(seat) &^ next.Hand(seat); !gone.Empty() {
					g = g.Play(gone.First().String())
				}
			}
			p = next
		}
		if _, err := p.Play(0); err == nil {
			t.Fatal("a finished hand accepts another card")
		}
	}
}

// The counts of melds over all 35,960 tricks of four cards agree with docs/reference/rules/klaverjas.md.
func TestMeldsOfAllTricks(t *testing.T) {
	want := map[int]int{0: 34_898, 20: 979, 40: 55, 50: 18, 70: 2, 100: 8}
	rules := klaverjas.DefaultRules(klaverjas.Rotterdam)
	altered := naive.Default("rotterdam")
	altered.FourOfAKind = map[string]int{"J": 200, "9": 0, "A": 500}
	alteredRules, err := Rules(altered)
	if err != nil {
		t.Fatal(err)
	}
	none := rules
	none.Melds = false
	deck := naive.Deck()
	for _, trump := range piquet.Suits() {
		game := naive.Start(naive.Default("rotterdam"), trump.String(), "N", "NS", nil)
		alteredGame := naive.Start(altered, trump.String(), "N", "NS", nil)
		byEngine, byRules := map[int]int{}, map[int]int{}
		for a := range 32 {
			for b := range a {
				for c := range b {
					for d := range c {
						trick := []string{deck[a], deck[b], deck[c], deck[d]}
						set := piquet.SetOf(piquet.Card(a), piquet.Card(b), piquet.Card(c), piquet.Card(d))
						got, expected := rules.Meld(set, trump), game.Meld(trick)
						if got != expected {
							t.Fatalf("trump %v: meld of %v: engine %d, rules %d", trump, trick, got, expected)
						}
						for _, r := range []klaverjas.Rules{rules, alteredRules, none} {
							listed := 0
							for _, m := range r.MeldsOf(set, trump) {
								listed += m.Points
							}
							if listed != r.Meld(set, trump) {
								t.Fatalf("trump %v: the melds of %v are %v, of %d points", trump, trick, r.MeldsOf(set, trump), r.Meld(set, trump))
							}
						}
						byEngine[got]++
						byRules[expected]++
						if got, expected := alteredRules.Meld(set, trump), alteredGame.Meld(trick); got != expected {
							t.Fatalf("trump %v: meld of %v with altered bonuses: engine %d, rules %d", trump, trick, got, expected)
						}
						if got := none.Meld(set, trump); got != 0 {
							t.Fatalf("trump %v: meld of %v with melds disabled: %d", trump, trick, got)
						}
					}
				}
			}
		}
		if diff := cmp.Diff(want, byEngine); diff != "" {
			t.Errorf("trump %v, engine (-want +got):\n%s", trump, diff)
		}
		if diff := cmp.Diff(want, byRules); diff != "" {
			t.Errorf("trump %v, rules (-want +got):\n%s", trump, diff)
		}
	}
}

// Points and strengths of every card agree with the tables of the reference.
func TestPointsAndStrength(t *testing.T) {
	for _, trump := range piquet.Suits() {
		g := naive.Start(naive.Default("rotterdam"), trump.String(), "N", "NS", nil)
		total := 0
		for c := range piquet.Deck.All() {
			points := klaverjas.Points(c, trump)
			total += points
			if want := g.TrickPoints([]string{c.String()}); points != want {
				t.Errorf("trump %v: %v is worth %d, want %d", trump, c, points, want)
			}
			for other := range piquet.Deck.InSuit(c.Suit()).All() {
				g.Trick = []string{c.String(), other.String()}
				if stronger := klaverjas.Strength(other, trump) > klaverjas.Strength(c, trump); stronger != (g.Winner() == "E") {
					t.Errorf("trump %v: %v stronger than %v: %v", trump, other, c, stronger)
				}
			}
		}
		if total != klaverjas.AllTricks-klaverjas.LastTrick {
			t.Errorf("trump %v: all cards are worth %d, want 152", trump, total)
		}
	}
}

// The rule sets of the tests cover every option.
func TestRuleSetsConvert(t *testing.T) {
	seen := map[klaverjas.Rules]bool{}
	for _, r := range naive.RuleSets() {
		rules, err := Rules(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := rules.Validate(); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
		seen[rules] = true
	}
	if len(seen) != len(naive.RuleSets()) {
		t.Errorf("%d different rule sets, want %d", len(seen), len(naive.RuleSets()))
	}
	for _, system := range []string{"rotterdam", "amsterdam"} {
		got, err := Rules(naive.Default(system))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(klaverjas.DefaultRules(got.System), got); diff != "" {
			t.Errorf("defaults of %s (-engine +rules):\n%s", system, diff)
		}
	}
	for _, bad := range []naive.Rules{{System: "leiden"}, {System: "rotterdam", UnderRuff: "never"}} {
		if _, err := Rules(bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// describe returns the name of a rule set in a golden file.
func describe(r naive.Rules) string {
	text := r.System + " " + r.UnderRuff
	for _, face := range slices.Sorted(maps.Keys(r.FourOfAKind)) {
		text += fmt.Sprintf(" %s=%d", face, r.FourOfAKind[face])
	}
	return strings.TrimSpace(text)
}

// The melds of a trick have the names and the cards of docs/reference/rules/klaverjas.md. Their points are compared in
// TestMeldsOfAllTricks.
func TestMeldsByName(t *testing.T) {
	rules := klaverjas.DefaultRules(klaverjas.Rotterdam)
	rules.FourOfAKind[piquet.Seven] = 0
	for _, tt := range []struct {
		trump piquet.Suit
		trick string
		want  []string
	}{
		{piquet.Hearts, "7C 8C 9D 10C", nil},
		{piquet.Hearts, "9C 7C AD 8C", []string{"three_in_sequence 7C 8C 9C 20"}},
		{piquet.Hearts, "QC KC AC JC", []string{"four_in_sequence JC QC KC AC 50"}},
		{piquet.Hearts, "KH 7C QH 8C", []string{"trump_marriage QH KH 20"}},
		{piquet.Clubs, "KC JC QC 10C", []string{"four_in_sequence 10C JC QC KC 50", "trump_marriage QC KC 20"}},
		{piquet.Clubs, "KC AC QC 9C", []string{"three_in_sequence QC KC AC 20", "trump_marriage QC KC 20"}},
		{piquet.Hearts, "JS JH JC JD", []string{"four_of_a_kind JC JD JH JS 100"}},
		{piquet.Hearts, "7S 7H 7C 7D", nil},
	} {
		var trick piquet.Set
		for name := range strings.FieldsSeq(tt.trick) {
			c, err := piquet.ParseCard(name)
			if err != nil {
				t.Fatal(err)
			}
			trick = trick.With(c)
		}
		var got []string
		for _, m := range rules.MeldsOf(trick, tt.trump) {
			line := m.Kind.String()
			for c := range m.Cards.All() {
				line += " " + c.String()
			}
			got = append(got, fmt.Sprint(line, " ", m.Points))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s, trump %v (-want +got)\n%s", tt.trick, tt.trump, diff)
		}
	}
}

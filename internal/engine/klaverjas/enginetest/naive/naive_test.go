package naive

import (
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The reference implementation must not depend on the engine that it is compared with.
func TestSharesNothingWithTheEngine(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			if strings.HasPrefix(i.Path.Value, `"roem/`) {
				t.Errorf("%s imports %s", name, i.Path.Value)
			}
		}
	}
}

// hands reads four hands, north first, with cards separated by spaces.
func hands(north, east, south, west string) map[string][]string {
	return map[string][]string{
		"N": strings.Fields(north), "E": strings.Fields(east), "S": strings.Fields(south), "W": strings.Fields(west),
	}
}

// Examples for every sentence of docs/reference/rules/klaverjas.md about legal cards. South is to play, unless the trick requires another
// seat. Hearts are trump.
func TestLegal(t *testing.T) {
	type by map[string]string // the legal cards by "system under_ruff"
	all := func(cards string) by {
		return by{
			"rotterdam forced": cards, "rotterdam forbidden": cards, "rotterdam free": cards,
			"amsterdam forced": cards, "amsterdam forbidden": cards, "amsterdam free": cards,
		}
	}
	tests := []struct {
		name  string
		trick string
		hand  string
		want  by
	}{
		{"lead", "", "7H 8C AS", all("7H 8C AS")},
		{"follow suit, no need to beat", "7C", "8C AC JH 9S", all("8C AC")},
		{"follow suit even when ruffed", "7C 7H", "8C JH 9S", all("8C")},
		{"trump led: beat the highest", "AH QH", "7H KH 9H JH AS", all("9H JH")},
		{"trump led: the partner's too", "AH 7H", "8H 9H AS", all("9H")},
		{"trump led: cannot beat", "JH 7H", "8H 9H AS", all("8H 9H")},
		{"trump led: no trump", "JH", "8C AS", all("8C AS")},
		{"neither suit nor trump", "7C", "8D AS", all("8D AS")},
		{"opponent winning: ruff", "7C", "8H KH AS", all("8H KH")},
		{"opponent winning, partner led: ruff", "7C AC", "8H KH AS", all("8H KH")},
		{"opponent ruffed: overruff", "7C 8H", "7H 10H KH AS", all("10H KH")},
		{"opponent ruffed over partner: only lower", "7C AH", "7H 10H AS", by{
			"rotterdam forced": "7H 10H", "rotterdam forbidden": "AS", "rotterdam free": "7H 10H AS",
			"amsterdam forced": "7H 10H", "amsterdam forbidden": "AS", "amsterdam free": "7H 10H AS",
		}},
		{"only lower trumps and nothing else", "7C AH", "7H 10H", all("7H 10H")},
		{"partner winning with a plain card", "AC 7C", "7H 10H AS", by{
			"rotterdam forced": "7H 10H", "rotterdam forbidden": "7H 10H", "rotterdam free": "7H 10H",
			"amsterdam forced": "7H 10H AS", "amsterdam forbidden": "7H 10H AS", "amsterdam free": "7H 10H AS",
		}},
		{"partner winning with a trump, higher and lower", "7C 10H 8C", "7H AH AS", by{ // west to play, east winning
			"rotterdam forced": "AH", "rotterdam forbidden": "AH", "rotterdam free": "AH",
			"amsterdam forced": "7H AH AS", "amsterdam forbidden": "AH AS", "amsterdam free": "7H AH AS",
		}},
		{"partner winning with a trump, only lower", "7C 10H 8C", "7H QH AS", by{
			"rotterdam forced": "7H QH", "rotterdam forbidden": "AS", "rotterdam free": "7H QH AS",
			"amsterdam forced": "7H QH AS", "amsterdam forbidden": "AS", "amsterdam free": "7H QH AS",
		}},
		{"partner winning with a trump, only trumps", "7C 10H 8C", "7H AH", by{
			"rotterdam forced": "AH", "rotterdam forbidden": "AH", "rotterdam free": "AH",
			"amsterdam forced": "7H AH", "amsterdam forbidden": "AH", "amsterdam free": "7H AH",
		}},
		{"partner winning with a trump, only lower trumps", "7C 10H 8C", "7H QH", all("7H QH")},
		{"partner overruffed by an opponent", "7C 8H 10H", "7H QH AS", by{
			"rotterdam forced": "7H QH", "rotterdam forbidden": "AS", "rotterdam free": "7H QH AS",
			"amsterdam forced": "7H QH", "amsterdam forbidden": "AS", "amsterdam free": "7H QH AS",
		}},
	}
	for _, tt := range tests {
		for key, want := range tt.want {
			t.Run(tt.name+"/"+key, func(t *testing.T) {
				rules := Rules{Melds: true, NatMelds: "defenders"}
				rules.System, rules.UnderRuff, _ = strings.Cut(key, " ")
				g := Start(rules, "H", "N", "NS", hands(tt.hand, tt.hand, tt.hand, tt.hand))
				g.Trick = strings.Fields(tt.trick)
				if diff := cmp.Diff(strings.Fields(want), g.Legal()); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestMeld(t *testing.T) {
	tests := []struct {
		trick string
		want  int
	}{
		{"7C 8C 9C AS", 20},
		{"9C 7C AS 8C", 20},
		{"7C 8C 9C 10C", 50},
		{"10C JC QC KC", 50},
		{"8C 9C JC QC", 0},
		{"QC KC 7S 8S", 0},
		{"QH KH 7S 8S", 20},
		{"QH KH JH 8S", 40},
		{"QH KH JH 10H", 70},
		{"QH KH AH JH", 70},
		{"JC JD JH JS", 200},
		{"9C 9D 9H 9S", 0},
		{"AC AD AH AS", 100},
		{"AC KD QH JS", 0},
	}
	rules := Default("rotterdam")
	rules.FourOfAKind = map[string]int{"J": 200, "9": 0}
	g := Start(rules, "H", "N", "NS", nil)
	for _, tt := range tests {
		if got := g.Meld(strings.Fields(tt.trick)); got != tt.want {
			t.Errorf("meld of %s = %d, want %d", tt.trick, got, tt.want)
		}
	}
}

func TestOutcome(t *testing.T) {
	tests := []struct {
		name          string
		points, melds [2]int // NS, EW; NS declare
		nat           string
		want          int
	}{
		{"win", [2]int{90, 72}, [2]int{20, 0}, "defenders", 38},
		{"win by two", [2]int{82, 80}, [2]int{0, 0}, "all", 2},
		{"a tie is nat", [2]int{81, 81}, [2]int{20, 20}, "defenders", -182},
		{"nat, their melds", [2]int{60, 102}, [2]int{40, 70}, "defenders", -232},
		{"nat, all melds", [2]int{60, 102}, [2]int{40, 70}, "all", -272},
		{"pit", [2]int{162, 0}, [2]int{100, 0}, "defenders", 262},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := Start(Rules{NatMelds: tt.nat}, "H", "N", "NS", nil)
			for i, team := range []string{"NS", "EW"} {
				g.Points[team], g.Melds[team] = tt.points[i], tt.melds[i]
			}
			if got := g.Outcome(); got != tt.want {
				t.Errorf("Outcome() = %d, want %d", got, tt.want)
			}
		})
	}
}

// slow is minimax implemented with Game.
func slow(g Game) int {
	if g.Finished() {
		return g.Outcome()
	}
	var values []int
	for _, card := range g.Legal() {
		values = append(values, slow(g.Play(card)))
	}
	if teamOf(g.Turn()) == g.Declarer {
		return slices.Max(values)
	}
	return slices.Min(values)
}

// Minimax implements the same rules as Game: values and numbers of lines are equal.
func TestMinimaxAgreesWithTheRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	repetitions := 1_500
	if testing.Short() {
		repetitions = 150
	}
	for i := range repetitions {
		count := 2
		if i%20 == 0 {
			count = 3
		}
		s := RandomEndgame(rng, RandomRules(rng), Kind(i%int(Kinds)), count)
		outcome, moves, _ := Minimax(s)
		g := s.Game()
		want := map[string]int{}
		for _, card := range g.Legal() {
			want[card] = slow(g.Play(card))
		}
		got := map[string]int{}
		for card, value := range moves {
			got[CardName(card)] = value
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("endgame %d: %v (-rules +judge):\n%s", i, s, diff)
		}
		values := slices.Collect(maps.Values(want))
		best := slices.Min(values)
		if teamOf(g.Turn()) == g.Declarer {
			best = slices.Max(values)
		}
		if outcome != best {
			t.Fatalf("endgame %d: %v: minimax %d, Game %d", i, s, outcome, best)
		}
		if diff := cmp.Diff(s, g.State()); diff != "" {
			t.Fatalf("endgame %d: %v converted and back (-want +got):\n%s", i, s, diff)
		}
		for depth := range 6 {
			if a, b := g.Lines(depth), Lines(s, depth); a != b {
				t.Fatalf("endgame %d: %v: %d lines of %d cards by the rules, %d by the judge", i, s, a, depth, b)
			}
		}
	}
}

func TestAlphaBetaAgreesWithMinimax(t *testing.T) {
	repetitions := 4_000
	if testing.Short() {
		repetitions = 400
	}
	for i := range repetitions {
		rng := rand.New(rand.NewPCG(4, uint64(i)))
		s := RandomEndgame(rng, RandomRules(rng), Kind(i%int(Kinds)), 1+i/4%4)
		want, _, _ := Minimax(s)
		if got := AlphaBeta(s); got != want {
			t.Fatalf("endgame %d: %v: alpha-beta %d, minimax %d", i, s, got, want)
		}
	}
}

// The documented properties of RandomEndgame.
func TestRandomEndgame(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	var tricks [4]int
	pit, fourInOneTrick, odd := 0, 0, 0
	const repetitions = 8_000
	for i := range repetitions {
		count := 2 + i%3
		s := RandomEndgame(rng, RandomRules(rng), Kind(i/3%int(Kinds)), count)
		g := s.Game()
		total := len(s.Trick)
		for _, hand := range g.Hands {
			total += len(hand)
		}
		if total != 4*count || s.Taken[0]+s.Taken[1] != 8-count {
			t.Fatalf("%v: %d cards, want %d, and %v tricks taken", s, total, 4*count, s.Taken)
		}
		tricks[len(s.Trick)]++
		if s.Taken[0] == 0 || s.Taken[1] == 0 {
			pit++
		}
		rest := 10
		for card := range 32 {
			if (s.Hands[0]|s.Hands[1]|s.Hands[2]|s.Hands[3])>>card&1 == 1 {
				rest += g.TrickPoints([]string{CardName(card)})
			}
		}
		rest += g.TrickPoints(g.Trick)
		if (s.Points[0]+s.Points[1]+rest)%2 != 0 {
			odd++
		}
		for face := range 8 {
			all := 1<<face | 1<<(8+face) | 1<<(16+face) | 1<<(24+face)
			if len(s.Trick) == 0 && s.Hands[0]&all != 0 && s.Hands[1]&all != 0 && s.Hands[2]&all != 0 && s.Hands[3]&all != 0 {
				fourInOneTrick++
				break
			}
		}
		for team := range 2 {
			if s.Taken[team] == 0 && s.Points[team]+s.Melds[team] != 0 {
				t.Fatalf("%v: points without a trick", s)
			}
		}
	}
	for n, k := range tricks {
		if k < repetitions/6 {
			t.Errorf("%d endgames with %d cards on the table", k, n)
		}
	}
	if odd > 0 {
		t.Errorf("%d endgames whose outcome would be odd", odd)
	}
	if pit < repetitions/5 || fourInOneTrick < repetitions/20 {
		t.Errorf("%d endgames with a pit in sight, %d with a four of a kind", pit, fourInOneTrick)
	}
}

func BenchmarkMinimax(b *testing.B) {
	for count := 2; count <= 4; count++ {
		b.Run([]string{2: "two", 3: "three", 4: "four"}[count], func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 3))
			total, n := 0, 0
			for b.Loop() {
				_, _, nodes := Minimax(RandomEndgame(rng, RandomRules(rng), Kind(n%int(Kinds)), count))
				total += nodes
				n++
			}
			b.ReportMetric(float64(total)/float64(n), "nodes/op")
		})
	}
}

func BenchmarkAlphaBeta(b *testing.B) {
	for count := 5; count <= 6; count++ {
		b.Run([]string{5: "five", 6: "six"}[count], func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 3))
			for n := 0; b.Loop(); n++ {
				AlphaBeta(RandomEndgame(rng, RandomRules(rng), Kind(n%int(Kinds)), count))
			}
		})
	}
}

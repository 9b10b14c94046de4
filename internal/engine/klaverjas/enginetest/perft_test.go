package enginetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/piquet"
	"roem/internal/testkit"
)

var update = flag.Bool("update", false, "write the golden files anew, from the independent rules")

// The depth is increased until there are this many lines.
const perftLines = 100_000

// The deals of the perft table. Hands are in the order N E S W, cards by suit C D H S.
var perftDeals = []struct {
	name          string
	trump, leader string
	hands         [4]string
}{
	{"even", "D", "N", [4]string{
		"AC 9C JD 7D KH 8H QS 7S", "KC 8C AD 9D QH 7H 10S JS", "QC 7C 10D KD 10H JH AS 9S", "10C JC QD 8D AH 9H KS 8S",
	}},
	{"all void but one", "H", "E", [4]string{
		"7C 8C 9C 10C JC QC KC AC", "7D 8D 9D 10D JD QD KD AD", "7H 8H 9H 10H JH QH KH AH", "7S 8S 9S 10S JS QS KS AS",
	}},
	{"drawn at random", "H", "N", [4]string{
		"10C JD 8H 8D 9C 7H 9D KH", "KC JH QH 8S JC AH 7C QC", "7D AC KD QD AD 10D JS AS", "8C 10H 9S QS 9H 7S 10S KS",
	}},
	// In the other deals the numbers for all six ways to ruff differ.
	{"first to differ", "S", "S", [4]string{
		"9C AC 7D 8H KH 7S JS QS", "10D JD QD 7H 10H JH QH 10S", "JC 8D KD AD 9H 8S 9S KS", "7C 8C 10C QC KC 9D AH AS",
	}},
	{"second to differ", "D", "E", [4]string{
		"8C QC KC AC 8D 7H KH AS", "9C 10C 9D 10D AD JH 9S 10S", "7C JC QD 8H 10H QH AH 7S", "7D JD KD 9H 8S JS QS KS",
	}},
	{"fours of a kind", "S", "W", [4]string{
		"7C 9C 8D 10H QH KH JS AS", "8C JC KC AC 9D 10D 7S QS", "10C 7D JD QD KD AD 9H 8S", "QC 7H 8H JH AH 9S 10S KS",
	}},
	{"sequences", "H", "N", [4]string{
		"KC 7D 8D 10D JD QD 9H QS", "8C 9C 7H QH 9S 10S JS AS", "AC 9D AD 8H 10H JH AH 8S", "7C 10C JC QC KD KH 7S KS",
	}},
	{"trumps all round", "D", "N", [4]string{
		"8C 9C QC AC 8D KD 8H AS", "7C 10D 9H QH KH 8S JS QS", "10C JC 7D QD JH 7S 10S KS", "KC 9D JD AD 7H 10H AH 9S",
	}},
}

func perftRules() []naive.Rules {
	var out []naive.Rules
	for _, r := range naive.RuleSets() {
		if describe(r) == describe(naive.Rules{System: r.System, UnderRuff: r.UnderRuff}) && len(out) < 6 {
			out = append(out, r)
		}
	}
	return out
}

// lines counts the lines of play with the engine.
func lines(p klaverjas.Position, depth int) (uint64, error) {
	if depth == 1 {
		return uint64(p.Legal().Len()), nil
	}
	var sum uint64
	for c := range p.Legal().All() {
		next, err := p.Play(c)
		if err != nil {
			return 0, err
		}
		n, err := lines(next, depth-1)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// The number of legal lines of play to each depth. The golden table is written by the reference implementation only, so a mistake in
// the engine's rules cannot be in it. To write it again:
//
//	go test ./internal/engine/klaverjas/enginetest -run TestPerft -update
func TestPerft(t *testing.T) { // the subtests write one table, in order
	t.Parallel()
	golden := filepath.Join("testdata", "perft.golden")
	var table strings.Builder
	table.WriteString("# Legal lines of play of 1, 2, 3 ... cards: deal, rules, counts. Written by TestPerft -update.\n")
	counted := map[string][]uint64{}
	for _, deal := range perftDeals {
		for _, rules := range perftRules() {
			name := deal.name + ", " + describe(rules)
			t.Run(name, func(t *testing.T) {
				texts := map[piquet.Seat][]string{}
				for seat, hand := range deal.hands {
					texts[piquet.Seat(seat)] = strings.Fields(hand)
				}
				dealt, err := klaverjas.ParseHands(texts)
				if err != nil {
					t.Fatal(err)
				}
				d := klaverjas.Deal{Hands: dealt}
				if d.Trump, err = piquet.ParseSuit(deal.trump); err != nil {
					t.Fatal(err)
				}
				if d.Leader, err = piquet.ParseSeat(deal.leader); err != nil {
					t.Fatal(err)
				}
				d.Declarer = d.Leader.Team()
				s := State(rules, d)

				// The two reference implementations agree with each other,
				game := s.Game()
				deepest := testkit.Times(4, 5, 5, 6)
				for depth := 1; depth <= deepest; depth++ {
					if a, b := game.Lines(depth), naive.Lines(s, depth); a != b {
						t.Fatalf("depth %d: Game counts %d lines, minimax %d", depth, a, b)
					}
				}
				// and the engine agrees with them.
				p, err := Start(s)
				if err != nil {
					t.Fatal(err)
				}
				enough := uint64(perftLines)
				if testing.Short() {
					enough = 1_000
				}
				var counts []uint64
				for depth := 1; len(counts) == 0 || counts[len(counts)-1] < enough; depth++ {
					n, err := lines(p, depth)
					if err != nil {
						t.Fatal(err)
					}
					counts = append(counts, n)
				}
				counted[name] = counts
			})
			if *update {
				fmt.Fprintf(&table, "%s:", name)
				var d klaverjas.Deal
				for seat, hand := range deal.hands {
					for text := range strings.FieldsSeq(hand) {
						c, err := piquet.ParseCard(text)
						if err != nil {
							t.Fatal(err)
						}
						d.Hands[seat] = d.Hands[seat].With(c)
					}
				}
				d.Trump, _ = piquet.ParseSuit(deal.trump)
				d.Leader, _ = piquet.ParseSeat(deal.leader)
				for depth, n := 1, uint64(0); n < perftLines; depth++ {
					n = naive.Lines(State(rules, d), depth)
					fmt.Fprintf(&table, " %d", n)
				}
				table.WriteString("\n")
			}
		}
	}
	if *update {
		if err := os.WriteFile(golden, []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]uint64{}
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, numbers, _ := strings.Cut(strings.TrimSpace(line), ":")
		for i, field := range strings.Fields(numbers) {
			var n uint64
			if _, err := fmt.Sscan(field, &n); err != nil {
				t.Fatal(err)
			}
			if i < len(counted[name]) || counted[name] == nil {
				want[name] = append(want[name], n)
			}
		}
	}
	if diff := cmp.Diff(want, counted); diff != "" {
		t.Errorf("lines of play (-reference +engine):\n%s", diff)
	}
}

package score

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// What is written down for counted points. A declares.
func TestContracts(t *testing.T) {
	type want struct {
		Written [2]int
		Held    int
		Result  Result
		Needed  int
	}
	paper := Rules{Contract: Paper, Threshold: 80, Belote: true}
	standard := Rules{Contract: Standard, Belote: true}
	litige := Rules{Contract: Standard, Belote: true, Litige: true}
	for name, tt := range map[string]struct {
		rules Rules
		hand  CountedHand
		want  want
	}{
		"80 is enough in the paper": {paper, CountedHand{Points: [2]int{80, 82}}, want{[2]int{80, 82}, 0, Made, 80}},
		"79 is not":                 {paper, CountedHand{Points: [2]int{79, 83}}, want{[2]int{0, 162}, 0, Lost, 80}},
		"82 for the threshold 82": {
			Rules{Contract: Paper, Threshold: 82},
			CountedHand{Points: [2]int{81, 81}},
			want{[2]int{0, 162}, 0, Lost, 82},
		},
		"own belote": {
			paper,
			CountedHand{Points: [2]int{60, 102}, Belote: new(belote.A)},
			want{[2]int{80, 102}, 0, Made, 80},
		},
		"own belote is kept": {
			paper,
			CountedHand{Points: [2]int{59, 103}, Belote: new(belote.A)},
			want{[2]int{20, 162}, 0, Lost, 80},
		},
		"the other's belote": {
			paper,
			CountedHand{Points: [2]int{99, 63}, Belote: new(belote.B)},
			want{[2]int{0, 182}, 0, Lost, 100},
		},
		"belote is off": {
			Rules{Contract: Paper, Threshold: 80},
			CountedHand{Points: [2]int{79, 83}, Belote: new(belote.A)},
			want{[2]int{0, 162}, 0, Lost, 80},
		},
		"melds of a lost contract": {paper, CountedHand{Points: [2]int{20, 142}, Melds: [2]int{50, 0}}, want{[2]int{0, 212}, 0, Lost, 80}},
		"more than the other":      {standard, CountedHand{Points: [2]int{82, 80}}, want{[2]int{82, 80}, 0, Made, 81}},
		"equal is lost":            {standard, CountedHand{Points: [2]int{81, 81}}, want{[2]int{0, 162}, 0, Lost, 82}},
		"equal is held":            {litige, CountedHand{Points: [2]int{81, 81}}, want{[2]int{0, 81}, 81, Litige, 82}},
		"equal with belote": {
			litige,
			CountedHand{Points: [2]int{71, 91}, Belote: new(belote.A)},
			want{[2]int{0, 91}, 91, Litige, 92},
		},
		"nobody declared": {Rules{Contract: None}, CountedHand{Points: [2]int{30, 132}}, want{[2]int{30, 132}, 0, NoContract, 0}},
		"all tricks": {
			Rules{Contract: Paper, Threshold: 80, Capot: 90},
			CountedHand{Points: [2]int{162, 0}, AllTricks: new(belote.A)},
			want{[2]int{252, 0}, 0, Made, 80},
		},
		"all tricks against the declarer": {
			Rules{Contract: Paper, Threshold: 80, Capot: 50},
			CountedHand{Points: [2]int{0, 162}, AllTricks: new(belote.B)},
			want{[2]int{0, 212}, 0, Lost, 130},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := Settle(tt.rules, belote.A, tt.hand.Parts(tt.rules))
			if diff := cmp.Diff(tt.want, want{s.Written, s.Held, s.Result, s.Needed}); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func set(t *testing.T, texts ...string) (s piquet.Set) {
	t.Helper()
	for _, text := range texts {
		c, err := piquet.ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		s = s.With(c)
	}
	return s
}

func TestMelds(t *testing.T) {
	for _, tt := range []struct {
		own  piquet.Set
		want []string
	}{
		{set(t, "7H", "8H", "10H"), nil},
		{set(t, "7H", "8H", "9H"), []string{"run 20 [7H 8H 9H]"}},
		{set(t, "7H", "8H", "9H", "10H", "QH", "KH", "AH"), []string{"run 50 [7H 8H 9H 10H]", "run 20 [QH KH AH]"}},
		{set(t, "9C", "10C", "JC", "QC", "KC"), []string{"run 100 [9C 10C JC QC KC]"}},
		{set(t, "7C", "7D", "7H", "7S"), nil},
		{set(t, "9C", "9D", "9H", "9S", "JC", "JD", "JH", "JS"), []string{"square 150 [9C 9D 9H 9S]", "square 200 [JC JD JH JS]"}},
		// A card counts once: the square of jacks is worth more than the run of five, which becomes one of three.
		{set(t, "8H", "9H", "10H", "JH", "QH", "JC", "JD", "JS"), []string{"square 200 [JC JD JH JS]", "run 20 [8H 9H 10H]"}},
		// The square and a run of four are worth more than a run of five.
		{set(t, "8H", "9H", "10H", "JH", "QH", "QC", "QD", "QS"), []string{"square 100 [QC QD QH QS]", "run 50 [8H 9H 10H JH]"}},
		{set(t, "QH", "KH", "AH", "QC", "KC", "AC", "QD", "KD", "AD", "AS"), []string{"square 100 [AC AD AH AS]"}},
	} {
		var got []string
		for _, m := range bestMelds(tt.own) {
			got = append(got, fmt.Sprintf("%v %d %v", m.kind, m.points, m.cards))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got)\n%s", tt.own, diff)
		}
	}
}

// Of melds with equal points the square is better than the run, then the longer, the higher, and trump.
func TestBetter(t *testing.T) {
	one := func(texts ...string) *meld {
		list := bestMelds(set(t, texts...))
		return &list[0]
	}
	order := []*meld{ // from the worst to the best
		one("7C", "8C", "9C"), one("8C", "9C", "10C"), one("8H", "9H", "10H"), one("7C", "8C", "9C", "10C"),
		one("8C", "9C", "10C", "JC", "QC"), one("8H", "9H", "10H", "JH", "QH"), one("7C", "8C", "9C", "10C", "JC", "QC"),
		one("10C", "10D", "10H", "10S"), one("AC", "AD", "AH", "AS"), one("9C", "9D", "9H", "9S"), one("JC", "JD", "JH", "JS"),
	}
	trump := belote.TrumpOf(piquet.Hearts)
	for i, m := range order {
		for j, n := range order {
			if got := m.better(n, trump); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%v against %v: %d", m.cards, n.cards, got)
			}
		}
	}
}

// Over random hands: the points in tricks and what is written down add up, belote-rebelote goes to the player of both cards, and one
// player's melds count at most.
func TestHands(t *testing.T) {
	seen := map[Kind]int{}
	for seed := range uint64(300) {
		rng := random.New(seed)
		d := belote.Random(rng, piquet.Deck, belote.Trump(seed%5))
		start, err := belote.NewPosition(d)
		if err != nil {
			t.Fatal(err)
		}
		r := Rules{Threshold: 80, Belote: true, Melds: Melds(seed % 3), Capot: 90, Contract: Contract(seed % 3), Litige: seed%2 == 0}
		if _, err := Hand(r, start, nil); !errors.Is(err, ErrUnfinished) {
			t.Fatalf("error %v", err)
		}
		p := start
		var played []piquet.Card
		for !p.Finished() {
			legal := p.Legal().Slice()
			c := legal[random.Below(rng, uint64(len(legal)))]
			played = append(played, c)
			if p, err = p.Play(c); err != nil {
				t.Fatal(err)
			}
		}
		parts, err := Hand(r, start, played)
		if err != nil {
			t.Fatal(err)
		}
		s := Settle(r, d.Declarer, parts)
		var tricks, sum, all int
		counting := map[belote.Player]bool{}
		for _, part := range s.Parts {
			seen[part.Kind]++
			if part.Kind.trick() {
				tricks += part.Points
			}
			if part.Counts {
				sum += part.Points
			}
			if part.Counts && (part.Kind == Run || part.Kind == Square) {
				counting[part.Player] = true
			}
			if part.Kind == Belote {
				king, queen := part.Cards[1], part.Cards[0]
				if !start.Held(part.Player).Has(king) || !start.Held(part.Player).Has(queen) {
					t.Errorf("%v has not %v and %v", part.Player, king, queen)
				}
			}
		}
		all = s.Written[0] + s.Written[1] + s.Held
		if tricks != 162 || sum != all || sum != s.Made[0]+s.Made[1] || len(counting) > 1 {
			t.Errorf("seed %d: %d in tricks, %d in parts, %d written, %v made, melds of %d players", seed, tricks, sum, all, s.Made, len(counting))
		}
	}
	if seen[Belote] < 50 || seen[Run] < 50 || seen[Square] < 1 {
		t.Errorf("parts %v", seen)
	}
}

package enginetest

import (
	"errors"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
)

// FuzzPositionParse reads four hands and a line of play from arbitrary text: one hand per line, cards separated by spaces or commas.
// Nothing panics, every error has pointers into the input, and every accepted input is a valid position.
func FuzzPositionParse(f *testing.F) {
	f.Add("7C 8C 9C 10C JC QC KC AC\n7D 8D 9D TD JD QD KD AD\n7h 8h 9h th jh qh kh ah\n7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ A♠", "AC", byte(0))
	f.Add("10C JD 8H 8D 9C 7H 9D KH\nKC JH QH 8S JC AH 7C QC\n7D AC KD QD AD 10D JS AS\n8C 10H 9S QS 9H 7S 10S KS", "KH AH AD 9H JH 7D 7S 8H",
		byte(2))
	f.Add("10C JD 8H 8D 9C 7H 9D KH\nKC JH QH 8S JC AH 7C QC\n7D AC KD QD AD 10D JS AS\n8C 10H 9S QS 9H 7S 10S KS", "KH JH", byte(18))
	f.Add("7C 7C 8C\n\n1C AX ♠\nAS", "", byte(255))
	f.Add("", "7C", byte(1))
	f.Fuzz(func(t *testing.T, deal, line string, setup byte) {
		split := func(text string) []string {
			return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
		}
		texts := map[piquet.Seat][]string{}
		for i, hand := range strings.SplitN(deal, "\n", 4) {
			texts[piquet.Seat(i)] = split(hand)
		}
		hands, err := klaverjas.ParseHands(texts)
		if err != nil {
			checkViolations(t, err, "/hands")
			return
		}
		var all piquet.Set
		for _, h := range hands {
			if h.Len() != klaverjas.HandSize || all&h != 0 {
				t.Fatalf("%q is accepted as %v", deal, hands)
			}
			all |= h
		}
		rules := klaverjas.DefaultRules(klaverjas.System(setup >> 4 & 1))
		start, err := klaverjas.NewPosition(rules, klaverjas.Deal{
			Trump: piquet.Suit(setup & 3), Leader: piquet.Seat(setup >> 2 & 3), Declarer: piquet.Team(setup >> 5 & 1), Hands: hands,
		})
		if err != nil {
			t.Fatalf("%q is parsed, but is not a position: %v", deal, err)
		}
		p, played, err := start.ReplayText(split(line))
		if err != nil {
			checkViolations(t, err, "/played")
			return
		}
		if len(played) != p.Played() || len(played) != len(split(line)) {
			t.Fatalf("%q: %d cards read, %d played", line, len(played), p.Played())
		}
		again, err := start.Replay(played)
		if err != nil || again != p {
			t.Fatalf("%v replayed: %v, %v", played, again, err)
		}
	})
}

// checkViolations fails the test unless the error is Violations that point into the given part of the position.
func checkViolations(t *testing.T, err error, part string) {
	t.Helper()
	var violations klaverjas.Violations
	if !errors.As(err, &violations) || len(violations) == 0 {
		t.Fatalf("error %T %v, want violations", err, err)
	}
	for _, v := range violations {
		if v.Pointer != part && !strings.HasPrefix(v.Pointer, part+"/") {
			t.Errorf("pointer %q, want one into %s", v.Pointer, part)
		}
		if v.Detail == "" {
			t.Errorf("%s: no detail", v.Pointer)
		}
	}
}

// FuzzPlayout uses bytes to choose the cards of a whole deal. The engine and the reference implementation agree after every card, the
// trick points sum to 162, and each card is played once.
func FuzzPlayout(f *testing.F) {
	f.Add(uint64(0), byte(0), byte(0), []byte{})
	f.Add(index.Deals-1, byte(0b1101_1001), byte(14), []byte{7, 6, 5, 4, 3, 2, 1, 0, 255, 3, 9})
	f.Add(uint64(71234567890123456), byte(0b0110_0111), byte(200), []byte("klaverjas"))
	f.Add(uint64(1029166555871865), byte(0b1010), byte(5), []byte{1, 2, 0, 3, 1, 1, 0, 2, 4, 1, 3, 0, 0, 1, 2, 2, 1, 0, 5, 3})
	sets := naive.RuleSets()
	f.Fuzz(func(t *testing.T, number uint64, setup, rules byte, choices []byte) {
		d := klaverjas.Deal{Trump: piquet.Suit(setup & 3), Leader: piquet.Seat(setup >> 2 & 3), Declarer: piquet.Team(setup >> 4 & 1)}
		var err error
		if d.Hands, err = index.Unrank(number%index.Deals, d.Trump, d.Leader); err != nil {
			t.Fatal(err)
		}
		s := State(sets[int(rules)%len(sets)], d)
		p, err := Start(s)
		if err != nil {
			t.Fatal(err)
		}
		var played piquet.Set
		choose := func(n int) int {
			if len(choices) == 0 {
				return 0
			}
			at := int(choices[0]) % n
			choices = choices[1:]
			return at
		}
		// The same cards again with the engine only, to check what a position does not contain about played cards.
		taken := append([]byte{}, choices...)
		end := playOut(t, p, s.Game(), choose)
		choices = taken
		for !p.Finished() {
			legal := p.Legal().Slice()
			card := legal[choose(len(legal))]
			if played.Has(card) {
				t.Fatalf("%v is played twice", card)
			}
			played = played.With(card)
			if p, err = p.Play(card); err != nil {
				t.Fatal(err)
			}
		}
		if p != end {
			t.Fatal("the same cards end in two different positions")
		}
		if played != piquet.Deck {
			t.Fatalf("played %v, want all cards", played)
		}
		if score := end.Score(); score.Tricks[0]+score.Tricks[1] != klaverjas.AllTricks {
			t.Fatalf("trick points %v, want a sum of 162", score.Tricks)
		}
		if o := end.Outcome(); o%2 != 0 || o > -162 && o < 2 {
			t.Fatalf("outcome %d", o)
		}
	})
}

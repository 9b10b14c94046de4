package players_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
	"roem/internal/random"
)

func set(t *testing.T, text string) (s ginrummy.Set) {
	t.Helper()
	for word := range strings.FieldsSeq(text) {
		c, err := ginrummy.ParseCard(word)
		if err != nil {
			t.Fatal(err)
		}
		s = s.With(c)
	}
	return s
}

// Two cards have exactly the third cards with which they are a meld.
func TestThirds(t *testing.T) {
	for a := range ginrummy.Deck.All() {
		for b := range ginrummy.Deck.Without(a).All() {
			var want ginrummy.Set
			for c := range ginrummy.Deck.Without(a).Without(b).All() {
				if ginrummy.SetOf(a, b, c).IsMeld() {
					want = want.With(c)
				}
			}
			if got := players.Thirds(a, b); got != want {
				t.Fatalf("%s and %s: %s, want %s", a, b, got, want)
			}
		}
	}
}

// afterStock is what a player sees who was dealt ten cards and drew the eleventh from the stock, after both had passed.
func afterStock(t *testing.T, hand, drawn, upcard string) ginrummy.View {
	t.Helper()
	card := func(text string) ginrummy.Card { return set(t, text).First() }
	s := ginrummy.Situation{Starter: ginrummy.A, Upcard: card(upcard), Own: set(t, hand+" "+drawn), Events: []ginrummy.Event{
		{Seat: ginrummy.A, Kind: ginrummy.Pass, Card: ginrummy.NoCard},
		{Seat: ginrummy.B, Kind: ginrummy.Pass, Card: ginrummy.NoCard},
		{Seat: ginrummy.A, Kind: ginrummy.Stock, Card: card(drawn)},
	}}
	v, err := s.View()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The formula, computed by hand.
func TestFormula(t *testing.T) {
	// 7H and 8H wait for 6H, which lies face up, and for 9H. 7H and 7S wait for 7C and 7D. KS waits for nothing.
	v := afterStock(t, "AC 2C 3C 4D 4S 4H 7H 8H 7S QD", "KS", "6H")
	half := func(*ginrummy.View) (p ginrummy.Probabilities) {
		for c := range p {
			p[c] = 0.5
		}
		return p
	}
	for name, f := range map[string]players.Formula{
		"none": {Alpha: 0.25}, "half": {Alpha: 0.25, Estimate: half},
	} {
		each := map[string]float64{"none": 1, "half": 1 - 1.0/16}[name]
		all := f.Potentials(&v)
		for text, want := range map[string]struct {
			ways     float64
			deadwood float64
			cards    string
		}{
			"KS": {0, 32, ""}, "8H": {1, 34, "9H"}, "7H": {3, 35, "9H 7C 7D"}, "7S": {2, 35, "7C 7D"}, "4H": {2, 50, "4C"}, "3C": {3, 45, "4C"},
		} {
			got, w := all[set(t, text).First()], want.ways*each
			switch text {
			case "3C": // with 2C: AC, which is held, and 4C; with AC: 2C, which is held
				w = each
			case "4H": // with 4D and 4S each: 4C
				w = 2 * each
			}
			wantV := 0.25*w + 0.75*want.deadwood
			if got.Cards != set(t, want.cards) || math.Abs(got.W-w) > 1e-12 || math.Abs(got.V-wantV) > 1e-12 {
				t.Errorf("%s, %s: w %v v %v cards %s, want %v %v %s", name, text, got.W, got.V, got.Cards, w, wantV, set(t, want.cards))
			}
		}
	}
}

// With alpha 0 the player does what the simple player does, and with alpha 1 it keeps what can become a meld.
func TestOHE(t *testing.T) {
	zero, err := match.ParseKind("ohe:none:0", players.Kinds())
	if err != nil {
		t.Fatal(err)
	}
	play := func(k players.Kind) (out []ginrummy.Action) {
		seats := [2]players.Player{k.New(random.New(1)), players.NewSimple(random.New(2))}
		for number := range uint64(20) {
			d := ginrummy.SeededDeal(7, number, 0)
			if _, _, err := players.PlayRound(t.Context(), &d, [2]int{}, seats, func(s *players.Step) { out = append(out, s.Action) }); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	if diff := cmp.Diff(play(kind(t, "simple")), play(zero)); diff != "" {
		t.Errorf("simple, and ohe with alpha 0\n%s", diff)
	}
	v := afterStock(t, "AC 2C 3C 4D 4S 4H 7H 8H 7S QD", "JD", "6H")
	for name, want := range map[string]string{"ohe": "JD QD", "ohe:1": "AC", "ohe:none:0.5": "JD QD"} {
		k := kind(t, name)
		a, options, err := players.Advise(context.Background(), k.New(random.New(1)), v)
		if err != nil {
			t.Fatal(err)
		}
		if !set(t, want).Has(a.Card) {
			t.Errorf("%s discards %s, want one of %s", name, a.Card, want)
		}
		for _, o := range options {
			if o.Potential == nil {
				t.Errorf("%s: %s has no potential", name, o.Action.Card)
			}
		}
	}
}

// The options of the player.
func TestOHEKind(t *testing.T) {
	kinds := players.Kinds(players.Source{Name: "network", Estimate: ginrummy.Uniform{}.Estimate},
		players.Source{Name: "forest", Missing: "has no forest: set models.gin_forest"})
	for text, want := range map[string]string{
		"ohe": "ohe", "ohe:network": "ohe", "ohe:network:0.1": "ohe", "ohe:0.10": "ohe", "ohe:none": "ohe:none", "ohe:0.2": "ohe:0.2",
		"ohe:uniform:1": "ohe:uniform:1", "ohe:0": "ohe:0",
	} {
		if k, err := match.ParseKind(text, kinds); err != nil || k.Name() != want {
			t.Errorf("%s is %s, %v, want %s", text, k.Name(), err, want)
		}
	}
	for text, want := range map[string]string{
		"ohe:": "ohe:network, ohe:forest, ohe:uniform, ohe:none", "ohe:nonee": "did you mean ohe:none?", "ohe:2": "from 0 to 1",
		"ohe:-1": "ohe:uniform", "ohe:none:x": "from 0 to 1", "ohe:none:0.1234": "at most three digits", "ohe:0.1:none": "from 0 to 1",
		"ohe:none:0.1:2": "from 0 to 1", "ohe:1e-1": "from 0 to 1", "ohe:.": "from 0 to 1", "ohe:forest": "has no forest",
		"simple:1": "one of random",
	} {
		if k, err := match.ParseKind(text, kinds); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is %s, %v, want an error with %s", text, k.Name(), err, want)
		}
	}
}

// The reason names the card that the deadwood alone would discard.
func TestFormulaReason(t *testing.T) {
	plain := afterStock(t, "AC 2C 3C 4D 4S 4H 7H 8H 7S 9D", "KS", "6H")
	pairs := afterStock(t, "AC 2C 3C 4D 4S 4H JH JS 10C 5D", "9D", "6H")
	more := afterStock(t, "AC 2C 3C 4D 4S 4H QH QS 9D 7C", "5S", "6H")
	for _, test := range []struct {
		name string
		view ginrummy.View
		want string
	}{
		{"ohe:none", plain, "KS leaves a deadwood of 31: no discard weighs less. No unseen card makes a meld of it."},
		{"ohe:none", pairs, "Keeps JH: 2 unseen cards make a meld of it (JC, JD), and none of 10C."},
		{"ohe:none:0.5", more, "Keeps QH: 2 unseen cards make a meld of it (QC, QD), and none of 9D. The deadwood is 32, and 31 without QH."},
		{"ohe:none:0", more, "QH leaves a deadwood of 31: no discard weighs less. 2 unseen cards make a meld of it (QC, QD)."},
	} {
		a, options, err := players.Advise(t.Context(), kind(t, test.name).New(random.New(3)), test.view)
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := players.FormulaReason(a, options); !ok || r.Text() != test.want {
			t.Errorf("%s: %v %q, want %q", test.name, ok, r.Text(), test.want)
		}
	}
	if _, ok := players.FormulaReason(ginrummy.Action{Kind: ginrummy.Pass}, nil); ok {
		t.Error("a pass has a reason")
	}
}

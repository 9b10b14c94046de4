package logic_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/logic"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/testkit"
)

// shapesOf returns the worlds of the model that decides a formula, each with the worlds of the whole model that have its shape.
func shapesOf(t *testing.T, m, whole *logic.Model) (shape []int) {
	t.Helper()
	shape = make([]int, len(whole.Worlds()))
	for i, w := range whole.Worlds() {
		at, ok := m.Find(w)
		if !ok {
			t.Fatalf("the world %v has no shape", w)
		}
		shape[i] = at
	}
	return shape
}

// bisimilar fails the test unless the map from worlds to shapes is a bisimulation that keeps the atoms of a formula. Then every formula of
// these atoms, of any depth, with common knowledge and announcements, has the same value in both models.
func bisimilar(t *testing.T, atoms []*logic.Formula, m, whole *logic.Model) {
	t.Helper()
	shape := shapesOf(t, m, whole)
	met := make([]bool, len(m.Worlds()))
	for _, at := range shape {
		met[at] = true
	}
	if slices.Contains(met, false) {
		t.Fatal("a shape without a world")
	}
	for _, atom := range atoms {
		small, large := m.True(atom), whole.True(atom)
		for i, at := range shape {
			if small[at] != large[i] {
				t.Fatalf("%s is %v in a world and %v in its shape", atom, large[i], small[at])
			}
		}
	}
	for _, s := range piquet.Seats() {
		seen := map[piquet.Set]map[int]bool{} // by hand: the shapes that the seat holds possible
		for i, w := range whole.Worlds() {
			if seen[w[s]] == nil {
				seen[w[s]] = map[int]bool{}
			}
			seen[w[s]][shape[i]] = true
		}
		for i, w := range whole.Worlds() {
			count := 0
			for other := range m.Worlds() {
				if m.Same(s, shape[i], other) {
					count++
					if !seen[w[s]][other] {
						t.Fatalf("%s holds the shape %v possible in the shape of %v, and not there", s, m.Worlds()[other], w)
					}
				}
			}
			if count != len(seen[w[s]]) {
				t.Fatalf("%s holds %d shapes possible in %v, and %d in its shape", s, len(seen[w[s]]), w, count)
			}
		}
	}
}

// The model of shapes is bisimilar to the whole model, for random sets of atoms. The shapes are as many as were counted, and together have
// all worlds.
func TestShapesAreBisimilar(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	smaller := 0
	for range testkit.Times(40, 150, 1000, 5000) {
		_, k, whole := smallModel(t, rng, 500)
		var atoms []*logic.Formula
		text := "true"
		for range 1 + rng.IntN(3) {
			atom := formula(t, randomTree(rng, 0, nil, true).String())
			atoms = append(atoms, atom)
			text += " and " + atom.String()
		}
		m := logic.ShapesFor(k, formula(t, text))
		bisimilar(t, atoms, m, whole)
		if len(m.Worlds()) < len(whole.Worlds()) {
			smaller++
		}
	}
	if smaller == 0 {
		t.Error("no model was smaller than the whole one")
	}
}

// operators returns operators of one operand for formulas about the owner of a card.
func operators(c piquet.Card) []string {
	out := []string{"not", "E", "C", "E_NS", "C_EW", "C_NES"}
	for _, s := range piquet.Seats() {
		out = append(out, "K_"+s.String(), "M_"+s.String(), fmt.Sprintf("[!not own(%s,%s)]", s, c))
	}
	return out
}

// chains returns all formulas about the owner of a card with a number of operators before an atom.
func chains(c piquet.Card, depth int) (texts []string) {
	if depth == 0 {
		for _, s := range piquet.Seats() {
			texts = append(texts, fmt.Sprintf("own(%s,%s)", s, c))
		}
		return texts
	}
	for _, inner := range chains(c, depth-1) {
		for _, operator := range operators(c) {
			texts = append(texts, operator+" "+inner)
		}
	}
	return texts
}

// chain draws one of the chains.
func chain(rng *rand.Rand, c piquet.Card, depth int) string {
	text := fmt.Sprintf("own(%s,%s)", piquet.Seat(rng.IntN(4)), c)
	for range depth {
		all := operators(c)
		text = all[rng.IntN(len(all))] + " " + text
	}
	return text
}

// oneCard draws a formula about the owner of a card, with connectives and announcements.
func oneCard(rng *rand.Rand, c piquet.Card, depth int) *tree {
	f := randomTree(rng, depth, nil, true)
	var about func(f *tree)
	about = func(f *tree) {
		if f == nil {
			return
		}
		if f.a == nil && f.op != "true" && f.op != "false" {
			f.op, f.card = "own", c
		}
		about(f.a)
		about(f.b)
	}
	about(f)
	return f
}

// moments calls a function at each moment of some hands that are played at random, with the knowledge of a random seat.
func moments(t *testing.T, rng *rand.Rand, hands int, each func(now klaverjas.Position, k *worlds.Knowledge)) {
	t.Helper()
	for range hands {
		p, played := enginetest.RandomPlay(t, rng, 32)
		start, err := klaverjas.NewPosition(p.Rules(), p.Deal())
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(played) + 1 {
			now, err := start.Replay(played[:n])
			if err != nil {
				t.Fatal(err)
			}
			each(now, enginetest.Knowledge(t, worlds.ViewOf(now, played[:n], piquet.Seat(rng.IntN(4)))))
		}
	}
}

// At any moment of a hand at which the whole model can be made, the model for any one card is bisimilar to it: so all formulas about the
// card, of any depth, have the same value.
func TestOneCardIsBisimilar(t *testing.T) {
	most := testkit.Times[uint64](200, 500, 5000, 5000)
	models, shapes := 0, 0
	moments(t, rand.New(rand.NewPCG(40, 1)), testkit.Times(2, 5, 10, 40), func(_ klaverjas.Position, k *worlds.Knowledge) {
		if k.PublicWorlds() > most {
			return
		}
		whole := logic.NewModel(k)
		for c := range (k.Unseen() | k.Own()).All() {
			var atoms []*logic.Formula
			for _, text := range chains(c, 0) {
				atoms = append(atoms, formula(t, text))
			}
			m := logic.ShapesFor(k, atoms[0])
			bisimilar(t, atoms, m, whole)
			models++
			shapes += len(m.Worlds())
		}
	})
	t.Logf("%d models of one card, of %d worlds in all, are bisimilar to the whole model", models, shapes)
	if models == 0 {
		t.Error("no model")
	}
}

// Formulas about one card with at most three operators before an atom, and random ones with connectives, have an exact answer at any moment
// of a hand. Where the whole model can be made, it is the answer there, for the deal and for each view.
func TestOneCardAtAnyMoment(t *testing.T) {
	rng := rand.New(rand.NewPCG(40, 2))
	agreed, alone, methods := 0, 0, map[logic.Method]int{}
	moments(t, rng, testkit.Times(1, 2, 10, 40), func(now klaverjas.Position, k *worlds.Knowledge) {
		cards := (k.Unseen() | k.Own()).Slice()
		if len(cards) == 0 {
			cards = piquet.Deck.Slice()
		}
		c := cards[rng.IntN(len(cards))]
		texts := slices.Concat(chains(c, 0), chains(c, 1), chains(c, 2))
		for range 100 {
			texts = append(texts, chain(rng, c, 3), oneCard(rng, c, 1+rng.IntN(3)).String())
		}
		rng.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
		var whole *logic.Model
		if k.PublicWorlds() <= 5000 {
			whole = logic.NewModel(k)
		}
		for _, text := range texts[:testkit.Times(20, 60, 100, 300)] {
			f := formula(t, text)
			deal, err := logic.CheckAt(k, f, enginetest.Held(now), logic.MaxSteps)
			seen, seenErr := logic.Check(k, f, logic.MaxSteps)
			if err != nil || seenErr != nil || !deal.Exact || !seen.Exact {
				t.Fatalf("%s after %d cards: %+v, %v, and of the view %+v, %v", f, len(k.View().Played), deal, err, seen, seenErr)
			}
			methods[deal.Method]++
			if whole == nil {
				alone++
				continue
			}
			agreed++
			agrees(t, k, whole, f, enginetest.Held(now), deal, seen)
		}
	})
	t.Logf("%d formulas agree with the whole model, %d have an exact answer without it; methods %v", agreed, alone, methods)
	if agreed == 0 || alone == 0 || methods[logic.ByPublic] == 0 || methods[logic.ByModel] == 0 {
		t.Error("too few of a kind")
	}
}

// agrees fails the test unless the answers for a deal and for a view are the values of a formula in the whole model.
func agrees(t *testing.T, k *worlds.Knowledge, whole *logic.Model, f *logic.Formula, held worlds.World, deal, seen logic.Answer) {
	t.Helper()
	truth := whole.True(f)
	in, of := uint64(0), uint64(0)
	for i, w := range whole.Worlds() {
		if w[k.View().Seat] == k.Own() {
			of++
			if truth[i] {
				in++
			}
		}
	}
	at, _ := whole.Find(held)
	shown, ok := whole.Find(seen.World)
	switch {
	case deal.Value != truth[at]:
		t.Fatalf("%s: %+v in a deal where it is %v", f, deal, truth[at])
	case seen.Value != (in == of), seen.Of != 0 && (seen.True != in || seen.Of != of):
		t.Fatalf("%s: %+v in a view where it is true in %d of %d", f, seen, in, of)
	case !ok, truth[shown] != seen.Value, seen.World[k.View().Seat] != k.Own():
		t.Fatalf("%s: %+v, and the world does not show it", f, seen)
	}
}

// Of formulas with at most three operators at each number of cards played: how many have an exact answer, and how many would have one if
// only the whole model of at most 5000 worlds and the search decided. About one card all have one.
func TestShareOfExactAnswers(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 1))
	for played := 0; played <= 28; played += 4 {
		var all [2]int
		var whole, exact [2]int // of one card, and of any cards
		for range testkit.Times(2, 5, 20, 40) {
			p, cards := enginetest.RandomPlay(t, rng, played)
			k := enginetest.Knowledge(t, worlds.ViewOf(p, cards, piquet.South))
			left := (k.Unseen() | k.Own()).Slice()
			for range 50 {
				one := oneCard(rng, left[rng.IntN(len(left))], 1+rng.IntN(3))
				for i, tree := range []*tree{one, randomTree(rng, 1+rng.IntN(3), nil, true)} {
					f := formula(t, tree.String())
					all[i]++
					if _, _, err := logic.ProveAt(k, f, enginetest.Held(p)); err == nil || k.PublicWorlds() <= 5000 {
						whole[i]++
					}
					if a, err := logic.CheckAt(k, f, enginetest.Held(p), logic.MaxSteps); err == nil && a.Exact {
						exact[i]++
					}
				}
			}
		}
		t.Logf("%2d cards played: of one card %d of %d, formerly %d; of any cards %d of %d, formerly %d",
			played, exact[0], all[0], whole[0], exact[1], all[1], whole[1])
		if exact[0] != all[0] || exact[1] < whole[1] || exact[1] < all[1]*9/10 {
			t.Error("too few exact answers")
		}
	}
}

// What a card on the table makes public is common knowledge at any time.
func TestPublicCards(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	for n := 1; n <= 32; n += testkit.Times(7, 3, 1, 1) {
		p, played := enginetest.RandomPlay(t, rng, n)
		k := enginetest.Knowledge(t, worlds.ViewOf(p, played, piquet.South))
		for i, c := range played {
			for _, s := range piquet.Seats() {
				dealt := p.Deal().Hands[s].Has(c)
				for text, want := range map[string]bool{
					"C own(%s,%s)": dealt, "K_N K_E K_S own(%s,%s)": dealt, "M_W not own(%s,%s)": !dealt, "[!own(%s,%s)] false": !dealt,
				} {
					f := formula(t, fmt.Sprintf(text, s, c))
					a, err := logic.Check(k, f, logic.FewSteps)
					want := logic.Answer{
						Value: want, World: k.World(0), PublicWorlds: k.PublicWorlds(), Method: logic.ByPublic, Exact: true, Of: k.Worlds(),
					}
					if want.Value {
						want.True = want.Of
					}
					if err != nil || a != want {
						t.Fatalf("%s, played as card %d: %+v, %v, want %+v", f, i+1, a, err, want)
					}
				}
			}
		}
	}
}

// projects reports whether every M_S own of a card has in every world of the joint model the value that it has in the model of the card: a
// seat that does not have the card holds every other holder possible.
func projects(t *testing.T, m *logic.Model, c piquet.Card) bool {
	t.Helper()
	var owns [4][]bool
	var holders worlds.SeatSet
	for _, s := range piquet.Seats() {
		owns[s] = m.True(formula(t, fmt.Sprintf("own(%s,%s)", s, c)))
		if slices.Contains(owns[s], true) {
			holders = holders.With(s)
		}
	}
	for _, s := range piquet.Seats() {
		for holder := range holders.Each {
			for i, possible := range m.True(formula(t, fmt.Sprintf("M_%s own(%s,%s)", s, holder, c))) {
				if want := owns[s][i] == (holder == s); possible != want {
					return false
				}
			}
		}
	}
	return true
}

// The model of one card is called exact if nothing but the holders of the card tells what is possible, as before the first card. Then its
// answers are the answers of the joint model.
func TestCheckCard(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 1))
	exact, other := 0, 0
	for range testkit.Times(100, 300, 3000, 20_000) {
		p, v := enginetest.RandomView(t, rng, rng.IntN(32))
		k := enginetest.Knowledge(t, v)
		cards := (k.Unseen() | k.Own()).Slice()
		c := cards[rng.IntN(len(cards))]
		faithful := projects(t, logic.ShapesFor(k, formula(t, fmt.Sprintf("own(S,%s)", c))), c)
		if len(v.Played) == 0 && v.Known == [4]piquet.Set{} && !faithful {
			t.Error("the model of one card is not exact before the first card")
		}
		held := enginetest.Held(p)
		for _, w := range []*worlds.World{nil, &held} {
			f := formula(t, oneCard(rng, c, 1+rng.IntN(3)).String())
			got, err := logic.CheckCard(k, f, w, logic.MaxSteps)
			if err != nil {
				t.Fatal(err)
			}
			want, err := logic.Check(k, f, logic.MaxSteps)
			if w != nil {
				want, err = logic.CheckAt(k, f, *w, logic.MaxSteps)
			}
			for s, hand := range got.World {
				if hand.Len() != held[s].Len() {
					t.Fatalf("%s: the world %v has other numbers of cards", f, got.World)
				}
			}
			switch {
			case err != nil:
				t.Fatal(err)
			case got.Exact && got.Value != want.Value:
				t.Fatalf("%s is %v in the model of the card, which calls itself exact, and not in the joint model: %+v", f, got.Value, v)
			case got.Method == logic.ByPublic:
			case got.Method != logic.ByCard || got.Worlds < 2 || got.Worlds > 4 || got.Exact != faithful:
				t.Fatalf("%s: %+v, want exact %v", f, got, faithful)
			case got.Exact:
				exact++
			default:
				other++
			}
		}
	}
	t.Logf("%d exact, %d not", exact, other)
	if exact == 0 || other == 0 {
		t.Errorf("%d exact, %d not: too few", exact, other)
	}
}

// The model of one card decides only formulas about one card.
func TestCheckCardRefuses(t *testing.T) {
	p, played := enginetest.RandomPlay(t, rand.New(rand.NewPCG(43, 1)), 0)
	k := enginetest.Knowledge(t, worlds.ViewOf(p, played, piquet.South))
	for text, want := range map[string]error{
		"K_N own(S,7C)":                      nil,
		"K_N own(S,7C) or M_N own(W,7C)":     nil,
		"true":                               nil,
		"K_N own(S,7C) or M_N own(W,8C)":     logic.ErrManyCards,
		"void(S,C)":                          logic.ErrManyCards,
		"C (higher(S,7C) implies own(S,7C))": logic.ErrManyCards,
		"K_N (own(S,7C) and false and true)": nil,
	} {
		if _, err := logic.CheckCard(k, formula(t, text), nil, logic.MaxSteps); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", text, err, want)
		}
	}
}

// Beyond the largest model a formula about one card is answered in the model of the card, which is not called exact.
func TestBeyondTheLargestModel(t *testing.T) {
	p, played := enginetest.RandomPlay(t, rand.New(rand.NewPCG(44, 1)), 9)
	k := enginetest.Knowledge(t, worlds.ViewOf(p, played, piquet.South))
	held := enginetest.Held(p)
	c := (k.Unseen() | k.Own()).First()
	f := formula(t, fmt.Sprintf("K_N K_E not own(S,%s)", c))
	for _, w := range []*worlds.World{nil, &held} {
		card, err := logic.CheckCard(k, f, w, logic.MaxSteps)
		if err != nil {
			t.Fatal(err)
		}
		card.Exact = false
		a, err := logic.CheckWithin(k, f, w, 1)
		if err != nil || a != card {
			t.Errorf("%+v, %v, want %+v", a, err, card)
		}
		other := formula(t, fmt.Sprintf("K_N K_E not own(S,%s) and C void(E,H)", c))
		if _, err := logic.CheckWithin(k, other, w, 1); !strings.Contains(fmt.Sprint(err), "needs a model of the") {
			t.Errorf("error %v", err)
		}
	}
}

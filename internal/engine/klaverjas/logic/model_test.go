package logic_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/logic"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// smallModel returns a position with a model of 2 to most worlds, and the knowledge of a seat in it.
func smallModel(tb testing.TB, rng *rand.Rand, most uint64) (klaverjas.Position, *worlds.Knowledge, *logic.Model) {
	tb.Helper()
	for {
		p, v := enginetest.RandomView(tb, rng, 16+rng.IntN(15))
		k := enginetest.Knowledge(tb, v)
		if n := k.PublicWorlds(); n < 2 || n > most {
			continue
		}
		return p, k, logic.NewModel(k)
	}
}

// tree is a formula of the tests, with its meaning by definition.
type tree struct {
	op    string
	seat  piquet.Seat
	group []piquet.Seat
	card  piquet.Card
	suit  piquet.Suit
	a, b  *tree
}

func (f *tree) String() string {
	group := ""
	for i, s := range f.group {
		if i == 0 {
			group = "_"
		}
		group += s.String()
	}
	switch f.op {
	case "own", "higher":
		return fmt.Sprintf("%s(%s,%s)", f.op, f.seat, f.card)
	case "void", "has_suit":
		return fmt.Sprintf("%s(%s,%s)", f.op, f.seat, f.suit)
	case "true", "false":
		return f.op
	case "not":
		return fmt.Sprintf("not (%s)", f.a)
	case "K", "M":
		return fmt.Sprintf("%s_%s (%s)", f.op, f.seat, f.a)
	case "E", "C":
		return fmt.Sprintf("%s%s (%s)", f.op, group, f.a)
	case "!":
		return fmt.Sprintf("[!%s] (%s)", f.a, f.b)
	default:
		return fmt.Sprintf("(%s) %s (%s)", f.a, f.op, f.b)
	}
}

// randomTree draws a formula of a depth. Without nested, what a seat knows is only about the hands and about its own knowledge.
func randomTree(rng *rand.Rand, depth int, agent *piquet.Seat, nested bool) *tree {
	f := &tree{seat: piquet.Seat(rng.IntN(4)), card: piquet.Card(rng.IntN(32)), suit: piquet.Suit(rng.IntN(4))}
	if depth == 0 {
		f.op = []string{"own", "higher", "void", "has_suit", "own", "own", "true", "false"}[rng.IntN(8)]
		return f
	}
	ops := []string{"not", "and", "or", "implies", "K", "M", "E", "C", "!"}
	if !nested {
		if ops = ops[:6]; agent == nil {
			ops = append(ops, "E", "!")
		}
	}
	f.op = ops[rng.IntN(len(ops))]
	below := agent
	switch f.op {
	case "K", "M":
		if agent != nil && !nested {
			f.seat = *agent
		}
		below = &f.seat
	case "E", "C":
		for _, s := range piquet.Seats() {
			if rng.IntN(2) == 0 {
				f.group = append(f.group, s)
			}
		}
		if len(f.group) == 0 {
			f.group = []piquet.Seat{f.seat}
		}
		below = &f.seat
		if !nested { // below E is only what no seat knows
			f.a = randomAtoms(rng, depth-1)
			return f
		}
	case "!":
		if !nested { // below K, an announced formula must not contain the knowledge of another seat
			f.a = randomAtoms(rng, depth-1)
			f.b = randomTree(rng, depth-1, agent, nested)
			return f
		}
	}
	f.a = randomTree(rng, depth-1, below, nested)
	if slices.Contains([]string{"and", "or", "implies", "!"}, f.op) {
		f.b = randomTree(rng, depth-1, below, nested)
	}
	return f
}

// randomAtoms draws a statement about the hands.
func randomAtoms(rng *rand.Rand, depth int) *tree {
	if depth <= 0 {
		return randomTree(rng, 0, nil, true)
	}
	return &tree{op: []string{"and", "or", "implies"}[rng.IntN(3)], a: randomAtoms(rng, depth-1), b: randomAtoms(rng, depth-1)}
}

// naive evaluates formulas by definition: over the worlds that are left, with nothing kept.
type naive struct {
	trump piquet.Suit
	dealt [4]piquet.Set
	all   []worlds.World
}

func (n *naive) true(f *tree, left []int, at int) bool {
	w := n.all[at]
	knows := func(s piquet.Seat) bool {
		for _, i := range left {
			if n.all[i][s] == w[s] && !n.true(f.a, left, i) {
				return false
			}
		}
		return true
	}
	switch f.op {
	case "true":
		return true
	case "false":
		return false
	case "own":
		return (w[f.seat] | n.dealt[f.seat]).Has(f.card)
	case "has_suit":
		return !w[f.seat].InSuit(f.suit).Empty()
	case "void":
		return w[f.seat].InSuit(f.suit).Empty()
	case "higher":
		for c := range w[f.seat].InSuit(f.card.Suit()).All() {
			if klaverjas.Strength(c, n.trump) > klaverjas.Strength(f.card, n.trump) {
				return true
			}
		}
		return false
	case "not":
		return !n.true(f.a, left, at)
	case "and":
		return n.true(f.a, left, at) && n.true(f.b, left, at)
	case "or":
		return n.true(f.a, left, at) || n.true(f.b, left, at)
	case "implies":
		return !n.true(f.a, left, at) || n.true(f.b, left, at)
	case "K":
		return knows(f.seat)
	case "M":
		for _, i := range left {
			if n.all[i][f.seat] == w[f.seat] && n.true(f.a, left, i) {
				return true
			}
		}
		return false
	case "E":
		for _, s := range f.group {
			if !knows(s) {
				return false
			}
		}
		return true
	case "C":
		reached := map[int]bool{at: true}
		for todo := []int{at}; len(todo) > 0; {
			from := todo[0]
			todo = todo[1:]
			if !n.true(f.a, left, from) {
				return false
			}
			for _, i := range left {
				for _, s := range f.group {
					if !reached[i] && n.all[i][s] == n.all[from][s] {
						reached[i] = true
						todo = append(todo, i)
					}
				}
			}
		}
		return true
	default: // an announcement
		if !n.true(f.a, left, at) {
			return true
		}
		var after []int
		for _, i := range left {
			if n.true(f.a, left, i) {
				after = append(after, i)
			}
		}
		return n.true(f.b, after, at)
	}
}

func newNaive(p klaverjas.Position, m *logic.Model) (n *naive, all []int) {
	n = &naive{trump: p.Deal().Trump, all: m.Worlds()}
	for _, s := range piquet.Seats() {
		n.dealt[s] = p.Deal().Hands[s] &^ p.Hand(s)
	}
	for i := range n.all {
		all = append(all, i)
	}
	return n, all
}

// The worlds of the model are those that are possible to all, and what a seat holds possible in the true one are the worlds of its view.
func TestModelHasTheWorldsOfTheViews(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	for range 60 {
		p, k, m := smallModel(t, rng, 1000)
		if uint64(len(m.Worlds())) != k.PublicWorlds() {
			t.Fatalf("%d worlds, want %d", len(m.Worlds()), k.PublicWorlds())
		}
		at, ok := m.Find(enginetest.Held(p))
		if !ok {
			t.Fatalf("the true deal is not in the model of %+v", k.View())
		}
		for _, s := range piquet.Seats() {
			v := k.View()
			v.Seat, v.Hand, v.Known[s] = s, p.Deal().Hands[s], 0
			seen := enginetest.Knowledge(t, v)
			count := uint64(0)
			for i, w := range m.Worlds() {
				if !m.Same(s, at, i) {
					continue
				}
				count++
				if _, ok := seen.Rank(w); !ok {
					t.Fatalf("%s holds %v possible, which is not a world of its view %+v", s, w, v)
				}
			}
			if count != seen.Worlds() {
				t.Fatalf("%s holds %d worlds possible, want %d", s, count, seen.Worlds())
			}
		}
	}
}

// Formulas are true where their definition says, and the world of the answer shows it.
func TestFormulasByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 1))
	trues := 0
	for range 400 {
		p, k, m := smallModel(t, rng, 40)
		n, all := newNaive(p, m)
		tree := randomTree(rng, 1+rng.IntN(4), nil, true)
		f := formula(t, tree.String())
		truth := m.True(f)
		for _, i := range all {
			if want := n.true(tree, all, i); truth[i] != want {
				t.Fatalf("%s in world %d: %v, want %v", f, i, truth[i], want)
			} else if want {
				trues++
			}
		}
		at, _ := m.Find(enginetest.Held(p))
		c, err := logic.CheckAt(k, f, enginetest.Held(p), logic.MaxSteps)
		if err != nil || c.Value != truth[at] || !c.Exact {
			t.Fatalf("%s: %+v, %v, want %v", f, c, err, truth[at])
		}
		seen, err := logic.Check(k, f, logic.MaxSteps)
		if err != nil {
			t.Fatal(err)
		}
		of, in := uint64(0), uint64(0)
		for i, w := range m.Worlds() {
			if w[k.View().Seat] == k.Own() {
				of++
				if truth[i] {
					in++
				}
			}
		}
		shown, _ := m.Find(seen.World)
		if seen.Of != of || seen.True != in || seen.Value != (of == in) || truth[shown] != seen.Value || seen.World[k.View().Seat] != k.Own() {
			t.Fatalf("%s: %+v, want it true in %d of %d", f, seen, in, of)
		}
	}
	if trues == 0 {
		t.Error("no formula was true")
	}
}

// The axioms of S5, of everyone's and of common knowledge, and of announcements hold in every world of every model.
func TestAxioms(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 1))
	for range 150 {
		_, _, m := smallModel(t, rng, 200)
		f, g := randomTree(rng, rng.IntN(4), nil, true).String(), randomTree(rng, rng.IntN(3), nil, true).String()
		for axiom, text := range map[string]string{
			"T":             "(K_S (%[1]s)) implies (%[1]s)",
			"4":             "(K_S (%[1]s)) implies K_S K_S (%[1]s)",
			"5":             "(not K_S (%[1]s)) implies K_S not K_S (%[1]s)",
			"K":             "((K_W (%[1]s)) and K_W ((%[1]s) implies (%[2]s))) implies K_W (%[2]s)",
			"dual":          "((M_E (%[1]s)) implies not K_E not (%[1]s)) and ((not K_E not (%[1]s)) implies M_E (%[1]s))",
			"everyone":      "((E_NS (%[1]s)) implies ((K_N (%[1]s)) and K_S (%[1]s))) and (((K_N (%[1]s)) and K_S (%[1]s)) implies E_NS (%[1]s))",
			"mix":           "(C (%[1]s)) implies ((%[1]s) and E C (%[1]s))",
			"induction":     "((%[1]s) and C ((%[1]s) implies E (%[1]s))) implies C (%[1]s)",
			"atoms":         "[!%[1]s] own(N,7C) implies ((not (%[1]s)) or own(N,7C))",
			"announcement":  "([!%[1]s] K_S (%[2]s)) implies ((not (%[1]s)) or K_S ((%[1]s) implies [!%[1]s] (%[2]s)))",
			"announcement'": "((not (%[1]s)) or K_S ((%[1]s) implies [!%[1]s] (%[2]s))) implies [!%[1]s] K_S (%[2]s)",
		} {
			whole := fmt.Sprintf(text, f, g)
			if len(whole) > logic.MaxFormula {
				continue
			}
			for i, ok := range m.True(formula(t, whole)) {
				if !ok {
					t.Fatalf("axiom %s fails in world %d: %s", axiom, i, whole)
				}
			}
		}
		// An announcement removes exactly the worlds in which the formula is false: afterwards everyone knows statements about the hands.
		atoms := randomAtoms(rng, 2).String()
		for i, ok := range m.True(formula(t, fmt.Sprintf("[!%[1]s] C (%[1]s)", atoms))) {
			if !ok {
				t.Fatalf("after the announcement of %s it is not common knowledge in world %d", atoms, i)
			}
		}
	}
}

// Without the model the answers are the same.
func TestProofsAgreeWithTheModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 1))
	values := map[bool]int{}
	for range 1500 {
		p, k, m := smallModel(t, rng, 200)
		depth := 1 + rng.IntN(3)
		f := formula(t, randomTree(rng, depth, nil, false).String())
		truth := m.True(f)
		at, _ := m.Find(enginetest.Held(p))
		value, _, err := logic.ProveAt(k, f, enginetest.Held(p))
		if err != nil || value != truth[at] {
			t.Fatalf("%s: %v, %v, want %v", f, value, err, truth[at])
		}
		values[value]++
		seat := k.View().Seat
		f = formula(t, randomTree(rng, depth, &seat, false).String())
		want, err := logic.Check(k, f, logic.MaxSteps)
		if err != nil {
			t.Fatal(err)
		}
		value, shown, err := logic.Prove(k, f)
		if err != nil || value != want.Value {
			t.Fatalf("%s: %v, %v, want %v", f, value, err, want.Value)
		}
		if i, ok := m.Find(shown); !ok || m.True(f)[i] != value || shown[seat] != k.Own() {
			t.Fatalf("%s: %v, and the world does not show it", f, value)
		}
		values[value]++
	}
	if values[true] < 100 || values[false] < 100 {
		t.Errorf("values %v: too few of one", values)
	}
}

// Before the first card there are too many worlds for the whole model. Those that a formula about few cards can tell apart are few; a
// formula that tells all suits apart, and speaks of the knowledge of several seats, is refused with the numbers.
func TestTooManyWorlds(t *testing.T) {
	p, played := enginetest.RandomPlay(t, rand.New(rand.NewPCG(25, 1)), 0)
	k := enginetest.Knowledge(t, worlds.ViewOf(p, played, piquet.South))
	if got, want := k.PublicWorlds(), uint64(99561092450391000); got != want {
		t.Errorf("%d public worlds, want %d", got, want)
	}
	const suits = "has_suit(N,C) or has_suit(E,D) or has_suit(W,H) or has_suit(N,S)"
	for text, want := range map[string]logic.Answer{
		"K_S true":                             {Value: true, Method: logic.ByPublic},
		"K_S K_W true":                         {Value: true, Method: logic.ByPublic},
		"[!true] C true":                       {Value: true, Method: logic.ByPublic},
		"M_S void(E,H)":                        {Value: true, Method: logic.ByModel, Worlds: 165},
		"K_S (void(E,H) or M_S has_suit(E,H))": {Value: true, Method: logic.ByModel, Worlds: 165},
		"[!void(E,H)] C void(E,H)":             {Value: true, Method: logic.ByModel, Worlds: 165},
		"K_W true implies C own(N,7C)":         {Method: logic.ByModel, Worlds: 4},
		"not C (" + suits + ")":                {},
		"M_S not (" + suits + ")":              {Value: true, Method: logic.ByProof},
	} {
		c, err := logic.Check(k, formula(t, text), logic.MaxSteps)
		if want == (logic.Answer{}) {
			many, ok := errors.AsType[*logic.TooManyWorlds](err)
			if !ok || *many != (logic.TooManyWorlds{Worlds: 99561092450391000, Shapes: 981541, Why: "common knowledge"}) {
				t.Errorf("%s: %+v, %v", text, c, err)
			}
			continue
		}
		if err != nil || c.Value != want.Value || c.Method != want.Method || c.Worlds != want.Worlds || !c.Exact {
			t.Errorf("%s: %+v, %v", text, c, err)
		}
	}
	// In the deal itself the hands of all seats are known.
	for _, s := range piquet.Seats() {
		for c := range p.Deal().Hands[s].All() {
			text := fmt.Sprintf("K_%[1]s own(%[1]s,%[2]s) and not K_%[3]s own(%[1]s,%[2]s)", s, c, s.Next())
			if c, err := logic.CheckAt(k, formula(t, text), enginetest.Held(p), logic.MaxSteps); err != nil || !c.Value || !c.Exact {
				t.Errorf("%s: %+v, %v", text, c, err)
			}
		}
	}
}

// A formula that needs too many steps is refused and does not run on.
func TestTooComplex(t *testing.T) {
	p, played := enginetest.RandomPlay(t, rand.New(rand.NewPCG(26, 1)), 0)
	k := enginetest.Knowledge(t, worlds.ViewOf(p, played, piquet.South))
	text := "true"
	for len(text) < 900 {
		text = "[!" + "has_suit(N,C)" + "] (" + text + " and has_suit(E,H))"
	}
	text = "K_S not (" + text + ")"
	if _, err := logic.Check(k, formula(t, text), logic.MaxSteps); err != nil && !errors.Is(err, logic.ErrTooComplex) {
		t.Error(err)
	}
	hard := "own(N,7C)"
	for _, s := range []string{"N", "E", "W"} {
		for _, suit := range []string{"C", "D", "H", "S"} {
			hard += fmt.Sprintf(" and has_suit(%s,%s)", s, suit)
		}
	}
	for _, c := range []string{"7C", "8C", "9C", "10C", "7D", "8D", "9D", "10D"} {
		hard += fmt.Sprintf(" and (own(N,%[1]s) or own(E,%[1]s) or own(W,%[1]s) or own(S,%[1]s))", c)
	}
	if _, err := logic.Check(k, formula(t, "M_S ("+hard+" and false)"), logic.MaxSteps); err != nil && !errors.Is(err, logic.ErrTooComplex) {
		t.Error(err)
	}
}

// A formula with common knowledge in a model of some hundred worlds, with the model.
func BenchmarkCheck(b *testing.B) {
	rng := rand.New(rand.NewPCG(27, 1))
	var k *worlds.Knowledge
	for k == nil || k.PublicWorlds() < 300 {
		_, k, _ = smallModel(b, rng, 600)
	}
	f := formula(b, "[!K_S void(E,H) or true] C (has_suit(N,C) implies M_W own(N,AC))")
	for b.Loop() {
		if _, err := logic.Check(k, f, logic.MaxSteps); err != nil {
			b.Fatal(err)
		}
	}
}

package tricks_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roem/internal/engine/cause"
	"roem/internal/engine/cause/tricks"
)

// The cards of the tests have a suit and points, such as p3: of a plain suit p, or of the trump t. The seats are W, X, Y and Z; W and Y
// play together, and W is the player.
type card uint8

var deck = strings.Fields("p0 p1 p2 p3 p4 p5 p9 q0 q1 q2 q3 q5 q9 t0 t1 t2 t3 t4 t5 t9")

func cardOf(t *testing.T, name string) card {
	t.Helper()
	i := slices.Index(deck, name)
	if i < 0 {
		t.Fatalf("%s is no card", name)
	}
	return card(i)
}

func points(c card) int { return int(deck[c][1] - '0') }

func trump(c card) bool { return deck[c][0] == 't' }

// lineOf reads tricks such as "WXYZ p3 p0* p1 p2": the seats in the order of play, and the cards, of which * takes the trick.
func lineOf(t *testing.T, texts ...string) (out []tricks.Trick[card, byte]) {
	t.Helper()
	for i, text := range texts {
		words := strings.Fields(text)
		one := tricks.Trick[card, byte]{Number: i + 5, Seats: []byte(words[0]), Last: i == len(texts)-1}
		for k, name := range words[1:] {
			name, takes := strings.CutSuffix(name, "*")
			if takes {
				one.At = k
			}
			one.Cards = append(one.Cards, cardOf(t, name))
		}
		one.Ours = one.Seat() == 'W' || one.Seat() == 'Y'
		one.Ruffed = !trump(one.Cards[0]) && trump(one.By())
		out = append(out, one)
	}
	return out
}

// compared returns what is true of two lines in which W plays the first of its cards.
func compared(t *testing.T, bad, good []string, own string, change func(l *tricks.Lines[card, byte])) *tricks.Causes[card, byte] {
	t.Helper()
	partner := byte('Y')
	of := func(line []tricks.Trick[card, byte]) card { return line[0].Cards[slices.Index(line[0].Seats, 'W')] }
	l := tricks.Lines[card, byte]{
		Bad: lineOf(t, bad...), Good: lineOf(t, good...), Partner: &partner, High: 3, Points: points, Worth: points, WorthOfLast: 10,
		Trump: trump,
		Own:   func(c card) bool { return slices.Contains(strings.Fields(own), deck[c]) },
	}
	l.Card, l.Better, l.Leads = of(l.Bad), of(l.Good), bad[0][0] == 'W'
	if change != nil {
		change(&l)
	}
	return tricks.Compare(l)
}

// Each cause has a position, made by hand, in which it is true, with what it explains there and where it shows.
func TestCauses(t *testing.T) {
	for _, test := range []struct {
		kind         tricks.Kind
		bad, good    []string
		own          string
		change       func(l *tricks.Lines[card, byte])
		trick, worth int
		what         string // the card that it is about, its points, and the points of the other card
	}{
		{
			kind: tricks.NotGood, own: "p9 p0 p1 p2", bad: []string{"WX p5 p9*", "XW p1 p0*"}, good: []string{"WX p0 p9*", "XW p1 p5*"},
			trick: 5, worth: 5, what: "p5 5 0",
		},
		{
			kind: tricks.Ruff, bad: []string{"WX p5 t0*", "XW p1 q9*"}, good: []string{"WX q9* q0", "WX p5* p1"},
			trick: 5, worth: 5, what: " 0 0",
		},
		{
			kind: tricks.PartnerTrump, own: "t9 t4 p5 q1", bad: []string{"WXYZ t9* q0 t4 q2", "WXYZ p5 p9* q1 p1"},
			good: []string{"WXYZ p5 p9* q1 p1", "XYZW p3 t4* p2 t9"}, trick: 5, worth: 15, what: "t4 4 0",
		},
		{
			kind: tricks.Points, bad: []string{"XW p9* p5", "XW q1 q3*"}, good: []string{"XW p9* p0", "XW q1 p5*"},
			trick: 5, worth: 5, what: "p5 5 0",
		},
		{
			kind: tricks.BringHome, bad: []string{"XYZW p1 p9* p2 p0", "XYZW p3* q0 q1 p5"},
			good:  []string{"XYZW p1 p9* p2 p5", "XYZW p3* q0 q1 p0"},
			trick: 5, worth: 5, what: " 5 0",
		},
		{
			kind: tricks.TrickLost, bad: []string{"XW p3* p0", "XW q1* p9"}, good: []string{"XW p3 p9*", "WX p0 q1*"},
			trick: 5, worth: 3, what: " 0 0",
		},
		{
			kind: tricks.LastTrump, bad: []string{"XW p3* t0", "XW q5* q1"}, good: []string{"XW p3* q1", "XW q3 t0*"},
			change: func(l *tricks.Lines[card, byte]) { l.LastTrump = true }, trick: 6, worth: 13, what: " 0 0",
		},
		{
			kind: tricks.Spent, bad: []string{"XW q3* p9", "XW p5* p1"}, good: []string{"XW q3* p1", "XW p5 p9*"},
			trick: 6, worth: 24, what: " 0 0",
		},
		{
			kind: tricks.LastTrick, bad: []string{"XW q3* p9", "XW p5* p1"}, good: []string{"XW q3* p1", "XW p5 p9*"},
			trick: 6, worth: 15, what: " 0 0",
		},
		{
			kind: tricks.Tempo, bad: []string{"XW p3* p0", "XW p5* p9", "WX q9* q0"}, good: []string{"XW p3 p9*", "WX q9* p5", "WX p0* q0"},
			trick: 6, worth: 17, what: " 0 0",
		},
		{
			kind: tricks.Tricks, bad: []string{"XW p3* p0", "XW p5* p9", "WX q9* q0"}, good: []string{"XW p3* p9", "WX q9* p5", "WX p0* q0"},
			trick: 6, worth: 5, what: " 0 0",
		},
		{
			kind: tricks.Cards, bad: []string{"XW p3* p0", "XW p5* p9", "WX q9* q0"}, good: []string{"XW p3* p9", "WX q9* p5", "WX p0* q0"},
			trick: 6, worth: 5, what: "p5 5 0",
		},
	} {
		name := fmt.Sprint(test.kind)
		f := compared(t, test.bad, test.good, test.own, test.change)
		one := f.Found[test.kind]
		if !one.Holds {
			t.Errorf("%s is not found", name)
			continue
		}
		about := ""
		if one.HasCard {
			about = deck[one.Card]
		}
		got := fmt.Sprintf("%d %d: %s %d %d", one.Trick.Number, one.Worth, about, one.Points, one.Less)
		if want := fmt.Sprintf("%d %d: %s", test.trick, test.worth, test.what); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		// Nothing is lost between a line and itself.
		same := compared(t, test.good, test.good, test.own, test.change)
		for k := range same.Found {
			if same.Found[k].Worth != 0 {
				t.Errorf("%s: %d is worth %d in equal lines", name, k, same.Found[k].Worth)
			}
		}
	}
}

// Over several deals, the reason that explains most is chosen, and shown in the deal that was played if it holds there.
func TestExplain(t *testing.T) {
	fact := func(k tricks.Kind, n cause.Nearness, worth, trick int) tricks.Fact[card, byte] {
		return tricks.Fact[card, byte]{Reason: tricks.Reason[card, byte]{Kind: k, Trick: trick}, Nearness: n, Worth: worth}
	}
	world := func(cost int, facts ...tricks.Fact[card, byte]) tricks.World[card, byte] {
		return tricks.World[card, byte]{Cost: cost, Decides: cost > 20, Facts: facts}
	}
	near, far := fact(tricks.Points, cause.Near, 10, 2), fact(tricks.Cards, cause.Whole, 5, 4)
	e, ok := tricks.Explain([]tricks.World[card, byte]{world(12, near), world(12, near, far), world(30, near), world(6, far)})
	if !ok || e.Kind != tricks.Points || e.Example != 0 || e.Worlds != 3 || e.Applies != 2 || e.Decides != 1 || e.Share != 20./48 {
		t.Errorf("%+v, %v", e, ok)
	}
	other := fact(tricks.Cards, cause.Whole, 5, 6)
	e, ok = tricks.Explain([]tricks.World[card, byte]{world(-3, near), world(6, far), world(9, other), world(6, far)})
	if !ok || e.Kind != tricks.Cards || e.Example != 1 || e.Trick != 4 {
		t.Errorf("%+v, %v", e, ok)
	}
	if _, ok := tricks.Explain([]tricks.World[card, byte]{world(5), world(5), world(5)}); ok {
		t.Error("a reason without a cause")
	}
}

package worlds

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/belote"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// oneSuit is a deal of hearts.
func oneSuit(t *testing.T) belote.Deal {
	t.Helper()
	d := belote.Deal{Deck: belote.Deck(piquet.Hearts), Trump: belote.TrumpOf(piquet.Hearts), Threshold: 35}
	for i, text := range []string{"QH", "7H", "KH", "AH", "10H", "8H", "JH", "9H"} {
		c, err := piquet.ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		s := &d.Stacks[i/4][i/2%2]
		if i%2 == 0 {
			s.Top = c
		} else {
			s.Bottom = c
		}
	}
	return d
}

func list(t *testing.T, texts ...string) (out []piquet.Card) {
	t.Helper()
	for _, text := range texts {
		c, err := piquet.ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

var all = Unknown{{true, true}, {true, true}}

func TestErrors(t *testing.T) {
	twice := oneSuit(t)
	twice.Stacks[1][0].Top = twice.Stacks[0][0].Top
	for name, tt := range map[string]struct {
		deal    belote.Deal
		unknown Unknown
		played  []string
		flip    Flip
		want    []string
	}{
		"turned":              {oneSuit(t), all, []string{"KH", "JH"}, AfterTrick, []string{"/stacks/A/1/1", "/stacks/B/1/1"}},
		"turned at once":      {oneSuit(t), all, []string{"KH"}, Immediate, []string{"/stacks/A/1/1"}},
		"face down":           {oneSuit(t), all, []string{"9H"}, AfterTrick, []string{"/played/0"}},
		"a card twice":        {twice, all, nil, AfterTrick, []string{"/stacks/B/0/0"}},
		"covered":             {oneSuit(t), Unknown{}, []string{"AH"}, AfterTrick, []string{"/played/0"}},
		"of the other player": {oneSuit(t), all, []string{"JH"}, AfterTrick, []string{"/played/0"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(tt.deal, tt.unknown, list(t, tt.played...), tt.flip)
			var bad belote.Violations
			if !errors.As(err, &bad) {
				t.Fatalf("error %v", err)
			}
			var got []string
			for _, v := range bad {
				got = append(got, v.Pointer)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s\n%v", diff, err)
			}
		})
	}
}

// The card below the one that was led is turned after the trick. A card below that is given is known, turned or not.
func TestView(t *testing.T) {
	v, err := New(oneSuit(t), Unknown{{true, true}, {true, false}}, list(t, "KH"), AfterTrick)
	if err != nil {
		t.Fatal(err)
	}
	now := v.Now()
	if v.Hidden() != 3 || v.Left() != 7 || v.Worlds() != 6 || v.Unseen() != piquet.SetOf(list(t, "7H", "8H", "AH")...) ||
		v.Covers() != piquet.SetOf(list(t, "QH", "KH", "10H")...) || now.Turn() != belote.B {
		t.Errorf("%d hidden, %d left, %d worlds, unseen %v, covers %v, %v to play", v.Hidden(), v.Left(), v.Worlds(), v.Unseen(), v.Covers(),
			now.Turn())
	}
}

// Different numbers give different worlds, each of which has what is known; drawing reaches each about equally often.
func TestWorlds(t *testing.T) {
	v, err := New(oneSuit(t), all, list(t, "KH"), AfterTrick)
	if err != nil {
		t.Fatal(err)
	}
	count := map[belote.Deal]int{}
	for i := range v.Worlds() {
		p := v.World(i)
		d := p.Deal()
		count[d] = 0
		for _, player := range belote.Players() {
			for j, s := range d.Of(player) {
				if s.Top != oneSuit(t).Stacks[player][j].Top {
					t.Fatalf("world %d: %v is open", i, s.Top)
				}
			}
		}
	}
	if len(count) != 24 {
		t.Fatalf("%d different worlds, want 24", len(count))
	}
	rng := random.New(1)
	const draws = 24_000
	for range draws {
		p := v.Draw(rng)
		if _, ok := count[p.Deal()]; !ok {
			t.Fatal("a world without a number")
		}
		count[p.Deal()]++
	}
	square := 0.0
	for _, n := range count {
		square += float64((n - draws/24) * (n - draws/24))
	}
	if chi := square / (draws / 24); chi > 50 { // 23 degrees of freedom: 49.7 is exceeded once in a thousand times
		t.Errorf("chi-square %v", chi)
	}
}

// A view taken from a position shows nothing that has not been turned.
func TestOf(t *testing.T) {
	p, err := belote.NewPosition(oneSuit(t))
	if err != nil {
		t.Fatal(err)
	}
	var played []piquet.Card
	for _, c := range list(t, "KH", "JH", "10H") {
		if p, err = p.Play(c); err != nil {
			t.Fatal(err)
		}
		played = append(played, c)
		for flip, hiddenAfter := range map[Flip][]int{AfterTrick: {4, 2, 2}, Immediate: {3, 2, 1}} {
			v, err := Of(&p, played, flip)
			if err != nil {
				t.Fatal(err)
			}
			if got := v.Hidden(); got != hiddenAfter[len(played)-1] {
				t.Errorf("after %v with flip %d: %d hidden", played, flip, got)
			}
		}
	}
}

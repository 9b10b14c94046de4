package piquet

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCardsAreSuitAndFace(t *testing.T) {
	seen := map[Card]bool{}
	for s, suit := range Suits() {
		for f, face := range Faces() {
			c := Of(suit, face)
			if c != Card(8*s+f) || c.Suit() != suit || c.Face() != face {
				t.Errorf("Of(%v, %v) = %d of suit %v and face %v", suit, face, c, c.Suit(), c.Face())
			}
			seen[c] = true
		}
	}
	if len(seen) != 32 {
		t.Errorf("%d different cards", len(seen))
	}
}

func TestSeatsAndTeams(t *testing.T) {
	type place struct {
		Next, Partner Seat
		Team          Team
	}
	want := map[Seat]place{
		North: {East, South, NorthSouth},
		East:  {South, West, EastWest},
		South: {West, North, NorthSouth},
		West:  {North, East, EastWest},
	}
	got := map[Seat]place{}
	for _, s := range Seats() {
		got[s] = place{s.Next(), s.Partner(), s.Team()}
		for n := -5; n <= 5; n++ {
			at := s
			for range (n + 8) % 4 {
				at = at.Next()
			}
			if s.Plus(n) != at {
				t.Errorf("%v.Plus(%d) = %v, want %v", s, n, s.Plus(n), at)
			}
			if n >= 0 && at.Minus(s) != n%4 {
				t.Errorf("%v.Minus(%v) = %d, want %d", at, s, at.Minus(s), n%4)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, team := range Teams() {
		if team.Opponents() == team || team.Opponents().Opponents() != team {
			t.Errorf("%v has the opponents %v", team, team.Opponents())
		}
	}
}

// Set behaves like a map.
func TestSetIsASet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		var s Set
		model := map[Card]bool{}
		for range rng.IntN(60) {
			c := Card(rng.IntN(32))
			if rng.IntN(3) == 0 {
				s = s.Without(c)
				delete(model, c)
			} else {
				s = s.With(c)
				model[c] = true
			}
		}
		var want []Card
		for c := range Card(32) {
			if s.Has(c) != model[c] {
				t.Fatalf("%v.Has(%v) = %v", s, c, s.Has(c))
			}
			if model[c] {
				want = append(want, c)
			}
		}
		if s.Len() != len(want) || s.Empty() != (len(want) == 0) {
			t.Fatalf("%v: Len %d, Empty %v, want %d cards", s, s.Len(), s.Empty(), len(want))
		}
		if got := s.Slice(); !slices.Equal(got, want) {
			t.Fatalf("Slice() = %v, want %v", got, want)
		}
		if got := slices.Collect(s.All()); !slices.Equal(got, want) {
			t.Fatalf("All() yields %v, want %v", got, want)
		}
		if len(want) > 0 && s.First() != want[0] {
			t.Fatalf("First() = %v, want %v", s.First(), want[0])
		}
		if SetOf(want...) != s {
			t.Fatalf("SetOf(%v) = %v", want, SetOf(want...))
		}
		var together Set
		for _, suit := range Suits() {
			part := s.InSuit(suit)
			together |= part
			for c := range part.All() {
				if c.Suit() != suit {
					t.Fatalf("InSuit(%v) holds %v", suit, c)
				}
			}
			if faces := s.Faces(suit); bits.OnesCount8(faces) != part.Len() {
				t.Fatalf("Faces(%v) = %08b of %v", suit, faces, part)
			}
			for _, face := range Faces() {
				if s.Faces(suit)>>face&1 == 1 != s.Has(Of(suit, face)) {
					t.Fatalf("Faces(%v) = %08b of %v", suit, s.Faces(suit), part)
				}
			}
		}
		if together != s {
			t.Fatalf("the union of the suits of %v is %v", s, together)
		}
	}
}

func TestSetAllStops(t *testing.T) {
	n := 0
	for range Deck.All() {
		if n++; n == 5 {
			break
		}
	}
	if n != 5 || Deck.Len() != 32 {
		t.Errorf("%d cards before the break, a deck has %d", n, Deck.Len())
	}
}

func TestSetDoesNotAllocate(t *testing.T) {
	s := SetOf(3, 9, 31)
	sum := 0
	if n := testing.AllocsPerRun(100, func() {
		for c := range s.With(4).Without(9).All() {
			sum += int(c)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

package index

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// many returns a number of repetitions for an ordinary run and a smaller one for -short.
func many(t *testing.T, n int) int {
	t.Helper()
	if testing.Short() {
		return n / 50
	}
	return n
}

func TestRankUnrankEdges(t *testing.T) {
	// Index 0 gives every hand the lowest possible cards, the last index the highest.
	tests := []struct {
		name  string
		index uint64
		hands [4]piquet.Set
	}{
		{"first", 0, [4]piquet.Set{0x000000ff, 0x0000ff00, 0x00ff0000, 0xff000000}},
		{"last", Deals - 1, [4]piquet.Set{0xff000000, 0x00ff0000, 0x0000ff00, 0x000000ff}},
		// C(8,8) = 1: the first hand has the 8 highest of the nine lowest cards.
		{"second first hand", 735_471 * 12_870, [4]piquet.Set{0x0000017f, 0x0000fe80, 0x00ff0000, 0xff000000}},
		{"second third hand", 1, [4]piquet.Set{0x000000ff, 0x0000ff00, 0x017f0000, 0xfe800000}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hands, err := Unrank(tt.index, piquet.Clubs, piquet.North)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.hands, hands); diff != "" {
				t.Errorf("Unrank(%d) (-want +got):\n%s", tt.index, diff)
			}
			if got := Rank(klaverjas.Deal{Trump: piquet.Clubs, Leader: piquet.North, Hands: tt.hands}); got != tt.index {
				t.Errorf("Rank = %d, want %d", got, tt.index)
			}
		})
	}
}

func TestUnrankOutOfRange(t *testing.T) {
	for _, index := range []uint64{Deals, Deals + 1, math.MaxUint64} {
		_, err := Unrank(index, piquet.Spades, piquet.West)
		var out *Error
		if !errors.As(err, &out) {
			t.Fatalf("Unrank(%d) error = %v, want an *Error", index, err)
		}
		if diff := cmp.Diff(Error{Index: index, Count: Deals}, *out); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	_, err := Unrank(Deals, piquet.Clubs, piquet.North)
	if want := "index 99561092450391000 is out of range: expected 0 to 99561092450390999"; err.Error() != want {
		t.Errorf("Error() = %q, want %q", err, want)
	}
}

func TestRankUnrankAreInverse(t *testing.T) {
	rng := NewRand(1)
	for range many(t, 1_000_000) {
		index, trump, leader := random.Below(rng, Deals), piquet.Suit(random.Below(rng, 4)), piquet.Seat(random.Below(rng, 4))
		hands, err := Unrank(index, trump, leader)
		if err != nil {
			t.Fatal(err)
		}
		d := klaverjas.Deal{Trump: trump, Leader: leader, Hands: hands}
		if got := Rank(d); got != index {
			t.Fatalf("trump %v, leader %v: Rank(Unrank(%d)) = %d", trump, leader, index, got)
		}
		checkHands(t, hands)
	}
}

// checkHands fails the test unless four hands of eight hold each card once.
func checkHands(t *testing.T, hands [4]piquet.Set) {
	t.Helper()
	for _, h := range hands {
		if h.Len() != 8 {
			t.Fatalf("hands %v: a hand has %d cards", hands, h.Len())
		}
	}
	if hands[0]|hands[1]|hands[2]|hands[3] != piquet.Deck {
		t.Fatalf("hands %v: not all cards are dealt", hands)
	}
}

// The deals of a small part of the deck have consecutive ranks, in the order of the definition.
func TestSubsetsCountWithoutGaps(t *testing.T) {
	const within = 0b1011_0110_1101 // eight elements
	for k := range 9 {
		n := choose[8][k]
		seen := map[uint32]bool{}
		for r := range n {
			s := unrankSubset(r, within, k)
			if s&^within != 0 || seen[s] {
				t.Fatalf("k=%d r=%d: %b is outside or a repetition", k, r, s)
			}
			seen[s] = true
			if got := rankSubset(s, within); got != r {
				t.Errorf("k=%d: rank of %b = %d, want %d", k, s, got, r)
			}
		}
	}
}

func TestCanonicalIsTheSameForAllTwins(t *testing.T) {
	rng := NewRand(2)
	for range many(t, 5_000) {
		d := klaverjas.Deal{
			Trump: piquet.Suit(random.Below(rng, 4)), Leader: piquet.Seat(random.Below(rng, 4)), Declarer: piquet.Team(random.Below(rng, 2)),
		}
		d.Hands = Random(rng, d.Trump, d.Leader)
		index, re := Canonical(d)
		twin := re.Deal(d)

		if twin.Trump != piquet.Clubs || twin.Leader != piquet.North {
			t.Fatalf("canonical twin has trump %v and leader %v", twin.Trump, twin.Leader)
		}
		if (d.Leader.Team() == d.Declarer) != (twin.Leader.Team() == twin.Declarer) {
			t.Fatalf("deal %v: the leader declares in only one of deal and twin", d)
		}
		if got := Rank(twin); got != index {
			t.Fatalf("deal %v: canonical twin has index %d, want the canonical index %d", d, got, index)
		}
		if diff := cmp.Diff(d, re.Inverse().Deal(twin)); diff != "" {
			t.Fatalf("relabelled and back (-want +got):\n%s", diff)
		}

		// Without Relabelling: rename suits and rotate seats card by card, in all 4! x 4 ways.
		least := uint64(math.MaxUint64)
		for _, suits := range permutations([]piquet.Suit{0, 1, 2, 3}) {
			for turn := range 4 {
				other := klaverjas.Deal{Trump: suits[d.Trump], Leader: d.Leader.Plus(turn)}
				for _, seat := range piquet.Seats() {
					for c := range d.Hands[seat].All() {
						to := seat.Plus(turn)
						other.Hands[to] = other.Hands[to].With(piquet.Of(suits[c.Suit()], c.Face()))
					}
				}
				if got, _ := Canonical(other); got != index {
					t.Fatalf("suits %v, turn %d: canonical index %d, want %d", suits, turn, got, index)
				}
				least = min(least, Rank(other))
			}
		}
		if least != index {
			t.Fatalf("least index over all relabellings %d, canonical index %d", least, index)
		}
	}
}

func permutations(of []piquet.Suit) [][]piquet.Suit {
	if len(of) == 0 {
		return [][]piquet.Suit{nil}
	}
	var out [][]piquet.Suit
	for i, first := range of {
		rest := append(append([]piquet.Suit{}, of[:i]...), of[i+1:]...)
		for _, tail := range permutations(rest) {
			out = append(out, append([]piquet.Suit{first}, tail...))
		}
	}
	return out
}

func TestRelabelling(t *testing.T) {
	rng := NewRand(3)
	for range many(t, 10_000) {
		d := klaverjas.Deal{Trump: piquet.Suit(random.Below(rng, 4)), Leader: piquet.Seat(random.Below(rng, 4))}
		d.Hands = Random(rng, d.Trump, d.Leader)
		_, re := Canonical(d)
		back := re.Inverse()

		var mapped piquet.Set
		for c := range piquet.Deck.All() {
			to := re.Card(c)
			mapped = mapped.With(to)
			if to.Face() != c.Face() || to.Suit() != re.Suit(c.Suit()) || back.Card(to) != c {
				t.Fatalf("%v: card %v goes to %v and comes back as %v", re, c, to, back.Card(to))
			}
			if got := re.Set(piquet.SetOf(c)); got != piquet.SetOf(to) {
				t.Fatalf("%v: set of %v goes to %v", re, c, got)
			}
		}
		if mapped != piquet.Deck {
			t.Fatalf("%v: cards go to %v", re, mapped)
		}
		for _, s := range piquet.Seats() {
			to := re.Seat(s)
			if back.Seat(to) != s || re.Seat(s.Next()) != to.Next() || re.Team(s.Team()) != to.Team() || back.Team(to.Team()) != s.Team() {
				t.Fatalf("%v: seat %v goes to %v", re, s, to)
			}
		}
		if back.Inverse() != re {
			t.Fatalf("%v: inverse of the inverse is %v", re, back.Inverse())
		}
	}
}

// vector is a line of testdata/vectors: a position, with or without expected results.
type vector struct {
	Position *vectorPosition `json:"position"`
	Expect   struct {
		Index          string `json:"index"`
		CanonicalIndex string `json:"canonical_index"`
	} `json:"expect"`
	vectorPosition
}

type vectorPosition struct {
	Trump    string              `json:"trump"`
	Leader   string              `json:"leader"`
	Declarer string              `json:"declarer"`
	Hands    map[string][]string `json:"hands"`
}

func (p vectorPosition) deal(t *testing.T) klaverjas.Deal {
	t.Helper()
	var d klaverjas.Deal
	var err error
	if d.Trump, err = piquet.ParseSuit(p.Trump); err != nil {
		t.Fatal(err)
	}
	if d.Leader, err = piquet.ParseSeat(p.Leader); err != nil {
		t.Fatal(err)
	}
	if d.Declarer, err = piquet.ParseTeam(p.Declarer); err != nil {
		t.Fatal(err)
	}
	for name, texts := range p.Hands {
		seat, err := piquet.ParseSeat(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			c, err := piquet.ParseCard(text)
			if err != nil {
				t.Fatal(err)
			}
			d.Hands[seat] = d.Hands[seat].With(c)
		}
	}
	return d
}

func TestVectors(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/vectors/*-*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v, %v", files, err)
	}
	checked := 0
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range bytes.Lines(content) {
			n++
			var v vector
			if err := json.Unmarshal(line, &v); err != nil {
				t.Fatalf("%s:%d: %v", file, n, err)
			}
			if v.Position == nil { // a position without results
				d := v.deal(t)
				checkHands(t, d.Hands)
				hands, err := Unrank(Rank(d), d.Trump, d.Leader)
				if err != nil || hands != d.Hands {
					t.Errorf("%s:%d: unranked to %v, %v", file, n, hands, err)
				}
				continue
			}
			d := v.Position.deal(t)
			if got := strconv.FormatUint(Rank(d), 10); got != v.Expect.Index {
				t.Errorf("%s:%d: index %s, want %s", file, n, got, v.Expect.Index)
			}
			index, _ := Canonical(d)
			if got := strconv.FormatUint(index, 10); got != v.Expect.CanonicalIndex {
				t.Errorf("%s:%d: canonical index %s, want %s", file, n, got, v.Expect.CanonicalIndex)
			}
			checked++
		}
	}
	if checked != 730 {
		t.Errorf("%d vectors with an index, want 730", checked)
	}
}

// The rank of an invalid deal is wrong, but computing it does not fail.
func TestRankOfImpossibleDeals(t *testing.T) {
	for _, d := range []klaverjas.Deal{
		{},
		{Trump: 200, Leader: 201, Hands: [4]piquet.Set{piquet.Deck, piquet.Deck, piquet.Deck, piquet.Deck}},
		{Hands: [4]piquet.Set{1, 1, 1, 1}},
	} {
		Rank(d)
		Canonical(d)
		ClassOf(d)
	}
}

func FuzzRankUnrank(f *testing.F) {
	f.Add(uint64(0), uint8(0), uint8(0))
	f.Add(Deals-1, uint8(3), uint8(3))
	f.Add(uint64(71234567890123456), uint8(1), uint8(2))
	f.Add(uint64(math.MaxUint64), uint8(255), uint8(255))
	f.Fuzz(func(t *testing.T, index uint64, trump, leader uint8) {
		d := klaverjas.Deal{Trump: piquet.Suit(trump & 3), Leader: piquet.Seat(leader & 3)}
		var err error
		d.Hands, err = Unrank(index, d.Trump, d.Leader)
		if (err != nil) != (index >= Deals) {
			t.Fatalf("Unrank(%d) error = %v", index, err)
		}
		if err != nil {
			return
		}
		checkHands(t, d.Hands)
		if got := Rank(d); got != index {
			t.Fatalf("Rank(Unrank(%d)) = %d", index, got)
		}
		canonical, re := Canonical(d)
		if canonical > index {
			t.Fatalf("canonical index %d of %d", canonical, index)
		}
		if got := Rank(re.Deal(d)); got != canonical {
			t.Fatalf("the canonical twin of %d has index %d, want %d", index, got, canonical)
		}
		c := ClassOf(d)
		number, err := ClassNumber(c)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ClassAt(number); err != nil || back != c {
			t.Fatalf("ClassAt(%d) = %v, %v, want %v", number, back, err, c)
		}
	})
}

func benchmarkDeals() []klaverjas.Deal {
	rng := NewRand(4)
	out := make([]klaverjas.Deal, 256)
	for i := range out {
		out[i] = klaverjas.Deal{Trump: piquet.Suit(i & 3), Leader: piquet.Seat(i >> 2 & 3)}
		out[i].Hands = Random(rng, out[i].Trump, out[i].Leader)
	}
	return out
}

func BenchmarkRank(b *testing.B) {
	deals := benchmarkDeals()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Rank(deals[i&255])
	}
}

func BenchmarkUnrank(b *testing.B) {
	deals := benchmarkDeals()
	indices := make([]uint64, len(deals))
	for i, d := range deals {
		indices[i] = Rank(d)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		_, _ = Unrank(indices[i&255], piquet.Hearts, piquet.West)
	}
}

func BenchmarkCanonical(b *testing.B) {
	deals := benchmarkDeals()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Canonical(deals[i&255])
	}
}

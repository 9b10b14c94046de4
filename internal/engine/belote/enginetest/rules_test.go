package enginetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/enginetest/naive"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/random"
	"roem/internal/testkit"
)

func TestTotals(t *testing.T) {
	var got [2][]int
	for suits := 1; suits <= 4; suits++ {
		deck, trumps := Deals(suits)
		for _, trump := range trumps[:suits] {
			if trump.Total(deck) != trumps[0].Total(deck) {
				t.Errorf("%d suits, trump %s: total %d", suits, trump, trump.Total(deck))
			}
		}
		for i, trump := range []belote.Trump{trumps[0], belote.NoTrump} {
			got[i] = append(got[i], trump.Total(deck), trump.DefaultThreshold(deck))
		}
	}
	want := [2][]int{{72, 35, 102, 50, 132, 65, 162, 80}, {48, 23, 86, 42, 124, 61, 162, 80}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Random hands are the same in the engine and in the reference: legal cards, turns and points. Every hand has all points.
func TestRandomHands(t *testing.T) {
	for seed := range uint64(400) {
		rng := random.New(seed)
		suits := int(seed%4) + 1
		deck, trumps := Deals(suits)
		d := belote.Random(rng, deck, trumps[random.Below(rng, uint64(len(trumps)))])
		d.Leader, d.Declarer = belote.Player(rng.Uint64()&1), belote.Player(rng.Uint64()&1)
		p, err := belote.NewPosition(d)
		if err != nil {
			t.Fatal(err)
		}
		game := Naive(d)
		for !p.Finished() {
			if p.Turn().String() != game.Turn || p.Legal() != setOf(t, game.Legal()) {
				t.Fatalf("seed %d, card %d: %s plays one of %s, in the reference %s one of %v", seed, p.Played(), p.Turn(), p.Legal(), game.Turn,
					game.Legal())
			}
			refusals(t, p)
			list := p.Legal().Slice()
			c := list[random.Below(rng, uint64(len(list)))]
			if p, err = p.Play(c); err != nil {
				t.Fatal(err)
			}
			game.Play(c.String())
		}
		if !game.Over() || p.Points(belote.A) != game.Points["A"] || p.Points(belote.B) != game.Points["B"] ||
			p.Points(belote.A)+p.Points(belote.B) != d.Total() || p.Left() != 0 || p.Played() != 8*suits {
			t.Errorf("seed %d: %d and %d points of %d, in the reference %v", seed, p.Points(belote.A), p.Points(belote.B), d.Total(), game.Points)
		}
	}
}

func setOf(t *testing.T, names []string) (s piquet.Set) {
	t.Helper()
	for _, name := range names {
		c, err := piquet.ParseCard(name)
		if err != nil {
			t.Fatal(err)
		}
		s = s.With(c)
	}
	return s
}

// refusals checks that every card that is not legal is refused.
func refusals(t *testing.T, p belote.Position) {
	t.Helper()
	for c := range (piquet.Deck &^ p.Legal()).All() {
		if _, err := p.Play(c); err == nil {
			t.Errorf("%s was played, legal were %s", c, p.Legal())
		}
	}
}

// The contract is made exactly if the points reach the threshold, and forward pruning changes neither, on 1,000 deals of one to three suits
// and some of four (with -full another 1,000).
func TestContractIsPointsReached(t *testing.T) {
	t.Parallel()
	usual := map[int]int{1: 440, 2: 440, 3: 120, 4: 3}
	counts := testkit.Times(map[int]int{1: 100, 2: 100, 3: 20, 4: 1}, usual, usual, map[int]int{1: 440, 2: 440, 3: 120, 4: 1000})
	for _, suits := range []int{1, 2, 3, 4} {
		t.Run(fmt.Sprint(suits, " suits"), func(t *testing.T) {
			t.Parallel()
			s := search.New(search.Options{})
			for seed := range uint64(counts[suits]) {
				rng := random.New(seed, 7)
				deck, trumps := Deals(suits)
				d := belote.Random(rng, deck, trumps[random.Below(rng, uint64(len(trumps)))])
				d.Leader, d.Declarer = belote.Player(rng.Uint64()&1), belote.Player(rng.Uint64()&1)
				p, err := belote.NewPosition(d)
				if err != nil {
					t.Fatal(err)
				}
				points := solve(t, s, search.Query{Position: p, NoLine: true}).Points
				for _, threshold := range []int{d.Threshold, max(points, 1), min(points+1, d.Total())} {
					d.Threshold = threshold
					if p, err = belote.NewPosition(d); err != nil {
						t.Fatal(err)
					}
					for _, noPruning := range []bool{false, true} {
						if noPruning && suits == 4 {
							continue
						}
						q := search.Query{Position: p, Utility: search.Contract, NoLine: true, NoPruning: noPruning}
						if won := solve(t, s, q).Won; won != (points >= threshold) {
							t.Errorf("seed %d: %d points, threshold %d, no pruning %v: won %v", seed, points, threshold, noPruning, won)
						}
					}
				}
			}
		})
	}
}

// Equal queries make equal numbers of states, whatever the solver solved before.
func TestCountsAreRepeatable(t *testing.T) {
	s := search.New(search.Options{})
	deck, trumps := Deals(3)
	var counts []uint64
	for range 2 {
		for seed := range uint64(3) {
			p, err := belote.NewPosition(belote.Random(random.New(seed), deck, trumps[seed%4]))
			if err != nil {
				t.Fatal(err)
			}
			counts = append(counts, solve(t, s, search.Query{Position: p, Goal: search.Moves}).Generated)
		}
	}
	if !slices.Equal(counts[:3], counts[3:]) {
		t.Errorf("%v", counts)
	}
	if len(naive.Deck("CDHS")) != 32 {
		t.Error("the deck of the reference is not complete")
	}
}

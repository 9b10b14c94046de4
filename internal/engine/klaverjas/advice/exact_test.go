package advice_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// judged is what plain minimax over all worlds says about a card, in whole numbers.
type judged struct{ Sum, Won, Best int }

// judge solves every possible deal of the unseen cards by plain minimax under the independent rules. The deals are enumerated here, and a
// deal is possible if the reference implementation can play the cards from it.
func judge(h hand, k *worlds.Knowledge) (worlds int, by map[piquet.Card]judged) {
	by = map[piquet.Card]judged{}
	seat := h.at.Turn()
	for _, w := range deals(k.Unseen(), seat, k) {
		s := state(h.rules, h.at)
		for other, held := range w {
			s.Hands[other] = int(held)
		}
		if !possible(h, w) {
			continue
		}
		worlds++
		outcome, moves, _ := naive.Minimax(s)
		for card, value := range moves {
			j := by[piquet.Card(card)]
			j.Sum += value
			if value > 0 {
				j.Won++
			}
			if value == outcome {
				j.Best++
			}
			by[piquet.Card(card)] = j
		}
	}
	return worlds, by
}

// deals returns every way to give the unseen cards to the other seats, whether the play excludes it or not.
func deals(unseen piquet.Set, seat piquet.Seat, k *worlds.Knowledge) []worlds.World {
	var out []worlds.World
	var give func(rest piquet.Set, w worlds.World)
	give = func(rest piquet.Set, w worlds.World) {
		if rest.Empty() {
			out = append(out, w)
			return
		}
		c := rest.First()
		for _, other := range piquet.Seats() {
			if other != seat && w[other].Len() < k.Left(other) {
				next := w
				next[other] = next[other].With(c)
				give(rest.Without(c), next)
			}
		}
	}
	var w worlds.World
	w[seat] = k.Own()
	give(unseen, w)
	return out
}

// possible reports whether the cards of the hand could have been played from the deal.
func possible(h hand, w worlds.World) bool {
	dealt := [4]piquet.Set(w)
	at, err := klaverjas.NewPosition(h.at.Rules(), h.at.Deal())
	if err != nil {
		return false
	}
	for _, c := range h.played {
		turn := at.Turn()
		dealt[turn] = dealt[turn].With(c)
		if at, err = at.Play(c); err != nil {
			return false
		}
	}
	deal := h.at.Deal()
	deal.Hands = dealt
	start, err := klaverjas.NewPosition(h.at.Rules(), deal)
	if err != nil {
		return false
	}
	_, err = start.Replay(h.played)
	return err == nil
}

// Over all worlds the advice agrees with plain minimax in every possible deal: each mean, each share, and the card.
func TestAdviceOverAllWorldsAgainstMinimax(t *testing.T) {
	solver := newSolver()
	for i := range 150 {
		played := 24 + i%8 // the last two tricks
		if i%15 == 0 {
			played = 20 + i/15%4 // the last three
		}
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		h := randomHand(t, rng, played)
		t.Run(fmt.Sprintf("%d, %d cards played", i, played), func(t *testing.T) {
			k := h.knows(t)
			worlds, want := judge(h, k)
			if uint64(worlds) != k.Worlds() {
				t.Fatalf("%d possible deals, %d worlds", worlds, k.Worlds())
			}
			q := questionOf(t, k)
			for _, objective := range []advice.Objective{advice.Score, advice.Win} {
				a, err := q.Decide(t.Context(), rng, solver, advice.Options{Objective: objective, Worlds: worlds})
				if err != nil {
					t.Fatal(err)
				}
				checkJudged(t, h, a, objective, worlds, want)
			}
		})
	}
}

func checkJudged(t *testing.T, h hand, a advice.Advice, objective advice.Objective, worlds int, want map[piquet.Card]judged) {
	t.Helper()
	if len(want) == 1 {
		if a.Used != 0 || len(a.Cards) != 1 || a.Cards[0].BestIn != 1 {
			t.Errorf("one legal card: %+v", a)
		}
		return
	}
	if a.Used != worlds || !a.All || a.Confidence != advice.Clear || len(a.Cards) != len(want) || a.Card != a.Cards[0].Card {
		t.Fatalf("%d worlds, cards %v: %+v", worlds, want, a)
	}
	sign := 1
	if h.at.Turn().Team() != h.at.Deal().Declarer {
		sign = -1
	}
	value := func(j judged) (first, second int) {
		if objective == advice.Win {
			return sign * j.Won, sign * j.Sum
		}
		return sign * j.Sum, sign * j.Won
	}
	best, next := value(want[a.Card])
	n := float64(worlds)
	for _, v := range a.Cards {
		j := want[v.Card]
		first, second := value(j)
		if first > best || first == best && second > next {
			t.Errorf("%v: %v is advised, but %v is better: %+v and %+v", objective, a.Card, v.Card, want[a.Card], j)
		}
		got := advice.Value{
			Card: v.Card, WinProbability: v.WinProbability, Outcome: v.Outcome, BestIn: v.BestIn, Cost: v.Cost, Equal: v.Equal,
		}
		right := advice.Value{
			Card: v.Card, WinProbability: advice.Estimate{Mean: float64(j.Won) / n}, Outcome: advice.Estimate{Mean: float64(j.Sum) / n},
			Cost: advice.Estimate{Mean: float64(best-first) / n}, BestIn: float64(j.Best) / n, Equal: v.Equal,
		}
		if objective == advice.Win {
			right.BestIn = v.BestIn // judged by outcome only
		}
		if diff := cmp.Diff(right, got); diff != "" {
			t.Errorf("%v, %v (-minimax +advice):\n%s", objective, v.Card, diff)
		}
		if v.Equal && first != best {
			t.Errorf("%v: %v is equal to %v, but %d is not %d", objective, v.Card, a.Card, first, best)
		}
	}
}

// A card that is best in every world is played, whatever the objective and however few worlds are searched.
func TestSureWinner(t *testing.T) {
	solver := newSolver()
	sure := 0
	for i := range 300 {
		rng := rand.New(rand.NewPCG(11, uint64(i)))
		h := randomHand(t, rng, 16+rng.IntN(15))
		q := questionOf(t, h.knows(t))
		for _, objective := range []advice.Objective{advice.Score, advice.Win} {
			a, err := q.Decide(t.Context(), rng, solver, advice.Options{Objective: objective, Worlds: 1 + rng.IntN(30)})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range a.Cards {
				if v.BestIn == 1 {
					sure++
					if !v.Equal || a.Cards[0].BestIn != 1 {
						t.Errorf("hand %d, %v: %v is best in every world, %v is advised: %+v", i, objective, v.Card, a.Card, a)
					}
				}
			}
		}
	}
	if sure < 100 {
		t.Errorf("only %d sure winners", sure)
	}
}

// Advice depends on the view and the seed only: not on the true deal behind the view, and not on what the solver has solved before.
func TestHiddenHandsDoNotMatter(t *testing.T) {
	for i := range 30 {
		rng := rand.New(rand.NewPCG(13, uint64(i)))
		h := randomHand(t, rng, 8+rng.IntN(20))
		k := h.knows(t)
		other := hand{rules: h.rules, at: k.Position(k.World(rng.Uint64N(k.Worlds()))), played: h.played}
		answer := func(h hand) advice.Advice {
			_, a, err := advice.Choose(t.Context(), h.knows(t), rand.New(rand.NewPCG(1, 2)), 12, newSolver())
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		if diff := cmp.Diff(answer(h), answer(other)); diff != "" {
			t.Errorf("hand %d: the advice depends on the hidden hands:\n%s", i, diff)
		}
	}
}

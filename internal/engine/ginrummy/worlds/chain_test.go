package worlds_test

import (
	"context"
	"math"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/worlds"
	"roem/internal/random"
)

// script does again what a player did.
type script []ginrummy.Event

func (s *script) Choose(context.Context, ginrummy.View) (ginrummy.Action, error) {
	e := (*s)[0]
	*s = (*s)[1:]
	return ginrummy.Action{Kind: e.Kind, Card: e.Card}, nil
}

// replay deals the cards that a view does not show by lot, plays the round again with a simple player as the opponent, and returns its
// hand if it did what it did in the view.
func replay(t *testing.T, v *ginrummy.View, dealt ginrummy.Set, seed uint64) (ginrummy.Set, bool) {
	t.Helper()
	rng := random.New(seed, 1)
	open := (ginrummy.Deck &^ dealt).Without(v.Upcard)
	deal := ginrummy.Deal{Starter: v.Starter, Upcard: v.Upcard}
	deal.Hands[v.Seat] = dealt
	place, known := 0, map[int]ginrummy.Card{}
	var mine script
	for _, e := range v.Events {
		if e.Kind == ginrummy.Stock {
			if e.Seat == v.Seat {
				known[place] = e.Card
				open = open.Without(e.Card)
			}
			place++
		}
		if e.Seat == v.Seat {
			mine = append(mine, e)
		}
	}
	list := open.Slice()
	random.Shuffle(rng, list)
	deal.Hands[v.Seat.Other()] = ginrummy.SetOf(list[:ginrummy.HandSize]...)
	list = list[ginrummy.HandSize:]
	for i := range deal.Stock {
		if c, ok := known[i]; ok {
			deal.Stock[i] = c
		} else {
			deal.Stock[i], list = list[0], list[1:]
		}
	}
	r := ginrummy.NewRound(&deal)
	simple := players.NewSimple(random.New(seed, 2))
	var events []ginrummy.Event // as the opponent sees them
	for _, e := range v.Events {
		if r.Phase() == ginrummy.ToKnock && r.Seat() == v.Seat.Other() {
			return 0, false // the simple player knocks
		}
		player := players.Player(&mine)
		if r.Seat() != v.Seat {
			player = simple
		}
		if r.Phase() == ginrummy.ToKnock {
			after, err := r.Play(ginrummy.Action{Kind: ginrummy.Continue})
			if err != nil {
				t.Fatal(err)
			}
			r = after
		}
		a, err := player.Choose(t.Context(), ginrummy.NewView(&r, r.Seat(), events, [2]int{}))
		if err != nil {
			t.Fatal(err)
		}
		if a.Kind != e.Kind || a.Kind == ginrummy.Discard && a.Card != e.Card {
			return 0, false
		}
		after, err := r.Play(a)
		if err != nil {
			t.Fatal(err)
		}
		if seen, ok := ginrummy.EventOf(&r, &after, a, v.Seat.Other()); ok {
			events = append(events, seen)
		}
		r = after
	}
	return r.Hand(v.Seat.Other()), true
}

// The distribution of the ladder agrees with the hands of simple players that do the same, when the other cards are dealt again by lot.
func TestLadder(t *testing.T) {
	l := worlds.NewLadder(worlds.Penalties()...)
	for number, wantEvents := range map[uint64]int{3: 5, 8: 4, 21: 5} {
		deal := ginrummy.SeededDeal(43, number, 0)
		seats := [2]players.Player{players.NewSimple(random.New(43, 0, number)), players.NewSimple(random.New(43, 1, number))}
		done := false
		if _, _, err := players.PlayRound(t.Context(), &deal, [2]int{}, seats, func(step *players.Step) {
			if done || step.Action.Kind != ginrummy.Discard || len(step.Events[0]) < wantEvents {
				return
			}
			done = true
			me := step.Before.Seat().Other()
			v := ginrummy.NewView(&step.After, me, step.Events[me], [2]int{})
			var want [ginrummy.DeckSize]float64
			count := 0.0
			for seed := range uint64(60_000) {
				hand, ok := replay(t, &v, deal.Hands[me], seed)
				if !ok {
					continue
				}
				count++
				for c := range hand.All() {
					want[c]++
				}
			}
			got := l.Probabilities(&v, true, nil, 20_000, random.New(5, number))
			if count < 100 {
				t.Fatalf("deal %d: the opponent does the same in %g of the deals", number, count)
			}
			sum := 0.0
			for c := range want {
				p := want[c] / count
				sum += got[c]
				if math.Abs(p-got[c]) > 4.5*math.Sqrt(got[c]*(1-got[c])/count)+0.015 {
					t.Errorf("deal %d, %s: %.3f, and %.3f of %g deals", number, ginrummy.Card(c), got[c], p, count)
				}
			}
			if math.Abs(sum-10) > 1e-9 {
				t.Errorf("the probabilities sum to %g", sum)
			}
			t.Logf("deal %d: %d events, %g deals", number, len(v.Events), count)
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// A history that was played can be given to a chain, and stays possible.
func TestRestart(t *testing.T) {
	var c worlds.Chain
	c.Penalty = 0.1
	rng := random.New(9)
	rows := 0
	for number := range uint64(40) {
		deal := ginrummy.SeededDeal(45, number, 0)
		seats := [2]players.Player{players.NewSimple(random.New(45, 0, number)), players.NewSimple(random.New(45, 1, number))}
		var drawn [2][]ginrummy.Card
		if _, _, err := players.PlayRound(t.Context(), &deal, [2]int{}, seats, func(step *players.Step) {
			seat := step.Before.Seat()
			if step.Action.Kind == ginrummy.Stock {
				c, _ := step.After.Drawn()
				drawn[seat] = append(drawn[seat], c)
			}
			if step.Action.Kind != ginrummy.Discard {
				return
			}
			rows++
			v := ginrummy.NewView(&step.After, seat.Other(), step.Events[seat.Other()], [2]int{})
			c.Set(&v, true, rng)
			seen := v.Seen()
			unknown, kept := seen.Unknown(), seen.Kept
			if hand := c.Hand(); hand.Len() != ginrummy.HandSize || !hand.Contains(kept) || !(kept | unknown).Contains(hand) {
				t.Fatalf("deal %d: begins with %s", number, hand)
			}
			c.Restart(deal.Hands[seat], drawn[seat])
			if c.Fault() != 0 || c.Hand() != step.After.Hand(seat) {
				t.Fatalf("deal %d: the hand is %s with the fault %g, want %s", number, c.Hand(), c.Fault(), step.After.Hand(seat))
			}
			for range 300 {
				c.Step(rng)
				if hand := c.Hand(); hand.Len() != ginrummy.HandSize || !hand.Contains(kept) || !(kept | unknown).Contains(hand) {
					t.Fatalf("deal %d: comes to %s", number, hand)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if rows < 200 {
		t.Errorf("%d situations", rows)
	}
}

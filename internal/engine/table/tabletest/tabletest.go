// Package tabletest is for the tests of games on the frame of package table.
package tabletest

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"roem/internal/engine/table"
	"roem/internal/random"
)

// Game is a game whose players are tested: P is a seat, V what a seat has seen, A an act.
type Game[H table.Hand[H, P, V, A], P ~uint8, V, A any] struct {
	// Deal returns a hand before its first act.
	Deal func(rng *rand.Rand) (H, error)
	// Exchange returns the deal of a hand, before its first act, with cards that a seat has not seen in each other's places. ok is false if
	// there are none.
	Exchange func(rng *rand.Rand, h H, p P) (start H, ok bool)
	// Choose lets a new player choose, that draws from rng.
	Choose func(rng *rand.Rand, p P, v V) (A, error)
}

// Sealed plays hands twice: before each act, the same acts lead to the same hand with cards in other places that the seat to act has not
// seen. The seat must then do the same there. It returns how many decisions had such a second hand; the error names the first that differs.
func (g Game[H, P, V, A]) Sealed(hands int, seed uint64) (checked int, err error) {
	for n := range hands {
		rng := random.New(seed, uint64(n))
		h, err := g.Deal(rng)
		if err != nil {
			return checked, err
		}
		var acts []A
		for {
			turn, ok := h.Turn()
			if !ok {
				break
			}
			choose := func(h H) (A, error) {
				return g.Choose(random.New(seed, uint64(n), uint64(len(acts))), turn, h.View(turn))
			}
			a, err := choose(h)
			if err != nil {
				return checked, fmt.Errorf("hand %d, act %d: %w", n, len(acts), err)
			}
			if second, ok := g.second(rng, h, turn, acts); ok {
				b, err := choose(second)
				if err != nil {
					return checked, fmt.Errorf("hand %d, act %d, with other hidden cards: %w", n, len(acts), err)
				}
				if !reflect.DeepEqual(a, b) {
					return checked, fmt.Errorf("hand %d, act %d of %v: %+v, and with other hidden cards %+v", n, len(acts), turn, a, b)
				}
				checked++
			}
			if h, err = h.Act(a); err != nil {
				return checked, err
			}
			acts = append(acts, a)
		}
	}
	return checked, nil
}

// tries is how often cards are exchanged until the acts of the other seats are allowed with them.
const tries = 4

// second returns the hand after the same acts with cards exchanged.
func (g Game[H, P, V, A]) second(rng *rand.Rand, h H, p P, acts []A) (second H, ok bool) {
	for range tries {
		second, ok = g.Exchange(rng, h, p)
		for i := 0; ok && i < len(acts); i++ {
			var err error
			second, err = second.Act(acts[i])
			ok = err == nil
		}
		if turn, more := second.Turn(); ok && more && turn == p {
			return second, true
		}
	}
	return second, false
}

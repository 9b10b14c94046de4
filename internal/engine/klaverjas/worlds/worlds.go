package worlds

import (
	"math/rand/v2"

	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// World returns the world with the given number, 0 to Worlds()-1. It panics for any other number. The numbering holds for this view
// alone.
func (k *Knowledge) World(n uint64) World {
	if n >= k.table.worlds {
		panic("knowledge: no world has this number")
	}
	return k.deal(k.table.world(n))
}

// deal returns the world in which the other seats have these hands.
func (k *Knowledge) deal(hands [3]piquet.Set) World {
	var w World
	w[k.view.Seat] = k.own
	for o, seat := range k.others {
		w[seat] = hands[o]
	}
	return w
}

// Rank returns the number of a world, and false for hands that are not a world of the view. It is the inverse of World.
func (k *Knowledge) Rank(w World) (uint64, bool) {
	if w[k.view.Seat] != k.own {
		return 0, false
	}
	var hands [3]piquet.Set
	var all piquet.Set
	for o, seat := range k.others {
		hands[o] = w[seat]
		if hands[o]&all != 0 || hands[o]&^k.may[seat] != 0 || hands[o].Len() != k.left[seat] {
			return 0, false
		}
		all |= hands[o]
	}
	if all != k.unseen {
		return 0, false
	}
	return k.table.number(hands)
}

// Sample draws a world. Each is equally likely.
func (k *Knowledge) Sample(rng *rand.Rand) World {
	return k.deal(k.table.world(random.Below(rng, k.table.worlds)))
}

// SampleDistinct draws n different worlds, and returns their numbers. Each set of n worlds is equally likely, and so is each order. If
// there are no more than n worlds, it returns the numbers of all of them, in ascending order.
func (k *Knowledge) SampleDistinct(rng *rand.Rand, n int) []uint64 {
	worlds := k.table.worlds
	if n < 0 {
		n = 0
	}
	if worlds <= uint64(n) {
		all := make([]uint64, worlds)
		for i := range all {
			all[i] = uint64(i)
		}
		return all
	}
	drawn := make([]uint64, 0, n)
	if worlds <= 2*uint64(n) { // too many draws would repeat an earlier one
		all := make([]uint64, worlds)
		for i := range all {
			all[i] = uint64(i)
		}
		random.Shuffle(rng, all)
		return append(drawn, all[:n]...)
	}
	seen := make(map[uint64]struct{}, n)
	for len(drawn) < n {
		number := random.Below(rng, worlds)
		if _, again := seen[number]; again {
			continue
		}
		seen[number] = struct{}{}
		drawn = append(drawn, number)
	}
	return drawn
}

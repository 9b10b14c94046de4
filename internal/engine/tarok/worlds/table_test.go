package worlds

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/tarok"
	"roem/internal/random"
)

// TestTable compares the numbers of random small tables with all divisions, found by trying.
func TestTable(t *testing.T) {
	rng := random.New(6)
	for range 200 {
		sizes := [3]int{int(random.Below(rng, 4)), int(random.Below(rng, 4)), int(random.Below(rng, 3))}
		list := tarok.Deck.Slice()
		random.Shuffle(rng, list)
		list = list[:sizes[0]+sizes[1]+sizes[2]]
		set := func(out int) (s tarok.Set) { // most cards, without about one of this number
			s = tarok.Deck
			for _, c := range list {
				if random.Below(rng, uint64(out)) == 0 {
					s = s.Without(c)
				}
			}
			return s
		}
		may := [3]tarok.Set{set(5), set(5), set(3)}
		needs := [2]tarok.Set{set(2) & tarok.SetOf(list...), set(2) & tarok.SetOf(list...)}
		table := newTable(list, sizes, may, needs)

		var count uint64
		places := make([][3]uint64, len(list))
		all := map[[3]tarok.Set]bool{}
		for code := range pow3(len(list)) {
			var piles [3]tarok.Set
			for _, c := range list {
				piles[code%3] = piles[code%3].With(c)
				code /= 3
			}
			if piles[0].Len() != sizes[0] || piles[1].Len() != sizes[1] || piles[0]&^may[0]|piles[1]&^may[1]|piles[2]&^may[2] != 0 ||
				needs[0] != 0 && piles[0]&needs[0] == 0 || needs[1] != 0 && piles[1]&needs[1] == 0 {
				continue
			}
			count++
			all[piles] = true
			for i, c := range list {
				for pile := range piles {
					places[i][pile] += uint64(piles[pile] >> c & 1)
				}
			}
		}
		if table.count() != count {
			t.Fatalf("%d divisions, want %d", table.count(), count)
		}
		if diff := cmp.Diff(places, table.places()); diff != "" {
			t.Fatalf("(-all, +counted):\n%s", diff)
		}
		for n := range count {
			if piles := table.world(n); !all[piles] {
				t.Fatalf("division %d is none, or comes twice: %v", n, piles)
			} else {
				delete(all, piles)
			}
		}
	}
}

func pow3(n int) int {
	out := 1
	for range n {
		out *= 3
	}
	return out
}

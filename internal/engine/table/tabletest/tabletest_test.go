package tabletest_test

import (
	"math/rand/v2"
	"testing"

	"roem/internal/engine/table/tabletest"
)

// cards is a hand of two cards that nobody has seen, of which the seats choose in turn. With leaks, a view has the card of the other.
type cards struct {
	dealt [2]int
	acts  int
	leaks bool
}

func (c cards) Turn() (uint8, bool) { return uint8(c.acts % 2), c.acts < 4 }

func (c cards) View(p uint8) int {
	if c.leaks {
		return c.dealt[1-p]
	}
	return 0
}

func (c cards) Act(int) (cards, error) {
	c.acts++
	return c, nil
}

// A view that has a hidden card is found, and one that has none is not.
func TestSealed(t *testing.T) {
	for _, leaks := range []bool{false, true} {
		g := tabletest.Game[cards, uint8, int, int]{
			Deal: func(rng *rand.Rand) (cards, error) {
				return cards{dealt: [2]int{rng.IntN(9), 9 + rng.IntN(9)}, leaks: leaks}, nil
			},
			Exchange: func(_ *rand.Rand, c cards, p uint8) (cards, bool) {
				c.acts = 0
				c.dealt[1-p]++
				return c, true
			},
			Choose: func(_ *rand.Rand, _ uint8, seen int) (int, error) { return seen, nil },
		}
		if checked, err := g.Sealed(5, 1); leaks == (err == nil) || !leaks && checked != 20 {
			t.Errorf("leaks %t: %d checked, error %v", leaks, checked, err)
		}
	}
}

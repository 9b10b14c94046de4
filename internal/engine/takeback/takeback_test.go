package takeback_test

import (
	"math/rand/v2"
	"testing"

	"roem/internal/engine/takeback"
)

// Whatever is done and taken back, numbers grow by one, and every number since the last taking back finds its act.
func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var count takeback.Count
	var standing []int // the numbers of the acts that stand
	backs := 0
	for number := range 10000 {
		if got := count.Number(len(standing)); got != number {
			t.Fatalf("the next number is %d, expected %d", got, number)
		}
		if len(standing) == 0 || rng.IntN(3) > 0 {
			standing = append(standing, number)
		} else {
			count = count.After(len(standing))
			standing = standing[:len(standing)-1]
			backs++
			if _, back, known := count.Place(number); !back || !known {
				t.Fatalf("%d is not known as a taking back", number)
			}
		}
		for i, n := range standing {
			if place, back, known := count.Place(n); n >= count.Next && (place != i || back || !known) || n < count.Next-1 && known {
				t.Fatalf("act %d has the place %d, %v, %v; expected %d", n, place, back, known, i)
			}
		}
	}
	if backs < 100 {
		t.Errorf("%d were taken back", backs)
	}
}

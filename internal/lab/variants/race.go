package variants

import (
	"context"
	"math"
	"math/bits"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/playout"
)

// race plays worlds out as the player playout does before the last tricks, with other limits: how many worlds, when a card is given up, and
// when the cards that are left are called equal. Cards that are left are those that are close, so that more worlds are more worlds for close decisions.
func (d *Deviation) race(ctx context.Context, q *advice.Question, of *drawn) ([]float64, error) {
	view := q.Knowledge().View()
	table := playout.TableOf(&view)
	n := len(q.Cards())
	var (
		sum    [klaverjas.HandSize]float64
		apart  [klaverjas.HandSize][klaverjas.HandSize]float64 // of the squared difference of a card and an earlier one
		weight float64
		square float64
	)
	left, test := uint8(1<<n-1), advice.RaceFirst
	for i, w := range of.worlds {
		if d.Use > 0 && i == d.Use {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var score [klaverjas.HandSize]float64
		weight += w.Weight
		square += w.Weight * w.Weight
		for j := range n {
			if left>>j&1 == 0 {
				continue
			}
			d.Playouts++
			score[j] = sign(&view) * d.playOut(q, table, of, i, j)
			sum[j] += w.Weight * score[j]
			for k := range j {
				apart[j][k] += w.Weight * (score[j] - score[k]) * (score[j] - score[k])
			}
		}
		if i+1 < test || weight*weight <= square {
			continue
		}
		test += test / 2
		best := d.bestOf(sum[:n], left)
		equal := true
		for j := range n {
			if left>>j&1 == 0 || j == best {
				continue
			}
			cost := (sum[best] - sum[j]) / weight
			variance := max(apart[max(best, j)][min(best, j)]/weight-cost*cost, 0)
			e := math.Sqrt(variance / (weight*weight/square - 1))
			if cost > d.Errors*e {
				left &^= 1 << j
			} else if cost+e > d.Margin {
				equal = false
			}
		}
		if equal || bits.OnesCount8(left) == 1 {
			break
		}
	}
	best := d.bestOf(sum[:n], left)
	values := make([]float64, n)
	values[best] = 1
	return values, nil
}

// bestOf returns the best of the cards that are left, the first one of equals.
func (d *Deviation) bestOf(sum []float64, left uint8) int {
	best, most := -1, math.Inf(-1)
	for j, x := range sum {
		if left>>j&1 != 0 && x > most {
			best, most = j, x
		}
	}
	return best
}

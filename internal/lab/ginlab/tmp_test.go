package ginlab

import (
	"fmt"
	"math"
	"sort"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/hands"
	"roem/internal/model/ginhand"
	"roem/internal/random"
)

func TestWhere(t *testing.T) {
	n, _ := ginhand.Default()
	rows, _ := Held(t.Context(), 777, 150)
	net := Network("n", n)
	l := hands.NewLadder(hands.Penalties()...)
	type acc struct{ n, kl, bias float64 }
	m := map[string]*acc{}
	add := func(k string, kl, b float64) {
		if m[k] == nil {
			m[k] = &acc{}
		}
		m[k].n++
		m[k].kl += kl
		m[k].bias += b
	}
	for i := 0; i < len(rows); i += 10 {
		r := &rows[i]
		q := net.Of(r)
		var d hands.Distribution
		n.Estimator().Of(&r.View, &d)
		for c := range d.Odds {
			d.Odds[c] = math.Sqrt(d.Odds[c])
		}
		p := l.Probabilities(&r.View, true, &d.Odds, 5000, random.New(uint64(i)))
		turns, low, last := 0, 99, 0
		seen := r.View.Seen()
		for _, e := range r.View.Events {
			if e.Seat != r.View.Seat && e.Kind == ginrummy.Discard {
				turns++
				last = e.Card.Points()
				low = min(low, last)
			}
		}
		var disc [14]int
		for _, e := range r.View.Events {
			if e.Seat != r.View.Seat && e.Kind == ginrummy.Discard {
				disc[e.Card.Rank()]++
			}
		}
		for c := range seen.Unknown().All() {
			a := (p[c]*500 + q[c]) / 501
			kl := a*math.Log(a/q[c]) + (1-a)*math.Log((1-a)/(1-q[c]))
			side := "lower"
			if c.Points() == low {
				side = "equal"
			} else if c.Points() > low {
				side = "higher"
			}
			add(fmt.Sprintf("turns %2d", min(turns, 9)), kl, p[c]-q[c])
			add("side "+side, kl, p[c]-q[c])
			add(fmt.Sprintf("side %s kept %d", side, min(2, seen.Kept.Len())), kl, p[c]-q[c])
			add(fmt.Sprintf("rank %2d", c.Rank()), kl, p[c]-q[c])
			add(fmt.Sprintf("pnet %2.0f", q[c]*20), kl, p[c]-q[c])
			if turns >= 4 {
				add(fmt.Sprintf("late side %s last %v", side, c.Points() > last), kl, p[c]-q[c])
			}
		}
	}
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		a := m[k]
		fmt.Printf("%-30s n %6.0f  kl/card %.4f  total %.2f bias %+.4f\n", k, a.n, a.kl/a.n, a.kl, a.bias/a.n)
	}
}

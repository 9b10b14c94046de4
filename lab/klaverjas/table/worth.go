package table

import (
	"errors"
	"math"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/service/klaverjas/bidadvice"
	"roem/internal/service/klaverjas/handstrength"
)

// sweeps is how often each table of a Worth is fitted to what the other leaves.
const sweeps = 30

// FitWorths fits sums over suits to the table model of hands, over n random hands with all trumps for each place of the leader. It also
// returns the root mean square error, in points.
func FitWorths(e *handstrength.Estimator, rules klaverjas.Rules, n int, seed uint64) (*bidadvice.Worths, float64, error) {
	maps := handstrength.TableModel(rules)
	if maps == nil {
		return nil, 0, errors.New("no table model for the rules")
	}
	rng := index.NewRand(seed)
	out := new(bidadvice.Worths)
	squares := 0.0
	for leader := range out {
		suits, labels := make([]hand.Suits, 0, 4*n), make([]float64, 0, 4*n)
		for range n {
			hands := index.Random(rng, piquet.Clubs, piquet.North)
			for _, trump := range piquet.Suits() {
				q := handstrength.Question{
					Rules: rules, Hand: hands[0], Seat: piquet.North, Leader: piquet.Seat(leader), Declarer: piquet.NorthSouth, Trump: trump,
				}
				s, ok := e.Distilled.Strength(q)
				if !ok {
					return nil, 0, errors.New("the hand model does not cover the rules")
				}
				suits = append(suits, hand.SuitsOf(q.Hand, trump))
				labels = append(labels, maps.MapOf(&q).At(handstrength.NumbersOf(&s)).Mean)
			}
		}
		w, square := fitWorth(suits, labels)
		out[leader] = w
		squares += square / float64(len(out))
	}
	return out, math.Sqrt(squares), nil
}

// fitWorth fits the two tables in turn (Gauss and Seidel), and returns the mean square error.
func fitWorth(suits []hand.Suits, labels []float64) (w bidadvice.Worth, square float64) {
	var trump, plain [256]float64
	rest := append([]float64(nil), labels...) // labels less the sums
	var knownTrump, knownPlain [256]bool
	for range sweeps {
		var sum, count [256]float64
		for i, s := range suits {
			sum[s[0]] += rest[i]
			count[s[0]]++
		}
		for x := range trump {
			if count[x] > 0 {
				sum[x] /= count[x]
				trump[x] += sum[x]
				knownTrump[x] = true
			}
		}
		for i, s := range suits {
			rest[i] -= sum[s[0]]
		}
		sum, count = [256]float64{}, [256]float64{}
		for i, s := range suits {
			for _, x := range s[1:] {
				sum[x] += rest[i]
				count[x]++
			}
		}
		for x := range plain {
			if count[x] > 0 {
				sum[x] /= 3 * count[x] // a third, because the three plain suits share what is left
				plain[x] += sum[x]
				knownPlain[x] = true
			}
		}
		for i, s := range suits {
			for _, x := range s[1:] {
				rest[i] -= sum[x]
			}
		}
	}
	for x := range trump {
		w.Trump[x], w.Plain[x] = int(math.Round(10*trump[x])), int(math.Round(10*plain[x]))
	}
	w.Fill(&knownTrump, &knownPlain)
	for i, s := range suits {
		e := labels[i] - float64(w.Trump[s[0]]+w.Plain[s[1]]+w.Plain[s[2]]+w.Plain[s[3]])/10
		square += e * e / float64(len(suits))
	}
	return w, square
}

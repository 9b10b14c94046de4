package advice

import (
	"math"

	"roem/internal/engine/klaverjas"
)

const maxCards = klaverjas.HandSize

// Tally adds up the results of worlds. Its sums do not depend on the order of the worlds as long as their weights are whole numbers,
// because float64 adds whole numbers exactly. So a tally of uniform worlds is the same with any number of workers.
type Tally struct {
	Worlds int    // the number of worlds
	Nodes  uint64 // the nodes of their searches

	weight, weight2 float64                          // the sum of the weights, and of their squares
	sum, square     [maxCards]float64                // of the OUTCOME, and of its square, by card
	won             [maxCards]float64                // the weight of the worlds that the declarers win, by card
	best            [numObjectives][maxCards]float64 // the weight of the worlds in which no card is better, by card
	apart           [numObjectives][maxPairs]float64 // the sum of the squared differences of two cards
}

// maxPairs is the number of pairs of cards.
const maxPairs = maxCards * (maxCards - 1) / 2

// pair returns the index of two different cards in Tally.apart.
func pair(i, j int) int {
	if i < j {
		i, j = j, i
	}
	return i*(i-1)/2 + j
}

// Add adds the result of a world with a weight.
func (t *Tally) Add(q *Question, row Row, weight float64) {
	n := len(q.cards)
	t.Worlds++
	t.weight += weight
	t.weight2 += weight * weight
	var score, win [maxCards]float64 // from the side of the seat's team
	most, mostWon := math.Inf(-1), math.Inf(-1)
	for i, outcome := range row[:n] {
		x := float64(outcome)
		t.sum[i] += weight * x
		t.square[i] += weight * x * x
		if outcome > 0 {
			t.won[i] += weight
			win[i] = q.sign
		}
		score[i] = q.sign * x
		most, mostWon = max(most, score[i]), max(mostWon, win[i])
	}
	for i := range n {
		if score[i] == most {
			t.best[Score][i] += weight
		}
		if win[i] == mostWon {
			t.best[Win][i] += weight
		}
		for j := range i {
			d, w := score[i]-score[j], win[i]-win[j]
			t.apart[Score][pair(i, j)] += weight * d * d
			t.apart[Win][pair(i, j)] += weight * w * w
		}
	}
}

// Merge adds the sums of another tally of the same question.
func (t *Tally) Merge(o *Tally) {
	t.Worlds += o.Worlds
	t.Nodes += o.Nodes
	mine, theirs := t.sums(), o.sums()
	for i := range mine {
		*mine[i] += *theirs[i]
	}
}

// numSums is the number of sums in a tally.
const numSums = 2 + 3*maxCards + numObjectives*(maxCards+maxPairs)

// sums returns all sums, in a fixed order.
func (t *Tally) sums() []*float64 {
	out := append(make([]*float64, 0, numSums), &t.weight, &t.weight2)
	add := func(list []float64) {
		for i := range list {
			out = append(out, &list[i])
		}
	}
	add(t.sum[:])
	add(t.square[:])
	add(t.won[:])
	for o := range numObjectives {
		add(t.best[o][:])
		add(t.apart[o][:])
	}
	return out
}

// value returns the sum of what an objective counts, from the side of the seat's team.
func (t *Tally) value(q *Question, o Objective, i int) float64 {
	if o == Win {
		return q.sign * t.won[i]
	}
	return q.sign * t.sum[i]
}

// deviation returns the standard error of a mean over the worlds, given the weighted sums of a quantity and of its squares. of is
// the number of all worlds if the worlds are different ones of them, each as likely as any other, and 0 otherwise.
//
// It is sqrt(v / (n-1) * (1 - n/of)), where v is the variance among the n worlds; the last factor is the correction for draws
// without replacement. For weighted worlds n is Kish's effective number of them, (sum w)^2 / sum w^2. It is infinite for a
// single world of several, and 0 for all of them.
func (t *Tally) deviation(sum, square float64, of uint64) float64 {
	if of > 0 && uint64(t.Worlds) == of {
		return 0
	}
	n := t.weight * t.weight / t.weight2
	if t.Worlds < 2 || n <= 1 {
		return math.Inf(1)
	}
	mean := sum / t.weight
	v := max(square/t.weight-mean*mean, 0) / (n - 1)
	if of > 0 {
		v *= 1 - float64(t.Worlds)/float64(of)
	}
	return math.Sqrt(v)
}

package advice

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/engine/standing"
)

// Tally is what the worlds and expectimax say about every legal card.
type Tally struct {
	Worlds    int    // searched
	Generated uint64 // the states of the searches, and of expectimax
	States    uint64 // the sums of expectimax; not part of the binary form
	cards     []piquet.Card
	won       []int64   // worlds in which the declarer makes the threshold after the card
	sum       []int64   // the declarer's points, or with the utility contract the same as won
	square    []int64   // the squares of what sum adds up
	best      []int64   // worlds in which no card is better for the player to move
	apart     [][]int64 // the squares of the differences between two cards
	exact     []int64   // the sums of expectimax over all worlds; nil if they are not computed
}

func newTally(legal piquet.Set) *Tally {
	t := &Tally{cards: legal.Slice()}
	n := len(t.cards)
	t.won, t.sum, t.square, t.best, t.apart = make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n), make([][]int64, n)
	for i := range t.apart {
		t.apart[i] = make([]int64, n)
	}
	return t
}

// add adds a world.
func (t *Tally) add(moves []search.MoveValue, u search.Utility) error {
	if len(moves) != len(t.cards) {
		return errMoves
	}
	row := make([]int64, len(t.cards))
	for _, m := range moves {
		i, ok := slices.BinarySearch(t.cards, m.Card)
		if !ok {
			return errMoves
		}
		if m.Won {
			row[i] = 1
			t.won[i]++
		}
		if m.Best {
			t.best[i]++
		}
		if u == search.Points {
			row[i] = int64(m.Points)
		}
	}
	for i := range t.cards {
		t.sum[i] += row[i]
		t.square[i] += row[i] * row[i]
		for j := range i {
			d := row[i] - row[j]
			t.apart[i][j] += d * d
			t.apart[j][i] += d * d
		}
	}
	t.Worlds++
	return nil
}

// Mean is a mean with its standard error.
type Mean struct{ Mean, Error float64 }

// mean returns the mean of n values from their sum and the sum of their squares. The error is 0 if they are all that there are.
func mean(sum, square int64, n int, all bool) Mean {
	if n == 0 {
		return Mean{}
	}
	m := Mean{Mean: float64(sum) / float64(n)}
	if !all && n > 1 {
		variance := (float64(square) - float64(sum)*m.Mean) / float64(n-1)
		m.Error = math.Sqrt(max(variance, 0) / float64(n))
	}
	return m
}

// Value is what is known about a legal card, from the declarer's side.
type Value struct {
	Card       piquet.Card
	Value      Mean    // by the method of the answer
	Cost       Mean    // how much worse than the best card for its player
	Best       bool    // no card has a better value
	Sampled    Mean    // the mean over the worlds
	Won        Mean    // the share of the worlds in which the declarer makes the threshold
	BestIn     float64 // the share of the worlds in which no card is better; 0 if none was searched
	Expectimax float64 // if Advice.Exact
}

// Fusion is the difference between the means over worlds and expectimax.
type Fusion struct {
	Sampled    float64 // the best mean for the player to move
	Expectimax float64 // the value of the position
	Difference float64 // how much better Sampled is for the player to move
	Card       piquet.Card
	Cost       float64 // how much worse Card, the best by the means, is by expectimax
}

// ClearErrors is the number of standard errors of a clear difference.
const ClearErrors = standing.Errors

// Advice is the answer to a question.
type Advice struct {
	Cards  []Value // the best first
	Worlds int
	All    bool // every world was searched
	Exact  bool // expectimax computed the values
	Clear  bool // each other card is ClearErrors standard errors worse or as good in every world, or the values are exact
	Fusion *Fusion
}

// Advise returns the advice of a tally of the question.
func (q *Question) Advise(t *Tally) Advice {
	now := q.View.Now()
	maximise := now.Turn() == q.View.Deal().Declarer
	n, all := q.Searched()
	a := Advice{Worlds: n, All: all, Exact: t.exact != nil, Clear: true}
	order := q.order(t, t.sum, maximise)
	sampledBest := order[0]
	if a.Exact {
		order = q.order(t, t.exact, maximise)
	}
	sign := int64(1)
	if !maximise {
		sign = -1
	}
	worlds, best := float64(q.View.Worlds()), order[0]
	for _, i := range order {
		v := Value{Card: t.cards[i], Sampled: mean(t.sum[i], t.square[i], n, all), Won: mean(t.won[i], t.won[i], n, all)}
		v.Value, v.BestIn = v.Sampled, mean(t.best[i], 0, n, true).Mean
		v.Cost = mean(sign*(t.sum[best]-t.sum[i]), t.apart[best][i], n, all)
		v.Best = t.sum[i] == t.sum[best]
		equal := t.apart[best][i] == 0
		if a.Exact {
			v.Expectimax = float64(t.exact[i]) / worlds
			v.Value = Mean{Mean: v.Expectimax}
			v.Cost = Mean{Mean: float64(sign*(t.exact[best]-t.exact[i])) / worlds}
			v.Best = t.exact[i] == t.exact[best]
		} else if !all && !equal && v.Cost.Mean < ClearErrors*v.Cost.Error {
			a.Clear = false
		}
		a.Cards = append(a.Cards, v)
	}
	if a.Exact && n > 0 {
		a.Fusion = &Fusion{
			Sampled: float64(t.sum[sampledBest]) / float64(n), Expectimax: float64(t.exact[best]) / worlds, Card: t.cards[sampledBest],
			Cost: float64(sign*(t.exact[best]-t.exact[sampledBest])) / worlds,
		}
		a.Fusion.Difference = float64(sign) * (a.Fusion.Sampled - a.Fusion.Expectimax)
	}
	return a
}

// order returns the indices of the legal cards, the best first. Equal ones are in the order in which they are preferred.
func (q *Question) order(t *Tally, values []int64, maximise bool) []int {
	order := make([]int, 0, len(t.cards))
	for _, c := range preferred(q.View.Deal().Trump, piquet.SetOf(t.cards...)) {
		i, _ := slices.BinarySearch(t.cards, c)
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if maximise {
			i, j = j, i
		}
		return cmp.Compare(values[i], values[j])
	})
	return order
}

// The binary form of a tally: numbers as uvarints.
//
//	cards, states, 1 if there are sums of expectimax
//	for each card: won, sum, square, best, the sum of expectimax, and apart of the cards before it

// AppendBinary appends the binary form of the tally.
func (t *Tally) AppendBinary(b []byte) []byte {
	exact := uint64(0)
	if t.exact != nil {
		exact = 1
	}
	for _, n := range []uint64{uint64(len(t.cards)), t.Generated, exact} {
		b = binary.AppendUvarint(b, n)
	}
	for i := range t.cards {
		row := []int64{t.won[i], t.sum[i], t.square[i], t.best[i]}
		if t.exact != nil {
			row = append(row, t.exact[i])
		}
		for _, n := range append(row, t.apart[i][:i]...) {
			b = binary.AppendUvarint(b, uint64(n))
		}
	}
	return b
}

// errTally is the error for bytes that are not the tally of a question.
var errTally = errors.New("not a tally of the question")

// ReadTally reads the binary form of a tally of the question.
func (q *Question) ReadTally(b []byte) (*Tally, error) {
	now := q.View.Now()
	t := newTally(now.Legal())
	t.Worlds, _ = q.Searched()
	bad := false
	next := func() int64 {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			bad = true
			return 0
		}
		b = b[size:]
		return int64(n)
	}
	if next() != int64(len(t.cards)) {
		return nil, errTally
	}
	t.Generated = uint64(next())
	if next() == 1 {
		t.exact = make([]int64, len(t.cards))
	}
	for i := range t.cards {
		t.won[i], t.sum[i], t.square[i], t.best[i] = next(), next(), next(), next()
		if t.exact != nil {
			t.exact[i] = next()
		}
		for j := range i {
			t.apart[i][j] = next()
			t.apart[j][i] = t.apart[i][j]
		}
	}
	if bad || len(b) > 0 || (t.exact != nil) != q.Exact() {
		return nil, errTally
	}
	return t, nil
}

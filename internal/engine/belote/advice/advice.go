// Package advice says which card to play in Belote Découverte while cards are face down (package worlds).
//
// It has two judges. Sampling searches worlds, each exactly and with all cards known to both players, and takes the mean of each card over
// them. This is determinisation, or PIMC: perfect-information Monte Carlo (Ginsberg, "GIB: Imperfect Information in a Computationally
// Challenging Game", 2001). Every card is searched in the same worlds, so that two cards are compared by the differences within the worlds.
// Expectimax computes the exact value with the cards face down, where few are. The two differ, since a player of a world plays as if it saw
// the cards (strategy fusion).
package advice

import (
	"context"
	"errors"
	"slices"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/random"
)

// Method says how cards are judged.
type Method uint8

// The methods.
const (
	Auto     Method = iota // Exact where it is computed, otherwise Sampling
	Sampling               // the means over worlds
	Exact                  // expectimax, with the means beside it
)

var methodNames = [3]string{"auto", "sampling", "expectimax"}

// String returns the name of the method in JSON.
func (m Method) String() string { return methodNames[m%3] }

// ParseMethod reads auto, sampling or expectimax.
func ParseMethod(text string) (Method, error) {
	return violation.ParseWord[Method](text, methodNames[:]...)
}

// affordable has, by the number of hidden cards, the greatest number of cards left to play with which expectimax is computed. With at most
// one hidden card there is one world, and its search is the exact value. lab/docs/belote/README.md has the states that expectimax takes.
var affordable = [...]int{
	0: 32, 1: 32, // the whole deck
	2: 18, 3: 18, 4: 18,
	5: 16, 6: 16,
}

// Affordable returns the greatest number of hidden cards with which expectimax is computed, and the greatest number of cards left to play
// if as many are hidden as given.
func Affordable(hidden int) (mostHidden, mostLeft int) {
	if hidden < len(affordable) {
		mostLeft = affordable[hidden]
	}
	return len(affordable) - 1, mostLeft
}

// Question asks which card to play. The view must not be finished.
type Question struct {
	View    *worlds.View
	Flip    worlds.Flip
	Utility search.Utility
	Method  Method
	Worlds  int // how many worlds are searched, at least 2; all of them if there are no more, or if Exact
	Seed    uint64
	NoMeans bool // no worlds are searched where expectimax is computed: a player does not need them
}

// Exact reports whether the answer has the values of expectimax.
func (q *Question) Exact() bool {
	_, most := Affordable(q.View.Hidden())
	return q.Method != Sampling && q.View.Left() <= most
}

// Searched returns how many worlds are searched, and whether they are all.
func (q *Question) Searched() (n int, all bool) {
	w := q.View.Worlds()
	switch {
	case q.Exact() && q.NoMeans && w > 1:
		return 0, false
	case q.Exact() || w <= uint64(q.Worlds): // at most 720 where expectimax is computed
		return int(w), true
	}
	return q.Worlds, false
}

// Solver solves positions. *search.Solver is one.
type Solver interface {
	Solve(ctx context.Context, q search.Query) (search.Result, error)
}

var errMoves = errors.New("the search of a world has not returned the legal cards")

// Ask searches the worlds and computes expectimax where it is affordable. pause, which may be nil, is called at intervals of about 100 µs;
// its error ends the work. progress, which may be nil, is called with the number of worlds searched.
func (q *Question) Ask(ctx context.Context, s Solver, pause func() error, progress func(worlds int)) (*Tally, error) {
	now := q.View.Now()
	t := newTally(now.Legal())
	n, all := q.Searched()
	rng := random.New(q.Seed, worldStream)
	for i := range n {
		var p belote.Position
		if all {
			p = q.View.World(uint64(i))
		} else {
			p = q.View.Draw(rng)
		}
		r, err := s.Solve(ctx, search.Query{Position: p, Utility: q.Utility, Goal: search.Moves, NoLine: true, Pause: pause})
		t.Generated += r.Generated
		if err != nil {
			return nil, err
		}
		if err := t.add(r.Moves, q.Utility); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(i + 1)
		}
	}
	if !q.Exact() {
		return t, nil
	}
	if all && n == 1 { // expectimax is the search of the only world
		t.exact = make([]int64, len(t.cards))
		copy(t.exact, t.sum)
		return t, nil
	}
	e := Expectimax{Utility: q.Utility, Flip: q.Flip, Pause: pause}
	sums, err := e.Values(q.View)
	if err != nil {
		return nil, err
	}
	t.exact, t.States = sums.Values, sums.States
	t.Generated += sums.States
	return t, nil
}

// worldStream names the random numbers of worlds among the streams of a seed.
const worldStream = 0x776f726c

// preferred returns the legal cards in the order in which equal ones are preferred: the fewest points, then the weakest, then by the order
// of the deck. So a good card is not given away for nothing.
func preferred(t belote.Trump, legal piquet.Set) []piquet.Card {
	list := legal.Slice()
	slices.SortStableFunc(list, func(a, b piquet.Card) int {
		if d := t.Points(a) - t.Points(b); d != 0 {
			return d
		}
		return t.Strength(a) - t.Strength(b)
	})
	return list
}

package nim

import (
	"math/rand/v2"
	"slices"

	"roem/internal/engine/match"
	"roem/internal/engine/violation"
)

// seat is a player: 0 begins.
type seat uint8

// hand is a game at one moment. Nothing is hidden: it is also what a player sees.
type hand struct {
	Piles []int
	Next  seat // to move
}

// moves returns the moves.
func (h hand) moves() []NimMove {
	moves := []NimMove{}
	for i, size := range h.Piles {
		for n := range size {
			moves = append(moves, NimMove{Pile: i, Take: n + 1})
		}
	}
	return moves
}

// Turn returns who is to move. Who cannot has lost: the other player has taken the last object.
func (h hand) Turn() (p seat, ok bool) { return h.Next, slices.Max(h.Piles) > 0 }

// View returns the hand.
func (h hand) View(seat) hand { return h }

// Act returns the hand after a move.
func (h hand) Act(m NimMove) (hand, error) {
	if m.Pile < 0 || m.Pile >= len(h.Piles) || m.Take < 1 || m.Take > h.Piles[m.Pile] {
		return h, violation.New(violation.NotLegal, "is more than the pile has").At("/take")
	}
	next := hand{slices.Clone(h.Piles), 1 - h.Next}
	next.Piles[m.Pile] -= m.Take
	return next, nil
}

// winning returns the moves after which the exclusive or of the piles is 0: from there, every move leads to a position with such a move
// (Bouton 1901).
func (h hand) winning() []NimMove {
	return slices.DeleteFunc(h.moves(), func(m NimMove) bool {
		next, err := h.Act(m)
		sum := 0
		for _, size := range next.Piles {
			sum ^= size
		}
		return err != nil || sum != 0
	})
}

// kinds are the players of the program.
var kinds = []match.Kind[match.Player[hand, NimMove]]{
	match.NewRule("best", func(h hand, _ *rand.Rand) NimMove { return append(h.winning(), h.moves()...)[0] }),
	match.NewRule("random", func(h hand, rng *rand.Rand) NimMove { return h.moves()[rng.IntN(len(h.moves()))] }),
}

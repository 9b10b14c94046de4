package nim

import "slices"

// piles are the sizes of the piles of a position.
type piles []int

// moves returns the moves of a position.
func (p piles) moves() []NimMove {
	moves := []NimMove{}
	for i, size := range p {
		for n := range size {
			moves = append(moves, NimMove{Pile: i, Take: n + 1})
		}
	}
	return moves
}

// after returns the position after a move.
func (p piles) after(m NimMove) piles {
	next := slices.Clone(p)
	next[m.Pile] -= m.Take
	return next
}

// over reports whether nothing is left, so that the player who moved last has won.
func (p piles) over() bool { return slices.Max(p) == 0 }

// winning returns the moves after which the exclusive or of the piles is 0: from there, every move leads to a position with such a move
// (Bouton 1901).
func (p piles) winning() []NimMove {
	return slices.DeleteFunc(p.moves(), func(m NimMove) bool {
		sum := 0
		for _, size := range p.after(m) {
			sum ^= size
		}
		return sum != 0
	})
}

package tabletest

import "roem/internal/engine/violation"

// Pile is a hand of two seats that take one, two or three in turns from a pile. A seat sees what is left, and which seat it is.
type Pile struct{ Left, Acts int }

// Turn returns the seat to act.
func (p Pile) Turn() (seat uint8, ok bool) { return uint8(p.Acts % 2), p.Left > 0 }

// View returns what a seat has seen.
func (p Pile) View(seat uint8) [2]int { return [2]int{p.Left, int(seat)} }

// Act takes some.
func (p Pile) Act(n int) (Pile, error) {
	if n < 1 || n > min(p.Left, 3) {
		return p, violation.New(violation.NotLegal, "may not be taken")
	}
	return Pile{p.Left - n, p.Acts + 1}, nil
}

// Last returns the seat that has acted last.
func (p Pile) Last() int { return (p.Acts + 1) % 2 }

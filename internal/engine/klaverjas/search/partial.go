package search

import "roem/internal/engine/piquet"

// An interrupted search has no answer, but its progress is related to it: if the search has tried six of a declarer's eight cards
// without finding a win, the other two rarely win.

// Plies is the number of cards of a line that Result.Partial covers: two tricks.
const Plies = 8

// Choice is one choice on the line of play that was being searched when the search was interrupted.
type Choice struct {
	Cards uint8       // legal cards; 0 if there is only one, or if the line is shorter
	Done  uint8       // legal cards that the search has finished or pruned
	Team  piquet.Team // the team that chooses
}

// notePartial records a choice while an interrupted search returns: the legal cards, and those left to try after the card that was
// being tried.
func (s *searcher) notePartial(left, legal, todo uint32, seat uint8) {
	if ply := s.cards - popcount(left); ply < Plies {
		n := popcount(legal)
		s.partial[ply] = Choice{Cards: uint8(n), Done: uint8(n - 1 - popcount(todo)), Team: piquet.Team(seat & 1)}
	}
}

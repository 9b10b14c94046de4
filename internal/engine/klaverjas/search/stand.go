package search

import "roem/internal/cards"

// Where a search stood when it was stopped, before it knew the answer, still tells something of it: a declarer who has found
// nothing in six of his eight cards will hardly find it in the other two.

// Plies is how many cards of a line Result.Stood is about: two tricks.
const Plies = 8

// Choice is one of the choices on the line of play at which a search was stopped.
type Choice struct {
	Cards uint8      // that can be played there; 0 where there is no choice, or where the line is not so long
	Done  uint8      // those of them that the search has done with, or need not look at
	Team  cards.Team // that chooses
}

// stands notes a choice on the way back from a search that was stopped: the cards that can be played, and those still to try
// after the one that was being tried.
func (s *searcher) stands(left, legal, todo uint32, seat uint8) {
	if ply := s.cards - popcount(left); ply < Plies {
		n := popcount(legal)
		s.stood[ply] = Choice{Cards: uint8(n), Done: uint8(n - 1 - popcount(todo)), Team: cards.Team(seat & 1)}
	}
}

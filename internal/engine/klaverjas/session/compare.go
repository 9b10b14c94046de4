package session

import (
	"context"
	"slices"

	"roem/internal/engine/klaverjas/bidding"
)

// comparable reports whether the present hand is over and has not been played again for comparison.
func (s Session) comparable() bool {
	n := len(s.results)
	return s.setup.Compare != nil && n > s.number && s.results[n-1].Compared == nil
}

// again returns the present hand at its beginning.
func (s Session) again() (Session, error) {
	s.past, s.results, s.acts = nil, nil, nil
	return s.deal()
}

// compare plays the present hand again, from the first call, with the player Setup.Compare in the seat of the player outside. The others
// draw the same numbers as before, so that they act as before as long as the seat does.
func (s Session) compare(ctx context.Context, o Others) (Session, error) {
	t, err := s.again()
	for err == nil && len(t.results) == 0 {
		t, err = t.step(ctx, o)
	}
	if err != nil {
		return s, err
	}
	return s.withCompared(t), nil
}

// restoreCompared takes what was said and played in the hand for comparison from a stored session.
func (s Session) restoreCompared(h Hand) (Session, error) {
	t, err := s.again()
	if err == nil {
		t, err = t.redo(h)
	}
	if err != nil {
		return s, err
	}
	if len(t.results) == 0 || !s.comparable() {
		return s, &Contradicts{Number: len(t.played)}
	}
	return s.withCompared(t), nil
}

// withCompared returns the session with t as the comparison of the present hand, which is over in both.
func (s Session) withCompared(t Session) Session {
	s.results = slices.Clone(s.results)
	calls := []bidding.Call(nil)
	if s.setup.Bidding {
		calls = t.auction.Calls()
	}
	s.results[len(s.results)-1].Compared = &Again{Hand: Hand{Calls: calls, Played: t.played}, Result: t.results[0]}
	return s
}

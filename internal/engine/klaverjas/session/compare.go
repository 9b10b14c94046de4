package session

import (
	"context"
	"slices"
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

// Again plays the present hand from the first call, with the player Setup.Compare in the seat of the player outside. The others draw the
// same numbers as in the session, so that they act as there as long as the seat does. The error is one of Advance.
func (s Session) Again(ctx context.Context, o Others) (Again, error) {
	t, err := s.again()
	for err == nil && len(t.results) == 0 {
		t, err = t.step(ctx, o)
	}
	if err != nil {
		return Again{}, err
	}
	return t.asAgain(), nil
}

// asAgain returns a session of one hand, which is over, as a comparison.
func (s Session) asAgain() Again {
	out := Again{Hand: Hand{Played: s.played}, Result: s.results[0]}
	if s.setup.Bidding {
		out.Hand.Calls = s.auction.Calls()
	}
	return out
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
	return s.withCompared(t.asAgain()), nil
}

// withCompared returns the session with the comparison of the present hand, which is over.
func (s Session) withCompared(a Again) Session {
	s.results = slices.Clone(s.results)
	s.results[len(s.results)-1].Compared = &a
	return s
}

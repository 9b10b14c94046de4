package session_test

import (
	"slices"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// If the client chooses its cards as the player does that it is compared with, both results are the same in every hand. If it does not, the
// others play as before up to the first other card.
func TestCompared(t *testing.T) {
	simple := kind(t, "simple")
	for i, u := range setups(t, 40, 9) {
		u.Compare = &simple
		if i%8 != 0 {
			u.Hands = 1
		}
		alike, other := begin(t, u), begin(t, u)
		for alike.State() != session.Over {
			alike = do(t, alike, simpleAct(t, alike))
		}
		for n, r := range session.See(alike).Results {
			if r.Again == nil || players.Sheet(r.Again.Position()) != players.Sheet(r.Position()) {
				t.Fatalf("session %d, hand %d: the player has %+v, the client %v", i, n+1, r.Again, r.Position())
			}
		}
		rng := random.New(uint64(i), 10)
		for other.State() != session.Over {
			other = do(t, other, act(rng, other))
		}
		checkStored(t, other)
		for n, r := range session.See(other).Results {
			ours, its := r.Played(), r.Again.Played()
			seat, leader := u.Seat, r.Deal().Leader
			if r.Again.Deal().Trump != r.Deal().Trump {
				continue
			}
			trick := klaverjas.Trick{Leader: leader, Winner: leader}
			for at, c := range its {
				if c != ours[at] {
					if trick.Turn() != seat && (r.By() == nil || *r.By() == *r.Again.By()) {
						t.Errorf("session %d, hand %d: %s plays otherwise in card %d", i, n+1, trick.Turn(), at+1)
					}
					break
				}
				if trick = trick.With(c, r.Deal().Trump); trick.Len == 4 {
					trick = klaverjas.Trick{Leader: trick.Winner, Winner: trick.Winner}
				}
			}
		}
	}
}

// simpleAct returns what the player simple, or the policy of the bidding, does.
func simpleAct(t *testing.T, s session.Session) session.Act {
	t.Helper()
	sight := session.See(s)
	switch sight.State {
	case session.Bidding:
		return call(others().Call(klaverjas.Rules(s.Match().Rules), *sight.View.Auction, sight.View.Hand))
	case session.Playing:
		choice, err := players.Simple{}.Choose(t.Context(), sight.View.View)
		if err != nil {
			t.Fatal(err)
		}
		return card(choice.Card)
	case session.HandOver, session.Over:
	}
	return session.Act{Next: true}
}

// A session that begins in a position has its cards, of which none is an act of the client.
func TestBegun(t *testing.T) {
	rng := random.New(11)
	for i, u := range setups(t, 40, 11) {
		u.Flow, u.Trump, u.Declarer, u.Leader, u.Hands, u.Again = nil, nil, nil, nil, 1, false
		u.Begun = begun(t, rng, klaverjas.Rules(u.Rules))
		s := begin(t, u)
		sight := session.See(s)
		if len(s.Acts()) != 0 || sight.View.Hand != u.Begun.Hands[u.Seat] {
			t.Fatalf("session %d begins with %d acts and the hand %s", i, len(s.Acts()), sight.View.Hand)
		}
		played := sight.View.Played
		if n := len(u.Begun.Played); len(played) < n || !slices.Equal(played[:n], []piquet.Card(u.Begun.Played)) {
			t.Fatalf("session %d begins with %v, want %v first", i, played, u.Begun.Played)
		}
		if _, ok := s.TakeBack(); ok {
			t.Fatalf("session %d: a card before the session is taken back", i)
		}
		checkStored(t, s)
	}
}

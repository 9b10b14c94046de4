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
		for n, r := range alike.Sight().Results {
			if r.Compared == nil || r.Compared.Result.Points != r.Points {
				t.Fatalf("session %d, hand %d: the player has %+v, the client %v", i, n+1, r.Compared, r.Points)
			}
		}
		rng := random.New(uint64(i), 10)
		for other.State() != session.Over {
			other = do(t, other, act(rng, other))
		}
		checkStored(t, other)
		for n, r := range other.Sight().Results {
			ours, its := other.Hands()[n], r.Compared.Hand
			seat, leader := u.Seat, r.Compared.Result.Leader
			if len(its.Calls) > 0 && r.Compared.Result.Trump != r.Trump {
				continue
			}
			trick := klaverjas.Trick{Leader: leader, Winner: leader}
			for at, c := range its.Played {
				if c != ours.Played[at] {
					if trick.Turn() != seat && (r.By == nil || *r.By == *r.Compared.Result.By) {
						t.Errorf("session %d, hand %d: %s plays otherwise in card %d", i, n+1, trick.Turn(), at+1)
					}
					break
				}
				if trick = trick.With(c, r.Trump); trick.Len == 4 {
					trick = klaverjas.Trick{Leader: trick.Winner, Winner: trick.Winner}
				}
			}
		}
	}
}

// simpleAct returns what the player simple, or the policy of the bidding, does.
func simpleAct(t *testing.T, s session.Session) session.Act {
	t.Helper()
	sight := s.Sight()
	switch sight.State {
	case session.Bidding:
		return session.Act{Kind: session.MakeCall, Call: others().Call(s.Setup().Rules, *sight.Auction, sight.Hand)}
	case session.Playing:
		choice, err := players.Simple{}.Choose(t.Context(), *sight.View)
		if err != nil {
			t.Fatal(err)
		}
		return session.Act{Kind: session.PlayCard, Card: choice.Card}
	case session.HandOver, session.Over:
	}
	return session.Act{Kind: session.NextHand}
}

// A session that begins in a position has its cards, of which none is an act of the client.
func TestBegun(t *testing.T) {
	rng := random.New(11)
	for i, u := range setups(t, 40, 11) {
		u.Bidding, u.Trump, u.Declarer, u.Leader, u.Hands, u.Again = false, nil, nil, nil, 1, false
		u.Begun = begun(t, rng, u.Rules)
		s := begin(t, u)
		sight := s.Sight()
		if len(s.Acts()) != 0 || sight.Hand != u.Begun.Deal.Hands[u.Seat] {
			t.Fatalf("session %d begins with %d acts and the hand %s", i, len(s.Acts()), sight.Hand)
		}
		var played []piquet.Card
		if sight.View != nil {
			played = sight.View.Played
		}
		if n := len(u.Begun.Played); len(played) < n || !slices.Equal(played[:n], u.Begun.Played) {
			t.Fatalf("session %d begins with %v, want %v first", i, played, u.Begun.Played)
		}
		checkStored(t, s)
	}
}

// A session that was stored before sessions had positions, claims and comparisons is still read.
func TestDecodeOld(t *testing.T) {
	const old = `{"v":1,"rules":{"system":"rotterdam","under_ruff":"forced","melds":true,"four_of_a_kind":{"7":100,"8":100,"9":100,"10"` +
		`:100,"J":100,"Q":100,"K":100,"A":100},"pit":{"declarers":100,"defenders":0},"nat_melds":"defenders"},"seat":"S","playe` +
		`rs":["simple","logical"],"hands":16,"flow":"free","leader":"W","secret":[7,0],"seed":true,"history":[{"calls":"S","pla` +
		`yed":"AC 9C 7C QC 10C KC JC 8C 8D 10D 9D 7D 10H 7H 8H KH QD JD QS 9S 8S 10S JS JH 7S QH KS 9H AS AD KD AH"},{"calls":"` +
		`C","played":"JC QC 10C 8C KD 7D 9D 8D 10H JH 9H 7H 10S AS"}]}`
	s, err := session.Decode([]byte(old))
	if err != nil {
		t.Fatal(err)
	}
	sight := s.Sight()
	if sight.State != session.Playing || sight.Acts != 12 || sight.Totals != [2]int{74, 138} {
		t.Errorf("read as the state %s after %d acts, totals %v", sight.State, sight.Acts, sight.Totals)
	}
	if text, err := s.Encode(); err != nil || string(text) != old {
		t.Errorf("stored again as %s, %v", text, err)
	}
}

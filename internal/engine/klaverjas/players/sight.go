package players

import (
	"errors"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// sight is what the players by rules of thumb read off a view.
type sight struct {
	view   *worlds.View
	plays  []play
	trick  klaverjas.Trick // on the table
	own    piquet.Set      // the cards left in the seat's hand
	legal  piquet.Set
	played piquet.Set
	unseen piquet.Set
	left   [4]int        // the cards left in each hand
	may    [4]piquet.Set // the unseen cards that no card played excludes from a hand, one by one
}

// play is a card played.
type play struct {
	card  piquet.Card
	seat  piquet.Seat
	trick klaverjas.Trick // after the card
}

var errTurn = errors.New("it is not the turn of the view's seat")

// look reads a view in which it is the turn of its seat.
func look(v *worlds.View) (sight, error) {
	s := sight{
		view: v, plays: make([]play, 0, len(v.Played)), trick: klaverjas.Trick{Leader: v.Leader, Winner: v.Leader},
		own: v.Hand, unseen: piquet.Deck &^ v.Hand, left: [4]int{8, 8, 8, 8},
	}
	var excluded [4]piquet.Set
	for _, c := range v.Played {
		seat := s.trick.Turn()
		excluded[seat] |= v.Rules.Excluded(v.Trump, s.trick, c)
		s.trick = s.trick.With(c, v.Trump)
		s.plays = append(s.plays, play{c, seat, s.trick})
		s.own, s.unseen, s.played = s.own.Without(c), s.unseen.Without(c), s.played.With(c)
		s.left[seat]--
		if s.trick.Len == 4 {
			s.trick = klaverjas.Trick{Leader: s.trick.Winner, Winner: s.trick.Winner}
		}
	}
	var open piquet.Set
	for _, known := range v.Known {
		open |= known
	}
	for _, seat := range piquet.Seats() {
		if seat != v.Seat {
			s.may[seat] = s.unseen &^ excluded[seat] &^ (open &^ v.Known[seat])
		}
	}
	if s.trick.Turn() != v.Seat {
		return s, errTurn
	}
	s.legal = v.Rules.Legal(v.Trump, s.trick, s.own)
	if s.legal.Empty() {
		return s, errors.New("the hand is finished")
	}
	return s, nil
}

// led returns the suit led to the trick on the table, which must not be empty.
func (s *sight) led() piquet.Suit { return s.trick.Cards[0].Suit() }

// winning returns the card that is winning the trick on the table, which must not be empty.
func winning(t *klaverjas.Trick) piquet.Card { return t.Cards[t.Winner.Minus(t.Leader)] }

package playout

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Manner says how a card was played.
type Manner uint8

// The manners.
const (
	Led         Manner = iota // to an empty trick
	FollowUnder               // in the led suit, while an opponent was winning
	FollowOver                // in the led suit, while the partner was winning
	OtherUnder                // in another suit, while an opponent was winning
	OtherOver                 // in another suit, while the partner was winning
	Manners                   // their number
)

// Table is what everybody has seen of a hand: the cards played, and what follows from each of them. It does not know who holds which card.
// It is a value: a copy is another table.
type Table struct {
	Rules    *klaverjas.Rules // not changed
	Trump    piquet.Suit
	Declarer piquet.Team
	Trick    klaverjas.Trick // the trick on the table, empty between tricks
	Score    klaverjas.Score // of the tricks that are complete
	Taken    [2]int          // tricks, by team
	Played   int             // the number of cards played
	Gone     piquet.Set      // the cards played
	Thrown   piquet.Set      // the plain cards played to a trick of another suit
	Excluded [4]piquet.Set   // the cards that each seat cannot hold beside those that it has played, by the rules
	Leader   piquet.Seat     // of the first trick
	by       [32]uint8       // of each card played: the seat and the manner
	line     [32]piquet.Card // the cards played, in order
}

// NewTable returns the table of a hand before its first card.
func NewTable(r *klaverjas.Rules, trump piquet.Suit, leader piquet.Seat, declarer piquet.Team) Table {
	return Table{Rules: r, Trump: trump, Declarer: declarer, Leader: leader, Trick: klaverjas.Trick{Leader: leader, Winner: leader}}
}

// TableOf returns the table of a view.
func TableOf(v *worlds.View) Table {
	t := NewTable(&v.Rules, v.Trump, v.Leader, v.Declarer)
	for _, c := range v.Played {
		t.Play(c)
	}
	return t
}

// Turn returns the seat that plays next.
func (t *Table) Turn() piquet.Seat { return t.Trick.Turn() }

// Legal returns the legal cards of the seat that plays next, which holds own.
func (t *Table) Legal(own piquet.Set) piquet.Set { return t.Rules.Legal(t.Trump, t.Trick, own) }

// Finished reports whether all cards have been played.
func (t *Table) Finished() bool { return t.Played == piquet.Deck.Len() }

// Outcome returns the OUTCOME of a finished hand, in points from the declarers' side.
func (t *Table) Outcome() int { return t.Rules.Outcome(t.Score, t.Declarer) }

// Line returns the cards played, in order. They are not to be changed.
func (t *Table) Line() []piquet.Card { return t.line[:t.Played] }

// PlayedBy returns the cards that a seat has played.
func (t *Table) PlayedBy(seat piquet.Seat) (played piquet.Set) {
	for _, c := range t.Line() {
		if by, _ := t.By(c); by == seat {
			played = played.With(c)
		}
	}
	return played
}

// By returns who played a card that is gone, and how.
func (t *Table) By(c piquet.Card) (piquet.Seat, Manner) {
	by := t.by[c&31]
	return piquet.Seat(by / uint8(Manners)), Manner(by % uint8(Manners))
}

// Play plays a legal card of the seat whose turn it is.
func (t *Table) Play(c piquet.Card) {
	seat, how := t.Turn(), mannerOf(&t.Trick, c)
	t.by[c&31] = uint8(seat)*uint8(Manners) + uint8(how)
	if how >= OtherUnder && c.Suit() != t.Trump {
		t.Thrown = t.Thrown.With(c)
	}
	t.Excluded[seat] |= t.Rules.Excluded(t.Trump, t.Trick, c)
	t.Trick = t.Trick.With(c, t.Trump)
	t.Gone = t.Gone.With(c)
	t.line[t.Played&31] = c
	t.Played++
	if t.Trick.Len == len(t.Trick.Cards) {
		t.endTrick()
	}
}

func (t *Table) endTrick() {
	winner := t.Trick.Winner
	team := winner.Team()
	t.Score.Melds[team] += t.Rules.Meld(t.Trick.Set(), t.Trump)
	for _, c := range t.Trick.Cards {
		t.Score.Tricks[team] += klaverjas.Points(c, t.Trump)
	}
	t.Taken[team]++
	t.Trick = klaverjas.Trick{Leader: winner, Winner: winner}
	if !t.Finished() {
		return
	}
	t.Score.Tricks[team] += klaverjas.LastTrick
	switch {
	case t.Taken[team.Opponents()] != 0:
	case team == t.Declarer:
		t.Score.Melds[team] += t.Rules.Pit.Declarers
	default:
		t.Score.Melds[team] += t.Rules.Pit.Defenders
	}
}

func mannerOf(t *klaverjas.Trick, c piquet.Card) Manner {
	partner := t.Len > 0 && t.Winner == t.Turn().Partner()
	switch {
	case t.Len == 0:
		return Led
	case c.Suit() == t.Cards[0].Suit() && !partner:
		return FollowUnder
	case c.Suit() == t.Cards[0].Suit():
		return FollowOver
	case !partner:
		return OtherUnder
	default:
		return OtherOver
	}
}

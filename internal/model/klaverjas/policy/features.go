package policy

import (
	"math/bits"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/piquet"
)

const manners = int(playout.Manners)

// The states of a card of the suit: held by the seat to play; unseen, with the set of the other seats that may hold it; or played, with the
// seat and the manner.
const (
	stateOwn    = 0
	stateUnseen = stateOwn + 1
	statePlayed = stateUnseen + 8
	states      = statePlayed + 4*manners
)

// The states of a trump, for a plain suit. All played ones are alike.
const (
	trumpOwn    = 0
	trumpUnseen = 1
	trumpGone   = trumpUnseen + 8
	trumpStates = trumpGone + 1
)

// The inputs are numbers, each of which is present once, several times or not at all. Seats are counted from the seat to play, in the
// order of play.
const (
	atState  = 0                       // face x state of the suit
	atTable  = atState + 8*states      // a card of the suit in the trick on the table: seat x face
	atTrump  = atTable + 4*8           // face x state of the trumps, for plain suits
	atMeld   = atTrump + 8*trumpStates // a legal card that makes a meld: face x (20, up to 50, more)
	atPlace  = atMeld + 8*3            // the number of cards in the trick x what is led: nothing, this suit, trump, another plain suit
	atWinner = atPlace + 4*4           // who is winning the trick, by seat, x whether by a trump
	atHigh   = atWinner + 4*2          // the winning card: of this suit, trump or another suit, x face
	atPoints = atHigh + 3*8            // the points in the trick, in steps of 6
	atVoid   = atPoints + 6            // a seat that can hold no card of the suit
	atRuff   = atVoid + 4              // a seat that can hold no trump
	atOther  = atRuff + 4              // another plain suit: the number of cards held, x whether the highest of them is a top
	atTricks = atOther + 18            // the number of tricks played
	atMargin = atTricks + 8            // the declarers' points less the defenders', in steps of 20
	atSweep  = atMargin + 16           // the seat's team has won all tricks; none
	atUs     = atSweep + 2             // the seat's team declares
	atRules  = atUs + 1                // the rules are the default rules of Amsterdam
	atTop    = atRules + 1             // a top of the suit that the seat holds, by face
	atThrow  = atTop + 8               // a plain card of another suit that was thrown: seat x (opponent, partner winning) x face

	// Inputs is the number of inputs.
	Inputs = atThrow + 4*2*8
)

// faces are the eight cards of a suit.
const faces = 8

// scene is a decision: the inputs of its suits are made from it.
type scene struct {
	t          *playout.Table
	seat       piquet.Seat
	own, legal piquet.Set
	allowed    [3]piquet.Set // the cards that the rules allow each other seat, from the next one on
	trumped    []uint16      // the states of the trumps, if they have been asked for
}

// sceneOf returns the decision of the seat to play, which holds own. The list of trumps is emptied and used.
func sceneOf(t *playout.Table, own, legal piquet.Set, trumps []uint16) scene {
	s := scene{t: t, seat: t.Turn(), own: own, legal: legal, trumped: trumps[:0]}
	for i := range s.allowed {
		s.allowed[i] = piquet.Deck &^ t.Excluded[s.seat.Plus(i+1)]
	}
	return s
}

// common appends the inputs that are the same for all suits.
func (s *scene) common(in []uint16) []uint16 {
	t, us := s.t, s.seat.Team()
	in = append(in, uint16(atTricks+t.Played/4))
	margin := (t.Score.Sum(t.Declarer) - t.Score.Sum(t.Declarer.Opponents()) + 160) / 20
	in = append(in, uint16(atMargin+max(0, min(15, margin))))
	if t.Played >= 4 {
		if t.Taken[us.Opponents()] == 0 {
			in = append(in, uint16(atSweep))
		} else if t.Taken[us] == 0 {
			in = append(in, uint16(atSweep+1))
		}
	}
	if us == t.Declarer {
		in = append(in, uint16(atUs))
	}
	if t.Rules.System == klaverjas.Amsterdam {
		in = append(in, uint16(atRules))
	}
	in = s.without(in, t.Trump, atRuff)
	if t.Trick.Len == 0 {
		return in
	}
	high := s.high()
	by := 0
	if high.Suit() == t.Trump {
		by = 1
	}
	points := 0
	for _, c := range t.Trick.Cards[:t.Trick.Len] {
		points += klaverjas.Points(c, t.Trump)
	}
	return append(in, uint16(atWinner+2*t.Trick.Winner.Minus(s.seat)+by), uint16(atPoints+min(points/6, 5)))
}

// high returns the card that is winning the trick.
func (s *scene) high() piquet.Card { return s.t.Trick.Cards[s.t.Trick.Winner.Minus(s.t.Trick.Leader)] }

// without appends, from an input on, the other seats that can hold no card of a suit.
func (s *scene) without(in []uint16, suit piquet.Suit, at int) []uint16 {
	for i := 1; i < 4; i++ {
		if (s.allowed[i-1] &^ (s.t.Gone | s.own)).InSuit(suit).Empty() {
			in = append(in, uint16(at+i))
		}
	}
	return in
}

// may returns the set of the other seats that may hold an unseen card: bit i-1 for the seat i places after the seat to play.
func (s *scene) may(c piquet.Card) int {
	c &= 31
	return int(s.allowed[0]>>c&1 | s.allowed[1]>>c&1<<1 | s.allowed[2]>>c&1<<2)
}

// suit appends the inputs of a suit.
func (s *scene) suit(in []uint16, suit piquet.Suit) []uint16 {
	t := s.t
	for f := range piquet.Face(faces) {
		c := piquet.Of(suit, f)
		state := stateOwn
		switch {
		case s.own.Has(c):
		case t.Gone.Has(c):
			seat, how := t.By(c)
			state = statePlayed + seat.Minus(s.seat)*manners + int(how)
		default:
			state = stateUnseen + s.may(c)
		}
		in = append(in, uint16(atState+int(f)*states+state))
	}
	in = s.trick(in, suit)
	in = s.without(in, suit, atVoid)
	for other := range piquet.Suit(4) {
		if other != suit && other != t.Trump {
			top := 0
			if s.tops(other) != 0 {
				top = 9
			}
			in = append(in, uint16(atOther+top+s.own.InSuit(other).Len()))
		}
	}
	for tops := s.tops(suit); tops != 0; tops &= tops - 1 {
		in = append(in, uint16(atTop+bits.TrailingZeros8(tops)))
	}
	for thrown := t.Thrown; thrown != 0; thrown &= thrown - 1 {
		c := thrown.First()
		if from, how := t.By(c); c.Suit() != suit && from != s.seat {
			in = append(in, uint16(atThrow+(from.Minus(s.seat)*2+int(how-playout.OtherUnder))*faces+int(c.Face())))
		}
	}
	if suit != t.Trump {
		if len(s.trumped) == 0 {
			s.trumped = s.trumps(s.trumped)
		}
		in = append(in, s.trumped...)
	}
	return in
}

// trick appends the inputs of a suit that come from the trick on the table.
func (s *scene) trick(in []uint16, suit piquet.Suit) []uint16 {
	t := s.t
	if t.Trick.Len == 0 {
		return append(in, uint16(atPlace))
	}
	for i, c := range t.Trick.Cards[:t.Trick.Len] {
		if c.Suit() == suit {
			in = append(in, uint16(atTable+t.Trick.Leader.Plus(i).Minus(s.seat)*faces+int(c.Face())))
		}
	}
	kind := func(c piquet.Card) int {
		switch c.Suit() {
		case suit:
			return 0
		case t.Trump:
			return 1
		}
		return 2
	}
	high := s.high()
	in = append(in, uint16(atHigh+kind(high)*faces+int(high.Face())))
	if t.Rules.Melds && t.Trick.Len >= 2 {
		in = s.melds(in, suit)
	}
	return append(in, uint16(atPlace+4*t.Trick.Len+1+kind(t.Trick.Cards[0])))
}

// melds appends the legal cards of a suit that make a meld in the trick.
func (s *scene) melds(in []uint16, suit piquet.Suit) []uint16 {
	set := s.t.Trick.Set()
	now := s.t.Rules.Meld(set, s.t.Trump)
	for legal := s.legal.Faces(suit); legal != 0; legal &= legal - 1 {
		f := bits.TrailingZeros8(legal)
		switch more := s.t.Rules.Meld(set.With(piquet.Of(suit, piquet.Face(f))), s.t.Trump) - now; {
		case more <= 0:
		case more <= 20:
			in = append(in, uint16(atMeld+3*f))
		case more <= 50:
			in = append(in, uint16(atMeld+3*f+1))
		default:
			in = append(in, uint16(atMeld+3*f+2))
		}
	}
	return in
}

// trumps appends the states of the trumps.
func (s *scene) trumps(in []uint16) []uint16 {
	for f := range piquet.Face(faces) {
		c := piquet.Of(s.t.Trump, f)
		state := trumpOwn
		switch {
		case s.own.Has(c):
		case s.t.Gone.Has(c):
			state = trumpGone
		default:
			state = trumpUnseen + s.may(c)
		}
		in = append(in, uint16(atTrump+int(f)*trumpStates+state))
	}
	return in
}

// tops returns the faces of a suit that the seat holds and that no unseen card of the suit beats.
func (s *scene) tops(suit piquet.Suit) (tops uint8) {
	unseen := (piquet.Deck &^ (s.t.Gone | s.own)).Faces(suit)
	kind := 0
	if suit == s.t.Trump {
		kind = 1
	}
	for own := s.own.Faces(suit); own != 0; own &= own - 1 {
		f := bits.TrailingZeros8(own)
		if unseen&stronger[kind][f] == 0 {
			tops |= 1 << f
		}
	}
	return tops
}

// stronger has the faces that beat a face in its suit: in plain suits, and in trumps.
var stronger = func() (out [2][faces]uint8) {
	for f := range piquet.Face(faces) {
		for g := range piquet.Face(faces) {
			for i, trump := range [2]piquet.Suit{piquet.Diamonds, piquet.Clubs} { // of the clubs compared, a plain suit and trumps
				if klaverjas.Strength(piquet.Of(piquet.Clubs, g), trump) > klaverjas.Strength(piquet.Of(piquet.Clubs, f), trump) {
					out[i][f] |= 1 << g
				}
			}
		}
	}
	return out
}()

package tarok

import (
	"strconv"

	"roem/internal/engine/violation"
)

// Setup is what is decided before the first card.
type Setup struct {
	Deal     Deal
	Rules    Rules
	Contract Contract
	Declarer Player // without meaning in klop
	Group    int    // which group of the talon the declarer takes, from 0; without meaning if none is exchanged
	Discards Set    // the cards exchanged for them
}

// Leader returns who leads to the first trick.
func (s *Setup) Leader() Player {
	if s.Contract == Beggar || s.Contract == Zero || s.Rules.Leads == DeclarerLeads && s.Contract != Klop {
		return s.Declarer
	}
	return A
}

// Taken returns the cards that the declarer takes from the talon.
func (s *Setup) Taken() Set {
	if s.Contract.Exchange() == 0 {
		return 0
	}
	return s.Deal.Group(s.Contract, s.Group)
}

// Left returns the cards of the talon that the declarer does not take.
func (s *Setup) Left() Set { return SetOf(s.Deal.Talon[:]...) &^ s.Taken() }

// Hand returns the cards that a player holds before the first card, the declarer's after the exchange.
func (s *Setup) Hand(p Player) Set {
	hand := s.Deal.Hands[p]
	if p == s.Declarer {
		hand = (hand | s.Taken()) &^ s.Discards
	}
	return hand
}

// check returns what is wrong with the setup.
func (s *Setup) check() Violations {
	if bad := s.Deal.Check(); len(bad) > 0 {
		return bad
	}
	n := s.Contract.Exchange()
	if n == 0 {
		if !s.Discards.Empty() {
			return Violations{violation.New(violation.NotUsed, "%s has no exchange", s.Contract).At("/discards")}
		}
		return nil
	}
	if most := s.Contract.Groups(); s.Group < 0 || s.Group >= most {
		return Violations{violation.Beyond(s.Group, 0, most-1).At("/group")}
	}
	return CheckDiscards(s.Deal.Hands[s.Declarer]|s.Taken(), s.Discards, n)
}

// Position is a setup and the cards played so far. It is immutable.
type Position struct {
	setup  *Setup
	hands  [3]Set
	won    [3]Set // the cards won in tricks, in klop with the cards of the talon
	tricks [3]uint8
	trick  [3]Card // the cards on the table, the first n
	n      uint8
	leader Player
	played uint8
	last   Trick
	mond   int8 // the player whose mond was captured, or -1
}

// Trick is a finished trick.
type Trick struct {
	Leader, Winner Player
	Cards          [3]Card // from the leader
}

// By returns the card that a player played.
func (t *Trick) By(p Player) Card { return t.Cards[(p+3-t.Leader)%3] }

// NewPosition returns the position before the first card. Its error is Violations.
func NewPosition(s Setup) (Position, error) {
	if bad := s.check(); len(bad) > 0 {
		return Position{}, bad
	}
	p := Position{setup: &s, leader: s.Leader(), mond: -1}
	for _, player := range Players() {
		p.hands[player] = s.Hand(player)
	}
	return p, nil
}

// Setup returns what was decided before the first card.
func (p *Position) Setup() Setup { return *p.setup }

// Hand returns the cards that a player holds.
func (p *Position) Hand(player Player) Set { return p.hands[player] }

// Won returns the cards that a player has won in tricks, in klop with the cards of the talon that came with them.
func (p *Position) Won(player Player) Set { return p.won[player] }

// Tricks returns how many tricks a player has won.
func (p *Position) Tricks(player Player) int { return int(p.tricks[player]) }

// Played returns how many cards were played.
func (p *Position) Played() int { return int(p.played) }

// Leader returns who led the trick on the table, or leads the next one.
func (p *Position) Leader() Player { return p.leader }

// Trick returns the cards on the table, from the leader.
func (p *Position) Trick() []Card { return p.trick[:p.n:p.n] }

// Last returns the last finished trick. There is none if ok is false.
func (p *Position) Last() (t Trick, ok bool) { return p.last, p.played > 2 }

// Turn returns who is to play. If the hand is finished, it returns the winner of the last trick.
func (p *Position) Turn() Player { return p.leader.After(int(p.n)) }

// Finished reports whether every card has been played, or whether the declarer of a beggar has taken a trick.
func (p *Position) Finished() bool {
	return p.played == 3*HandSize || p.setup.Contract == Beggar && p.tricks[p.setup.Declarer] > 0
}

// Thirds returns what the declarer has in tricks and discards, in thirds of a point.
func (p *Position) Thirds() int {
	return (p.won[p.setup.Declarer] | p.setup.Discards).Thirds()
}

// Legal returns the cards that may be played. It is empty if the hand is finished.
func (p *Position) Legal() Set {
	if p.Finished() {
		return 0
	}
	return p.setup.Rules.Legal(p.setup.Contract, p.hands[p.Turn()], p.trick[:p.n])
}

// Play returns the position after the player to move plays c. Its error is an *IllegalCard.
func (p Position) Play(c Card) (Position, error) {
	if legal := p.Legal(); !legal.Has(c) {
		err := p.illegal(c, legal)
		return p, err
	}
	turn := p.Turn()
	p.hands[turn] = p.hands[turn].Without(c)
	p.trick[p.n] = c
	p.n++
	p.played++
	if p.n < 3 {
		return p, nil
	}
	at := p.setup.Rules.Winner(p.trick[:])
	winner := p.leader.After(at)
	p.last = Trick{Leader: p.leader, Winner: winner, Cards: p.trick}
	p.won[winner] |= SetOf(p.trick[:]...)
	if number := p.played / 3; p.setup.Contract == Klop && number <= TalonSize {
		p.won[winner] = p.won[winner].With(p.setup.Deal.Talon[number-1])
	}
	if owner := p.leader.After(p.place(Mond)); owner != winner && p.place(Mond) < 3 {
		p.mond = int8(owner)
	}
	p.tricks[winner]++
	p.leader, p.n = winner, 0
	return p, nil
}

// place returns the place of c in the full trick, or 3.
func (p *Position) place(c Card) int {
	for i, have := range p.trick {
		if have == c {
			return i
		}
	}
	return 3
}

// Replay plays the cards in order. Its error is Violations with the pointer of the first illegal card.
func (p Position) Replay(played []Card) (Position, error) {
	for i, c := range played {
		next, err := p.Play(c)
		if err != nil {
			return p, violation.Of("/played/"+strconv.Itoa(i), err)
		}
		p = next
	}
	return p, nil
}

func (p *Position) illegal(c Card, legal Set) error {
	turn := p.Turn()
	e := &IllegalCard{Card: c, Turn: turn, Legal: legal}
	hand := p.hands[turn]
	switch {
	case p.Finished():
		e.Code, e.Reason = violation.Over, "the hand is finished"
	case !hand.Has(c):
		e.Code, e.Reason = violation.NotHeld, "is to play and does not hold it"
	default:
		e.Code, e.Reason = p.setup.Rules.reason(c, legal, hand, p.trick[:p.n])
	}
	return e
}

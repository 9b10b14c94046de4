package belote

import (
	"fmt"
	"strconv"

	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// Position is a deal and the cards played so far. It is immutable.
//
// The card below one that was played is up at once. When it is turned changes what the players know, but no legal card and no value:
// the one who led plays again only after the trick.
type Position struct {
	deal   Deal
	under  *[32]piquet.Set // the card below each card, as a set of at most one card; fixed for a deal
	held   [2]piquet.Set   // the cards left, open and hidden
	up     [2]piquet.Set   // the open ones
	leader Player          // who leads the trick
	led    piquet.Card
	open   bool // a card was led and not followed yet
	points [2]int
	played int
}

// NewPosition returns the position at the start of a deal. Its error is Violations.
func NewPosition(d Deal) (Position, error) {
	if bad := d.check(); len(bad) > 0 {
		return Position{}, bad
	}
	p := Position{deal: d, leader: d.Leader & 1, under: new([32]piquet.Set)}
	for _, player := range Players() {
		for _, s := range d.Of(player) {
			p.held[player] = p.held[player].With(s.Top).With(s.Bottom)
			p.up[player] = p.up[player].With(s.Top)
			p.under[s.Top] = piquet.SetOf(s.Bottom)
		}
	}
	return p, nil
}

// Deal returns the deal the position comes from.
func (p *Position) Deal() Deal { return p.deal }

// Held returns the cards that a player has left, open and hidden.
func (p *Position) Held(player Player) piquet.Set { return p.held[player&1] }

// Up returns the open cards of a player.
func (p *Position) Up(player Player) piquet.Set { return p.up[player&1] }

// Under returns the card below c at the start of the deal, as a set of at most one card.
func (p *Position) Under(c piquet.Card) piquet.Set { return p.under[c&31] }

// Played returns how many cards have been played.
func (p *Position) Played() int { return p.played }

// Finished reports whether every card has been played.
func (p *Position) Finished() bool { return p.played == p.deal.Deck.Len() }

// Leader returns who led the trick on the table, or leads the next one.
func (p *Position) Leader() Player { return p.leader }

// Led returns the card that was led and not followed yet. There is none if ok is false.
func (p *Position) Led() (c piquet.Card, ok bool) { return p.led, p.open }

// Turn returns who is to play. If the hand is finished, it returns the winner of the last trick.
func (p *Position) Turn() Player {
	if p.open {
		return p.leader.Other()
	}
	return p.leader
}

// Points returns the points that a player has made.
func (p *Position) Points(player Player) int { return p.points[player&1] }

// Left returns the points that are not made yet, including the points of a card on the table.
func (p *Position) Left() int { return p.deal.Total() - p.points[A] - p.points[B] }

// Won reports whether the declarer has made the threshold.
func (p *Position) Won() bool { return p.points[p.deal.Declarer&1] >= p.deal.Threshold }

// Legal returns the cards that may be played. It is empty if the hand is finished.
func (p *Position) Legal() piquet.Set {
	if p.open {
		return p.deal.Trump.Legal(p.led, p.up[p.leader.Other()])
	}
	return p.up[p.leader]
}

// Play returns the position after the player to move plays c. Its error is an *IllegalCard.
func (p Position) Play(c piquet.Card) (Position, error) {
	if legal := p.Legal(); c > 31 || !legal.Has(c) {
		err := p.illegal(c&31, legal)
		return p, err
	}
	turn := p.Turn()
	p.held[turn] = p.held[turn].Without(c)
	p.up[turn] = p.up[turn].Without(c) | p.under[c]
	p.played++
	if !p.open {
		p.led, p.open = c, true
		return p, nil
	}
	points := p.deal.Trump.Points(p.led) + p.deal.Trump.Points(c)
	if p.deal.Trump.Beats(c, p.led) {
		p.leader = turn
	}
	if p.Finished() {
		points += LastTrick
	}
	p.points[p.leader] += points
	p.led, p.open = 0, false
	return p, nil
}

// Trick is a complete trick.
type Trick struct {
	Number int // from 1
	Leader Player
	Cards  [2]piquet.Card // from the leader
	Winner Player
	Points int // with the points of the last trick
}

// Completes returns the position after a card, as Play does, and the trick that the card completes, nil if it leads one.
func (p Position) Completes(c piquet.Card) (Position, *Trick, error) {
	next, err := p.Play(c)
	if err != nil || !p.open {
		return next, nil, err
	}
	t := Trick{Number: next.played / 2, Leader: p.leader, Cards: [2]piquet.Card{p.led, c}, Winner: next.leader}
	t.Points = next.points[t.Winner] - p.points[t.Winner]
	return next, &t, nil
}

// Replay plays the cards in order. Its error is Violations with the pointer of the first illegal card.
func (p Position) Replay(played []piquet.Card) (Position, error) {
	for i, c := range played {
		next, err := p.Play(c)
		if err != nil {
			return p, violation.Of("/played/"+strconv.Itoa(i), err)
		}
		p = next
	}
	return p, nil
}

func (p *Position) illegal(c piquet.Card, legal piquet.Set) error {
	turn := p.Turn()
	e := &IllegalCard{Card: c, Turn: turn, Legal: legal}
	switch {
	case p.Finished():
		e.Code, e.Reason = violation.Over, "every card has been played"
	case !p.deal.Deck.Has(c):
		e.Code, e.Reason = violation.NotInDeal, "is to play, and the card is not of a suit of the deal"
	case p.held[turn.Other()].Has(c):
		e.Code, e.Reason = violation.NotOnTurn, fmt.Sprintf("is to play and does not hold it (%s does)", turn.Other())
	case !p.held[turn].Has(c):
		e.Code, e.Reason = violation.NotHeld, "does not hold it: it has been played"
	case !p.up[turn].Has(c):
		e.Code, e.Reason = violation.NotHeld, "cannot play it while another card covers it"
	case !p.up[turn].InSuit(p.led.Suit()).Empty() && c.Suit() != p.led.Suit():
		e.Code, e.Reason = violation.MustFollowSuit, "must follow "+p.led.Suit().String()
	case c.Suit() == p.led.Suit():
		e.Code, e.Reason = violation.MustOvertrump, "must play a higher trump"
	default:
		e.Code, e.Reason = violation.MustRuff, "must trump"
	}
	return e
}

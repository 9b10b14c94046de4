package session

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// sure reports whether it is proven without looking at lines of play that one team takes all tricks that are left and that no roem can
// fall any more. Then the hand ends with the same points in each deal that agrees with what the seat has seen. card is what the seat plays
// then. There are two proofs:
//
//   - No card of one team beats a card of the other, and the other team leads or wins the trick on the table. Whatever is played, that team
//     wins each trick and leads again.
//   - The seat wins the trick on the table and then leads cards that nobody can beat, trumps first. A card is beaten by nobody if it is the
//     highest of its suit that is left, or if as many rounds of the suit have been led as any other player can hold cards of it.
//
// The second proof is about one order of the seat's cards. The seat cannot do better: its team takes everything.
func sure(k *worlds.Knowledge, now klaverjas.Position) (card piquet.Card, ok bool) {
	p := proof{k: k, trump: now.Deal().Trump, trick: now.Trick(), legal: now.Legal()}
	switch own := now.Turn().Team(); {
	case p.team(own), p.team(own.Opponents()):
		card, ok = p.legal.First(), true
	default:
		card, ok = p.order()
	}
	return card, ok && !p.roem(now.Rules())
}

// proof is what the proofs of sure look at.
type proof struct {
	k     *worlds.Knowledge
	trump piquet.Suit
	trick klaverjas.Trick
	legal piquet.Set // of the seat
}

// beats reports whether a card takes the trick from another one that wins it now.
func (p *proof) beats(c, winning piquet.Card) bool {
	if c.Suit() == winning.Suit() {
		return klaverjas.Strength(c, p.trump) > klaverjas.Strength(winning, p.trump)
	}
	return c.Suit() == p.trump
}

// cards returns the cards that a seat may hold, for the seat of the view those that it holds.
func (p *proof) cards(seat piquet.Seat) piquet.Set {
	if seat == p.k.View().Seat {
		return p.k.Own()
	}
	return p.k.May(seat)
}

// team reports whether no card of the opponents of a team beats one of the team, and the team leads or wins the trick on the table.
func (p *proof) team(team piquet.Team) bool {
	seat := p.k.View().Seat
	if p.trick.Len == 0 && seat.Team() != team {
		return false
	}
	if p.trick.Len > 0 && !p.holds(team) {
		return false
	}
	var ours, theirs piquet.Set
	for _, one := range piquet.Seats() {
		if one.Team() == team {
			ours |= p.cards(one)
		} else {
			theirs |= p.cards(one)
		}
	}
	for c := range ours.All() {
		for other := range theirs.All() {
			if p.beats(other, c) {
				return false
			}
		}
	}
	return true
}

// holds reports whether a team wins the trick on the table, and its opponents who are still to play cannot take it.
func (p *proof) holds(team piquet.Team) bool {
	if p.trick.Winner.Team() != team {
		return false
	}
	winning := p.trick.Cards[(p.trick.Winner-p.trick.Leader)&3]
	for i := p.trick.Len; i < 4; i++ {
		seat := p.trick.Leader.Plus(i)
		if seat.Team() == team {
			continue
		}
		may := p.cards(seat)
		if seat == p.k.View().Seat {
			may = p.legal
		}
		for c := range may.All() {
			if p.beats(c, winning) {
				return false
			}
		}
	}
	return true
}

// order looks for cards of the seat that nobody can beat, in an order in which they are led.
func (p *proof) order() (piquet.Card, bool) {
	own := p.k.Own()
	if p.trick.Len == 0 {
		return p.highest(own), p.leads(own)
	}
	winning := p.trick.Cards[(p.trick.Winner-p.trick.Leader)&3]
	for c := range p.legal.All() {
		if p.beats(c, winning) && !p.beaten(c) && p.leads(own.Without(c)) {
			return c, true
		}
	}
	return 0, false
}

// beaten reports whether a player who plays to the trick on the table after the seat may beat a card.
func (p *proof) beaten(c piquet.Card) bool {
	for i := p.trick.Len + 1; i < 4; i++ {
		for other := range p.k.May(p.trick.Leader.Plus(i)).All() {
			if p.beats(other, c) {
				return true
			}
		}
	}
	return false
}

// leads reports whether the seat wins each trick if it leads these cards: trumps first, and of each suit the highest one.
func (p *proof) leads(hand piquet.Set) bool {
	if hand&^hand.InSuit(p.trump) != 0 && hand.InSuit(p.trump).Len() < p.most(p.trump) {
		return false // another player may keep a trump
	}
	for _, suit := range piquet.Suits() {
		most, unseen := p.most(suit), p.k.Unseen().InSuit(suit)
		for led, left := 0, hand.InSuit(suit); left != 0 && led < most; led++ {
			c := p.highest(left)
			for other := range unseen.All() {
				if p.beats(other, c) {
					return false
				}
			}
			left = left.Without(c)
		}
	}
	return true
}

// most returns how many cards of a suit one of the other players may hold.
func (p *proof) most(suit piquet.Suit) (most int) {
	for _, seat := range piquet.Seats() {
		if seat != p.k.View().Seat {
			most = max(most, min(p.k.May(seat).InSuit(suit).Len(), p.k.Left(seat)))
		}
	}
	return most
}

// highest returns the highest trump of cards, or the highest card of the first suit.
func (p *proof) highest(cards piquet.Set) (best piquet.Card) {
	if trumps := cards.InSuit(p.trump); trumps != 0 {
		cards = trumps
	}
	best = cards.First()
	for c := range cards.InSuit(best.Suit()).All() {
		if klaverjas.Strength(c, p.trump) > klaverjas.Strength(best, p.trump) {
			best = c
		}
	}
	return best
}

// roem reports whether roem may fall in the trick on the table or in a later one: whether there are cards with roem of which each seat may
// play one.
func (p *proof) roem(rules klaverjas.Rules) bool {
	if !rules.Melds {
		return false
	}
	var now, later [4]piquet.Set
	for _, seat := range piquet.Seats() {
		later[seat] = p.cards(seat)
		if now[seat] = later[seat]; seat == p.k.View().Seat {
			now[seat] = p.legal
		}
	}
	for i, c := range p.trick.Cards[:p.trick.Len] {
		now[p.trick.Leader.Plus(i)] = piquet.SetOf(c)
	}
	for _, may := range [2][4]piquet.Set{now, later} {
		for a := range may[0].All() {
			for b := range may[1].Without(a).All() {
				for c := range (may[2] &^ piquet.SetOf(a, b)).All() {
					for d := range (may[3] &^ piquet.SetOf(a, b, c)).All() {
						if rules.Meld(piquet.SetOf(a, b, c, d), p.trump) != 0 {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

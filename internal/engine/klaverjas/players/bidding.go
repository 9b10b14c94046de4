package players

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/piquet"
)

// Bidding decides the trump and the declarers of the deals of a match by calls. All seats call alike, so that the match measures the play
// of the cards alone.
type Bidding struct {
	Flow bidding.Flow
	// Call returns the call of the seat whose turn it is. It must depend on its arguments only.
	Call func(rules klaverjas.Rules, a bidding.Auction, hand piquet.Set) bidding.Call
}

// bid returns the deal with the trump and the declarers of its bidding. The seat right of the leader is the dealer. In the flow Turned,
// the trump of the deal is the suit that is turned; if all pass, the leader must declare.
func (b *Bidding) bid(rules klaverjas.Rules, deal klaverjas.Deal) (klaverjas.Deal, error) {
	t, err := NewAuction(rules, deal, b.Flow, false, [4]piquet.Suit{deal.Trump})
	for err == nil && !t.decided {
		t, err = t.Act(Action{Kind: MakeCall, Call: b.Call(rules, *t.auction, deal.Hands[t.auction.Turn()])})
	}
	return t.deal, err
}

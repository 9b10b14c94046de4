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
	setting := bidding.Setting{Flow: b.Flow, Dealer: deal.Leader.Plus(-1)}
	if b.Flow == bidding.Turned {
		setting.Turned = []piquet.Suit{deal.Trump}
	}
	a, err := bidding.Start(setting)
	for err == nil && !a.Done() {
		a, err = a.Call(b.Call(rules, a, deal.Hands[a.Turn()]))
	}
	if err != nil {
		return deal, err
	}
	by, trump := a.Result()
	deal.Trump, deal.Declarer = trump, by.Team()
	return deal, nil
}

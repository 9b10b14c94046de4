package players

import (
	"fmt"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/table"
)

// ActionKind is the kind of an action.
type ActionKind uint8

// The kinds of actions.
const (
	PlayCard ActionKind = iota // of Action.Card
	MakeCall                   // of Action.Call
	Claim                      // the rest of the hand is played for the seat, because nothing is left to decide
)

// Action is what a player does. Only the field of its kind has a meaning.
type Action struct {
	Kind ActionKind
	Call bidding.Call
	Card piquet.Card
}

// View is what a seat has seen of a hand.
type View struct {
	worlds.View // without a trump and declarers until they are decided

	Auction *bidding.Auction // nil if the deal has the trump and the declarers
	Decided bool             // the cards are played, or have been
	Trick   klaverjas.Trick  // on the table
	Held    piquet.Set
	Claimed bool // by the seat
}

// Legal returns the cards that the seat may play at its turn.
func (v *View) Legal() piquet.Set { return v.Rules.Legal(v.Trump, v.Trick, v.Held) }

// Table is a hand at one moment, with all cards. It is a value: an action returns another one.
type Table struct {
	*beginning

	auction *bidding.Auction // nil if the deal has the trump and the declarers
	decided bool
	now     klaverjas.Position // of the deal, if decided
	played  table.List[piquet.Card]
	claimed [4]bool
}

// beginning is what does not change with an act, but for the trump and the declarers of the deal.
type beginning struct {
	rules  klaverjas.Rules
	deal   klaverjas.Deal
	open   [4]piquet.Set  // cards that lie open, by the seat that was dealt them
	turned [4]piquet.Suit // the order in which suits are turned
}

// NewTable returns the table of a deal before the first card. The error is klaverjas.Violations.
func NewTable(r klaverjas.Rules, d klaverjas.Deal) (Table, error) {
	return Table{beginning: &beginning{rules: r, deal: d}}.decide(d.Trump, d.Declarer)
}

// NewAuction returns the table of a deal before the first call. The seat right of the leader is the dealer. In the flow bidding.Turned,
// suits are turned in an order, and with again another one if all pass.
func NewAuction(r klaverjas.Rules, d klaverjas.Deal, flow bidding.Flow, again bool, turned [4]piquet.Suit) (Table, error) {
	setting := bidding.Setting{Flow: flow, Dealer: d.Leader.Plus(-1), Again: again}
	if flow == bidding.Turned {
		setting.Turned = []piquet.Suit{turned[0]}
	}
	a, err := bidding.Start(setting)
	return Table{beginning: &beginning{rules: r, deal: d, turned: turned}, auction: &a}, err
}

// decide begins the play of the cards.
func (t Table) decide(trump piquet.Suit, declarer piquet.Team) (_ Table, err error) {
	b := *t.beginning
	b.deal.Trump, b.deal.Declarer = trump, declarer
	t.beginning, t.decided = &b, true
	t.now, err = klaverjas.NewPosition(t.rules, t.deal)
	return t, err
}

// Deal returns the deal, with what was decided so far.
func (t Table) Deal() klaverjas.Deal { return t.deal }

// Auction returns the auction; nil if the deal has the trump and the declarers.
func (t Table) Auction() *bidding.Auction { return t.auction }

// By returns who declares; nil without an auction, or while it goes on.
func (t Table) By() *piquet.Seat {
	if t.auction == nil || !t.decided {
		return nil
	}
	by, _ := t.auction.Result()
	return &by
}

// Decided reports whether the cards are played, or have been.
func (t Table) Decided() bool { return t.decided }

// Position returns the play, once it is decided, and Played the cards played.
func (t Table) Position() klaverjas.Position { return t.now }

// Played returns the cards played, in order.
func (t Table) Played() []piquet.Card { return t.played.All() }

// Claimed reports whether a seat has claimed the rest of the hand.
func (t Table) Claimed(seat piquet.Seat) bool { return t.claimed[seat] }

// Turn returns who is to act. There is nobody if ok is false.
func (t Table) Turn() (seat piquet.Seat, ok bool) {
	if !t.decided {
		return t.auction.Turn(), true
	}
	return t.now.Turn(), !t.now.Finished()
}

// View returns what a seat has seen.
func (t Table) View(seat piquet.Seat) View {
	hand := t.deal.Hands[seat]
	v := View{
		View:    worlds.View{Rules: t.rules, Leader: t.deal.Leader, Seat: seat, Hand: hand},
		Auction: t.auction, Decided: t.decided, Held: hand, Claimed: t.claimed[seat],
	}
	if t.decided {
		v.View, v.Trick, v.Held = worlds.ViewOf(t.now, t.Played(), seat).Showing(t.open), t.now.Trick(), t.now.Hand(seat)
	}
	return v
}

// Act returns the table after an action of the seat to act. Whether it may claim is not checked.
func (t Table) Act(a Action) (Table, error) {
	switch {
	case t.decided == (a.Kind == MakeCall):
		return t, fmt.Errorf("is a call: %t, while the trump is decided: %t", a.Kind == MakeCall, t.decided)
	case a.Kind == MakeCall:
		return t.call(a.Call)
	case a.Kind == Claim:
		t.claimed[t.now.Turn()] = true
		return t, nil
	}
	next, err := t.now.Play(a.Card)
	if err == nil {
		t.now, t.played = next, t.played.With(a.Card)
	}
	return t, err
}

func (t Table) call(c bidding.Call) (Table, error) {
	a, err := t.auction.Call(c)
	for err == nil && a.NeedsSuit() {
		a, err = a.TurnUp(t.turned[len(a.Setting().Turned)])
	}
	if err != nil {
		return t, err
	}
	if t.auction = &a; !a.Done() {
		return t, nil
	}
	by, trump := a.Result()
	return t.decide(trump, by.Team())
}

// After returns the table after cards of the seats to play.
func (t Table) After(played []piquet.Card) (_ Table, err error) {
	for i := 0; i < len(played) && err == nil; i++ {
		t, err = t.Act(Action{Card: played[i]})
	}
	return t, err
}

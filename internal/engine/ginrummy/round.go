package ginrummy

import (
	"fmt"

	"roem/internal/engine/violation"
)

// Phase is what is to be decided in a round.
type Phase uint8

// The phases.
const (
	ToDraw    Phase = iota // whether to pass, to take the top discard, or to draw from the stock
	ToDiscard              // which of eleven cards to discard
	ToKnock                // whether to knock, with which melds; only with a deadwood of at most MaxDeadwood
	ToMeld                 // the melds of the knocker's opponent
	Ended
)

var phaseNames = [5]string{"draw", "discard", "knock", "meld", "ended"}

// String returns draw, discard, knock, meld or ended.
func (p Phase) String() string { return phaseNames[p%5] }

// Kind is a kind of action.
type Kind uint8

// The kinds of actions.
const (
	Pass     Kind = iota // decline the first card turned up, without drawing
	Take                 // take the top discard
	Stock                // draw from the stock
	Discard              // discard Card
	Knock                // knock with Melds
	Continue             // do not knock
	Lay                  // lay down Melds after a knock of the opponent
)

var kindNames = [7]string{"pass", "take", "stock", "discard", "knock", "continue", "melds"}

// String returns pass, take, stock, discard, knock, continue or melds.
func (k Kind) String() string { return kindNames[k%7] }

// ParseKind reads what String returns.
func ParseKind(text string) (Kind, error) { return violation.ParseWord[Kind](text, kindNames[:]...) }

// Action is a decision of the player to act.
type Action struct {
	Kind  Kind
	Card  Card        // of Discard
	Melds Arrangement // of Knock and Lay
	Off   Laid        // of Lay
	// Best says that the best melds are laid down in place of Melds. A players.Table finds them; a Round knows only melds.
	Best bool
}

// Same reports whether two actions are the same decision. The melds do not matter.
func (a Action) Same(b Action) bool {
	return a.Kind == b.Kind && (a.Kind != Discard || a.Card == b.Card)
}

// IllegalAction is the error for an action that is not allowed.
type IllegalAction struct {
	Code   violation.Code
	Reason string
	Off    bool // it is the lay-offs that are not allowed
}

// Error returns the reason.
func (e *IllegalAction) Error() string { return e.Reason }

// Violation returns the error as what is wrong with a request.
func (e *IllegalAction) Violation() Violation { return violation.New(e.Code, "%s", e.Reason) }

// MaxTurns is the number of turns after which a round ends as void. The rules have no such limit: two players who only take each other's
// discards would never end.
const MaxTurns = 500

// Round is a round under way. It is immutable and comparable.
type Round struct {
	deal  *Deal
	hands [2]Set
	melds [2]Arrangement // of the knocker, and then of the opponent
	off   Laid           // of the opponent

	phase     Phase
	seat      Seat // who decides
	untouched bool // the first card turned up is still the top discard
	top       Card // the top discard; NoCard while the player who took it has not discarded
	drawn     Card // the card just drawn, in ToDiscard
	taken     bool // it was the top discard
	stock     int8 // cards drawn from the stock
	turns     int16
	knocked   bool
}

// NewRound returns the round at the start of a deal, which must not be changed.
func NewRound(d *Deal) Round {
	return Round{deal: d, hands: d.Hands, seat: d.Starter & 1, untouched: true, top: d.Upcard, drawn: NoCard}
}

// Deal returns what was dealt.
func (r *Round) Deal() *Deal { return r.deal }

// Phase returns what is to be decided.
func (r *Round) Phase() Phase { return r.phase }

// Seat returns who decides. After the end it is the seat that decided last.
func (r *Round) Seat() Seat { return r.seat }

// Hand returns the cards of a seat: ten, or eleven between its draw and its discard.
func (r *Round) Hand(s Seat) Set { return r.hands[s&1] }

// Top returns the top discard. There is none if ok is false.
func (r *Round) Top() (c Card, ok bool) { return r.top, r.top != NoCard }

// Drawn returns the card just drawn, in the phase ToDiscard, and whether it was the top discard.
func (r *Round) Drawn() (c Card, taken bool) { return r.drawn, r.taken }

// StockLeft returns how many cards the stock has.
func (r *Round) StockLeft() int { return StockSize - int(r.stock) }

// Turns returns the number of turns that have ended. To pass is a turn.
func (r *Round) Turns() int { return int(r.turns) }

// MayTake reports whether the top discard is offered. In the third turn the first card turned up is not, if both have passed.
func (r *Round) MayTake() bool { return r.phase == ToDraw && (!r.untouched || r.turns != 2) }

// MayPass reports whether the player may pass: in the first two turns, while the first card turned up has not been taken.
func (r *Round) MayPass() bool { return r.phase == ToDraw && r.untouched && r.turns < 2 }

// MayDraw reports whether the player may draw from the stock.
func (r *Round) MayDraw() bool { return r.phase == ToDraw && !r.MayPass() }

// Discards returns the cards that may be discarded: all but a card just taken from the discards.
func (r *Round) Discards() Set {
	switch {
	case r.phase != ToDiscard:
		return 0
	case r.taken:
		return r.hands[r.seat].Without(r.drawn)
	}
	return r.hands[r.seat]
}

// Play returns the round after an action of the player to decide. Its error is an *IllegalAction.
func (r Round) Play(a Action) (Round, error) {
	if code, reason := r.illegal(a); reason != "" {
		return r, &IllegalAction{Code: code, Reason: reason}
	}
	if err := r.checkOff(a); err != nil {
		return r, err
	}
	hand := &r.hands[r.seat]
	switch a.Kind {
	case Pass:
		r.endTurn()
	case Take:
		r.drawn, r.taken, r.untouched, r.top, r.phase = r.top, true, false, NoCard, ToDiscard
		*hand = hand.With(r.drawn)
	case Stock:
		r.drawn, r.taken, r.phase = r.deal.Stock[r.stock], false, ToDiscard
		r.stock++
		*hand = hand.With(r.drawn)
	case Discard:
		*hand = hand.Without(a.Card)
		r.top, r.untouched, r.drawn, r.taken = a.Card, false, NoCard, false
		if r.phase = ToKnock; hand.Deadwood() > MaxDeadwood {
			r.endTurn()
		}
	case Continue:
		r.endTurn()
	case Knock:
		r.melds[r.seat], r.knocked, r.phase = a.Melds, true, ToMeld
		r.seat = r.seat.Other()
	default:
		r.melds[r.seat], r.off, r.phase = a.Melds, a.Off, Ended
	}
	return r, nil
}

// endTurn gives the turn to the other player, or ends a round that is void.
func (r *Round) endTurn() {
	r.turns++
	if r.StockLeft() <= LeastStock || r.turns >= MaxTurns {
		r.phase = Ended
		return
	}
	r.phase, r.seat = ToDraw, r.seat.Other()
}

// illegal returns why the action is not allowed; nothing if it is.
func (r *Round) illegal(a Action) (code violation.Code, reason string) {
	switch phases := [7]Phase{ToDraw, ToDraw, ToDraw, ToDiscard, ToKnock, ToKnock, ToMeld}; {
	case r.phase == Ended:
		return violation.Over, "the hand has ended"
	case a.Kind > Lay:
		return violation.NotLegal, "unknown action"
	case a.Kind == Knock && r.phase == ToDraw:
		return violation.NotLegal, "a player may knock only after a discard, and with at most 10 points of deadwood"
	case phases[a.Kind] != r.phase:
		return violation.NotLegal, fmt.Sprintf("%s is not possible: the player has to %s", a.Kind, r.phase)
	}
	switch a.Kind {
	case Pass:
		if !r.MayPass() {
			return violation.NotLegal, "a player may pass only in the first two turns, while the first card turned up has not been taken"
		}
	case Take:
		if !r.MayTake() {
			return violation.NotLegal, fmt.Sprintf("both players have declined %s: the card must be drawn from the stock", r.top)
		}
	case Stock:
		if !r.MayDraw() {
			return violation.NotLegal, fmt.Sprintf("in the first two turns a player takes %s or passes", r.top)
		}
	case Discard:
		switch {
		case !r.hands[r.seat].Has(a.Card):
			return violation.NotHeld, fmt.Sprintf("the player does not hold %s", a.Card)
		case r.taken && a.Card == r.drawn:
			return violation.NotLegal, fmt.Sprintf("%s has just been taken from the discards and may not be discarded in the same turn", a.Card)
		}
	case Knock, Lay:
		return r.illegalMelds(a)
	case Continue:
	}
	return "", ""
}

func (r *Round) illegalMelds(a Action) (code violation.Code, reason string) {
	melds, ok := ArrangementOf(a.Melds.Melds())
	if !ok || melds.Cards() != a.Melds[0]|a.Melds[1]|a.Melds[2] {
		return violation.NotLegal, "the cards laid down are not disjoint melds"
	}
	hand := r.hands[r.seat]
	if !hand.Contains(melds.Cards()) {
		return violation.NotHeld, fmt.Sprintf("the player does not hold %s", melds.Cards()&^hand)
	}
	if d := melds.Deadwood(hand); a.Kind == Knock && d > MaxDeadwood {
		return violation.NotLegal, fmt.Sprintf("these melds leave %d points of deadwood, and a player may knock with at most %d", d, MaxDeadwood)
	}
	return "", ""
}

// checkOff returns an *IllegalAction unless the lay-offs of an action are allowed.
func (r *Round) checkOff(a Action) error {
	switch {
	case !a.Off.Given:
		return nil
	case a.Kind != Lay:
		return &IllegalAction{Code: violation.NotUsed, Reason: "cards are laid off after a knock of the other player only", Off: true}
	}
	melds := r.melds
	melds[r.seat] = a.Melds
	return a.Off.Check(r.hands, melds, r.seat.Other(), r.deal.LayOffs)
}

// Melds returns what a seat has laid down.
func (r *Round) Melds(s Seat) Arrangement { return r.melds[s&1] }

// Result returns how the round ended. ok is false before its end.
func (r *Round) Result() (result Result, ok bool) {
	switch {
	case r.phase != Ended:
		return Result{}, false
	case !r.knocked:
		return Result{Void: true}, true
	}
	return Score(r.hands, r.melds, r.seat.Other(), r.deal.LayOffs, r.off), true // the knocker's opponent has decided last
}

// NextStarter returns who starts the round after one: the other player, or the same after a void round.
func NextStarter(starter Seat, r Result) Seat {
	if r.Void {
		return starter
	}
	return starter.Other()
}

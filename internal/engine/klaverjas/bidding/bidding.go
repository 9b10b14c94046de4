// Package bidding has the ways in which a table decides trump and the declarers, as docs/reference/rules/klaverjas.md defines them.
// Variants whose rules are not documented there are not guessed.
package bidding

import (
	"fmt"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// Flow is a way to decide trump and the declarers.
type Flow uint8

// The flows. In all of them the player left of the dealer leads the first trick.
const (
	// Free: from the dealer's left, each player names a trump to declare, or passes. If all pass, the player left of the dealer must declare.
	Free Flow = iota
	// Official is like Free, but the dealer is first, and must declare if all pass.
	Official
	// Obliged: the player left of the dealer must declare and names the trump (Utrecht).
	Obliged
	// Turned: a suit is turned. From the dealer's left, each player declares with this suit as trump, or passes. Options say what follows if
	// all pass.
	Turned
)

var flowNames = [4]string{"free", "official", "obliged", "turned"}

// String returns the name of the flow in JSON.
func (f Flow) String() string { return flowNames[f&3] }

// ParseFlow reads free, official, obliged or turned.
func ParseFlow(text string) (Flow, error) { return violation.ParseWord[Flow](text, flowNames[:]...) }

// MarshalText writes the flow as String does, and UnmarshalText reads it as ParseFlow does.
func (f Flow) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads a flow.
func (f *Flow) UnmarshalText(text []byte) (err error) {
	*f, err = ParseFlow(string(text))
	return err
}

// Call is what a player says: to pass, or to declare with a trump.
type Call struct {
	Declare bool
	Trump   piquet.Suit // if Declare
}

// String returns pass or the trump suit.
func (c Call) String() string {
	if !c.Declare {
		return "pass"
	}
	return c.Trump.String()
}

// Pass is the call to pass.
var Pass = Call{}

// ParseCall reads pass, or a suit in any form that piquet.ParseSuit reads.
func ParseCall(text string) (Call, error) {
	if text == Pass.String() {
		return Pass, nil
	}
	suit, err := piquet.ParseSuit(text)
	if err != nil {
		return Pass, violation.Word(text, "pass", "C", "D", "H", "S")
	}
	return Call{Declare: true, Trump: suit}, nil
}

// MarshalText writes the call as String does, and UnmarshalText reads it as ParseCall does.
func (c Call) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a call.
func (c *Call) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCall(string(text))
	return err
}

// Setting is what is decided before the first call.
type Setting struct {
	Flow   Flow
	Dealer piquet.Seat
	// Turned are the suits turned so far, the first for the first round; only in the flow Turned, where it has at least one suit and none
	// twice. A second suit is turned when all have passed on the first.
	Turned []piquet.Suit
	// Again says that in the flow Turned, another suit is turned if all pass, until all four have been. Otherwise, and after the fourth suit,
	// the player left of the dealer must declare and names the trump.
	Again bool
}

// Auction is the state of the bidding. It is immutable.
type Auction struct {
	setting Setting
	calls   []Call
	turn    piquet.Seat
	round   int  // the number of suits that all have passed on; 0 in the first round
	passes  int  // in a row in this round
	forced  bool // the player to call must declare
	done    bool
	by      piquet.Seat
	trump   piquet.Suit
}

// Start returns the auction before the first call. Its error is [klaverjas.Violations].
func Start(s Setting) (Auction, error) {
	a := Auction{setting: s, forced: s.Flow == Obliged}
	a.turn = a.First()
	if s.Flow != Turned {
		if len(s.Turned) > 0 {
			return a, wrong("/turned", violation.NotUsed, "is given, but in the flow %s no suit is turned", s.Flow)
		}
		return a, nil
	}
	if n := len(s.Turned); n < 1 || n > 4 {
		return a, wrong("/turned", violation.WrongCount, "has %d suits, expected 1 to 4", n)
	}
	var seen [4]bool
	for i, suit := range s.Turned {
		if seen[suit] {
			return a, wrong(fmt.Sprintf("/turned/%d", i), violation.ListedTwice, "is %s, which has been turned before", suit)
		}
		seen[suit] = true
	}
	if len(s.Turned) > 1 && !s.Again {
		return a, wrong("/turned", violation.Contradicts, "has %d suits, but no other suit is turned if all pass", len(s.Turned))
	}
	return a, nil
}

func wrong(pointer string, code violation.Code, format string, args ...any) error {
	return klaverjas.Violations{violation.New(code, format, args...).At(pointer)}
}

// Setting returns what was decided before the first call.
func (a Auction) Setting() Setting { return a.setting }

// Calls returns the calls made.
func (a Auction) Calls() []Call { return a.calls }

// First returns the seat that makes the first call.
func (a Auction) First() piquet.Seat {
	if a.setting.Flow == Official {
		return a.setting.Dealer
	}
	return a.setting.Dealer.Next()
}

// Turn returns the seat that is to call.
func (a Auction) Turn() piquet.Seat { return a.turn }

// Forced reports whether the seat to call must declare.
func (a Auction) Forced() bool { return a.forced }

// Done reports whether trump and the declarers are decided.
func (a Auction) Done() bool { return a.done }

// NeedsSuit reports whether the next suit has to be turned before the next call: it is not among the turned suits of the setting.
func (a Auction) NeedsSuit() bool {
	return !a.done && !a.forced && a.setting.Flow == Turned && a.round >= len(a.setting.Turned)
}

// Legal returns the calls that may be made, a pass first. It is empty when the auction is done or needs a suit.
func (a Auction) Legal() []Call {
	if a.done || a.NeedsSuit() {
		return nil
	}
	var legal []Call
	if !a.forced {
		legal = append(legal, Pass)
	}
	for _, suit := range piquet.Suits() {
		if a.May(suit) {
			legal = append(legal, Call{Declare: true, Trump: suit})
		}
	}
	return legal
}

// May reports whether the seat to call may declare with this trump.
func (a Auction) May(trump piquet.Suit) bool {
	return !a.done && !a.NeedsSuit() && (a.setting.Flow != Turned || a.forced || trump == a.setting.Turned[a.round])
}

// Call returns the auction after a call of the seat whose turn it is.
func (a Auction) Call(c Call) (Auction, error) {
	legal := a.Legal()
	switch {
	case slices.Contains(legal, c):
		return a.after(c), nil
	case a.done:
		return a, violation.New(violation.Over, "%s follows the end of the bidding", c).Of(c)
	case a.NeedsSuit():
		return a, violation.New(violation.NotLegal, "%s follows four passes, after which another suit has to be turned", c).Of(c)
	default:
		return a, violation.New(violation.NotLegal, "%s may not be called by %s: expected one of %v", c, a.turn, legal).Of(c).
			OneOf(Names(legal)...)
	}
}

// Names returns the names of calls.
func Names(calls []Call) []string {
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = c.String()
	}
	return names
}

func (a Auction) after(c Call) Auction {
	a.calls = append(slices.Clip(a.calls), c)
	if c.Declare {
		a.done, a.by, a.trump = true, a.turn, c.Trump
		return a
	}
	a.turn = a.turn.Next()
	if a.passes++; a.passes < 4 {
		return a
	}
	a.passes = 0
	a.round++
	// The seat that was first is to call again.
	a.forced = a.setting.Flow != Turned || !a.setting.Again || a.round == 4
	return a
}

// Replay makes the calls in order. Its error is [klaverjas.Violations] with the pointer of the first call that may not be made, /calls/i.
func (a Auction) Replay(calls []Call) (Auction, error) {
	for i, c := range calls {
		next, err := a.Call(c)
		if err != nil {
			return a, violation.Of(fmt.Sprintf("/calls/%d", i), err)
		}
		a = next
	}
	return a, nil
}

// TurnUp returns the auction after another suit has been turned. It is an error if no suit is needed, or if this one has been turned.
func (a Auction) TurnUp(suit piquet.Suit) (Auction, error) {
	switch {
	case !a.NeedsSuit():
		return a, violation.New(violation.NotLegal, "%s is turned, but no suit is to be turned", suit).Of(suit)
	case slices.Contains(a.setting.Turned, suit):
		return a, violation.New(violation.ListedTwice, "%s has been turned before", suit).Of(suit)
	}
	a.setting.Turned = append(slices.Clip(a.setting.Turned), suit)
	return a, nil
}

// Result returns the seat that declares and the trump. It is valid when the auction is done.
func (a Auction) Result() (by piquet.Seat, trump piquet.Suit) { return a.by, a.trump }

// Leader returns the seat that leads the first trick: the one left of the dealer.
func (a Auction) Leader() piquet.Seat { return a.setting.Dealer.Next() }

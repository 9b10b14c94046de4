package tarok

import (
	"slices"
	"strconv"
	"strings"

	"roem/internal/engine/violation"
)

// Bid is a contract, or a pass.
type Bid int8

// Pass is the bid of a player who gives up. It is final.
const Pass Bid = -1

// String returns pass, or the name of the contract.
func (b Bid) String() string {
	if b == Pass {
		return "pass"
	}
	return Contract(b).String()
}

// ParseBid reads pass or the name of a contract.
func ParseBid(text string) (Bid, error) {
	if text == "pass" {
		return Pass, nil
	}
	c, err := ParseContract(text)
	if err != nil {
		return Pass, violation.Word(text, append([]string{"pass"}, contractNames...)...)
	}
	return Bid(c), nil
}

// Bidding is a bidding under way. A bid must be higher than the last one, but a player who speaks before its bidder in the order A, B, C
// may hold it: bid the same contract. When two have passed, the third confirms or raises its bid. If all pass, klop is played.
type Bidding struct {
	order  Order
	turn   Player
	passed [3]bool
	high   Bid    // the last bid, or Pass
	holder Player // its bidder
	done   bool
}

// NewBidding returns the bidding before the first bid.
func NewBidding(order Order) Bidding {
	b := Bidding{order: order, high: Pass}
	if order == ForehandLast {
		b.turn = B
	}
	return b
}

// Turn returns who bids. There is nobody if ok is false.
func (b *Bidding) Turn() (p Player, ok bool) { return b.turn, !b.done }

// Result returns the contract, and the declarer unless it is klop. It is known if ok is true.
func (b *Bidding) Result() (c Contract, declarer Player, ok bool) {
	if b.high == Pass {
		return Klop, A, b.done
	}
	return Contract(b.high), b.holder, b.done
}

func (b *Bidding) alone() bool {
	return b.passed[b.turn.Next()] && b.passed[b.turn.After(2)]
}

// Legal returns the bids that may be made, pass first, then from the lowest. It is empty if the bidding is over.
func (b *Bidding) Legal() (out []Bid) {
	if b.done {
		return nil
	}
	forced := b.alone() && (b.high != Pass || b.order == ForehandLast) // one player is left, who has bid or must
	if !forced {
		out = append(out, Pass)
	}
	for _, c := range Contracts() {
		bid := Bid(c)
		switch {
		case bid < b.high, bid == b.high && b.turn > b.holder:
			continue
		case b.order == ForehandLast && c <= Three && (b.high != Pass || !forced):
			if bid != b.high {
				continue
			}
		case c == Klop && b.order == ForehandFirst:
			continue
		}
		out = append(out, bid)
	}
	return out
}

// Call returns the bidding after the next bid.
func (b Bidding) Call(bid Bid) (Bidding, error) {
	legal := b.Legal()
	if !slices.Contains(legal, bid) {
		if b.done {
			return b, violation.New(violation.Over, "%s is not legal: the bidding is over", bid).Of(bid)
		}
		names := make([]string, len(legal))
		for i, l := range legal {
			names[i] = l.String()
		}
		return b, violation.New(violation.NotLegal, "%s is not legal for %s: expected one of %s", bid, b.turn, strings.Join(names, ", ")).Of(bid).
			OneOf(names...)
	}
	alone := b.alone()
	if bid == Pass {
		b.passed[b.turn] = true
	} else {
		b.high, b.holder = bid, b.turn
	}
	if alone || b.passed == [3]bool{true, true, true} {
		b.done = true
		if b.high == Bid(Klop) {
			b.high = Pass
		}
		return b, nil
	}
	for b.turn = b.turn.Next(); b.passed[b.turn]; {
		b.turn = b.turn.Next()
	}
	return b, nil
}

// Bids makes the bids in order. Its error is Violations with the pointer of the first that is not legal.
func (b Bidding) Bids(list []Bid) (Bidding, error) {
	for i, bid := range list {
		next, err := b.Call(bid)
		if err != nil {
			return b, violation.Of("/calls/"+strconv.Itoa(i), err)
		}
		b = next
	}
	return b, nil
}

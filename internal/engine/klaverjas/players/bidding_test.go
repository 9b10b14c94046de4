package players

import (
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/piquet"
)

// The calls decide trump and declarers, the deal and its leader stay, and both tables play the same.
func TestContestBids(t *testing.T) {
	most := func(_ klaverjas.Rules, a bidding.Auction, hand piquet.Set) bidding.Call { // with four of a suit
		best := bidding.Pass
		for _, call := range a.Legal() {
			if call.Declare && (hand.InSuit(call.Trump).Len() >= 4 || a.Forced() && !best.Declare) {
				best = call
			}
		}
		return best
	}
	for _, flow := range []bidding.Flow{bidding.Free, bidding.Official, bidding.Obliged, bidding.Turned} {
		t.Run(flow.String(), func(t *testing.T) {
			plain := between(t, "simple", "random", 60)
			bid := plain
			bid.Bidding = &Bidding{Flow: flow, Call: most}
			var before, after []Record
			plain.Record = func(r Record) error { before = append(before, r); return nil }
			bid.Record = func(r Record) error { after = append(after, r); return nil }
			for _, c := range []Contest{plain, bid} {
				if _, err := c.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			strong := 0
			for i, r := range after {
				if r.Deal.Hands != before[i].Deal.Hands || r.Deal.Leader != before[i].Deal.Leader {
					t.Fatalf("hand %d: another deal", i)
				}
				if r.Deal != after[i^1].Deal {
					t.Fatalf("hand %d: the two tables play different deals", i)
				}
				if flow == bidding.Obliged && r.Deal.Declarer != r.Deal.Leader.Team() {
					t.Errorf("hand %d: %s declares, but the leader %s must", i, r.Deal.Declarer, r.Deal.Leader)
				}
				for _, seat := range piquet.Seats() {
					if seat.Team() == r.Deal.Declarer && r.Deal.Hands[seat].InSuit(r.Deal.Trump).Len() >= 4 {
						strong++
						break
					}
				}
			}
			if flow <= bidding.Official && strong < len(after)*6/10 { // four of five deals have such a hand
				t.Errorf("in %d of %d hands a declarer has four trumps", strong, len(after))
			}
		})
	}
}

// The seat right of the leader deals.
func TestBiddingDealer(t *testing.T) {
	var seats []piquet.Seat
	b := Bidding{Flow: bidding.Official, Call: func(_ klaverjas.Rules, a bidding.Auction, _ piquet.Set) bidding.Call {
		seats = append(seats, a.Turn())
		if a.Forced() {
			return bidding.Call{Declare: true, Trump: piquet.Spades}
		}
		return bidding.Pass
	}}
	start := klaverjas.Deal{Trump: piquet.Hearts, Leader: piquet.South, Hands: draw(1, 1, OneHand, LeaderDeclares)[0].Hands}
	deal, err := b.bid(klaverjas.DefaultRules(klaverjas.Rotterdam), start)
	want := []piquet.Seat{piquet.East, piquet.South, piquet.West, piquet.North, piquet.East}
	if err != nil || deal.Trump != piquet.Spades || deal.Declarer != piquet.EastWest || len(seats) != len(want) {
		t.Fatalf("%+v %v %v", deal, seats, err)
	}
	for i := range want {
		if seats[i] != want[i] {
			t.Errorf("call %d is of %s, want %s", i, seats[i], want[i])
		}
	}
	b.Call = func(klaverjas.Rules, bidding.Auction, piquet.Set) bidding.Call {
		return bidding.Call{Declare: true, Trump: piquet.Clubs}
	}
	b.Flow = bidding.Turned
	if _, err := b.bid(klaverjas.DefaultRules(klaverjas.Rotterdam), start); err == nil {
		t.Error("a trump that was not turned is taken")
	}
}

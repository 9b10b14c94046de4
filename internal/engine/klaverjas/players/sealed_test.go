package players_test

import (
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/engine/table/tabletest"
	"roem/internal/random"
	"roem/internal/testkit"
)

// calls draws a legal call with which a suit of four cards or more is named, or passes.
func calls(rng *rand.Rand, v players.View) bidding.Call {
	legal := v.Auction.Legal()
	random.Shuffle(rng, legal)
	for _, c := range legal {
		if c.Declare && v.Hand.InSuit(c.Trump).Len() >= 4 || !c.Declare && rng.IntN(4) == 0 {
			return c
		}
	}
	return legal[0]
}

// No player but open, which no session has, calls or plays otherwise if the cards that it has not seen lie elsewhere.
func TestSealed(t *testing.T) {
	for i, tt := range []struct {
		kind  string
		hands int
	}{{"random", 1000}, {"simple", 1000}, {"logical", 300}, {"logical:rules", 100}, {"pimc:2", 10}} {
		kind, err := players.ParseKind(tt.kind, 0)
		if err != nil {
			t.Fatal(err)
		}
		tools := new(players.Tools)
		called := 0
		g := tabletest.Game[players.Table, piquet.Seat, players.View, players.Action]{
			Deal: func(rng *rand.Rand) (players.Table, error) {
				d := klaverjas.Deal{Trump: piquet.Suit(random.Below(rng, 4)), Leader: piquet.Seat(random.Below(rng, 4))}
				d.Hands = index.Random(rng, d.Trump, d.Leader)
				return begun(d, random.Below(rng, ways))
			},
			Exchange: exchanged,
			Choose: func(rng *rand.Rand, seat piquet.Seat, v players.View) (a players.Action, err error) {
				if !v.Decided {
					called++
					return players.Action{Kind: players.MakeCall, Call: calls(rng, v)}, nil
				}
				choice, err := kind.New(players.Place{Seat: seat, Rand: rng, Tools: tools}).Choose(t.Context(), v.View)
				return players.Action{Card: choice.Card}, err
			},
		}
		hands := max(testkit.Times(tt.hands/20, tt.hands, tt.hands, tt.hands), 1)
		if checked, err := g.Sealed(hands, uint64(i)); err != nil || checked < 10*hands || called < hands {
			t.Errorf("%s: %d decisions in %d hands, %d calls: %v", kind.Name(), checked, hands, called, err)
		}
	}
}

// ways is how many ways there are to begin a hand.
const ways = 12

// begun returns the hand of a deal before its first act: by the rules of a system, in a flow of the bidding, or without calls.
func begun(d klaverjas.Deal, way uint64) (players.Table, error) {
	rules := klaverjas.DefaultRules(klaverjas.System(way % 2))
	switch flow := bidding.Flow(way / 2); flow {
	case 5:
		return players.NewTable(rules, d)
	case 4:
		return players.NewAuction(rules, d, bidding.Turned, true, piquet.Suits())
	default:
		return players.NewAuction(rules, d, flow, false, piquet.Suits())
	}
}

// exchanged deals two cards of the other seats, which have not been played, in each other's places.
func exchanged(rng *rand.Rand, t players.Table, seat piquet.Seat) (players.Table, bool) {
	d := t.Deal()
	unseen := (piquet.Deck &^ d.Hands[seat] &^ piquet.SetOf(t.Played()...)).Slice()
	random.Shuffle(rng, unseen)
	if len(unseen) < 2 {
		return t, false
	}
	pair := piquet.SetOf(unseen[0], unseen[1])
	other := d
	for s, hand := range d.Hands {
		if hand.Has(unseen[0]) != hand.Has(unseen[1]) {
			other.Hands[s] ^= pair
		}
	}
	flow := bidding.Flow(5)
	if a := t.Auction(); a != nil {
		if flow = a.Setting().Flow; a.Setting().Again {
			flow = 4
		}
	}
	start, err := begun(other, 2*uint64(flow)+uint64(t.View(seat).Rules.System))
	return start, err == nil && other != d
}

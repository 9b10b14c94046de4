package klaverjas

import (
	"context"
	"errors"
	"testing"

	"roem/internal/api"
	"roem/internal/service"
)

// leadView is the view of west, who is to lead against a contract of north and south.
const leadView = `"trump": "S", "leader": "W", "declarer": "NS", "seat": "W", "hand": ["7C", "JC", "AC", "JH", "KH", "7D", "9D", "KD"]`

// A declarer who named the trump has a strong hand: then the declarers win more often than if nothing is known of the bidding.
func TestAdviceHearsTheBidding(t *testing.T) {
	g := newGame(t, service.Options{Slots: 2, Cache: newCache(t)}, Options{})
	silent := advisePlayouts(t, g, leadView)
	heard := advisePlayouts(t, g, leadView+`, "bidding": {"flow": "free", "dealer": "S", "calls": ["pass", "S"]}`)
	if heard.Basis != api.KlaverjasAdviceBasisCallsAndPlay || heard.Source == api.SourceCache {
		t.Errorf("%+v", heard)
	}
	if a, b := *silent.Cards[0].WinProbability, *heard.Cards[0].WinProbability; b < a+0.05 {
		t.Errorf("the declarers win in %v of the worlds, and in %v with the calls", a, b)
	}
	again := advisePlayouts(t, g, leadView+`, "bidding": {"flow": "free", "dealer": "S", "calls": ["pass", "S"]}`)
	if again.Source != api.SourceCache || *again.Cards[0].WinProbability != *heard.Cards[0].WinProbability {
		t.Errorf("again: %+v", again)
	}
	// South has the turn after three passes, and north after one: another seat has the strong hand.
	other := advisePlayouts(t, g, leadView+`, "bidding": {"flow": "free", "dealer": "S", "calls": ["pass", "pass", "pass", "S"]}`)
	if *other.Cards[0].WinProbability == *heard.Cards[0].WinProbability {
		t.Error("the calls do not matter")
	}
}

func TestAdviceRefusesAnotherBidding(t *testing.T) {
	g := newGame(t, service.Options{Slots: 2}, Options{})
	for _, tt := range []struct{ name, fields, pointer string }{
		{"another trump", `"method": "playout", "bidding": {"flow": "free", "dealer": "S", "calls": ["pass", "H"]}`, "/bidding/calls"},
		{"other declarers", `"method": "playout", "bidding": {"flow": "free", "dealer": "S", "calls": ["S"]}`, "/bidding/calls"},
		{"another leader", `"method": "playout", "bidding": {"flow": "free", "dealer": "W", "calls": ["S"]}`, "/bidding/dealer"},
		{"no declaration", `"method": "playout", "bidding": {"flow": "free", "dealer": "S", "calls": ["pass"]}`, "/bidding/calls"},
		{
			"a call after the last", `"method": "playout", "bidding": {"flow": "free", "dealer": "S", "calls": ["pass", "S", "pass"]}`,
			"/bidding/calls/2",
		},
		{"a card as dealer", `"method": "playout", "bidding": {"flow": "free", "dealer": "7C", "calls": ["pass", "S"]}`, "/bidding/dealer"},
		{"the method search", `"bidding": {"flow": "free", "dealer": "S", "calls": ["pass", "S"]}`, "/bidding"},
		{"rules without a model", `"method": "playout", "rules": {"melds": false}, "bidding": {"flow": "free", ` +
			`"dealer": "S", "calls": ["pass", "S"]}`, "/rules"},
	} {
		_, err := ParseAdvise(context.Background(), g, []byte(`{`+leadView+`, `+tt.fields+`}`))
		e, ok := errors.AsType[*service.Error](err)
		if !ok || len(e.Violations) != 1 || e.Violations[0].Pointer != tt.pointer {
			t.Errorf("%s: %v, want one violation at %s", tt.name, err, tt.pointer)
		}
	}
}

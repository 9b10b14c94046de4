package bidding_test

import (
	"strings"
	"testing"

	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/piquet"
)

func call(t *testing.T, text string) bidding.Call {
	t.Helper()
	if text == "pass" {
		return bidding.Pass
	}
	suit, err := piquet.ParseSuit(text)
	if err != nil {
		t.Fatal(err)
	}
	return bidding.Call{Declare: true, Trump: suit}
}

func TestFlows(t *testing.T) {
	const dealer = piquet.West // north is left of the dealer
	four := "pass pass pass pass "
	for name, test := range map[string]struct {
		setting bidding.Setting
		calls   string
		want    string // who declares with what; who is to call and whether forced; or the error
	}{
		"free, nothing called":     {bidding.Setting{Flow: bidding.Free}, "", "N to call"},
		"free, the third declares": {bidding.Setting{Flow: bidding.Free}, "pass pass H", "S declares H"},
		"free, all pass":           {bidding.Setting{Flow: bidding.Free}, four, "N must declare"},
		"free, all pass, obliged":  {bidding.Setting{Flow: bidding.Free}, four + "C", "N declares C"},
		"free, the obliged passes": {
			bidding.Setting{Flow: bidding.Free},
			four + "pass",
			"/calls/4: pass may not be called by N: expected one of [C D H S]",
		},
		"official, nothing called": {bidding.Setting{Flow: bidding.Official}, "", "W to call"},
		"official, all pass":       {bidding.Setting{Flow: bidding.Official}, four, "W must declare"},
		"obliged":                  {bidding.Setting{Flow: bidding.Obliged}, "", "N must declare"},
		"obliged, pass": {
			bidding.Setting{Flow: bidding.Obliged},
			"pass",
			"/calls/0: pass may not be called by N: expected one of [C D H S]",
		},
		"turned": {bidding.Setting{Flow: bidding.Turned, Turned: []piquet.Suit{2}}, "pass H", "E declares H"},
		"turned, another suit": {
			bidding.Setting{Flow: bidding.Turned, Turned: []piquet.Suit{2}},
			"S",
			"/calls/0: S may not be called by N: expected one of [pass H]",
		},
		"turned, all pass":               {bidding.Setting{Flow: bidding.Turned, Turned: []piquet.Suit{2}}, four, "N must declare"},
		"turned, all pass, any suit":     {bidding.Setting{Flow: bidding.Turned, Turned: []piquet.Suit{2}}, four + "S", "N declares S"},
		"turned, all pass, next missing": {bidding.Setting{Flow: bidding.Turned, Again: true, Turned: []piquet.Suit{2}}, four, "needs a suit"},
		"turned, call without a suit": {
			bidding.Setting{Flow: bidding.Turned, Again: true, Turned: []piquet.Suit{2}},
			four + "S",
			"/calls/4: S follows four passes, after which another suit has to be turned",
		},
		"turned, second suit": {
			bidding.Setting{Flow: bidding.Turned, Again: true, Turned: []piquet.Suit{2, 3}},
			four + "pass S",
			"E declares S",
		},
		"turned, first suit in the second": {
			bidding.Setting{Flow: bidding.Turned, Again: true, Turned: []piquet.Suit{2, 3}},
			four + "H",
			"/calls/4: H may not be called by N: expected one of [pass S]",
		},
		"turned, all four suits": {
			bidding.Setting{Flow: bidding.Turned, Again: true, Turned: []piquet.Suit{0, 1, 2, 3}},
			strings.Repeat(four, 4), "N must declare",
		},
		"after the end": {bidding.Setting{Flow: bidding.Free}, "C pass", "/calls/1: pass follows the end of the bidding"},
		"a suit where none is turned": {
			bidding.Setting{Flow: bidding.Free, Turned: []piquet.Suit{2}},
			"",
			"/turned: is given, but in the flow free no suit is turned",
		},
		"no suit": {bidding.Setting{Flow: bidding.Turned}, "", "/turned: has 0 suits, expected 1 to 4"},
		"a suit twice": {
			bidding.Setting{Flow: bidding.Turned, Again: true, Turned: []piquet.Suit{2, 2}},
			"",
			"/turned/1: is H, which has been turned before",
		},
		"two suits without again": {
			bidding.Setting{Flow: bidding.Turned, Turned: []piquet.Suit{2, 1}},
			"",
			"/turned: has 2 suits, but no other suit is turned if all pass",
		},
	} {
		t.Run(name, func(t *testing.T) {
			test.setting.Dealer = dealer
			var calls []bidding.Call
			for text := range strings.FieldsSeq(test.calls) {
				calls = append(calls, call(t, text))
			}
			a, err := bidding.Start(test.setting)
			if err == nil {
				a, err = a.Replay(calls)
			}
			var got string
			switch {
			case err != nil:
				got = err.Error()
			case a.Done():
				by, trump := a.Result()
				got = by.String() + " declares " + trump.String()
			case a.NeedsSuit():
				got = "needs a suit"
			case a.Forced():
				got = a.Turn().String() + " must declare"
			default:
				got = a.Turn().String() + " to call"
			}
			if got != test.want {
				t.Errorf("%s\nwant %s", got, test.want)
			}
			if a.Leader() != piquet.North {
				t.Errorf("%s leads, want N", a.Leader())
			}
		})
	}
}

// Another suit is turned when one is needed, and not otherwise.
func TestTurnUp(t *testing.T) {
	a, err := bidding.Start(bidding.Setting{Flow: bidding.Turned, Again: true, Turned: []piquet.Suit{piquet.Hearts}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.TurnUp(piquet.Clubs); err == nil {
		t.Error("a suit is turned before all have passed")
	}
	for range 4 {
		if a.May(piquet.Clubs) || !a.May(piquet.Hearts) {
			t.Error("hearts alone may be called")
		}
		if a, err = a.Call(bidding.Pass); err != nil {
			t.Fatal(err)
		}
	}
	if a.May(piquet.Hearts) {
		t.Error("hearts may be called after all have passed on them")
	}
	if _, err := a.TurnUp(piquet.Hearts); err == nil {
		t.Error("a suit is turned twice")
	}
	next, err := a.TurnUp(piquet.Clubs)
	if err != nil || !next.May(piquet.Clubs) || next.May(piquet.Hearts) || !a.NeedsSuit() || next.NeedsSuit() {
		t.Errorf("after clubs are turned: %+v, %v", next, err)
	}
}

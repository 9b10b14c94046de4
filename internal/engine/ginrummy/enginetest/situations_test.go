package enginetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/random"
)

// The situations of the reference are possible, and after each of their events too.
func TestSituations(t *testing.T) {
	situations, err := Read[SituationVector]("views.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range situations {
		s, err := v.Situation()
		if err != nil {
			t.Fatal(err)
		}
		view, err := s.View()
		if err != nil {
			t.Errorf("situation %d: %v", i, err)
			continue
		}
		if view.Phase != ginrummy.ToDraw || view.Turn != ginrummy.A || view.Top != s.Events[len(s.Events)-1].Card {
			t.Errorf("situation %d: %+v", i, view)
		}
	}
}

// What each seat sees in a round is the view of a situation with the same events.
func TestSituationsOfRounds(t *testing.T) {
	phases := map[ginrummy.Phase]int{}
	for i := range uint64(300) {
		deal := ginrummy.SeededDeal(4, i, ginrummy.Seat(i&1))
		seats := [2]players.Player{players.NewSimple(random.New(4, 0, i)), players.NewRandom(random.New(4, 1, i))}
		_, _, err := players.PlayRound(t.Context(), &deal, [2]int{3, 4}, seats, func(step *players.Step) {
			r := &step.After
			for who := range ginrummy.Seat(2) {
				if r.Phase() == ginrummy.ToMeld || r.Phase() == ginrummy.Ended || r.Phase() == ginrummy.ToDiscard && r.Seat() != who {
					continue // after a knock or the end, or between the opponent's draw and discard
				}
				want := ginrummy.NewView(r, who, step.Events[who], [2]int{3, 4})
				s := ginrummy.Situation{Starter: deal.Starter ^ who, Upcard: deal.Upcard, Own: want.Own, Scores: want.Scores}
				for _, e := range step.Events[who] {
					e.Seat ^= who
					s.Events = append(s.Events, e)
				}
				got, err := s.View()
				if err != nil {
					t.Fatalf("%+v: %v", s, err)
				}
				if r.Phase() == ginrummy.ToKnock && r.Seat() != who { // the opponent may knock; the situation is before the next draw
					continue
				}
				want.Seat, want.Starter, want.Turn, want.Events = 0, s.Starter, want.Turn^who, s.Events
				if !reflect.DeepEqual(want, got) { // much faster than cmp.Diff
					t.Fatalf("(-round +situation)\n%s", cmp.Diff(want, got))
				}
				phases[got.Phase]++
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(phases) != 3 {
		t.Errorf("phases %v", phases)
	}
}

// Two neighbouring events in the other order cannot have happened, and the first of them is named.
func TestSwappedEvents(t *testing.T) {
	situations, err := Read[SituationVector]("views.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	swaps := 0
	for i, v := range situations {
		s, err := v.Situation()
		if err != nil {
			t.Fatal(err)
		}
		for at := range len(s.Events) - 1 {
			swapped := s
			swapped.Events = slices.Clone(s.Events)
			swapped.Events[at], swapped.Events[at+1] = s.Events[at+1], s.Events[at]
			_, err := swapped.View()
			bad, ok := errors.AsType[ginrummy.Violations](err)
			if want := fmt.Sprintf("/events/%d/", at); !ok || !strings.HasPrefix(bad[0].Pointer, want) {
				t.Errorf("situation %d, events %d and %d swapped: %v, want %s", i, at, at+1, err, want)
			}
			swaps++
		}
	}
	if swaps < 1000 {
		t.Errorf("%d swaps, want 1000", swaps)
	}
}

// What cannot have happened is refused, with the place of the first such event.
func TestImpossibleSituations(t *testing.T) {
	event := func(p ginrummy.Seat, kind ginrummy.Kind, card string) ginrummy.Event {
		e := ginrummy.Event{Seat: p, Kind: kind, Card: ginrummy.NoCard}
		if card != "" {
			e.Card = Card(card)
		}
		return e
	}
	const me, opp = ginrummy.A, ginrummy.B
	dealt := "AC 2C 3C 5H 7H 9H JS QS KS 4D"
	own := func(add, remove string) ginrummy.Set {
		return (Names(strings.Fields(dealt)).Set() | Names(strings.Fields(add)).Set()) &^ Names(strings.Fields(remove)).Set()
	}
	for _, tt := range []struct {
		name    string
		s       ginrummy.Situation
		pointer string
		says    string
	}{
		{"nine cards", ginrummy.Situation{Own: own("", "4D"), Upcard: Card("8D")}, "/hand", "has 9 cards, expected 10"},
		{"the upcard is held", ginrummy.Situation{Own: own("", ""), Upcard: Card("4D")}, "/upcard", "4D"},
		{
			"eleven cards without a draw",
			ginrummy.Situation{Own: own("8S", ""), Upcard: Card("8D"), Events: []ginrummy.Event{event(me, ginrummy.Pass, "")}},
			"/hand", "has 11 cards, expected 10",
		},
		{
			"ten cards after a draw",
			ginrummy.Situation{Own: own("8D", "4D"), Upcard: Card("8D"), Events: []ginrummy.Event{event(me, ginrummy.Take, "8D")}},
			"/hand", "has 10 cards, expected 11",
		},
		{
			"the other's turn",
			ginrummy.Situation{Own: own("", ""), Upcard: Card("8D"), Events: []ginrummy.Event{event(opp, ginrummy.Pass, "")}},
			"/events/0/seat", "the turn of A",
		},
		{
			"a discard without a draw",
			ginrummy.Situation{Own: own("8S", "4D"), Upcard: Card("8D"), Events: []ginrummy.Event{event(me, ginrummy.Discard, "4D")}},
			"/events/0/kind", "has to draw",
		},
		{
			"a discard of the opponent without a draw",
			ginrummy.Situation{Own: own("", ""), Starter: opp, Upcard: Card("8D"), Events: []ginrummy.Event{event(opp, ginrummy.Discard, "8S")}},
			"/events/0/kind", "has to draw",
		},
		{
			"a discard kept", ginrummy.Situation{
				Own: own("8D", ""), Upcard: Card("8D"), Events: []ginrummy.Event{event(me, ginrummy.Take, "8D"), event(me, ginrummy.Discard, "4D")},
			}, "/events/1/card", "4D is discarded",
		},
		{
			"a draw not kept", ginrummy.Situation{
				Own: own("", ""), Upcard: Card("8D"), Events: []ginrummy.Event{event(me, ginrummy.Take, "8D"), event(me, ginrummy.Discard, "4D")},
			}, "/events/1/card", "4D is discarded",
		},
		{
			"a drawn card not kept", ginrummy.Situation{
				Own: own("7S", "4D"), Upcard: Card("8D"), Events: []ginrummy.Event{event(me, ginrummy.Take, "8D"), event(me, ginrummy.Discard, "4D")},
			}, "/events/0/card", "8D is drawn",
		},
		{
			"the taken card discarded", ginrummy.Situation{
				Own: own("", ""), Upcard: Card("8D"), Events: []ginrummy.Event{event(me, ginrummy.Take, "8D"), event(me, ginrummy.Discard, "8D")},
			}, "/events/1/card", "just been taken",
		},
		{
			"not the top discard", ginrummy.Situation{
				Own: own("", ""), Starter: opp, Upcard: Card("8D"), Events: []ginrummy.Event{
					event(opp, ginrummy.Take, "9D"),
					event(opp, ginrummy.Discard, "10D"),
				},
			}, "/events/0/card", "not the top discard, which is 8D",
		},
		{
			"the stock first",
			ginrummy.Situation{Own: own("", ""), Starter: opp, Upcard: Card("8D"), Events: []ginrummy.Event{event(opp, ginrummy.Stock, "")}},
			"/events/0/kind", "takes 8D or passes",
		},
		{
			"a third pass", ginrummy.Situation{Own: own("", ""), Upcard: Card("8D"), Events: []ginrummy.Event{
				event(me, ginrummy.Pass, ""), event(opp, ginrummy.Pass, ""), event(me, ginrummy.Pass, ""),
			}}, "/events/2/kind", "first two turns",
		},
		{
			"a third offer", ginrummy.Situation{Own: own("8D", ""), Upcard: Card("8D"), Events: []ginrummy.Event{
				event(me, ginrummy.Pass, ""), event(opp, ginrummy.Pass, ""), event(me, ginrummy.Take, "8D"),
			}}, "/events/2/kind", "declined 8D",
		},
		{
			"the opponent discards an own card", ginrummy.Situation{Own: own("", ""), Starter: opp, Upcard: Card("8D"), Events: []ginrummy.Event{
				event(opp, ginrummy.Take, "8D"), event(opp, ginrummy.Discard, "4D"),
			}}, "/events/1/card", "in the player's hand",
		},
		{
			"the opponent discards a discard", ginrummy.Situation{Own: own("", ""), Upcard: Card("8D"), Events: []ginrummy.Event{
				event(me, ginrummy.Pass, ""), event(opp, ginrummy.Pass, ""), event(me, ginrummy.Stock, "6S"), event(me, ginrummy.Discard, "6S"),
				event(opp, ginrummy.Stock, ""), event(opp, ginrummy.Discard, "8D"),
			}}, "/events/5/card", "among the discards",
		},
		{
			"drawn from the discards", ginrummy.Situation{Own: own("8D", "4D"), Upcard: Card("8D"), Events: []ginrummy.Event{
				event(me, ginrummy.Pass, ""), event(opp, ginrummy.Pass, ""), event(me, ginrummy.Stock, "8D"), event(me, ginrummy.Discard, "4D"),
			}}, "/events/2/card", "cannot be in the stock",
		},
		{
			"without the discard of the opponent", ginrummy.Situation{Own: own("", ""), Starter: opp, Upcard: Card("8D"), Events: []ginrummy.Event{
				event(opp, ginrummy.Take, "8D"),
			}}, "/events/0", "the opponent must still discard",
		},
		{
			"a knock",
			ginrummy.Situation{Own: own("", ""), Starter: opp, Upcard: Card("8D"), Events: []ginrummy.Event{event(opp, ginrummy.Knock, "")}},
			"/events/0/kind", "not an event",
		},
	} {
		_, err := tt.s.View()
		bad, ok := errors.AsType[ginrummy.Violations](err)
		if !ok || len(bad) != 1 || bad[0].Pointer != tt.pointer || !strings.Contains(bad[0].Detail, tt.says) {
			t.Errorf("%s: %v, want %s: %s", tt.name, err, tt.pointer, tt.says)
		}
	}
	// A round that has ended has no more events.
	s := ginrummy.Situation{
		Own: own("", ""), Starter: opp, Upcard: Card("8D"),
		Events: []ginrummy.Event{event(opp, ginrummy.Pass, ""), event(me, ginrummy.Pass, "")},
	}
	unknown := (ginrummy.Deck &^ own("8D", "")).Slice()
	for i := range 29 {
		p := []ginrummy.Seat{opp, me}[i%2]
		draw := event(p, ginrummy.Stock, "")
		if p == me {
			draw.Card = unknown[i]
		}
		s.Events = append(s.Events, draw, ginrummy.Event{Seat: p, Kind: ginrummy.Discard, Card: unknown[i]})
	}
	if view, err := s.View(); err != nil || view.Phase != ginrummy.Ended || view.Stock != 2 {
		t.Errorf("%v, phase %s, stock %d", err, view.Phase, view.Stock)
	}
	s.Events = append(s.Events, event(me, ginrummy.Take, unknown[28].String()))
	s.Own = s.Own.With(unknown[28])
	if _, err := s.View(); err == nil || !strings.Contains(err.Error(), "/events/60: comes after the end") {
		t.Errorf("%v", err)
	}
}

// A player who has taken more cards from the discards than a hand holds, and kept them, can discard none but these.
func TestKeptByTheOpponent(t *testing.T) {
	const me, opp = ginrummy.A, ginrummy.B
	deck := ginrummy.Deck.Slice()
	s := ginrummy.Situation{Own: ginrummy.SetOf(deck[:10]...), Upcard: deck[10], Events: []ginrummy.Event{
		{Seat: me, Kind: ginrummy.Pass, Card: ginrummy.NoCard}, {Seat: opp, Kind: ginrummy.Pass, Card: ginrummy.NoCard},
	}}
	for i := range 11 { // the opponent takes the card that the player has drawn and discarded, and discards another
		c := deck[11+i]
		s.Events = append(s.Events,
			ginrummy.Event{Seat: me, Kind: ginrummy.Stock, Card: c}, ginrummy.Event{Seat: me, Kind: ginrummy.Discard, Card: c},
			ginrummy.Event{Seat: opp, Kind: ginrummy.Take, Card: c}, ginrummy.Event{Seat: opp, Kind: ginrummy.Discard, Card: deck[51-i]})
		view, err := s.View()
		if i < 10 {
			if seen := view.Seen(); err != nil || seen.Kept.Len() != i+1 {
				t.Fatalf("%d cards are taken: %v, kept %s", i+1, err, seen.Kept)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "/events/45/card: the opponent cannot hold "+deck[41].String()) {
			t.Errorf("%d cards are taken: %v", i+1, err)
		}
	}
	s.Events[len(s.Events)-1].Card = deck[11] // one of those it took
	if view, err := s.View(); err != nil || view.Seen().Kept.Len() != 10 {
		t.Errorf("%v", err)
	}
}

package enginetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/table/decisions"
	"roem/internal/random"
)

// A record has the decisions of the players, each with what its player saw.
func TestDecisionsOfARecord(t *testing.T) {
	type decision struct {
		View   ginrummy.View
		Action ginrummy.Action
		Event  int
	}
	n := 0
	for i := range uint64(30) {
		deal := ginrummy.SeededDeal(9, i, ginrummy.Seat(i&1))
		seats := [2]players.Player{players.NewSimple(random.New(i, 0)), players.NewRandom(random.New(i, 1))}
		record := ginrummy.Record{Starter: deal.Starter, Upcard: deal.Upcard, Hands: deal.Hands}
		var want, got []decision
		var seen [2][]ginrummy.Event
		if _, _, err := players.PlayRound(t.Context(), &deal, [2]int{}, seats, func(step *players.Step) {
			seat, a := step.Before.Seat(), step.Action
			e, ok := ginrummy.EventOf(&step.Before, &step.After, a, seat)
			if a.Kind != ginrummy.Lay {
				if ok {
					record.Events = append(record.Events, e)
				}
				if a.Kind == ginrummy.Knock {
					a.Melds = step.Before.Hand(seat).Best()[0]
				}
				view := ginrummy.NewView(&step.Before, seat, append([]ginrummy.Event(nil), seen[seat]...), [2]int{})
				want = append(want, decision{view, a, len(record.Events) - 1})
			}
			for s := range seen {
				if e, ok := ginrummy.EventOf(&step.Before, &step.After, a, ginrummy.Seat(s)); ok {
					seen[s] = append(seen[s], e)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		told, acts, events, err := record.Acts()
		if err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		for d, err := range decisions.Of(players.NewTable(told, [2]int{}), acts) {
			if err != nil {
				t.Fatalf("round %d: %v", i, err)
			}
			view := d.View()
			got = append(got, decision{view, d.Act, events[d.Number]})
			if view.Choices() < 1 || view.Seat != d.Seat {
				t.Errorf("round %d: %d choices of %v, %v", i, view.Choices(), view.Seat, d.Seat)
			}
		}
		for k := range got {
			got[k].Action.Card = discarded(got[k].Action)
			want[k].Action.Card = discarded(want[k].Action)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("round %d (-players +record)\n%s", i, diff)
		}
		n += len(got)
	}
	if n < 500 {
		t.Errorf("only %d decisions", n)
	}
}

// discarded returns the card of a discard. The card of another action is not used.
func discarded(a ginrummy.Action) ginrummy.Card {
	if a.Kind != ginrummy.Discard {
		return ginrummy.NoCard
	}
	return a.Card
}

package record

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/record"
	"roem/internal/engine/record/recordtest"
	"roem/internal/random"
	"roem/internal/testkit"
)

// draw returns a random round. A plain one is finished, without tags. Few random rounds end with a knock, so players discard well.
func draw(rng *rand.Rand, plain bool) *Hand {
	deal := ginrummy.RandomDeal(rng, ginrummy.Seat(rng.IntN(2)))
	h := &Hand{Round: ginrummy.Record{Starter: deal.Starter, Upcard: deal.Upcard, Dealt: deal.Hands}}
	most := 1 << 20
	if !plain {
		h.Tags = []record.Tag{{Name: "Event", Value: "100 % Gin = \"rommé\""}}
		most = rng.IntN(60)
	}
	r := ginrummy.NewRound(&deal)
	for r.Phase() < ginrummy.ToMeld && len(h.Round.Events) < most {
		a := ginrummy.Action{Kind: ginrummy.Continue}
		switch r.Phase() {
		case ginrummy.ToDraw:
			for a.Kind = ginrummy.Kind(rng.IntN(3)); ; a.Kind = ginrummy.Kind(rng.IntN(3)) {
				if a.Kind == ginrummy.Pass && r.MayPass() || a.Kind == ginrummy.Take && r.MayTake() || a.Kind == ginrummy.Stock && r.MayDraw() {
					break
				}
			}
		case ginrummy.ToDiscard:
			_, best := r.Hand(r.Seat()).AfterDiscardOf(r.Discards())
			a = ginrummy.Action{Kind: ginrummy.Discard, Card: best.First()}
		default:
			if rng.IntN(2) == 0 {
				a = ginrummy.Action{Kind: ginrummy.Knock, Melds: r.Hand(r.Seat()).Best()[0]}
			}
		}
		next, err := r.Play(a)
		if err != nil {
			panic(err)
		}
		if e, ok := ginrummy.EventOf(&r, &next, a, r.Seat()); ok {
			e.Melds = ginrummy.Arrangement{}
			h.Round.Events = append(h.Round.Events, e)
		}
		r = next
	}
	return h
}

func TestRoundTrip(t *testing.T) {
	rng := random.New(1)
	for range testkit.Times(100, 300, 10_000, 10_000) {
		recordtest.RoundTrip(t, Kind, draw(rng, false))
	}
}

// Of finished rounds whose text is damaged, none is read as another one.
func TestDamaged(t *testing.T) {
	rng := random.New(2)
	const n = 400
	wrong := recordtest.Damaged(t, Kind, rng, n, func() record.Hand { return draw(rng, true) }, func(a, b record.Hand) string {
		was, _ := a.(*Hand)
		got, _ := b.(*Hand)
		if len(got.Round.Events) == 0 { // cut off after the deal
			got.Round.Events = was.Round.Events
		}
		return cmp.Diff(was, got, cmpopts.IgnoreFields(Hand{}, "Tags"))
	})
	if wrong < n/2 {
		t.Errorf("%d of %d are errors", wrong, n)
	}
}

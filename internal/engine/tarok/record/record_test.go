package record

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/record"
	"roem/internal/engine/record/recordtest"
	"roem/internal/engine/tarok"
	"roem/internal/random"
	"roem/internal/testkit"
)

// draw returns a random hand. A plain one is finished and has the usual rules.
func draw(rng *rand.Rand, plain bool) *Hand {
	h := &Hand{Setup: tarok.DrawSetup(rng)}
	s := &h.Setup
	h.Taken = s.Contract.Exchange() > 0
	played := 3 * tarok.HandSize
	if !plain {
		h.Tags = []record.Tag{{Name: "Event", Value: "škis / 3 [x] {y}"}}
		s.Rules = tarok.Rules{
			Mond: rng.IntN(22), NoEmperor: rng.IntN(2) == 0, Leads: tarok.Leads(rng.IntN(2)), Order: tarok.Order(rng.IntN(2)),
			Difference: tarok.Difference(rng.IntN(3)),
		}
		played = rng.IntN(played + 1)
		h.options(rng)
		if h.Taken && rng.IntN(5) == 0 { // before the exchange is finished
			played, s.Discards = 0, 0
			if rng.IntN(2) == 0 {
				h.Taken, s.Group = false, 0
			}
		}
	}
	if !h.begun() {
		return h
	}
	p, err := tarok.NewPosition(*s)
	if err != nil {
		panic(err)
	}
	for i := 0; i < played && !p.Finished(); i++ {
		c := tarok.Any(rng, p.Legal())
		h.Played = append(h.Played, c)
		p, _ = p.Play(c)
	}
	return h
}

// options draws the bids of a hand of the forehand, and what was announced.
func (h *Hand) options(rng *rand.Rand) {
	s := &h.Setup
	b := tarok.NewBidding(s.Rules.Order)
	for {
		_, more := b.Turn()
		if !more {
			break
		}
		legal := b.Legal()
		bid := legal[rng.IntN(len(legal))]
		h.Bids = append(h.Bids, bid)
		b, _ = b.Call(bid)
	}
	c, who, _ := b.Result()
	s.Contract, s.Declarer, s.Group, s.Discards = c, who, 0, 0
	if c == tarok.Klop {
		s.Declarer = tarok.A
	}
	s.DrawExchange(rng)
	h.Taken = c.Exchange() > 0
	if c != tarok.Klop {
		h.Said.Kontra = rng.IntN(5)
	}
	if c.Exchange() > 0 {
		for i := range h.Said.Bonuses {
			if h.Said.Bonuses[i].By = tarok.Side(rng.IntN(3) - 1); h.Said.Bonuses[i].By != tarok.NoSide {
				h.Said.Bonuses[i].Kontra = rng.IntN(5)
			}
		}
	}
	h.Said.Radli[rng.IntN(3)] = rng.IntN(3)
}

func TestRoundTrip(t *testing.T) {
	rng := random.New(1)
	for range testkit.Times(100, 300, 10_000, 10_000) {
		recordtest.RoundTrip(t, Kind, draw(rng, false))
	}
}

// Of finished hands whose text is damaged, none is read as another one.
func TestDamaged(t *testing.T) {
	rng := random.New(2)
	const n = 400
	wrong := recordtest.Damaged(t, Kind, rng, n, func() record.Hand { return draw(rng, true) }, func(a, b record.Hand) string {
		was, _ := a.(*Hand)
		got, _ := b.(*Hand)
		if len(got.Played) == 0 { // cut off after the deal, or after the group
			got.Played, got.Taken, got.Setup.Group, got.Setup.Discards = was.Played, was.Taken, was.Setup.Group, was.Setup.Discards
		}
		return cmp.Diff(was, got, cmpopts.IgnoreFields(Hand{}, "Tags"))
	})
	if wrong < n/2 {
		t.Errorf("%d of %d are errors", wrong, n)
	}
}

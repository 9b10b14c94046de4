package record

import (
	"math/rand/v2"
	"strings"
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
	h := &Hand{Round: ginrummy.Record{Starter: deal.Starter, Upcard: deal.Upcard, Hands: deal.Hands}}
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
	if result, ok := h.Round.Result(); ok && !result.Void && rng.IntN(2) == 0 {
		// All lay-offs of the rule, some of them in this order, or none. Nil and an empty list are not the same.
		h.Round.LaidOff = append([]ginrummy.LayOff{}, result.LaidOff[:rng.IntN(len(result.LaidOff)+1)]...)
	}
	return h
}

// A card that fits a set and a run: where it was laid off decides who scores.
func TestLaidOff(t *testing.T) {
	const text = `[Game "gin-rummy"]
[Starter "A"]
[Upcard "KH"]
[Deal]
A JS QS KS 10D 10C 10H 4C 4D 4H 9C
B 9S 10S 2C 2D 2H 2S 3C 3D 3H 3S
[Play]
A pass
B pass
A stock:8C discard:9C knock
`
	read := func(lines string) (string, error) {
		hands, err := (&record.Kinds{Kinds: []*record.Kind{Kind}}).Read(text + lines)
		if err != nil {
			return "", err
		}
		return record.Write(hands[0]), nil
	}
	for _, c := range []struct{ off, result string }{
		{"", "undercut B 33"},
		{`[LaidOff "10S:JS/QS/KS 9S:10S"]`, "undercut B 33"},
		{`[LaidOff "10s:10c"]`, "knock A 1"},
		{`[LaidOff "10S:JS"]`, "knock A 1"},
		{`[LaidOff "none"]`, "knock A 11"},
	} {
		result := "[Result \"" + c.result + "\"]\n"
		if got, err := read(strings.TrimSpace(c.off + "\n" + result)); err != nil {
			t.Errorf("%s: %v", c.off, err)
		} else if !strings.Contains(got, result) {
			t.Errorf("%s: %s", c.off, got)
		}
	}
	for _, c := range []struct{ off, err string }{
		{`[LaidOff "9S:JS"]`, "line 11, column 11: LaidOff: 9S does not extend meld"},
		{`[LaidOff "10S:JS 10S:10C"]`, "line 11, column 18: LaidOff: 10S is laid off twice"},
		{`[LaidOff "10S:JS 8S:10S"]`, "line 11, column 18: LaidOff: 8S is not in the hand"},
		{`[LaidOff "10S:8C"]`, "line 11, column 11: LaidOff: 8C is not in a meld of the knocker"},
		{`[LaidOff "10S"]`, `line 11, column 11: LaidOff: "10S" has no meld`},
		{`[LaidOff ""]`, "line 11, column 2: LaidOff: has no cards"},
		{"[LayOffs \"challenge\"]\n[LaidOff \"10S:JS\"]", "line 12, column 2: LaidOff: is given, but the order of the lay-offs is fixed"},
		{"[LaidOff \"10S:JS\"]\n[Result \"knock A 11\"]", "Result"},
	} {
		if got, err := read(c.off + "\n"); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, %s", c.off, err, got)
		}
	}
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

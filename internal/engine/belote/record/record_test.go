package record

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/engine/record/recordtest"
	"roem/internal/random"
	"roem/internal/testkit"
)

// draw returns a random hand. A plain one is finished, without tags and calls.
func draw(rng *rand.Rand, plain bool) *Hand {
	suits := piquet.Suits()
	random.Shuffle(rng, suits[:])
	n := 1 + rng.IntN(4)
	trump := belote.NoTrump
	if i := rng.IntN(n + 1); i < n {
		trump = belote.TrumpOf(suits[i])
	}
	h := &Hand{Deal: belote.Random(rng, belote.Deck(suits[:n]...), trump)}
	h.Deal.Leader, h.Deal.Declarer = belote.Player(rng.IntN(2)), belote.Player(rng.IntN(2))
	played := 8 * n
	if !plain {
		h.Tags = []record.Tag{{Name: "Event", Value: "Belote; één avond"}}
		h.Deal.Threshold, h.Flip = 1+rng.IntN(h.Deal.Total()), worlds.Flip(rng.IntN(2))
		for stage := range belote.Player(rng.IntN(2)*3 + 1) {
			h.Auction = append(h.Auction, belote.NoTrump)
			if stage&1 == h.Deal.Declarer && rng.IntN(2) == 0 {
				h.Auction[stage] = h.Deal.Trump
				if h.Deal.Trump != belote.NoTrump {
					break
				}
			}
		}
		played = rng.IntN(played + 1)
	}
	p, err := belote.NewPosition(h.Deal)
	if err != nil {
		panic(err)
	}
	for range played {
		legal := p.Legal().Slice()
		h.Played = append(h.Played, legal[rng.IntN(len(legal))])
		p, _ = p.Play(h.Played[len(h.Played)-1])
	}
	return h
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
		if len(got.Played) == 0 { // cut off after the deal
			got.Played = was.Played
		}
		if got.Deal.Declarer == got.Deal.Leader { // the tag was lost, and the leader is the usual declarer
			got.Deal.Declarer = was.Deal.Declarer
		}
		return cmp.Diff(was, got, cmpopts.IgnoreFields(Hand{}, "Tags"))
	})
	if wrong < n/2 {
		t.Errorf("%d of %d are errors", wrong, n)
	}
}

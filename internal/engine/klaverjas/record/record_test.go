package record

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/engine/record/recordtest"
	"roem/internal/random"
	"roem/internal/testkit"
)

// draw returns a random hand. A plain one is finished and has the usual rules.
func draw(rng *rand.Rand, plain bool) *Hand {
	h := &Hand{Rules: klaverjas.DefaultRules(klaverjas.System(rng.IntN(2))), Leader: piquet.Seat(rng.IntN(4)), Decided: true}
	deck := piquet.Deck.Slice()
	random.Shuffle(rng, deck)
	for s := range h.Hands {
		h.Hands[s] = piquet.SetOf(deck[8*s : 8*s+8]...)
	}
	if rng.IntN(2) == 0 {
		h.Tags = []record.Tag{{Name: "North", Value: `Piet "de boer" \ Jansen; 10.5%`}, {Name: "Datum", Value: ""}}
		h.Tags[1].Name = "Remark"
	}
	h.Trump, h.Declarer = piquet.Suit(rng.IntN(4)), piquet.Team(rng.IntN(2))
	if rng.IntN(2) == 0 {
		h.auction(rng)
	}
	n := 32
	if !plain {
		h.options(rng)
		if n = rng.IntN(33); rng.IntN(8) == 0 && h.Auction == nil {
			h.Decided, h.Trump, h.Declarer, n = false, 0, 0, 0
		}
	}
	if h.Decided {
		h.play(rng, n)
	}
	if !plain && h.Decided && rng.IntN(6) == 0 {
		h.View, h.Seat = true, piquet.Seat(rng.IntN(4))
		for s := range h.Hands {
			if piquet.Seat(s) != h.Seat {
				h.Hands[s] = 0
			}
		}
	}
	return h
}

func (h *Hand) options(rng *rand.Rand) {
	h.Rules.UnderRuff, h.Rules.NatMelds = klaverjas.UnderRuff(rng.IntN(3)), klaverjas.NatMelds(rng.IntN(2))
	h.Rules.Melds = rng.IntN(3) > 0
	h.Rules.FourOfAKind[rng.IntN(8)], h.Rules.Pit.Defenders = 10*rng.IntN(30), 50*rng.IntN(3)
	if rng.IntN(3) == 0 {
		h.Table = &Table{}
		for i := range 8 {
			h.Table[i/2][i%2] = 2*rng.IntN(200) - 200
		}
	}
}

// auction makes random calls, to the end.
func (h *Hand) auction(rng *rand.Rand) {
	h.Auction = &Auction{Flow: bidding.Flow(rng.IntN(4))}
	if h.Auction.Flow == bidding.Turned {
		h.Auction.Turned = []piquet.Suit{piquet.Suit(rng.IntN(4))}
	}
	a, _ := bidding.Start(bidding.Setting{Flow: h.Auction.Flow, Dealer: h.Leader.Plus(3), Turned: h.Auction.Turned})
	for !a.Done() {
		legal := a.Legal()
		call := legal[rng.IntN(len(legal))]
		h.Auction.Calls = append(h.Auction.Calls, call)
		a, _ = a.Call(call)
	}
	by, trump := a.Result()
	h.Trump, h.Declarer = trump, by.Team()
}

func (h *Hand) play(rng *rand.Rand, n int) {
	p, err := klaverjas.NewPosition(h.Rules, klaverjas.Deal{Trump: h.Trump, Leader: h.Leader, Declarer: h.Declarer, Hands: h.Hands})
	if err != nil {
		panic(err)
	}
	for range n {
		legal := p.Legal().Slice()
		c := legal[rng.IntN(len(legal))]
		h.Played = append(h.Played, c)
		p, _ = p.Play(c)
	}
}

func TestRoundTrip(t *testing.T) {
	rng := random.New(1)
	for range testkit.Times(100, 300, 10_000, 10_000) {
		recordtest.RoundTrip(t, Kind, draw(rng, false))
	}
}

// Of finished hands whose text is damaged, none is read as another one. A tag that says what the rest does not need can be lost.
func TestDamaged(t *testing.T) {
	rng := random.New(2)
	const n = 400
	wrong := recordtest.Damaged(t, Kind, rng, n, func() record.Hand { return plainWithoutTags(rng) }, func(a, b record.Hand) string {
		if h, ok := b.(*Hand); ok && len(h.Played) == 0 { // cut off after the deal
			b.(*Hand).Played = a.(*Hand).Played
		}
		return cmp.Diff(a, b, cmpopts.IgnoreFields(Hand{}, "Tags", "Auction"))
	})
	if wrong < n/2 {
		t.Errorf("%d of %d are errors", wrong, n)
	}
}

func plainWithoutTags(rng *rand.Rand) *Hand {
	h := draw(rng, true)
	h.Tags, h.Rules = nil, klaverjas.DefaultRules(klaverjas.Rotterdam)
	h.Played = nil
	h.play(rng, 32)
	return h
}

// The letters of both languages, suit or face first, groups of a suit, and the fourth hand that follows.
func TestTolerant(t *testing.T) {
	want, err := index.Unrank(5, piquet.Hearts, piquet.North)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"[Game \"klaverjas\"]\n[Dealer \"W\"]\n[Trump \"H\"]\n[Deal \"N H:789TJQKA E: C:789TJQKA S: D:789JQKA S:7\"]",
		"% a comment\r\n[troef \"harten\"] ; another\r\n[GEVER \"w\"]\r\n[Kaarten]\r\nNoord: HA HH HV HB H10 H9 H8 H7 {a third\r\none}\r\n" +
			"O ♣789 K10 BK ♣V HK KA\nZ R: AHVB987 S7\n[Spel \"Klaverjassen\"]",
		"roem1:klaverjas;trump=hart;uitkomst=noord;Deal=N.7H.8H.9H.10H.JH.QH.KH.AH.E.C%3A789TJQKA.S.DA.DK.DQ.DJ.D9.D8.D7.S7",
	} {
		hands, err := (&record.Kinds{Kinds: []*record.Kind{Kind}}).Read(text)
		if err != nil {
			t.Errorf("%v of\n%s", err, text)
			continue
		}
		if h, ok := hands[0].(*Hand); !ok || h.Hands != want || h.Trump != piquet.Hearts || h.Leader != piquet.North {
			t.Errorf("%+v of\n%s", hands[0], text)
		}
	}
}

package tarok

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/api/apitest"
	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/enginetest"
	"roem/internal/engine/tarok/reason"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/random"
	"roem/internal/service"
	"roem/internal/service/servicetest"
)

// randomHand returns a hand of a contract, played at random to its end.
func randomHand(t *testing.T, rng *rand.Rand, c tarok.Contract) (tarok.Setup, []tarok.Card) {
	t.Helper()
	setup := tarok.DrawSetup(rng, c)
	p, err := tarok.NewPosition(setup)
	if err != nil {
		t.Fatal(err)
	}
	var played []tarok.Card
	for !p.Finished() {
		c := tarok.Any(rng, p.Legal())
		if p, err = p.Play(c); err != nil {
			t.Fatal(err)
		}
		played = append(played, c)
	}
	return setup, played
}

// wantVerdict checks that a verdict follows from the cost by the rule, and that the best decision costs nothing.
func wantVerdict(t *testing.T, verdict api.Verdict, legal int, best bool, cost, deviation *float64) {
	t.Helper()
	if cost == nil {
		if legal != 1 || verdict != api.VerdictForced {
			t.Errorf("%s without a cost, of %d", verdict, legal)
		}
		return
	}
	want := api.VerdictUncertain
	switch low, high := *cost-2**deviation, *cost+2**deviation; {
	case low >= 2:
		want = api.VerdictMistake
	case high < 2:
		want = api.VerdictRight
	}
	if verdict != want || legal < 2 || *cost < 0 || best && *cost != 0 {
		t.Errorf("%s of %d, cost %v ± %v, the best: %t; want %s", verdict, legal, *cost, *deviation, best, want)
	}
}

// Every decision of a hand is reviewed once, costs are not negative, verdicts follow from them, and the sums agree with the decisions.
func TestReviewOfRandomHands(t *testing.T) {
	g := newGame(t, false)
	verdicts := map[api.Verdict]int{}
	for i, c := range tarok.Contracts() {
		setup, played := randomHand(t, random.New(28, uint64(i)), c)
		r := decided[api.TarokReview](t, g, "Review", bodyOf(setup, played, `,"worlds":12`))
		sums := map[api.TarokSeat]*api.TarokSeatReview{"A": {}, "B": {}, "C": {}}
		count := func(seat api.TarokSeat, v api.Verdict, cost *float64) {
			verdicts[v]++
			service.CountVerdict(&sums[seat].Verdicts, v)
			if cost != nil {
				sums[seat].KnowledgeCost += *cost
			}
		}
		if (r.Exchange != nil) != (c.Exchange() > 0) || len(r.Cards) != len(played) {
			t.Fatalf("%s: exchange %v, %d of %d cards", c, r.Exchange, len(r.Cards), len(played))
		}
		if e := r.Exchange; e != nil {
			k := e.Knowledge
			best := k.Advised.Group == e.Group && slices.Equal(k.Advised.Discards, e.Discards)
			wantVerdict(t, e.Verdict, e.Legal, best, &k.Cost, &k.StandardError)
			if string(e.Seat) != setup.Declarer.String() || e.Group != setup.Group || k.Worlds != 12 {
				t.Errorf("%s: %+v", c, e)
			}
			count(e.Seat, e.Verdict, &k.Cost)
		}
		p, err := tarok.NewPosition(setup)
		if err != nil {
			t.Fatal(err)
		}
		for n, card := range r.Cards {
			if card.Number != n+1 || card.Trick != n/3+1 || string(card.Seat) != p.Turn().String() || card.Card != played[n].String() ||
				card.Legal != p.Legal().Len() {
				t.Errorf("%s: %+v for %s of %s", c, card, played[n], p.Turn())
			}
			if p, err = p.Play(played[n]); err != nil {
				t.Fatal(err)
			}
			if k := card.Knowledge; k == nil {
				wantVerdict(t, card.Verdict, card.Legal, false, nil, nil)
				count(card.Seat, card.Verdict, nil)
			} else {
				wantVerdict(t, card.Verdict, card.Legal, k.Advised == card.Card, &k.Cost, &k.StandardError)
				count(card.Seat, card.Verdict, &k.Cost)
			}
		}
		for seat, got := range map[api.TarokSeat]*api.TarokSeatReview{"A": r.Seats.A, "B": r.Seats.B, "C": r.Seats.C} {
			if want := sums[seat]; got.Verdicts != want.Verdicts || math.Abs(got.KnowledgeCost-want.KnowledgeCost) > 1e-6 {
				t.Errorf("%s, %s: %+v, want %+v", c, seat, got, want)
			}
			wantPart(t, g, &r, seat, bodyOf(setup, played, fmt.Sprintf(`,"worlds":12,"seat":%q`, seat)))
		}
	}
	for _, v := range []api.Verdict{api.VerdictRight, api.VerdictMistake, api.VerdictUncertain, api.VerdictForced} {
		if verdicts[v] == 0 {
			t.Errorf("no decision is %s: %v", v, verdicts)
		}
	}
}

// wantPart checks that the review of one seat is its part of the review of all.
func wantPart(t *testing.T, g *Game, all *api.TarokReview, seat api.TarokSeat, body string) {
	t.Helper()
	want := *all
	want.Cards = slices.DeleteFunc(slices.Clone(all.Cards), func(c api.TarokReviewedCard) bool { return c.Seat != seat })
	if all.Exchange != nil && all.Exchange.Seat != seat {
		want.Exchange = nil
	}
	want.Seats = map[api.TarokSeat]api.TarokSeatReviews{"A": {A: all.Seats.A}, "B": {B: all.Seats.B}, "C": {C: all.Seats.C}}[seat]
	if diff := cmp.Diff(want, decided[api.TarokReview](t, g, "Review", body)); diff != "" {
		t.Errorf("%s alone (-part +alone)\n%s", seat, diff)
	}
}

// In the example game C gives away points with H4 in the eleventh trick, and not with T22. An exchange that keeps bad cards is a mistake,
// and so is T1 for a first lead.
func TestReviewNamesThePlantedMistake(t *testing.T) {
	g := newGame(t, false)
	setup, played := enginetest.Example()
	card := func(name string) tarok.Card {
		c, err := tarok.ParseCard(name)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	poor := setup
	poor.Group, poor.Discards = 0, tarok.SetOf(card("H1"), card("D4"))
	for _, tt := range []struct {
		setup          tarok.Setup
		played         []tarok.Card
		exchange, last api.Verdict // the verdicts of the exchange and the last card
	}{
		{setup, append(played[:30:30], card("H4")), api.VerdictRight, api.VerdictMistake},
		{setup, append(played[:30:30], card("T22")), api.VerdictRight, api.VerdictRight},
		{poor, []tarok.Card{card("T1")}, api.VerdictMistake, api.VerdictMistake},
		{poor, []tarok.Card{card("T4")}, api.VerdictMistake, api.VerdictRight},
	} {
		r := decided[api.TarokReview](t, g, "Review", bodyOf(tt.setup, tt.played, ``))
		if last := r.Cards[len(r.Cards)-1]; r.Exchange.Verdict != tt.exchange || last.Verdict != tt.last {
			t.Errorf("%+v %+v\n%+v %+v\nwant %s, %s", r.Exchange, r.Exchange.Knowledge, last, last.Knowledge, tt.exchange, tt.last)
		}
	}
}

// The cards that a seat has not seen change nothing in its review: other deals that agree with what it knew give the same answer.
func TestReviewKnowsOnlyWhatWasSeen(t *testing.T) {
	g := newGame(t, false)
	other := 0
	for i, c := range tarok.Contracts() {
		rng := random.New(29, uint64(i))
		setup, played := randomHand(t, rng, c)
		played = played[:min(len(played), 25)]
		for _, seat := range tarok.Players() {
			w, err := worlds.New(worlds.ViewOf(&setup, played, seat))
			if err != nil {
				t.Fatal(err)
			}
			more := fmt.Sprintf(`,"worlds":8,"seat":%q`, seat)
			want := decided[api.TarokReview](t, g, "Review", bodyOf(setup, played, more))
			for range 3 {
				s := w.Sample(rng)
				if s.Deal.Hands != setup.Deal.Hands {
					other++
				}
				got := decided[api.TarokReview](t, g, "Review", bodyOf(s, played, more))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%s, %s, with other hidden cards\n%s", c, seat, diff)
				}
			}
		}
	}
	if other < 40 {
		t.Errorf("only %d deals differed", other)
	}
}

// The judge is the program of advise and exchange: the same values over the same worlds.
func TestReviewIsTheAdvice(t *testing.T) {
	g := newGame(t, false)
	stands := map[api.Standing]int{}
	for i, c := range tarok.Contracts() {
		setup, played := randomHand(t, random.New(30, uint64(i)), c)
		r := decided[api.TarokReview](t, g, "Review", bodyOf(setup, played,
			`,"worlds":20,"seed":"7","radli":{"A":1,"B":1,"C":1}`))
		asks := func(v worlds.View, more string) string {
			text, err := json.Marshal(outView(&v))
			if err != nil {
				t.Fatal(err)
			}
			return strings.TrimSuffix(string(text), "}") + `,"worlds":20,"seed":"7"` + more + `}`
		}
		for n, card := range r.Cards {
			k := card.Knowledge
			if k == nil {
				continue
			}
			seat, err := tarok.ParsePlayer(string(card.Seat))
			if err != nil {
				t.Fatal(err)
			}
			body := asks(worlds.ViewOf(&setup, played[:n], seat), `,"radli":{"A":1,"B":1,"C":1}`)
			a := decided[api.TarokAdvice](t, g, "Advise", body)
			at := slices.IndexFunc(a.Cards, func(o api.TarokAdvisedCard) bool { return o.Card == card.Card })
			want := api.TarokReviewKnowledge{Advised: a.Card, Measure: a.Measure, Worlds: a.Worlds.Used}
			if e := a.Cards[at].StandardError; e != nil && int64(a.Worlds.Used) < a.Worlds.Of {
				want.StandardError = *e
			}
			for _, o := range a.Cards[1:] {
				deviation := *o.StandardError
				if int64(a.Worlds.Used) == a.Worlds.Of {
					deviation = 0
				}
				servicetest.Stands(t, o.Standing, *a.Cards[0].Value-*o.Value, deviation, r.Rule.LeastCost)
				stands[o.Standing]++
			}
			cost := *a.Cards[0].Value - *a.Cards[at].Value
			got := *k
			got.Cost = 0
			if diff := cmp.Diff(want, got); diff != "" || math.Abs(k.Cost-cost) > 0.0011 {
				t.Errorf("%s: %+v, %+v, cost %v (-advise +review)\n%s", c, card, k, cost, diff)
			}
		}
		if r.Exchange == nil {
			continue
		}
		v := worlds.ViewOf(&setup, nil, setup.Declarer)
		v.Stage = worlds.Exchange
		a := decided[api.TarokExchangeAdvice](t, g, "Exchange", asks(v, ``))
		k := r.Exchange.Knowledge
		want := api.TarokMadeExchange{Group: a.Group, Discards: a.Discards}
		if diff := cmp.Diff(want, k.Advised); diff != "" || k.Cost == 0 {
			t.Errorf("%s: %+v (-exchange +review)\n%s", c, k, diff)
		}
	}
	if len(stands) != 3 {
		t.Errorf("the standings beside the advised cards were %v", stands)
	}
}

// Without a number of worlds, a decision has the worlds of advise, and a decision that is uncertain over them has more.
func TestReviewOfCloseDecisions(t *testing.T) {
	g := newGame(t, false)
	setup, played := enginetest.Example()
	more := 0
	for _, card := range decided[api.TarokReview](t, g, "Review", bodyOf(setup, played[:20], ``)).Cards {
		switch k := card.Knowledge; {
		case k == nil:
		case k.Worlds == closeTimes*advice.Default.Playouts:
			more++
		case k.Worlds != advice.Default.Playouts || card.Verdict == api.VerdictUncertain:
			t.Errorf("%+v, %+v", card, k)
		}
	}
	if more == 0 {
		t.Error("no decision was judged in more worlds")
	}
}

// If the worlds are all that agree with what a player knew, the cost has no error.
func TestReviewOfAllWorlds(t *testing.T) {
	g := newGame(t, false)
	setup, played := enginetest.Example()
	few := 0
	for _, card := range decided[api.TarokReview](t, g, "Review", bodyOf(setup, played, ``)).Cards {
		k := card.Knowledge
		if k == nil || k.Worlds >= 60 || k.Cost == 0 {
			continue
		}
		few++
		if k.StandardError != 0 || card.Verdict == api.VerdictUncertain {
			t.Errorf("%+v, %+v", card, k)
		}
	}
	if few == 0 {
		t.Error("no card that cost something had few worlds")
	}
}

// A mistake has a reason with two lines that are legal in its hands, and the line of the better card scores more. Other cards have none.
func TestReviewHasReasons(t *testing.T) {
	g := newGame(t, false)
	mistakes, reasons := 0, 0
	for i, c := range tarok.Contracts() {
		setup, played := randomHand(t, random.New(40, uint64(i)), c)
		for _, card := range decided[api.TarokReview](t, g, "Review", bodyOf(setup, played, `,"worlds":60`)).Cards {
			why := card.Reason
			if card.Verdict != api.VerdictMistake {
				if why != nil {
					t.Errorf("%s is %s, with a reason", card.Card, card.Verdict)
				}
				continue
			}
			mistakes++
			if why == nil {
				continue
			}
			reasons++
			if why.Played[0] != card.Card || why.Best[0] != card.Knowledge.Advised || why.Text == "" || !why.Code.Valid() || why.Share <= 0 ||
				why.Applies > why.Worlds || why.Worlds > card.Knowledge.Worlds {
				t.Errorf("%s: %+v", card.Card, why)
			}
			before, err := tarok.NewPosition(setup)
			if err == nil {
				before, err = before.Replay(played[:card.Number-1])
			}
			if err != nil {
				t.Fatal(err)
			}
			hands := [3]api.TarokCards{why.Hands.A, why.Hands.B, why.Hands.C}
			for p, hand := range hands {
				if len(hand) != before.Hand(tarok.Player(p)).Len() {
					t.Errorf("%s has %d cards, expected %d", tarok.Player(p), len(hand), before.Hand(tarok.Player(p)).Len())
				}
			}
			if own := outCards(before.Hand(before.Turn()).Slice()); !slices.Equal(own, hands[before.Turn()]) {
				t.Errorf("%s holds %v, in the example %v", card.Seat, own, hands[before.Turn()])
			}
		}
	}
	if mistakes < 15 || 4*reasons < 3*mistakes {
		t.Errorf("%d mistakes, %d reasons", mistakes, reasons)
	}
	t.Logf("%d mistakes, %d reasons", mistakes, reasons)
	for _, k := range reason.Kinds() {
		if code := api.TarokReasonCode(reason.Name(k)); !code.Valid() {
			t.Errorf("%s is not in the contract", code)
		}
	}
}

// The prose of the contract has the numbers of the program.
func TestReviewHasOurNumbers(t *testing.T) {
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	text := doc.Paths.Value("/v1/tarok/review").Post.Description +
		doc.Components.Schemas["TarokReviewRequest"].Value.Properties["worlds"].Value.Description
	text = strings.Join(strings.Fields(text), " ")
	s := advice.Default
	for _, says := range []string{
		"at least two points", fmt.Sprintf("%d for the exchange, %d for a card, and %d for a card in klop and beggar, and four times this number",
			s.Trials, s.Playouts, s.Samples),
	} {
		if !strings.Contains(text, says) {
			t.Errorf("the contract does not say %q, but: %s", says, text)
		}
	}
	if reviewRule.LeastCost != 2 || closeTimes != 4 {
		t.Errorf("the least cost is %v, and an uncertain decision has %d times as many worlds", reviewRule.LeastCost, closeTimes)
	}
}

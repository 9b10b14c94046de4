package bidadvice_test

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/service/klaverjas/bidadvice"
	"roem/internal/service/klaverjas/handstrength"
)

func advisor(tb testing.TB) *bidadvice.Advisor {
	tb.Helper()
	h, err := hand.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	m, err := deal.Default()
	if err != nil {
		tb.Fatal(err)
	}
	return &bidadvice.Advisor{Distilled: handstrength.OfModel(h), Predictor: m}
}

// start returns an auction after some passes.
func start(tb testing.TB, s bidding.Setting, passes int) bidding.Auction {
	tb.Helper()
	a, err := bidding.Start(s)
	for i := 0; err == nil && i < passes; i++ {
		a, err = a.Call(bidding.Pass)
		if err == nil && a.NeedsSuit() {
			a, err = bidadvice.TurnRandom(a, func(int) int { return 0 })
		}
	}
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

func setOf(tb testing.TB, texts ...string) (s piquet.Set) {
	tb.Helper()
	for _, text := range texts {
		c, err := piquet.ParseCard(text)
		if err != nil {
			tb.Fatal(err)
		}
		s = s.With(c)
	}
	return s
}

// A strong hand declares with its trump, a weak one passes, and one that must declare names its best trump. The same question has the same
// answer.
func TestAdvise(t *testing.T) {
	strong := setOf(t, "JH", "9H", "AH", "7H", "AS", "10S", "AD", "8C")
	weak := setOf(t, "7S", "8S", "9S", "7D", "8D", "7C", "8C", "8H")
	turned := bidding.Setting{Flow: bidding.Turned, Turned: []piquet.Suit{piquet.Hearts}, Again: true}
	for name, test := range map[string]struct {
		auction bidding.Auction
		hand    piquet.Set
		want    string
		trumps  int
	}{
		"strong, first":           {start(t, bidding.Setting{Flow: bidding.Free}, 0), strong, "H", 4},
		"strong, last":            {start(t, bidding.Setting{Flow: bidding.Official}, 3), strong, "H", 4},
		"strong, suit turned":     {start(t, turned, 0), strong, "H", 1},
		"strong, other suit":      {start(t, turned, 5), strong, "pass", 1}, // clubs are turned
		"strong, obliged":         {start(t, bidding.Setting{Flow: bidding.Obliged}, 0), strong, "H", 4},
		"weak, suit turned":       {start(t, turned, 2), weak, "pass", 1},
		"weak, last":              {start(t, bidding.Setting{Flow: bidding.Free}, 3), weak, "pass", 4},
		"strong, all have passed": {start(t, bidding.Setting{Flow: bidding.Free}, 4), strong, "H", 4},
	} {
		t.Run(name, func(t *testing.T) {
			for _, system := range []klaverjas.System{klaverjas.Rotterdam, klaverjas.Amsterdam} {
				q := bidadvice.Question{Rules: klaverjas.DefaultRules(system), Auction: test.auction, Hand: test.hand, Seed: 5}
				v := advisor(t)
				got, err := v.Advise(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				if got.Call.String() != test.want || len(got.Trumps) != test.trumps || got.Forced != test.auction.Forced() {
					t.Errorf("%s: %+v", system, got)
				}
				again, err := v.Advise(t.Context(), q)
				if diff := cmp.Diff(got, again); err != nil || diff != "" {
					t.Errorf("%s: another answer: %v %s", system, err, diff)
				}
				check(t, &got)
			}
		})
	}
}

// check checks what holds for all advice.
func check(t *testing.T, a *bidadvice.Advice) {
	t.Helper()
	for i, one := range a.Trumps {
		if i > 0 && one.Value > a.Trumps[i-1].Value {
			t.Errorf("%s is worth more than the trump before it", one.Trump)
		}
		if n := one.Now; n.Pit < 0 || n.Pit > n.WinProbability || n.WinProbability > 1 || n.Mean != one.Value {
			t.Errorf("%+v", one)
		}
	}
	if a.Forced {
		if a.Pass != (bidadvice.Pass{}) || !a.Call.Declare {
			t.Errorf("forced: %+v", a)
		}
		return
	}
	if sum := a.Pass.Own + a.Pass.Partner + a.Pass.Others; math.Abs(sum-1) > 1e-9 {
		t.Errorf("the shares of what follows a pass add up to %v", sum)
	}
	if p := a.Pass; p.WinProbability < 0 || p.WinProbability > 1 || math.Abs(p.Value) > 55 && (p.Value > 0) != (p.WinProbability > 0.5) {
		t.Errorf("a pass is worth %.1f points, and the team scores more with a probability of %.3f", p.Value, p.WinProbability)
	}
	if a.Call.Declare != (a.Trumps[0].Value >= a.Pass.Value) {
		t.Errorf("calls %s: %v for the best trump, %v for a pass", a.Call, a.Trumps[0].Value, a.Pass.Value)
	}
}

// Before the first call nothing is known of the others, so the numbers agree with the table model. A pass of the partner makes every trump
// worth less on average, passes of the opponents make it worth more.
func TestCallsAreEvidence(t *testing.T) {
	v := advisor(t)
	rng := index.NewRand(11)
	rules := klaverjas.DefaultRules(klaverjas.Rotterdam)
	mean := func(setting bidding.Setting, passes int) (change float64) {
		const hands = 12
		for range hands {
			a, err := v.Advise(t.Context(), bidadvice.Question{
				Rules: rules, Auction: start(t, setting, passes), Hand: index.Random(rng, piquet.Clubs, piquet.North)[0], Seed: rng.Uint64(),
			})
			if err != nil {
				t.Fatal(err)
			}
			change += (a.Trumps[0].Now.Mean - a.Trumps[0].Table.Mean) / hands
		}
		return change
	}
	none, opponent, both := mean(bidding.Setting{}, 0), mean(bidding.Setting{}, 1), mean(bidding.Setting{}, 2)
	if none != 0 || !(opponent > 2) || !(both < opponent) {
		t.Errorf("changes by the calls: none %.1f, an opponent has passed %.1f, the partner too %.1f", none, opponent, both)
	}
}

// Every auction of the policy ends, and every call of it is legal.
func TestPolicyFinishes(t *testing.T) {
	v := advisor(t)
	rng := index.NewRand(2)
	draw := func(n int) int { return int(rng.Uint64() % uint64(n)) }
	for i := range 64 {
		setting := bidding.Setting{Flow: bidding.Flow(i % 4), Dealer: piquet.Seat(i / 4 % 4)}
		if setting.Flow == bidding.Turned {
			setting.Turned, setting.Again = []piquet.Suit{piquet.Suit(draw(4))}, i/16%2 == 0
		}
		hands := index.Random(rng, piquet.Clubs, piquet.North)
		a, err := v.Policy.Finish(klaverjas.DefaultRules(klaverjas.System(i%2)), start(t, setting, 0), &hands, draw)
		if err != nil || !a.Done() {
			t.Fatalf("%+v: %v", setting, err)
		}
	}
}

func TestAdviseRefuses(t *testing.T) {
	v := advisor(t)
	q := bidadvice.Question{Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Auction: start(t, bidding.Setting{}, 0), Hand: 1}
	if _, err := v.Advise(t.Context(), q); err == nil {
		t.Error("a hand of one card is answered")
	}
	q.Hand, q.Rules.Melds = setOf(t, "JH", "9H", "AH", "7H", "AS", "10S", "AD", "8C"), false
	if _, err := v.Advise(t.Context(), q); err == nil {
		t.Error("rules without a model are answered")
	}
	q.Rules.Melds = true
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.Advise(ctx, q); err == nil {
		t.Error("a context that has ended is answered")
	}
}

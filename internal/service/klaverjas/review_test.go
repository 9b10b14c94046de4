package klaverjas

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/testkit"
)

// fieldsOf returns the fields of a request with the position.
func fieldsOf(p Position) map[string]any {
	rules, deal := p.start.Rules(), p.start.Deal()
	hands := map[string]any{}
	for _, s := range piquet.Seats() {
		hands[s.String()] = outCards(deal.Hands[s].Slice())
	}
	return map[string]any{
		"rules": map[string]any{"system": rules.System.String(), "nat_melds": rules.NatMelds.String()},
		"trump": deal.Trump.String(), "leader": deal.Leader.String(), "declarer": deal.Declarer.String(),
		"hands": hands, "played": outCards(p.played),
	}
}

// viewFields returns the fields of a request with what a seat has seen.
func viewFields(v worlds.View) map[string]any {
	return map[string]any{
		"rules": map[string]any{"system": v.Rules.System.String(), "nat_melds": v.Rules.NatMelds.String()},
		"trump": v.Trump.String(), "leader": v.Leader.String(), "declarer": v.Declarer.String(), "seat": v.Seat.String(),
		"hand": outCards(v.Hand.Slice()), "played": outCards(v.Played),
	}
}

// answerTo answers a request with some more fields.
func answerTo[Out any](t *testing.T, g *Game, name string, fields, more map[string]any) Out {
	t.Helper()
	all := maps.Clone(fields)
	maps.Copy(all, more)
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	r, err := g.service.Parse(context.Background(), "klaverjas."+name, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	answer, err := g.service.Answer(t.Context(), r.Query())
	if err != nil {
		t.Fatal(err)
	}
	if _, review := answer.Result.(api.KlaverjasReview); review && answer.Progress.Done != answer.Progress.Of {
		t.Errorf("progress %+v", answer.Progress)
	}
	return answer.Result.(Out)
}

// seatReviews returns the sums of the seats. A seat without a reviewed card has nil.
func seatReviews(r api.KlaverjasReview) [4]*api.SeatReview {
	return [4]*api.SeatReview{r.Seats.N, r.Seats.E, r.Seats.S, r.Seats.W}
}

// The review of all seats has what the reviews of the seats have, card by card.
func TestReviewOfAllSeats(t *testing.T) {
	rng := index.NewRand(28)
	for _, cards := range []int{1, 3, 18, 32} {
		p := randomPosition(t, rng, cards)
		options := map[string]any{"worlds": 3, "seed": "5"}
		one := newGame(t, service.Options{Slots: 1}, Options{TableBytes: 4 << 20})
		all := answerTo[api.KlaverjasReview](t, one, "review", fieldsOf(p), options)
		want := make([]api.KlaverjasReviewedCard, cards)
		for _, seat := range piquet.Seats() {
			sums := seatReviews(all)[seat]
			if int(seat.Plus(-int(p.start.Deal().Leader))) >= cards {
				if sums != nil {
					t.Errorf("%d cards: %s has played none and has %+v", cards, seat, sums)
				}
				continue
			}
			g := newGame(t, service.Options{Slots: 1}, Options{TableBytes: 4 << 20})
			options["seat"] = seat.String()
			got := answerTo[api.KlaverjasReview](t, g, "review", fieldsOf(p), options)
			delete(options, "seat")
			for _, c := range got.Cards {
				want[c.Number-1] = c
			}
			if diff := cmp.Diff(seatReviews(got)[seat], sums); diff != "" {
				t.Errorf("%d cards, %s (-one +all)\n%s", cards, seat, diff)
			}
		}
		if diff := cmp.Diff(want, all.Cards); diff != "" {
			t.Errorf("%d cards (-each +all)\n%s", cards, diff)
		}
	}
}

// A review has the costs of analyse, and the advice for each view at its time.
func TestReviewAgreesWithAnalyseAndAdvise(t *testing.T) {
	rng := index.NewRand(7)
	verdicts := map[api.Verdict]int{}
	for range 8 {
		p := randomPosition(t, rng, 14+rng.IntN(19))
		reviews, others := newGame(t, service.Options{Slots: 2}, Options{TableBytes: 4 << 20}), newGame(t, service.Options{Slots: 1},
			Options{TableBytes: 4 << 20})
		analysis := answerTo[api.KlaverjasAnalysis](t, others, "analyse", fieldsOf(p), nil)
		seat := piquet.Seat(rng.IntN(4))
		options := map[string]any{"worlds": 5, "seed": "3"}
		review := answerTo[api.KlaverjasReview](t, reviews, "review", fieldsOf(p),
			map[string]any{"worlds": 5, "seed": "3", "seat": seat.String()})
		list, counts := review.Cards, map[api.Verdict]int{}
		for _, a := range analysis.Cards {
			if string(a.Seat) != seat.String() {
				continue
			}
			got := list[0]
			list = list[1:]
			counts[got.Verdict]++
			if got.Seat != a.Seat || got.Number != a.Number || got.Trick != a.Trick || got.Card != a.Card || got.Open.Cost != a.Cost {
				t.Errorf("%+v, the analysis has %+v", got, a)
			}
			if diff := cmp.Diff(a.Best, got.Open.Best); diff != "" {
				t.Errorf("best cards (-analyse +review)\n%s", diff)
			}
			view := worlds.ViewOf(p.start, p.played[:a.Number-1], seat)
			advised := answerTo[api.KlaverjasAdvice](t, others, "advise", viewFields(view), options)
			if got.Legal != len(advised.Cards) || (got.Knowledge == nil) != (got.Legal == 1) ||
				(got.Verdict == api.VerdictForced) != (got.Legal == 1) {
				t.Errorf("%+v, %d cards are legal", got, len(advised.Cards))
			}
			for _, c := range advised.Cards {
				if c.Card != got.Card || got.Knowledge == nil {
					continue
				}
				want := api.KlaverjasReviewKnowledge{Advised: advised.Card, BestIn: c.BestIn, Cost: c.Cost, Worlds: advised.Worlds}
				if c.StandardErrors != nil {
					want.StandardError = &c.StandardErrors.Cost
				}
				if diff := cmp.Diff(want, *got.Knowledge); diff != "" {
					t.Errorf("on knowledge (-advise +review)\n%s", diff)
				}
			}
		}
		if len(list) > 0 {
			t.Errorf("more cards than %s played: %+v", seat, list)
		}
		summary := seatReviews(review)[seat]
		v := summary.Verdicts
		want := map[api.Verdict]int{
			api.VerdictRight: v.Right, api.VerdictUnlucky: v.Unlucky, api.VerdictMistake: v.Mistake, api.VerdictLucky: v.Lucky,
			api.VerdictForced:    v.Forced,
			api.VerdictUncertain: v.Uncertain,
		}
		for verdict, n := range want {
			verdicts[verdict] += n
			if counts[verdict] != n {
				t.Errorf("%d cards are %s, the sum says %d", counts[verdict], verdict, n)
			}
		}
		if n := analysis.Seats; summary.OpenCost != [4]int{n.N.Cost, n.E.Cost, n.S.Cost, n.W.Cost}[seat] {
			t.Errorf("cost %d, the analysis has %+v", summary.OpenCost, n)
		}
	}
	for _, v := range []api.Verdict{api.VerdictRight, api.VerdictUnlucky, api.VerdictMistake, api.VerdictForced} {
		if verdicts[v] == 0 {
			t.Errorf("no card is %s: %v", v, verdicts)
		}
	}
}

// What a card cost on knowledge does not depend on the hidden hands: they are exchanged for others with which every card was legal.
func TestReviewOfHiddenHands(t *testing.T) {
	g := newGame(t, service.Options{Slots: 2}, Options{TableBytes: 4 << 20})
	rng := index.NewRand(5)
	exchanged := 0
	for range 10 {
		p := randomPosition(t, rng, 10+rng.IntN(14))
		seat := piquet.Seat(rng.IntN(4))
		k, err := worlds.New(worlds.ViewOf(p.now, p.played, seat))
		if err != nil {
			t.Fatal(err)
		}
		other := p
		other.now = k.Position(k.World(rng.Uint64N(k.Worlds())))
		if other.start, err = klaverjas.NewPosition(p.start.Rules(), other.now.Deal()); err != nil {
			t.Fatal(err)
		}
		if other.start.Deal() != p.start.Deal() {
			exchanged++
		}
		options := map[string]any{"worlds": 4, "seat": seat.String()}
		knows := func(p Position) (out []*api.KlaverjasReviewKnowledge) {
			for _, c := range answerTo[api.KlaverjasReview](t, g, "review", fieldsOf(p), options).Cards {
				out = append(out, c.Knowledge)
			}
			return out
		}
		if diff := cmp.Diff(knows(p), knows(other)); diff != "" {
			t.Errorf("the cost on knowledge depends on the hidden hands:\n%s", diff)
		}
	}
	if exchanged < 8 {
		t.Errorf("only %d of 10 hands were exchanged", exchanged)
	}
}

// The parts of a review are parts of analyse and advise: a review after them searches nothing, and they search nothing after a review.
func TestReviewSharesTheCache(t *testing.T) {
	p := randomPosition(t, index.NewRand(9), 26)
	seat, options := piquet.North, map[string]any{"worlds": 4}
	parts := func(t *testing.T, g *Game) {
		t.Helper()
		at := p.start
		for i, c := range p.played {
			if at.Turn() == seat {
				before := Position{start: p.start, now: at, played: p.played[:i]}
				answerTo[api.KlaverjasSolution](t, g, "solve", fieldsOf(before), map[string]any{"goal": "moves"})
				answerTo[api.KlaverjasAdvice](t, g, "advise", viewFields(worlds.ViewOf(p.start, p.played[:i], seat)), options)
			}
			var err error
			if at, err = at.Play(c); err != nil {
				t.Fatal(err)
			}
		}
	}
	review := func(t *testing.T, g *Game) api.KlaverjasReview {
		t.Helper()
		return answerTo[api.KlaverjasReview](t, g, "review", fieldsOf(p), map[string]any{"worlds": 4, "seat": seat.String()})
	}
	var searches atomic.Int64
	game := func(t *testing.T) *Game {
		t.Helper()
		return newGame(t, service.Options{Slots: 2, Cache: newCache(t)}, Options{
			TableBytes: 1 << 20, Searched: func(search.Goal, uint64, time.Duration, error) { searches.Add(1) },
		})
	}
	t.Run("after the parts", func(t *testing.T) {
		g := game(t)
		for seed := uint64(9); ; seed++ { // a review without a mistake: the reason of one is a part that no other operation has
			p = randomPosition(t, index.NewRand(seed), 26)
			if !slices.ContainsFunc(review(t, game(t)).Cards, func(c api.KlaverjasReviewedCard) bool { return isMistake(c.Verdict) }) {
				break
			}
		}
		parts(t, g)
		searches.Store(0)
		if got := review(t, g); searches.Load() != 0 || got.Source != api.SourceCache || got.Stats.Nodes != 0 {
			t.Errorf("%d searches: %s, %+v", searches.Load(), got.Source, got.Stats)
		}
	})
	t.Run("before the parts", func(t *testing.T) {
		g := game(t)
		p = randomPosition(t, index.NewRand(9), 26)
		first := review(t, g)
		if !slices.ContainsFunc(first.Cards, func(c api.KlaverjasReviewedCard) bool { return c.Lines != nil }) {
			t.Error("no card has lines")
		}
		searches.Store(0)
		second := review(t, g)
		if searches.Load() != 0 || first.Source != api.SourceSearch || first.Stats.Nodes == 0 || second.Source != api.SourceCache {
			t.Errorf("%d searches: %s and %s", searches.Load(), first.Source, second.Source)
		}
		first.Source, first.Stats = second.Source, second.Stats
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("(-search +cache)\n%s", diff)
		}
		for _, c := range first.Cards {
			if c.Knowledge == nil {
				continue
			}
			view := worlds.ViewOf(p.start, p.played[:c.Number-1], seat)
			if got := answerTo[api.KlaverjasAdvice](t, g, "advise", viewFields(view), options); got.Source != api.SourceCache {
				t.Errorf("the advice before card %d is searched again", c.Number)
			}
		}
	})
}

// The cache may have some of the parts. The progress counts all of them.
func TestReviewProgress(t *testing.T) {
	p := randomPosition(t, index.NewRand(10), 28)
	g := newGame(t, service.Options{Slots: 2, Cache: newCache(t)}, Options{TableBytes: 1 << 20})
	shorter := p
	shorter.played = p.played[:20]
	answerTo[api.KlaverjasReview](t, g, "review", fieldsOf(shorter), map[string]any{"worlds": 3, "seat": "E"})
	fields := fieldsOf(p)
	fields["seat"], fields["worlds"] = "E", 3
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	q, err := ParseReview(context.Background(), g, text)
	if err != nil {
		t.Fatal(err)
	}
	scheduler := computation.New(computation.Options{Slots: 1})
	defer func() {
		if err := scheduler.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	var last computation.Progress
	if _, err := scheduler.Do(t.Context(), q.Computation(), computation.Urgent, func(p computation.Progress) { last = p }, 0); err != nil {
		t.Fatal(err)
	}
	if last.Done != last.Of || last.Of != q.Worlds || last.Of < 8 {
		t.Errorf("%+v, want %d", last, q.Worlds)
	}
}

// Requests with equal answers have equal keys, and others have not.
func TestReviewKey(t *testing.T) {
	g := newGame(t, service.Options{}, Options{})
	key := func(seat, more string) string {
		q, err := ParseReview(context.Background(), g, fmt.Appendf(nil, `{%s, "played": ["JH", "8S", "7H", "8H"], "seat": "%s"%s}`,
			someDeal, seat, more))
		if err != nil {
			t.Fatal(err)
		}
		return string(q.Key())
	}
	if key("S", "") != key("s", `, "seed": "0"`) {
		t.Error("two spellings of a request have two keys")
	}
	q, err := ParseReview(context.Background(), g, fmt.Appendf(nil, `{%s, "played": ["JH", "8S", "7H", "8H"]}`, someDeal))
	if err != nil {
		t.Fatal(err)
	}
	all := string(q.Key())
	seen := map[string]bool{key("S", ""): true}
	for _, other := range []string{
		key("W", ""), all, key("S", `, "seed": "1"`), key("S", `, "worlds": 100`), key("S", `, "worlds": 101`), key("S", `, "declarer": "EW"`),
	} {
		if seen[other] {
			t.Error("different requests have one key")
		}
		seen[other] = true
	}
}

// A reader can check each verdict with the numbers of the answer: no card is right whose known cost is clearly above the least, and none
// is a mistake whose known cost is below it.
func TestVerdictsFollowFromTheAnswer(t *testing.T) {
	testkit.NotRaced(t, "one request after the other")
	g := newGame(t, service.Options{Slots: 2, Cache: newCache(t)}, Options{TableBytes: 4 << 20})
	rng := index.NewRand(31)
	seen := map[api.Verdict]int{}
	for range 28 {
		p := randomPosition(t, rng, 22+rng.IntN(11))
		review := answerTo[api.KlaverjasReview](t, g, "review", fieldsOf(p),
			map[string]any{"worlds": 24, "seat": piquet.Seat(rng.IntN(4)).String()})
		least, errors := review.Rule.LeastCost, review.Rule.StandardErrors
		if least != 5 || errors != 2 {
			t.Fatalf("the rule is %+v, the contract has 5 points and 2 standard errors", review.Rule)
		}
		for _, c := range review.Cards {
			seen[c.Verdict]++
			if c.Knowledge == nil {
				continue
			}
			low, high := math.Inf(-1), math.Inf(1)
			if e := c.Knowledge.StandardError; e != nil {
				low, high = c.Knowledge.Cost-errors**e, c.Knowledge.Cost+errors**e
			}
			var fits bool
			switch c.Verdict {
			case api.VerdictRight, api.VerdictUnlucky:
				fits = high < least
			case api.VerdictMistake, api.VerdictLucky:
				fits = low >= least-1e-9
			case api.VerdictUncertain:
				fits = low < least && high >= least-1e-9
			}
			open := c.Verdict == api.VerdictUnlucky || c.Verdict == api.VerdictMistake
			if !fits || c.Verdict != api.VerdictUncertain && open != (c.Open.Cost > 0) {
				t.Errorf("%s is %s: known cost %v, two standard errors either way %.2f to %.2f, open cost %d",
					c.Card, c.Verdict, c.Knowledge.Cost, low, high, c.Open.Cost)
			}
		}
	}
	for _, v := range []api.Verdict{
		api.VerdictRight, api.VerdictUnlucky, api.VerdictMistake, api.VerdictLucky, api.VerdictUncertain, api.VerdictForced,
	} {
		if seen[v] == 0 {
			t.Errorf("%d cards are %s: %v", seen[v], v, seen)
		}
	}
}

// If the request sets no number of worlds, a card that is uncertain over 100 is searched over 400.
func TestReviewSearchesCloseCardsLonger(t *testing.T) {
	testkit.NotRaced(t, "one request after the other")
	g := newGame(t, service.Options{Slots: 2, Cache: newCache(t)}, Options{TableBytes: 16 << 20})
	rng := index.NewRand(2)
	longer := 0
	for range 2 {
		p := randomPosition(t, rng, 18)
		fields := map[string]any{"seat": p.start.Turn().String()}
		review := answerTo[api.KlaverjasReview](t, g, "review", fieldsOf(p), fields)
		fields["worlds"] = defaultWorlds
		before := answerTo[api.KlaverjasReview](t, g, "review", fieldsOf(p), fields)
		for i, c := range review.Cards {
			if c.Knowledge == nil || c.Knowledge.Worlds.All {
				continue
			}
			want := defaultWorlds
			if before.Cards[i].Verdict == api.VerdictUncertain {
				want = closeWorlds
				longer++
			}
			if c.Knowledge.Worlds.Used != want {
				t.Errorf("%s is %s over %d worlds; over %d it is %s", c.Card, c.Verdict, c.Knowledge.Worlds.Used, defaultWorlds,
					before.Cards[i].Verdict)
			}
		}
		delete(fields, "worlds")
		if again := answerTo[api.KlaverjasReview](t, g, "review", fieldsOf(p), fields); again.Source != api.SourceCache ||
			again.Stats.Nodes != 0 {
			t.Errorf("the second review searches: %s, %+v", again.Source, again.Stats)
		}
	}
	if longer == 0 {
		t.Error("no card was searched longer")
	}
}

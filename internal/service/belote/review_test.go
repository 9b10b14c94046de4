package belote

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/api/apitest"
	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/reason"
	"roem/internal/engine/piquet"
	"roem/internal/random"
	"roem/internal/service"
)

// fieldsOf returns the fields of a position for requests.
func fieldsOf(p *Position, more map[string]any) []byte {
	d := p.start.Deal()
	body := map[string]any{
		"trump": outTrump(d.Trump), "suits": outSuits(d.Deck), "leader": d.Leader.String(), "declarer": d.Declarer.String(),
		"stacks": outDeal(d).Stacks, "played": outCards(p.played),
	}
	maps.Copy(body, more)
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return text
}

// review returns the review of the cards played.
func review(t *testing.T, g *Game, p *Position, more map[string]any) api.BeloteReview {
	t.Helper()
	q, err := ParseReview(t.Context(), g, fieldsOf(p, more))
	return answer[api.BeloteReview](t, g, q, err)
}

// replay returns the start of a deal with cards played.
func replay(t *testing.T, d belote.Deal, played []piquet.Card) *Position {
	t.Helper()
	start, err := belote.NewPosition(d)
	if err != nil {
		t.Fatal(err)
	}
	p := &Position{start: start, played: played}
	if p.now, err = start.Replay(played); err != nil {
		t.Fatal(err)
	}
	return p
}

// line returns the value of a position, and the cards of best play.
func line(t *testing.T, g *Game, p *Position) (value int, played []piquet.Card) {
	t.Helper()
	q, err := ParseSolve(t.Context(), g, fieldsOf(p, nil))
	s := answer[api.BeloteSolution](t, g, q, err)
	for _, text := range s.Line {
		c, err := piquet.ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		played = append(played, c)
	}
	return *s.Points, played
}

// reviewedDecks are decks whose hands are searched fast.
var reviewedDecks = []piquet.Set{belote.Deck(piquet.Hearts), belote.Deck(piquet.Clubs, piquet.Spades)}

// The costs with open cards are the way from the value of the deal to the points made, and each verdict follows from the costs.
func TestReviewOfRandomHands(t *testing.T) {
	rng := random.New(28)
	verdicts := map[api.Verdict]int{}
	for i := range 24 {
		g := newGame(t, true)
		d := belote.Random(rng, reviewedDecks[i%2], belote.NoTrump)
		p := positionAfter(t, d, rng, d.Deck.Len())
		value, _ := line(t, g, replay(t, d, nil))
		r := review(t, g, &p, map[string]any{"worlds": 4})
		if len(r.Cards) != d.Deck.Len() || r.Rule != (api.ReviewRule{LeastCost: 5, StandardErrors: 2}) {
			t.Fatalf("%d cards, %+v", len(r.Cards), r.Rule)
		}
		sums := map[api.BeloteSeat]*api.SeatReview{"A": {}, "B": {}}
		at := p.start
		for n, c := range r.Cards {
			sum := sums[c.Seat]
			sum.OpenCost += c.Open.Cost
			service.CountVerdict(&sum.Verdicts, c.Verdict)
			verdicts[c.Verdict]++
			k := c.Knowledge
			if k == nil {
				if c.Legal != 1 || c.Verdict != api.VerdictForced || c.Open.Cost != 0 {
					t.Errorf("%+v", c)
				}
			} else {
				sum.KnowledgeCost += k.Cost
				surely, never := k.Cost-2*k.StandardError >= 5, k.Cost+2*k.StandardError < 5
				want := map[bool]api.Verdict{true: api.VerdictMistake, false: api.VerdictLucky}[c.Open.Cost > 0]
				if !surely {
					want = map[bool]api.Verdict{true: api.VerdictUnlucky, false: api.VerdictRight}[c.Open.Cost > 0]
					if !never {
						want = api.VerdictUncertain
					}
				}
				if c.Verdict != want || c.Legal != at.Legal().Len() || slices.Contains(c.Open.Best, c.Card) != (c.Open.Cost == 0) {
					t.Errorf("want %s: %+v", want, c)
				}
			}
			if string(c.Seat) != at.Turn().String() || c.Number != n+1 || c.Trick != n/2+1 {
				t.Errorf("card %d: %+v", n, c)
			}
			var err error
			if at, err = at.Play(p.played[n]); err != nil {
				t.Fatal(err)
			}
		}
		for seat, got := range map[api.BeloteSeat]*api.SeatReview{"A": r.Seats.A, "B": r.Seats.B} {
			want := sums[seat]
			if got.Verdicts != want.Verdicts || got.OpenCost != want.OpenCost || math.Abs(got.KnowledgeCost-want.KnowledgeCost) > 1e-9 {
				t.Errorf("%s: %+v, want %+v", seat, got, want)
			}
		}
		declarer, other := r.Seats.A.OpenCost, r.Seats.B.OpenCost
		if d.Declarer == belote.B {
			declarer, other = other, declarer
		}
		if result := p.now.Points(d.Declarer); value-declarer+other != result {
			t.Errorf("the value %d less %d plus %d is not the result %d", value, declarer, other, result)
		}
	}
	for _, v := range []api.Verdict{api.VerdictRight, api.VerdictUnlucky, api.VerdictMistake, api.VerdictLucky, api.VerdictForced} {
		if verdicts[v] == 0 {
			t.Errorf("no card is %s: %v", v, verdicts)
		}
	}
}

// Best play by both costs nothing with all cards known. With one other card, that card alone has its cost.
func TestReviewNamesThePlantedMistake(t *testing.T) {
	rng := random.New(2)
	planted := 0
	for i := range 12 {
		g := newGame(t, true)
		d := belote.Random(rng, reviewedDecks[i%2], belote.NoTrump)
		value, played := line(t, g, replay(t, d, nil))
		whole := replay(t, d, played)
		for _, c := range review(t, g, whole, map[string]any{"worlds": 2}).Cards {
			if c.Open.Cost != 0 || c.Verdict == api.VerdictMistake || c.Verdict == api.VerdictUnlucky {
				t.Errorf("best play: %+v", c)
			}
		}
		for n := range played {
			before := replay(t, d, played[:n])
			for c := range before.now.Legal().All() {
				after := replay(t, d, append(slices.Clone(played[:n]), c))
				worse, rest := line(t, g, after)
				cost := value - worse
				if before.now.Turn() != d.Declarer {
					cost = -cost
				}
				if cost < 5 {
					continue
				}
				planted++
				for _, one := range review(t, g, replay(t, d, append(after.played, rest...)), map[string]any{"worlds": 2}).Cards {
					want := 0
					if one.Number == n+1 {
						want = cost
					}
					if one.Open.Cost != want {
						t.Errorf("card %d for %d points: %+v", n+1, cost, one)
					}
				}
				break
			}
			if planted > 3*i {
				break
			}
		}
	}
	if planted < 6 {
		t.Errorf("only %d mistakes", planted)
	}
}

// What a card cost on knowledge is what advise says when it was played, and does not depend on the cards face down.
func TestReviewKnowsOnlyWhatWasSeen(t *testing.T) {
	rng := random.New(6)
	for range 6 {
		g := newGame(t, false)
		d := belote.Random(rng, reviewedDecks[1], belote.NoTrump)
		p := positionAfter(t, d, rng, 6)
		options := map[string]any{"worlds": 5, "seed": "9"}
		r := review(t, g, &p, options)
		for n, c := range r.Cards {
			if c.Knowledge == nil {
				continue
			}
			stacks := map[string][][2]*string{}
			for _, player := range belote.Players() {
				for _, s := range d.Of(player) {
					top, bottom := s.Top.String(), s.Bottom.String()
					two := [2]*string{&top, nil}
					if slices.Contains(p.played[:n&^1], s.Top) {
						two[1] = &bottom
					}
					stacks[player.String()] = append(stacks[player.String()], two)
				}
			}
			seen := *replay(t, d, p.played[:n])
			q, err := ParseAdvise(t.Context(), g, fieldsOf(&seen, map[string]any{"stacks": stacks, "worlds": 5, "seed": "9"}))
			a := answer[api.BeloteAdvice](t, g, q, err)
			i := slices.IndexFunc(a.Cards, func(one api.BeloteAdvisedCard) bool { return one.Card == c.Card })
			want := api.BeloteReviewKnowledge{
				Cost: a.Cards[i].Cost, StandardError: a.Cards[i].CostError, Advised: a.Card, BestIn: a.Cards[i].BestIn, Worlds: a.Worlds,
			}
			if diff := cmp.Diff(want, *c.Knowledge); diff != "" {
				t.Errorf("card %d (-advise +review)\n%s", n+1, diff)
			}
		}
		// The cards below two stacks that nobody has turned change places.
		other := d
		var below []*piquet.Card
		for _, player := range belote.Players() {
			for i, s := range other.Of(player) {
				if !slices.Contains(p.played, s.Top) {
					below = append(below, &other.Of(player)[i].Bottom)
				}
			}
		}
		*below[0], *below[1] = *below[1], *below[0]
		again := review(t, g, replay(t, other, p.played), options)
		for n := range r.Cards {
			if diff := cmp.Diff(r.Cards[n].Knowledge, again.Cards[n].Knowledge); diff != "" {
				t.Errorf("card %d with other cards face down: %s", n+1, diff)
			}
		}
	}
}

// The review of a seat has its cards of the review of both, a second one comes from the cache, and without a number of worlds uncertain
// cards are searched over more.
func TestReviewOfASeat(t *testing.T) {
	g, rng := newGame(t, true), random.New(4)
	d := belote.Random(rng, belote.Deck(piquet.Clubs, piquet.Hearts), belote.TrumpOf(piquet.Hearts))
	p := positionAfter(t, d, rng, 10)
	both := review(t, g, &p, nil)
	more := 0
	for _, c := range both.Cards {
		if k := c.Knowledge; k != nil && !k.Worlds.All {
			switch {
			case k.Worlds.Used == closeWorlds:
				more++
			case k.Worlds.Used != reviewWorlds || c.Verdict == api.VerdictUncertain:
				t.Errorf("%+v", c)
			}
		}
	}
	t.Logf("%d of %d cards were searched over more worlds", more, len(both.Cards))
	var list []api.BeloteReviewedCard
	for _, seat := range []string{"A", "B"} {
		one := review(t, g, &p, map[string]any{"seat": seat})
		if one.Source != api.SourceCache || one.Stats.Nodes != 0 || (one.Seats.A != nil) != (seat == "A") ||
			(one.Seats.B != nil) != (seat == "B") {
			t.Errorf("%s: %s, %+v, %+v", seat, one.Source, one.Stats, one.Seats)
		}
		list = append(list, one.Cards...)
	}
	slices.SortFunc(list, func(a, b api.BeloteReviewedCard) int { return a.Number - b.Number })
	if diff := cmp.Diff(both.Cards, list); diff != "" {
		t.Error(diff)
	}
}

// Advice that lacks the card that was played, and values that do not fit, are errors of the review.
func TestReviewWithoutTheCard(t *testing.T) {
	g, rng := newGame(t, false), random.New(6)
	p := positionAfter(t, belote.Random(rng, reviewedDecks[0], belote.NoTrump), rng, 4)
	q, err := ParseReview(t.Context(), g, fieldsOf(&p, map[string]any{"worlds": 5}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.Ask(t.Context(), g.service, q); err != nil {
		t.Fatal(err)
	}
	if _, _, err := q.analyse.read(service.Value{}); err == nil {
		t.Error("an analysis that does not fit: no error")
	}
	for i := range q.Decisions {
		d := &q.Decisions[i]
		if len(d.Asks) == 0 {
			continue
		}
		if _, err := d.Asks[0].tally(service.Value{}); err == nil {
			t.Error("a tally that does not fit: no error")
		}
		other := *d
		other.Of.Act.Card = q.position.played[(d.Of.Number+1)%len(q.position.played)] // it is played later or was played before
		other.Asks = d.Asks[:1]
		q.Decisions[i] = other
		if _, err := service.Ask(t.Context(), g.service, q); err == nil || !strings.Contains(err.Error(), "does not contain the card") {
			t.Errorf("advice without the card: %v", err)
		}
		return
	}
	t.Error("no decision has advice")
}

// A mistake on knowledge has a reason with two lines, in the deal that was played or in one that was possible. Other cards have none. The
// reasons of a second review come from the cache.
func TestReviewHasReasons(t *testing.T) {
	rng := random.New(40)
	mistakes, reasons, others := 0, 0, 0
	for i := range 10 {
		g := newGame(t, true)
		d := belote.Random(rng, reviewedDecks[1], belote.TrumpOf(piquet.Spades))
		p := positionAfter(t, d, rng, 10+rng.IntN(6))
		r := review(t, g, &p, nil)
		for _, c := range r.Cards {
			if c.Verdict != api.VerdictMistake && c.Verdict != api.VerdictLucky {
				if c.Reason != nil {
					t.Errorf("%s is %s, with a reason", c.Card, c.Verdict)
				}
				continue
			}
			mistakes++
			why := c.Reason
			if why == nil {
				continue
			}
			reasons++
			deal := d
			if why.Stacks != nil {
				others++
				for player, list := range [2]api.BeloteStackList{why.Stacks.A, why.Stacks.B} {
					for k, stack := range list {
						two := cardsOf(t, stack[:])
						deal.Stacks[player][k] = belote.Stack{Top: two[0], Bottom: two[1]}
					}
				}
			}
			before := replay(t, deal, p.played[:c.Number-1]).now
			made := func(line api.Cards) int {
				end, err := before.Replay(cardsOf(t, line))
				if err != nil || !end.Finished() {
					t.Fatalf("%v does not end the hand: %v", line, err)
				}
				return end.Points(before.Turn())
			}
			if why.Played[0] != c.Card || why.Best[0] != c.Knowledge.Advised || made(why.Played) >= made(why.Best) {
				t.Errorf("%s costs nothing in the example: %+v", c.Card, why)
			}
			lucky := c.Verdict == api.VerdictLucky && why.Stacks == nil
			if !why.Code.Valid() || why.Text == "" || why.Applies > why.Worlds || why.Share <= 0 || lucky {
				t.Errorf("%s: %+v", c.Card, why)
			}
		}
		if again := review(t, g, &p, nil); i < 3 && again.Source != api.SourceCache {
			t.Errorf("the second review comes from %s", again.Source)
		} else if diff := cmp.Diff(r.Cards, again.Cards); diff != "" {
			t.Error(diff)
		}
	}
	if mistakes < 20 || 10*reasons < 9*mistakes || others == 0 {
		t.Errorf("%d mistakes, %d reasons, %d in other deals", mistakes, reasons, others)
	}
	for _, k := range reason.Kinds() {
		if code := api.BeloteReasonCode(reason.Name(k)); !code.Valid() {
			t.Errorf("%s is not in the contract", code)
		}
	}
}

// cardsOf reads the cards of an answer.
func cardsOf(t *testing.T, list []string) (out []piquet.Card) {
	t.Helper()
	for _, text := range list {
		c, err := piquet.ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// The prose of the contract has the numbers of the program.
func TestReviewHasOurNumbers(t *testing.T) {
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(doc.Paths.Value("/v1/belote/review").Post.Description), " ")
	for _, says := range []string{
		"at least five points", fmt.Sprintf("uncertain over %d worlds is searched over %d", reviewWorlds, closeWorlds),
	} {
		if !strings.Contains(text, says) {
			t.Errorf("the contract does not say %q, but: %s", says, text)
		}
	}
	if reviewRule.LeastCost != 5 {
		t.Errorf("the least cost is %v", reviewRule.LeastCost)
	}
}

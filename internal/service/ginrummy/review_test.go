package ginrummy

import (
	"context"
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
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/reason"
	"roem/internal/random"
	"roem/internal/service"
	"roem/internal/service/servicetest"
)

// playedRound returns a round between two players, as review takes it.
func playedRound(t *testing.T, number uint64, one func(seed uint64) players.Player) map[string]any {
	t.Helper()
	deal := ginrummy.SeededDeal(28, number, ginrummy.Seat(number&1))
	seats := [2]players.Player{one(2 * number), one(2*number + 1)}
	events := []map[string]any{}
	if _, _, err := players.PlayRound(t.Context(), &deal, [2]int{}, seats, func(step *players.Step) {
		seat := step.Before.Seat()
		e, ok := ginrummy.EventOf(&step.Before, &step.After, step.Action, seat)
		if !ok || e.Kind == ginrummy.Lay {
			return
		}
		event := map[string]any{"seat": outSeat(seat), "kind": e.Kind.String()}
		if e.Kind != ginrummy.Pass && e.Kind != ginrummy.Knock {
			event["card"] = e.Card.String()
		}
		events = append(events, event)
	}); err != nil {
		t.Fatal(err)
	}
	return map[string]any{
		"starter": outSeat(deal.Starter), "upcard": deal.Upcard.String(), "hands": outHands(deal.Hands), "events": events,
	}
}

func simplePlayer(seed uint64) players.Player { return players.NewSimple(random.New(seed)) }

// patient plays as the simple player, but does not knock before the 16th turn.
type patient struct{ players.Player }

func (p patient) Choose(ctx context.Context, v ginrummy.View) (ginrummy.Action, error) {
	if v.Phase == ginrummy.ToKnock && v.Turns < 15 {
		return ginrummy.Action{Kind: ginrummy.Continue}, nil
	}
	return p.Player.Choose(ctx, v)
}

func patientPlayer(seed uint64) players.Player { return patient{simplePlayer(seed)} }

func randomPlayer(seed uint64) players.Player { return players.NewRandom(random.New(seed)) }

// review returns the review of a round.
func review(t *testing.T, g *Game, round, more map[string]any) api.GinReview {
	t.Helper()
	body := maps.Clone(round)
	maps.Copy(body, more)
	do := func(q *ReviewQuery) (api.GinReview, error) {
		a, err := service.Ask(t.Context(), g.service, q)
		if err != nil {
			return api.GinReview{}, err
		}
		return g.outReview(q, a), nil
	}
	return answer(t, ParseReview.Of(g), do, body)
}

// Every action of a round is reviewed once, the verdicts follow from the costs, and the sums agree with the actions.
func TestReviewOfRandomRounds(t *testing.T) {
	g := newGame(t)
	verdicts, kinds := map[api.Verdict]int{}, map[api.GinActionKind]int{}
	for i := range uint64(12) {
		player := randomPlayer
		if i&1 != 0 {
			player = patientPlayer
		}
		round := playedRound(t, i, player)
		r := review(t, g, round, map[string]any{"worlds": 16})
		events := round["events"].([]map[string]any)
		sums := map[api.GinSeat]*api.GinSeatReview{"A": {}, "B": {}}
		next := 0 // the event of the next action that is one
		for _, a := range r.Actions {
			kinds[a.Action.Kind]++
			verdicts[a.Verdict]++
			sum := sums[a.Seat]
			service.CountVerdict(&sum.Verdicts, a.Verdict)
			if a.Action.Kind == api.GinActionKindContinue {
				if a.Number != next || events[next-1]["kind"] != "discard" || events[next-1]["seat"] != a.Seat {
					t.Errorf("round %d: %+v before event %d", i, a, next+1)
				}
			} else {
				e := events[next]
				next++
				if a.Number != next || e["seat"] != a.Seat || e["kind"] != string(a.Action.Kind) ||
					a.Action.Card != nil && e["card"] != *a.Action.Card {
					t.Errorf("round %d: %+v for %v", i, a, e)
				}
			}
			k := a.Knowledge
			if k == nil {
				if a.Legal != 1 || a.Verdict != api.VerdictForced {
					t.Errorf("round %d: %+v", i, a)
				}
				continue
			}
			sum.KnowledgeCost += k.Cost
			want := api.VerdictUncertain
			switch low, high := k.Cost-2*k.StandardError, k.Cost+2*k.StandardError; {
			case low >= 2:
				want = api.VerdictMistake
			case high < 2:
				want = api.VerdictRight
			}
			if a.Verdict != want || k.Worlds != 16 || a.Legal < 2 {
				t.Errorf("round %d: %+v, want %s", i, a, want)
			}
		}
		if next != len(events) {
			t.Errorf("round %d: %d of %d events are reviewed", i, next, len(events))
		}
		for seat, got := range map[api.GinSeat]*api.GinSeatReview{"A": r.Seats.A, "B": r.Seats.B} {
			if want := sums[seat]; got.Verdicts != want.Verdicts || math.Abs(got.KnowledgeCost-want.KnowledgeCost) > 1e-6 {
				t.Errorf("round %d, %s: %+v, want %+v", i, seat, got, want)
			}
		}
		for seat, only := range map[api.GinSeat]*api.GinSeatReview{"A": r.Seats.A, "B": r.Seats.B} {
			one := review(t, g, round, map[string]any{"worlds": 16, "seat": seat})
			of := slices.DeleteFunc(slices.Clone(r.Actions), func(a api.GinReviewedAction) bool { return a.Seat != seat })
			want := api.GinSeatReviews{A: only}
			if seat == api.GinSeatB {
				want = api.GinSeatReviews{B: only}
			}
			if diff := cmp.Diff(of, one.Actions) + cmp.Diff(want, one.Seats); diff != "" {
				t.Errorf("round %d, %s alone (-both +alone)\n%s", i, seat, diff)
			}
		}
	}
	for _, v := range []api.Verdict{api.VerdictRight, api.VerdictMistake, api.VerdictUncertain, api.VerdictForced} {
		if verdicts[v] == 0 {
			t.Errorf("no action is %s: %v", v, verdicts)
		}
	}
	if len(kinds) != 6 {
		t.Errorf("the kinds of actions are %v", kinds)
	}
}

// meldsOfThree deals a hand in which every card is in a meld, but for a king.
const meldsOfThree = `"upcard": "10S", "hands": {"A": ["5H", "6H", "7H", "2D", "3D", "4D", "6D", "7D", "8D", "KC"],
	"B": ["2C", "3C", "9C", "8C", "QC", "JH", "7S", "KS", "JD", "QS"]}`

// The discard that breaks a meld, the pass of a card that makes gin, and to go on with gin are mistakes. No other action is one.
func TestReviewNamesThePlantedMistake(t *testing.T) {
	g := newGame(t)
	for _, tt := range []struct {
		name, round string
		number      int // of the event of the mistake; 0 for none
		kind        api.GinActionKind
	}{
		{
			"none", `{"starter": "A", ` + meldsOfThree + `, "events": [{"seat": "A", "kind": "pass"}, {"seat": "B", "kind": "pass"},
			{"seat": "A", "kind": "stock", "card": "10H"}, {"seat": "A", "kind": "discard", "card": "KC"}]}`, 0, "",
		},
		{
			"a broken meld", `{"starter": "A", ` + meldsOfThree + `, "events": [{"seat": "A", "kind": "pass"}, {"seat": "B", "kind": "pass"},
			{"seat": "A", "kind": "stock", "card": "10H"}, {"seat": "A", "kind": "discard", "card": "6H"}]}`, 4, api.GinActionKindDiscard,
		},
		{
			"a pass", `{"starter": "A", ` + strings.Replace(meldsOfThree, `"10S"`, `"8H"`, 1) + `, "events": [{"seat": "A", "kind": "pass"}]}`,
			1, api.GinActionKindPass,
		},
		{
			"no knock", `{"starter": "A", ` + meldsOfThree + `, "events": [{"seat": "A", "kind": "pass"}, {"seat": "B", "kind": "pass"},
			{"seat": "A", "kind": "stock", "card": "8H"}, {"seat": "A", "kind": "discard", "card": "KC"},
			{"seat": "B", "kind": "stock", "card": "AC"}, {"seat": "B", "kind": "discard", "card": "KS"}]}`, 4, api.GinActionKindContinue,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var round map[string]any
			if err := json.Unmarshal([]byte(tt.round), &round); err != nil {
				t.Fatal(err)
			}
			found := false
			for _, a := range review(t, g, round, map[string]any{"seat": "A"}).Actions {
				planted := a.Number == tt.number && a.Action.Kind == tt.kind
				found = found || planted
				if (a.Verdict == api.VerdictMistake) != planted {
					t.Errorf("%+v, %+v", a, a.Knowledge)
				}
			}
			if found != (tt.number > 0) {
				t.Error("the action is not reviewed")
			}
		})
	}
}

// What an action cost is what advise says at that time, to a player who does not know the hidden cards, and the same for another hand of
// the opponent that agrees with what the player saw.
func TestReviewKnowsOnlyWhatWasSeen(t *testing.T) {
	o, err := Learned(nil)
	if err != nil {
		t.Fatal(err)
	}
	g := newGameOf(t, o)
	compared, others := 0, 0
	for i := range uint64(4) {
		round := playedRound(t, i, simplePlayer)
		r := review(t, g, round, map[string]any{"worlds": 96})
		for _, a := range r.Actions {
			if a.Knowledge != nil {
				compared++
				sameAsAdvise(t, g, round, &a)
			}
		}
		// A card that the opponent was dealt, and held to the end without using it up, changes places with one of the stock that nobody drew.
		if other := exchanged(round); other != nil {
			others++
			again := review(t, g, other, map[string]any{"worlds": 96, "seat": "A"})
			if diff := cmp.Diff(review(t, g, round, map[string]any{"worlds": 96, "seat": "A"}).Actions, again.Actions); diff != "" {
				t.Errorf("round %d with other hidden cards\n%s", i, diff)
			}
		}
	}
	if compared < 40 || others < 3 {
		t.Errorf("%d actions, %d other rounds", compared, others)
	}
}

// exchanged returns a round in which one hidden card of opp is another; nil if there is none.
func exchanged(round map[string]any) map[string]any {
	shown, hidden := fmt.Sprint(round), ""
	dealt := round["hands"].(api.GinHands)
	events := fmt.Sprint(round["events"])
	for _, c := range dealt.B {
		if !strings.Contains(events, "card:"+c+" ") {
			hidden = c
		}
	}
	for c := range ginrummy.Card(ginrummy.DeckSize) {
		if name := c.String(); hidden != "" && !strings.Contains(shown, "card:"+name+" ") && round["upcard"] != name &&
			!slices.Contains(dealt.A, name) && !slices.Contains(dealt.B, name) {
			opp := slices.Clone(dealt.B)
			opp[slices.Index(opp, hidden)] = name
			other := maps.Clone(round)
			other["hands"] = api.GinHands{A: dealt.A, B: opp}
			return withoutKnocksOfOpp(other)
		}
	}
	return nil
}

// withoutKnocksOfOpp leaves out a knock of opp: with another hand the deadwood may be too much.
func withoutKnocksOfOpp(round map[string]any) map[string]any {
	events := round["events"].([]map[string]any)
	if last := events[len(events)-1]; last["kind"] == "knock" && last["seat"] == api.GinSeatB {
		round["events"] = events[:len(events)-1]
	}
	return round
}

// sameAsAdvise compares what is known of an action with advise, which the player of it asks in its own situation.
func sameAsAdvise(t *testing.T, g *Game, round map[string]any, a *api.GinReviewedAction) {
	t.Helper()
	before := a.Number - 1
	if a.Action.Kind == api.GinActionKindContinue || a.Action.Kind == api.GinActionKindKnock && before > 0 {
		before = a.Number // after the discard
		if a.Action.Kind == api.GinActionKindKnock {
			before--
		}
	}
	dealt := round["hands"].(api.GinHands)
	own := map[string]bool{}
	for _, c := range map[api.GinSeat]api.GinCards{"A": dealt.A, "B": dealt.B}[a.Seat] {
		own[c] = true
	}
	events := []map[string]any{}
	for _, e := range round["events"].([]map[string]any)[:before] {
		seen := map[string]any{"seat": e["seat"], "kind": e["kind"]}
		if card, ok := e["card"].(string); ok && (e["seat"] == a.Seat || e["kind"] != "stock") {
			seen["card"] = card
			if e["seat"] == a.Seat {
				own[card] = e["kind"] != "discard"
			}
		}
		events = append(events, seen)
	}
	maps.DeleteFunc(own, func(_ string, held bool) bool { return !held })
	got := answer(t, ParseAdvise.Of(g), func(q AdviseQuery) (api.GinAdvice, error) {
		return g.Advise(context.Background(), q)
	}, map[string]any{
		"seat": a.Seat, "starter": round["starter"], "upcard": round["upcard"], "hand": slices.Sorted(maps.Keys(own)), "events": events,
	})
	k := a.Knowledge
	if diff := cmp.Diff(got.Action, k.Advised); diff != "" {
		t.Errorf("%+v (-advise +review)\n%s", a, diff)
	}
	var best, played *api.GinOption
	for i := range got.Options {
		o := &got.Options[i]
		if o.Best {
			best = o
		}
		if o.Action.Kind == a.Action.Kind && (o.Action.Card == nil || *o.Action.Card == *a.Action.Card) {
			played = o
		}
	}
	for _, o := range got.Options {
		switch {
		case o.Best && *o.Standing != api.StandingBest, o.Value == nil && o.Standing != nil:
			t.Errorf("%+v stands as %s", o, *o.Standing)
		case !o.Best && o.Value != nil:
			servicetest.Stands(t, *o.Standing, *best.Value-*o.Value, *o.StandardError, reviewRule.LeastCost)
		}
	}
	if played.Value == nil { // advise does not value all discards
		return
	}
	wantError := 0.0
	if played.StandardError != nil {
		wantError = *played.StandardError
	}
	if cost := *best.Value - *played.Value; math.Abs(cost-k.Cost) > 0.0011 || wantError != k.StandardError {
		t.Errorf("%+v: cost %+v, want %v ± %v", a, k, cost, wantError)
	}
}

// The codes of the engine agree with the contract.
func TestReasonCodes(t *testing.T) {
	for c := range reason.NumCodes {
		if !api.GinReasonCode(c.String()).Valid() {
			t.Errorf("%s is not in the contract", c)
		}
	}
}

// Nearly each mistake has a reason, and nothing else has one. It is about the worlds of the cost.
func TestReviewHasReasons(t *testing.T) {
	g := newGame(t)
	found, none := map[api.GinReasonCode]int{}, 0
	for i := range uint64(12) {
		for _, a := range review(t, g, playedRound(t, i, randomPlayer), map[string]any{"worlds": 48}).Actions {
			switch r := a.Reason; {
			case a.Verdict != api.VerdictMistake && r != nil:
				t.Errorf("round %d: %+v has the reason %+v", i, a, r)
			case a.Verdict == api.VerdictMistake && r == nil:
				none++
			case r != nil:
				found[r.Code]++
				if r.Worlds != a.Knowledge.Worlds || r.Applies < 1 || r.Applies > r.Worlds || r.Share <= 0 || r.Share > 1 || r.Text == "" {
					t.Errorf("round %d: %+v", i, r)
				}
			}
		}
	}
	if len(found) < 8 || none > 2 {
		t.Errorf("the reasons are %v, %d mistakes have none", found, none)
	}
}

// Without a number of worlds, actions that are uncertain over the worlds of advise are played out in more.
func TestReviewOfCloseActions(t *testing.T) {
	g := newGame(t)
	more := 0
	for _, a := range review(t, g, playedRound(t, 3, simplePlayer), nil).Actions {
		switch k := a.Knowledge; {
		case k == nil:
		case k.Worlds == closeWorlds:
			more++
		case k.Worlds != g.judge().Worlds || a.Verdict == api.VerdictUncertain:
			t.Errorf("%+v, %+v", a, k)
		}
	}
	if more == 0 {
		t.Error("no action was played on in more worlds")
	}
}

// The prose of the contract has the numbers of the program.
func TestReviewHasOurNumbers(t *testing.T) {
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(doc.Paths.Value("/v1/gin-rummy/review").Post.Description), " ")
	for _, says := range []string{
		"at least two points", fmt.Sprintf("uncertain over %d worlds is played out in %d", newGame(t).judge().Worlds, closeWorlds),
	} {
		if !strings.Contains(text, says) {
			t.Errorf("the contract does not say %q, but: %s", says, text)
		}
	}
	if reviewRule.LeastCost != 2 {
		t.Errorf("the least cost is %v", reviewRule.LeastCost)
	}
}

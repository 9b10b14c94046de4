package tarok

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/random"
	"roem/internal/service"
)

// decided answers a request to the program.
func decided[T any](t *testing.T, g *Game, name, body string) T {
	t.Helper()
	r, err := g.service.Parse(t.Context(), "tarok."+strings.ToLower(name), []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := g.service.Answer(t.Context(), r.Query())
	if err != nil {
		t.Fatal(err)
	}
	out, ok := answer.Result.(T)
	if !ok {
		t.Fatalf("the answer is a %T", answer.Result)
	}
	return out
}

func TestDecisions(t *testing.T) {
	g := newGame(t, false)
	bid := decided[api.TarokBidAdvice](t, g, "Bid", `{`+handOfA+`,"worlds":4}`)
	if len(bid.Contracts) != 5 || len(bid.LegalCalls) != 6 || bid.Contracts[0].Worlds != 4 || bid.Contracts[0].Points == nil {
		t.Errorf("%+v", bid)
	}
	last := decided[api.TarokBidAdvice](t, g, "Bid", `{`+handOfA+`,"worlds":4,"rules":{"bidding":"forehand_last"},"calls":["pass","pass"]}`)
	if diff := cmp.Diff([]api.TarokCall{"klop", "three", "two", "one", "beggar", "zero"}, last.LegalCalls); diff != "" {
		t.Errorf("who bids last and alone (-want +got)\n%s", diff)
	}
	exchange := decided[api.TarokExchangeAdvice](t, g, "Exchange", `{`+handOfA+turnedUp+`,"worlds":4,"options":2}`)
	if len(exchange.Options) != 6 || len(exchange.Discards) != 2 || len(exchange.Options[0].Taken) != 2 || exchange.Options[0].Worlds != 4 {
		t.Errorf("%+v", exchange)
	}
	say := decided[api.TarokAnnounceAdvice](t, g, "Announce", `{`+knownToA+`,"worlds":4,"threshold":0}`)
	if diff := cmp.Diff(say.May, say.Say); diff != "" || say.Worlds != 4 || say.Declarer == nil {
		t.Errorf("with a threshold of 0 not all was announced: %s", diff)
	}
	testTrialSearches(t, g, &bid)
	one := decided[api.TarokAdvice](t, g, "Advise", `{`+knownToA+`,"worlds":1,"depth":3}`)
	if i := slices.IndexFunc(one.Cards, func(c api.TarokAdvisedCard) bool { return c.Standing == api.StandingWorse }); i >= 0 {
		t.Errorf("one world of %d says that %s is worse", one.Worlds.Of, one.Cards[i].Card)
	}
	advice := decided[api.TarokAdvice](t, g, "Advise", `{`+knownToA+`,"worlds":4,"depth":3}`)
	if len(advice.Cards) != 16 || !advice.Cards[0].Best || advice.Card != advice.Cards[0].Card || *advice.Depth != 3 ||
		advice.Worlds.Used != 4 || !strings.Contains(advice.Why, advice.Card) || advice.Measure != "tricks" || advice.Clusters == nil {
		t.Errorf("%+v", advice)
	}
	played := decided[api.TarokAdvice](t, g, "Advise", viewOf(1, `,"worlds":20,"weigh":["calls","exchange","cards"]`))
	if played.Measure != "lead" || played.Worlds.Used != 20 || *played.Drawn != 80 || played.EffectiveWorlds == nil ||
		*played.EffectiveWorlds > 80 ||
		played.Depth != nil || played.Clusters != nil || !strings.Contains(played.Why, "drawn by their likelihood from 80") {
		t.Errorf("%+v", played)
	}
	equal := decided[api.TarokAdvice](t, g, "Advise", viewOf(1, `,"worlds":20,"weigh":[]`))
	if equal.Measure != "lead" || equal.Worlds.Used != 20 || equal.Drawn != nil || equal.EffectiveWorlds != nil {
		t.Errorf("%+v", equal)
	}
	// The declarer and an opponent of a beggar.
	for who, want := range map[string]string{
		`"A"`: "to the declarer's side on average over 5 of 1659354628347108 possible deals, where a deal counts -30 if the " +
			"declarer takes the first of the next tricks, -27 if",
		`"C","played":["D2"]`: "possible deals, where a deal counts 30 if the declarer takes the first of the next tricks, 27 if the second, " +
			"and so on, and 0 if none of 3; ",
	} {
		beggar := decided[api.TarokAdvice](t, g, "Advise", `{`+handOfA+`,"contract":"beggar","worlds":5,"depth":9,"declarer":`+who+`}`)
		if beggar.Measure != "tricks" || !strings.Contains(beggar.Why, want) {
			t.Errorf("%+v", beggar)
		}
	}
	// B must play the only tarok that it has left.
	only := decided[api.TarokAdvice](t, g, "Advise", viewOf(46, ``))
	if len(only.Cards) != 1 || only.Cards[0].Value != nil || only.Worlds.Used != 0 || !strings.Contains(only.Why, "only legal") {
		t.Errorf("%+v", only)
	}
}

// testTrialSearches: with searches a bid, an exchange and announcements are decided by other trial games, 30 if nothing else is asked.
func testTrialSearches(t *testing.T, g *Game, playouts *api.TarokBidAdvice) {
	t.Helper()
	bid := decided[api.TarokBidAdvice](t, g, "Bid", `{`+handOfA+`,"evaluation":"searches"}`)
	if bid.Contracts[0].Worlds != 30 || *bid.Contracts[0].Points == *playouts.Contracts[0].Points {
		t.Errorf("%+v", bid)
	}
	// In the paper A is willing to bid as high as two, by a margin of 3.
	paper := decided[api.TarokBidAdvice](t, g, "Bid", `{`+handOfA+`,"method":"clustered","margin":3}`)
	if len(paper.Contracts) != 5 || !paper.Contracts[0].Viable || *paper.Contracts[0].Points != *bid.Contracts[0].Points {
		t.Errorf("%+v, without a margin %+v", paper, bid)
	}
	exchange := decided[api.TarokExchangeAdvice](t, g, "Exchange", `{`+handOfA+turnedUp+`,"evaluation":"searches","options":1}`)
	if len(exchange.Options) != 3 || exchange.Options[0].Worlds != 30 {
		t.Errorf("%+v", exchange)
	}
	say := decided[api.TarokAnnounceAdvice](t, g, "Announce", `{`+knownToA+`,"evaluation":"searches"}`)
	if say.Worlds != 30 || say.Declarer == nil {
		t.Errorf("%+v", say)
	}
}

// TestAdviseKnows: what was bid and said, and the radli, are in the key, and can change the card.
func TestAdviseKnows(t *testing.T) {
	g := newGame(t, false)
	const samples = `,"worlds":40`
	ask := func(more string) (key string, card string) {
		q, err := ParseAdvise(context.Background(), g, []byte(viewOf(15, samples+more)))
		if err != nil {
			t.Fatal(err)
		}
		return string(q.Key()), decided[api.TarokAdvice](t, g, "Advise", viewOf(15, samples+more)).Card
	}
	key, card := ask(``)
	if same, again := ask(`,"said":[{},{},{}],"radli":{"A":0}`); same != key || again != card {
		t.Errorf("%s and %s, and with silence %s and %s", key, card, same, again)
	}
	keys, cards := map[string]bool{key: true}, map[string]bool{}
	for _, more := range []string{
		`,"said":[{"bonuses":["trula"]}]`, `,"said":[{},{"kontra":true}]`, `,"radli":{"A":1}`, `,"calls":["two","pass","pass","two"]`,
		`,"calls":["three","two","pass","two","pass","two"]`,
	} {
		k, c := ask(more)
		if keys[k] {
			t.Errorf("%s does not change the key", more)
		}
		keys[k], cards[more] = true, c != card
	}
	if !cards[`,"said":[{"bonuses":["trula"]}]`] || !cards[`,"radli":{"A":1}`] {
		t.Errorf("without %s; other cards with %v", card, cards)
	}
}

// TestAdviseAsInSession: what a session shows is what its players know of the time before the first card.
func TestAdviseAsInSession(t *testing.T) {
	rng := random.New(4)
	for range 50 {
		table, err := players.NewTable(tarok.Random(rng), tarok.DefaultRules, [3]int{1, 0, 2})
		if err != nil {
			t.Fatal(err)
		}
		var words []api.TarokWords
		for table.Phase() < players.ToPlay {
			turn, _ := table.Turn()
			v := table.View(turn)
			a, err := players.NewRandom(rng).Choose(t.Context(), v)
			if err != nil {
				t.Fatal(err)
			}
			if v.Phase == players.ToAnnounce {
				if may := v.Talk.May(); rng.IntN(3) == 0 {
					a.Words = may
				}
				words = append(words, outWords(a.Words))
			}
			if table, err = table.Act(a); err != nil {
				t.Fatal(err)
			}
		}
		want := table.View(tarok.B)
		bids := []string{}
		for _, b := range want.Bids {
			bids = append(bids, b.String())
		}
		more, err := json.Marshal(map[string]any{"said": words, "calls": bids, "radli": outNumbers(want.Radli)})
		if err != nil {
			t.Fatal(err)
		}
		known, err := json.Marshal(outView(&want.View))
		if err != nil {
			t.Fatal(err)
		}
		var in adviseBody
		if err := json.Unmarshal([]byte(strings.TrimSuffix(string(known), "}")+","+string(more[1:])), &in); err != nil {
			t.Fatal(err)
		}
		got, err := playView(&in.viewBody)
		if err != nil {
			t.Fatal(err)
		}
		var vs service.Problems
		in.before(&got, &vs)
		if len(vs) > 0 || got.Talk != want.Talk || got.Radli != want.Radli || got.Bidding != want.Bidding || !slices.Equal(got.Bids, want.Bids) {
			t.Fatalf("%v\nthe request has\n%+v\nthe table\n%+v", vs, got, want)
		}
	}
}

// TestEqualDecisions: equal requests have equal answers, and the seed changes what is drawn.
func TestEqualDecisions(t *testing.T) {
	g := newGame(t, false)
	ask := func(seed string) api.TarokAdvice {
		return decided[api.TarokAdvice](t, g, "Advise", `{`+knownToA+`,"worlds":3,"depth":3,"seed":"`+seed+`"}`)
	}
	one := ask("1")
	if diff := cmp.Diff(one, ask("1")); diff != "" {
		t.Error(diff)
	}
	two := ask("2")
	if two.Seed = one.Seed; cmp.Equal(one, two) {
		t.Error("another seed draws the same deals")
	}
}

func TestMatch(t *testing.T) {
	g := newGame(t, false)
	m := decided[api.TarokMatch](t, g, "Match", `{"a":"quick","b":"random","deals":1,"hands":2,"seating":"one","seed":"4"}`)
	if m.Tables != 3 || m.Hands != 6 || m.A.Player != "quick" || m.A.Decisions == 0 || m.Difference.Mean == 0 {
		t.Errorf("%+v", m)
	}
}

func TestDecisionStops(t *testing.T) {
	g := newGame(t, false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, body := range map[string]string{"Advise": `{` + knownToA + `}`, "Match": `{"a":"program","b":"random"}`} {
		r, err := g.service.Parse(t.Context(), "tarok."+strings.ToLower(name), []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.service.Answer(ctx, r.Query()); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v, want the error of the context", name, err)
		}
	}
}

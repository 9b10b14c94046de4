package tarok

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/enginetest"
	"roem/internal/engine/tarok/search"
	"roem/internal/random"
	"roem/internal/service"
	"roem/internal/service/servicetest"
)

func newGame(tb testing.TB, cache bool) *Game {
	tb.Helper()
	return New(servicetest.New(tb, cache), Options{})
}

// bodyOf returns the request about a setup and the cards played, with more fields.
func bodyOf(s tarok.Setup, played []tarok.Card, more string) string {
	names := func(list []tarok.Card) []string {
		out := []string{}
		for _, c := range list {
			out = append(out, c.String())
		}
		return out
	}
	body := map[string]any{"contract": s.Contract.String(), "talon": names(s.Deal.Talon[:]), "played": names(played)}
	hands := map[string]any{}
	for i, hand := range s.Deal.Hands {
		hands[tarok.Player(i).String()] = names(hand.Slice())
	}
	body["hands"] = hands
	if s.Contract != tarok.Klop {
		body["declarer"] = s.Declarer.String()
	}
	if s.Contract.Exchange() > 0 {
		body["group"], body["discards"] = s.Group, names(s.Discards.Slice())
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return strings.TrimSuffix(string(text), "}") + more + "}"
}

func solveBodyOf(t *testing.T, g *Game, body string) api.TarokSolution {
	t.Helper()
	q, err := ParseSolve(context.Background(), g, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	a, err := service.Ask(t.Context(), g.service, q)
	if err != nil {
		t.Fatal(err)
	}
	return g.outSolution(q, a)
}

// steady removes what differs between a search and the cache.
func steady(s api.TarokSolution) api.TarokSolution {
	s.Source, s.Stats.Nodes, s.Stats.ElapsedUs = "", 0, 0
	return s
}

// The answers of the service agree with the search, and the second comes from the cache.
func TestSolve(t *testing.T) {
	g := newGame(t, true)
	setup, played := enginetest.Example()
	for _, tt := range []struct {
		cards int
		more  string
	}{
		{30, `,"goal":"moves"`},
		{30, ``},
		{31, `,"goal":"moves"`},
		{27, ``},
		{48, `,"goal":"moves"`},
		{0, `,"depth":9,"goal":"moves"`},
		{0, `,"depth":6,"table":"none","selection":"all","history":false,"deepening":false`},
		{24, `,"depth":12,"table":"plain","selection":"learned"`},
		{48, `,"depth":3`},
	} {
		t.Run(fmt.Sprint(tt.cards, tt.more), func(t *testing.T) {
			body := bodyOf(setup, played[:tt.cards], tt.more)
			first, second := solveBodyOf(t, g, body), solveBodyOf(t, g, body)
			if diff := cmp.Diff(steady(first), steady(second)); diff != "" {
				t.Error(diff)
			}
			if first.Source != api.SourceSearch || second.Source != api.SourceCache || second.Stats.Nodes != 0 ||
				first.Stats.Searched != first.Stats.Nodes {
				t.Errorf("%s %+v, then %s %+v", first.Source, first.Stats, second.Source, second.Stats)
			}
			start, err := tarok.NewPosition(setup)
			if err != nil {
				t.Fatal(err)
			}
			p, err := start.Replay(played[:tt.cards])
			if err != nil {
				t.Fatal(err)
			}
			if first.Depth != nil {
				if first.Exact || first.Thirds != nil || first.Value == nil {
					t.Errorf("%+v", first)
				}
				return
			}
			want, err := search.New(search.Options{}).Solve(t.Context(), search.Query{Position: p, Goal: search.Moves})
			if err != nil {
				t.Fatal(err)
			}
			if *first.Thirds != want.Thirds || *first.Points != tarok.Points(want.Thirds) || *first.Won != want.Won || !first.Exact {
				t.Errorf("%d thirds, want %d", *first.Thirds, want.Thirds)
			}
			if first.Moves != nil {
				for i, m := range want.Moves {
					if got := (*first.Moves)[i]; got.Card != m.Card.String() || *got.Thirds != m.Thirds || got.Best != m.Best {
						t.Errorf("move %d is %+v, want %+v", i, got, m)
					}
				}
			}
		})
	}
}

// Positions that differ only in what does not matter for the search share a result.
func TestSharedResults(t *testing.T) {
	g := newGame(t, true)
	setup, played := enginetest.Example()
	solveBodyOf(t, g, bodyOf(setup, played[:36], ``))
	again := solveBodyOf(t, g, bodyOf(setup, played[:36], `,"rules":{"mond":0,"lead":"declarer"}`))
	if again.Source != api.SourceCache {
		t.Error("a rule that does not matter for the search makes another result")
	}
}

// Beggars are won or lost.
func TestSolveBeggar(t *testing.T) {
	g := newGame(t, true)
	outcomes := map[bool]int{}
	for seed := range uint64(30) {
		rng := random.New(seed)
		setup := tarok.DrawSetup(rng, tarok.Beggar)
		p, ok := tarok.Ending(rng, setup, 15)
		if !ok {
			continue
		}
		var played []tarok.Card
		replay, err := tarok.NewPosition(setup)
		if err != nil {
			t.Fatal(err)
		}
		for replay.Played() < p.Played() { // the cards of the one trick, found again
			for c := range replay.Legal().All() {
				if !p.Hand(replay.Turn()).Has(c) {
					if replay, err = replay.Play(c); err != nil {
						t.Fatal(err)
					}
					played = append(played, c)
					break
				}
			}
		}
		got := solveBodyOf(t, g, bodyOf(setup, played, `,"depth":3`))
		if got.Won != nil || got.Value == nil {
			t.Errorf("%+v", got)
		}
		outcomes[*got.Value < 0]++
	}
	if len(outcomes) != 2 {
		t.Errorf("all estimates agree: %v", outcomes)
	}
}

func legalOf(t *testing.T, g *Game, body string) api.TarokLegalMoves {
	t.Helper()
	p, err := ParsePosition(context.Background(), g, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	out, err := g.Legal(p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestLegalPhases(t *testing.T) {
	g := newGame(t, false)
	setup, played := enginetest.Example()
	full := bodyOf(setup, played[:2], ``)
	talon := strings.NewReplacer(`"discards":["C8","CJ"],`, ``, `"group":2,`, ``, `"played":["DK","DC"],`, ``).Replace(full)
	out := legalOf(t, g, talon)
	if out.Phase != api.TarokPhaseTalon || len(*out.Groups) != 3 || strings.Join((*out.Groups)[2], " ") != "T20 SC" || *out.Turn != "A" {
		t.Errorf("%+v", out)
	}
	discard := strings.NewReplacer(`"discards":["C8","CJ"],`, `"discards":["C8"],`, `"played":["DK","DC"],`, ``).Replace(full)
	out = legalOf(t, g, discard)
	if out.Phase != api.TarokPhaseDiscard || strings.Join(out.Legal, " ") != "D4 D3 D1 DJ SC CJ" || out.Thirds.A != 1 ||
		len(out.Hands.A) != 17 {
		t.Errorf("%+v", out)
	}
	out = legalOf(t, g, full)
	if out.Phase != api.TarokPhasePlay || *out.Turn != "C" || strings.Join(out.Legal, " ") != "D2" || out.Trick.Leader != "A" ||
		len(out.Trick.Cards) != 2 || out.Thirds.A != 5 {
		t.Errorf("%+v", out)
	}
	out = legalOf(t, g, bodyOf(setup, played, ``))
	if out.Phase != api.TarokPhaseFinished || out.Turn != nil || out.Thirds.A != 134 {
		t.Errorf("%+v", out)
	}
}

func TestScore(t *testing.T) {
	g := newGame(t, false)
	setup, played := enginetest.Example()
	scored := func(body string) api.TarokScore {
		in, err := ParseScore(context.Background(), g, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		out, err := g.Score(in)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	got := scored(bodyOf(setup, played, `,"announcements":{"kings":{"by":"declarer","kontra":"re"}},"kontra":"kontra","radli":{"A":2,"C":1}`))
	if *got.DeclarerPoints != 45 || *got.OpponentsPoints != 25 || *got.Game != 40 || *got.Difference != 20 || got.Bonuses.Kings != -80 ||
		got.Total != (api.TarokNumbers{A: 2 * (40 + 20 - 80)}) || got.Radli != (api.TarokNumbers{A: 1, C: 1}) || !*got.Radl {
		t.Errorf("%+v", got)
	}
	list, err := enginetest.Vectors("../../../testdata/tarok/play.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, v := range list {
		s, err := v.Setup()
		if err != nil {
			t.Fatal(err)
		}
		if s.Contract != tarok.Klop {
			continue
		}
		n++
		got := scored(bodyOf(s, enginetest.Cards(v.Plays...), ``))
		if total := [3]int{got.Total.A, got.Total.B, got.Total.C}; total != v.Other.Returns || got.Points == nil || got.Won != nil {
			t.Errorf("%+v, want %v", got, v.Other.Returns)
		}
	}
	if n == 0 {
		t.Error("no klop among the vectors")
	}
}

// A value of another question, or a damaged one, is a miss.
func TestDamagedValues(t *testing.T) {
	g := newGame(t, true)
	setup, played := enginetest.Example()
	q, err := ParseSolve(context.Background(), g, []byte(bodyOf(setup, played[:30], `,"goal":"moves"`)))
	if err != nil {
		t.Fatal(err)
	}
	value, err := g.compute(t.Context(), newSolver(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := readResult(value, q); !ok {
		t.Fatal("a good value is not read")
	}
	for i := range value {
		bad := append([]byte{}, value...)
		bad[i] ^= 1
		if _, ok := readResult(bad, q); ok {
			t.Errorf("byte %d is changed, and the value is read", i)
		}
		if _, ok := readResult(value[:i], q); ok {
			t.Errorf("%d bytes are read", i)
		}
	}
	other, err := ParseSolve(context.Background(), g, []byte(bodyOf(setup, played[:33], `,"goal":"moves"`)))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := readResult(value, other); ok {
		t.Error("the value of another position is read")
	}
}

// Random deals follow from their seed, and a bad seed is refused.
func TestRandomDeal(t *testing.T) {
	g := newGame(t, false)
	seed, bad := "7", "-7"
	a, err := g.RandomDeal(api.TarokRandomDealParams{Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	d := tarok.Random(random.New(7))
	if diff := cmp.Diff(outHands(d.Hands), a.Position.Hands); diff != "" || a.Seed != seed {
		t.Error(diff, a.Seed)
	}
	if b, err := g.RandomDeal(api.TarokRandomDealParams{}); err != nil || b.Seed == "" {
		t.Errorf("without a seed: %+v %v", b, err)
	}
	if _, err := g.RandomDeal(api.TarokRandomDealParams{Seed: &bad}); service.KindOf(err) != service.Malformed {
		t.Errorf("%v", err)
	}
}

// A search that takes turns ends with its context.
func TestSolveEnds(t *testing.T) {
	g := newGame(t, false)
	setup, played := enginetest.Example()
	q, err := ParseSolve(context.Background(), g, []byte(bodyOf(setup, played[:12], ``)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := service.Ask(ctx, g.service, q); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A beggar ends with the first trick of the declarer: nothing is left to search, however many cards are left.
func TestSolveFinishedBeggar(t *testing.T) {
	g := newGame(t, false)
	setup, _ := enginetest.Example()
	setup.Contract, setup.Declarer, setup.Discards, setup.Group = tarok.Beggar, tarok.C, 0, 0
	p, err := tarok.NewPosition(setup)
	if err != nil {
		t.Fatal(err)
	}
	played := enginetest.Cards("T22")
	if p, err = p.Replay(played); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		c := p.Legal().First()
		played = append(played, c)
		if p, err = p.Play(c); err != nil {
			t.Fatal(err)
		}
	}
	for _, more := range []string{``, `,"goal":"moves"`} {
		out := solveBodyOf(t, g, bodyOf(setup, played, more))
		if !out.Exact || out.Won == nil || *out.Won || len(out.Line) != 0 || out.Turn != nil {
			t.Errorf("%+v", out)
		}
	}
}

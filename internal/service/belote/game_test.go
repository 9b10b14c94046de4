package belote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/compare"
	"roem/internal/engine/belote/enginetest"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
	"roem/internal/service"
	"roem/internal/service/servicetest"
)

const oneSuit = `"trump": "H", "suits": ["H"], "leader": "A", "stacks": {"A": [["QH", "7H"], ["KH", ` +
	`"AH"]], "B": [["10H", "8H"], ["JH", "9H"]]}`

func newGame(tb testing.TB, cache bool) *Game {
	tb.Helper()
	return New(servicetest.New(tb, cache), Options{})
}

// answer returns the answer of a query.
func answer[T any](t *testing.T, g *Game, q any, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var out any
	switch q := q.(type) {
	case *SolveQuery:
		out = rendered(t, g, q, (*Game).outSolution)
	case *AnalyseQuery:
		out = rendered(t, g, q, (*Game).outAnalysis)
	case *AdviseQuery:
		out = rendered(t, g, q, (*Game).outAdvice)
	case *BidQuery:
		out = rendered(t, g, q, (*Game).outBid)
	case *CompareQuery:
		out = rendered(t, g, q, (*Game).outComparison)
	case *MatchQuery:
		out = rendered(t, g, q, (*Game).outMatch)
	case *ReviewQuery:
		out = rendered(t, g, q, (*Game).outReview)
	}
	return out.(T)
}

func rendered[Q service.TypedQuery[R], R, Out any](t *testing.T, g *Game, q Q, render func(*Game, Q, service.Answer[R]) Out) any {
	t.Helper()
	a, err := service.Ask(t.Context(), g.service, q)
	if err != nil {
		t.Fatal(err)
	}
	a.Began = time.Now()
	return render(g, q, a)
}

// steady removes what differs between a search and the cache.
func steady(s api.BeloteSolution) api.BeloteSolution {
	s.Source, s.Stats.Nodes, s.Stats.ElapsedUs = "", 0, 0
	return s
}

// Every vector has its values through the service, once by a search and once from the cache.
func TestVectors(t *testing.T) {
	list, err := enginetest.Vectors("../../../testdata/belote/decouverte.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(t, true)
	for i, v := range list {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			ask := func() api.BeloteSolution {
				q, err := service.BodyOf("BeloteSolveRequest", readSolve(Question{Goal: search.Moves}))(context.Background(), g, v.Raw)
				return answer[api.BeloteSolution](t, g, q, err)
			}
			got := ask()
			if *got.Points != v.Expect.Points || got.Won != v.Expect.Won || string(*got.Turn) != v.Expect.Turn {
				t.Errorf("points %d, won %v, turn %s; want %+v", *got.Points, got.Won, *got.Turn, v.Expect)
			}
			moves := map[string]int{}
			for _, m := range *got.Moves {
				moves[m.Card] = *m.Points
			}
			if diff := cmp.Diff(v.Expect.Moves, moves); diff != "" {
				t.Error(diff)
			}
			again := ask()
			if again.Source != api.SourceCache {
				t.Errorf("the second answer is from %s", again.Source)
			}
			if diff := cmp.Diff(steady(got), steady(again)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Positions that differ in the names of suits and players and in the order of the stacks share one result. The paper's algorithms share
// it only if the stacks have the same order.
func TestCanonical(t *testing.T) {
	for seed := range uint64(200) {
		rng := random.New(seed)
		suits := int(seed%4) + 1
		deck, trumps := enginetest.Deals(suits)
		d := belote.Random(rng, deck, trumps[random.Below(rng, uint64(len(trumps)))])
		d.Declarer, d.Threshold = belote.Player(rng.Uint64()&1), 1+int(random.Below(rng, uint64(d.Total())))
		p := positionAfter(t, d, rng, int(random.Below(rng, uint64(deck.Len())+1)))
		other, to, swapped := renamed(&d, rng)
		ordered := slices.Clone(other.Of(belote.B))
		random.Shuffle(rng, other.Of(belote.B))
		q := positionOf(t, other, to, p.played)
		for _, keep := range []bool{false, true} {
			one, err := newCanonical(&p, keep)
			if err != nil {
				t.Fatal(err)
			}
			two, err := newCanonical(&q, keep)
			if err != nil {
				t.Fatal(err)
			}
			equal := string(one.keyFor(0)) == string(two.keyFor(0))
			if want := !keep || slices.Equal(ordered, other.Of(belote.B)); equal != want {
				t.Errorf("seed %d, swapped %v, order kept %v: equal keys %v, want %v", seed, swapped, keep, equal, want)
			}
			for i, c := range one.played {
				if one.back[c] != p.played[i] {
					t.Errorf("seed %d: card %d comes back as %s, want %s", seed, i, one.back[c], p.played[i])
				}
			}
		}
	}
}

func positionAfter(t *testing.T, d belote.Deal, rng interface{ Uint64() uint64 }, n int) Position {
	t.Helper()
	start, err := belote.NewPosition(d)
	if err != nil {
		t.Fatal(err)
	}
	p := Position{start: start, now: start, flip: worlds.AfterTrick}
	for range n {
		list := p.now.Legal().Slice()
		c := list[rng.Uint64()%uint64(len(list))]
		p.played = append(p.played, c)
		if p.now, err = p.now.Play(c); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// renamed returns the deal with other names of suits and, half of the time, of players.
func renamed(d *belote.Deal, rng interface{ Uint64() uint64 }) (out belote.Deal, to [32]piquet.Card, swapped bool) {
	all := piquet.Suits()
	order := all[:]
	for i := len(order) - 1; i > 0; i-- {
		j := int(rng.Uint64() % uint64(i+1))
		order[i], order[j] = order[j], order[i]
	}
	for c := range piquet.Card(32) {
		to[c] = piquet.Of(order[c.Suit()], c.Face())
	}
	out = *d
	out.Deck = 0
	for c := range d.Deck.All() {
		out.Deck = out.Deck.With(to[c])
	}
	if s, ok := d.Trump.Suit(); ok {
		out.Trump = belote.TrumpOf(order[s])
	}
	for _, p := range belote.Players() {
		for i, s := range d.Of(p) {
			out.Stacks[p][i] = belote.Stack{Top: to[s.Top], Bottom: to[s.Bottom]}
		}
	}
	if swapped = rng.Uint64()&1 == 1; swapped {
		out.Stacks[0], out.Stacks[1] = out.Stacks[1], out.Stacks[0]
		out.Leader, out.Declarer = out.Leader.Other(), out.Declarer.Other()
	}
	return out, to, swapped
}

func positionOf(t *testing.T, d belote.Deal, to [32]piquet.Card, played []piquet.Card) Position {
	t.Helper()
	start, err := belote.NewPosition(d)
	if err != nil {
		t.Fatal(err)
	}
	p := Position{start: start, flip: worlds.Immediate}
	for _, c := range played {
		p.played = append(p.played, to[c])
	}
	if p.now, err = start.Replay(p.played); err != nil {
		t.Fatal(err)
	}
	return p
}

// A value of the cache that is changed, or about another position, is a miss.
func TestBrokenValues(t *testing.T) {
	g := newGame(t, false)
	q, err := ParseSolve(context.Background(), g, []byte(`{`+oneSuit+`, "goal": "moves"}`))
	if err != nil {
		t.Fatal(err)
	}
	value, err := g.compute(t.Context(), search.New(search.Options{}), &q.twin, q.question, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := readResult(value, search.Moves, &q.twin); !ok {
		t.Fatal("the value does not fit its own position")
	}
	for n := range value {
		if _, ok := readResult(value[:n], search.Moves, &q.twin); ok {
			t.Errorf("the first %d bytes fit", n)
		}
		broken := slices.Clone(value)
		broken[n] ^= 1
		if _, ok := readResult(broken, search.Moves, &q.twin); ok {
			t.Errorf("fits although byte %d is changed", n)
		}
	}
	other, err := ParseSolve(context.Background(), g, []byte(`{`+strings.Replace(oneSuit, `"leader": "A"`, `"leader": "B"`, 1)+
		`, "goal": "moves"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := readResult(value, search.Moves, &other.twin); ok {
		t.Error("fits another position")
	}
	// Values with a right check and a wrong content.
	f, _ := readResult(value, search.Moves, &q.twin)
	for name, change := range map[string]func(*result){
		"points": func(f *result) { f.points++ },
		"won":    func(f *result) { f.won = !f.won },
		"line":   func(f *result) { f.line = f.line[1:] },
		"moves":  func(f *result) { f.moves = f.moves[1:] },
	} {
		changed := f
		change(&changed)
		if _, ok := readResult(changed.value(&q.twin), search.Moves, &q.twin); ok {
			t.Errorf("fits with other %s", name)
		}
	}
}

// An analysis of a random hand adds up to the difference between its values at both ends, and is the same from the cache.
func TestAnalysis(t *testing.T) {
	g := newGame(t, true)
	rng := random.New(5)
	d := belote.Random(rng, belote.Deck(piquet.Clubs, piquet.Spades), belote.TrumpOf(piquet.Spades))
	p := positionAfter(t, d, rng, 16)
	body, err := json.Marshal(map[string]any{
		"trump": "S", "suits": []string{"C", "S"}, "leader": "A", "stacks": outDeal(d).Stacks, "played": outCards(p.played),
	})
	if err != nil {
		t.Fatal(err)
	}
	ask := func() api.BeloteAnalysis {
		q, err := ParseAnalyse(context.Background(), g, body)
		return answer[api.BeloteAnalysis](t, g, q, err)
	}
	a := ask()
	if want := a.Before - a.Seats.A.Cost + a.Seats.B.Cost; !a.Finished || a.After != want || a.After != p.now.Points(belote.A) {
		t.Errorf("after %d, finished %v, want %d and the points made, %d", a.After, a.Finished, want, p.now.Points(belote.A))
	}
	for i, c := range a.Cards {
		if slices.Contains(c.Best, c.Card) != (c.Cost == 0) || i > 0 && c.Before != a.Cards[i-1].After {
			t.Errorf("card %d: %+v", i, c)
		}
	}
	again := ask()
	again.Source, again.Stats, a.Stats = a.Source, api.BeloteStats{}, api.BeloteStats{}
	if diff := cmp.Diff(a, again); diff != "" {
		t.Error(diff)
	}
}

// The flip decides which card is open while a trick is on the table.
func TestLegal(t *testing.T) {
	g := newGame(t, false)
	for flip, want := range map[string]api.Cards{"after_trick": {"QH"}, "immediate": {"QH", "AH"}} {
		p, err := ParsePosition(context.Background(), g, []byte(`{`+oneSuit+`, "played": ["KH"], "flip": "`+flip+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		got, err := g.Legal(p)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Open.A); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(api.Cards{"10H", "JH"}, got.Legal); diff != "" || *got.Trick.Led != "KH" || got.Left != 72 {
			t.Errorf("%+v %s", got, diff)
		}
	}
}

// A search by the paper's algorithms stops when its context ends.
func TestCancelled(t *testing.T) {
	g := newGame(t, false)
	deal, err := g.RandomDeal(api.BeloteRandomDealParams{})
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(struct {
		api.BeloteDealPosition
		Utility   string `json:"utility"`
		Algorithm string `json:"algorithm"`
	}{deal.Position, "contract", "alphabeta"})
	if err != nil {
		t.Fatal(err)
	}
	q, err := ParseSolve(context.Background(), g, body)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := service.Ask(ctx, g.service, q); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A comparison has a row for each way to solve, and equal requests have equal counts.
func TestCompare(t *testing.T) {
	g := newGame(t, true)
	ask := func() api.BeloteComparison {
		q, err := ParseCompare(context.Background(), g, []byte(`{"suits": [4, 1], "deals": 2, "seed": "3", "limit": 2000}`))
		return answer[api.BeloteComparison](t, g, q, err)
	}
	first := ask()
	if n := len(first.Counts); n != 12+8 {
		t.Fatalf("%d rows, want 20", n)
	}
	for i, c := range first.Counts {
		if c.Deals != 2 || c.Min > c.Median || c.Median > c.Max || c.Max > 2000 || c.AtMostPaper != nil {
			t.Errorf("row %d: %+v", i, c)
		}
	}
	again := ask()
	if diff := cmp.Diff(first.Counts, again.Counts); diff != "" {
		t.Error(diff)
	}
	if again.Source != api.SourceCache || again.Stats.Nodes != 0 || again.Stats.Generated != first.Stats.Generated ||
		first.Source != api.SourceSearch {
		t.Errorf("from the %s and the %s, %+v", first.Source, again.Source, again.Stats)
	}
}

// How many deals stay below the paper's count is known only if no search ended before it.
func TestCompareWithThePaper(t *testing.T) {
	g := newGame(t, false)
	for _, tt := range []struct{ limit, known int }{
		{compare.PaperStatesPruned - 1, 0},
		{compare.PaperStatesPruned, 1},
		{compare.PaperStates, 2},
	} {
		q, err := ParseCompare(context.Background(), g, []byte(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		q.experiment.Limit = uint64(tt.limit)
		known := 0
		for _, c := range g.outComparison(q, service.Answer[compared]{Result: compared{Rows: []compare.Row{
			{Suits: 4, Way: compare.Way{Utility: search.Contract}},
			{Suits: 4, Way: compare.Way{Utility: search.Contract, Pruning: true}},
			{Suits: 3, Way: compare.Way{Utility: search.Contract}},
			{Suits: 4, Way: compare.Way{Utility: search.Points}},
		}}}).Counts {
			if c.AtMostPaper != nil {
				known++
			}
		}
		if known != tt.known {
			t.Errorf("limit %d: %d ways are compared with the paper, want %d", tt.limit, known, tt.known)
		}
	}
}

// Counts of the cache that are changed, or of another experiment, are a miss.
func TestBrokenCounts(t *testing.T) {
	g := newGame(t, false)
	q, err := ParseCompare(context.Background(), g, []byte(`{"suits": [1], "deals": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	body := []byte(`{"rows": [], "generated": 7}`)
	value := q.key.Seal(body)
	if c, ok := q.read(value); !ok || c.Generated != 7 {
		t.Fatalf("%+v, %t", c, ok)
	}
	for n := range value {
		broken := slices.Clone(value)
		broken[n] ^= 1
		if _, ok := q.read(broken); ok {
			t.Errorf("fits although byte %d is changed", n)
		}
	}
	other, err := ParseCompare(context.Background(), g, []byte(`{"suits": [1], "deals": 2}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := other.read(value); ok {
		t.Error("fits another experiment")
	}
}

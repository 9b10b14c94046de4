package klaverjas

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/solvecache"
	"roem/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// randomPosition draws a deal and plays n random cards.
func randomPosition(tb testing.TB, rng *rand.Rand, n int) Position {
	tb.Helper()
	trump, leader := piquet.Suit(rng.IntN(4)), piquet.Seat(rng.IntN(4))
	deal := klaverjas.Deal{Trump: trump, Leader: leader, Declarer: piquet.Team(rng.IntN(2)), Hands: index.Random(rng, trump, leader)}
	rules := klaverjas.DefaultRules(klaverjas.System(rng.IntN(2)))
	rules.NatMelds = klaverjas.NatMelds(rng.IntN(2))
	start, err := klaverjas.NewPosition(rules, deal)
	if err != nil {
		tb.Fatal(err)
	}
	p := Position{now: start, start: start}
	for range n {
		legal := p.now.Legal().Slice()
		c := legal[rng.IntN(len(legal))]
		if p.now, err = p.now.Play(c); err != nil {
			tb.Fatal(err)
		}
		p.played = append(p.played, c)
	}
	return p
}

// A value of each goal can be decoded again. A damaged value is refused.
func TestResultSurvivesTheCacheOrIsRefused(t *testing.T) {
	rng := index.NewRand(1)
	solver := search.New(search.Options{TableBytes: 1 << 20})
	for range 40 {
		p := randomPosition(t, rng, 16+rng.IntN(14))
		for goal := search.Win; goal <= search.Moves; goal++ {
			result, err := solver.Solve(context.Background(), search.Query{Position: p.now, Goal: goal})
			if err != nil {
				t.Fatal(err)
			}
			want := fromResult(result)
			value := want.value(p.now)
			got, ok := readResult(value, goal, p.now)
			if !ok || got.won != want.won || got.outcome != want.outcome || got.nodes != want.nodes ||
				len(got.line) != len(want.line) || len(got.moves) != len(want.moves) {
				t.Fatalf("%v: read %+v, %v; wrote %+v", goal, got, ok, want)
			}
			for i, m := range want.moves {
				if got.moves[i] != m {
					t.Errorf("move %d: read %+v, wrote %+v", i, got.moves[i], m)
				}
			}
			for cheaper := search.Win; cheaper < goal; cheaper++ {
				if _, ok := readResult(value, cheaper, p.now); !ok {
					t.Errorf("a value of goal %v is not read for goal %v", goal, cheaper)
				}
			}
			if goal < search.Moves {
				if _, ok := readResult(value, goal+1, p.now); ok {
					t.Errorf("a value of goal %v is read for goal %v", goal, goal+1)
				}
			}
			for i := range value {
				if _, ok := readResult(value[:i], goal, p.now); ok {
					t.Errorf("%v: read from %d bytes of %d", goal, i, len(value))
				}
				damaged := append([]byte(nil), value...)
				damaged[i] ^= byte(1 + rng.IntN(255))
				if got, ok := readResult(damaged, search.Win, p.now); ok {
					t.Errorf("%v: read %+v from a value with byte %d changed", goal, got, i)
				}
			}
			if _, ok := readResult(append(value, 0), goal, p.now); ok {
				t.Errorf("%v: read with a byte too many", goal)
			}
		}
	}
}

// Positions that differ only in names have the same canonical form and key. The relabelled result has a best line of the original
// position.
func TestCanonicalTwins(t *testing.T) {
	rng := index.NewRand(2)
	for range 200 {
		p := randomPosition(t, rng, rng.IntN(32))
		twin, err := newCanonical(p)
		if err != nil {
			t.Fatal(err)
		}
		if d := twin.start.Deal(); d.Trump != piquet.Clubs || d.Leader != piquet.North {
			t.Fatalf("trump %v, leader %v", d.Trump, d.Leader)
		}
		if twin.now.Outcome() != p.now.Outcome() && p.now.Finished() {
			t.Errorf("outcomes %d and %d", twin.now.Outcome(), p.now.Outcome())
		}
		// After renaming the plain suits and rotating the seats, the key is the same.
		suits := rng.Perm(4)
		turn := rng.IntN(4)
		rename := func(c piquet.Card) piquet.Card { return piquet.Of(piquet.Suit(suits[c.Suit()]), c.Face()) }
		deal := p.start.Deal()
		other := klaverjas.Deal{
			Trump: piquet.Suit(suits[deal.Trump]), Leader: deal.Leader.Plus(turn),
			Declarer: (deal.Declarer + piquet.Team(turn)) & 1,
		}
		for seat, hand := range deal.Hands {
			for c := range hand.All() {
				to := piquet.Seat(seat).Plus(turn)
				other.Hands[to] = other.Hands[to].With(rename(c))
			}
		}
		start, err := klaverjas.NewPosition(p.start.Rules(), other)
		if err != nil {
			t.Fatal(err)
		}
		q := Position{start: start}
		for _, c := range p.played {
			q.played = append(q.played, rename(c))
		}
		if q.now, err = start.Replay(q.played); err != nil {
			t.Fatal(err)
		}
		otherTwin, err := newCanonical(q)
		if err != nil {
			t.Fatal(err)
		}
		n := len(p.played)
		if twin.keyFor(1, n) != otherTwin.keyFor(1, n) {
			t.Errorf("keys differ after %d cards of %+v", n, deal)
		}
		if twin.keyFor(1, n) == twin.keyFor(2, n) {
			t.Error("different positions have the same key")
		}
		for i, c := range twin.played {
			if twin.back.Card(c) != p.played[i] {
				t.Fatalf("card %d: %v leads back to %v, not %v", i, c, twin.back.Card(c), p.played[i])
			}
		}
	}
}

// newGame returns a game with its own service.
func newGame(tb testing.TB, with service.Options, o Options) *Game {
	tb.Helper()
	s, err := service.New(with)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	return New(s, o)
}

// gated is a searcher that waits for the gate.
type gated struct {
	gate <-chan struct{}
	in   chan<- struct{}
}

func (g gated) Solve(ctx context.Context, _ search.Query) (search.Result, error) {
	g.in <- struct{}{}
	select {
	case <-g.gate:
		return search.Result{}, nil
	case <-ctx.Done():
		return search.Result{}, ctx.Err()
	}
}

// Concurrent solves with one cache return the correct results.
func TestConcurrentSolves(t *testing.T) {
	memory, err := solvecache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	cache := solvecache.New(memory)
	g := newGame(t, service.Options{Version: "test", Slots: 2, Queue: 100, Cache: cache}, Options{TableBytes: 1 << 20})
	text, err := os.ReadFile("../../../testdata/vectors/rotterdam-positions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[:60] {
		var v struct {
			Position json.RawMessage
			Expect   struct{ Outcome int }
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			read := readSolve([]search.Goal{search.Value, search.Moves}[i%2])
			q, err := service.BodyOf("KlaverjasSolveRequest", read)(context.Background(), g, v.Position)
			if err != nil {
				t.Error(err)
				return
			}
			answer, err := service.Ask(context.Background(), g.service, q)
			out := g.outSolved(q, answer)
			if err != nil || *out.Outcome != v.Expect.Outcome || out.Version != "test" {
				t.Errorf("line %d: %+v, %v", i+1, out, err)
			}
		})
	}
	all.Wait()
	if err := cache.Close(); err != nil {
		t.Error(err)
	}
}

// stopping is a searcher that is interrupted by its deadline, and returns its progress.
type stopping struct{}

func (stopping) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	<-ctx.Done()
	r := search.Result{Nodes: 12_345}
	r.Partial[0] = search.Choice{Cards: 8, Done: 7, Team: q.Position.Turn().Team()}
	return r, context.DeadlineExceeded
}

// The progress of an interrupted search changes the answer.
func TestHybridUsesPartial(t *testing.T) {
	predictor, err := DefaultPredictor()
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(t, service.Options{Version: "test", Slots: 2}, Options{Predictor: predictor, Searcher: func() Searcher { return stopping{} }})
	q, err := ParseHybrid()(context.Background(), g, []byte(`{"trump": "C", "leader": "N", "deal": "34175315153294200", `+
		`"budget_ms": 10000, "min_confidence": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := g.Hybrid(t.Context(), q, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if got.Route != api.KlaverjasRouteModel || got.Exact || got.Stats.Nodes != 12_345 ||
		!strings.Contains(got.Reason, "finished 7 of the leader's 8 cards") {
		t.Errorf("%+v", got)
	}
	hands, err := index.Unrank(34175315153294200, piquet.Clubs, piquet.North)
	if err != nil {
		t.Fatal(err)
	}
	predicted, _, unknown := predictor.Predict(klaverjas.DefaultRules(klaverjas.Rotterdam),
		klaverjas.Deal{Hands: hands, Trump: piquet.Clubs, Leader: piquet.North})
	if unknown != nil || got.WinProbability >= predicted.WinProbability || got.Confidence != max(got.WinProbability, 1-got.WinProbability) {
		t.Errorf("the declarers win with probability %v, the model's prediction is %v", got.WinProbability, predicted.WinProbability)
	}
}

// A batch runs as many searches at the same time as there are slots.
func TestBatchesUseAllSearchers(t *testing.T) {
	gate, in := make(chan struct{}), make(chan struct{}, 10)
	g := newGame(t, service.Options{Slots: 3}, Options{Searcher: func() Searcher { return gated{gate, in} }})
	batch, err := ParseSolveBatch(context.Background(), g, []byte(`{"positions": [`+
		strings.TrimSuffix(strings.Repeat(`{"trump": "C", "leader": "N", "deal": "1"},`, 3)+
			`{"trump": "C", "leader": "N", "deal": "2"},{"trump": "C", "leader": "N", "deal": "3"},{"trump": "C", "leader": "N", "deal": "4"},`,
			",")+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { _, err := service.Ask(ctx, g.service, batch); done <- err }()
	for range 3 {
		<-in
	}
	if l := g.service.Load(); l.Busy != 3 || l.Waiting != 0 {
		t.Errorf("load %+v", l)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// searcherFunc implements a searcher by a function.
type searcherFunc func(ctx context.Context, q search.Query) (search.Result, error)

func (f searcherFunc) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	return f(ctx, q)
}

// A client at its limit still gets answers that need no search.
func TestLimitsCountSearchesAlone(t *testing.T) {
	memory, err := solvecache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	cache := solvecache.New(memory)
	defer func() { _ = cache.Close() }()
	g := newGame(t, service.Options{Slots: 1, Cache: cache, Limits: computation.Limits{Time: 0.001, Burst: time.Millisecond}}, Options{})
	ctx := computation.WithClient(context.Background(), "ann")
	solve := func(index string) error {
		q, err := ParseSolve(ctx, g, []byte(`{"trump": "C", "leader": "N", "goal": "moves", "deal": "`+index+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = service.Ask(ctx, g.service, q)
		return err
	}
	if err := solve("71234567890123456"); err != nil {
		t.Fatal(err)
	}
	if err := solve("71234567890123457"); service.KindOf(err) != service.Limited {
		t.Errorf("another search at once: %v", err)
	}
	if err := solve("71234567890123456"); err != nil {
		t.Errorf("a solved position: %v", err)
	}
}

// A search is recorded in the effort of its request, and Searched is called.
func TestSearchesAreNoted(t *testing.T) {
	var seen []string
	broken := errors.New("broken")
	results := []error{nil, broken}
	g := newGame(t, service.Options{Slots: 1}, Options{
		Searcher: func() Searcher {
			return searcherFunc(func(context.Context, search.Query) (search.Result, error) {
				err := results[0]
				results = results[1:]
				return search.Result{Goal: search.Win, Nodes: 7}, err
			})
		},
		Searched: func(goal search.Goal, nodes uint64, _ time.Duration, err error) {
			seen = append(seen, fmt.Sprint(goal, " ", nodes, " ", err))
		},
	})
	ctx, effort := service.WithEffort(context.Background())
	for _, want := range []error{nil, broken} {
		q, err := ParseSolve(context.Background(), g, []byte(`{"trump": "C", "leader": "N", "deal": "1", "goal": "win"}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := service.Ask(ctx, g.service, q); !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
	if diff := cmp.Diff([]string{"win 7 <nil>", "win 7 broken"}, seen); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if sum := effort.Sum(); sum.Searches != 2 || sum.Nodes != 14 || sum.Wait != 0 {
		t.Errorf("effort %+v", sum)
	}
}

// The limit of the client is an error of the whole batch. No item of a shared result has it.
func TestBatchAtItsLimit(t *testing.T) {
	gate, in := make(chan struct{}), make(chan struct{}, 10)
	g := newGame(t, service.Options{Slots: 3, Limits: computation.Limits{Searches: 1}},
		Options{Searcher: func() Searcher { return gated{gate, in} }})
	ctx, cancel := context.WithCancel(computation.WithClient(context.Background(), "ann"))
	defer cancel()
	solve := func(body string) chan error {
		q, err := ParseSolveBatch(ctx, g, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { _, err := service.Ask(ctx, g.service, q); done <- err }()
		return done
	}
	first := solve(`{"positions": [{"trump": "C", "leader": "N", "deal": "1"}, {"trump": "C", "leader": "N", "deal": "2"}]}`)
	<-in
	if l := g.service.Load(); l.Busy != 1 {
		t.Errorf("%d searches at a time, want 1", l.Busy)
	}
	second := solve(`{"positions": [{"trump": "C", "leader": "N", "deal": "3"}]}`)
	if err := <-second; service.KindOf(err) != service.Limited {
		t.Errorf("a second batch: %v, want the limit", err)
	}
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the first batch: %v", err)
	}
}

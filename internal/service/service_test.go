package service

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
	"go.uber.org/goleak"

	"roem/internal/api"
	"roem/internal/cards"
	"roem/internal/dealindex"
	"roem/internal/engine"
	"roem/internal/engine/search"
	"roem/internal/solvecache"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// randomPosition draws a deal and plays n random cards of it.
func randomPosition(t *testing.T, rng *rand.Rand, n int) position {
	t.Helper()
	trump, leader := cards.Suit(rng.IntN(4)), cards.Seat(rng.IntN(4))
	deal := engine.Deal{Trump: trump, Leader: leader, Declarer: cards.Team(rng.IntN(2)), Hands: dealindex.Random(rng, trump, leader)}
	rules := engine.DefaultRules(engine.System(rng.IntN(2)))
	rules.NatMelds = engine.NatMelds(rng.IntN(2))
	start, err := engine.NewPosition(rules, deal)
	if err != nil {
		t.Fatal(err)
	}
	p := position{now: start, start: start}
	for range n {
		legal := p.now.Legal().Slice()
		c := legal[rng.IntN(len(legal))]
		if p.now, err = p.now.Play(c); err != nil {
			t.Fatal(err)
		}
		p.played = append(p.played, c)
	}
	return p
}

// What is kept can be read back, whatever the goal; what is damaged is not ok, or is still a true answer.
func TestFoundSurvivesTheCacheOrIsRefused(t *testing.T) {
	rng := dealindex.NewRand(1)
	solver := search.New(search.Options{TableBytes: 1 << 20})
	for range 40 {
		p := randomPosition(t, rng, 16+rng.IntN(14))
		for goal := search.Win; goal <= search.Moves; goal++ {
			result, err := solver.Solve(context.Background(), search.Query{Position: p.now, Goal: goal})
			if err != nil {
				t.Fatal(err)
			}
			want := fromResult(result)
			value := want.appendTo(nil)
			got, ok := readFound(value, goal, p.now)
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
				if _, ok := readFound(value, cheaper, p.now); !ok {
					t.Errorf("%v does not answer %v", goal, cheaper)
				}
			}
			if goal < search.Moves {
				if _, ok := readFound(value, goal+1, p.now); ok {
					t.Errorf("%v answers %v", goal, goal+1)
				}
			}
			for i := range value {
				if _, ok := readFound(value[:i], goal, p.now); ok {
					t.Errorf("%v: read from %d bytes of %d", goal, i, len(value))
				}
				damaged := append([]byte(nil), value...)
				damaged[i] ^= byte(1 + rng.IntN(255))
				if got, ok := readFound(damaged, search.Value, p.now); ok && got.goal > search.Win && got.outcome != want.outcome {
					t.Errorf("a damaged value gives outcome %d for %d", got.outcome, want.outcome)
				}
			}
			if _, ok := readFound(append(value, 0), goal, p.now); ok {
				t.Errorf("%v: read with a byte too many", goal)
			}
		}
	}
}

// The same position under other names has the same twin and key; the answer relabelled is a best line of the position.
func TestCanonicalTwins(t *testing.T) {
	rng := dealindex.NewRand(2)
	for range 200 {
		p := randomPosition(t, rng, rng.IntN(32))
		twin, err := newCanonical(p)
		if err != nil {
			t.Fatal(err)
		}
		if d := twin.start.Deal(); d.Trump != cards.Clubs || d.Leader != cards.North {
			t.Fatalf("trump %v, leader %v", d.Trump, d.Leader)
		}
		if twin.now.Outcome() != p.now.Outcome() && p.now.Finished() {
			t.Errorf("outcomes %d and %d", twin.now.Outcome(), p.now.Outcome())
		}
		// Rename the plain suits and turn the seats: the key stays.
		suits := rng.Perm(4)
		turn := rng.IntN(4)
		rename := func(c cards.Card) cards.Card { return cards.Of(cards.Suit(suits[c.Suit()]), c.Face()) }
		deal := p.start.Deal()
		other := engine.Deal{Trump: cards.Suit(suits[deal.Trump]), Leader: deal.Leader.Plus(turn), Declarer: (deal.Declarer + cards.Team(turn)) & 1}
		for seat, hand := range deal.Hands {
			for c := range hand.All() {
				to := cards.Seat(seat).Plus(turn)
				other.Hands[to] = other.Hands[to].With(rename(c))
			}
		}
		start, err := engine.NewPosition(p.start.Rules(), other)
		if err != nil {
			t.Fatal(err)
		}
		q := position{start: start}
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
			t.Error("two questions, one key")
		}
		for i, c := range twin.played {
			if twin.back.Card(c) != p.played[i] {
				t.Fatalf("card %d: %v leads back to %v, not %v", i, c, twin.back.Card(c), p.played[i])
			}
		}
	}
}

// gated is a searcher that tells when it starts and waits at a gate.
type gated struct {
	gate <-chan struct{}
	in   chan struct{}
}

func (g gated) Solve(ctx context.Context, _ search.Query) (search.Result, error) {
	g.in <- struct{}{}
	select {
	case <-g.gate:
	case <-ctx.Done():
	}
	return search.Result{}, ctx.Err()
}

func TestPoolLendsAndQueues(t *testing.T) {
	gate, in := make(chan struct{}), make(chan struct{}, 10)
	made := 0
	p := newPool(2, 1, func() Searcher { made++; return gated{gate, in} }, Limits{}, Observer{})
	with := func(ctx context.Context, work func(Searcher) error) error {
		return p.with(ctx, &ticket{urgent: true}, work)
	}
	work := func(s Searcher) error { _, err := s.Solve(context.Background(), search.Query{}); return err }
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if err := with(context.Background(), work); err != nil {
				t.Error(err)
			}
		})
		<-in
	}
	// One may wait; its context ends its waiting.
	ctx, cancel := context.WithCancel(context.Background())
	waited := make(chan error, 1)
	go func() { waited <- with(ctx, work) }()
	for {
		if l := p.load(); l.Waiting == 1 && l.Oldest > 0 {
			if l.Searchers != 2 || l.Busy != 2 || l.Queue != 1 {
				t.Errorf("load %+v", l)
			}
			break
		}
		time.Sleep(time.Millisecond)
	}
	err := with(context.Background(), work)
	if KindOf(err) != Busy || RetryAfter(err) < time.Second {
		t.Errorf("with a full queue: %v", err)
	}
	cancel()
	if err := <-waited; !errors.Is(err, context.Canceled) {
		t.Errorf("waiting: %v", err)
	}
	close(gate)
	all.Wait()
	if err := with(context.Background(), func(Searcher) error { return nil }); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	if made != 2 {
		t.Errorf("%d searchers made, want 2", made)
	}
	// One that panicked is not lent again, and its place is not lost.
	for range 3 {
		func() {
			defer func() { _ = recover() }()
			_ = with(context.Background(), func(Searcher) error { panic("aargh") })
		}()
	}
	if got, want := p.load(), (Load{Searchers: 2, Queue: 1}); got != want {
		t.Errorf("load %+v, want %+v", got, want)
	}
	if err := with(context.Background(), func(s Searcher) error {
		if s == nil {
			t.Error("lent nothing")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

func TestRetryAfterFollowsTheLoad(t *testing.T) {
	p := newPool(2, 100, func() Searcher { return nil }, Limits{}, Observer{})
	if got := p.retryAfter(); got != minRetry {
		t.Errorf("idle: %v", got)
	}
	p.mean, p.free = 2*time.Second, nil
	for range 10 {
		p.urgent.PushBack(&ticket{})
		p.patient.PushBack(&ticket{}) // they let others go first
	}
	if got := p.retryAfter(); got != 12*time.Second {
		t.Errorf("12 ahead, 2 at a time, 2 s each: %v, want 12s", got)
	}
	p.mean = time.Hour
	if got := p.retryAfter(); got != maxRetry {
		t.Errorf("at most: %v", got)
	}
	p.mean = time.Second
	p.urgent.Init()
	p.patient.Init()
	for range 200 {
		p.urgent.PushBack(&ticket{ready: make(chan Searcher, 1)})
		p.give(nil, 3*time.Second)
	}
	if p.mean < 2900*time.Millisecond || p.mean > 3*time.Second {
		t.Errorf("the mean of searches of 3 s is %v", p.mean)
	}
}

// The service serves many at a time from one pool and one cache, and its answers do not depend on which.
func TestConcurrentSolves(t *testing.T) {
	memory, err := solvecache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	cache := solvecache.New(memory)
	s, err := New(Options{Version: "test", Searchers: 2, Queue: 100, TableBytes: 1 << 20, Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../testdata/vectors/rotterdam-positions.jsonl")
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
			in, err := s.Decoder.Solve(v.Position)
			if err != nil {
				t.Error(err)
				return
			}
			goal := []search.Goal{search.Value, search.Moves}[i%2]
			in.Goal = &goal
			out, err := s.Solve(context.Background(), in)
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

// An error without a kind tells a client nothing; others tell what they hold.
func TestProblem(t *testing.T) {
	for _, err := range []error{
		errors.New("password"), fmt.Errorf("wrapped: %w", errors.New("password")), &Error{Kind: Internal, Detail: "password"},
		&solvecache.PanicError{Value: "password", Stack: []byte("password")}, &Error{Kind: 200, Detail: "password"},
	} {
		p := Problem(err, "id")
		if p.Status != 500 || *p.RequestId != "id" || strings.Contains(fmt.Sprint(p), "password") {
			t.Errorf("%v: %+v", err, p)
		}
	}
	pointer, parameter := "/x", "y"
	got := Problem(fmt.Errorf("wrapped: %w", &Error{
		Kind: Malformed, Detail: "public", Cause: errors.New("secret"),
		Violations: []Violation{{Pointer: "/x", Detail: "a"}, {Parameter: "y", Detail: "b"}},
	}), "")
	want := api.Problem{
		Type: "/docs/errors#malformed", Title: "Malformed request", Status: 400, Detail: "public",
		Errors: &[]api.ProblemError{{Pointer: &pointer, Detail: "a"}, {Parameter: &parameter, Detail: "b"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestEveryKindIsExplained(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds() {
		info := k.Info()
		if info.Slug == "" || info.Title == "" || info.Help == "" || info.Status < 400 || seen[info.Slug] {
			t.Errorf("kind %d: %+v", k, info)
		}
		seen[info.Slug] = true
	}
	if len(seen) != int(kinds) {
		t.Errorf("%d kinds explained of %d", len(seen), kinds)
	}
}

// Those whom somebody waits for get a searcher before those whom nobody does, but not for ever.
func TestPatientSearchesLetOthersGoFirst(t *testing.T) {
	const urgent = 2*maxPassed + 3
	p := newPool(1, urgent, func() Searcher { return nil }, Limits{}, Observer{})
	release, order := make(chan struct{}), make(chan string, 100)
	var all sync.WaitGroup
	enter := func(name string, tk *ticket) {
		p.mu.Lock()
		before := p.urgent.Len() + p.patient.Len()
		p.mu.Unlock()
		all.Go(func() {
			err := p.with(context.Background(), tk, func(Searcher) error { order <- name; return nil })
			if err != nil {
				t.Error(err)
			}
		})
		for entered := false; !entered; time.Sleep(time.Millisecond) {
			p.mu.Lock()
			entered = p.urgent.Len()+p.patient.Len() > before
			p.mu.Unlock()
		}
	}
	all.Go(func() {
		_ = p.with(context.Background(), &ticket{urgent: true}, func(Searcher) error { order <- "first"; <-release; return nil })
	})
	if got := <-order; got != "first" {
		t.Fatal(got)
	}
	later := &ticket{}
	enter("patient", &ticket{})
	enter("patient", &ticket{})
	enter("hurried", later)
	for range urgent {
		enter("urgent", &ticket{urgent: true})
	}
	if l := p.load(); l.Waiting != urgent {
		t.Errorf("load %+v", l)
	}
	p.hurry(later) // somebody has come to wait for it: it stands behind those who were there
	p.hurry(later)
	if err := p.with(context.Background(), &ticket{urgent: true}, nil); KindOf(err) != Busy {
		t.Errorf("with a full queue: %v", err)
	}
	close(release)
	all.Wait()
	close(order)
	var got []string
	for name := range order {
		if n := len(got); n > 0 && strings.HasPrefix(got[n-1], name+" ") {
			var count int
			_, _ = fmt.Sscanf(got[n-1], name+" %d", &count)
			got[n-1] = fmt.Sprintf("%s %d", name, count+1)
		} else {
			got = append(got, name+" 1")
		}
	}
	want := []string{
		fmt.Sprintf("urgent %d", maxPassed), "patient 1", fmt.Sprintf("urgent %d", maxPassed), "patient 1", "urgent 3", "hurried 1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got)\n%s", diff)
	}
	// Who is served as it leaves hands the searcher on.
	if len(p.free) != 1 || p.urgent.Len()+p.patient.Len() != 0 {
		t.Errorf("%d free, %d and %d waiting", len(p.free), p.urgent.Len(), p.patient.Len())
	}
}

// stopping is a searcher that is stopped by its deadline, and tells where it stood.
type stopping struct{}

func (stopping) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	<-ctx.Done()
	r := search.Result{Nodes: 12_345}
	r.Stood[0] = search.Choice{Cards: 8, Done: 7, Team: q.Position.Turn().Team()}
	return r, context.DeadlineExceeded
}

// What a stopped search has found out changes the answer.
func TestHybridUsesEvidence(t *testing.T) {
	predictor, err := DefaultPredictor()
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Version: "test", Searchers: 2, Predictor: predictor, Searcher: func() Searcher { return stopping{} }})
	if err != nil {
		t.Fatal(err)
	}
	query, err := s.Decoder.Hybrid([]byte(`{"trump": "C", "leader": "N", "deal": "34175315153294200", "budget_ms": 4, "min_confidence": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Hybrid(t.Context(), query, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if got.Route != api.RouteModel || got.Exact || got.Stats.Nodes != 12_345 || !strings.Contains(got.Reason, "done with 7 of the leader's 8 cards") {
		t.Errorf("%+v", got)
	}
	hands, err := dealindex.Unrank(34175315153294200, cards.Clubs, cards.North)
	if err != nil {
		t.Fatal(err)
	}
	predicted, _, unknown := predictor.Predict(engine.DefaultRules(engine.Rotterdam), engine.Deal{Hands: hands, Trump: cards.Clubs, Leader: cards.North})
	if unknown != nil || got.WinProbability >= predicted.WinProbability || got.Confidence != max(got.WinProbability, 1-got.WinProbability) {
		t.Errorf("the declarers win with probability %v, the model says %v", got.WinProbability, predicted.WinProbability)
	}
}

// The positions of a batch are searched as many at a time as there are searchers.
func TestBatchesUseAllSearchers(t *testing.T) {
	gate, in := make(chan struct{}), make(chan struct{}, 10)
	s, err := New(Options{Searchers: 3, Searcher: func() Searcher { return gated{gate, in} }})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := s.Decoder.SolveBatch([]byte(`{"positions": [` +
		strings.TrimSuffix(strings.Repeat(`{"trump": "C", "leader": "N", "deal": "1"},`, 3)+
			`{"trump": "C", "leader": "N", "deal": "2"},{"trump": "C", "leader": "N", "deal": "3"},{"trump": "C", "leader": "N", "deal": "4"},`, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { _, err := s.SolveBatch(ctx, batch); done <- err }()
	for range 3 {
		<-in
	}
	if l := s.Load(); l.Busy != 3 || l.Waiting != 0 {
		t.Errorf("load %+v", l)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := s.cache.Close(); err != nil {
		t.Error(err)
	}
}

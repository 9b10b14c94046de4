package klaverjas

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/solvecache"
)

const (
	// playedView is a view after three tricks, with 116,424 worlds and five legal cards. lateView has 80 worlds.
	playedView = `"trump": "S", "leader": "S", "seat": "S", "hand": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"], ` +
		`"played": ["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S"]`
	lateView = `"trump": "S", "leader": "S", "seat": "S", "hand": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"], ` +
		`"played": ["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S", "KS", "8D", "9C", "8C", "AC", "9D", "10C", "QC"]`
)

func newCache(t *testing.T) *solvecache.Cache {
	t.Helper()
	memory, err := solvecache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	cache := solvecache.New(memory)
	t.Cleanup(func() {
		if err := cache.Close(); err != nil {
			t.Error(err)
		}
	})
	return cache
}

func advise(t *testing.T, g *Game, fields string) (*AdviseQuery, api.KlaverjasAdvice) {
	t.Helper()
	q, err := ParseAdvise(context.Background(), g, []byte(`{`+fields+`}`))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := service.Ask(t.Context(), g.service, q)
	if err != nil {
		t.Fatal(err)
	}
	out := g.outAdvice(q, answer)
	if p := answer.Progress; p.Done != out.Worlds.Used && !q.question.Forced() {
		t.Errorf("progress %+v, %d worlds", p, out.Worlds.Used)
	}
	return q, out
}

// withoutEffort removes what differs between equal answers.
func withoutEffort(a api.KlaverjasAdvice) api.KlaverjasAdvice {
	a.Stats, a.Source = api.KlaverjasStats{}, ""
	return a
}

// The answer does not depend on the number of workers, and agrees with a player with the same worlds.
func TestAdviceDoesNotDependOnWorkers(t *testing.T) {
	for _, fields := range []string{playedView + `, "worlds": 37, "seed": "5"`, lateView, lateView + `, "objective": "win", "worlds": 11`} {
		_, one := advise(t, newGame(t, service.Options{Slots: 1}, Options{TableBytes: 1 << 20}), fields)
		q, three := advise(t, newGame(t, service.Options{Slots: 3, Cache: newCache(t)}, Options{TableBytes: 4 << 20}), fields)
		if diff := cmp.Diff(withoutEffort(one), withoutEffort(three)); diff != "" {
			t.Errorf("%s (-one worker +three)\n%s", fields, diff)
		}
		a, err := q.question.Decide(t.Context(), index.NewRand(q.seed), search.New(search.Options{}),
			advice.Options{Worlds: q.worlds, Objective: q.objective})
		if err != nil {
			t.Fatal(err)
		}
		if a.Card.String() != one.Card || a.Used != one.Worlds.Used || a.All != one.Worlds.All ||
			a.Confidence.String() != string(one.Confidence) {
			t.Errorf("a player plays %+v, the answer is %+v", a, one)
		}
	}
}

// The cache answers an equal request, also for the other objective. Another seed has other worlds, unless all are searched.
func TestAdviceIsCached(t *testing.T) {
	var searches atomic.Int64
	g := newGame(t, service.Options{Slots: 2, Cache: newCache(t)},
		Options{Searched: func(search.Goal, uint64, time.Duration, error) { searches.Add(1) }})
	for _, tt := range []struct {
		fields   string
		searches int64
		used     int
	}{
		{playedView + `, "worlds": 20`, 20, 20},
		{playedView + `, "worlds": 20, "seed": "0"`, 0, 20},
		{playedView + `, "worlds": 20, "objective": "win"`, 0, 20},
		{playedView + `, "worlds": 20, "seed": "1"`, 20, 20},
		{playedView + `, "worlds": 21`, 21, 21},
		{lateView + `, "worlds": 80`, 80, 80},
		{lateView + `, "seed": "9"`, 0, 80},
		{lateView + `, "worlds": 50000, "objective": "win"`, 0, 80},
		{lateView + `, "budget_ms": 5000`, 0, 80},
		{lateView + `, "worlds": 79`, 79, 79},
	} {
		searches.Store(0)
		_, got := advise(t, g, tt.fields)
		if n := searches.Load(); n != tt.searches || got.Worlds.Used != tt.used || (got.Source == api.SourceCache) != (tt.searches == 0) {
			t.Errorf("%s: %d searches, %d worlds from the %s; want %d searches, %d worlds", tt.fields, n, got.Worlds.Used, got.Source, tt.searches,
				tt.used)
		}
	}
}

// A value of the cache that is damaged, or about another view or number of worlds, is a miss.
func TestAdviceRefusesOtherTallies(t *testing.T) {
	g := newGame(t, service.Options{Slots: 1}, Options{Searcher: fixed(same, nil)})
	query := func(fields string) *AdviseQuery {
		q, err := ParseAdvise(context.Background(), g, []byte(`{`+fields+`}`))
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	q := query(lateView)
	result, err := computation.New(computation.Options{}).Do(t.Context(), q.Computation(), computation.Urgent, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	tally := result.Value.(*advice.Tally)
	value := q.tallyValue(tally)
	if got, ok := q.readTally(value); !ok || *got != *tally {
		t.Errorf("read %+v, %v", got, ok)
	}
	for name, other := range map[string]*AdviseQuery{
		"declarers": query(lateView + `, "declarer": "EW"`), "rules": query(lateView + `, "rules": {"system": "amsterdam"}`),
		"known": query(lateView + `, "known": {"N": ["7D"]}`), "worlds": query(lateView + `, "worlds": 79`),
	} {
		if _, ok := other.readTally(value); ok {
			t.Errorf("a tally of other %s is read", name)
		}
	}
	for i := range value {
		damaged := append([]byte(nil), value...)
		damaged[i] ^= 1
		if _, ok := q.readTally(damaged); ok {
			t.Errorf("read with byte %d changed", i)
		}
		if _, ok := q.readTally(value[:i]); ok {
			t.Errorf("read from %d bytes", i)
		}
	}
}

// fixed is a searcher with the same outcome after a card in every world. delay, if not nil, is called before each search.
func fixed(outcome func(piquet.Card) int, delay func(ctx context.Context) error) func() Searcher {
	return func() Searcher {
		return searcherFunc(func(ctx context.Context, q search.Query) (search.Result, error) {
			if delay != nil {
				if err := delay(ctx); err != nil {
					return search.Result{}, err
				}
			}
			r := search.Result{Goal: q.Goal, Nodes: 1}
			for c := range q.Position.Legal().All() {
				r.Moves = append(r.Moves, search.MoveValue{Card: c, Outcome: outcome(c), Won: outcome(c) > 0})
			}
			return r, nil
		})
	}
}

func same(piquet.Card) int { return 10 }

// When the budget is over, the answer rests on the worlds that have been searched. The first is searched without a limit.
func TestAdviceWithinBudget(t *testing.T) {
	for _, free := range []int{0, 5} {
		t.Run(fmt.Sprint(free), func(t *testing.T) {
			var calls, unlimited atomic.Int64
			g := newGame(t, service.Options{Slots: 2}, Options{Searcher: fixed(func(c piquet.Card) int { return int(c) },
				func(ctx context.Context) error {
					if _, limited := ctx.Deadline(); !limited {
						unlimited.Add(1)
						return nil
					}
					if calls.Add(1) <= int64(free) {
						return nil
					}
					<-ctx.Done()
					return ctx.Err()
				})})
			_, got := advise(t, g, playedView+`, "budget_ms": 200, "worlds": 1000`)
			if got.Worlds.Used != free+1 || got.Worlds.All || unlimited.Load() != 1 || len(got.Cards) != 5 {
				t.Errorf("%d searches without a limit: %+v", unlimited.Load(), got)
			}
		})
	}
}

// With a budget the searches end early if the best card is clear. With a number of worlds they do not.
func TestAdviceEndsWhenClear(t *testing.T) {
	g := newGame(t, service.Options{Slots: 2}, Options{Searcher: fixed(func(c piquet.Card) int { return 2 * int(c) }, nil)})
	_, got := advise(t, g, playedView+`, "budget_ms": 60000`)
	if got.Worlds.Used < advice.StopEvery || got.Worlds.Used > 4*advice.StopEvery || got.Confidence != api.KlaverjasAdviceConfidenceClear {
		t.Errorf("with a budget: %+v", got.Worlds)
	}
	if _, got = advise(t, g, playedView+`, "worlds": 400`); got.Worlds.Used != 400 {
		t.Errorf("with a number: %+v", got.Worlds)
	}
	if _, got = advise(t, g, lateView+`, "budget_ms": 60000`); !got.Worlds.All {
		t.Errorf("with few worlds: %+v", got.Worlds)
	}
}

// A searcher that fails, or does not return every legal card, is a fault of the program. The end of the client's interest ends the
// searches.
func TestAdviceFaults(t *testing.T) {
	broken := errors.New("broken")
	for name, tt := range map[string]struct {
		searcher func() Searcher
		want     error
	}{
		"an error": {fixed(same, func(context.Context) error { return broken }), broken},
		"no moves": {func() Searcher {
			return searcherFunc(func(context.Context, search.Query) (search.Result, error) { return search.Result{}, nil })
		}, nil},
		"too slow without a budget": {fixed(same, func(context.Context) error { return context.DeadlineExceeded }), context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGame(t, service.Options{Slots: 2}, Options{Searcher: tt.searcher})
			q, err := ParseAdvise(context.Background(), g, []byte(`{`+playedView+`}`))
			if err != nil {
				t.Fatal(err)
			}
			if answer, err := service.Ask(t.Context(), g.service, q); err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("%+v, %v", answer.Result, err)
			}
		})
	}
	in := make(chan struct{}, 10)
	g := newGame(t, service.Options{Slots: 3}, Options{Searcher: func() Searcher { return gated{nil, in} }})
	q, err := ParseAdvise(context.Background(), g, []byte(`{`+playedView+`}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { _, err := service.Ask(ctx, g.service, q); done <- err }()
	for range 3 { // as many at a time as there are slots
		<-in
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// The progress counts worlds.
func TestAdviceProgress(t *testing.T) {
	g := newGame(t, service.Options{Slots: 2}, Options{Searcher: fixed(same, nil)})
	q, err := ParseAdvise(context.Background(), g, []byte(`{`+playedView+`, "worlds": 300}`))
	if err != nil {
		t.Fatal(err)
	}
	scheduler := computation.New(computation.Options{Slots: 1})
	defer func() {
		if err := scheduler.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	var seen []computation.Progress
	if _, err := scheduler.Do(t.Context(), q.Computation(), computation.Urgent, func(p computation.Progress) { seen = append(seen, p) },
		0); err != nil {
		t.Fatal(err)
	}
	last := seen[len(seen)-1]
	if last.Done != 300 || last.Of != 300 || last.Nodes != 300 {
		t.Errorf("%+v", last)
	}
}

// A card without a choice needs no world. The progress of its answer is complete.
func TestAdviceProgressOfOneCard(t *testing.T) {
	g := newGame(t, service.Options{}, Options{Searcher: fixed(same, nil)})
	q, err := ParseAdvise(context.Background(), g, []byte(`{"trump": "S", "leader": "E", "seat": "S", "hand": ["7C", "JC", "AC", `+
		`"JH", "8D", "7S", "9S", "KS"], `+
		`"played": ["JD"], "worlds": 20}`))
	if err != nil {
		t.Fatal(err)
	}
	answer, known, err := q.Known(t.Context())
	if want := (computation.Progress{Done: 1, Of: 1}); err != nil || !known || answer.Progress != want {
		t.Errorf("%+v, known %v, %v", answer.Progress, known, err)
	}
}

// The views of two deals that differ only in the hidden hands are one request: their keys are equal, and so are their answers.
func TestAdviceOfHiddenHands(t *testing.T) {
	g := newGame(t, service.Options{Slots: 2}, Options{TableBytes: 1 << 20})
	rng := index.NewRand(3)
	for range 10 {
		p := randomPosition(t, rng, 12+rng.IntN(16))
		seat := p.now.Turn()
		k, err := worlds.New(worlds.ViewOf(p.now, p.played, seat))
		if err != nil {
			t.Fatal(err)
		}
		body := func(v worlds.View) string {
			text, err := json.Marshal(map[string]any{
				"rules": map[string]any{"system": v.Rules.System.String(), "nat_melds": v.Rules.NatMelds.String()},
				"trump": v.Trump.String(), "leader": v.Leader.String(), "declarer": v.Declarer.String(), "seat": v.Seat.String(),
				"hand": outCards(v.Hand.Slice()), "played": outCards(v.Played), "worlds": 6,
			})
			if err != nil {
				t.Fatal(err)
			}
			return string(text[1 : len(text)-1])
		}
		other := k.Position(k.World(rng.Uint64N(k.Worlds())))
		first, a := advise(t, g, body(worlds.ViewOf(p.now, p.played, seat)))
		second, b := advise(t, g, body(worlds.ViewOf(other, p.played, seat)))
		if diff := cmp.Diff(withoutEffort(a), withoutEffort(b)); diff != "" || !bytes.Equal(first.Key(), second.Key()) {
			t.Errorf("the answer depends on the hidden hands:\n%s", diff)
		}
	}
}

package service

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas/search"
	"roem/internal/solvecache"
)

func retryIn(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

// enters fails the test unless the client may search, and returns what ends its search.
func enters(t *testing.T, l *limiter, client string) func(time.Duration) {
	t.Helper()
	leave, err := l.enter(client, retryIn(0))
	if err != nil {
		t.Fatalf("%s: %v", client, err)
	}
	return leave
}

// refused fails the test unless the client is refused for the limit, until retry.
func refused(t *testing.T, l *limiter, client string, limit Limit, retry time.Duration) {
	t.Helper()
	_, err := l.enter(client, retryIn(7*time.Second))
	if KindOf(err) != Limited || limitOf(err) != limit || RetryAfter(err) != retry {
		t.Errorf("%s: %v, limit %q, retry after %v; want %q, %v", client, err, limitOf(err), RetryAfter(err), limit, retry)
	}
}

func TestLimitOfSearches(t *testing.T) {
	l := newLimiter(Limits{Searches: 2})
	first, second := enters(t, l, "ann"), enters(t, l, "ann")
	refused(t, l, "ann", LimitSearches, 7*time.Second)
	enters(t, l, "bob")(time.Hour) // another client is not affected, and without a limit of time, time does not count
	for range 10 {
		enters(t, l, "") // nor is what is nobody's
	}
	first(time.Hour)
	third := enters(t, l, "ann")
	refused(t, l, "ann", LimitSearches, 7*time.Second)
	second(0)
	third(0)
	if len(l.accounts) != 0 {
		t.Errorf("%d accounts of clients that have nothing running", len(l.accounts))
	}
}

func TestLimitOfTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{Time: 0.5, Burst: 10 * time.Second})
		for range 3 {
			enters(t, l, "ann")(3 * time.Second) // 9 of 10 s used
		}
		enters(t, l, "ann")(26 * time.Second) // allowed, for 1 s is left; it takes 25 s more
		refused(t, l, "ann", LimitTime, 51*time.Second)
		enters(t, l, "bob")(time.Second)
		time.Sleep(40 * time.Second) // 20 s are given back
		refused(t, l, "ann", LimitTime, 11*time.Second)
		time.Sleep(11 * time.Second)
		enters(t, l, "ann")(0)
		if len(l.accounts) != 2 {
			t.Errorf("%d accounts, want 2", len(l.accounts))
		}
		enters(t, l, "ann")(time.Hour)
		refused(t, l, "ann", LimitTime, maxRetry)
		time.Sleep(3 * time.Hour)
		enters(t, l, "ann")(0)
		if len(l.accounts) != 1 {
			t.Errorf("%d accounts, want 1: bob's, which stays until he comes again or its place is needed", len(l.accounts))
		}
	})
}

// However many clients there are, the limits take little memory, and they stay in force.
func TestLimitsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(Limits{Searches: 2, Time: 1, Burst: 10 * time.Second})
		for i := range 3 * maxAccounts {
			enters(t, l, fmt.Sprint("client ", i))(100 * time.Microsecond)
		}
		if len(l.accounts) > maxAccounts {
			t.Errorf("%d accounts, want at most %d", len(l.accounts), maxAccounts)
		}
		a, b := enters(t, l, "late"), enters(t, l, "later") // these share what the newcomers have left
		refused(t, l, "latest", LimitSearches, 7*time.Second)
		a(0)
		b(0)
		time.Sleep(time.Hour)
		enters(t, l, "last")(time.Second)
		if len(l.accounts) != 1 {
			t.Errorf("%d accounts after an hour of rest, want 1", len(l.accounts))
		}
	})
}

// The pool asks the limits before it makes anybody wait, and tells its observer what happens.
func TestPoolLimitsAndObserves(t *testing.T) {
	var seen []string
	broken := errors.New("broken")
	results := []error{nil, broken}
	p := newPool(1, 5, func() Searcher {
		return searcherFunc(func(context.Context, search.Query) (search.Result, error) {
			err := results[0]
			results = results[1:]
			return search.Result{Nodes: 7}, err
		})
	}, Limits{Searches: 1}, Observer{
		Waited: func(took time.Duration) { seen = append(seen, fmt.Sprint("waited ", took == 0)) },
		Searched: func(goal search.Goal, nodes uint64, _ time.Duration, err error) {
			seen = append(seen, fmt.Sprint("searched ", goal, " ", nodes, " ", err))
		},
		Limited: func(limit Limit) { seen = append(seen, "limited "+string(limit)) },
	})
	ctx, effort := WithEffort(WithClient(context.Background(), "ann"))
	for range 2 {
		_ = p.with(ctx, &ticket{urgent: true}, func(s Searcher) error {
			_, err := s.Solve(ctx, search.Query{Goal: search.Moves})
			if KindOf(p.with(ctx, &ticket{urgent: true}, nil)) != Limited {
				t.Error("a second search is not refused")
			}
			return err
		})
	}
	want := []string{"waited true", "searched moves 7 <nil>", "limited searches", "waited true", "searched moves 7 broken", "limited searches"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if sum := effort.Sum(); sum.Searches != 2 || sum.Nodes != 14 || sum.Wait != 0 {
		t.Errorf("effort %+v", sum)
	}
}

func TestEffort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate, in := make(chan struct{}), make(chan struct{}, 10)
		p := newPool(1, 5, func() Searcher { return gated{gate, in} }, Limits{}, Observer{})
		search := func(ctx context.Context) error {
			return p.with(ctx, &ticket{urgent: true}, func(s Searcher) error { _, err := s.Solve(ctx, search.Query{}); return err })
		}
		go func() { _ = search(context.Background()) }()
		synctest.Wait()
		ctx, effort := WithEffort(context.Background())
		go func() { _ = search(ctx) }()
		synctest.Wait()
		time.Sleep(time.Second)
		if diff := cmp.Diff(EffortSum{Wait: time.Second}, effort.Sum()); diff != "" {
			t.Errorf("while it waits (-want +got)\n%s", diff)
		}
		gate <- struct{}{}
		synctest.Wait()
		time.Sleep(2 * time.Second)
		if diff := cmp.Diff(EffortSum{Searches: 1, Search: 2 * time.Second, Wait: time.Second}, effort.Sum()); diff != "" {
			t.Errorf("while it searches (-want +got)\n%s", diff)
		}
		gate <- struct{}{}
		synctest.Wait()
		effort.noteAnswer(solvecache.Answer{Layer: "memory"})
		want := EffortSum{Searches: 1, Search: 2 * time.Second, Wait: time.Second, Layer: "memory"}
		if diff := cmp.Diff(want, effort.Sum()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		effort.noteAnswer(solvecache.Answer{Layer: "file"})
		effort.noteAnswer(solvecache.Answer{Shared: true})
		if sum := effort.Sum(); sum.Layer != mixedLayers || !sum.Shared {
			t.Errorf("%+v", sum)
		}
		var none *Effort
		none.noteAnswer(solvecache.Answer{})
		if diff := cmp.Diff(EffortSum{}, none.Sum()); diff != "" {
			t.Error(diff)
		}
	})
}

// A client at its limit may still have what takes no search, and one that is charged for a shared search is the first.
func TestLimitsCountSearchesAlone(t *testing.T) {
	memory, err := solvecache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	cache := solvecache.New(memory)
	defer func() { _ = cache.Close() }()
	s, err := New(Options{Version: "v0", Searchers: 1, Cache: cache, Limits: Limits{Time: 0.001, Burst: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	ctx := WithClient(context.Background(), "ann")
	solve := func(index string) error {
		in, err := s.Decoder.Solve([]byte(`{"trump": "C", "leader": "N", "goal": "moves", "deal": "` + index + `"}`))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Solve(ctx, in)
		return err
	}
	if err := solve("71234567890123456"); err != nil {
		t.Fatal(err)
	}
	if err := solve("71234567890123457"); KindOf(err) != Limited {
		t.Errorf("another search at once: %v", err)
	}
	if err := solve("71234567890123456"); err != nil {
		t.Errorf("what has been solved: %v", err)
	}
}

// searcherFunc is a searcher made of a function.
type searcherFunc func(ctx context.Context, q search.Query) (search.Result, error)

func (f searcherFunc) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	return f(ctx, q)
}

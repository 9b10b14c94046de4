package computation

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// The limit of one client does not affect another client that waits for the same computation: it runs again for that client.
func TestALimitIsOfOneClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 2, Limits: Limits{Searches: 1}})
		ann, bob := WithClient(t.Context(), "ann"), WithClient(t.Context(), "bob")
		h := newHeld()
		busy := do(ann, s, h.spec("other"), Urgent) // ann is now at her limit
		go func() { <-h.begun }()
		begin := make(chan struct{}, 10)
		runs := 0
		parts := Spec{Key: "parts", Run: func(ctx context.Context, task *Task) (any, error) {
			runs++
			<-begin
			return waitsFor(s, Spec{Key: "part", Slot: true, Run: value(1)})(ctx, task)
		}}
		first := do(ann, s, parts, Urgent)
		synctest.Wait()
		second, job := do(bob, s, parts, Urgent), do(t.Context(), s, parts, Background)
		synctest.Wait()
		begin <- struct{}{}
		a := <-first
		if limited, ok := errors.AsType[*LimitedError](a.err); !ok || limited.Client != "ann" || limited.Searches != 1 {
			t.Errorf("ann: %v", a.err)
		}
		begin <- struct{}{}
		(<-second).is(t, "bob", [8]any{1}, nil)
		(<-job).is(t, "the job", [8]any{1}, nil)
		if runs != 2 {
			t.Errorf("%d runs, want 2", runs)
		}
		h.end <- returned{}
		<-busy
	})
}

// When the queue is full, only urgent waiters are refused. The others continue to wait.
func TestAFullQueueIsForUrgentWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1})
		h := newHeld()
		blocks := joins(t, s, h.spec("blocks"), Urgent)
		begin := make(chan struct{}, 10)
		parts := Spec{Key: "parts", Run: func(ctx context.Context, task *Task) (any, error) {
			<-begin
			return waitsFor(s, Spec{Key: "part", Slot: true, Run: value(1)})(ctx, task)
		}}
		client, job := do(t.Context(), s, parts, Urgent), do(t.Context(), s, parts, Background)
		synctest.Wait()
		close(begin)
		if a := <-client; !same(a.err, &BusyError{}) {
			t.Errorf("the client: %v", a.err)
		}
		synctest.Wait()
		if l := s.Load(); l.Waiting != 0 || s.background.Len() != 1 {
			t.Errorf("%+v, %d in the background", l, s.background.Len())
		}
		blocks.Leave()
		(<-job).is(t, "the job", [8]any{1}, nil)
	})
}

// After a part has started, the other parts are not refused, even if the queue is full.
func TestWhatHasBegunIsNotRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1})
		h := newHeld()
		parts := Spec{Key: "parts", Run: waitsFor(s, h.spec("1"), h.spec("2"), h.spec("3"))}
		w := joins(t, s, parts, Urgent)
		synctest.Wait()
		if !w.Begun() {
			t.Error("the computation has not started")
		}
		other := do(t.Context(), s, h.spec("2"), Background)
		synctest.Wait()
		for i := range 3 {
			h.end <- returned{value: i}
			synctest.Wait()
		}
		<-w.Done()
		result, err := w.Result()
		answer{result, err}.is(t, "the parts", [8]any{0, 1, 2}, nil)
		(<-other).is(t, "one that waits for a part", 1, nil)
	})
}

// begin admits a request of the client, with one computation, and returns a function that ends both.
func (a *accounts) begin(t *testing.T, client string) (end func(took time.Duration)) {
	t.Helper()
	one, err := a.admit(payer{client: client}, time.Now(), 0)
	if err != nil {
		t.Fatalf("%s: %v", client, err)
	}
	if one != nil {
		one.slots++
	}
	return func(took time.Duration) {
		a.charge(one, time.Now(), took)
		a.leave(one, payer{client: client}, time.Now())
	}
}

// refuses fails the test unless the client is refused because of its number of requests, or because of its time if searches is 0.
func (a *accounts) refuses(t *testing.T, client string, searches int, retry time.Duration) {
	t.Helper()
	_, err := a.admit(payer{client: client}, time.Now(), 7*time.Second)
	if l, ok := errors.AsType[*LimitedError](err); !ok || l.Client != client || l.Searches != searches || l.RetryAfter != retry {
		t.Errorf("%s: %+v, want %d requests, retry after %v", client, err, searches, retry)
	}
}

func TestLimitOfRequests(t *testing.T) {
	a := newAccounts(Limits{Searches: 2})
	first, second := a.begin(t, "ann"), a.begin(t, "ann")
	a.refuses(t, "ann", 2, 7*time.Second)
	a.begin(t, "bob")(time.Hour) // other clients are not affected; without a limit of time, time is not charged
	for range 10 {
		a.begin(t, "") // computations without a client are not charged
	}
	first(time.Hour)
	third := a.begin(t, "ann")
	a.refuses(t, "ann", 2, 7*time.Second)
	second(0)
	third(0)
	if len(a.byClient) != 0 {
		t.Errorf("%d accounts of clients without a computation", len(a.byClient))
	}
}

func TestLimitOfTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAccounts(Limits{Time: 0.5, Burst: 10 * time.Second})
		for range 3 {
			a.begin(t, "ann")(3 * time.Second) // 9 of 10 s are used
		}
		a.begin(t, "ann")(26 * time.Second) // allowed, since 1 s is left; it uses 25 s more
		a.refuses(t, "ann", 0, 51*time.Second)
		a.begin(t, "bob")(time.Second)
		time.Sleep(40 * time.Second) // 20 s are credited
		a.refuses(t, "ann", 0, 11*time.Second)
		time.Sleep(11 * time.Second)
		a.begin(t, "ann")(0)
		if len(a.byClient) != 2 {
			t.Errorf("%d accounts, want 2", len(a.byClient))
		}
		a.begin(t, "ann")(time.Hour)
		a.refuses(t, "ann", 0, 2*time.Hour) // she had 0.5 s left, and half a second is credited each second
		time.Sleep(3 * time.Hour)
		a.begin(t, "ann")(0)
		if len(a.byClient) != 1 {
			t.Errorf("%d accounts, want 1: the account of bob, which remains until bob returns or the map is full", len(a.byClient))
		}
	})
}

// The number of accounts is bounded for any number of clients, and the limits still apply.
func TestLimitsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAccounts(Limits{Searches: 2, Time: 1, Burst: 10 * time.Second})
		for i := range 3 * maxAccounts {
			a.begin(t, fmt.Sprint("client ", i))(100 * time.Microsecond)
		}
		if len(a.byClient) > maxAccounts {
			t.Errorf("%d accounts, want at most %d", len(a.byClient), maxAccounts)
		}
		first, second := a.begin(t, "late"), a.begin(t, "later") // these clients share the accounts that are left
		a.refuses(t, "latest", 2, 7*time.Second)
		first(0)
		second(0)
		time.Sleep(time.Hour)
		a.begin(t, "last")(time.Second)
		if len(a.byClient) != 1 {
			t.Errorf("%d accounts after an hour of rest, want 1", len(a.byClient))
		}
	})
}

// A computation is charged to its client from queueing until its run returns, cancelled or not, with the time of its slot.
func TestWhatIsCharged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScheduler(t, Options{Slots: 1, Queue: 5, Limits: Limits{Searches: 2, Time: 0.001, Burst: 10 * time.Second}})
		ann := WithClient(t.Context(), "ann")
		slow := func(key Key) Spec {
			return Spec{Key: key, Slot: true, Run: func(ctx context.Context, _ *Task) (any, error) {
				<-ctx.Done()
				time.Sleep(5 * time.Second)
				return nil, ctx.Err()
			}}
		}
		join := func(key Key) (*Waiter, error) { return s.Join(ann, slow(key), Urgent) }
		first, err := join("a")
		if err != nil {
			t.Fatal(err)
		}
		second, err := join("b")
		if err != nil {
			t.Fatal(err)
		}
		refused := func(n int) {
			t.Helper()
			if _, err := join("c"); !same(err, &LimitedError{Client: "ann", Searches: n}) {
				t.Errorf("%v, want a limit at %d", err, n)
			}
		}
		refused(2)
		shared, err := join("b")
		if err != nil {
			t.Errorf("joining an existing computation: %v", err)
		}
		shared.Leave()
		time.Sleep(5 * time.Second)
		first.Leave()
		refused(2) // the run has not returned
		time.Sleep(4999 * time.Millisecond)
		refused(2)
		second.Leave() // from the queue
		time.Sleep(time.Millisecond)
		synctest.Wait()
		refused(0) // 10 s were used, of which 10 ms are credited
		time.Sleep(1000 * time.Second)
		if _, err := s.Do(ann, Spec{Slot: true, Run: value(1)}, Urgent, nil, 0); err != nil {
			t.Error(err)
		}
	})
}

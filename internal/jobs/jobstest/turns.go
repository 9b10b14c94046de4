package jobstest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"roem/internal/jobs"
)

// turns checks that owners take turns, and that a task that two owners wait for has the earlier turn.
func turns(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	of := func(owner, name string) jobs.Spec {
		return jobs.Spec{Kind: "script", Owner: owner, Key: name, Payload: Script{Log: log, Name: name}.Bytes()}
	}
	var many []string
	for i := range 50 {
		many = append(many, f.submit(q, of("many", fmt.Sprintf("m%d", i))).ID)
	}
	at := func(what, id string, want int) {
		t.Helper()
		if got := f.get(q, id).PositionInQueue; got != want {
			t.Errorf("%s has position %d, want %d", what, got, want)
		}
	}
	one := f.submit(q, of("one", "o0"))
	at("the only job of an owner", one.ID, 2)
	two := f.submit(q, of("one", "o1"))
	at("the second job of an owner", two.ID, 4)
	third := f.submit(q, of("third", "m40"))
	at("the job that a third owner waits for too", third.ID, 3)
	f.cancel(q, two.ID)
	again := f.submit(q, of("one", "o2"))
	at("a job after a cancelled one", again.ID, 5) // as the cancelled one, but behind m1, which was there before
	f.cancel(q, third.ID)
	at("the job that the third owner has left", many[40], 3)
	f.work(q, 1)
	for _, id := range append(many, one.ID, again.ID) {
		f.reaches(q, id, jobs.Succeeded)
	}
	text, err := os.ReadFile(log) //nolint:gosec // of this test
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(strings.ReplaceAll(string(text), "begin ", "")); got[0] != "m0" || got[3] != "o0" || got[6] != "m40" {
		t.Errorf("the order:\n%s", text)
	}
}

// turnsByTime checks that turns are weighted by the time that tasks have taken, whatever they were expected to take.
func turnsByTime(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	of := func(name string, sleep time.Duration) jobs.Spec {
		return jobs.Spec{Kind: "script", Owner: name[:1], Payload: Script{Log: log, Name: name, Sleep: sleep}.Bytes()}
	}
	var slow []string
	for i := range 4 {
		sleep := 100 * time.Millisecond
		if i == 0 {
			sleep = 3 * time.Second // more than all quick tasks together, also on a busy machine
		}
		slow = append(slow, f.submit(q, of(fmt.Sprintf("s%d", i), sleep)).ID)
	}
	var quick []string
	for i := range 10 {
		quick = append(quick, f.submit(q, of(fmt.Sprintf("q%d", i), 0)).ID)
	}
	f.work(q, 1)
	for _, id := range quick {
		f.reaches(q, id, jobs.Succeeded)
	}
	if n := f.count(log, "begin s1") + f.count(log, "begin s2") + f.count(log, "begin s3"); n > 1 {
		t.Errorf("%d slow tasks began after the first one and before the last of 10 quick ones; want at most 1", n)
	}
	for _, id := range slow {
		f.reaches(q, id, jobs.Succeeded)
	}
}

// tooCostly checks the bound of the cost of an owner's waiting tasks.
func tooCostly(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{MaxCost: time.Hour})
	of := func(owner, key string, cost time.Duration) jobs.Spec {
		return jobs.Spec{Kind: "script", Key: key, Owner: owner, Cost: cost, Payload: Script{Name: key}.Bytes()}
	}
	f.submit(q, of("o", "a", 40*time.Minute))
	half := f.submit(q, of("o", "b", 20*time.Minute))
	_, _, err := q.Submit(context.Background(), of("o", "c", time.Minute))
	detail, ok := errors.AsType[*jobs.TooCostlyError](err)
	if !errors.Is(err, jobs.ErrTooCostly) || !ok || *detail != (jobs.TooCostlyError{Waiting: time.Hour, Cost: time.Minute, Max: time.Hour}) {
		t.Errorf("beyond the bound: %v", err)
	}
	f.same(q, of("o", "b", 20*time.Minute), half.ID)
	f.submit(q, of("p", "c", 3*time.Hour)) // an owner's only task may cost more
	f.submit(q, of("o", "c", 3*time.Hour)) // a shared task is not the owner's
	f.cancel(q, half.ID)
	f.submit(q, of("o", "d", 20*time.Minute))
	stop := f.work(q, 1)
	f.until("all are worked", func() bool {
		s, err := q.Stats(context.Background())
		return err == nil && s.Queued == 0 && s.Running == 0
	})
	stop()
	f.submit(q, of("o", "e", time.Hour))
}

// beyondSlots checks that an owner's task starts while all slots are taken by another owner's long tasks, and that those do not start
// more tasks of their owner.
func beyondSlots(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	const slots = 2
	release := make(chan struct{})
	var running atomic.Int64
	f.workWith(q, func(ctx context.Context, task jobs.Task, _ func([]byte)) ([]byte, error) {
		if task.Owner == "long" {
			running.Add(1)
			defer running.Add(-1)
			select {
			case <-release:
			case <-ctx.Done():
			}
		}
		return nil, ctx.Err()
	}, slots)
	of := func(owner string) jobs.Spec { return jobs.Spec{Kind: "k", Owner: owner} }
	var long []string
	for range 3 * slots {
		long = append(long, f.submit(q, of("long")).ID)
	}
	f.until("the slots are taken", func() bool { return running.Load() == slots })
	for range 3 { // one after the other
		f.reaches(q, f.submit(q, of("short")).ID, jobs.Succeeded)
	}
	for i := range 20 { // more owners than may start at a time
		long = append(long, f.submit(q, of(fmt.Sprint(i))).ID)
	}
	for _, id := range long[3*slots:] {
		f.reaches(q, id, jobs.Succeeded)
	}
	if n := running.Load(); n != slots {
		t.Errorf("%d long tasks of one owner run on %d slots", n, slots)
	}
	close(release)
	for _, id := range long {
		f.reaches(q, id, jobs.Succeeded)
	}
}

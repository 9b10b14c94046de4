package jobstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"roem/internal/jobs"
)

// state checks that an attempt gets what the one before it has saved, unless that one failed, and that nothing is left of it in the end.
func state(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	got := make(chan string, 10)
	handler := func(ctx context.Context, task jobs.Task, _ func([]byte)) ([]byte, error) {
		if err := task.Save(make([]byte, jobs.MaxState+1)); err != nil { // is not stored
			t.Error(err)
		}
		err := task.Save(fmt.Appendf(nil, "%s+", task.State))
		got <- string(task.State)
		if string(task.Payload) == "waits" && len(task.State) < 2 {
			<-ctx.Done()
			return nil, errors.Join(err, ctx.Err())
		}
		if task.Attempt == 1 && string(task.Payload) == "fails" {
			return nil, errors.New("told to fail")
		}
		return []byte("ok"), err
	}
	want := func(want string) {
		t.Helper()
		select {
		case state := <-got:
			if state != want {
				t.Errorf("the attempt has the state %q, want %q", state, want)
			}
		case <-time.After(timeLimit):
			t.Fatal("no attempt")
		}
	}
	waits := f.submit(q, jobs.Spec{Kind: "k", Key: "w", Payload: []byte("waits")})
	for _, before := range []string{"", "+"} {
		stop := f.workWith(q, handler, 1)
		want(before)
		stop()
	}
	f.workWith(q, handler, 1)
	want("++")
	if job := f.reaches(q, waits.ID, jobs.Succeeded); job.Attempts != 1 {
		t.Errorf("it ended as %+v", job)
	}
	fails := f.submit(q, jobs.Spec{Kind: "k", Payload: []byte("fails")})
	want("")
	want("")
	f.reaches(q, fails.ID, jobs.Succeeded)
}

// stateOfDead checks that a task whose process is killed goes on from its state in another one.
func stateOfDead(f *fixture) {
	t := f.t
	log := f.log()
	p := StartProcess(t, f.Target, 1)
	job, err := p.Submit(spec(Script{Log: log, Name: "a", Save: "half", BlockWithout: "half"}))
	if err != nil {
		t.Fatal(err)
	}
	f.until("it has saved its state", func() bool { return f.count(log, "saved a") == 1 })
	p.Kill()
	q := f.open(jobs.Options{})
	f.work(q, 1)
	if got := f.reaches(q, job.ID, jobs.Succeeded); got.Attempts != 2 || f.count(log, "end a") != 1 {
		t.Errorf("it ended as %+v", got)
	}
}

// yields checks that a task which saves its state makes room for the tasks of other owners, if more contend than may run, and goes on
// later.
func yields(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	var mu sync.Mutex
	saves := map[string]int{} // by owner
	release := make(chan struct{})
	f.workWith(q, func(ctx context.Context, task jobs.Task, _ func([]byte)) ([]byte, error) {
		state := task.State
		for ctx.Err() == nil {
			select {
			case <-release:
				return state, nil
			case <-time.After(10 * time.Millisecond):
			}
			state = append(bytes.Clone(state), '.')
			if err := task.Save(state); err != nil {
				return nil, err
			}
			mu.Lock()
			saves[task.Owner]++
			mu.Unlock()
		}
		return nil, ctx.Err()
	}, 1)
	const owners = 20
	var all []jobs.Job
	for i := range owners {
		all = append(all, f.submit(q, jobs.Spec{Kind: "k", Owner: fmt.Sprint(i)}))
	}
	f.until("all of them have run for a while", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(saves) == owners
	})
	close(release)
	for i, job := range all {
		got := f.reaches(q, job.ID, jobs.Succeeded)
		if got.Attempts != 1 {
			t.Errorf("owner %d: it ended as %+v", i, got)
		}
		mu.Lock()
		if n := len(f.result(q, job.ID)); n < saves[fmt.Sprint(i)] {
			t.Errorf("owner %d: the result is of %d saves, want %d", i, n, saves[fmt.Sprint(i)])
		}
		mu.Unlock()
	}
}

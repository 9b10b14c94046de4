package jobstest

import (
	"fmt"
	"time"

	"roem/internal/jobs"
)

func killed(f *fixture) {
	t := f.t
	log := f.log()
	gate, open := f.gate()
	p := StartProcess(t, f.Target, 1)
	first, err := p.Submit(spec(Script{Log: log, Name: "first", Until: gate}))
	if err != nil {
		t.Fatal(err)
	}
	second, err := p.Submit(spec(Script{Log: log, Name: "second"}))
	if err != nil {
		t.Fatal(err)
	}
	f.until("it begins", func() bool { return f.count(log, "begin first") == 1 })
	p.Kill()
	open()
	q := f.open(jobs.Options{})
	start := time.Now()
	f.work(q, 2)
	got := f.reaches(q, first.ID, jobs.Succeeded)
	t.Logf("done again %v after the next process started", time.Since(start).Round(time.Millisecond))
	if f.result(q, got.ID) != "first ok" || got.Attempts != 2 {
		t.Errorf("it ended as %+v", got)
	}
	f.reaches(q, second.ID, jobs.Succeeded)
	if f.count(log, "begin first") != 2 || f.count(log, "end first") != 1 || f.count(log, "end second") != 1 {
		t.Error("a task was not run as often as expected")
	}
}

func killer(f *fixture) {
	t := f.t
	log := f.log()
	p := StartProcess(t, f.Target, 2)
	// Other tasks run in the same process. They must succeed.
	var others []string
	for i := range 2 {
		job, err := p.Submit(spec(Script{Log: log, Name: fmt.Sprint(i), Sleep: 400 * time.Millisecond}))
		if err != nil {
			t.Fatal(err)
		}
		others = append(others, job.ID)
		if i == 0 {
			if job, err = p.Submit(spec(Script{Log: log, Name: "bad", Sleep: 50 * time.Millisecond, Die: true})); err != nil {
				t.Fatal(err)
			}
			others = append([]string{job.ID}, others...)
		}
	}
	bad, others := others[0], others[1:]
	deaths := 0
	for p := p; ; p = StartProcess(t, f.Target, 2) {
		done := false
		f.until("it dies, or all is done", func() bool {
			select {
			case <-p.Gone():
				return true
			default:
			}
			job, err := p.Get(bad)
			done = err == nil && job.Status == jobs.Failed
			return done
		})
		if done {
			for _, id := range others {
				f.until("the other tasks are run", func() bool {
					job, err := p.Get(id)
					return err == nil && job.Status == jobs.Succeeded
				})
			}
			job, err := p.Get(bad)
			if err != nil || job.Failure != jobs.FailedWithProcess || job.Attempts != jobs.MaxAttempts {
				t.Errorf("it ended as %+v, %v", job, err)
			}
			p.Stop(t)
			break
		}
		if deaths++; deaths > 10 {
			t.Fatal("it still kills processes")
		}
	}
	if deaths != jobs.MaxAttempts || f.count(log, "begin bad") != jobs.MaxAttempts {
		t.Errorf("%d processes died, %d attempts; want %d", deaths, f.count(log, "begin bad"), jobs.MaxAttempts)
	}
}

func killedLocal(f *fixture) {
	t := f.t
	log := f.log()
	gate, open := f.gate()
	p := StartProcess(t, f.Target, 0)
	job, err := p.Submit(jobs.Spec{
		Kind: "script", Key: "k", Owner: "o", Local: true,
		Payload: Script{Log: log, Name: "a", Until: gate}.Bytes(),
	})
	if err != nil || job.Status != jobs.Running {
		t.Fatalf("a local job: %+v, %v", job, err)
	}
	f.until("it begins", func() bool { return f.count(log, "begin a") == 1 })
	p.Kill()
	open()
	q := f.open(jobs.Options{})
	f.work(q, 2)
	if got := f.reaches(q, job.ID, jobs.Succeeded); f.result(q, got.ID) != "a ok" || got.Attempts != 2 {
		t.Errorf("it ended as %+v", got)
	}
}

func stopped(f *fixture) {
	t := f.t
	log := f.log()
	gate, open := f.gate()
	p := StartProcess(t, f.Target, 1)
	job, err := p.Submit(spec(Script{Log: log, Name: "a", Until: gate}))
	if err != nil {
		t.Fatal(err)
	}
	f.until("it begins", func() bool { return f.count(log, "begin a") == 1 })
	p.Stop(t)
	q := f.open(jobs.Options{})
	if got := f.get(q, job.ID); got.Status != jobs.Queued || got.Attempts != 0 {
		t.Errorf("given back: %+v", got)
	}
	open()
	f.work(q, 1)
	f.reaches(q, job.ID, jobs.Succeeded)
}

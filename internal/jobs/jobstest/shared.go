package jobstest

import (
	"context"
	"fmt"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/jobs"
)

func remote(f *fixture) {
	t := f.t
	here, there := f.open(jobs.Options{}), f.open(jobs.Options{})
	log := f.log()
	f.work(there, 1)
	gate, open := f.gate()
	job := f.submit(here, spec(Script{Log: log, Name: "a", Progress: 2, Until: gate}))
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	watch, err := here.Watch(ctx, job.ID)
	if err != nil {
		t.Fatal(err)
	}
	progress := ""
	for job = range watch {
		if job.Status == jobs.Running && job.Progress != nil {
			progress = string(job.Progress)
		}
		if progress == "2" {
			open()
		}
	}
	if job.Status != jobs.Succeeded || f.result(here, job.ID) != "a ok" || progress != "2" {
		t.Errorf("it ended as %+v; its last progress was %q", job, progress)
	}
	if s, err := here.Stats(ctx); err != nil || s.Slots != 1 {
		t.Errorf("Stats: %+v, %v", s, err)
	}
	long := f.submit(here, spec(Script{Log: log, Name: "long", Block: true}))
	f.reaches(here, long.ID, jobs.Running)
	start := time.Now()
	f.cancel(here, long.ID)
	f.reaches(here, f.submit(here, spec(Script{})).ID, jobs.Succeeded)
	t.Logf("from Cancel to the end of the next job in the other process: %v", time.Since(start))
}

func oneEach(f *fixture) {
	t := f.t
	log := f.log()
	front := f.open(jobs.Options{})
	for range 3 {
		f.work(f.open(jobs.Options{}), 2)
	}
	var ids []string
	for i := range 60 {
		ids = append(ids, f.submit(front, spec(Script{Log: log, Name: fmt.Sprint(i), Sleep: 5 * time.Millisecond})).ID)
	}
	for i, id := range ids {
		f.reaches(front, id, jobs.Succeeded)
		if n := f.count(log, fmt.Sprint("begin ", i)); n != 1 {
			t.Errorf("job %d was begun %d times", i, n)
		}
	}
}

// paused checks that a process that does not renew its lease loses the task, and that its late result is ignored.
func paused(f *fixture) {
	t := f.t
	log := f.log()
	gate, open := f.gate()
	p := StartProcess(t, f.Target, 1)
	job, err := p.Submit(spec(Script{Log: log, Name: "a", Until: gate}))
	if err != nil {
		t.Fatal(err)
	}
	f.until("it begins", func() bool { return f.count(log, "begin a") == 1 })
	p.Pause()
	open()
	q := f.open(jobs.Options{})
	f.work(q, 1)
	done := f.reaches(q, job.ID, jobs.Succeeded)
	if done.Attempts != 2 || f.count(log, "begin a") != 2 {
		t.Errorf("it ended as %+v", done)
	}
	p.Resume()
	next := f.submit(q, spec(Script{Name: "next"}))
	f.reaches(q, next.ID, jobs.Succeeded)
	time.Sleep(500 * time.Millisecond) // in which the process would write its result
	if diff := cmp.Diff(done, f.get(q, job.ID)); diff != "" {
		t.Errorf("it changed after its end (-then +now):\n%s", diff)
	}
	p.Stop(t)
}

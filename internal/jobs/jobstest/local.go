package jobstest

import (
	"context"
	"time"

	"roem/internal/jobs"
)

func local(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{MaxQueued: 2})
	stop := f.work(q, 1)
	busy := f.submit(q, spec(Script{Block: true}))
	f.reaches(q, busy.ID, jobs.Running)
	waits := f.submit(q, jobs.Spec{Kind: "script", Key: "w", Owner: "o", Payload: Script{Name: "w", Sleep: 50 * time.Millisecond}.Bytes()})
	f.submit(q, spec(Script{Name: "x"}))

	// The slot is busy and the queue is full.
	mine := jobs.Spec{Kind: "script", Key: "m", Owner: "o", Local: true, Payload: Script{Name: "m", Sleep: 50 * time.Millisecond}.Bytes()}
	job := f.submit(q, mine)
	if job.Status != jobs.Running || job.StartedAt.IsZero() || job.Attempts != 1 {
		t.Errorf("a local job: %+v", job)
	}
	if got := f.reaches(q, job.ID, jobs.Succeeded); f.result(q, got.ID) != "m ok" {
		t.Errorf("a local job: %+v", got)
	}
	f.same(q, mine, job.ID)

	// An equal task that waits is started here.
	taken := jobs.Spec{Kind: "script", Key: "w", Owner: "p", Local: true, Payload: Script{Name: "w", Sleep: 50 * time.Millisecond}.Bytes()}
	if got := f.submit(q, taken); got.Status != jobs.Running {
		t.Errorf("a local job of a waiting task: %+v", got)
	}
	if got := f.get(q, waits.ID); got.Status == jobs.Queued {
		t.Errorf("the waiting job: %+v", got)
	}
	f.reaches(q, waits.ID, jobs.Succeeded)

	// A local job can be cancelled, can fail, and is given back.
	gone := f.submit(q, jobs.Spec{Kind: "script", Local: true, Payload: Script{Block: true}.Bytes()})
	f.cancel(q, gone.ID)
	f.cancel(q, busy.ID)
	bad := f.submit(q, jobs.Spec{Kind: "script", Local: true, Payload: Script{Fail: true}.Bytes()})
	if got := f.reaches(q, bad.ID, jobs.Failed); got.Attempts != jobs.MaxAttempts {
		t.Errorf("a local job that fails: %+v", got)
	}
	gate, open := f.gate()
	back := f.submit(q, jobs.Spec{Kind: "script", Local: true, Payload: Script{Until: gate}.Bytes()})
	stop()
	open()
	if got := f.get(q, back.ID); got.Status != jobs.Queued || got.Attempts != 0 || got.PositionInQueue != 1 {
		t.Errorf("a local job after a stop: %+v", got)
	}
	f.work(q, 1)
	f.reaches(q, back.ID, jobs.Succeeded)
}

func localWithoutWork(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	mine := jobs.Spec{Kind: "script", Local: true, Payload: Script{Name: "m"}.Bytes()}
	if got := f.submit(q, mine); got.Status != jobs.Queued || got.PositionInQueue != 1 {
		t.Errorf("without Work: %+v", got)
	}
	stop := f.work(q, 0)
	got := f.submit(q, mine)
	if got.Status != jobs.Running && got.Status != jobs.Succeeded {
		t.Errorf("with Work without slots: %+v", got)
	}
	f.reaches(q, got.ID, jobs.Succeeded)
	if s, err := q.Stats(context.Background()); err != nil || s.Queued != 1 || s.Slots != 0 {
		t.Errorf("Stats: %+v, %v", s, err)
	}
	stop()
}

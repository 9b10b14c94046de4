package service

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/jobs"
)

// fakeQueue is a queue whose answers the test sets.
type fakeQueue struct {
	jobs.Queue

	submit func(ctx context.Context, spec jobs.Spec) (jobs.Job, error)

	mu        sync.Mutex
	submitted []jobs.Spec
}

func (q *fakeQueue) Submit(ctx context.Context, spec jobs.Spec) (jobs.Job, bool, error) {
	q.mu.Lock()
	q.submitted = append(q.submitted, spec)
	q.mu.Unlock()
	job, err := q.submit(ctx, spec)
	return job, err == nil, err
}

func (q *fakeQueue) Stats(context.Context) (jobs.Stats, error) { return jobs.Stats{}, nil }

// fakeQuery is a query that a computation of the test answers.
type fakeQuery struct {
	key  string
	spec computation.Spec
}

func (q fakeQuery) Key() []byte                                             { return []byte(q.key) }
func (q fakeQuery) Known(context.Context) (a Answer[any], ok bool, _ error) { return a, false, nil }
func (q fakeQuery) Computation() computation.Spec                           { return q.spec }
func (q fakeQuery) Answer(r computation.Result) (Answer[any], error) {
	return Answer[any]{Result: r.Value}, nil
}

// relay is a service with one slot, one operation, and a queue that the test controls.
type relay struct {
	*Service

	t         *testing.T
	queue     *fakeQueue
	runs      int
	cancelled time.Duration // time of the cancellation of a run; 0 for none
	began     time.Time
	job       chan string // the result or error of the job
	told      []string    // the progress reports of the job
}

const searchTakes = 3 * time.Second

func newRelay(t *testing.T) *relay {
	t.Helper()
	r := &relay{t: t, queue: &fakeQueue{}, began: time.Now(), job: make(chan string, 10)}
	var err error
	if r.Service, err = New(Options{Version: "v", Slots: 1, Jobs: r.queue}); err != nil {
		t.Fatal(err)
	}
	r.Register(Operation{Kind: "test.wait", Parse: func(_ context.Context, body []byte) (Query, error) {
		key := string(body)
		return fakeQuery{key: key, spec: computation.Spec{Key: computation.Key(key), Slot: true, Run: r.search}}, nil
	}})
	return r
}

// search returns after searchTakes and reports progress after a second.
func (r *relay) search(ctx context.Context, task *computation.Task) (any, error) {
	r.runs++
	for range 2 {
		select {
		case <-time.After(searchTakes / 2):
			task.Report(computation.Progress{Done: 1, Of: 2})
		case <-ctx.Done():
			r.cancelled = time.Since(r.began)
			return nil, ctx.Err()
		}
	}
	return "result", nil
}

// work runs a job in this process. The job continues after the end of the submit.
func (r *relay) work(ctx context.Context, spec jobs.Spec) {
	ctx = context.WithoutCancel(ctx)
	go func() {
		task := jobs.Task{Kind: spec.Kind, Key: spec.Key, Payload: spec.Payload, Attempt: 1}
		result, err := r.attempt(ctx, task, func(p []byte) { r.told = append(r.told, string(p)) })
		if err != nil {
			r.job <- err.Error()
			return
		}
		r.job <- string(result)
	}()
}

// accepts answers a submit with a job of the status, after some time.
func accepts(after time.Duration, status jobs.Status) func(context.Context, jobs.Spec) (jobs.Job, error) {
	return func(context.Context, jobs.Spec) (jobs.Job, error) {
		time.Sleep(after)
		return jobs.Job{ID: "id", Status: status}, nil
	}
}

func refusing(after time.Duration, err error) func(context.Context, jobs.Spec) (jobs.Job, error) {
	return func(context.Context, jobs.Spec) (jobs.Job, error) {
		time.Sleep(after)
		return jobs.Job{}, err
	}
}

// told is the answer to a client, with its time.
type told struct {
	Body  any
	Job   string
	Error Kind
	After time.Duration
}

func (r *relay) do(ctx context.Context, p WaitPolicy) told {
	r.t.Helper()
	request, err := r.Parse(ctx, "test.wait", []byte(`"a"`))
	if err != nil {
		r.t.Fatal(err)
	}
	answer, job, err := r.Do(ctx, request, p)
	out := told{Body: answer.Result, After: time.Since(r.began)}
	if err != nil {
		out.Error = KindOf(err)
	}
	if job != nil {
		out.Job = job.Id
	}
	if n := btoi(answer.Result != nil) + btoi(job != nil) + btoi(err != nil); n != 1 {
		r.t.Errorf("%+v, %+v, %v: want exactly one", answer, job, err)
	}
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ends checks the result of the job and that nothing is left.
func (r *relay) ends(runs int, cancelled time.Duration, job ...string) {
	r.t.Helper()
	time.Sleep(time.Minute)
	synctest.Wait()
	var got []string
	for len(r.job) > 0 {
		got = append(got, <-r.job)
	}
	if diff := cmp.Diff(job, got); diff != "" {
		r.t.Errorf("jobs (-want +got)\n%s", diff)
	}
	if r.runs != runs || r.cancelled != cancelled {
		r.t.Errorf("%d runs, cancelled after %v; want %d, %v", r.runs, r.cancelled, runs, cancelled)
	}
	if l, want := r.Load(), (computation.Load{Slots: 1, Queue: DefaultQueue}); l != want || len(r.handoffs.byKey) != 0 {
		r.t.Errorf("%d hand-offs and %+v are left", len(r.handoffs.byKey), l)
	}
	if err := r.Close(r.t.Context()); err != nil {
		r.t.Error(err)
	}
}

func (r *relay) tells(want told, got told) {
	r.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		r.t.Errorf("the client (-want +got)\n%s", diff)
	}
}

const waits = time.Second // duration of the clients' wait

// The answer to a request that takes too long, for each way its job can continue.
func TestHandoff(t *testing.T) {
	const submitTakes = 100 * time.Millisecond
	result := `"result"`
	unavailable := jobs.ErrUnavailable
	for _, tt := range []struct {
		name      string
		submit    func(context.Context, jobs.Spec) (jobs.Job, error)
		works     bool // a job runs in this process when the submit is accepted
		want      told
		runs      int
		cancelled time.Duration
		jobs      []string
	}{
		{
			name: "the job takes over the waiter", submit: accepts(submitTakes, jobs.Running), works: true,
			want: told{Job: "id", After: waits + submitTakes}, runs: 1, jobs: []string{result},
		},
		{
			name: "the job runs in another process and never takes over the waiter", submit: accepts(submitTakes, jobs.Running),
			want: told{Job: "id", After: waits + submitTakes}, runs: 1, cancelled: waits + submitTakes + takeoverLimit,
		},
		{
			name: "the job is queued", submit: accepts(submitTakes, jobs.Queued),
			want: told{Job: "id", After: waits + submitTakes}, runs: 1, cancelled: waits + submitTakes,
		},
		{
			name: "the job has already succeeded", submit: accepts(submitTakes, jobs.Succeeded),
			want: told{Job: "id", After: waits + submitTakes}, runs: 1, cancelled: waits + submitTakes,
		},
		{
			name: "no job can be created", submit: refusing(submitTakes, unavailable),
			want: told{Error: TooSlow, After: waits + submitTakes}, runs: 1, cancelled: waits + submitTakes,
		},
		{
			name: "the client is at its limit of jobs", submit: refusing(submitTakes, jobs.ErrTooMany),
			want: told{Error: Limited, After: waits + submitTakes}, runs: 1, cancelled: waits + submitTakes,
		},
		{
			name: "no job can be created, and the result exists", submit: refusing(searchTakes, unavailable),
			want: told{Body: "result", After: waits + searchTakes}, runs: 1,
		},
		{
			// Earlier code answered immediately in this case and left the job that it had submitted. The client never learned of the
			// job.
			name: "an answer at the last moment", submit: accepts(searchTakes, jobs.Running), works: true,
			want: told{Job: "id", After: waits + searchTakes}, runs: 1, jobs: []string{result},
		},
		{
			name: "an answer at the last moment, without a taker", submit: accepts(searchTakes, jobs.Running),
			want: told{Job: "id", After: waits + searchTakes}, runs: 1,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRelay(t)
				r.queue.submit = func(ctx context.Context, spec jobs.Spec) (jobs.Job, error) {
					job, err := tt.submit(ctx, spec)
					if tt.works {
						r.work(ctx, spec)
					}
					return job, err
				}
				r.tells(tt.want, r.do(t.Context(), WaitPolicy{Owner: "ann", Wait: waits}))
				r.ends(tt.runs, tt.cancelled, tt.jobs...)
				if n := len(r.queue.submitted); n != 1 || !r.queue.submitted[0].Local {
					t.Errorf("submitted %+v", r.queue.submitted)
				}
				if told := len(r.told) > 0; told != tt.works {
					t.Errorf("progress of the job: %q", r.told)
				}
			})
		})
	}
}

// A result at the end of the wait is returned as an answer or as a job, never as both.
func TestAnswerWhenTheTimeIsOver(t *testing.T) {
	for range 100 { // select chooses at random
		synctest.Test(t, func(t *testing.T) {
			r := newRelay(t)
			r.queue.submit = func(ctx context.Context, spec jobs.Spec) (jobs.Job, error) {
				r.work(ctx, spec)
				return jobs.Job{ID: "id", Status: jobs.Running}, nil
			}
			got := r.do(t.Context(), WaitPolicy{Owner: "ann", Wait: searchTakes})
			if n := len(r.queue.submitted); n != btoi(got.Job != "") {
				t.Errorf("%d jobs were submitted, and the client got %+v", n, got)
			}
			var jobs []string
			if got.Job != "" {
				jobs = []string{`"result"`}
			}
			r.ends(1, 0, jobs...)
		})
	}
}

// Waits of equal requests may end at the same time. The search continues although only one of them becomes a job.
func TestEqualRequestsHandoffTogether(t *testing.T) {
	for _, tt := range []struct {
		name    string
		refused int // the index of the submit that fails; -1 for none
	}{{"both", -1}, {"the second alone", 0}, {"the first alone", 1}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRelay(t)
				var once sync.Once
				r.queue.submit = func(ctx context.Context, spec jobs.Spec) (jobs.Job, error) {
					n := map[string]int{"ann": 0, "bob": 1}[spec.Owner]
					time.Sleep(time.Duration(n+1) * 10 * time.Millisecond)
					if n == tt.refused {
						return jobs.Job{}, jobs.ErrTooMany
					}
					once.Do(func() { time.AfterFunc(50*time.Millisecond, func() { r.work(ctx, spec) }) })
					return jobs.Job{ID: "id", Status: jobs.Running}, nil
				}
				got := make(chan told, 2)
				for i, owner := range []string{"ann", "bob"} { // ann's handoff comes first
					wait := waits + time.Duration(i)*time.Millisecond
					go func() { got <- r.do(t.Context(), WaitPolicy{Owner: owner, Wait: wait}) }()
				}
				for n := range 2 {
					one := <-got
					if refused := one.Error == Limited; refused != (n == tt.refused) || !refused && one.Job != "id" {
						t.Errorf("%d: %+v", n, one)
					}
				}
				r.ends(1, 0, `"result"`)
			})
		})
	}
}

// When a client disconnects, nothing is left except a job that was already accepted.
func TestClientHangsUp(t *testing.T) {
	const duringSubmit = waits + 100*time.Millisecond
	for _, tt := range []struct {
		name      string
		after     time.Duration
		accepted  bool
		cancelled time.Duration
		jobs      []string
	}{
		{name: "while it waits", after: waits / 2, cancelled: waits / 2},
		{name: "while its job is submitted", after: duringSubmit, cancelled: duringSubmit},
		{name: "while its job is accepted", after: duringSubmit, accepted: true, jobs: []string{`"result"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRelay(t)
				ctx, cancel := context.WithCancel(t.Context())
				r.queue.submit = func(ctx context.Context, spec jobs.Spec) (jobs.Job, error) {
					<-ctx.Done()
					if tt.accepted {
						r.work(ctx, spec)
						return jobs.Job{ID: "id", Status: jobs.Running}, nil
					}
					return jobs.Job{}, ctx.Err()
				}
				time.AfterFunc(tt.after, cancel)
				got := r.do(ctx, WaitPolicy{Owner: "ann", Wait: waits})
				if got.Body != nil || (got.Job != "") != tt.accepted || got.After != tt.after {
					t.Errorf("%+v", got)
				}
				r.ends(1, tt.cancelled, tt.jobs...)
				if n := len(r.queue.submitted); n != btoi(tt.after > waits) {
					t.Errorf("%d jobs submitted", n)
				}
			})
		})
	}
}

// A request that waits for a slot becomes a job like any other. A request that may not wait becomes a job immediately.
func TestJobsOfWhatHasNotBegun(t *testing.T) {
	for _, tt := range []struct {
		name   string
		policy WaitPolicy
		after  time.Duration
	}{
		{"queued", WaitPolicy{Owner: "ann", Wait: waits}, waits},
		{"the wait is cancelled", WaitPolicy{Owner: "ann", Wait: time.Hour, Cancel: closed()}, 0},
		{"it does not wait", WaitPolicy{Owner: "ann"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRelay(t)
				r.queue.submit = accepts(0, jobs.Queued)
				hold, err := r.computations.Join(t.Context(), computation.Spec{
					Slot: true, Run: func(ctx context.Context, _ *computation.Task) (any, error) { <-ctx.Done(); return nil, ctx.Err() },
				}, computation.Urgent)
				if err != nil {
					t.Fatal(err)
				}
				r.tells(told{Job: "id", After: tt.after}, r.do(t.Context(), tt.policy))
				if l := r.Load(); l.Waiting != 0 {
					t.Errorf("%+v", l)
				}
				if r.queue.submitted[0].Local {
					t.Error("the job was submitted as running")
				}
				hold.Leave()
				r.ends(0, 0)
			})
		})
	}
}

func closed() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}

// If the server stops at any moment, no search and no waiter is left.
func TestCloseDuringAHandoff(t *testing.T) {
	for _, tt := range []struct {
		name  string
		after time.Duration
		want  told
		jobs  []string
	}{
		{"while the client waits", 500 * time.Millisecond, told{Error: Stopping, After: 500 * time.Millisecond}, nil},
		{
			"while the job is submitted", waits + 50*time.Millisecond,
			told{Job: "id", After: waits + 100*time.Millisecond},
			[]string{computation.ErrClosed.Error()},
		},
		{
			"before the job takes over the waiter", waits + 150*time.Millisecond,
			told{Job: "id", After: waits + 100*time.Millisecond},
			[]string{computation.ErrClosed.Error()},
		},
		{
			"after that", waits + 500*time.Millisecond,
			told{Job: "id", After: waits + 100*time.Millisecond},
			[]string{computation.ErrClosed.Error()},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRelay(t)
				r.queue.submit = func(ctx context.Context, spec jobs.Spec) (jobs.Job, error) {
					time.Sleep(100 * time.Millisecond)
					time.AfterFunc(100*time.Millisecond, func() { r.work(ctx, spec) })
					return jobs.Job{ID: "id", Status: jobs.Running}, nil
				}
				time.AfterFunc(tt.after, func() {
					if err := r.Close(t.Context()); err != nil {
						t.Error(err)
					}
				})
				r.tells(tt.want, r.do(t.Context(), WaitPolicy{Owner: "ann", Wait: waits}))
				r.ends(1, tt.after, tt.jobs...)
			})
		})
	}
}

// A job does not fail because its request failed. It starts its own computation.
func TestAJobWhoseWaiterFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRelay(t)
		failure := errors.New("failure")
		w, err := r.computations.Join(t.Context(), computation.Spec{
			Slot: true, Run: func(context.Context, *computation.Task) (any, error) { return nil, failure },
		}, computation.Urgent)
		if err != nil {
			t.Fatal(err)
		}
		r.handoffs.offer("key", handoff{waiter: w})
		r.work(t.Context(), jobs.Spec{Kind: "test.wait", Key: "key", Payload: []byte(`"a"`)})
		r.ends(1, 0, `"result"`)
	})
}

// A cancelled job leaves the search that it took over.
func TestACancelledJobLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRelay(t)
		r.queue.submit = func(ctx context.Context, spec jobs.Spec) (jobs.Job, error) {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			go func() {
				defer cancel()
				_, err := r.attempt(ctx, jobs.Task{Kind: spec.Kind, Key: spec.Key, Payload: spec.Payload}, func([]byte) {})
				r.job <- err.Error()
			}()
			return jobs.Job{ID: "id", Status: jobs.Running, Kind: string(api.JobKindKlaverjasSolve)}, nil
		}
		r.tells(told{Job: "id", After: waits}, r.do(t.Context(), WaitPolicy{Owner: "ann", Wait: waits}))
		r.ends(1, waits+time.Second, context.DeadlineExceeded.Error())
	})
}

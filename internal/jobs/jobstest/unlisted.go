package jobstest

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/jobs"
)

// ids returns the IDs of the jobs that a list has.
func ids(tb testing.TB, q jobs.Queue, o jobs.ListOptions) []string {
	tb.Helper()
	page, err := q.List(context.Background(), o)
	if err != nil || page.Next != "" {
		tb.Errorf("List(%+v): next %q, %v", o, page.Next, err)
	}
	all := []string{}
	for _, job := range page.Jobs {
		all = append(all, job.ID)
		if job.Owner != o.Owner || job.Status == jobs.Queued && job.PositionInQueue == 0 {
			tb.Errorf("listed: %+v", job)
		}
	}
	return all
}

// unlisted submits the jobs of two clients that have one owner. They do not meet, and share what clients of different owners share.
func unlisted(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	equal := jobs.Spec{Kind: "script", Key: "k", Owner: "o", Payload: Script{Log: log, Name: "a"}.Bytes()}
	listed := f.submit(q, equal)
	equal.Unlisted = true
	one, two := f.submit(q, equal), f.submit(q, equal)
	if one.ID == two.ID || one.ID == listed.ID || two.ID == listed.ID {
		t.Errorf("equal requests have the jobs %s, %s and %s", listed.ID, one.ID, two.ID)
	}
	theirs := equal
	theirs.Owner = "p"
	other := f.submit(q, theirs)
	f.same(q, jobs.Spec{Kind: "script", Key: "k", Owner: "o", Payload: equal.Payload}, listed.ID) // an unlisted one has not taken its place

	options := func(status jobs.Status, ids ...string) jobs.ListOptions {
		return jobs.ListOptions{Owner: "o", Status: status, IDs: ids, Limit: 10}
	}
	check := func(what string, want []string, o jobs.ListOptions) {
		t.Helper()
		if diff := cmp.Diff(want, ids(t, q, o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	f.cancel(q, one.ID)
	check("the list", []string{listed.ID}, options(""))
	check("by their IDs, newest first", []string{two.ID, one.ID, listed.ID},
		options("", one.ID, listed.ID, two.ID, one.ID, other.ID, "", "nonsense", "00000000000000000000000000"))
	check("no IDs", []string{}, options("", []string{}...))
	check("the queued ones", []string{two.ID}, options(jobs.Queued, one.ID, two.ID))
	check("the cancelled ones", []string{one.ID}, options(jobs.Cancelled, one.ID, two.ID))
	many := jobs.ListOptions{Owner: "o", IDs: []string{one.ID, two.ID}, Limit: 1, Token: "no token"}
	check("with a limit and a token", []string{two.ID, one.ID}, many)

	f.work(q, 1)
	for _, id := range []string{listed.ID, two.ID, other.ID} {
		f.reaches(q, id, jobs.Succeeded)
		if got := f.result(q, id); got != "a ok" {
			t.Errorf("the result of %s is %q", id, got)
		}
	}
	if again := f.submit(q, equal); again.Status != jobs.Succeeded || again.ID == two.ID {
		t.Errorf("when the task has succeeded: %+v", again)
	}
	if n := f.count(log, "begin a"); n != 1 {
		t.Errorf("it was worked %d times", n)
	}
}

// unlistedIdempotency submits unlisted jobs of strangers who choose the same idempotency key.
func unlistedIdempotency(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	with := func(kind, name string) jobs.Spec {
		return jobs.Spec{Kind: kind, Key: "k", Owner: "o", IdempotencyKey: "1", Payload: Script{Name: name}.Bytes(), Unlisted: true}
	}
	first := f.submit(q, with("script", "a"))
	for _, other := range []jobs.Spec{with("script", "b"), with("other", "a")} {
		job := f.submit(q, other)
		if job.ID == first.ID {
			t.Errorf("%s of another payload or kind has the same job", other.Kind)
		}
		f.same(q, other, job.ID)
	}
	f.cancel(q, first.ID)
	f.same(q, with("script", "a"), first.ID)
	listed := with("script", "c")
	listed.Unlisted = false
	f.submit(q, listed)
	listed.Payload = Script{Name: "d"}.Bytes()
	if _, _, err := q.Submit(context.Background(), listed); !errors.Is(err, jobs.ErrIdempotencyMismatch) {
		t.Errorf("another payload of a listed job: %v", err)
	}
}

// unlistedBound checks that equal unlisted jobs count for their owner, whose unfinished jobs are bounded.
func unlistedBound(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{MaxQueued: 5, MaxOwned: 2})
	equal := jobs.Spec{Kind: "script", Key: "k", Owner: "o", Payload: Script{Name: "a"}.Bytes(), Unlisted: true}
	first := f.submit(q, equal)
	f.submit(q, equal)
	_, _, err := q.Submit(context.Background(), equal)
	if detail, is := errors.AsType[*jobs.TooManyError](err); !is || detail.Unfinished != 2 || detail.Max != 2 {
		t.Errorf("a third: %v", err)
	}
	other := equal
	other.Owner = "p"
	f.submit(q, other)
	f.cancel(q, first.ID)
	last := f.submit(q, equal)
	f.work(q, 1)
	f.reaches(q, last.ID, jobs.Succeeded)
	for range 3 { // what has ended does not count
		f.submit(q, equal)
	}
}

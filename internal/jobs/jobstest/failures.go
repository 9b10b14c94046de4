package jobstest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"roem/internal/jobs"
)

func failures(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{MaxResult: 1000})
	f.work(q, 2)
	for _, test := range []struct {
		name     string
		script   Script
		status   jobs.Status
		failure  jobs.Failure
		attempts int
		detail   string
	}{
		{"always", Script{Fail: true}, jobs.Failed, jobs.FailedTooOften, 3, Detail},
		{"twice", Script{FailTo: 2}, jobs.Succeeded, "", 3, ""},
		{"for good", Script{Final: true}, jobs.Failed, jobs.FailedForGood, 1, Detail},
		{"panics", Script{Panic: true}, jobs.Failed, jobs.FailedTooOften, 3, ""},
		{"large", Script{Size: 998}, jobs.Failed, jobs.FailedTooLarge, 1, ""},
		{"nearly too large", Script{Size: 997}, jobs.Succeeded, "", 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			job := f.submit(q, spec(test.script))
			got := f.reaches(q, job.ID, test.status)
			if got.Failure != test.failure || got.Attempts != test.attempts || string(got.Error) != test.detail ||
				(got.ResultSize != 0) != (test.status == jobs.Succeeded) {
				t.Errorf("it ended as %+v", got)
			}
		})
	}
}

func failingTask(f *fixture) {
	t := f.t
	q := f.open(jobs.Options{})
	log := f.log()
	bad := f.submit(q, spec(Script{Log: log, Name: "bad", Fail: true}))
	var good []string
	for i := range 5 {
		good = append(good, f.submit(q, spec(Script{Log: log, Name: fmt.Sprint(i)})).ID)
	}
	f.work(q, 1)
	for _, id := range good {
		f.reaches(q, id, jobs.Succeeded)
	}
	f.reaches(q, bad.ID, jobs.Failed)
	text, err := os.ReadFile(log) //nolint:gosec // of this test
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if f.count(log, "begin bad") != jobs.MaxAttempts || lines[0] != "begin bad" ||
		slices.Index(lines, "end 4") > slices.Index(lines[1:], "begin bad")+1 {
		t.Errorf("the waiting tasks did not run before the second attempt:\n%s", text)
	}
}

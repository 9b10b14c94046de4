package boltqueue

import (
	"bytes"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/decide"
)

// describe returns the job of the two records, without its position.
func (t tx) describe(id string, v jobRecord, w taskRecord) jobs.Job {
	return decide.View(jobs.Job{
		ID: id, Kind: w.Kind, Key: w.Key, Owner: v.Owner, Status: w.Status, Attempts: w.Attempts, Failure: w.Failure, Error: w.Error,
		CreatedAt: moment(v.Created), StartedAt: moment(w.Started), FinishedAt: moment(w.Finished),
	}, moment(v.Cancelled))
}

// moment returns the time of Unix nanoseconds, and the zero time for 0.
func moment(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

// position returns the position of a waiting task, from 1.
func (t tx) position(w taskRecord) int {
	n, end := 1, queueKey(&w)
	c := t.in(inQueue).Cursor()
	for k, _ := c.First(); k != nil && bytes.Compare(k, end) < 0; k, _ = c.Next() {
		n++
	}
	return n
}

// positions returns the positions of all waiting tasks by ID.
func (t tx) positions() map[string]int {
	all := map[string]int{}
	c := t.in(inQueue).Cursor()
	for k, id := c.First(); k != nil; k, id = c.Next() {
		all[string(id)] = len(all) + 1
	}
	return all
}

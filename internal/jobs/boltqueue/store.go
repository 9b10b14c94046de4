package boltqueue

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// What lies in which bucket. Numbers are big-endian, so that cursors walk in their order; names of any length stand in
// keys as digests of 16 bytes.
const (
	inMeta     = "meta"    // schema, deaths, runs
	inWorks    = "works"   // id of work -> work
	inJobs     = "jobs"    // id of job -> view
	inTask     = "task"    // id of work -> payload for the handler
	inResult   = "result"  // id of work -> result
	inPayload  = "payload" // id of job -> payload
	inQueue    = "queue"   // place -> id of work that waits
	inRunning  = "running" // id of work that is under way -> nothing
	inShared   = "shared"  // digest of kind, key -> id of work that is unfinished or succeeded
	inViews    = "views"   // id of work, id of job -> nothing
	inOwners   = "owners"  // digest of owner, number -> id of job
	inLive     = "live"    // digest of owner, id of job -> nothing; the jobs that are not final
	inOwned    = "owned"   // digest of owner, kind, key -> id of the owner's job of that
	inIdem     = "idem"    // digest of owner, idempotency key -> fingerprint, id of job
	inExpiry   = "expiry"  // time, id of job -> nothing
	idLength   = 26        // of an id
	schema     = "1"       // of all this
	sweepBatch = 500       // jobs removed in one transaction
	meanOver   = 20        // runs that the mean looks back on
	schemaKey  = "schema"  // in meta
	deathsKey  = "deaths"  // in meta: how often a process died over work
	meanKey    = "mean"    // in meta: nanoseconds of a run in the mean of lately
	runsKey    = "runs"    // in meta: how many that is the mean of, as far as it looks back
	bytesKey   = "bytes"   // in meta: of the payloads of jobs that are final, and of results
	sharedWork = "w"       // marks digests of works
	ownedJob   = "o"       // marks digests of owners' jobs
	ownerList  = "l"       // marks digests of owners
	idemRecord = "i"       // marks digests of idempotency keys
)

func buckets() []string {
	return []string{
		inMeta, inWorks, inJobs, inTask, inResult, inPayload, inQueue, inRunning, inShared, inViews, inOwners, inLive, inOwned,
		inIdem, inExpiry,
	}
}

// work is what is worked, once, for all of its views. Times are Unix nanoseconds, 0 for never.
type work struct {
	Kind     string          `json:"kind"`
	Key      string          `json:"key,omitempty"`
	Status   jobs.Status     `json:"status"`
	Place    uint64          `json:"place"`              // in the queue, kept while it runs, so that it can be given back
	Epoch    uint64          `json:"epoch,omitempty"`    // how often it was begun; a run of another epoch has lost it
	Attempts int             `json:"attempts,omitempty"` // begun and not given back
	Failures int             `json:"failures,omitempty"` // of the handler
	Deaths   queuekit.Deaths `json:"deaths,omitzero"`
	Created  int64           `json:"created"`
	Started  int64           `json:"started,omitempty"`
	Finished int64           `json:"finished,omitempty"`
	Until    int64           `json:"until,omitempty"` // when the last of its jobs expires, once it is final
	Live     int             `json:"live"`            // its jobs that are not cancelled
	Failure  jobs.Failure    `json:"failure,omitempty"`
	Error    []byte          `json:"error,omitempty"`
	Progress []byte          `json:"progress,omitempty"` // of the last attempt, once it is final
}

// view is one owner's job.
type view struct {
	Work      string   `json:"work"`
	Owner     string   `json:"owner,omitempty"`
	Number    uint64   `json:"number"`
	Created   int64    `json:"created"`
	Cancelled int64    `json:"cancelled,omitempty"`
	Expires   int64    `json:"expires,omitempty"` // once it is final
	Idem      [][]byte `json:"idem,omitempty"`    // its keys in inIdem
}

// tx is a transaction, with what is read and written in it.
type tx struct{ *bolt.Tx }

func (t tx) in(bucket string) *bolt.Bucket { return t.Bucket([]byte(bucket)) }

// work returns work that something in the file names.
func (t tx) work(id string) (work, error) {
	w, ok, err := t.lookUp(id)
	if err == nil && !ok {
		err = fmt.Errorf("the file names work %q and does not have it", id)
	}
	return w, err
}

// lookUp returns work that may have been forgotten.
func (t tx) lookUp(id string) (w work, ok bool, err error) {
	raw := t.in(inWorks).Get([]byte(id))
	if raw == nil {
		return w, false, nil
	}
	err = json.Unmarshal(raw, &w)
	return w, true, err
}

func (t tx) view(id string) (v view, ok bool, err error) {
	raw := t.in(inJobs).Get([]byte(id))
	if raw == nil {
		return v, false, nil
	}
	err = json.Unmarshal(raw, &v)
	return v, true, err
}

func (t tx) put(bucket, id string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return t.in(bucket).Put([]byte(id), raw)
}

func (t tx) number(key string) uint64 {
	if raw := t.in(inMeta).Get([]byte(key)); len(raw) == 8 {
		return binary.BigEndian.Uint64(raw)
	}
	return 0
}

func (t tx) setNumber(key string, n uint64) error {
	return t.in(inMeta).Put([]byte(key), big(n))
}

func big(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// keep counts bytes that are kept from now on, or of a negative number no more.
func (t tx) keep(bytes int) error {
	return t.setNumber(bytesKey, uint64(max(0, int64(t.number(bytesKey))+int64(bytes))))
}

// enqueue puts work at the end of the queue.
func (t tx) enqueue(id string, w *work) error {
	place, err := t.in(inQueue).NextSequence()
	if err != nil {
		return err
	}
	w.Status, w.Place = jobs.Queued, place
	return t.in(inQueue).Put(big(place), []byte(id))
}

// begin turns work that is in no queue into work under way.
func (t tx) begin(id string, w *work, now time.Time) error {
	w.Status, w.Started = jobs.Running, now.UnixNano()
	w.Epoch++
	w.Attempts++
	return t.in(inRunning).Put([]byte(id), nil)
}

// finish makes work final, and lets its jobs expire.
func (t tx) finish(id string, w *work, status jobs.Status, now time.Time, retention time.Duration) error {
	w.Status, w.Finished = status, now.UnixNano()
	if err := t.in(inRunning).Delete([]byte(id)); err != nil {
		return err
	}
	if err := t.in(inTask).Delete([]byte(id)); err != nil { // nobody works on it any more
		return err
	}
	if shared := queuekit.Digest(sharedWork, w.Kind, w.Key); status != jobs.Succeeded && string(t.in(inShared).Get(shared)) == id {
		if err := t.in(inShared).Delete(shared); err != nil {
			return err
		}
	}
	for _, job := range t.viewsOf(id) {
		v, ok, err := t.view(job)
		if err != nil {
			return err
		}
		if ok && v.Cancelled == 0 {
			if err := t.expire(job, &v, w, now.Add(retention)); err != nil {
				return err
			}
		}
	}
	return nil
}

// expire says when a job that is final is forgotten, and writes it.
func (t tx) expire(id string, v *view, w *work, at time.Time) error {
	v.Expires = at.UnixNano()
	w.Until = max(w.Until, v.Expires)
	if err := t.in(inExpiry).Put(join(big(uint64(v.Expires)), []byte(id)), nil); err != nil {
		return err
	}
	if err := t.in(inLive).Delete(liveKey(v.Owner, id)); err != nil {
		return err
	}
	if err := t.keep(len(t.in(inPayload).Get([]byte(id)))); err != nil {
		return err
	}
	return t.put(inJobs, id, v)
}

func liveKey(owner, job string) []byte { return join(queuekit.Digest(ownerList, owner), []byte(job)) }

// liveOf counts the owner's jobs that are not final, up to so many.
func (t tx) liveOf(owner string, most int) (n int) {
	prefix := liveKey(owner, "")
	c := t.in(inLive).Cursor()
	for k, _ := c.Seek(prefix); n < most && bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		n++
	}
	return n
}

func (t tx) viewsOf(work string) (ids []string) {
	c := t.in(inViews).Cursor()
	for k, _ := c.Seek([]byte(work)); bytes.HasPrefix(k, []byte(work)); k, _ = c.Next() {
		ids = append(ids, string(k[len(work):]))
	}
	return ids
}

// remove forgets a job, and its work with the last.
func (t tx) remove(id string) error {
	v, ok, err := t.view(id)
	if err != nil || !ok {
		return err
	}
	w, err := t.work(v.Work)
	if err != nil {
		return err
	}
	owned := queuekit.Digest(ownedJob, v.Owner, w.Kind, w.Key)
	freed := len(t.in(inPayload).Get([]byte(id)))
	errs := []error{
		t.in(inJobs).Delete([]byte(id)),
		t.in(inPayload).Delete([]byte(id)),
		t.in(inViews).Delete([]byte(v.Work + id)),
		t.in(inOwners).Delete(join(queuekit.Digest(ownerList, v.Owner), big(v.Number))),
	}
	if string(t.in(inOwned).Get(owned)) == id {
		errs = append(errs, t.in(inOwned).Delete(owned))
	}
	for _, key := range v.Idem {
		if raw := t.in(inIdem).Get(key); len(raw) > 16 && string(raw[16:]) == id {
			errs = append(errs, t.in(inIdem).Delete(key))
		}
	}
	if len(t.viewsOf(v.Work)) == 0 {
		shared := queuekit.Digest(sharedWork, w.Kind, w.Key)
		if string(t.in(inShared).Get(shared)) == v.Work {
			errs = append(errs, t.in(inShared).Delete(shared))
		}
		freed += len(t.in(inResult).Get([]byte(v.Work)))
		errs = append(errs, t.in(inWorks).Delete([]byte(v.Work)), t.in(inResult).Delete([]byte(v.Work)))
	}
	return errors.Join(append(errs, t.keep(-freed))...)
}

// job returns the owner's view of the work. Its position is left to the caller.
func (t tx) job(id string, v view, w work) jobs.Job {
	job := jobs.Job{
		ID: id, Kind: w.Kind, Key: w.Key, Owner: v.Owner, Status: w.Status, Attempts: w.Attempts,
		CreatedAt: moment(v.Created), StartedAt: moment(w.Started), FinishedAt: moment(w.Finished),
	}
	if v.Cancelled != 0 {
		job.Status, job.FinishedAt = jobs.Cancelled, moment(v.Cancelled)
		if w.Started > v.Cancelled {
			job.StartedAt = time.Time{}
		}
	}
	if w.Status == jobs.Failed && v.Cancelled == 0 {
		job.Failure, job.Error = w.Failure, w.Error
	}
	job.StartedAt, job.FinishedAt = notBefore(job.StartedAt, job.CreatedAt), notBefore(job.FinishedAt, job.CreatedAt)
	return job
}

// moment returns the time of Unix nanoseconds, and the zero time for 0.
func moment(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

func notBefore(t, least time.Time) time.Time {
	if !t.IsZero() && t.Before(least) {
		return least
	}
	return t
}

// position returns the place of work in the queue, from 1.
func (t tx) position(w work) int {
	n, end := 1, big(w.Place)
	c := t.in(inQueue).Cursor()
	for k, _ := c.First(); k != nil && bytes.Compare(k, end) < 0; k, _ = c.Next() {
		n++
	}
	return n
}

// positions returns the places of all work that waits.
func (t tx) positions() map[string]int {
	all := map[string]int{}
	c := t.in(inQueue).Cursor()
	for k, id := c.First(); k != nil; k, id = c.Next() {
		all[string(id)] = len(all) + 1
	}
	return all
}

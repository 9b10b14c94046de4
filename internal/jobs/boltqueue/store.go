package boltqueue

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

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
	queuedKey  = "queued"  // in meta: how much work is in inQueue; counted anew when the file is opened
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

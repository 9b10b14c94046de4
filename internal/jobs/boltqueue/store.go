package boltqueue

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"roem/internal/boltfile"
	"roem/internal/jobs"
	"roem/internal/jobs/decide"
)

// The buckets, with their keys and values, and the keys in the bucket meta. Numbers are big-endian, so that cursors walk in
// their order. Names of any length are stored in keys as digests of 16 bytes.
const (
	inMeta        = "meta"    // schema, deaths, runs
	inTasks       = "works"   // ID of task -> taskRecord
	inJobs        = "jobs"    // ID of job -> jobRecord
	inTaskPayload = "task"    // ID of task -> payload for the handler
	inState       = "state"   // ID of unfinished task -> what its attempt has saved
	inResult      = "result"  // ID of task -> result
	inJobPayload  = "payload" // ID of job -> payload
	inQueue       = "queue"   // turn, place -> ID of waiting task
	inTurns       = "turns"   // digest of owner or network -> turn of its next task
	inRunning     = "running" // ID of running task -> nothing
	inShared      = "shared"  // digest of kind, key -> ID of task that is unfinished or succeeded
	inTaskJobs    = "views"   // ID of task, ID of job -> nothing
	inOwners      = "owners"  // digest of owner, number -> ID of job
	inLive        = "live"    // digest of owner or network, ID of unfinished job -> nothing
	inOwned       = "owned"   // digest of owner, kind, key -> ID of the owner's last job of that kind and key that equal requests get
	inIdem        = "idem"    // digest of owner, idempotency key -> fingerprint, ID of job
	inExpiry      = "expiry"  // time, ID of final job -> nothing
	idLength      = 26        // of an ID
	schema        = "2"       // version of the buckets and records
	sweepBatch    = 500       // jobs removed in one transaction
	meanOver      = 20        // attempts in the mean duration
	schemaKey     = "schema"  // in meta
	turnKey       = "turn"    // in meta: turn of the last started task
	deathsKey     = "deaths"  // in meta: how many processes died while they ran tasks
	meanKey       = "mean"    // in meta: mean duration of the last successful attempts in nanoseconds
	runsKey       = "runs"    // in meta: how many attempts that is the mean of, at most meanOver
	queuedKey     = "queued"  // in meta: length of inQueue; counted again when the file is opened
	checkedKey    = "checked" // in meta: when Check was called last, in Unix nanoseconds
	bytesKey      = "bytes"   // in meta: bytes of the payloads of final jobs and of results
	sharedTask    = "w"       // prefix of digests of tasks
	ownedJob      = "o"       // prefix of digests of owners' jobs
	ownerList     = "l"       // prefix of digests of owners
	idemRecord    = "i"       // prefix of digests of idempotency keys
)

func buckets() []string {
	return []string{
		inMeta, inTasks, inJobs, inTaskPayload, inResult, inJobPayload, inQueue, inTurns, inRunning, inShared, inTaskJobs, inOwners, inLive,
		inOwned, inIdem, inExpiry, inState,
	}
}

// taskRecord is a stored task. Times are Unix nanoseconds, 0 for never.
type taskRecord struct {
	Kind     string        `json:"kind"`
	Key      string        `json:"key,omitempty"`
	Owner    string        `json:"owner,omitempty"`   // who waits for it in turn
	Network  string        `json:"network,omitempty"` // of that owner
	Cost     int64         `json:"cost,omitempty"`    // in microseconds
	Turn     int64         `json:"turn,omitempty"`    // where it waits, in microseconds; kept while it runs, for giving it back
	Status   jobs.Status   `json:"status"`
	Place    uint64        `json:"place"`              // among tasks of the same turn
	Epoch    uint64        `json:"epoch,omitempty"`    // attempts started; results of earlier epochs are ignored
	Attempts int           `json:"attempts,omitempty"` // attempts started and not given back
	Failures int           `json:"failures,omitempty"` // failed attempts
	Deaths   decide.Deaths `json:"deaths,omitzero"`
	Created  int64         `json:"created"`
	Started  int64         `json:"started,omitempty"`
	Finished int64         `json:"finished,omitempty"`
	Until    int64         `json:"until,omitempty"` // when the last of its jobs expires, once it is final
	Live     int           `json:"live"`            // how many of its jobs are not cancelled
	Failure  jobs.Failure  `json:"failure,omitempty"`
	Error    []byte        `json:"error,omitempty"`
	Progress []byte        `json:"progress,omitempty"` // of the last attempt, once it is final
}

// taker returns who takes turns for the task.
func (w *taskRecord) taker() string { return cmp.Or(w.Network, w.Owner) }

// jobRecord is a stored job.
type jobRecord struct {
	Task      string   `json:"work"`
	Owner     string   `json:"owner,omitempty"`
	Network   string   `json:"network,omitempty"`
	Number    uint64   `json:"number"`
	Created   int64    `json:"created"`
	Cancelled int64    `json:"cancelled,omitempty"`
	Expires   int64    `json:"expires,omitempty"` // once it is final
	Idem      [][]byte `json:"idem,omitempty"`    // keys in inIdem
}

// tx is a transaction with methods for the records.
type tx struct{ *bolt.Tx }

func (t tx) in(bucket string) *bolt.Bucket { return t.Bucket([]byte(bucket)) }

// task returns a task to which another record refers.
func (t tx) task(id string) (taskRecord, error) {
	w, ok, err := t.lookUp(id)
	if err == nil && !ok {
		err = t.damage(fmt.Errorf("it refers to task %q and does not hold it", id))
	}
	return w, err
}

// lookUp returns a task that may have been removed.
func (t tx) lookUp(id string) (w taskRecord, ok bool, err error) {
	raw := t.in(inTasks).Get([]byte(id))
	if raw == nil {
		return w, false, nil
	}
	err = t.damage(json.Unmarshal(raw, &w))
	return w, true, err
}

// damage returns a *boltfile.DamageError, or nil for no error.
func (t tx) damage(err error) error {
	if err == nil {
		return nil
	}
	return &boltfile.DamageError{Path: t.DB().Path(), Cause: err}
}

func (t tx) job(id string) (v jobRecord, ok bool, err error) {
	raw := t.in(inJobs).Get([]byte(id))
	if raw == nil {
		return v, false, nil
	}
	err = t.damage(json.Unmarshal(raw, &v))
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

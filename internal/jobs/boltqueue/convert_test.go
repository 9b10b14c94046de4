package boltqueue_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"

	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
)

// A file of schema 1, in which tasks wait in the order of their places and owners have no turns, is converted. Its tasks come first.
func TestConvert(t *testing.T) {
	path, ctx := filepath.Join(t.TempDir(), "jobs.db"), context.Background()
	opened := func() *boltqueue.Queue {
		t.Helper()
		q, err := boltqueue.Open(path, jobs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	submit := func(q *boltqueue.Queue, owner string) string {
		t.Helper()
		job, _, err := q.Submit(ctx, jobs.Spec{Kind: "script", Owner: owner})
		if err != nil {
			t.Fatal(err)
		}
		return job.ID
	}
	q := opened()
	ids := []string{submit(q, "o"), submit(q, "o"), submit(q, "o")}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(db.Update(func(tx *bolt.Tx) error {
		queue, old := tx.Bucket([]byte("queue")), map[string][]byte{}
		err := queue.ForEach(func(k, id []byte) error {
			old[string(k)] = append([]byte{}, id...)
			return nil
		})
		for k, id := range old {
			err = errors.Join(err, queue.Delete([]byte(k)), queue.Put([]byte(k[8:]), id))
		}
		return errors.Join(err, tx.DeleteBucket([]byte("turns")), tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte("1")))
	}), db.Close())
	if err == nil {
		err = boltqueue.Check(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // a converted file is not converted again
		q = opened()
		ids = append(ids, submit(q, "p"))
		for i, id := range ids {
			if job, err := q.Get(ctx, id); err != nil || job.PositionInQueue != i+1 {
				t.Errorf("job %d: position %d, %v", i, job.PositionInQueue, err)
			}
		}
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

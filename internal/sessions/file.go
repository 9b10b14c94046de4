//go:build !js

package sessions

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"roem/internal/boltfile"
)

// The buckets of the file of a Disk: the sessions, each a record by its id, and the version of this form.
var (
	sessionsBucket = []byte("sessions")
	metaBucket     = []byte("meta")
	schemaKey      = []byte("schema")
)

const schema = "1"

// record is a session in the file: these fields as JSON in one line, and then the value.
type record struct {
	Owner   string `json:"owner"`
	Group   string `json:"group,omitempty"` // if it is not the owner
	Holder  string `json:"holder,omitempty"`
	Key     string `json:"key,omitempty"`
	Request string `json:"request,omitempty"`
	Version uint64 `json:"version"`
	Changed int64  `json:"changed"` // Unix nanoseconds
	// Finished is missing in the records of earlier versions: such sessions count as not finished.
	Finished bool `json:"finished,omitempty"`
	value    []byte
}

// newRecord returns the record of a session, nil for none.
func newRecord(k *kept, retention time.Duration) *record {
	if k == nil {
		return nil
	}
	r := &record{
		Owner: k.key.owner, Group: k.group, Holder: k.Holder, Key: k.key.key, Request: k.request,
		Version: k.Version, Changed: k.Expires.Add(-retention).UnixNano(), Finished: k.finished, value: k.Value,
	}
	if r.Group == r.Owner {
		r.Group = ""
	}
	return r
}

// prepareFile creates the buckets of a new file, and those that a mended file lacks. A file of another version is refused.
func prepareFile(tx *bolt.Tx, mended bool) error {
	meta, err := tx.CreateBucketIfNotExists(metaBucket)
	if err != nil {
		return err
	}
	found := string(meta.Get(schemaKey))
	if empty := tx.Bucket(sessionsBucket) == nil; !empty && found != schema && (!mended || found != "") {
		return fmt.Errorf("the file has the version %.20q of the form of sessions, and this program knows %q", found, schema)
	}
	_, err = tx.CreateBucketIfNotExists(sessionsBucket)
	return errors.Join(err, meta.Put(schemaKey, []byte(schema)))
}

// readFile returns the sessions of the file, the least recently changed first. It removes what it cannot read from a file that was
// mended, for which the transaction must be one that writes.
func readFile(tx *bolt.Tx, path string, o Options, mended bool) (all []*kept, err error) {
	now, bucket := o.Now(), tx.Bucket(sessionsBucket)
	var unreadable [][]byte
	err = bucket.ForEach(func(id, raw []byte) error {
		var r record
		line, value, ok := bytes.Cut(raw, []byte("\n"))
		if err := json.Unmarshal(line, &r); err != nil || !ok {
			if mended {
				unreadable = append(unreadable, id)
				return nil
			}
			cause := fmt.Errorf("the record of a session cannot be read: %v", err) //nolint:errorlint // nil too
			return &boltfile.DamageError{Path: path, Cause: cause}
		}
		changed := time.Unix(0, r.Changed)
		if changed.After(now) { // the clock was wrong
			changed = now
		}
		all = append(all, &kept{
			Entry: Entry{ID: string(id), Holder: r.Holder, Value: bytes.Clone(value), Version: r.Version, Expires: changed.Add(o.Retention)},
			key:   ownerKey{r.Owner, r.Key}, group: cmp.Or(r.Group, r.Owner), request: r.Request, finished: r.Finished,
		})
		return nil
	})
	for _, id := range unreadable {
		err = errors.Join(err, bucket.Delete(id))
	}
	slices.SortFunc(all, func(a, b *kept) int { return cmp.Or(a.Expires.Compare(b.Expires), cmp.Compare(a.ID, b.ID)) })
	return all, err
}

// writeFile writes records in one transaction. A session without a record is removed.
func writeFile(file *boltfile.File, records map[string]*record) error {
	return file.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(sessionsBucket)
		for id, r := range records {
			if r == nil {
				if err := b.Delete([]byte(id)); err != nil {
					return err
				}
				continue
			}
			line, err := json.Marshal(r)
			if err != nil {
				return err
			}
			if err := b.Put([]byte(id), slices.Concat(line, []byte("\n"), r.value)); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkedKey is the key in metaBucket of the time of the last touchFile.
var checkedKey = []byte("checked")

// touchFile writes to the file without a change of a session.
func touchFile(file *boltfile.File, now time.Time) error {
	return file.Update(func(tx *bolt.Tx) error {
		return tx.Bucket(metaBucket).Put(checkedKey, binary.BigEndian.AppendUint64(nil, uint64(now.UnixNano())))
	})
}

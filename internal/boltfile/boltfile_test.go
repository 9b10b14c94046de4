package boltfile_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/boltfile"
)

const (
	entries = 400               // in each bucket of the sound file
	all     = 2*(2*entries) + 2 // its values
	times   = 20                // that it is damaged in each way
)

// sound returns the bytes of a file with branches, leaves, values of several pages, and small and large buckets within buckets. Some of its
// pages are free.
func sound(tb testing.TB) []byte {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "sound.db")
	db, err := boltfile.Open(path, boltfile.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	for round := range 3 {
		err := db.Update(func(tx *bolt.Tx) error {
			for _, name := range []string{"one", "two"} {
				b, err := tx.CreateBucketIfNotExists([]byte(name))
				if err != nil {
					return err
				}
				small, err := b.CreateBucketIfNotExists([]byte("small"))
				if err != nil {
					return err
				}
				large, err := b.CreateBucketIfNotExists([]byte("large"))
				if err != nil {
					return err
				}
				for i := range entries {
					key, size := fmt.Appendf(nil, "key %d", i), 20+i*round%300
					if i == 7 {
						size = 20_000
					}
					if err := errors.Join(b.Put(key, make([]byte, size)), large.Put(key, make([]byte, size/4))); err != nil {
						return err
					}
				}
				if err := small.Put([]byte("key"), []byte("value")); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		tb.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

// use reads all of a file, changes it, and closes it.
func use(tb testing.TB, db *boltfile.File) (keys int) {
	tb.Helper()
	var walk func(b *bolt.Bucket) error
	walk = func(b *bolt.Bucket) error {
		return b.ForEach(func(k, v []byte) error {
			if v == nil {
				return walk(b.Bucket(k))
			}
			keys += min(1, len(bytes.Clone(k))+len(bytes.Clone(v)))
			return nil
		})
	}
	if err := db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(_ []byte, b *bolt.Bucket) error { return walk(b) })
	}); err != nil {
		tb.Fatal(err)
	}
	if err := db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists([]byte("one"))
		if err != nil {
			return err
		}
		return b.Put([]byte("new"), []byte("value"))
	}); err != nil {
		tb.Fatal(err)
	}
	if err := db.Close(); err != nil {
		tb.Fatal(err)
	}
	return keys
}

// damages are kinds of damage to a file. Each changes a copy of it.
var damages = map[string]func(rng *rand.Rand, raw []byte) []byte{
	"a flipped bit": func(rng *rand.Rand, raw []byte) []byte {
		raw[rng.IntN(len(raw))] ^= 1 << rng.IntN(8)
		return raw
	},
	"a flipped bit at the start of a page": func(rng *rand.Rand, raw []byte) []byte {
		raw[somePage(rng, raw)+rng.IntN(64)] ^= 1 << rng.IntN(8)
		return raw
	},
	"a page of zeros": func(rng *rand.Rand, raw []byte) []byte {
		at := somePage(rng, raw)
		clear(raw[at : at+os.Getpagesize()])
		return raw
	},
	"a page of noise": func(rng *rand.Rand, raw []byte) []byte {
		at := somePage(rng, raw)
		for i := range os.Getpagesize() {
			raw[at+i] = byte(rng.Uint32())
		}
		return raw
	},
	"a page that calls itself right": func(rng *rand.Rand, raw []byte) []byte {
		from, to := somePage(rng, raw), somePage(rng, raw)
		copy(raw[to:to+os.Getpagesize()], raw[from:])
		binary.NativeEndian.PutUint64(raw[to:], uint64(to/os.Getpagesize()))
		return raw
	},
	"cut": func(rng *rand.Rand, raw []byte) []byte { return raw[:1+rng.IntN(len(raw)-1)] },
	"cut after a page": func(rng *rand.Rand, raw []byte) []byte {
		return raw[:somePage(rng, raw)]
	},
	"noise": func(rng *rand.Rand, raw []byte) []byte {
		for i := range raw {
			raw[i] = byte(rng.Uint32())
		}
		return raw
	},
	"text":          func(*rand.Rand, []byte) []byte { return []byte("no file of bbolt\n") },
	"a meta page":   func(_ *rand.Rand, raw []byte) []byte { clear(raw[:os.Getpagesize()]); return raw },
	"both of these": func(_ *rand.Rand, raw []byte) []byte { clear(raw[:2*os.Getpagesize()]); return raw },
}

// somePage returns where a page begins that is no meta page.
func somePage(rng *rand.Rand, raw []byte) int {
	return (2 + rng.IntN(len(raw)/os.Getpagesize()-2)) * os.Getpagesize()
}

// Whatever has happened to a file, Open returns a file that can be read and written. What it does not trust is moved aside as it was, and
// what can be read of it is kept: of damage to one page nearly everything, unless it is the page in which all buckets are found.
func TestDamage(t *testing.T) {
	whole := sound(t)
	for name, damage := range damages {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			dir := t.TempDir()
			moved, kept := 0, 0
			for n := range times {
				path := filepath.Join(dir, fmt.Sprintf("%d.db", n))
				raw := damage(rng, slices.Clone(whole))
				if err := os.WriteFile(path, raw, 0o600); err != nil {
					t.Fatal(err)
				}
				core, logged := observer.New(zap.ErrorLevel)
				checked := boltfile.Check(path, time.Second)
				db, err := boltfile.Open(path, boltfile.Options{Wait: time.Second, Log: zap.New(core)})
				if err != nil {
					t.Fatalf("%d: %v", n, err)
				}
				keys := use(t, db)
				kept += keys
				aside, err := os.ReadFile(path + ".damaged")
				_, isDamage := errors.AsType[*boltfile.DamageError](checked)
				if (err == nil) != (logged.Len() == 1) || (err == nil) != isDamage || err != nil && keys != all {
					t.Fatalf("%d: moved aside: %v; the check: %v; %d errors in the log; %d keys", n, err == nil, checked, logged.Len(), keys)
				}
				if err == nil && !bytes.Equal(aside, raw) {
					t.Errorf("%d: the file that was moved aside has changed", n)
				}
				if err == nil {
					moved++
				}
			}
			t.Logf("%d of %d were moved aside, %d of %d values were kept", moved, times, kept, times*all)
			if strings.HasPrefix(name, "a ") && kept < times*all*9/10 {
				t.Errorf("%d of %d values were kept", kept, times*all)
			}
		})
	}
}

// A panic in Prepare and its *DamageError are damages. Other errors are not, and nothing that was moved aside is overwritten.
func TestPrepare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	wrong, damaged := errors.New("wrong"), &boltfile.DamageError{Path: path, Cause: errors.New("no number")}
	for i, test := range []struct {
		prepare func() error
		aside   string // by it
		err     error
	}{
		{func() error { return nil }, "", nil},
		{func() error { return wrong }, "", wrong},
		{func() error { panic("a wrong page") }, path + ".damaged", nil},
		{func() error { return fmt.Errorf("reading it: %w", damaged) }, path + ".damaged-2", nil},
	} {
		called := 0
		db, err := boltfile.Open(path, boltfile.Options{Log: zap.NewNop(), Prepare: func(_ *bolt.Tx, mended bool) error {
			if called++; called == 1 {
				return test.prepare()
			}
			if !mended && test.aside == path+".damaged-2" {
				return errors.New("what could be read was not kept")
			}
			return nil
		}})
		if !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
			t.Fatalf("%d: %v", i, err)
		}
		if db != nil {
			use(t, db)
		}
		if test.aside != "" {
			if _, err := os.Stat(test.aside); err != nil {
				t.Errorf("%d: %v", i, err)
			}
		}
	}
	if _, err := boltfile.Open(path, boltfile.Options{Prepare: func(*bolt.Tx, bool) error { return damaged }}); !errors.Is(err, damaged) {
		t.Errorf("a new file that is damaged too: %v", err)
	}
}

// Errors of the system and a file that is open already are no damages.
func TestNoDamage(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.db")
	db, err := boltfile.Open(path, boltfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := boltfile.Open(path, boltfile.Options{Wait: time.Millisecond}); !errors.Is(err, boltfile.ErrInUse) {
		t.Errorf("a file that is open: %v", err)
	}
	if err := boltfile.Check(path, time.Millisecond); !errors.Is(err, boltfile.ErrInUse) {
		t.Errorf("checking a file that is open: %v", err)
	}
	use(t, db)
	for name, path := range map[string]string{"a folder": dir, "no folder": filepath.Join(dir, "none", "a.db")} {
		_, err := boltfile.Open(path, boltfile.Options{})
		if _, isDamage := errors.AsType[*boltfile.DamageError](err); err == nil || isDamage {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := boltfile.Check(filepath.Join(dir, "none.db"), 0); err != nil {
		t.Errorf("checking no file: %v", err)
	}
	if found, err := filepath.Glob(filepath.Join(dir, "*damaged*")); err != nil || len(found) > 0 {
		t.Errorf("moved aside: %v, %v", found, err)
	}
}

// bbolt reads the transaction before the last one when the meta page of the last one is damaged, and loses it. A File finds that, and
// takes over what the last one has written.
func TestLastMetaPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := boltfile.Open(path, boltfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	name := []byte("b")
	for i := range 10 {
		if err := db.Update(func(tx *bolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(name)
			return errors.Join(err, b.Put([]byte{byte(i)}, name))
		}); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		last, transaction := 0, func(page int) uint64 { return binary.NativeEndian.Uint64(raw[page+64:]) }
		if other := os.Getpagesize(); transaction(other) > transaction(last) {
			last = other
		}
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = file.WriteAt(make([]byte, 100), int64(last))
		if err := errors.Join(err, file.Close()); err != nil {
			t.Fatal(err)
		}
		keys := 0
		count := func(tx *bolt.Tx) error { keys = tx.Bucket(name).Inspect().KeyN; return nil }
		if err := db.View(count); err != nil {
			if _, damaged := errors.AsType[*boltfile.DamageError](err); !damaged {
				t.Fatal(err)
			}
			if err := errors.Join(db.Reopen(), db.View(count)); err != nil {
				t.Fatal(err)
			}
		}
		if keys != i+1 {
			t.Fatalf("%d of %d values are there", keys, i+1)
		}
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// BenchmarkFreeList measures what a commit takes with and without the list of free pages in the file, in turns, by how many pages are free.
func BenchmarkFreeList(b *testing.B) {
	for _, free := range []int{0, 1_000, 10_000} {
		b.Run(fmt.Sprint(free, " free"), func(b *testing.B) {
			var dbs [2]*bolt.DB
			for i := range dbs {
				dbs[i] = withFree(b, free, i == 1)
			}
			var took [2]time.Duration
			b.ResetTimer()
			for n := range b.N {
				for i, db := range dbs {
					began := time.Now()
					if err := db.Update(func(tx *bolt.Tx) error { return tx.Bucket([]byte("b")).Put([]byte("k"), []byte(fmt.Sprint(n))) }); err != nil {
						b.Fatal(err)
					}
					took[i] += time.Since(began)
				}
			}
			b.ReportMetric(float64(took[0].Microseconds())/float64(b.N), "µs/with-list")
			b.ReportMetric(float64(took[1].Microseconds())/float64(b.N), "µs/without")
		})
	}
}

// withFree returns a file with a number of free pages.
func withFree(b *testing.B, free int, noList bool) *bolt.DB {
	b.Helper()
	db, err := bolt.Open(filepath.Join(b.TempDir(), "a.db"), 0o600, &bolt.Options{
		FreelistType: bolt.FreelistMapType, NoFreelistSync: noList, NoStatistics: true,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	key := func(i int) []byte { return fmt.Appendf(nil, "%06d", i) }
	fill := func(tx *bolt.Tx) error {
		bucket, err := tx.CreateBucketIfNotExists([]byte("b"))
		for i := range free {
			err = errors.Join(err, bucket.Put(key(i), make([]byte, 3000)))
		}
		return errors.Join(err, bucket.Put([]byte("k"), nil))
	}
	empty := func(tx *bolt.Tx) (err error) {
		for i := range free {
			err = errors.Join(err, tx.Bucket([]byte("b")).Delete(key(i)))
		}
		return err
	}
	if err := errors.Join(db.Update(fill), db.Update(empty), db.Update(func(*bolt.Tx) error { return nil })); err != nil {
		b.Fatal(err)
	}
	return db
}

package sessions_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/boltfile"
	"roem/internal/boltfile/boltfiletest"
	"roem/internal/sessions"
	"roem/internal/sessions/sessionstest"
	"roem/internal/testkit"
)

func TestDisk(t *testing.T) {
	sessionstest.Run(t, func(t *testing.T, o sessions.Options) sessions.Store {
		t.Helper()
		s := openDisk(t, filepath.Join(t.TempDir(), "sessions.db"), o)
		t.Cleanup(func() { closeStore(t, s) })
		return s
	})
}

func openDisk(tb testing.TB, path string, o sessions.Options) *sessions.Disk {
	tb.Helper()
	s, err := sessions.NewDisk(sessions.DiskOptions{Options: o, Path: path})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func closeStore(tb testing.TB, s sessions.Store) {
	tb.Helper()
	if err := s.Close(); err != nil {
		tb.Errorf("Close: %v", err)
	}
}

// clock is a clock that a test sets.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Each session is the same after a restart: value, version, owner, key and the time until it expires, which goes on while no server runs.
func TestDiskRestart(t *testing.T) {
	path, at := filepath.Join(t.TempDir(), "sessions.db"), &clock{now: time.Now()}
	o := sessions.Options{Retention: time.Hour, MaxEach: 2, Now: at.Now}
	s := openDisk(t, path, o)
	value := []byte("any\n\x00bytes\xff")
	first, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: "a", Value: []byte("1"), Key: "k", Request: "r"})
	if err != nil {
		t.Fatal(err)
	}
	at.add(time.Minute)
	for _, n := range []sessions.New{{Owner: "ann", ID: "b"}, {Owner: "bob", ID: "c"}, {Owner: "bob", ID: "gone"}} {
		if _, err := s.Create(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	at.add(time.Minute)
	second, err := s.Swap(t.Context(), "a", first.Version, value, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create(t.Context(), sessions.New{Owner: "bob", ID: "over", Finished: true}); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)

	s = openDisk(t, path, o)
	found, err := s.Find(t.Context(), "ann", "k", "r")
	if err != nil || !bytes.Equal(found.Value, value) || found.Version != second.Version || !found.Expires.Equal(second.Expires) {
		t.Errorf("found %+v, %v, want %+v", found, err, second)
	}
	if _, err := s.Swap(t.Context(), "a", first.Version, []byte("3"), false); !errors.Is(err, sessions.ErrChanged) {
		t.Errorf("Swap of an earlier version: %v", err)
	}
	for id, want := range map[string]error{"b": nil, "c": nil, "gone": sessions.ErrNotFound} {
		if _, err := s.Get(t.Context(), id); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", id, err, want)
		}
	}
	for _, n := range []sessions.New{{Owner: "ann", ID: "d"}, {Owner: "bob", ID: "e"}} {
		if _, err := s.Create(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Get(t.Context(), "over"); !errors.Is(err, sessions.ErrNotFound) {
		t.Errorf("a finished session is there beyond the limit of its owner: %v", err)
	}
	if _, err := s.Get(t.Context(), "b"); !errors.Is(err, sessions.ErrNotFound) {
		t.Errorf("b was changed before a, and is still there beyond the limit of its owner: %v", err)
	}
	closeStore(t, s)

	at.add(59*time.Minute + time.Second) // c was created 60 minutes ago, and a changed 59 minutes ago
	s = openDisk(t, path, o)
	for id, want := range map[string]error{"a": nil, "c": sessions.ErrNotFound, "d": nil} {
		if _, err := s.Get(t.Context(), id); !errors.Is(err, want) {
			t.Errorf("an hour later, %s: %v, want %v", id, err, want)
		}
	}
	closeStore(t, s)

	o.Max = 1
	s = openDisk(t, path, o)
	if n, err := s.Len(t.Context()); n != 1 || err != nil {
		t.Errorf("%d sessions, %v, with a limit of one", n, err)
	}
	closeStore(t, s)
	if records := read(t, path); len(records) != 1 {
		t.Errorf("the file has the sessions %q", records)
	}
}

// read returns the sessions of a file that is not open.
func read(t *testing.T, path string) (records map[string]string) {
	t.Helper()
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	records = make(map[string]string)
	if err := db.View(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte("sessions")).ForEach(func(id, raw []byte) error {
			records[string(id)] = string(raw)
			return nil
		})
	}); err != nil {
		t.Fatal(err)
	}
	return records
}

// What a call has returned is in the file, without Close: a copy of the file at that moment has it.
func TestDiskWritesBeforeItAnswers(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sessions.db")
	s := openDisk(t, path, sessions.Options{})
	defer closeStore(t, s)
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			id := fmt.Sprint(client)
			e, err := s.Create(t.Context(), sessions.New{Owner: id, ID: id, Value: []byte("0")})
			for n := range 20 {
				if err != nil {
					t.Error(err)
					return
				}
				e, err = s.Swap(t.Context(), id, e.Version, fmt.Append(nil, n+1), false)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	clients.Wait()
	if err := s.Delete(t.Context(), "3"); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	snapshot := filepath.Join(dir, "copy.db")
	if err := os.WriteFile(snapshot, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	records := read(t, snapshot)
	for id, r := range records {
		if !strings.HasSuffix(r, "\n20") {
			t.Errorf("session %s is %q", id, r)
		}
	}
	if len(records) != 3 {
		t.Errorf("%d sessions, want 3", len(records))
	}
}

// While the disk is full, changes fail, nothing has changed after them, and what is there can be read. Later changes succeed.
func TestDiskFull(t *testing.T) {
	s := openDisk(t, filepath.Join(t.TempDir(), "sessions.db"), sessions.Options{})
	defer closeStore(t, s)
	e, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: "a", Value: []byte("1")})
	if err != nil {
		t.Fatal(err)
	}
	before := s.Counts()
	s.SetFull(true)
	large := bytes.Repeat([]byte("x"), 1<<20)
	var clients sync.WaitGroup
	for i := range 8 {
		clients.Go(func() {
			if _, err := s.Create(t.Context(), sessions.New{Owner: "bob", ID: fmt.Sprint(i), Value: large}); !errors.Is(err,
				sessions.ErrUnavailable) {
				t.Errorf("Create: %v", err)
			}
			// Another Swap may be on its way to the disk.
			if _, err := s.Swap(t.Context(), "a", e.Version, large, false); !errors.Is(err, sessions.ErrUnavailable) &&
				!errors.Is(err, sessions.ErrChanged) {
				t.Errorf("Swap: %v", err)
			}
		})
	}
	clients.Wait()
	available := func() bool { _, err := s.Len(t.Context()); return err == nil }
	for end := time.Now().Add(testkit.Patience); !available() && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	if n, err := s.Len(t.Context()); n != 1 || err != nil {
		t.Errorf("%d sessions, %v, want 1", n, err)
	}
	if got, err := s.Get(t.Context(), "a"); err != nil || string(got.Value) != "1" || got.Version != e.Version {
		t.Errorf("Get: %q, %v", got.Value, err)
	}
	if c := s.Counts(); c.Created != before.Created || c.DisplacedByAll+c.DisplacedByOwner != 0 {
		t.Errorf("counts %+v, before %+v", c, before)
	}
	s.SetFull(false)
	if _, err := s.Swap(t.Context(), "a", e.Version, large, false); err != nil {
		t.Errorf("Swap with room: %v", err)
	}
}

// A damaged file, and one with a record that cannot be read, are moved aside with an error in the log, and what can be read is kept. A file
// of another version is refused and left.
func TestDiskDamage(t *testing.T) {
	for name, test := range map[string]struct {
		damage func(path string) error
		aside  bool
		left   int // sessions
	}{
		"zeros": {func(path string) error { return os.WriteFile(path, make([]byte, 1<<16), 0o600) }, true, 0},
		"cut":   {func(path string) error { return os.Truncate(path, 5000) }, true, 0},
		"a record": {func(path string) error {
			return change(path, func(tx *bolt.Tx) error { return tx.Bucket([]byte("sessions")).Put([]byte("b"), []byte("{")) })
		}, true, 1},
		"another version": {func(path string) error {
			return change(path, func(tx *bolt.Tx) error { return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte("2")) })
		}, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sessions.db")
			s := openDisk(t, path, sessions.Options{})
			if _, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: "a", Value: []byte("1")}); err != nil {
				t.Fatal(err)
			}
			closeStore(t, s)
			if err := test.damage(path); err != nil {
				t.Fatal(err)
			}
			core, logged := observer.New(zap.ErrorLevel)
			s, err := sessions.NewDisk(sessions.DiskOptions{Path: path, Log: zap.New(core)})
			if !test.aside {
				if err == nil || !strings.Contains(err.Error(), `version "2"`) {
					t.Errorf("opening it: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer closeStore(t, s)
			if n, err := s.Len(t.Context()); n != test.left || err != nil || logged.Len() != 1 {
				t.Errorf("%d sessions, %v, %d errors in the log", n, err, logged.Len())
			}
			if _, err := os.Stat(path + ".damaged"); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("open", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "sessions.db")
		s := openDisk(t, path, sessions.Options{})
		defer closeStore(t, s)
		if _, err := sessions.NewDisk(sessions.DiskOptions{Path: path}); !errors.Is(err, boltfile.ErrInUse) {
			t.Errorf("opening it twice: %v", err)
		}
	})
}

// A damaged file is replaced also when nothing has changed, and changes go on after it.
func TestDiskIsRenewedWithoutChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sessions.db")
	s := openDisk(t, path, sessions.Options{})
	if _, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: "before", Value: []byte("1")}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	testkit.Until(t, "the file is renewed", func() bool { return s.Check(t.Context()) == nil })
	for _, id := range []string{"a", "b"} {
		if _, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: id, Value: []byte("1")}); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Counts().Created; got != 3 {
		t.Errorf("%d sessions are counted, want 3", got)
	}
	closeStore(t, s)
	s = openDisk(t, path, sessions.Options{})
	length, err := s.Len(t.Context())
	if err != nil || length != 3 {
		t.Errorf("%d sessions after a restart, %v, want 3", length, err)
	}
	closeStore(t, s)
}

// Whatever happens to the file while it is open, no session is lost, calls return, and soon all sessions are in a sound file again.
func TestDiskDamageWhileOpen(t *testing.T) {
	for n, damage := range boltfiletest.All() {
		t.Run(damage.Name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sessions.db")
			s := openDisk(t, path, sessions.Options{})
			want := map[string]sessions.Entry{}
			for i := range 100 {
				id := fmt.Sprint(i)
				e, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: id, Value: bytes.Repeat([]byte(id), 500)})
				if err != nil {
					t.Fatal(err)
				}
				want[id] = e
			}
			var clients sync.WaitGroup
			for client := range 3 {
				clients.Go(func() {
					for i := range 30 {
						_, _ = s.Create(t.Context(), sessions.New{Owner: "bob", ID: fmt.Sprint("bob ", client, i), Value: make([]byte, 3000)})
					}
				})
			}
			damage.Do(t, path, uint64(n))
			sound := func() bool {
				err := s.Check(t.Context())
				if err != nil && !errors.Is(err, sessions.ErrUnavailable) {
					t.Errorf("Check: %v", err)
				}
				return err == nil
			}
			for end := time.Now().Add(testkit.Patience); !sound() && time.Now().Before(end); time.Sleep(time.Millisecond) {
			}
			for _, restart := range []bool{false, true} {
				if restart {
					clients.Wait()
					closeStore(t, s)
					if err := boltfile.Check(path, 0); err != nil {
						t.Errorf("the file: %v", err)
					}
					s = openDisk(t, path, sessions.Options{})
				}
				for id, e := range want {
					got, err := s.Get(t.Context(), id)
					if err != nil || !bytes.Equal(got.Value, e.Value) || got.Version != e.Version {
						t.Fatalf("restarted: %v, session %s: %d bytes, version %d, %v", restart, id, len(got.Value), got.Version, err)
					}
				}
			}
			closeStore(t, s)
		})
	}
}

// change changes a file that is not open.
func change(path string, f func(tx *bolt.Tx) error) error {
	db, err := bolt.Open(path, 0o600, &bolt.Options{Timeout: time.Second})
	if err != nil {
		return err
	}
	return errors.Join(db.Update(f), db.Close())
}

// BenchmarkSwap measures a change of a session, of one client and of several at once.
func BenchmarkSwap(b *testing.B) {
	for name, open := range map[string]func(b *testing.B) sessions.Store{
		"memory": func(*testing.B) sessions.Store { return sessions.NewMemory(sessions.Options{}) },
		"disk": func(b *testing.B) sessions.Store {
			b.Helper()
			return openDisk(b, filepath.Join(b.TempDir(), "sessions.db"), sessions.Options{})
		},
	} {
		for _, clients := range []int{1, 16} {
			b.Run(fmt.Sprintf("%s/%d", name, clients), func(b *testing.B) {
				s := open(b)
				defer closeStore(b, s)
				value := bytes.Repeat([]byte("x"), 3000)
				var at sync.Mutex
				next := 0
				b.SetParallelism(clients)
				b.RunParallel(func(p *testing.PB) {
					at.Lock()
					id := fmt.Sprint(next)
					next++
					at.Unlock()
					e, err := s.Create(b.Context(), sessions.New{Owner: id, ID: id, Value: value})
					for p.Next() && err == nil {
						e, err = s.Swap(b.Context(), id, e.Version, value, false)
					}
					if err != nil {
						b.Error(err)
					}
				})
			})
		}
	}
}

// Package sessionstest is the test suite that every store of sessions passes.
package sessionstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/sessions"
	"roem/internal/testkit"
)

// Open returns an empty store, which ends with the test.
type Open func(t *testing.T, o sessions.Options) sessions.Store

// Run runs the suite.
func Run(t *testing.T, open Open) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(t *testing.T, open Open)
	}{
		{"create, change, delete", lifetime},
		{"a change needs the present version", versions},
		{"of many changes at once one wins each time", atOnce},
		{"expiry", expiry},
		{"an owner with too many", tooManyOfOne},
		{"too many of all", tooMany},
		{"finished sessions end first", finishedFirst},
		{"too many of a group", tooManyOfGroup},
		{"groups and limits against a plain model", asModel},
		{"the holder", holder},
		{"a key", key},
		{"a key at once", keyAtOnce},
		{"the keys of sessions that have ended", keyEnds},
		{"counts", counts},
		{"any bytes", anyBytes},
		{"a context that has ended", ended},
		{"Close", closing},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, open) })
	}
}

// TestNewID is called by a test of package sessions: ids do not repeat, and have the form that the service accepts.
func TestNewID(t *testing.T) {
	t.Helper()
	seen := map[string]bool{}
	for range 1000 {
		id := sessions.NewID()
		if len(id) != 26 || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz234567") != "" || seen[id] {
			t.Fatalf("the id %q", id)
		}
		seen[id] = true
	}
}

func lifetime(t *testing.T, open Open) {
	t.Helper()
	ctx, s := t.Context(), open(t, sessions.Options{Retention: time.Hour})
	if _, err := s.Get(ctx, "a"); !errors.Is(err, sessions.ErrNotFound) {
		t.Errorf("Get of none: %v", err)
	}
	if _, err := s.Swap(ctx, "a", 1, []byte("x"), false); !errors.Is(err, sessions.ErrNotFound) {
		t.Errorf("Swap of none: %v", err)
	}
	if err := s.Delete(ctx, "a"); !errors.Is(err, sessions.ErrNotFound) {
		t.Errorf("Delete of none: %v", err)
	}
	before := time.Now()
	one := create(t, s, "ann", "a", "1")
	create(t, s, "ann", "b", "other")
	if at := one.Expires; at.Before(before.Add(time.Hour-time.Second)) || at.After(time.Now().Add(time.Hour+time.Second)) {
		t.Errorf("it expires at %v, an hour after %v", at, before)
	}
	same(t, get(t, s, "a"), one)
	two, err := s.Swap(ctx, "a", one.Version, []byte("2"), false)
	if err != nil || string(two.Value) != "2" || two.Version == one.Version {
		t.Fatalf("Swap: %+v, %v", two, err)
	}
	same(t, get(t, s, "a"), two)
	length(t, s, 2)
	if err := s.Delete(ctx, "a"); err != nil {
		t.Errorf("Delete: %v", err)
	}
	if _, err := s.Get(ctx, "a"); !errors.Is(err, sessions.ErrNotFound) {
		t.Errorf("Get after Delete: %v", err)
	}
	if got := string(get(t, s, "b").Value); got != "other" {
		t.Errorf("the other session is %q", got)
	}
	length(t, s, 1)
}

func versions(t *testing.T, open Open) {
	t.Helper()
	ctx, s := t.Context(), open(t, sessions.Options{})
	one := create(t, s, "ann", "a", "1")
	two, err := s.Swap(ctx, "a", one.Version, []byte("2"), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []uint64{one.Version, two.Version + 1, 0} {
		if _, err := s.Swap(ctx, "a", version, []byte("3"), false); !errors.Is(err, sessions.ErrChanged) {
			t.Errorf("Swap with version %d: %v", version, err)
		}
	}
	same(t, get(t, s, "a"), two)
}

// Each of several goroutines counts to 25 in one session. No count is lost.
func atOnce(t *testing.T, open Open) {
	t.Helper()
	const counters, counts = 4, 25
	ctx, s := t.Context(), open(t, sessions.Options{})
	create(t, s, "ann", "a", "0")
	var all sync.WaitGroup
	for range counters {
		all.Go(func() {
			for done := 0; done < counts; {
				e, err := s.Get(ctx, "a")
				if err != nil {
					t.Error(err)
					return
				}
				var n int
				if _, err := fmt.Sscan(string(e.Value), &n); err != nil {
					t.Error(err)
					return
				}
				_, err = s.Swap(ctx, "a", e.Version, fmt.Append(nil, n+1), false)
				switch {
				case err == nil:
					done++
				case !errors.Is(err, sessions.ErrChanged):
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if got, want := string(get(t, s, "a").Value), fmt.Sprint(counters*counts); got != want {
		t.Errorf("counted to %s, want %s", got, want)
	}
}

func expiry(t *testing.T, open Open) {
	t.Helper()
	ctx, s := t.Context(), open(t, sessions.Options{Retention: 50 * time.Millisecond})
	create(t, s, "ann", "a", "1")
	until(t, "the session expires", func() bool {
		_, err := s.Get(ctx, "a")
		return errors.Is(err, sessions.ErrNotFound)
	})
	if _, err := s.Swap(ctx, "a", 1, []byte("2"), false); !errors.Is(err, sessions.ErrNotFound) {
		t.Errorf("Swap of an expired session: %v", err)
	}
	// Those that have expired do not count, and a new one of the same id is not the old one.
	length(t, s, 0)
	b := create(t, s, "ann", "b", "1")
	if n, err := s.Len(ctx); (err != nil || n != 1) && time.Now().Before(b.Expires) {
		t.Errorf("%d sessions, %v, want 1", n, err)
	}

	// Get does not prolong a session, and Swap does.
	long := open(t, sessions.Options{Retention: time.Hour})
	e := create(t, long, "ann", "c", "1")
	until(t, "some time passes", func() bool { return time.Now().After(e.Expires.Add(50*time.Millisecond - time.Hour)) })
	got := get(t, long, "c")
	if got.Expires.After(e.Expires.Add(20 * time.Millisecond)) {
		t.Errorf("Get prolonged the session from %v to %v", e.Expires, got.Expires)
	}
	if next, err := long.Swap(ctx, "c", e.Version, []byte("2"), false); err != nil || !next.Expires.After(e.Expires) {
		t.Errorf("Swap did not prolong the session: %v, then %v; %v", e.Expires, next.Expires, err)
	}
}

// The sessions of one owner that were not changed for the longest time end, and no others.
func tooManyOfOne(t *testing.T, open Open) {
	t.Helper()
	ctx, s := t.Context(), open(t, sessions.Options{MaxEach: 2})
	create(t, s, "bob", "other", "1")
	for _, id := range []string{"a", "b"} {
		create(t, s, "ann", id, "1")
		tick(t)
	}
	if _, err := s.Swap(ctx, "a", 1, []byte("2"), false); err != nil { // now b is the oldest
		t.Fatal(err)
	}
	tick(t)
	create(t, s, "ann", "c", "1")
	there(t, s, map[string]bool{"a": true, "b": false, "c": true, "other": true})
	if err := s.Delete(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	create(t, s, "ann", "d", "1")
	there(t, s, map[string]bool{"c": true, "d": true, "other": true})
}

func tooMany(t *testing.T, open Open) {
	t.Helper()
	ctx, s := t.Context(), open(t, sessions.Options{Max: 3})
	for i, id := range []string{"a", "b", "c"} {
		create(t, s, fmt.Sprint("owner ", i), id, "1")
		tick(t)
	}
	if _, err := s.Swap(ctx, "a", 1, []byte("2"), false); err != nil {
		t.Fatal(err)
	}
	tick(t)
	create(t, s, "new", "d", "1")
	there(t, s, map[string]bool{"a": true, "b": false, "c": true, "d": true})
	length(t, s, 3)
}

// Finished sessions end first, the oldest before the others, then those without a change for the longest time. What was begun before them
// and goes on stays, changed or not, and so does the newest.
func finishedFirst(t *testing.T, open Open) {
	t.Helper()
	for name, o := range map[string]sessions.Options{"of an owner": {MaxEach: 6}, "of all": {Max: 6}} {
		t.Run(name, func(t *testing.T) {
			s := open(t, o)
			add := func(id string, finished bool) {
				if _, err := s.Create(t.Context(), sessions.New{Owner: "ann", ID: id, Finished: finished}); err != nil {
					t.Fatal(err)
				}
				tick(t)
			}
			swap := func(id string, finished bool) {
				if _, err := s.Swap(t.Context(), id, 1, nil, finished); err != nil {
					t.Fatal(err)
				}
				tick(t)
			}
			for _, id := range []string{"played", "idle", "over 2", "over 1", "resumed"} {
				add(id, id == "resumed")
			}
			swap("played", false)
			swap("over 1", true)
			swap("over 2", true)
			swap("resumed", false)
			add("over 3", true)
			are := map[string]bool{"idle": true, "played": true, "resumed": true, "over 1": true, "over 2": true, "over 3": true}
			for _, ends := range []string{"over 1", "over 2", "over 3", "idle", "played", "resumed", "before over 1"} {
				add("before "+ends, false)
				are[ends], are["before "+ends] = false, true
				there(t, s, are)
			}
		})
	}
}

// displaced creates a session of an owner in a group, and returns which of those there before has ended.
func displaced(t *testing.T, s sessions.Store, n sessions.New, before map[string]bool) (ended []string) {
	t.Helper()
	if _, err := s.Create(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	for id := range before {
		if _, err := s.Get(t.Context(), id); errors.Is(err, sessions.ErrNotFound) {
			ended = append(ended, id)
			delete(before, id)
		} else if err != nil {
			t.Fatal(err)
		}
	}
	before[n.ID] = true
	slices.Sort(ended)
	return ended
}

// Twenty owners of one group create as many sessions as they like, each of them more than anybody else. They end sessions of their own
// group only: first one that is finished.
func tooManyOfGroup(t *testing.T, open Open) {
	t.Helper()
	const (
		most   = 20
		others = 5
	)
	ctx, s := t.Context(), open(t, sessions.Options{Max: most})
	are := map[string]bool{}
	for i := range others {
		id := fmt.Sprintf("other %d", i)
		displaced(t, s, sessions.New{Owner: id, ID: id}, are)
		tick(t)
	}
	for i := range 3 * most {
		n := sessions.New{Owner: fmt.Sprintf("one of many %d", i), Group: "many", ID: fmt.Sprintf("many %d", i)}
		ended := displaced(t, s, n, are)
		if want := max(0, min(1, i+1+others-most)); len(ended) != want {
			t.Fatalf("session %d of the group ended %q, want %d", i, ended, want)
		}
		for _, id := range ended {
			if strings.HasPrefix(id, "other") {
				t.Fatalf("session %d of the group ended the session %q of another owner", i, id)
			}
		}
		if i == 3*most-3 { // this one ends before older ones of its group
			if _, err := s.Swap(ctx, n.ID, 1, nil, true); err != nil {
				t.Fatal(err)
			}
		}
		tick(t)
	}
	for i := range 3 * most {
		there(t, s, map[string]bool{fmt.Sprintf("many %d", i): i > 2*most+others-2 && i != 3*most-3})
	}
	if c := s.Counts(); c.DisplacedByOwner != 0 || c.DisplacedByAll != 3*most+others-most {
		t.Errorf("counts %+v", c)
	}
}

// modelSession is a session of the model of asModel.
type modelSession struct {
	id, owner, group string
	finished         bool
	at               int // its place in the order of all changes
}

// worst returns which of some sessions ends first, by looking at all.
func worst(of []modelSession) string {
	first := slices.MinFunc(of, func(a, b modelSession) int {
		if a.finished != b.finished {
			if a.finished {
				return -1
			}
			return 1
		}
		return a.at - b.at
	})
	return first.id
}

// asModel creates, changes and deletes sessions at random, and compares those that are there with a model that looks at all of them each
// time.
func asModel(t *testing.T, open Open) { //nolint:funlen // the model is three closures over its state
	t.Helper()
	const most, each = 12, 5
	ctx, s := t.Context(), open(t, sessions.Options{Max: most, MaxEach: each})
	rng := rand.New(rand.NewPCG(7, 7))
	var all []modelSession
	only := func(keep func(modelSession) bool) (some []modelSession) {
		for _, one := range all {
			if keep(one) {
				some = append(some, one)
			}
		}
		return some
	}
	remove := func(id string) {
		all = slices.DeleteFunc(all, func(one modelSession) bool { return one.id == id })
	}
	for step := range 300 {
		tick(t)
		i := rng.IntN(len(all) + 1)
		switch act := rng.IntN(8); {
		case act == 0 && i < len(all):
			if err := s.Delete(ctx, all[i].id); err != nil {
				t.Fatal(err)
			}
			remove(all[i].id)
		case act < 3 && i < len(all):
			all[i].finished, all[i].at = rng.IntN(2) == 0, step
			e, err := s.Get(ctx, all[i].id)
			if err == nil {
				_, err = s.Swap(ctx, e.ID, e.Version, nil, all[i].finished)
			}
			if err != nil {
				t.Fatal(err)
			}
		default:
			owner := rng.IntN(9)
			one := modelSession{id: fmt.Sprint(step), owner: fmt.Sprint("owner ", owner), group: fmt.Sprint("group ", owner/2), at: step}
			if own := only(func(o modelSession) bool { return o.owner == one.owner }); len(own) == each {
				remove(worst(own))
			}
			if len(all) == most {
				sizes := map[string]int{one.group: 1}
				for _, o := range all {
					sizes[o.group]++
				}
				largest := slices.Max(slices.Collect(maps.Values(sizes)))
				remove(worst(only(func(o modelSession) bool { return sizes[o.group] == largest || largest == 1 })))
			}
			all = append(all, one)
			if _, err := s.Create(ctx, sessions.New{Owner: one.owner, Group: one.group, ID: one.id}); err != nil {
				t.Fatal(err)
			}
		}
		for _, one := range all {
			if _, err := s.Get(ctx, one.id); err != nil {
				t.Fatalf("step %d: session %+v: %v; of %+v", step, one, err, all)
			}
		}
		length(t, s, len(all))
		if t.Failed() {
			return
		}
	}
}

// The holder of a session is the same as long as it lives.
func holder(t *testing.T, open Open) {
	t.Helper()
	ctx, s := t.Context(), open(t, sessions.Options{})
	n := keyed("ann", "k", "r", "1")
	n.Holder = "key:ann"
	created, err := s.Create(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	got := get(t, s, created.ID)
	found, err := s.Find(ctx, "ann", "k", "r")
	if err != nil {
		t.Fatal(err)
	}
	changed, err := s.Swap(ctx, created.ID, created.Version, []byte("2"), false)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range []sessions.Entry{created, got, found, changed, get(t, s, created.ID)} {
		if e.Holder != n.Holder {
			t.Errorf("%d: the holder is %q", i, e.Holder)
		}
	}
	if e := create(t, s, "ann", "free", "1"); e.Holder != "" || get(t, s, "free").Holder != "" {
		t.Errorf("the holder of a session without one is %q", e.Holder)
	}
}

// keyed returns the session "value" of a key, with an id of its own.
func keyed(owner, key, request, value string) sessions.New {
	return sessions.New{Owner: owner, ID: owner + key + request + value, Value: []byte(value), Key: key, Request: request}
}

// A key of an owner has one session, whatever has happened in it, and another request with the key is refused.
func key(t *testing.T, open Open) {
	t.Helper()
	ctx, s := t.Context(), open(t, sessions.Options{})
	if _, err := s.Find(ctx, "ann", "k", "r"); !errors.Is(err, sessions.ErrNotFound) {
		t.Errorf("Find of none: %v", err)
	}
	first, err := s.Create(ctx, keyed("ann", "k", "r", "1"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.Swap(ctx, first.ID, first.Version, []byte("changed"), false)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Create(ctx, keyed("ann", "k", "r", "2"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, again, second)
	if again, err = s.Find(ctx, "ann", "k", "r"); err != nil {
		t.Fatal(err)
	}
	same(t, again, second)
	if _, err := s.Create(ctx, keyed("ann", "k", "other", "3")); !errors.Is(err, sessions.ErrKeyReused) {
		t.Errorf("Create with another request: %v", err)
	}
	if _, err := s.Find(ctx, "ann", "k", "other"); !errors.Is(err, sessions.ErrKeyReused) {
		t.Errorf("Find with another request: %v", err)
	}
	length(t, s, 1)
	// The key of another owner, another key, and no key at all are others.
	for _, n := range []sessions.New{
		keyed("annk", "", "r", "4"), keyed("bob", "k", "r", "5"), keyed("ann", "l", "r", "6"),
		keyed("ann", "", "r", "7"), keyed("ann", "", "r", "8"),
	} {
		if e, err := s.Create(ctx, n); err != nil || e.ID != n.ID || !bytes.Equal(e.Value, n.Value) {
			t.Errorf("Create of %+v: %+v, %v", n, e, err)
		}
	}
	if _, err := s.Find(ctx, "ann", "", "r"); !errors.Is(err, sessions.ErrNotFound) {
		t.Errorf("Find without a key: %v", err)
	}
	length(t, s, 6)
}

// Of equal requests at the same time one creates the session, and all get it.
func keyAtOnce(t *testing.T, open Open) {
	t.Helper()
	s := open(t, sessions.Options{})
	const requests = 8
	var (
		all sync.WaitGroup
		ids [requests]string
	)
	for i := range requests {
		all.Go(func() {
			e, err := s.Create(t.Context(), keyed("ann", "k", "r", fmt.Sprint(i)))
			if err != nil {
				t.Error(err)
			}
			ids[i] = e.ID
		})
	}
	all.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Errorf("the sessions %q", ids)
			break
		}
	}
	length(t, s, 1)
	if n := s.Counts().Created; n != 1 {
		t.Errorf("%d sessions were created", n)
	}
}

// unused checks that no session has the key, and that a request creates one.
func unused(ctx context.Context, t *testing.T, s sessions.Store) {
	t.Helper()
	if _, err := s.Find(ctx, "ann", "k", "r"); !errors.Is(err, sessions.ErrNotFound) {
		t.Errorf("Find: %v", err)
	}
	if e, err := s.Create(ctx, keyed("ann", "k", "other", "2")); err != nil || string(e.Value) != "2" {
		t.Errorf("Create: %+v, %v", e, err)
	}
}

// A key can be used again when its session has ended, in whatever way.
func keyEnds(t *testing.T, open Open) {
	t.Helper()
	ctx := t.Context()
	first := func(t *testing.T, s sessions.Store) sessions.Entry {
		t.Helper()
		e, err := s.Create(ctx, keyed("ann", "k", "r", "1"))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	t.Run("deleted", func(t *testing.T) {
		s := open(t, sessions.Options{})
		if err := s.Delete(ctx, first(t, s).ID); err != nil {
			t.Fatal(err)
		}
		unused(ctx, t, s)
	})
	t.Run("displaced", func(t *testing.T) {
		s := open(t, sessions.Options{MaxEach: 1})
		first(t, s)
		tick(t)
		create(t, s, "ann", "new", "1") // it is the test's
		unused(ctx, t, s)
	})
	t.Run("expired", func(t *testing.T) {
		s := open(t, sessions.Options{Retention: 20 * time.Millisecond})
		e := first(t, s)
		until(t, "the session expires", func() bool {
			_, err := s.Get(ctx, e.ID)
			return errors.Is(err, sessions.ErrNotFound)
		})
		unused(ctx, t, s)
	})
	t.Run("prolonged", func(t *testing.T) {
		s := open(t, sessions.Options{Retention: 2 * time.Second})
		e := first(t, s)
		until(t, "some of its time has passed", func() bool { return time.Now().After(e.Expires.Add(-1500 * time.Millisecond)) })
		next, err := s.Swap(ctx, e.ID, e.Version, []byte("2"), false)
		if err != nil {
			if time.Now().Before(e.Expires) {
				t.Fatal(err)
			}
			return // the machine is busy
		}
		until(t, "it would have expired", func() bool { return time.Now().After(e.Expires.Add(5 * time.Millisecond)) })
		found, err := s.Find(ctx, "ann", "k", "r")
		if err != nil {
			if time.Now().Before(next.Expires) {
				t.Errorf("Find after an act: %v", err)
			}
			return
		}
		same(t, found, next)
	})
}

// Each session counts once when it is created and once when it ends, if the store learns of it.
func counts(t *testing.T, open Open) {
	t.Helper()
	ctx, s := t.Context(), open(t, sessions.Options{MaxEach: 3, Max: 4, Retention: time.Hour})
	check := func(want sessions.Counts) {
		t.Helper()
		got := s.Counts()
		if got.Expired != nil {
			want.Expired = new(uint64(0))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("counts (-want +got)\n%s", diff)
		}
	}
	check(sessions.Counts{})
	for _, id := range []string{"a", "b", "c"} {
		create(t, s, "ann", id, "1")
		tick(t)
	}
	if err := s.Delete(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(ctx, "a"); !errors.Is(err, sessions.ErrNotFound) {
		t.Fatal(err)
	}
	check(sessions.Counts{Created: 3, Deleted: 1})
	create(t, s, "ann", "d", "1")
	tick(t)
	create(t, s, "ann", "e", "1") // beyond the limit of ann
	check(sessions.Counts{Created: 5, Deleted: 1, DisplacedByOwner: 1})
	create(t, s, "bob", "f", "1")
	create(t, s, "bob", "g", "1") // beyond the limit of all
	check(sessions.Counts{Created: 7, Deleted: 1, DisplacedByOwner: 1, DisplacedByAll: 1})
	length(t, s, 4)

	short := open(t, sessions.Options{Retention: 20 * time.Millisecond})
	create(t, short, "ann", "a", "1")
	create(t, short, "ann", "b", "1")
	until(t, "they expire", func() bool {
		n, err := short.Len(ctx)
		return n == 0 && err == nil
	})
	if got := short.Counts(); got.Created != 2 || got.Expired != nil && *got.Expired != 2 || got.Deleted+got.DisplacedByOwner+
		got.DisplacedByAll != 0 {
		t.Errorf("after they have expired: %+v", got)
	}
}

func anyBytes(t *testing.T, open Open) {
	t.Helper()
	s := open(t, sessions.Options{})
	value := make([]byte, 8<<10)
	for i := range value {
		value[i] = byte(i)
	}
	create(t, s, "an owner: {with} any\x00 name", "a", string(value))
	if diff := cmp.Diff(value, get(t, s, "a").Value); diff != "" {
		t.Errorf("another value (-want +got)\n%s", diff)
	}
}

func ended(t *testing.T, open Open) {
	t.Helper()
	s := open(t, sessions.Options{})
	create(t, s, "ann", "a", "1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, created := s.Create(ctx, sessions.New{Owner: "ann", ID: "b"})
	_, found := s.Find(ctx, "ann", "key", "")
	_, got := s.Get(ctx, "a")
	_, swapped := s.Swap(ctx, "a", 1, nil, false)
	for name, err := range map[string]error{"Create": created, "Find": found, "Get": got, "Swap": swapped, "Delete": s.Delete(ctx, "a")} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// closing checks that calls after Close fail at once, and that Close can be repeated.
func closing(t *testing.T, open Open) {
	t.Helper()
	s := open(t, sessions.Options{})
	create(t, s, "ann", "a", "1")
	for range 2 {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		ctx := t.Context()
		_, created := s.Create(ctx, sessions.New{Owner: "ann", ID: "b", Key: "key"})
		_, found := s.Find(ctx, "ann", "key", "")
		_, got := s.Get(ctx, "a")
		_, swapped := s.Swap(ctx, "a", 1, nil, false)
		_, counted := s.Len(ctx)
		for name, err := range map[string]error{
			"Create": created, "Find": found, "Get": got, "Swap": swapped, "Delete": s.Delete(ctx, "a"), "Len": counted, "Check": s.Check(ctx),
		} {
			if !errors.Is(err, sessions.ErrClosed) || !errors.Is(err, sessions.ErrUnavailable) {
				t.Errorf("%s after Close: %v", name, err)
			}
		}
		if c := s.Counts(); c.Created != 1 {
			t.Errorf("the counts after Close: %+v", c)
		}
	}
}

func create(t *testing.T, s sessions.Store, owner, id, value string) sessions.Entry {
	t.Helper()
	e, err := s.Create(t.Context(), sessions.New{Owner: owner, ID: id, Value: []byte(value)})
	if err != nil || string(e.Value) != value {
		t.Fatalf("Create %s: %+v, %v", id, e, err)
	}
	return e
}

func get(t *testing.T, s sessions.Store, id string) sessions.Entry {
	t.Helper()
	e, err := s.Get(t.Context(), id)
	if err != nil {
		t.Fatalf("Get %s: %v", id, err)
	}
	return e
}

// same compares entries. A store may know the end of a session to the millisecond only.
func same(t *testing.T, got, want sessions.Entry) {
	t.Helper()
	if d := got.Expires.Sub(want.Expires); d < -time.Second || d > time.Second {
		t.Errorf("it expires at %v, want %v", got.Expires, want.Expires)
	}
	got.Expires = want.Expires
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("another entry (-want +got)\n%s", diff)
	}
}

func length(t *testing.T, s sessions.Store, want int) {
	t.Helper()
	if n, err := s.Len(t.Context()); err != nil || n != want {
		t.Errorf("%d sessions, %v, want %d", n, err, want)
	}
}

func there(t *testing.T, s sessions.Store, want map[string]bool) {
	t.Helper()
	for id, is := range want {
		if _, err := s.Get(t.Context(), id); (err == nil) != is {
			t.Errorf("the session %s is there: %v (%v), want %v", id, err == nil, err, is)
		}
	}
}

// tick waits until the clock of the stores, in milliseconds, has moved on: changes in the same millisecond have no order.
func tick(t *testing.T) {
	t.Helper()
	before := time.Now().UnixMilli()
	until(t, "the next millisecond", func() bool { return time.Now().UnixMilli() > before })
}

func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	testkit.Until(t, what, is)
}

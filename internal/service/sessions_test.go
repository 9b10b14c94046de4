package service_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/sessions"
)

// counting is a game in which the client adds numbers, and the program adds 1 after each of them. It ends after three acts.
type counting struct {
	before func() // is called before the program acts; may be nil
}

// count is a game at one moment: the numbers of the client.
type count []int

type counted struct {
	ID  string
	Sum int
}

func (counting) Begin(first int) (count, error) { return count{first}, nil }
func (s count) Acts() []int                     { return s[1:] }
func (s count) Encode() (out []byte, _ error)   { return appendAll(out, s), nil }

func (s count) Over() bool { return len(s) == 4 }

func appendAll(out []byte, s count) []byte {
	for _, n := range s {
		out = append(out, byte(n))
	}
	return out
}

func (counting) Decode(value []byte) (s count, _ error) {
	for _, n := range value {
		s = append(s, int(n))
	}
	return s, nil
}

func (counting) Do(s count, n int) (count, error) {
	switch {
	case len(s) == 4:
		return s, service.NewSessionConflict(service.SessionOver, len(s)-1, "The game is over.")
	case n > 9:
		return s, service.Refused(violation.New(violation.NotLegal, "is more than 9").At("/n"))
	}
	return append(slices.Clip(s), n), nil
}

func (g counting) Advance(_ context.Context, s count) (count, error) {
	if g.before != nil {
		g.before()
	}
	return s, nil
}

func (counting) Answer(id string, _ time.Time, s count) counted {
	sum := len(s)
	for _, n := range s {
		sum += n
	}
	return counted{id, sum}
}

func act(n, number int) service.SessionAct[int] {
	return service.SessionAct[int]{Number: number, Act: n}
}

// The frame of sessions: acts, their repetition, and what is refused.
func TestSessionsOfAGame(t *testing.T) {
	ctx, g := t.Context(), service.NewSessions(new(service.Service), "counting", nil, counting{})
	now, err := g.Create(ctx, service.NewSession{Owner: "ann"}, 5)
	if err != nil || now.Sum != 6 {
		t.Fatalf("%+v, %v", now, err)
	}
	for _, test := range []struct {
		name      string
		number, n int
		sum       int // 0 for an error
		kind      service.Kind
		acts      int // of the error, if it tells it
	}{
		{"an act", 0, 3, 10, 0, 0},
		{"the act again", 0, 3, 10, 0, 0},
		{"another act with its number", 0, 4, 0, service.SessionConflict, 1},
		{"an act too early", 2, 4, 0, service.SessionConflict, 1},
		{"an act that is not legal", 1, 10, 0, service.Impossible, 0},
		{"the next act", 1, 2, 13, 0, 0},
		{"the last act", 2, 1, 15, 0, 0},
		{"an act after the end", 3, 1, 0, service.SessionConflict, 3},
		{"an old act again", 1, 2, 15, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := g.Act(ctx, "", now.ID, act(test.n, test.number))
			if test.sum == 0 {
				e, ok := errors.AsType[*service.Error](err)
				if !ok || e.Kind != test.kind || e.Acts != nil && *e.Acts != test.acts {
					t.Errorf("the error %#v", err)
				}
				return
			}
			if diff := cmp.Diff(counted{now.ID, test.sum}, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got)\n%s", err, diff)
			}
		})
	}
}

// Sessions of two games in one store do not know each other, whatever their ids and keys.
func TestSessionsOfTwoGames(t *testing.T) {
	ctx, store := t.Context(), sessions.NewMemory(sessions.Options{})
	a, b := service.NewSessions(new(service.Service), "a", store, counting{}), service.NewSessions(new(service.Service), "b", store,
		counting{})
	keyed := service.NewSession{Owner: "ann", Holder: "ann", IdempotencyKey: "key", Body: []byte("{}")}
	one, err := a.Create(ctx, keyed, 5)
	if err != nil {
		t.Fatal(err)
	}
	for name, call := range map[string]func() error{
		"Get": func() error { _, err := b.Get(ctx, "ann", one.ID); return err },
		"Act": func() error { _, err := b.Act(ctx, "ann", one.ID, act(1, 0)); return err },
		"End": func() error { return b.End(ctx, "ann", one.ID) },
	} {
		if err := call(); service.KindOf(err) != service.NoSuchSession {
			t.Errorf("%s of a session of another game: %v", name, err)
		}
	}
	if _, err := b.Create(ctx, keyed, 5); service.KindOf(err) != service.KeyReused {
		t.Errorf("the key with another game: %v", err)
	}
	if got, err := a.Get(ctx, "ann", one.ID); err != nil || got != one {
		t.Errorf("%+v, %v", got, err)
	}
}

// An act that another request overtakes is answered by its result if it was the same act, and refused if it was not.
func TestSessionsOvertaken(t *testing.T) {
	for _, other := range []int{3, 4} {
		t.Run(strconv.Itoa(other), func(t *testing.T) {
			ctx, store := t.Context(), sessions.NewMemory(sessions.Options{})
			fast := service.NewSessions(new(service.Service), "counting", store, counting{})
			now, err := fast.Create(ctx, service.NewSession{}, 5)
			if err != nil {
				t.Fatal(err)
			}
			var overtaken sync.Once
			slow := service.NewSessions(new(service.Service), "counting", store, counting{before: func() {
				overtaken.Do(func() {
					if _, err := fast.Act(ctx, "", now.ID, act(other, 0)); err != nil {
						t.Error(err)
					}
				})
			}})
			got, err := slow.Act(ctx, "", now.ID, act(3, 0))
			switch {
			case other == 3 && (err != nil || got.Sum != 10):
				t.Errorf("the same act: %+v, %v", got, err)
			case other != 3 && service.KindOf(err) != service.SessionConflict:
				t.Errorf("another act: %+v, %v", got, err)
			}
		})
	}
}

// Of equal requests with a key at once, all get the session of the first, also those that had begun one of their own.
func TestSessionsKeyOvertaken(t *testing.T) {
	ctx, store := t.Context(), sessions.NewMemory(sessions.Options{})
	keyed := service.NewSession{Owner: "ann", Holder: "ann", IdempotencyKey: "key", Body: []byte("{}")}
	fast := service.NewSessions(new(service.Service), "counting", store, counting{})
	var first counted
	slow := service.NewSessions(new(service.Service), "counting", store, counting{before: func() {
		var err error
		if first, err = fast.Create(ctx, keyed, 7); err != nil {
			t.Error(err)
		}
	}})
	got, err := slow.Create(ctx, keyed, 5)
	if diff := cmp.Diff(first, got); diff != "" || err != nil {
		t.Errorf("%v (-first +got)\n%s", err, diff)
	}
	if n, err := store.Len(ctx); n != 1 || err != nil {
		t.Errorf("%d sessions, %v", n, err)
	}
}

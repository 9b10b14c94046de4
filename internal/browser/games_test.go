package browser_test

import (
	"context"
	"errors"
	"testing"

	"roem/internal/browser"
	"roem/internal/sessions"
)

// shelf is a Shelf in memory.
type shelf struct {
	versions map[string]int
	values   map[string][]byte
	fails    error
}

func (s *shelf) Read(_ context.Context, id string) (version int, value []byte, err error) {
	return s.versions[id], s.values[id], s.fails
}

func (s *shelf) Write(_ context.Context, id string, after int, value []byte) (found int, err error) {
	if found = s.versions[id]; s.fails == nil && found == after {
		s.versions[id], s.values[id] = after+1, value
	}
	return found, s.fails
}

func (s *shelf) Remove(_ context.Context, id string) error {
	delete(s.versions, id)
	delete(s.values, id)
	return s.fails
}

// A game is found again by another program with the same shelf, and an act that follows an older state is refused.
func TestGamesOutliveTheProgram(t *testing.T) {
	t.Parallel()
	ctx, on := t.Context(), &shelf{versions: map[string]int{}, values: map[string][]byte{}}
	begun, err := browser.Games(on).Create(ctx, sessions.New{ID: "a", Value: []byte("dealt")})
	if err != nil {
		t.Fatal(err)
	}
	another := browser.Games(on)
	read, err := another.Get(ctx, "a")
	if err != nil || string(read.Value) != "dealt" || read.Version != begun.Version {
		t.Fatalf("read %q in version %d, %v, want version %d", read.Value, read.Version, err, begun.Version)
	}
	played, err := another.Swap(ctx, "a", read.Version, []byte("played"), false)
	if err != nil || played.Version == read.Version {
		t.Fatalf("played in version %d, %v", played.Version, err)
	}
	if _, err := browser.Games(on).Swap(ctx, "a", read.Version, []byte("played too"), false); !errors.Is(err, sessions.ErrChanged) {
		t.Errorf("an act after an older state: %v", err)
	}
	if read, err = another.Get(ctx, "a"); err != nil || string(read.Value) != "played" {
		t.Errorf("read %q, %v", read.Value, err)
	}
}

// A game that is not there, and a shelf that fails.
func TestGamesThatAreNotThere(t *testing.T) {
	t.Parallel()
	ctx, on := t.Context(), &shelf{versions: map[string]int{}, values: map[string][]byte{}}
	store := browser.Games(on)
	calls := map[string]func() error{
		"get":    func() error { _, err := store.Get(ctx, "a"); return err },
		"swap":   func() error { _, err := store.Swap(ctx, "a", 3, nil, false); return err },
		"delete": func() error { return store.Delete(ctx, "a") },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, sessions.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	calls["create"] = func() error { _, err := store.Create(ctx, sessions.New{ID: "a"}); return err }
	on.fails = errors.New("the database does not answer")
	for name, call := range calls {
		if err := call(); !errors.Is(err, sessions.ErrUnavailable) || !errors.Is(err, on.fails) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package service

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"roem/internal/jobs"
)

// keyed is a query of which only the key counts.
// A job saves its state now and then, and only an attempt with the same query and the same version of the program goes on with it. A store
// that cannot be reached does not end it, and the turn of another owner does.
func TestKeeping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stored [][]byte
		task := jobs.Task{Save: func(state []byte) error { stored = append(stored, state); return nil }}
		encode := func() ([]byte, error) { return []byte("half"), nil }
		one, other := &Service{version: "1"}, &Service{version: "2"}
		keeping := one.Keeping(withSaving(t.Context(), task), []byte("k"))
		for range 25 {
			if err := keeping.Save(encode); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Second)
		}
		if len(stored) != 2 || len(keeping.Saved) != 0 {
			t.Fatalf("stored %d times in 25 s, want 2; saved before: %q", len(stored), keeping.Saved)
		}
		task.State = stored[0]
		for _, tt := range []struct {
			service *Service
			query   string
			want    string
		}{{one, "k", "half"}, {one, "l", ""}, {other, "k", ""}} {
			if got := tt.service.Keeping(withSaving(t.Context(), task), []byte(tt.query)).Saved; string(got) != tt.want {
				t.Errorf("version %s, query %s: %q, want %q", tt.service.version, tt.query, got, tt.want)
			}
		}
		for failure, want := range map[error]error{jobs.ErrUnavailable: nil, jobs.ErrYield: jobs.ErrYield} {
			task.Save = func([]byte) error { return failure }
			keeping = one.Keeping(withSaving(t.Context(), task), []byte("k"))
			time.Sleep(saveEvery)
			if err := keeping.Save(encode); !errors.Is(err, want) {
				t.Errorf("%v: %v", failure, err)
			}
		}
		if nothing := one.Keeping(t.Context(), []byte("k")); nothing.Save != nil {
			t.Error("what is no job is kept")
		}
	})
}

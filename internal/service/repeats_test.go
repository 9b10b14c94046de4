package service

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"roem/internal/computation"
)

// kept is a query whose answer has a source at once.
type kept struct {
	Uncached[int]
	source Source
}

func (kept) Key() []byte { return []byte("kept") }

func (q kept) Known(context.Context) (Answer[int], bool, error) {
	return Answer[int]{Result: 7, Source: q.source}, true, nil
}

func (kept) Computation() computation.Spec { return computation.Spec{} }

// A body whose answer the cache has is read once. Long bodies, wrong ones, and what the cache does not have are read each time.
func TestRepeats(t *testing.T) {
	read := 0
	op := OpOf(func(_ context.Context, source Source, body []byte) (kept, error) {
		read++
		if string(body) == "wrong" {
			return kept{}, &Error{Kind: Malformed}
		}
		return kept{source: source}, nil
	}, func(_ Source, _ kept, a Answer[int]) string { return fmt.Sprint(a.Result, a.Source) })
	s := &Service{}
	for _, tt := range []struct {
		name, body string
		source     Source
		op         Op[Source, kept, int]
		reads      int
	}{
		{"the cache has it", "short", FromCache, op.Repeating(), 1},
		{"another operation", "short", FromCache, op, 4},
		{"long", strings.Repeat("x", maxRepeated+1), FromCache, op.Repeating(), 4},
		{"searched", "short", FromSearch, op.Repeating(), 4},
		{"wrong", "wrong", FromCache, op.Repeating(), 4},
	} {
		read = 0
		parse := tt.op.asks(s, tt.source)
		for range 4 {
			q, err := parse(t.Context(), []byte(tt.body))
			if err != nil {
				continue
			}
			a, ok, err := q.Known(t.Context())
			if want := fmt.Sprint(7, tt.source); err != nil || !ok || a.Result != want || a.Began.IsZero() {
				t.Errorf("%s: %+v, %t, %v, want %s", tt.name, a, ok, err, want)
			}
		}
		if read != tt.reads {
			t.Errorf("%s: read %d times, want %d", tt.name, read, tt.reads)
		}
	}
}

// What is kept stays within its bound.
func TestRepeatsAreBounded(t *testing.T) {
	r := newRepeats[kept, int](nil)
	for i := range 5000 {
		r.keep(fmt.Appendf(nil, "%0900d", i), kept{}, Answer[int]{Source: FromCache})
	}
	r.answered.CleanUp()
	if got := r.answered.WeightedSize(); got > repeatsBytes || got < repeatsBytes/2 {
		t.Errorf("%d bytes are kept, expected at most %d", got, repeatsBytes)
	}
}

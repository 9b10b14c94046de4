package record

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/record"
	"roem/internal/random"
	"roem/internal/testkit"
)

// A play in columns of seats, whole or broken off in a trick, is read as the play in its order.
func TestColumns(t *testing.T) {
	rng := random.New(5)
	for range testkit.Times(50, 200, 5000, 5000) {
		h := draw(rng, true)
		h.Played = h.Played[:rng.IntN(len(h.Played)+1)]
		p, err := klaverjas.NewPosition(h.Rules, klaverjas.Deal{Trump: h.Trump, Leader: h.Leader, Declarer: h.Declarer, Hands: h.Hands})
		if err != nil {
			t.Fatal(err)
		}
		first := h.Leader
		var rows strings.Builder
		for n := 0; n < len(h.Played); n += 4 {
			row := [4]string{"-", "-", "-", "-"}
			for _, c := range h.Played[n:min(n+4, len(h.Played))] {
				row[(p.Turn()-first)&3] = c.String()
				if p, err = p.Play(c); err != nil {
					t.Fatal(err)
				}
			}
			fmt.Fprintln(&rows, strings.Join(row[:], " "))
		}
		text := record.Write(h)
		before, rest, found := strings.Cut(text, "[Play]\n")
		if !found {
			continue
		}
		_, after, _ := strings.Cut(rest, "[")
		text = before + "[Play \"" + first.String() + "\"]\n" + rows.String() + "*\n[" + after
		got, err := (&record.Kinds{Kinds: []*record.Kind{Kind}}).Read(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(record.Write(h), record.Write(got[0])); diff != "" {
			t.Fatalf("%s\n%s", diff, text)
		}
	}
}

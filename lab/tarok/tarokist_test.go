package tarok

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"roem/internal/engine/tarok/search"
	"roem/lab/speed"
)

// ticks is a clock that goes one millisecond further each time.
func ticks() func() time.Duration {
	var now time.Duration
	return func() time.Duration {
		now += time.Millisecond
		return now
	}
}

func TestExperiment(t *testing.T) {
	run := func() []Row {
		e := Experiment{Deals: 3, Seed: 1, Depth: 6, Selection: search.Provable, Clock: ticks()}
		rows, err := e.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows := run()
	all, none := rows[0], rows[8]
	if all.Name != "all four" || none.Name != "none" || none.Mean < 5*all.Mean || all.Positions != 3 || all.Worst < all.Median {
		t.Errorf("%+v, %+v", all, none)
	}
	text := CSV(search.Provable, rows)
	if !bytes.Equal(text, CSV(search.Provable, run())) || strings.Count(string(text), "\n") != len(rows)+1 {
		t.Errorf("the CSV is not reproducible:\n%s", text)
	}
	if n := strings.Count(string(Markdown(rows)), "\n"); n != len(rows)+2 {
		t.Errorf("%d lines of Markdown", n)
	}
}

func TestEndings(t *testing.T) {
	var out bytes.Buffer
	if err := Endings(context.Background(), speed.Table{Out: &out, Clock: ticks()}, []int{2, 4}, 5, 1); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[1], "1.000") || !strings.HasPrefix(lines[2], "4") {
		t.Errorf("%s", out.String())
	}
}

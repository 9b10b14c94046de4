package matrix_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas/features"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/lab/klaverjas/matrix"
)

func randomDeal(seed uint64) [4]piquet.Set {
	return index.RandomClassUniform(index.NewRand(seed), piquet.Clubs, piquet.North)
}

// The matrix has what features.Extract gives for each deal, with any number of workers.
func TestExtract(t *testing.T) {
	const rows = 1000
	deal := func(row int) [4]piquet.Set { return randomDeal(uint64(row)) }
	var got []*matrix.Matrix
	for _, workers := range []int{1, 3} {
		m, err := matrix.Extract(t.Context(), rows, workers, deal)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m)
	}
	selected := got[0].Select([]int32{999, 0, 7, 7})
	for column := range features.Columns {
		if diff := cmp.Diff(got[0].Column(column), got[1].Column(column)); diff != "" {
			t.Fatalf("column %d with one worker and three\n%s", column, diff)
		}
		c := got[0].Column(column)
		if diff := cmp.Diff([]uint8{c[999], c[0], c[7], c[7]}, selected.Column(column)); diff != "" {
			t.Fatalf("selected of column %d\n%s", column, diff)
		}
	}
	for row := range rows {
		var want features.Row
		hands := deal(row)
		features.Extract(&want, &hands)
		for column := range features.Columns {
			if got := got[0].Column(column)[row]; got != want[column] {
				t.Fatalf("row %d, column %d: %d, expected %d", row, column, got, want[column])
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := matrix.Extract(ended, rows, 1, deal); err == nil {
		t.Error("no error when the context has ended")
	}
}

// BenchmarkExtract extracts 100,000 deals with one worker per core.
func BenchmarkExtract(b *testing.B) {
	const rows = 100_000
	deals := make([][4]piquet.Set, rows)
	for i := range deals {
		deals[i] = randomDeal(uint64(i))
	}
	b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "workers")
	for b.Loop() {
		if _, err := matrix.Extract(b.Context(), rows, 0, func(row int) [4]piquet.Set { return deals[row] }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(rows*b.N)/b.Elapsed().Seconds(), "deals/s")
}

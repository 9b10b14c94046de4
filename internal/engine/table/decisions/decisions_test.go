package decisions_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/table/decisions"
	"roem/internal/engine/table/tabletest"
)

func TestOf(t *testing.T) {
	type made struct {
		Number int
		Seat   uint8
		Act    int
		View   [2]int
		Err    bool
	}
	for _, tt := range []struct {
		acts []int
		want []made
	}{
		{nil, nil},
		{[]int{3, 2}, []made{{0, 0, 3, [2]int{6, 0}, false}, {1, 1, 2, [2]int{3, 1}, false}}},
		{[]int{3, 3, 1}, []made{{0, 0, 3, [2]int{6, 0}, false}, {1, 1, 3, [2]int{3, 1}, false}}},
		{[]int{1, 4, 1}, []made{{0, 0, 1, [2]int{6, 0}, false}, {Number: 1, Seat: 1, Act: 4, View: [2]int{5, 1}, Err: true}}},
	} {
		var got []made
		for d, err := range decisions.Of(tabletest.Pile{Left: 6}, tt.acts) {
			got = append(got, made{d.Number, d.Seat, d.Act, d.View(), err != nil})
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got)\n%s", tt.acts, diff)
		}
	}
	for d := range decisions.Of(tabletest.Pile{Left: 6}, []int{1, 1, 1}) {
		if d.Number == 1 {
			break // the rest is not played
		}
	}
}

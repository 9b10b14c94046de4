package decisions_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/table/decisions"
)

// pile is a hand of two seats that take one, two or three in turns from a pile. A seat sees what is left.
type pile struct{ left, acts int }

func (p pile) Turn() (seat uint8, ok bool) { return uint8(p.acts % 2), p.left > 0 }
func (p pile) View(seat uint8) [2]int      { return [2]int{p.left, int(seat)} }

var errTooMany = errors.New("too many")

func (p pile) Act(n int) (pile, error) {
	if n > min(p.left, 3) {
		return p, errTooMany
	}
	return pile{p.left - n, p.acts + 1}, nil
}

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
		for d, err := range decisions.Of(pile{left: 6}, tt.acts) {
			got = append(got, made{d.Number, d.Seat, d.Act, d.View(), errors.Is(err, errTooMany)})
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v (-want +got)\n%s", tt.acts, diff)
		}
	}
	for d := range decisions.Of(pile{left: 6}, []int{1, 1, 1}) {
		if d.Number == 1 {
			break // the rest is not played
		}
	}
}

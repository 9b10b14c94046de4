package match

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A tally that was saved is restored, and nothing else is.
func TestKeeping(t *testing.T) {
	type tally struct {
		Pairs []Pair
		Times Times
	}
	var saved []byte
	enough := errors.New("enough")
	keeping := Keeping{Save: func(encode func() ([]byte, error)) (err error) {
		saved, err = encode()
		return errors.Join(err, enough)
	}}
	sum := tally{Pairs: []Pair{{1, -2.5}, {0, 1e9}}}
	for _, d := range []time.Duration{0, 1, 999, time.Millisecond, time.Millisecond, time.Hour} {
		sum.Times.Add(d)
	}
	if err := keeping.After(7, sum); !errors.Is(err, enough) {
		t.Fatal(err)
	}
	var got tally
	if deals := Restore(Keeping{Saved: saved}, &got); deals != 7 {
		t.Errorf("restored %d deals", deals)
	}
	if diff := cmp.Diff(sum.Pairs, got.Pairs); diff != "" {
		t.Error(diff)
	}
	for i, d := range sum.Times.all {
		if near := got.Times.all[i]; math.Abs(float64(near-d)) > 0.005*float64(d)+1 {
			t.Errorf("%v was restored as %v", d, near)
		}
	}
	for _, bad := range [][]byte{nil, {}, []byte("nonsense"), saved[:len(saved)/2], saved[1:]} {
		if deals := Restore(Keeping{Saved: bad}, &got); deals != 0 || len(got.Pairs) != 2 {
			t.Errorf("of %q %d deals were restored: %+v", bad, deals, got)
		}
	}
	if err := new(Times).GobDecode([]byte{1}); err == nil {
		t.Error("half of a count is no error")
	}
}

package length_test

import (
	"testing"

	"roem/internal/engine/length"
)

func TestOver(t *testing.T) {
	for name, test := range map[string]struct {
		played, hands, target int
		totals                []int
		want                  bool
	}{
		"hands left":                     {3, 4, 0, []int{9999, 0}, false},
		"last hand":                      {4, 4, 0, []int{0, 0}, true},
		"points missing":                 {3, length.MaxHands, 1000, []int{999, -5}, false},
		"exactly the points":             {3, length.MaxHands, 1000, []int{12, 1000}, true},
		"both in the same hand":          {9, length.MaxHands, 1000, []int{1010, 1050}, true},
		"a draw":                         {9, length.MaxHands, 1000, []int{1010, 1010}, true},
		"the most hands, without points": {length.MaxHands, length.MaxHands, 1000, []int{-7, 4, 3}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if got := length.Over(test.played, test.hands, test.target, test.totals...); got != test.want {
				t.Errorf("over: %t, want %t", got, test.want)
			}
		})
	}
}

// TestTargetIsReached: a hand of the full deck gives both sides 162 points or more together, so the most hands cut no
// such session off.
func TestTargetIsReached(t *testing.T) {
	const least = 162
	if both := least * length.MaxHands; (both+1)/2 < length.MaxTarget {
		t.Errorf("after %d hands a side has %d points or more, fewer than %d", length.MaxHands, (both+1)/2, length.MaxTarget)
	}
}

package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/ginrummy"
)

// Lay-offs that the player outside has chosen are kept.
func TestMovesWithLayOffs(t *testing.T) {
	off := ginrummy.Laid{Given: true, On: [3]ginrummy.Set{0, ginrummy.SetOf(3, 4), 0}}
	meld := ginrummy.SetOf(20, 21, 22)
	moves := []Move{
		{Action: ginrummy.Action{Kind: ginrummy.Lay, Melds: ginrummy.Arrangement{meld}, Off: off}},
		{Action: ginrummy.Action{Kind: ginrummy.Lay, Off: off}, Best: true},
		{Action: ginrummy.Action{Kind: ginrummy.Lay}, Best: true},
	}
	var text []byte
	for _, m := range moves {
		text = appendMove(text, m)
	}
	got, err := parseMoves(string(text))
	if diff := cmp.Diff(moves, got); err != nil || diff != "" {
		t.Errorf("%s: %v\n%s", text, err, diff)
	}
	for _, bad := range []string{"8", "81/2/3.", "81/2.7", "8x/2/3.7", "81/2/37"} {
		if _, err := parseMoves(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

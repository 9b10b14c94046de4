package session

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	frame "roem/internal/engine/table/session"
)

// The record of a round has the lay-offs of a player that lays off nothing, and none that follow from the rule. So it has the score.
func TestRecordOfLayOffs(t *testing.T) {
	decide := func(ctx context.Context, _ Match, turn frame.Turn[ginrummy.Seat], v ginrummy.View) (ginrummy.Action, error) {
		return players.NewSimple(turn.Rand).Choose(ctx, v)
	}
	given, byRule := 0, 0
	for seed := uint64(0); given < 3 || byRule < 3; seed++ {
		s, err := New(Setup{Player: "simple", Terms: Terms{Hands: 1, Secret: [2]uint64{seed}}})
		if err != nil {
			t.Fatal(err)
		}
		for {
			next, err := s.Advance(t.Context(), decide)
			if err != nil {
				t.Fatal(err)
			}
			if s = next; s.HandOver() {
				break
			}
			if s, err = s.Do(Act{Action: nothingLaidOff(s, seed%2 == 0)}); err != nil {
				t.Fatal(err)
			}
		}
		r, result := See(s).Revealed.Record, See(s).Results[0]
		if got, ok := r.Result(); !ok || got.Score != result.Score {
			t.Fatalf("seed %d: %+v of %+v, want %+v", seed, got, r, result)
		}
		switch {
		case r.LaidOff != nil:
			given++
		case len(result.LaidOff) > 0:
			byRule++
		}
	}
}

// nothingLaidOff returns the move of a player that draws, discards well, never knocks, and lays off nothing, or as the rule says.
func nothingLaidOff(s Session, nothing bool) ginrummy.Action {
	v := See(s).View
	m := ginrummy.Action{Kind: ginrummy.Stock, Best: s.State() == Meld}
	switch s.State() {
	case Draw:
		if v.May.Pass {
			m.Kind = ginrummy.Pass
		}
	case Discard:
		_, best := v.Own.AfterDiscardOf(v.Discards())
		m.Kind, m.Card = ginrummy.Discard, best.First()
	case Knock:
		m.Kind = ginrummy.Continue
	default:
		m.Kind, m.Off.Given = ginrummy.Lay, nothing
	}
	return m
}

// Lay-offs that the player outside has chosen are kept.
func TestMovesWithLayOffs(t *testing.T) {
	off := ginrummy.Laid{Given: true, On: [3]ginrummy.Set{0, ginrummy.SetOf(3, 4), 0}}
	meld := ginrummy.SetOf(20, 21, 22)
	moves := []ginrummy.Action{
		{Kind: ginrummy.Lay, Melds: ginrummy.Arrangement{meld}, Off: off},
		{Kind: ginrummy.Lay, Off: off, Best: true},
		{Kind: ginrummy.Lay, Best: true},
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

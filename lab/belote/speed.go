package belote

import (
	"context"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/random"
	"roem/lab/speed"
)

// Speed solves n random deals of four suits for both utilities, the trumps in turn, each from an empty table, and writes a table.
func Speed(ctx context.Context, t speed.Table, n int, seed uint64) error {
	if err := t.Head("", "states"); err != nil {
		return err
	}
	positions := make([]belote.Position, n)
	for i := range n {
		var err error
		if positions[i], err = belote.NewPosition(belote.Random(random.New(seed, uint64(i)), piquet.Deck, belote.Trump(i%4))); err != nil {
			return err
		}
	}
	s := search.New(search.Options{})
	for _, utility := range []search.Utility{search.Points, search.Contract} {
		if err := t.Line(utility.String(), n, func(i int) (uint64, error) {
			r, err := s.Solve(ctx, search.Query{Position: positions[i], Utility: utility, NoLine: true})
			return r.Generated, err
		}); err != nil {
			return err
		}
	}
	return nil
}

// Package tarok repeats the experiments of "A Program for Playing Tarok", learns the table of selective moves, and measures the speed of
// the exact search.
package tarok

import (
	"context"
	"fmt"
	"math/rand/v2"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/random"
	"roem/lab/speed"
)

// contracts are those in which the declarer plays for points.
var contracts = []tarok.Contract{tarok.Three, tarok.Two, tarok.One, tarok.Zero}

// ending draws a position at the start of a trick, after random play.
func ending(rng *rand.Rand, size int) tarok.Position {
	for {
		if p, ok := tarok.Ending(rng, tarok.DrawSetup(rng, contracts...), size); ok {
			return p
		}
	}
}

// playOn plays a number of random cards.
func playOn(rng *rand.Rand, p tarok.Position, cards int) tarok.Position {
	for range cards {
		p, _ = p.Play(tarok.Any(rng, p.Legal()))
	}
	return p
}

// Endings solves n random endings for each size, the number of cards in a hand, each from an empty table, and writes a table.
func Endings(ctx context.Context, t speed.Table, sizes []int, n int, seed uint64) error {
	if err := t.Head("cards", "nodes"); err != nil {
		return err
	}
	s := search.New(search.Options{})
	for _, size := range sizes {
		positions := make([]tarok.Position, n)
		for i := range n {
			positions[i] = ending(random.New(seed, uint64(size), uint64(i)), size)
		}
		if err := t.Line(fmt.Sprint(size), n, func(i int) (uint64, error) {
			r, err := s.Solve(ctx, search.Query{Position: positions[i], NoLine: true})
			return r.Nodes, err
		}); err != nil {
			return err
		}
	}
	return nil
}

package compare

import (
	"context"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
)

// Trees returns the row of minimax without forward pruning over the drawn deals of a number of suits, for both utilities, of which it
// makes the same states: the whole tree of the game. It searches nothing: the positions between tricks are counted once each, 73,789 of
// them at most for three suits. Its error is the error of the context.
func (e *Experiment) Trees(ctx context.Context, suits int) ([]Row, error) {
	counts := make([]uint64, e.Deals)
	for i := range counts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := Draw(e.Seed, suits, i)
		p, err := belote.NewPosition(d)
		if err != nil {
			return nil, err
		}
		counts[i] = (&tree{below: map[between]uint64{}}).states(p)
	}
	rows := []Row{
		{Suits: suits, Way: Way{search.Minimax, search.Points, false}, Deals: e.Deals},
		{Suits: suits, Way: Way{search.Minimax, search.Contract, false}, Deals: e.Deals},
	}
	for i := range rows {
		rows[i].summarise(counts)
	}
	return rows, nil
}

// between is a position between tricks of a deal: the cards left and who leads.
type between struct {
	left   piquet.Set
	leader belote.Player
}

// tree counts the states below positions of one deal, as the paper does: every child, without the root.
type tree struct{ below map[between]uint64 }

func (t *tree) states(p belote.Position) (n uint64) {
	at := between{p.Held(belote.A) | p.Held(belote.B), p.Leader()}
	_, open := p.Led()
	if !open {
		if n, ok := t.below[at]; ok {
			return n
		}
	}
	if !p.Finished() {
		for c := range p.Legal().All() {
			next, _ := p.Play(c) // a legal card
			n += 1 + t.states(next)
		}
	}
	if !open {
		t.below[at] = n
	}
	return n
}

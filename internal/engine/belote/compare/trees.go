package compare

import (
	"context"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
)

// countedSuits is from how many suits on minimax is counted instead of searched: it makes thousands of millions of states.
const countedSuits = 3

// Counted reports whether the states of the way are counted for a number of suits, and not searched. No limit ends a count.
func (w Way) Counted(suits int) bool { return w.Algorithm == search.Minimax && suits >= countedSuits }

// between is a position between tricks of a deal: the cards left and who leads.
type between struct {
	left   piquet.Set
	leader belote.Player
}

// tree counts the states that minimax makes below the positions of one deal, as the paper does: every child, without the root. Minimax
// makes the same states below equal positions. With forward pruning these are positions with equal points too.
type tree struct {
	way   Way
	deal  belote.Deal
	below map[between][]uint64 // by the points of the declarer; without forward pruning the points do not matter, and there is one count
	pause func() error
	err   error
}

// countTree returns the states that minimax makes of a deal. It looks at each position between tricks once: there are 73,789 of them at
// most for three suits. Its error is the error of the context or of pause, which may be nil.
func countTree(ctx context.Context, way Way, p belote.Position, pause func() error) (uint64, error) {
	t := tree{way: way, deal: p.Deal(), below: map[between][]uint64{}, pause: func() error {
		if pause != nil {
			if err := pause(); err != nil {
				return err
			}
		}
		return ctx.Err()
	}}
	counts := t.states(p)
	if t.err != nil {
		return 0, t.err
	}
	return counts[0], nil
}

// pauseEvery is the number of positions between two calls of pause.
const pauseEvery = 64

func (t *tree) states(p belote.Position) []uint64 {
	at := between{p.Held(belote.A) | p.Held(belote.B), p.Leader()}
	if counts, ok := t.below[at]; ok {
		return counts
	}
	most := 0 // points that the declarer can have
	if t.way.Pruning {
		most = t.deal.Total() - p.Left()
	}
	counts := make([]uint64, most+1)
	for lead := range p.Legal().All() {
		led, _ := p.Play(lead) // a legal card
		for made := range counts {
			counts[made]++
		}
		for reply := range led.Legal().All() {
			next, _ := led.Play(reply)
			t.add(counts, p, next)
		}
	}
	for made := range counts {
		if t.ends(made, p.Left()) {
			counts[made] = 0
		}
	}
	t.below[at] = counts
	if len(t.below)%pauseEvery == 0 && t.err == nil {
		t.err = t.pause()
	}
	return counts
}

// add adds the states after a trick to the counts of the position before it.
func (t *tree) add(counts []uint64, before, after belote.Position) {
	if t.err != nil {
		return
	}
	gain := 0
	if t.way.Pruning {
		gain = after.Points(t.deal.Declarer) - before.Points(t.deal.Declarer)
	}
	for made, n := range t.states(after)[gain:] {
		if made < len(counts) {
			counts[made] += 1 + n
		}
	}
}

// ends reports whether forward pruning ends the search of a position.
func (t *tree) ends(made, left int) bool {
	need := t.deal.Threshold
	return t.way.Pruning && (made+left < need || t.way.Utility == search.Contract && made >= need)
}

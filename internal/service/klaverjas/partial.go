package klaverjas

import (
	"encoding/binary"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/hybrid"
)

// Where a search stood that was stopped travels with its error as bytes, like what others find: three for each choice, and the nodes.
const partialBytes = 3*search.Plies + 8

// The evidence is about as many plies as a search tells of.
var _ = [1]struct{}{}[search.Plies-hybrid.Plies]

func appendPartial(to []byte, r search.Result, declarer cards.Team) []byte {
	for _, c := range r.Partial {
		side := byte(0)
		if c.Team == declarer {
			side = 1
		}
		to = append(to, c.Cards, c.Done, side)
	}
	return binary.LittleEndian.AppendUint64(to, r.Nodes)
}

// readPartial returns nil where a search had not got as far as a card.
func readPartial(b []byte) *hybrid.Evidence {
	if len(b) != partialBytes || b[0] == 0 {
		return nil
	}
	e := &hybrid.Evidence{Cards: binary.LittleEndian.Uint64(b[3*search.Plies:])}
	for i := range e.Plies {
		c := b[3*i:]
		e.Plies[i] = hybrid.Ply{Cards: int(c[0]), Done: int(c[1]), Declarers: c[2] != 0}
	}
	return e
}

package klaverjas

import (
	"encoding/binary"

	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service/klaverjas/hybrid"
)

// The progress of an interrupted search is encoded like a result, and returned with the error: three bytes for each choice, and the nodes.
const partialBytes = 3*search.Plies + 8

// hybrid.Interrupted and search.Result.Partial have the same number of plies.
var _ = [1]struct{}{}[search.Plies-hybrid.Plies]

func appendPartial(to []byte, r search.Result, declarer piquet.Team) []byte {
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
func readPartial(b []byte) *hybrid.Interrupted {
	if len(b) != partialBytes || b[0] == 0 {
		return nil
	}
	e := &hybrid.Interrupted{Cards: binary.LittleEndian.Uint64(b[3*search.Plies:])}
	for i := range e.Plies {
		c := b[3*i:]
		e.Plies[i] = hybrid.Ply{Cards: int(c[0]), Done: int(c[1]), Declarers: c[2] != 0}
	}
	return e
}

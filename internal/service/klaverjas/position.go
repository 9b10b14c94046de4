package klaverjas

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Position is a position of a request, with the cards that led to it.
type Position struct {
	ByIndex bool // the request gave the deal by its index

	now    klaverjas.Position
	start  klaverjas.Position // before the first card
	played []piquet.Card
}

// positionOf returns the position of a deal after cards. Its error is the engine's.
func positionOf(rules klaverjas.Rules, deal klaverjas.Deal, played []piquet.Card) (Position, error) {
	start, err := klaverjas.NewPosition(rules, deal)
	p := Position{now: start, start: start, played: played}
	for _, c := range played {
		if err == nil {
			p.now, err = p.now.Play(c)
		}
	}
	return p, err
}

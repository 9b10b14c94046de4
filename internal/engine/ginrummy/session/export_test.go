package session

import (
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
)

// WithOthersExchanged returns the session at its start with the opponent's hand and the first cards of the stock exchanged.
func WithOthersExchanged(s Session) Session {
	t := s.Hand()
	d := *t.Deal()
	hand := d.Hands[ginrummy.B].Slice()
	d.Hands[ginrummy.B] = 0
	for i, c := range hand {
		d.Hands[ginrummy.B] = d.Hands[ginrummy.B].With(d.Stock[i])
		d.Stock[i] = c
	}
	return s.With(players.NewTable(&d, t.Scores()))
}

package session

import "roem/internal/engine/ginrummy"

// WithOthersExchanged returns the session at its start with the opponent's hand and the first cards of the stock exchanged.
func (s Session) WithOthersExchanged() Session {
	d := *s.round.Deal()
	hand := d.Hands[ginrummy.Opponent].Slice()
	d.Hands[ginrummy.Opponent] = 0
	for i, c := range hand {
		d.Hands[ginrummy.Opponent] = d.Hands[ginrummy.Opponent].With(d.Stock[i])
		d.Stock[i] = c
	}
	s.round = ginrummy.NewRound(&d)
	return s
}

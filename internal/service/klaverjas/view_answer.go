package klaverjas

import (
	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// View is a view as the requests of the contract have it.
type View struct {
	Rules    klaverjas.RulesJSON `json:"rules"`
	Trump    api.Suit            `json:"trump"`
	Leader   api.KlaverjasSeat   `json:"leader"`
	Declarer api.KlaverjasTeam   `json:"declarer"`
	Seat     api.KlaverjasSeat   `json:"seat"`
	Hand     api.Cards           `json:"hand"`
	Played   api.Cards           `json:"played"`
}

// View returns what a seat has seen of a position; with nil, the seat that is to play. If the hand is finished, that is the winner of the
// last trick.
func (g *Game) View(p Position, seat *piquet.Seat) View {
	whose := p.now.Turn()
	if seat != nil {
		whose = *seat
	}
	v := worlds.ViewOf(p.now, p.played, whose)
	return View{
		Rules: klaverjas.RulesJSON(v.Rules), Trump: api.Suit(v.Trump.String()), Leader: *outSeat(v.Leader),
		Declarer: api.KlaverjasTeam(v.Declarer.String()), Seat: *outSeat(v.Seat), Hand: outCards(v.Hand.Slice()), Played: outCards(v.Played),
	}
}

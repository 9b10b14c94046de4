package klaverjas

import (
	"roem/internal/api"
)

// trickSize is the number of cards in a trick.
const trickSize = 4

// Legal returns whose turn it is and which cards are legal. It makes no search.
func (g *Game) Legal(p Position) (api.KlaverjasLegalMoves, error) {
	tricks, err := completed(p)
	if err != nil {
		return api.KlaverjasLegalMoves{}, err
	}
	out := api.KlaverjasLegalMoves{
		Finished:    p.now.Finished(),
		Legal:       api.Cards{},
		Score:       outScore(p.now.Score()),
		TricksTaken: outTaken(p.now.TricksTaken()),
		Completed:   tricks,
		Rules:       outRules(p.now.Rules()),
		Deal:        outIdentity(p.now.Deal()),
		Version:     g.service.Version(),
	}
	if !out.Finished {
		trick := p.now.Trick()
		out.Turn = outSeat(p.now.Turn())
		out.Legal = outCards(p.now.Legal().Slice())
		out.Trick = &api.KlaverjasTrickOnTable{
			Number: p.now.Played()/trickSize + 1,
			Leader: *outSeat(trick.Leader),
			Cards:  outCards(trick.Cards[:trick.Len]),
		}
		if trick.Len > 0 {
			out.Trick.Winner = outSeat(trick.Winner)
		}
	}
	return out, nil
}

package tarok

import (
	"roem/internal/api"
	"roem/internal/engine/tarok"
)

// Legal returns what may be done next. It makes no search.
func (g *Game) Legal(p Position) (api.TarokLegalMoves, error) {
	completed, err := p.completed()
	if err != nil {
		return api.TarokLegalMoves{}, err
	}
	out := api.TarokLegalMoves{Phase: p.phase, Legal: api.TarokCards{}, Completed: completed, Version: g.service.Version()}
	hands := p.setup.Deal.Hands
	var tricks, thirds [3]int
	switch p.phase {
	case api.TarokPhaseTalon:
		out.Turn = outPlayer(p.setup.Declarer)
		groups := make([]api.TarokCards, p.setup.Contract.Groups())
		n := p.setup.Contract.Exchange()
		for i := range groups {
			groups[i] = outCards(p.setup.Deal.Talon[i*n : (i+1)*n])
		}
		out.Groups = &groups
	case api.TarokPhaseDiscard:
		out.Turn = outPlayer(p.setup.Declarer)
		hand := p.held() &^ p.setup.Discards
		hands[p.setup.Declarer] = hand
		thirds[p.setup.Declarer] = p.setup.Discards.Thirds()
		out.Legal = outCards(tarok.Discards(hand).Slice())
	default:
		now := &p.now
		for i, player := range tarok.Players() {
			hands[i], tricks[i], thirds[i] = now.Hand(player), now.Tricks(player), now.Won(player).Thirds()
		}
		thirds[p.setup.Declarer] += p.setup.Discards.Thirds()
		if p.phase == api.TarokPhasePlay {
			out.Turn = outPlayer(now.Turn())
			out.Legal = outCards(now.Legal().Slice())
			out.Trick = &api.TarokTrick{Number: now.Played()/3 + 1, Leader: *outPlayer(now.Leader()), Cards: outCards(now.Trick())}
		}
	}
	out.Hands, out.TricksTaken, out.Thirds = outHands(hands), outNumbers(tricks), outNumbers(thirds)
	return out, nil
}

// completed returns the completed tricks, with their winners and points.
func (p *Position) completed() ([]api.TarokCompletedTrick, error) {
	out := []api.TarokCompletedTrick{}
	at := p.start
	for i, c := range p.played {
		next, err := at.Play(c)
		if err != nil {
			return nil, err
		}
		if trick, ok := next.Last(); ok && i%3 == 2 {
			out = append(out, api.TarokCompletedTrick{
				Number: i/3 + 1, Leader: *outPlayer(trick.Leader), Cards: outCards(trick.Cards[:]), Winner: *outPlayer(trick.Winner),
				Thirds: next.Won(trick.Winner).Thirds() - at.Won(trick.Winner).Thirds(),
			})
		}
		at = next
	}
	return out, nil
}

// Scoring is a finished hand and its score.
type Scoring struct {
	setup tarok.Setup
	score tarok.Score
}

// Score returns the score of a finished hand. It makes no search.
func (g *Game) Score(in Scoring) (api.TarokScore, error) {
	return g.outScore(&in.setup, &in.score), nil
}

func (g *Game) outScore(setup *tarok.Setup, s *tarok.Score) api.TarokScore {
	contract := setup.Contract
	out := api.TarokScore{
		Contract: api.TarokContract(contract.String()), Thirds: outNumbers(s.Thirds), Rest: s.Rest, Mond: outNumbers(s.Mond),
		Total: outNumbers(s.Total), Radli: outNumbers(s.Radli), Version: g.service.Version(),
	}
	if contract == tarok.Klop {
		out.Points = new(outNumbers(s.Points))
		return out
	}
	out.Declarer, out.Won, out.Game, out.Difference, out.Radl = outPlayer(setup.Declarer), &s.Won, &s.Game, &s.Difference, &s.Radl
	out.DeclarerPoints = &s.Points[setup.Declarer]
	if contract != tarok.Beggar {
		out.OpponentsPoints = new(tarok.Points(tarok.Total - s.Thirds[setup.Declarer]))
	}
	if contract.Exchange() > 0 {
		out.Bonuses = &api.TarokBonuses{
			Kings: s.Bonuses[tarok.AllKings], Trula: s.Bonuses[tarok.AllTrula], Pagat: s.Bonuses[tarok.LastPagat],
			Valat: s.Bonuses[tarok.Valat],
		}
	}
	return out
}

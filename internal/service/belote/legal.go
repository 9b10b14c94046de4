package belote

import (
	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/worlds"
)

// Legal returns who is to play and which cards are legal. It makes no search.
//
// With the flip after the trick, the card below the one that was led is not open yet.
func (g *Game) Legal(p Position) (api.BeloteLegalMoves, error) {
	now := &p.now
	tricks, err := p.completed()
	if err != nil {
		return api.BeloteLegalMoves{}, err
	}
	out := api.BeloteLegalMoves{
		Finished:  now.Finished(),
		Legal:     api.Cards{},
		Points:    outPoints(now),
		Left:      now.Left(),
		Completed: tricks,
		Rules:     p.outRules(),
		Version:   g.service.Version(),
	}
	open := [2]api.Cards{}
	for _, player := range belote.Players() {
		up := now.Up(player)
		if led, ok := now.Led(); ok && player == now.Leader() && p.flip == worlds.AfterTrick {
			up &^= now.Under(led)
		}
		open[player] = outCards(up.Slice())
	}
	out.Open = api.BeloteOpen{A: open[belote.A], B: open[belote.B]}
	if out.Finished {
		return out, nil
	}
	out.Turn = outPlayer(now.Turn())
	out.Legal = outCards(now.Legal().Slice())
	out.Trick = outTrick(now)
	return out, nil
}

func outPoints(now *belote.Position) api.BelotePoints {
	return api.BelotePoints{A: now.Points(belote.A), B: now.Points(belote.B)}
}

// outTrick returns the trick on the table.
func outTrick(now *belote.Position) *api.BeloteTrick {
	out := &api.BeloteTrick{Number: now.Played()/2 + 1, Leader: *outPlayer(now.Leader())}
	if led, ok := now.Led(); ok {
		out.Led = new(led.String())
	}
	return out
}

// completed returns the completed tricks, with their winners and points.
func (p *Position) completed() ([]api.BeloteCompletedTrick, error) {
	out := []api.BeloteCompletedTrick{}
	at := p.start
	for _, c := range p.played {
		next, trick, err := at.Completes(c)
		if err != nil {
			return nil, err
		}
		if trick != nil {
			out = append(out, outCompleted(trick))
		}
		at = next
	}
	return out, nil
}

func outCompleted(t *belote.Trick) api.BeloteCompletedTrick {
	return api.BeloteCompletedTrick{
		Number: t.Number, Leader: *outPlayer(t.Leader), Cards: outCards(t.Cards[:]), Winner: *outPlayer(t.Winner), Points: t.Points,
	}
}

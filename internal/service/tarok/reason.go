package tarok

import (
	"context"

	"roem/internal/api"
	"roem/internal/engine/cause/tricks"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/reason"
	"roem/internal/random"
	"roem/internal/service"
)

// reasonWorlds is how many of the worlds of a mistake are compared for its reason, at most.
const reasonWorlds = 300

// why finds why a card was a mistake; the exchange has no reason. It looks at worlds in which the program has compared the cards, and
// never at the hidden hands.
func (q *ReviewQuery) why(ctx context.Context, _ *service.Pass, d *decision, j *judgement) error {
	if exchanges(&d.Of) {
		return nil
	}
	view, better := d.Of.View(), j.cards.List[0].Card
	return q.game.service.WithPause(ctx, func(_ context.Context, pause func() error) error {
		a := advice.New(j.settings)
		a.Pause = pause
		worlds, exact, err := a.Worlds(view, random.New(q.seed), reasonWorlds)
		if err != nil {
			return err
		}
		found, ok, err := reason.Of(worlds, view.Played, advice.Said(view), d.Of.Act.Card, better, exact, pause)
		if ok {
			j.reason = &found
		}
		return err
	})
}

func outReason(why *reason.Why) *api.TarokReason {
	if why == nil {
		return nil
	}
	out := &api.TarokReason{
		Code: api.TarokReasonCode(reason.Name(why.Kind)), Trick: why.Trick, Seat: *outPlayer(why.Seat), By: why.By.String(), InBest: why.InGood,
		Points: why.Points, Worlds: why.Worlds, Applies: why.Applies, Decides: why.Decides, Share: rounded(why.Share),
		Hands:  outHands([3]tarok.Set{why.Before.Hand(tarok.A), why.Before.Hand(tarok.B), why.Before.Hand(tarok.C)}),
		Played: outCards(why.Lines.Played), Best: outCards(why.Lines.Best), Text: why.Text(),
	}
	if why.HasLost {
		out.Lost = new(why.Lost.String())
	}
	if why.Kind == tricks.Points || why.Kind == tricks.BringHome {
		out.Less = &why.Less
	}
	return out
}

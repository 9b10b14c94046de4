package belote

import (
	"context"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/reason"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/cause/tricks"
	"roem/internal/service"
)

// Reason is why a card was a mistake, as the cache keeps it and as answers have it.
type Reason = api.BeloteReason

// reasonKind is the kind of the keys of reasons.
const reasonKind = "belote reason"

// why looks for the reason of a mistake.
func (q *ReviewQuery) why(ctx context.Context, p *service.Pass, d *decision, j *judgement) error {
	played, better := d.Of.Act.Card, j.by.view.back[j.advice.Cards[0].Card]
	before := Position{start: q.position.start, played: q.position.played[:d.Of.Number], flip: q.position.flip}
	key := before.appendTo(newKey(reasonKind)).Byte(byte(played)).Byte(byte(better)).Uint(q.seed)
	found, source, err := service.Kept(ctx, p, key, func(ctx context.Context) (out *Reason, err error) {
		err = q.game.service.WithPause(ctx, func(ctx context.Context, pause func() error) error {
			asker := reason.Asker{Solver: effortful{q.game, search.New(search.Options{})}, Pause: pause}
			possible := reason.Worlds(d.Of.View().Seen, q.seed, reason.MostWorlds)
			why, ok, err := asker.Of(ctx, d.Of.Before.Position(), played, better, possible)
			if ok {
				out = outReason(&why, d.Of.Seat)
			}
			return err
		})
		return out, err
	})
	j.reason = found
	p.Found(source, 0)
	return err
}

// outReason returns the reason for a card of a player.
func outReason(why *reason.Why, turn belote.Player) *api.BeloteReason {
	out := &api.BeloteReason{
		Code: api.BeloteReasonCode(reason.Name(why.Kind)), Trick: why.Trick, Seat: *outPlayer(why.Seat), By: why.By.String(), InBest: why.InGood,
		Points: why.Points, Worlds: why.Worlds, Applies: why.Applies, Decides: why.Decides, Share: service.Rounded(why.Share, pointDigits),
		Played: outCards(why.Lines.Played), Best: outCards(why.Lines.Best), Text: why.Text(turn),
	}
	if why.HasLost {
		out.Lost = new(why.Lost.String())
	}
	if why.Kind == tricks.Points || why.Kind == tricks.BringHome {
		out.Less = &why.Less
	}
	if why.Example > 0 {
		out.Stacks = new(outDeal(why.Deal).Stacks)
	}
	return out
}

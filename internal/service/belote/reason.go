package belote

import (
	"context"
	"encoding/json"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/reason"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/cause/tricks"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// reasonKind is the kind of the keys of reasons.
const reasonKind = "belote reason"

// Why looks for the reason of a mistake. A value of the cache is a reason in JSON, null for none.
func (q *ReviewQuery) Why(ctx context.Context, p *service.Pass, d *decision, _ *AdviseQuery, j *judgement) error {
	played, better := d.Of.Act.Card, j.by.view.back[j.advice.Cards[0].Card]
	before := Position{start: q.position.start, played: q.position.played[:d.Of.Number], flip: q.position.flip}
	key := before.appendTo(newKey(reasonKind)).Byte(byte(played)).Byte(byte(better)).Uint(q.seed)
	read := func(value []byte) (out *api.BeloteReason, ok bool) {
		value, ok = key.Open(value)
		return out, ok && json.Unmarshal(value, &out) == nil
	}
	search := func(ctx context.Context, _ *computation.Task, solver *search.Solver, pause func() error) ([]byte, error) {
		asker := reason.Asker{Solver: effortful{q.game, solver}, Pause: pause}
		possible := reason.Worlds(d.Of.View().Seen, q.seed, reason.MostWorlds)
		why, ok, err := asker.Of(ctx, d.Of.Before.Position(), played, better, possible)
		if err != nil {
			return nil, err
		}
		var out *api.BeloteReason
		if ok {
			out = outReason(&why, d.Of.Seat)
		}
		text, err := json.Marshal(out)
		return key.Seal(text), err
	}
	value, err := p.LookUp(ctx, service.Lookup{
		Keys: []solvecache.Key{solvecache.Key(key)}, Valid: func(value []byte) bool { _, ok := read(value); return ok }, InParts: true,
		Compute: q.game.inTurns(search),
	}, nil)
	if err == nil {
		var ok bool
		if j.reason, ok = read(value.Bytes); !ok {
			return &service.Error{Detail: "the reason does not fit its question"}
		}
	}
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
		lost := why.Lost.String()
		out.Lost = &lost
	}
	if why.Kind == tricks.Points || why.Kind == tricks.BringHome {
		out.Less = &why.Less
	}
	if why.Example > 0 {
		stacks := outDeal(why.Deal).Stacks
		out.Stacks = &stacks
	}
	return out
}

package belote

import (
	"context"
	"encoding/json"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/reason"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/cause/tricks"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// reasonQuery asks why a card was a mistake on what was seen. Its answer is an *api.BeloteReason, nil if there is no reason.
type reasonQuery struct {
	*service.LookupQuery
	game           *Game
	view           *worlds.View
	now            belote.Position // before the card
	played, better piquet.Card
	seed           uint64
	key            service.Key
}

// reasonKind is the kind of the keys of reasons.
const reasonKind = "belote reason"

// why returns the question why a decision was a mistake, or nil if it was none.
func (q *ReviewQuery) why(d *decision, advised service.Answer) (*reasonQuery, error) {
	k := d.known(advised)
	if k == nil || reviewRule.OnKnowledge(knownCost(k)) != api.VerdictMistake {
		return nil, nil
	}
	one := &reasonQuery{game: q.game, played: d.card, seed: q.seed}
	var err error
	if one.better, err = piquet.ParseCard(k.Advised); err != nil {
		return nil, err
	}
	before := Position{start: q.position.start, played: q.position.played[:d.number], flip: q.position.flip}
	if one.now, err = before.start.Replay(before.played); err != nil {
		return nil, err
	}
	if one.view, err = worlds.Of(&before.start, before.played, before.flip); err != nil {
		return nil, err
	}
	one.key = before.appendTo(newKey(reasonKind)).Byte(byte(one.played)).Byte(byte(one.better)).Uint(one.seed)
	read := func(value []byte) (out *api.BeloteReason, ok bool) {
		value, ok = one.key.Open(value)
		return out, ok && json.Unmarshal(value, &out) == nil
	}
	one.LookupQuery = service.NewLookupQuery(q.game.service, one.key, service.Lookup{
		Valid: func(value []byte) bool { _, ok := read(value); return ok }, InParts: true, Compute: q.game.inTurns(one.search),
	}, func(value service.Value) (service.Answer, error) {
		out, ok := read(value.Bytes)
		if !ok {
			return service.Answer{}, &service.Error{Detail: "the reason does not fit its question"}
		}
		return value.Solved(out, 1, 0), nil
	})
	return one, nil
}

// search looks for the reason.
func (q *reasonQuery) search(ctx context.Context, _ *computation.Task, solver *search.Solver, pause func() error) ([]byte, error) {
	asker := reason.Asker{Solver: effortful{q.game, solver}, Pause: pause}
	why, ok, err := asker.Of(ctx, q.now, q.played, q.better, reason.Worlds(q.view, q.seed, reason.MostWorlds))
	if err != nil {
		return nil, err
	}
	var out *api.BeloteReason
	if ok {
		out = outReason(&why, q.now.Turn())
	}
	text, err := json.Marshal(out)
	return q.key.Seal(text), err
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

// explained is what is found about a decision: the advice, and the reason of a mistake.
type explained struct {
	advised service.Answer
	reason  *api.BeloteReason
	source  api.Source // of the reason
}

// explain returns the advice about a decision and the reason.
func (q *ReviewQuery) explain(
	d *decision, ask func(service.Query) (service.Answer, bool, error),
) (out explained, ok bool, err error) {
	if out.advised, ok, err = d.answer(ask); !ok || err != nil {
		return out, ok, err
	}
	why, err := q.why(d, out.advised)
	if why == nil || err != nil {
		return out, err == nil, err
	}
	answer, ok, err := ask(why)
	if !ok || err != nil {
		return out, ok, err
	}
	out.source = answer.Source
	out.reason, ok = answer.Body.(*api.BeloteReason)
	return out, ok, nil
}

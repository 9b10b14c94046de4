package ginrummy

import (
	"context"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/reason"
	"roem/internal/engine/table/decisions"
	"roem/internal/model/ginrummy/hand"
	"roem/internal/random"
	"roem/internal/service"
)

// ReviewQuery asks what the actions of one seat or of both seats in a round cost, on what they could know. An action is judged over a
// number of worlds.
type ReviewQuery struct {
	service.ReviewOf[chosen, int, judgement]

	game   *Game
	record ginrummy.Record
	events []int // of the actions
	whose  service.Whose
	worlds []int // a further number is for actions that are uncertain over the ones before
	seed   uint64
}

type (
	chosen   = decisions.Decision[players.Table, ginrummy.Seat, ginrummy.View, ginrummy.Action]
	decision = service.Decision[chosen, int]
)

// judgement is what is found about an action.
type judgement struct {
	judged advice.Judged
	worlds int
	reason *reason.Reason // why it was a mistake; nil for another verdict, and if nothing explains it
}

// bothSeats is in place of a seat if both are reviewed.
const bothSeats = 2

// closeWorlds is the number of worlds of an action that is uncertain over as many as advise has, if the request sets none.
const closeWorlds = 384

// reviewRule is the rule of the verdicts.
var reviewRule = service.ReviewRule{LeastCost: 2, StandardErrors: 2}

// decide finds the decisions of the hand. Its error is a *service.Error of kind Impossible.
func (q *ReviewQuery) decide() error {
	deal, acts, events, err := q.record.Acts()
	if err != nil {
		return service.FromEngine(err)
	}
	q.events = events
	list, err := service.Decide(q.whose, "/events", "action", decisions.Of(players.NewTable(deal, [2]int{}), acts), func(d *chosen) int {
		v := d.View()
		return v.Choices()
	}, func(*chosen) ([]int, error) { return q.worlds, nil })
	if err != nil {
		return err
	}
	q.ReviewOf = service.ReviewOf[chosen, int, judgement]{
		Service: q.game.service, Name: q.key(), Rule: reviewRule, Digits: valueDigits, Decisions: list, Judge: q.judged,
		CostOf: func(d *decision) time.Duration {
			return slowTime * time.Duration(d.Asks[0]) / time.Duration(q.game.judge().Worlds)
		},
		Base: quickTime,
	}
	return nil
}

// judge returns the settings of the player that advises.
func (g *Game) judge() advice.Settings { return advice.Default(g.hands) }

// key holds the round, whose actions are reviewed, and the options.
func (q *ReviewQuery) key() service.Key {
	r := &q.record
	key := service.NewKey(gameName, schemaVersion, hand.Version, KindReview).Int(playersVersion)
	key = key.Byte(byte(r.Starter)).Byte(byte(r.Upcard)).Uint(uint64(r.Hands[0])).Uint(uint64(r.Hands[1])).Byte(byte(r.LayOffs))
	key = key.Int(len(r.Events))
	for _, e := range r.Events {
		key = key.Byte(byte(e.Seat)).Byte(byte(e.Kind)).Byte(byte(e.Card))
	}
	given := -1 // none laid off is not the rule's lay-offs
	if r.LaidOff != nil {
		given = len(r.LaidOff)
	}
	key = key.Int(given)
	for _, l := range r.LaidOff {
		key = key.Byte(byte(l.Card)).Uint(uint64(l.On))
	}
	key = key.Byte(q.whose.Byte(bothSeats)).Int(len(q.worlds))
	for _, n := range q.worlds {
		key = key.Int(n)
	}
	return key.Uint(q.seed)
}

// judged plays an action and the others on.
func (q *ReviewQuery) judged(ctx context.Context, p *service.Pass, d *decision, worlds int, j *judgement) (c service.KnownCost, err error) {
	if err := p.Search(); err != nil {
		return c, err
	}
	settings := q.game.judge()
	settings.Worlds = worlds
	v := d.Of.View()
	err = q.game.service.WithSlot(ctx, func(ctx context.Context, _ *computation.Slot) (err error) {
		judge := advice.New(settings)
		j.judged, err = judge.Judge(ctx, &v, d.Of.Act, random.New(q.seed))
		j.worlds, c = worlds, service.KnownOf(rounded(j.judged.Cost), rounded(j.judged.Error))
		if err == nil && reviewRule.IsMistake(c) {
			j.reason = nil
			if r, ok := reason.Find(&v, &j.judged, judge.Pairs(&v, &j.judged)); ok {
				j.reason = &r
			}
		}
		return err
	})
	return c, err
}

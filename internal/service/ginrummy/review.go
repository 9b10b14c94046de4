package ginrummy

import (
	"context"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/table/decisions"
	"roem/internal/engine/violation"
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
	reason *api.GinReason
}

// bothSeats is in place of a seat if both are reviewed.
const bothSeats = 2

// KindReview is the kind of the jobs of reviews.
const KindReview = string(api.JobKindGinRummyReview)

// closeWorlds is the number of worlds of an action that is uncertain over as many as advise has, if the request sets none.
const closeWorlds = 384

// reviewRule is the rule of the verdicts.
var reviewRule = service.ReviewRule{LeastCost: 2, StandardErrors: 2}

// ParseReview reads the body of review.
func (g *Game) ParseReview(ctx context.Context, body []byte) (*ReviewQuery, error) {
	return service.Decode(ctx, g.schemas, body, "GinReviewRequest", g.newReviewQuery)
}

func (g *Game) newReviewQuery(in reviewBody) (*ReviewQuery, error) {
	var vs service.Problems
	q := &ReviewQuery{game: g, record: in.record(&vs), worlds: []int{g.judge().Worlds, closeWorlds}, seed: vs.Seed(in.Seed)}
	q.whose = service.ReadWhose(&vs, in.Seat, ginrummy.ParseSeat, ginrummy.Seat.String)
	if err := vs.Err(); err != nil {
		return nil, err
	}
	if in.Worlds != nil {
		q.worlds = []int{*in.Worlds}
	}
	deal, acts, events, err := q.record.Acts()
	if err != nil {
		return nil, service.FromEngine(err)
	}
	q.events = events
	list, err := service.Decide(q.whose, "/events", "action", decisions.Of(players.NewTable(deal, [2]int{}), acts), func(d *chosen) int {
		v := d.View()
		return v.Choices()
	}, func(*chosen) ([]int, error) { return q.worlds, nil })
	if err != nil {
		return nil, err
	}
	q.ReviewOf = service.ReviewOf[chosen, int, judgement]{
		Service: g.service, Name: q.key(), Rule: reviewRule, Digits: valueDigits, Decisions: list, Judge: q.judged,
		CostOf: func(d *decision) time.Duration {
			return slowTime * time.Duration(d.Asks[0]) / time.Duration(g.judge().Worlds)
		},
		Base: quickTime,
	}
	return q, nil
}

// record reads the hand.
func (in *reviewBody) record(vs *service.Problems) ginrummy.Record {
	r := ginrummy.Record{
		Starter: parseSeat("/starter", in.Starter, vs), Upcard: parseCard("/upcard", in.Upcard, vs),
		Hands:   [2]ginrummy.Set{parseSet("/hands/A", in.Hands.A, vs), parseSet("/hands/B", in.Hands.B, vs)},
		LayOffs: layOffsOf(in.LayOffs), Events: make([]ginrummy.Event, len(in.Events)),
	}
	for i, e := range in.Events {
		r.Events[i] = e.event("/events/"+strconv.Itoa(i), vs)
		if len(*vs) > ginrummy.DeckSize { // enough of them
			break
		}
	}
	if in.LaidOff != nil {
		r.LaidOff = make([]ginrummy.LayOff, len(in.LaidOff))
	}
	for i, l := range in.LaidOff {
		where := "/laid_off/" + strconv.Itoa(i)
		r.LaidOff[i] = ginrummy.LayOff{Card: parseCard(where+"/card", l.Card, vs), On: parseSet(where+"/on", l.On, vs)}
	}
	return r
}

// event returns the event.
func (e *positionEventBody) event(where string, vs *service.Problems) ginrummy.Event {
	kind, err := ginrummy.ParseKind(e.Kind)
	vs.Add(where+"/kind", err)
	event := ginrummy.Event{Seat: parseSeat(where+"/seat", e.Seat, vs), Kind: kind, Card: ginrummy.NoCard}
	where += "/card"
	switch hasCard := kind != ginrummy.Pass && kind != ginrummy.Knock; {
	case !hasCard && e.Card != nil:
		vs.Addf(where, violation.NotUsed, "a %s has no card", kind)
	case !hasCard:
	case e.Card == nil:
		vs.Addf(where, violation.Needed, "is missing")
	default:
		event.Card = parseCard(where, *e.Card, vs)
	}
	return event
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
		if err == nil && reviewRule.OnKnowledge(c) == api.VerdictMistake {
			j.reason = outReason(&v, &j.judged, judge.Pairs(&v, &j.judged))
		}
		return err
	})
	return c, err
}

// review builds the answer of a review.
func (g *Game) review(q *ReviewQuery, a service.Answer[*service.Findings[chosen, int, judgement]]) api.GinReview {
	f := a.Result
	out := api.GinReview{
		Actions: make([]api.GinReviewedAction, len(f.List)), Rule: api.ReviewRule(reviewRule), Seed: strconv.FormatUint(q.seed, 10),
		Model: q.game.model, Version: g.service.Version(),
	}
	for i := range f.List {
		d, found := &q.Decisions[i], &f.List[i]
		out.Actions[i] = api.GinReviewedAction{
			Number: q.events[d.Of.Number] + 1, Turn: d.Of.Before.Turns() + 1, Seat: outSeat(d.Of.Seat), Action: outAction(d.Of.Act),
			Legal: d.Legal, Verdict: found.Verdict, Reason: found.Of.reason,
		}
		if k := found.Cost; k != nil {
			out.Actions[i].Knowledge = &api.GinReviewKnowledge{
				Cost: k.Cost, StandardError: *k.StandardError, Advised: outAction(found.Of.judged.Advised), Worlds: found.Of.worlds,
			}
		}
	}
	out.Seats = api.GinSeatReviews{A: outSums(f.Seats[ginrummy.A]), B: outSums(f.Seats[ginrummy.B])}
	return out
}

func outSums(s *api.SeatReview) *api.GinSeatReview {
	if s == nil {
		return nil
	}
	return &api.GinSeatReview{KnowledgeCost: s.KnowledgeCost, Verdicts: s.Verdicts}
}

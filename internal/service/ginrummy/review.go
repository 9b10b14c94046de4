package ginrummy

import (
	"context"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/violation"
	"roem/internal/model/ginrummy/hand"
	"roem/internal/random"
	"roem/internal/service"
)

// ReviewQuery asks what the actions of one seat or of both seats in a round cost, on what they could know.
type ReviewQuery struct {
	service.Uncached
	game      *Game
	record    ginrummy.Record
	who       byte  // a seat, or bothSeats
	worlds    []int // a further number is for actions that are uncertain over the ones before
	seed      uint64
	decisions []ginrummy.Decision
}

// bothSeats is in place of a seat if both are reviewed.
const bothSeats = byte(2)

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
	q := &ReviewQuery{game: g, record: in.record(&vs), who: bothSeats, worlds: []int{g.judge().Worlds, closeWorlds}, seed: vs.Seed(in.Seed)}
	if err := vs.Err(); err != nil {
		return nil, err
	}
	if in.Worlds != nil {
		q.worlds = []int{*in.Worlds}
	}
	all, err := q.record.Decisions()
	if err != nil {
		return nil, service.FromEngine(err)
	}
	of := ""
	if in.Seat != nil {
		q.who, of = byte(seatOf(*in.Seat)), " of "+string(*in.Seat)
	}
	for _, d := range all {
		if q.who == bothSeats || q.who == byte(d.View.Seat) {
			q.decisions = append(q.decisions, d)
		}
	}
	if len(q.decisions) == 0 {
		return nil, service.Refused(violation.New(violation.Needed, "has no action%s: expected at least one", of).At("/events"))
	}
	return q, nil
}

// record reads the round.
func (in *reviewBody) record(vs *service.Problems) ginrummy.Record {
	r := ginrummy.Record{
		Starter: seatOf(in.Starter), Upcard: parseCard("/upcard", in.Upcard, vs),
		Dealt:   [2]ginrummy.Set{parseSet("/dealt/me", in.Dealt.Me, vs), parseSet("/dealt/opp", in.Dealt.Opp, vs)},
		LayOffs: layOffsOf(in.LayOffs), Events: make([]ginrummy.Event, len(in.Events)),
	}
	for i, e := range in.Events {
		var err error
		if r.Events[i], err = e.event(); err != nil {
			vs.Add("/events/"+strconv.Itoa(i)+"/card", err)
		}
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

// event returns the event. An error is about its card.
func (e *roundEventBody) event() (event ginrummy.Event, err error) {
	kind, err := ginrummy.ParseKind(e.Kind)
	if err != nil {
		return event, err // the enumeration of the contract has the kinds of the engine
	}
	event = ginrummy.Event{Seat: seatOf(e.Seat), Kind: kind, Card: ginrummy.NoCard}
	switch hasCard := kind != ginrummy.Pass && kind != ginrummy.Knock; {
	case !hasCard && e.Card != nil:
		return event, violation.New(violation.NotUsed, "a %s has no card", kind)
	case !hasCard:
		return event, nil
	case e.Card == nil:
		return event, violation.New(violation.Needed, "is missing")
	}
	event.Card, err = ginrummy.ParseCard(*e.Card)
	return event, err
}

// judge returns the settings of the player that advises.
func (g *Game) judge() advice.Settings { return advice.Default(g.hands) }

// Key holds the round, whose actions are reviewed, and the options.
func (q *ReviewQuery) Key() []byte {
	r := &q.record
	key := service.NewKey(gameName, schemaVersion, hand.Version, KindReview).Int(playersVersion)
	key = key.Byte(byte(r.Starter)).Byte(byte(r.Upcard)).Uint(uint64(r.Dealt[0])).Uint(uint64(r.Dealt[1])).Byte(byte(r.LayOffs))
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
	key = key.Byte(q.who).Int(len(q.worlds))
	for _, n := range q.worlds {
		key = key.Int(n)
	}
	return key.Uint(q.seed)
}

// Cost is the cost of the actions with a choice. The worlds that are played on only for uncertain ones do not count.
func (q *ReviewQuery) Cost() time.Duration {
	each := slowTime * time.Duration(q.worlds[0]) / time.Duration(q.game.judge().Worlds)
	sum := quickTime
	for i := range q.decisions {
		if q.decisions[i].Legal() > 1 {
			sum += each
		}
	}
	return sum
}

// Computation reviews the actions. It needs no slot; each action with a choice does.
func (q *ReviewQuery) Computation() computation.Spec {
	run := func(ctx context.Context, task *computation.Task) (service.Answer, error) {
		known := make([]judgement, len(q.decisions))
		if err := q.game.service.EachPart(ctx, task, len(known), func(i int) (err error) {
			if q.decisions[i].Legal() > 1 {
				known[i], err = q.knowledge(ctx, &q.decisions[i])
			}
			return err
		}); err != nil {
			return service.Answer{}, err
		}
		return q.answer(known), nil
	}
	return service.Running(computation.Key(q.Key()), run)
}

// judgement is what an action cost on what its player could know, and why it was a mistake. Both are nil if there was no choice.
type judgement struct {
	knowledge *api.GinReviewKnowledge
	reason    *api.GinReason
}

// knowledge returns the judgement of an action: over more worlds if it is uncertain over the first.
func (q *ReviewQuery) knowledge(ctx context.Context, d *ginrummy.Decision) (out judgement, err error) {
	for _, worlds := range q.worlds {
		settings := q.game.judge()
		settings.Worlds = worlds
		if err := q.game.service.WithSlot(ctx, func(ctx context.Context, _ *computation.Slot) error {
			judge := advice.New(settings)
			judged, err := judge.Judge(ctx, &d.View, d.Action, random.New(q.seed))
			if err != nil {
				return err
			}
			out.knowledge = &api.GinReviewKnowledge{
				Cost: rounded(judged.Cost), StandardError: rounded(judged.Error), Advised: outAction(judged.Advised), Worlds: worlds,
			}
			if reviewRule.OnKnowledge(knownCost(out.knowledge)) == api.VerdictMistake {
				out.reason = outReason(&d.View, &judged, judge.Pairs(&d.View, &judged))
			}
			return nil
		}); err != nil {
			return out, err
		}
		if !reviewRule.IsClose(knownCost(out.knowledge)) {
			break
		}
	}
	return out, nil
}

func knownCost(k *api.GinReviewKnowledge) service.KnownCost {
	return service.KnownCost{Cost: k.Cost, StandardError: &k.StandardError}
}

// answer builds the review.
func (q *ReviewQuery) answer(known []judgement) service.Answer {
	out := api.GinReview{
		Actions: make([]api.GinReviewedAction, len(q.decisions)), Rule: api.ReviewRule(reviewRule), Seed: strconv.FormatUint(q.seed, 10),
		Model: q.game.model, Version: q.game.service.Version(),
	}
	seats := [2]**api.GinSeatReview{&out.Seats.Me, &out.Seats.Opp}
	for i := range q.decisions {
		d, k := &q.decisions[i], known[i].knowledge
		action := api.GinReviewedAction{
			Number: d.Event + 1, Turn: d.View.Turns + 1, Seat: outWho(d.View.Seat), Action: outAction(d.Action), Legal: d.Legal(),
			Verdict: api.VerdictForced, Knowledge: k, Reason: known[i].reason,
		}
		seat := seats[d.View.Seat]
		if *seat == nil {
			*seat = &api.GinSeatReview{}
		}
		if k != nil {
			action.Verdict = reviewRule.OnKnowledge(knownCost(k))
			(*seat).KnowledgeCost = rounded((*seat).KnowledgeCost + k.Cost)
		}
		service.CountVerdict(&(*seat).Verdicts, action.Verdict)
		out.Actions[i] = action
	}
	return service.Answer{Body: out, Progress: computation.Progress{Done: len(known), Of: len(known)}}
}

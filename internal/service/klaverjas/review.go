package klaverjas

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// ReviewQuery asks what the cards of one seat or of all seats cost, with open cards and on what each seat could know when it played them.
type ReviewQuery struct {
	service.Uncached
	game      *Game
	position  Position
	seed      uint64
	decisions []decision
	began     time.Time
	key       service.Key
}

// decision is a card that a seat played.
type decision struct {
	seat   piquet.Seat
	number int // of the card, from 0
	card   piquet.Card
	legal  piquet.Set
	// The questions about the card. They are not set if no other card was legal.
	twin canonical // before the card
	// advise are about the seat's view at that time, which has no hidden hands. A second one searches more worlds, in case the first leaves
	// open whether the card was a mistake.
	advise []*AdviseQuery
}

func (d *decision) forced() bool { return len(d.advise) == 0 }

// decided is what a decision cost.
type decided struct {
	open   result       // of the canonical form
	by     *AdviseQuery // whose worlds the tally has
	tally  *advice.Tally
	source api.Source // search if any part was searched
	nodes  uint64     // of the parts that were searched
	why    explained  // of a mistake on knowledge
}

// ParseReview reads the body of review.
func (g *Game) ParseReview(ctx context.Context, body []byte) (*ReviewQuery, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasReviewRequest", g.newReviewQuery)
}

func (g *Game) newReviewQuery(in reviewBody) (*ReviewQuery, error) {
	options := AdviseQuery{game: g, began: time.Now()}
	if err := options.options(&adviseBody{Worlds: in.Worlds, Seed: in.Seed}); err != nil {
		return nil, err
	}
	p, seat, err := in.parse()
	if err != nil {
		return nil, err
	}
	q := &ReviewQuery{game: g, position: p, seed: options.seed, began: options.began}
	twin, err := newCanonical(p)
	if err != nil {
		return nil, err
	}
	at := p.start
	for i, c := range p.played {
		if turn := at.Turn(); seat == nil || turn == *seat {
			d := decision{seat: turn, number: i, card: c, legal: at.Legal()}
			if d.legal.Len() > 1 {
				if d.twin, err = twin.before(i); err != nil {
					return nil, err
				}
				first, err := options.view(worlds.ViewOf(p.start, p.played[:i], turn), in.Worlds == nil)
				if err != nil {
					return nil, err
				}
				d.advise = append(d.advise, first)
				if in.Worlds == nil && !first.all {
					more := *first
					more.worlds = closeWorlds
					d.advise = append(d.advise, &more)
				}
			}
			q.decisions = append(q.decisions, d)
		}
		if at, err = at.Play(c); err != nil {
			return nil, err
		}
	}
	who, of := byte(allSeats), ""
	if seat != nil {
		who, of = byte(*seat), " of "+seat.String()
	}
	if len(q.decisions) == 0 {
		return nil, service.Refused(violation.New(violation.Needed, "has no card%s: expected at least one", of).At("/played"))
	}
	worlds := options.worlds
	if in.Worlds == nil {
		worlds = 0
	}
	q.key = p.appendTo(newKey(KindReview)).Byte(who).Int(worlds).Uint(q.seed)
	return q, nil
}

// allSeats is what the key has in place of a seat if all are reviewed.
const allSeats = 4

// parse returns the position and the seat, or nil for all seats. Its error is a *service.Error of kind Malformed or Impossible.
func (in reviewBody) parse() (p Position, seat *piquet.Seat, err error) {
	var unknown error
	if in.Seat != nil {
		var one piquet.Seat
		one, unknown = piquet.ParseSeat(*in.Seat)
		seat = &one
	}
	p, err = newPosition(in.positionBody)
	e, refused := errors.AsType[*service.Error](err)
	if err != nil && !refused || unknown == nil {
		return p, seat, err
	}
	var vs service.Problems
	vs.Add("/seat", unknown)
	if refused {
		vs = append(vs, e.Violations...)
	}
	return p, seat, vs.Err()
}

// view returns a query with the same options about a view in which the seat is to play.
func (q AdviseQuery) view(v worlds.View, open bool) (*AdviseQuery, error) {
	k, err := worlds.New(v)
	if err != nil {
		return nil, err
	}
	question, err := advice.NewQuestion(k)
	if err != nil {
		return nil, err
	}
	q.ask(question, open)
	return &q, nil
}

// Key holds the position in its own seats and suits, the seat and the options.
func (q *ReviewQuery) Key() []byte { return q.key }

// Known returns the answer if the cache has all parts, or if every card was forced.
func (q *ReviewQuery) Known(ctx context.Context) (service.Answer, bool, error) {
	var keys []solvecache.Key
	for i := range q.decisions {
		if d := &q.decisions[i]; !d.forced() {
			keys = append(keys, d.twin.keyFor(byte(search.Moves), d.number))
		}
	}
	known := q.game.service.Cache().Get(ctx, keys)
	all := make([]decided, len(q.decisions))
	var values []service.Value
	for i := range q.decisions {
		d := &q.decisions[i]
		if d.forced() {
			continue
		}
		one := decided{source: api.Cache}
		var value service.Value
		var ok bool
		if one.open, value, ok = firstResult(known[:1], search.Moves, d.twin.now); !ok {
			return service.Answer{}, false, nil
		}
		known, values = known[1:], append(values, value)
		for _, by := range d.advise {
			one.by = by
			if one.tally, ok = by.known(ctx); !ok {
				return service.Answer{}, false, nil
			}
			if !one.isClose(d) {
				break
			}
		}
		if e := q.explanationOf(d, &one); e != nil {
			if one.why, ok = e.known(ctx); !ok {
				return service.Answer{}, false, nil
			}
		}
		all[i] = one
	}
	for _, value := range values {
		service.EffortOf(ctx).NoteValue(value)
	}
	return q.answer(all), true, nil
}

// Computation reviews the cards from the last to the first, whose searches take longest. It needs no slot; its parts do.
func (q *ReviewQuery) Computation() computation.Spec {
	return computation.Spec{Key: q.game.sharedKey(q.Key()), Run: func(ctx context.Context, task *computation.Task) (any, error) {
		sum := newParts(task, q.worlds())
		all := make([]decided, len(q.decisions))
		for i := len(all) - 1; i >= 0; i-- {
			if q.decisions[i].forced() {
				continue
			}
			var err error
			if all[i], err = q.decide(ctx, &q.decisions[i], sum); err != nil {
				return nil, err
			}
		}
		return q.answer(all), nil
	}}
}

// worlds returns how many worlds are searched if no card is close, with the hands of the position as one more world for each card.
func (q *ReviewQuery) worlds() (sum int) {
	for i := range q.decisions {
		if d := &q.decisions[i]; !d.forced() {
			sum += d.advise[0].worlds + 1
		}
	}
	return sum
}

// decide finds what a card cost, with open cards and over the worlds of the view.
func (q *ReviewQuery) decide(ctx context.Context, d *decision, sum *parts) (decided, error) {
	out := decided{source: api.Cache}
	open, value, err := q.game.find(ctx, d.twin, search.Moves, sum.part(), 0)
	if err != nil {
		return out, err
	}
	out.open = open
	if value.Source() == api.Search {
		out.source, out.nodes = api.Search, open.nodes
	}
	sum.add(1, 0)
	for i, by := range d.advise {
		if i > 0 {
			sum.more(by.worlds)
		}
		out.by = by
		var ok bool
		if out.tally, ok = by.known(ctx); ok {
			sum.add(by.worlds, 0)
		} else {
			if out.tally, err = by.search(ctx, sum); err != nil {
				return out, err
			}
			out.source = api.Search
			out.nodes += out.tally.Nodes
		}
		if !out.isClose(d) {
			break
		}
	}
	e := q.explanationOf(d, &out)
	if e == nil {
		return out, nil
	}
	var ok bool
	if out.why, ok = e.known(ctx); !ok {
		var nodes uint64
		if out.why, nodes, err = e.search(ctx); err != nil {
			return out, err
		}
		out.source = api.Search
		out.nodes += nodes
		sum.add(0, nodes)
	}
	return out, nil
}

// isClose reports whether the worlds do not decide whether the card was a mistake.
func (f *decided) isClose(d *decision) bool {
	return reviewRule.IsClose(knownCost(f.by.reviewed(f.tally, d.card)))
}

func (q *ReviewQuery) answer(all []decided) service.Answer {
	out := api.KlaverjasReview{
		Cards: make([]api.KlaverjasReviewedCard, len(all)), Basis: api.AdviceBasisKnowledge,
		Rules: outRules(q.position.start.Rules()), Deal: outIdentity(q.position.start.Deal()), Seed: strconv.FormatUint(q.seed, 10),
		Rule:   api.ReviewRule(reviewRule),
		Source: api.Search, Version: q.game.service.Version(),
	}
	seats := [4]**api.SeatReview{&out.Seats.N, &out.Seats.E, &out.Seats.S, &out.Seats.W}
	var nodes uint64
	choices, cached, worlds := 0, 0, 0
	for i := range all {
		d, one := &q.decisions[i], &all[i]
		card := q.reviewed(d, one)
		out.Cards[i] = card
		known := 0.0
		if card.Knowledge != nil {
			known = card.Knowledge.Cost
		}
		service.CountReviewed(seats[d.seat], card.Verdict, card.Open.Cost, known, pointDigits)
		nodes += one.nodes
		if !d.forced() {
			choices++
			worlds += one.by.worlds + 1
		}
		if one.source == api.Cache {
			cached++
		}
	}
	if choices > 0 && cached == choices {
		out.Source = api.Cache
	}
	out.Stats = stats(nodes, out.Source, q.began)
	return service.Answer{
		Body: out, Source: out.Source, Nodes: out.Stats.Nodes, Progress: computation.Progress{Done: worlds, Of: worlds, Nodes: nodes},
	}
}

// reviewed returns what a card cost, and the verdict.
func (q *ReviewQuery) reviewed(d *decision, found *decided) api.KlaverjasReviewedCard {
	out := api.KlaverjasReviewedCard{
		Number: d.number + 1, Trick: d.number/trickSize + 1, Seat: *outSeat(d.seat), Card: d.card.String(), Legal: d.legal.Len(),
	}
	if d.forced() {
		out.Open.Best, out.Verdict = api.Cards{d.card.String()}, api.VerdictForced
		return out
	}
	// The twin of the decision has only the cards before it, so its relabelling back finds the card.
	var best piquet.Set
	for _, m := range found.open.moves {
		c := d.twin.back.Card(m.Card)
		if m.Best {
			best = best.With(c)
		}
		if c == d.card {
			out.Open.Cost = found.open.outcome - m.Outcome
		}
	}
	if d.seat.Team() != q.position.start.Deal().Declarer {
		out.Open.Cost = -out.Open.Cost
	}
	out.Open.Best = outCards(best.Slice())
	out.Knowledge = found.by.reviewed(found.tally, d.card)
	out.Verdict = reviewRule.Verdict(out.Open.Cost, knownCost(out.Knowledge))
	if e := q.explanationOf(d, found); e != nil {
		e.explain(found.why, &out)
	}
	return out
}

// reviewed returns what the worlds of the tally say about the card that was played.
func (q *AdviseQuery) reviewed(t *advice.Tally, card piquet.Card) *api.KlaverjasReviewKnowledge {
	a := q.question.Advise(t, q.objective, true)
	out := &api.KlaverjasReviewKnowledge{
		Advised: a.Card.String(), Worlds: api.KlaverjasAdviceWorlds{Used: a.Used, Of: strconv.FormatUint(a.Of, 10), All: a.All},
	}
	for _, v := range a.Cards {
		if v.Card != card {
			continue
		}
		out.Cost, out.BestIn = service.Rounded(v.Cost.Mean, pointDigits), service.Rounded(v.BestIn, probabilityDigits)
		if !math.IsInf(v.Outcome.Error, 0) {
			deviation := service.Rounded(v.Cost.Error, pointDigits)
			out.StandardError = &deviation
		}
	}
	return out
}

func knownCost(k *api.KlaverjasReviewKnowledge) service.KnownCost {
	return service.KnownCost{Cost: k.Cost, StandardError: k.StandardError}
}

// reviewRule is the rule of the verdicts. A card that was a mistake costs at least five points on knowledge.
var reviewRule = service.ReviewRule{LeastCost: 5, StandardErrors: advice.ClearErrors}

// closeWorlds is how many worlds are searched for a card that is uncertain over defaultWorlds, if the request sets no number.
const closeWorlds = 4 * defaultWorlds

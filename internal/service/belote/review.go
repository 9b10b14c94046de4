package belote

import (
	"context"
	"slices"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/advice"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// ReviewQuery asks what the cards of one seat or of both seats cost, with all cards known and while cards are face down.
type ReviewQuery struct {
	service.Uncached
	game      *Game
	position  Position
	seed      uint64
	analyse   *AnalyseQuery // of all cards played
	decisions []decision
	began     time.Time
	key       service.Key
}

// decision is a card that a seat played.
type decision struct {
	seat   belote.Player
	number int // of the card, from 0
	card   piquet.Card
	legal  int
	// advise are about what was seen at that time. They are not there if no other card was legal. A second one searches more worlds, in case
	// the first leaves open whether the card was a mistake.
	advise []*AdviseQuery
}

// The numbers of worlds of a card, if the request sets none. The second one is for cards that are uncertain over the first.
const (
	reviewWorlds = 20
	closeWorlds  = 4 * reviewWorlds
)

// reviewRule is the rule of the verdicts. A card that was a mistake costs at least five points on knowledge.
var reviewRule = service.ReviewRule{LeastCost: 5, StandardErrors: advice.ClearErrors}

// ParseReview reads the body of review.
func (g *Game) ParseReview(ctx context.Context, body []byte) (*ReviewQuery, error) {
	return service.Decode(ctx, g.schemas, body, "BeloteReviewRequest", g.newReviewQuery)
}

func (g *Game) newReviewQuery(in reviewBody) (*ReviewQuery, error) {
	q := &ReviewQuery{game: g, began: time.Now()}
	var vs service.Problems
	q.seed = vs.Seed(in.Seed)
	seat := service.Read(&vs, "/seat", in.Seat, belote.ParsePlayer, belote.A)
	if err := vs.Err(); err != nil {
		return nil, err
	}
	var err error
	if q.position, err = newPosition(in.positionBody); err != nil {
		return nil, err
	}
	who, of := bothSeats, ""
	if in.Seat != nil {
		who, of = byte(seat), " of "+seat.String()
	}
	if err := q.decide(who, in.Worlds); err != nil {
		return nil, err
	}
	if len(q.decisions) == 0 {
		return nil, service.Refused(violation.New(violation.Needed, "has no card%s: expected at least one", of).At("/played"))
	}
	if q.analyse, err = g.newAnalyseQuery(q.position); err != nil {
		return nil, err
	}
	q.key = q.position.appendTo(newKey(KindReview)).Byte(who).Int(service.Or(in.Worlds, 0)).Uint(q.seed)
	return q, nil
}

// bothSeats is what the key has in place of a seat if both are reviewed.
const bothSeats = byte(2)

// decide finds the decisions of a seat, or of both.
func (q *ReviewQuery) decide(who byte, given *int) error {
	numbers := []int{reviewWorlds, closeWorlds}
	if given != nil {
		numbers = []int{*given}
	}
	at := q.position.start
	for i, c := range q.position.played {
		turn, legal := at.Turn(), at.Legal()
		if who == bothSeats || who == byte(turn) {
			d := decision{seat: turn, number: i, card: c, legal: legal.Len()}
			if d.legal > 1 {
				if err := q.ask(&d, numbers); err != nil {
					return err
				}
			}
			q.decisions = append(q.decisions, d)
		}
		var err error
		if at, err = at.Play(c); err != nil {
			return err
		}
	}
	return nil
}

// ask adds the questions about a decision, with the numbers of worlds.
func (q *ReviewQuery) ask(d *decision, numbers []int) error {
	here, err := worlds.Of(&q.position.start, q.position.played[:d.number], q.position.flip)
	if err != nil {
		return err
	}
	view, err := newViewOf(here, q.position.flip)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		one, err := q.game.newAdviseQueryOf(view, advice.Question{Worlds: n, Seed: q.seed})
		if err != nil {
			return err
		}
		d.advise = append(d.advise, one)
		if _, all := one.question.Searched(); all {
			break
		}
	}
	return nil
}

// Key holds the position in its own seats and suits, the seat and the options.
func (q *ReviewQuery) Key() []byte { return q.key }

// Cost is the cost of the analysis and of the cards with a choice. The worlds that are searched only for uncertain ones do not count.
func (q *ReviewQuery) Cost() time.Duration {
	sum := searchTime
	for _, d := range q.decisions {
		if len(d.advise) > 0 {
			sum += d.advise[0].Cost()
		}
	}
	return sum
}

// Known returns the answer if the cache has all parts.
func (q *ReviewQuery) Known(ctx context.Context) (service.Answer, bool, error) {
	known := func(one service.Query) (service.Answer, bool, error) { return one.Known(ctx) }
	open, ok, err := known(q.analyse)
	found := make([]explained, len(q.decisions))
	for i := range q.decisions {
		if !ok || err != nil {
			return service.Answer{}, false, err
		}
		found[i], ok, err = q.explain(&q.decisions[i], known)
	}
	if !ok || err != nil {
		return service.Answer{}, false, err
	}
	answer, err := q.answer(open, found)
	return answer, err == nil, err
}

// Computation reviews the cards from the last to the first, whose searches take longest. It needs no slot; its parts do.
func (q *ReviewQuery) Computation() computation.Spec {
	run := func(ctx context.Context, task *computation.Task) (service.Answer, error) {
		ask := func(one service.Query) (service.Answer, bool, error) {
			answer, err := q.game.service.Answer(ctx, one)
			return answer, err == nil, err
		}
		var open service.Answer
		found := make([]explained, len(q.decisions))
		// The analysis is the first part.
		err := q.game.service.EachPart(ctx, task, 1+len(found), func(part int) (err error) {
			if part == 0 {
				open, _, err = ask(q.analyse)
				return err
			}
			i := len(found) - part
			found[i], _, err = q.explain(&q.decisions[i], ask)
			return err
		})
		if err != nil {
			return service.Answer{}, err
		}
		return q.answer(open, found)
	}
	return service.Running(computation.Key(q.key), run)
}

// answer returns the advice about a decision: that over more worlds if the first is uncertain. A card without a choice has none.
func (d *decision) answer(ask func(service.Query) (service.Answer, bool, error)) (answer service.Answer, ok bool, err error) {
	var nodes int64
	for _, one := range d.advise {
		if answer, ok, err = ask(one); !ok || err != nil {
			return answer, ok, err
		}
		nodes += answer.Nodes
		answer.Nodes = nodes
		if k := d.known(answer); k == nil || !reviewRule.IsClose(knownCost(k)) {
			break
		}
	}
	return answer, true, nil
}

// known returns what the advice says about the card that was played. Advice without an answer, or without the card, says nothing.
func (d *decision) known(answer service.Answer) *api.BeloteReviewKnowledge {
	a, ok := answer.Body.(api.BeloteAdvice)
	if !ok {
		return nil
	}
	i := slices.IndexFunc(a.Cards, func(c api.BeloteAdvisedCard) bool { return c.Card == d.card.String() })
	if i < 0 {
		return nil
	}
	return &api.BeloteReviewKnowledge{
		Cost: a.Cards[i].Cost, StandardError: a.Cards[i].CostError, Advised: a.Card, BestIn: a.Cards[i].BestIn, Worlds: a.Worlds,
	}
}

func knownCost(k *api.BeloteReviewKnowledge) service.KnownCost {
	return service.KnownCost{Cost: k.Cost, StandardError: &k.StandardError}
}

// answer builds the review from the analysis, and the advice and the reasons.
func (q *ReviewQuery) answer(open service.Answer, found []explained) (service.Answer, error) {
	analysis, ok := open.Body.(api.BeloteAnalysis)
	if !ok || len(analysis.Cards) < len(q.position.played) {
		return service.Answer{}, &service.Error{Detail: "the analysis of a review has another answer"}
	}
	out := api.BeloteReview{
		Cards: make([]api.BeloteReviewedCard, len(q.decisions)), Rule: api.ReviewRule(reviewRule), Rules: q.position.outRules(),
		Seed: strconv.FormatUint(q.seed, 10), Source: open.Source, Version: q.game.service.Version(),
	}
	seats := [2]**api.SeatReview{&out.Seats.A, &out.Seats.B}
	nodes := open.Nodes
	for i := range q.decisions {
		d := &q.decisions[i]
		one := &analysis.Cards[d.number]
		card := api.BeloteReviewedCard{
			Number: one.Number, Trick: one.Trick, Seat: one.Seat, Card: one.Card, Legal: d.legal, Verdict: api.VerdictForced,
			Open: api.BeloteReviewOpen{Cost: one.Cost, Best: one.Best}, Knowledge: d.known(found[i].advised),
			Reason: found[i].reason,
		}
		if card.Knowledge == nil && len(d.advise) > 0 {
			return service.Answer{}, &service.Error{Detail: "the advice of a review does not contain the card that was played"}
		}
		cost := 0.0
		if k := card.Knowledge; k != nil {
			cost, card.Verdict = k.Cost, reviewRule.Verdict(card.Open.Cost, knownCost(k))
			if found[i].advised.Source == api.Search || found[i].source == api.Search {
				out.Source = api.Search
			}
			nodes += found[i].advised.Nodes
		}
		service.CountReviewed(seats[d.seat], card.Verdict, card.Open.Cost, cost, pointDigits)
		out.Cards[i] = card
	}
	out.Stats = stats(uint64(nodes), out.Source, q.began)
	parts := 1 + len(found)
	return service.Answer{
		Body: out, Source: out.Source, Nodes: out.Stats.Nodes,
		Progress: computation.Progress{Done: parts, Of: parts, Nodes: uint64(out.Stats.Nodes)},
	}, nil
}

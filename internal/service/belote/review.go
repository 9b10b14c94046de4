package belote

import (
	"context"
	"slices"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/advice"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/piquet"
	"roem/internal/engine/table/decisions"
	"roem/internal/service"
)

// ReviewQuery asks what the cards of one seat or of both seats cost, with all cards known and while cards are face down.
type ReviewQuery struct {
	service.ReviewOf[chosen, *AdviseQuery, judgement]

	game     *Game
	position Position
	seed     uint64
	numbers  []int         // of worlds; a further one is for cards that are uncertain over the one before
	analyse  *AnalyseQuery // of all cards played
	began    time.Time
}

type (
	chosen   = decisions.Decision[players.Table, belote.Player, players.View, players.Action]
	decision = service.Decision[chosen, *AdviseQuery]
)

// judgement is what is found about a card, or about the hand.
type judgement struct {
	open   []analysed // of the hand: all cards played, in canonical suits
	by     *AdviseQuery
	advice advice.Advice // of by
	played *advice.Value // the card that was played, in advice
	reason *api.BeloteReason
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
	q := &ReviewQuery{game: g, numbers: []int{reviewWorlds, closeWorlds}, began: time.Now()}
	if in.Worlds != nil {
		q.numbers = []int{*in.Worlds}
	}
	var vs service.Problems
	q.seed = vs.Seed(in.Seed)
	whose := service.ReadWhose(&vs, in.Seat, belote.ParsePlayer, belote.Player.String)
	err := vs.Err()
	if err == nil {
		q.position, err = newPosition(in.positionBody)
	}
	if err != nil {
		return nil, err
	}
	start, err := players.NewTable(q.position.start.Deal(), false, players.Rules{Flip: q.position.flip})
	if err != nil {
		return nil, err
	}
	acts := make([]players.Action, len(q.position.played))
	for i, c := range q.position.played {
		acts[i].Card = c
	}
	list, err := service.Decide(whose, "/played", "card", decisions.Of(start, acts), func(d *chosen) int {
		now := d.Before.Position()
		return now.Legal().Len()
	}, q.ask)
	if err != nil {
		return nil, err
	}
	if q.analyse, err = g.newAnalyseQuery(q.position); err != nil {
		return nil, err
	}
	q.ReviewOf = service.ReviewOf[chosen, *AdviseQuery, judgement]{
		Service: g.service, Rule: reviewRule, Digits: pointDigits, Decisions: list, FromLast: true, Hand: q.open, Judge: q.judge, Why: q.why,
		Open: q.openCost, CostOf: func(d *decision) time.Duration { return d.Asks[0].Cost() }, Base: searchTime,
		Name: q.position.appendTo(newKey(KindReview)).Byte(whose.Byte(bothSeats)).Int(service.Or(in.Worlds, 0)).Uint(q.seed),
	}
	return q, nil
}

// bothSeats is what the key has in place of a seat if both are reviewed.
const bothSeats = 2

// ask returns the questions about a card, with the numbers of worlds.
func (q *ReviewQuery) ask(d *chosen) (list []*AdviseQuery, err error) {
	view, err := newViewOf(d.View().Seen, q.position.flip)
	if err != nil {
		return nil, err
	}
	for _, n := range q.numbers {
		one, err := q.game.newAdviseQueryOf(view, advice.Question{Worlds: n, Seed: q.seed})
		if err != nil {
			return nil, err
		}
		list = append(list, one)
		if _, all := one.question.Searched(); all {
			break
		}
	}
	return list, nil
}

// open analyses the cards played.
func (q *ReviewQuery) open(ctx context.Context, p *service.Pass) (j judgement, err error) {
	value, err := p.LookUp(ctx, q.analyse.Lookup(), nil)
	if err != nil {
		return j, err
	}
	generated, list, err := q.analyse.read(value)
	p.Found(value.Source(), generated)
	return judgement{open: list}, err
}

// judge asks for advice.
func (q *ReviewQuery) judge(
	ctx context.Context, p *service.Pass, d *decision, by *AdviseQuery, j *judgement,
) (cost service.KnownCost, err error) {
	value, err := p.LookUp(ctx, by.Lookup(), nil)
	if err != nil {
		return cost, err
	}
	t, err := by.tally(value)
	if err != nil {
		return cost, err
	}
	p.Found(value.Source(), t.Generated)
	j.by, j.advice = by, by.question.Advise(t)
	if j.played = by.valueOf(&j.advice, d.Of.Act.Card); j.played == nil {
		return cost, &service.Error{Detail: "the advice of a review does not contain the card that was played"}
	}
	return service.KnownOf(service.Rounded(j.played.Cost.Mean, pointDigits), service.Rounded(j.played.Cost.Error, pointDigits)), nil
}

// valueOf returns what advice says about a card of the request, or nil.
func (q *AdviseQuery) valueOf(a *advice.Advice, c piquet.Card) *advice.Value {
	i := slices.IndexFunc(a.Cards, func(v advice.Value) bool { return q.view.back[v.Card] == c })
	if i < 0 {
		return nil
	}
	return &a.Cards[i]
}

// openCost returns what a decision cost with open cards.
func (q *ReviewQuery) openCost(f *service.Findings[chosen, *AdviseQuery, judgement], i int) int {
	d := &q.Decisions[i].Of
	return f.Hand.open[d.Number].cost(d.Seat == q.position.start.Deal().Declarer)
}

// review builds the answer of a review.
func (g *Game) review(q *ReviewQuery, a service.Answer[*service.Findings[chosen, *AdviseQuery, judgement]]) api.BeloteReview {
	f := a.Result
	out := api.BeloteReview{
		Cards: make([]api.BeloteReviewedCard, len(f.List)), Rule: api.ReviewRule(reviewRule), Rules: q.position.outRules(),
		Seed: strconv.FormatUint(q.seed, 10), Source: f.Source, Stats: stats(f.Nodes, f.Source, q.began), Version: q.game.service.Version(),
	}
	for i := range f.List {
		d, found := &q.Decisions[i], &f.List[i]
		open := f.Hand.open[d.Of.Number]
		out.Cards[i] = api.BeloteReviewedCard{
			Number: d.Of.Number + 1, Trick: d.Of.Number/2 + 1, Seat: *outPlayer(d.Of.Seat), Card: d.Of.Act.Card.String(), Legal: d.Legal,
			Verdict: found.Verdict, Open: api.BeloteReviewOpen{Cost: q.openCost(f, i), Best: outCards(q.analyse.twin.set(open.best).Slice())},
			Reason: found.Of.reason,
		}
		if known := found.Cost; known != nil {
			by, a := found.Of.by, &found.Of.advice
			out.Cards[i].Knowledge = &api.BeloteReviewKnowledge{
				Cost: known.Cost, StandardError: *known.StandardError, Advised: by.view.back[a.Cards[0].Card].String(),
				BestIn: service.Rounded(found.Of.played.BestIn, probabilityDigits), Worlds: by.worlds(a),
			}
		}
	}
	out.Seats = api.BeloteSeatReviews{A: f.Seats[belote.A], B: f.Seats[belote.B]}
	return out
}

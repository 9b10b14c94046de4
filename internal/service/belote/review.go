package belote

import (
	"context"
	"slices"
	"time"

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
	reason *Reason
}

// The numbers of worlds of a card, if the request sets none. The second one is for cards that are uncertain over the first.
const (
	reviewWorlds = 20
	closeWorlds  = 4 * reviewWorlds
)

// reviewRule is the rule of the verdicts. A card that was a mistake costs at least five points on knowledge.
var reviewRule = service.ReviewRule{LeastCost: 5, StandardErrors: advice.ClearErrors}

// reviewOf returns the review of the cards that led to a position. worlds is nil for as many as decide.
func (g *Game) reviewOf(p Position, whose service.Whose, worlds *int, seed uint64) (*ReviewQuery, error) {
	q := &ReviewQuery{game: g, position: p, seed: seed, numbers: []int{reviewWorlds, closeWorlds}}
	if worlds != nil {
		q.numbers = []int{*worlds}
	}
	start, err := players.NewTable(p.start.Deal(), false, players.Rules{Flip: p.flip})
	if err != nil {
		return nil, err
	}
	acts := make([]players.Action, len(p.played))
	for i, c := range p.played {
		acts[i].Card = c
	}
	list, err := service.Decide(whose, "/played", "card", decisions.Of(start, acts), func(d *chosen) int {
		now := d.Before.Position()
		return now.Legal().Len()
	}, q.ask)
	if err != nil {
		return nil, err
	}
	if q.analyse, err = g.newAnalyseQuery(p); err != nil {
		return nil, err
	}
	q.ReviewOf = service.ReviewOf[chosen, *AdviseQuery, judgement]{
		Service: g.service, Rule: reviewRule, Digits: pointDigits, Decisions: list, FromLast: true, Hand: q.open, Judge: q.judge, Why: q.why,
		Open: q.openCost, CostOf: func(d *decision) time.Duration { return d.Asks[0].Cost() }, Base: searchTime,
		Name: p.appendTo(newKey(KindReview)).Byte(whose.Byte(bothSeats)).Int(service.Or(worlds, 0)).Uint(seed),
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
		one, err := q.game.newAdviseQuery(view, advice.Question{Worlds: n, Seed: q.seed})
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

package klaverjas

import (
	"context"
	"math"
	"slices"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/table/decisions"
	"roem/internal/service"
)

// ReviewQuery asks what the cards of one seat or of all seats cost, with open cards and on what each seat could know when it played them.
type ReviewQuery struct {
	service.ReviewOf[chosen, *AdviseQuery, judgement]

	game     *Game
	position Position
	twin     canonical            // of the position
	befores  []klaverjas.Position // of twin
	options  AdviseQuery          // of the questions, which have views without hidden hands
	open     bool                 // the request does not set how many worlds are searched
}

type (
	chosen   = decisions.Decision[Position, piquet.Seat, worlds.View, piquet.Card]
	decision = service.Decision[chosen, *AdviseQuery]
	findings = service.Findings[chosen, *AdviseQuery, judgement]
)

// judgement is what is found about a card.
type judgement struct {
	cost   int        // with open cards
	best   piquet.Set // the cards that cost nothing
	by     *AdviseQuery
	advice advice.Advice // of by
	played advice.Value  // the card that was played, in advice
	reason explained     // of a mistake on knowledge
}

// Turn returns whose turn it is.
func (p Position) Turn() (piquet.Seat, bool) { return p.now.Turn(), !p.now.Finished() }

// View returns what a seat has seen.
func (p Position) View(seat piquet.Seat) worlds.View { return worlds.ViewOf(p.start, p.played, seat) }

// Act returns the position after a card.
func (p Position) Act(c piquet.Card) (Position, error) {
	now, err := p.now.Play(c)
	p.now, p.played = now, append(slices.Clip(p.played), c)
	return p, err
}

// reviewRule is the rule of the verdicts. A card that was a mistake costs at least five points on knowledge.
var reviewRule = service.ReviewRule{LeastCost: 5, StandardErrors: advice.ClearErrors}

// closeWorlds is how many worlds are searched for a card that is uncertain over defaultWorlds, if the request sets no number.
const closeWorlds = 4 * defaultWorlds

// reviewOf returns the review of the cards that led to a position. worlds is nil for as many as decide.
func (g *Game) reviewOf(p Position, whose service.Whose, worlds *int, seed uint64) (*ReviewQuery, error) {
	q := &ReviewQuery{game: g, position: p, open: worlds == nil}
	q.options = AdviseQuery{game: g, worlds: service.Or(worlds, defaultWorlds), seed: seed}
	var err error
	if q.twin, err = newCanonical(q.position); err != nil {
		return nil, err
	}
	if q.befores, err = q.twin.befores(); err != nil {
		return nil, err
	}
	start := Position{start: q.position.start, now: q.position.start}
	list, err := service.Decide(whose, "/played", "card", decisions.Of(start, q.position.played),
		func(d *chosen) int { return d.Before.now.Legal().Len() }, q.ask)
	if err != nil {
		return nil, err
	}
	q.ReviewOf = service.ReviewOf[chosen, *AdviseQuery, judgement]{
		Service: g.service, Rule: reviewRule, Digits: pointDigits, Decisions: list, FromLast: true, InTurn: true, Judge: q.judge, Why: q.why,
		Open: q.openCost, CostOf: func(d *decision) time.Duration { return searchTimeAfter(d.Of.Number) + d.Asks[0].Cost() },
		Name: q.position.appendTo(newKey(KindReview)).Byte(whose.Byte(allSeats)).Int(service.Or(worlds, 0)).Uint(seed),
	}
	for i := range list {
		if d := &list[i]; len(d.Asks) > 0 {
			q.Worlds += d.Asks[0].worlds + 1 // the hands of the position are one more
			q.Keys = append(q.Keys, q.twin.keyFor(byte(search.Moves), d.Of.Number))
		}
	}
	return q, nil
}

// allSeats is what the key has in place of a seat if all are reviewed.
const allSeats = 4

// ask returns the questions about a card: the second searches more worlds, in case the first leaves open whether the card was a mistake.
func (q *ReviewQuery) ask(d *chosen) ([]*AdviseQuery, error) {
	first, err := q.options.view(d.View(), q.open)
	if err != nil || !q.open || first.all {
		return []*AdviseQuery{first}, err
	}
	more := *first
	more.worlds = closeWorlds
	return []*AdviseQuery{first, &more}, nil
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

// judge finds what a card cost, before the first question with open cards, and then over the worlds of the view.
func (q *ReviewQuery) judge(
	ctx context.Context, p *service.Pass, d *decision, by *AdviseQuery, j *judgement,
) (cost service.KnownCost, err error) {
	if j.by != nil {
		p.More(by.worlds)
	} else if err := q.judgeOpen(ctx, p, d, j); err != nil {
		return cost, err
	}
	t, known := by.known(ctx)
	if known {
		p.Add(by.worlds, 0)
		p.Found(service.FromCache, 0)
	} else {
		if err = p.Search(); err == nil {
			t, err = by.search(ctx, p.Parts)
		}
		if err != nil {
			return cost, err
		}
		p.Found(service.FromSearch, t.Nodes)
	}
	j.by, j.advice = by, by.question.Advise(t, by.objective, true)
	for _, v := range j.advice.Cards {
		if v.Card == d.Of.Act {
			j.played = v
		}
	}
	cost = service.KnownOf(service.Rounded(j.played.Cost.Mean, pointDigits), service.Rounded(j.played.Cost.Error, pointDigits))
	if math.IsInf(j.played.Outcome.Error, 0) {
		cost.StandardError = nil
	}
	return cost, nil
}

// judgeOpen finds what a card cost with open cards.
func (q *ReviewQuery) judgeOpen(ctx context.Context, p *service.Pass, d *decision, j *judgement) error {
	twin := q.twin
	twin.now, twin.played = q.befores[d.Of.Number], twin.played[:d.Of.Number]
	report := p.Part()
	value, err := p.LookUp(ctx, q.game.lookup(&twin, search.Moves), report)
	if err != nil {
		return err
	}
	open, ok := readResult(value.Bytes, search.Moves, twin.now)
	if !ok {
		return &service.Error{Detail: "the result of the search does not fit its position"}
	}
	report(open.progress(value.Source()))
	p.Found(value.Source(), open.nodes)
	p.Add(1, 0)
	for _, m := range open.moves {
		c := twin.back.Card(m.Card)
		if m.Best {
			j.best = j.best.With(c)
		}
		if c == d.Of.Act {
			j.cost = open.outcome - m.Outcome
		}
	}
	if d.Of.Seat.Team() != q.position.start.Deal().Declarer {
		j.cost = -j.cost
	}
	return nil
}

// openCost returns what a decision cost with open cards.
func (q *ReviewQuery) openCost(f *findings, i int) int { return f.List[i].Of.cost }

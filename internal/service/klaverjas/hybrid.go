package klaverjas

import (
	"context"
	"errors"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
	"roem/internal/service/klaverjas/hybrid"
	"roem/internal/solvecache"
)

// HybridQuery is a request for the winner of a position, within a budget.
type HybridQuery struct {
	BudgetMs      *float64 // the budget in milliseconds; nil for none
	MinConfidence *float64 // the minimum confidence at which the model's answer is accepted; with nil the rule decides
	By            hybrid.Choice
	position      Position
}

// HybridBatchQuery is a request for the winners of many positions, within one budget.
type HybridBatchQuery struct {
	items positions
	// As in HybridQuery.
	BudgetMs, MinConfidence *float64
	By                      hybrid.Choice
}

// Hybrid returns whether the declarers win a position, by the cache, the search or the model. The budget of the request counts from
// began; the deadline of ctx is a limit too. The error is of kind TooSlow if the time was over and there is no model for the deal.
func (g *Game) Hybrid(ctx context.Context, q HybridQuery, began time.Time) (api.KlaverjasHybridAnswer, error) {
	ctx, budget, cancel := withBudget(ctx, q.BudgetMs, began, 0)
	defer cancel()
	known, identity, unknown := g.predict(q.position)
	c, err := g.newCase(q.position, Predicted{Prediction: known, Model: identity}, unknown, asked{q.By, q.MinConfidence})
	if err != nil {
		return api.KlaverjasHybridAnswer{}, err
	}
	c.question.Lookup = func(ctx context.Context) (won, ok bool) {
		return c.known(g.service.Cache().Get(ctx, c.keys))
	}
	answer, err := hybrid.DefaultRule().Answer(ctx, c.question, budget, g.pace)
	if err != nil {
		return api.KlaverjasHybridAnswer{}, g.hybridError(err)
	}
	return g.outHybrid(c, answer, began)
}

// hybridResult is an answer in a list.
type hybridResult struct {
	Ok bool `json:"ok"`
	api.KlaverjasHybridAnswer
}

// HybridBatch is Hybrid for many positions. The budget is for all of them, and counts from began.
func (g *Game) HybridBatch(ctx context.Context, q HybridBatchQuery, began time.Time) (api.KlaverjasHybridBatch, error) {
	out := api.KlaverjasHybridBatch{Results: make([]any, len(q.items)), Version: g.service.Version()}
	fail := func(i int, err error) {
		out.Results[i] = g.service.ItemError(err)
		out.Routes.Error++
	}
	cases, places := g.newCases(q, fail)
	var results []hybrid.Result
	// The budget ends the searches, not the request, which the model answers then.
	if err := g.service.AsOne(ctx, func(ctx context.Context) error {
		ctx, budget, cancel := withBudget(ctx, q.BudgetMs, began, time.Duration(len(q.items))*writingItem)
		defer cancel()
		results = hybrid.DefaultRule().AnswerAll(ctx, g.questions(ctx, cases), budget, g.pace, g.service.ShareOf(ctx))
		return nil
	}); err != nil {
		return api.KlaverjasHybridBatch{}, err
	}
	for i, result := range results {
		if result.Err != nil {
			if ctx.Err() != nil && !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				return api.KlaverjasHybridBatch{}, ctx.Err() // the client has left
			}
			fail(places[i], g.hybridError(result.Err))
			continue
		}
		switch result.Answer.Route {
		case hybrid.Cache:
			out.Routes.Cache++
		case hybrid.Search:
			out.Routes.Search++
		case hybrid.Model:
			out.Routes.Model++
		}
		answer, err := g.outHybrid(cases[i], result.Answer, began)
		if err != nil {
			return api.KlaverjasHybridBatch{}, err
		}
		out.Stats.Nodes += answer.Stats.Nodes
		out.Results[places[i]] = hybridResult{Ok: true, KlaverjasHybridAnswer: answer}
	}
	out.Stats.ElapsedUs = time.Since(began).Microseconds()
	return out, nil
}

// newCases returns a case for each valid position of a list, and their places in the list. It calls fail for the other items.
func (g *Game) newCases(q HybridBatchQuery, fail func(i int, err error)) (cases []hybridCase, places []int) {
	known, unknown := g.predictAll(q.items)
	cases, places = make([]hybridCase, 0, len(q.items)), make([]int, 0, len(q.items))
	for i, item := range q.items {
		c, err := hybridCase{}, item.Err
		if err == nil {
			c, err = g.newCase(item.Value, known[i], unknown[i], asked{q.By, q.MinConfidence})
			err = inList(err, i)
		}
		if err != nil {
			fail(i, err)
			continue
		}
		cases, places = append(cases, c), append(places, i)
	}
	return cases, places
}

// questions returns the questions of the cases. All of them are looked up in the cache at once.
func (g *Game) questions(ctx context.Context, cases []hybridCase) []hybrid.Question {
	var keys []solvecache.Key
	for _, c := range cases {
		keys = append(keys, c.keys...)
	}
	kept := g.service.Cache().Get(ctx, keys)
	questions := make([]hybrid.Question, len(cases))
	for i := range cases {
		c := &cases[i]
		own := kept[:len(c.keys)]
		kept = kept[len(c.keys):]
		c.question.Lookup = func(context.Context) (won, ok bool) { return c.known(own) }
		questions[i] = c.question
	}
	return questions
}

// writingItem is the time to write one answer of a list. It is reserved from the budget.
const writingItem = 10 * time.Microsecond

// withBudget returns a context that ends when the budget without the reserved time is over, and the budget. Without ms the budget is
// the time until the deadline of ctx.
func withBudget(
	ctx context.Context, ms *float64, began time.Time, reserved time.Duration,
) (context.Context, hybrid.Budget, context.CancelFunc) {
	budget := hybrid.Budget{Time: hybrid.Unlimited, Own: ms != nil}
	if end, ok := ctx.Deadline(); ok {
		budget.Time = end.Sub(began).Round(time.Millisecond)
	}
	if ms != nil {
		budget.Time = min(budget.Time, time.Duration(*ms*float64(time.Millisecond)))
	}
	if budget.Time == hybrid.Unlimited {
		ctx, cancel := context.WithCancel(ctx)
		return ctx, budget, cancel
	}
	ctx, cancel := context.WithDeadline(ctx, began.Add(budget.Time-reserved))
	return ctx, budget, cancel
}

// hybridCase is one position of a hybrid request, with what its answer needs.
type hybridCase struct {
	position Position
	twin     canonical
	keys     []solvecache.Key
	question hybrid.Question
	model    *api.ModelIdentity
	class    index.Class // the suit distribution before the first card
}

// asked is how a request wants to choose between search and model.
type asked struct {
	by            hybrid.Choice
	minConfidence *float64 // nil for none
}

// newCase returns the case of a position. known is the model's prediction. If there is none, unknown is the reason.
func (g *Game) newCase(p Position, known Predicted, unknown error, how asked) (hybridCase, error) {
	deal := p.start.Deal()
	c := hybridCase{position: p, class: index.ClassOf(deal)}
	c.question.By = how.by
	c.question.Class = classEffort(c.class, p.start.Rules().System, deal.Declarer == deal.Leader.Team())
	if how.minConfidence != nil {
		c.question.MinConfidence = *how.minConfidence
	}
	if p.now.Finished() {
		won := p.now.Outcome() > 0
		c.question.Unknown = "All cards have been played, so the result is known without a search."
		c.question.Search = func(context.Context) (hybrid.Found, error) { return hybrid.Found{Won: won}, nil }
		return c, nil
	}
	switch {
	case unknown == nil:
		c.question.Prediction, c.model = &known.Prediction, &known.Model
	case len(p.played) > 0:
		c.question.Unknown = "Cards have been played, and the model predicts only deals with no cards played."
	default:
		c.question.Unknown = "There is no model for these rules and declarers."
	}
	var err error
	if c.twin, err = newCanonical(p); err != nil {
		return hybridCase{}, err
	}
	c.keys = c.twin.keysFor(search.Win)
	c.question.Search = func(ctx context.Context) (hybrid.Found, error) { return g.searchWin(ctx, c.twin) }
	return c, nil
}

// known returns whether the declarers win, if one of the cached values fits the case.
func (c hybridCase) known(kept []solvecache.Answer) (won, ok bool) {
	f, _, ok := firstResult(kept, search.Win, c.twin.now)
	return f.won, ok
}

// searchWin returns whether the declarers win. When ctx ends, it waits at most partialLimit for the partial result of the search.
func (g *Game) searchWin(ctx context.Context, twin canonical) (hybrid.Found, error) {
	f, value, err := g.find(ctx, twin, search.Win, nil, partialLimit)
	if err != nil {
		switch service.KindOf(err) {
		case service.Busy:
			err = &hybrid.Refusal{Reason: "Every searcher is busy, and the queue of requests is full.", Err: err}
		case service.Limited:
			err = &hybrid.Refusal{Reason: "The client is at its limit of searches.", Err: err}
		}
		return hybrid.Found{Interrupted: readPartial(value.Partial)}, err
	}
	if value.Layer != "" {
		return hybrid.Found{Won: f.won, Cached: true}, nil
	}
	return hybrid.Found{Won: f.won, Cards: f.nodes}, nil
}

// partialLimit is how long searchWin waits for a search that is being stopped, which takes about 0.1 ms.
const partialLimit = 300 * time.Microsecond

// hybridError returns an error of the hybrid as a *service.Error.
func (g *Game) hybridError(err error) error {
	if errors.Is(err, hybrid.ErrNoAnswer) {
		return &service.Error{
			Kind: service.TooSlow, RetryAfter: g.service.RetryAfter(), Cause: err,
			Detail: "The search did not finish in the time that the request allowed, and there is no prediction for the position.",
		}
	}
	if busy, ok := errors.AsType[*service.Error](err); ok {
		return busy
	}
	return err
}

func (g *Game) outHybrid(c hybridCase, a hybrid.Answer, began time.Time) (api.KlaverjasHybridAnswer, error) {
	about, err := g.outDistribution(c.class, c.question.Class)
	if err != nil {
		return api.KlaverjasHybridAnswer{}, err
	}
	out := api.KlaverjasHybridAnswer{
		Won: a.Won, WinProbability: 0, Confidence: 1,
		Route: api.KlaverjasRoute(a.Route.String()), Reason: a.Reason, Exact: a.Route != hybrid.Model,
		Model: c.model, Distribution: about,
		Rules: outRules(c.position.now.Rules()), Deal: outIdentity(c.position.now.Deal()),
		Stats:   api.KlaverjasStats{Nodes: int64(a.Cards), ElapsedUs: time.Since(began).Microseconds()},
		Version: g.service.Version(),
	}
	if a.Won {
		out.WinProbability = 1
	}
	if prediction := c.question.Prediction; prediction != nil {
		out.Hardness = new(g.outHardness(prediction.Effort))
		if !out.Exact {
			out.WinProbability, out.Confidence = probability(a.WinProbability), probability(max(a.WinProbability, 1-a.WinProbability))
		}
	}
	return out, nil
}

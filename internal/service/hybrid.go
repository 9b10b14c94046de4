package service

import (
	"context"
	"errors"
	"time"

	"roem/internal/api"
	"roem/internal/engine/search"
	"roem/internal/hybrid"
	"roem/internal/solvecache"
)

// Hybrid says who wins a position, by the cache, the search or the model. The budget of the request counts from began; the
// deadline of ctx is a limit too. The error is of kind TooSlow where time was up and no model knows the deal, and
// otherwise as that of Solve.
func (s *Service) Hybrid(ctx context.Context, in HybridQuery, began time.Time) (api.HybridAnswer, error) {
	p := in.position
	ctx, budget, cancel := withBudget(ctx, in.BudgetMs, began, 0)
	defer cancel()
	known, identity, unknown := s.predict(p)
	c, err := s.newCase(p, Predicted{Prediction: known, Model: identity}, unknown, in.MinConfidence)
	if err != nil {
		return api.HybridAnswer{}, err
	}
	c.question.Lookup = func(ctx context.Context) (won, ok bool) {
		return c.known(s.cache.Get(ctx, c.keys))
	}
	answer, err := s.rule.Answer(ctx, c.question, budget, s.pace)
	if err != nil {
		return api.HybridAnswer{}, s.hybridError(err)
	}
	return s.outHybrid(c, answer, began), nil
}

// HybridBatch says who wins many positions. The budget is for all of them, and counts from began.
func (s *Service) HybridBatch(ctx context.Context, in HybridBatch, began time.Time) (api.HybridBatch, error) {
	ctx, budget, cancel := withBudget(ctx, in.BudgetMs, began, time.Duration(len(in.Items))*writingItem)
	defer cancel()
	out := api.HybridBatch{Results: make([]any, len(in.Items))}
	fail := func(i int, err error) {
		out.Results[i] = itemError(err)
		out.Routes.Error++
	}
	var positions []position
	var items []int // where each position stands
	for i, item := range in.Items {
		if item.Err != nil {
			fail(i, item.Err)
			continue
		}
		positions, items = append(positions, item.Value), append(items, i)
	}
	known, unknown := s.predictAll(positions)
	var cases []hybridCase
	var places []int // of the cases among the items
	for k, p := range positions {
		c, err := s.newCase(p, known[k], unknown[k], in.MinConfidence)
		if err != nil {
			fail(items[k], inList(err, items[k]))
			continue
		}
		cases, places = append(cases, c), append(places, items[k])
	}

	// The cache is asked once for all of them.
	var keys []solvecache.Key
	for _, c := range cases {
		keys = append(keys, c.keys...)
	}
	kept := s.cache.Get(ctx, keys)
	questions := make([]hybrid.Question, len(cases))
	for i := range cases {
		c := &cases[i]
		own := kept[:len(c.keys)]
		kept = kept[len(c.keys):]
		c.question.Lookup = func(context.Context) (won, ok bool) { return c.known(own) }
		questions[i] = c.question
	}
	for i, result := range s.rule.AnswerAll(ctx, questions, budget, s.pace, s.pool.share()) {
		if result.Err != nil {
			if ctx.Err() != nil && !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
				return api.HybridBatch{}, ctx.Err() // the client has left
			}
			fail(places[i], s.hybridError(result.Err))
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
		answer := s.outHybrid(cases[i], result.Answer, began)
		out.Stats.Nodes += answer.Stats.Nodes
		out.Results[places[i]] = answer
	}
	out.Stats.ElapsedUs = time.Since(began).Microseconds()
	return out, nil
}

// writingItem is how long it takes to write an answer of a list, which a budget must leave time for.
const writingItem = 10 * time.Microsecond

// withBudget ends the context when the budget is spent, but for what is reserved of it. Without a budget in milliseconds it is
// the time that the context has.
func withBudget(
	ctx context.Context, ms *float64, began time.Time, reserved time.Duration,
) (context.Context, time.Duration, context.CancelFunc) {
	budget := hybrid.Unlimited
	if end, ok := ctx.Deadline(); ok {
		budget = end.Sub(began).Round(time.Millisecond)
	}
	if ms != nil {
		budget = min(budget, time.Duration(*ms*float64(time.Millisecond)))
	}
	if budget == hybrid.Unlimited {
		ctx, cancel := context.WithCancel(ctx)
		return ctx, budget, cancel
	}
	ctx, cancel := context.WithDeadline(ctx, began.Add(budget-reserved))
	return ctx, budget, cancel
}

// hybridCase is a position to answer for and what the answer will tell of it.
type hybridCase struct {
	position position
	twin     canonical
	keys     []solvecache.Key
	question hybrid.Question
	model    *api.ModelIdentity
}

// newCase prepares the answer for a position of which the model thinks this, or does not know it for a reason.
func (s *Service) newCase(p position, known Predicted, unknown error, minConfidence *float64) (hybridCase, error) {
	c := hybridCase{position: p}
	if minConfidence != nil {
		c.question.MinConfidence = *minConfidence
	}
	if p.now.Finished() {
		won := p.now.Outcome() > 0
		c.question.Unknown = "The hand is over: there is nothing to search."
		c.question.Search = func(context.Context) (hybrid.Found, error) { return hybrid.Found{Won: won}, nil }
		return c, nil
	}
	switch {
	case unknown == nil:
		c.question.Prediction, c.model = &known.Prediction, &known.Model
	case len(p.played) > 0:
		c.question.Unknown = "Cards have been played, and the model knows deals before the first card alone."
	default:
		c.question.Unknown = "No model knows deals of these rules and declarers."
	}
	var err error
	if c.twin, err = newCanonical(p); err != nil {
		return hybridCase{}, err
	}
	c.keys = c.twin.keysFor(search.Win)
	c.question.Search = func(ctx context.Context) (hybrid.Found, error) { return s.searchWin(ctx, c.twin) }
	return c, nil
}

// known finds who wins among what the cache has of the case's keys.
func (c hybridCase) known(kept []solvecache.Answer) (won, ok bool) {
	for _, answer := range kept {
		if answer.Value == nil {
			continue
		}
		if f, ok := readFound(answer.Value, search.Win, c.twin.now); ok {
			return f.won, true
		}
	}
	return false, false
}

// searchWin finds out who wins, and learns from it how fast the search is.
func (s *Service) searchWin(ctx context.Context, twin canonical) (hybrid.Found, error) {
	f, answer, err := s.findInTime(ctx, twin)
	if err != nil {
		evidence := readStood(answer.Partial)
		switch KindOf(err) {
		case Busy:
			err = &hybrid.Refusal{Reason: "Every searcher is busy, and too many requests wait for one.", Err: err}
		case Limited:
			err = &hybrid.Refusal{Reason: "No more searches of yours are allowed at present.", Err: err}
		}
		return hybrid.Found{Evidence: evidence}, err
	}
	if answer.Layer != "" {
		return hybrid.Found{Won: f.won, Cached: true}, nil
	}
	return hybrid.Found{Won: f.won, Cards: f.nodes}, nil
}

// findInTime is find for who wins, but hardly waits when the context ends: for what a search has to say that looks at the clock as
// well, and not until others let go of what they hold.
func (s *Service) findInTime(ctx context.Context, twin canonical) (found, solvecache.Answer, error) {
	type result struct {
		found  found
		answer solvecache.Answer
		err    error
	}
	done := make(chan result, 1)
	go func() {
		f, answer, err := s.find(ctx, twin, search.Win)
		done <- result{f, answer, err}
	}()
	select {
	case r := <-done:
		return r.found, r.answer, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		if r.err == nil { // it was found at the last moment
			return r.found, r.answer, nil
		}
		return r.found, r.answer, ctx.Err()
	case <-time.After(evidenceLimit):
		return found{}, solvecache.Answer{}, ctx.Err()
	}
}

// evidenceLimit is how long a search that is stopped is waited for. It needs some 0.1 ms.
const evidenceLimit = 300 * time.Microsecond

// hybridError gives the error of an answer that could not be given its kind.
func (s *Service) hybridError(err error) error {
	if errors.Is(err, hybrid.ErrNoAnswer) {
		return &Error{
			Kind: TooSlow, RetryAfter: s.pool.retryAfter(), Cause: err,
			Detail: "The search did not finish in the time that the request allowed, and no model knows such positions.",
		}
	}
	if busy, ok := errors.AsType[*Error](err); ok {
		return busy
	}
	return err
}

func (s *Service) outHybrid(c hybridCase, a hybrid.Answer, began time.Time) api.HybridAnswer {
	out := api.HybridAnswer{
		Won: a.Won, WinProbability: 0, Confidence: 1,
		Route: api.Route(a.Route.String()), Reason: a.Reason, Exact: a.Route != hybrid.Model,
		Model: c.model,
		Rules: outRules(c.position.now.Rules()), Deal: outIdentity(c.position.now.Deal()),
		Stats:   api.Stats{Nodes: int64(a.Cards), ElapsedUs: time.Since(began).Microseconds()},
		Version: s.version,
	}
	if a.Won {
		out.WinProbability = 1
	}
	if prediction := c.question.Prediction; prediction != nil {
		hardness := s.outHardness(prediction.Effort)
		out.Hardness = &hardness
		if !out.Exact {
			out.WinProbability, out.Confidence = probability(a.WinProbability), probability(max(a.WinProbability, 1-a.WinProbability))
		}
	}
	return out
}

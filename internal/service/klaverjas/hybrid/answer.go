package hybrid

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Question is one deal to be answered.
type Question struct {
	// Prediction is the model's prediction. If there is none, it is nil and Unknown is a sentence with the reason.
	Prediction *Prediction
	Unknown    string
	// MinConfidence, By and Class are as in Requirements.
	MinConfidence float64
	By            Choice
	Class         Hardness
	// Lookup returns the cached result, if there is one.
	Lookup func(context.Context) (won, ok bool)
	// Search computes whether the declarers win. It must return soon after its context ends. If its error is a *Refusal or
	// context.DeadlineExceeded, the model answers.
	Search func(context.Context) (Found, error)
}

// Found is the result of a search.
type Found struct {
	Won   bool
	Cards uint64 // cards that the search played
	// Interrupted is the progress of an interrupted search. It is returned with the error, and nil if the search did not start.
	Interrupted *Interrupted
	// Cached is true if the result was in the cache by the time of the search.
	Cached bool
}

// Refusal is the error of a search that was not accepted into the queue.
type Refusal struct {
	Reason string // a sentence
	Err    error
}

// Error returns the reason and the underlying error.
func (r *Refusal) Error() string { return fmt.Sprintf("%s (%v)", r.Reason, r.Err) }

// Unwrap returns the underlying error.
func (r *Refusal) Unwrap() error { return r.Err }

// ErrNoAnswer is the error if the search did not finish in time and there is no prediction for the deal.
var ErrNoAnswer = errors.New("the search did not finish in time, and there is no prediction for the deal")

// Answer is the answer for a deal, with its source.
type Answer struct {
	Route  Route
	Reason string // a sentence
	Won    bool
	Cards  uint64 // cards that the search played
	// WinProbability is the probability that the declarers win, if Route is Model. After an interrupted search it combines the
	// prediction with the progress of the search.
	WinProbability float64
}

// byModel returns the answer of the model.
func byModel(p *Prediction, reason string) Answer {
	return Answer{Route: Model, Reason: reason, Won: p.Won(), WinProbability: p.WinProbability}
}

// Budget is the time until the deadline of the answers at the start. It appears in the reasons.
type Budget struct {
	Time time.Duration
	Own  bool // the request set it
}

// need returns the requirements of a question.
func (q *Question) need(ctx context.Context, budget Budget) Requirements {
	return Requirements{
		MinConfidence: q.MinConfidence, Left: left(ctx), Budget: budget.Time, Own: budget.Own, By: q.By, Class: q.Class,
	}
}

// Answer answers a question before the deadline of ctx. The error is ErrNoAnswer, the error of a cancelled ctx, or the error of Search.
func (r Rule) Answer(ctx context.Context, q Question, budget Budget, pace *Pace) (Answer, error) {
	if won, ok := q.Lookup(ctx); ok {
		return Answer{Route: Cache, Reason: solvedBefore, Won: won}, nil
	}
	decision := Decision{Search, q.Unknown}
	if q.Prediction != nil {
		decision = r.Decide(*q.Prediction, q.need(ctx, budget), pace.PerSecond())
		if decision.Route == Model {
			return byModel(q.Prediction, decision.Reason), nil
		}
	}
	return r.search(ctx, q, decision.Reason, budget.Time)
}

const solvedBefore = "The deal has been solved before."

// search searches the deal. If the search does not finish in time, the model answers.
func (r Rule) search(ctx context.Context, q Question, why string, budget time.Duration) (Answer, error) {
	found, err := q.Search(ctx)
	refusal, refused := errors.AsType[*Refusal](err)
	switch {
	case err == nil && found.Cached:
		return Answer{Route: Cache, Reason: solvedBefore, Won: found.Won}, nil
	case err == nil:
		return Answer{Route: Search, Reason: why, Won: found.Won, Cards: found.Cards}, nil
	case refused && q.Prediction != nil:
		return byModel(q.Prediction, refusal.Reason), nil
	case errors.Is(err, context.DeadlineExceeded) && q.Prediction != nil:
		return unfinished(q.Prediction, found.Interrupted, budget), nil
	case errors.Is(err, context.DeadlineExceeded):
		return Answer{}, errors.Join(ErrNoAnswer, err)
	}
	return Answer{}, err
}

// unfinished returns the answer after an interrupted search: the model's prediction combined with the progress of the search.
func unfinished(p *Prediction, e *Interrupted, budget time.Duration) Answer {
	if e == nil || e.Plies[0].Cards == 0 {
		return byModel(p, fmt.Sprintf("The search did not finish within the budget of %s, which includes the wait for a searcher.",
			milliseconds(budget)))
	}
	probability := DefaultRegressions().Probability(*p, e)
	return Answer{
		Route: Model, Won: probability > 0.5, WinProbability: probability, Cards: e.Cards,
		Reason: fmt.Sprintf("The search did not finish within the budget of %s. It had finished %d of the leader's %d cards, and the "+
			"prediction was updated with that.",
			milliseconds(budget), e.Plies[0].Done, e.Plies[0].Cards),
	}
}

// left returns the time until the deadline of ctx.
func left(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return Unlimited
	}
	return time.Until(deadline)
}

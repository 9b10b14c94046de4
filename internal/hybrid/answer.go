package hybrid

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Question is one deal to answer for.
type Question struct {
	// Prediction is what the model thinks; nil where no model knows the deal, and then Unknown says why, in a sentence.
	Prediction *Prediction
	Unknown    string
	// MinConfidence is as Wish has it.
	MinConfidence float64
	// Lookup finds out whether the deal has been solved before, and who won.
	Lookup func(context.Context) (won, ok bool)
	// Search finds out who wins. It must return soon after its context ends. An error that is a *Refusal, or the end of the
	// time that its context had, leaves the answer to the model.
	Search func(context.Context) (Found, error)
}

// Found is what a search has found.
type Found struct {
	Won   bool
	Cards uint64 // that it played
	// Evidence is what a search that was stopped has to say, with the error; nil where it never began.
	Evidence *Evidence
	// Cached is true where it turned out that the deal has been solved meanwhile.
	Cached bool
}

// Refusal is the error of a search that could not even wait for its turn.
type Refusal struct {
	Reason string // a sentence
	Err    error
}

// Error returns why.
func (r *Refusal) Error() string { return fmt.Sprintf("%s (%v)", r.Reason, r.Err) }

// Unwrap returns the error that it was refused with.
func (r *Refusal) Unwrap() error { return r.Err }

// ErrNoAnswer is the error where the search did not finish in time and no model knows the deal.
var ErrNoAnswer = errors.New("the search did not finish in time, and no model knows the deal")

// Answer is who wins, and how it was found out.
type Answer struct {
	Route  Route
	Reason string // a sentence
	Won    bool
	Cards  uint64 // that were played for it
	// WinProbability is how likely the declarers win, where the model answers: what it said, or where a search was stopped what that
	// makes of it.
	WinProbability float64
}

// byModel is the model's answer.
func byModel(p *Prediction, reason string) Answer {
	return Answer{Route: Model, Reason: reason, Won: p.Won(), WinProbability: p.WinProbability}
}

// Answer answers a question before the deadline of ctx. How much time that was at the start is the budget, for the reasons
// given. The error is ErrNoAnswer, that of a cancelled ctx, or what Search failed with.
func (r Rule) Answer(ctx context.Context, q Question, budget time.Duration, pace *Pace) (Answer, error) {
	if won, ok := q.Lookup(ctx); ok {
		return Answer{Route: Cache, Reason: solvedBefore, Won: won}, nil
	}
	decision := Decision{Search, q.Unknown}
	if q.Prediction != nil {
		wish := Wish{MinConfidence: q.MinConfidence, Left: left(ctx), Budget: budget}
		decision = r.Decide(*q.Prediction, wish, pace.PerSecond())
		if decision.Route == Model {
			return byModel(q.Prediction, decision.Reason), nil
		}
	}
	return r.search(ctx, q, decision.Reason, budget)
}

const solvedBefore = "The deal has been solved before."

// search asks the search, and the model where that does not answer in time.
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
		return unfinished(q.Prediction, found.Evidence, budget), nil
	case errors.Is(err, context.DeadlineExceeded):
		return Answer{}, errors.Join(ErrNoAnswer, err)
	}
	return Answer{}, err
}

// unfinished is the answer where a search was stopped: the model's opinion, in the light of what the search had found out.
func unfinished(p *Prediction, e *Evidence, budget time.Duration) Answer {
	if e == nil || e.Plies[0].Cards == 0 {
		return byModel(p, fmt.Sprintf("The search did not finish within the budget of %s, the wait for a free searcher included.", milliseconds(budget)))
	}
	probability := DefaultScales().Weigh(*p, e)
	return Answer{
		Route: Model, Won: probability > 0.5, WinProbability: probability, Cards: e.Cards,
		Reason: fmt.Sprintf("The search did not finish within the budget of %s. It was done with %d of the leader's %d cards, which is weighed with what the model says.",
			milliseconds(budget), e.Plies[0].Done, e.Plies[0].Cards),
	}
}

// left is the time until the deadline of ctx.
func left(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return Unlimited
	}
	return time.Until(deadline)
}

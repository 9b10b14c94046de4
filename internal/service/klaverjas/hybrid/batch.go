package hybrid

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Result is the answer to one question of a list, or an error.
type Result struct {
	Answer Answer
	Err    error
}

// AnswerAll answers questions before the deadline of ctx and returns the results in the same order. The budget is for all of
// them. At most workers searches run at a time. Deals without a prediction are searched first, then the others in descending
// order of their gain, or by Distribution in ascending order of the effort that their suit distributions suggest.
func (r Rule) AnswerAll(ctx context.Context, questions []Question, budget Budget, pace *Pace, workers int) []Result {
	results := make([]Result, len(questions))
	type search struct {
		at    int
		worth float64
		why   string
	}
	var searches []search
	speed := pace.PerSecond()
	for i, q := range questions {
		if won, ok := q.Lookup(ctx); ok {
			results[i].Answer = Answer{Route: Cache, Reason: solvedBefore, Won: won}
			continue
		}
		if q.Prediction == nil {
			searches = append(searches, search{i, math.Inf(1), q.Unknown})
			continue
		}
		decision := r.Decide(*q.Prediction, q.need(ctx, budget), speed)
		if decision.Route == Model {
			results[i].Answer = byModel(q.Prediction, decision.Reason)
			continue
		}
		searches = append(searches, search{i, q.By.Worth(*q.Prediction, q.Class), decision.Reason})
	}
	slices.SortStableFunc(searches, func(a, b search) int { return cmp.Compare(b.worth, a.worth) })

	var next atomic.Int64
	var all sync.WaitGroup
	for range min(workers, len(searches)) {
		all.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(searches) {
					return
				}
				s := searches[n]
				q, result := questions[s.at], &results[s.at]
				if q.Prediction != nil && r.hopeless(q.need(ctx, budget).effort(*q.Prediction), left(ctx), pace.PerSecond()) {
					result.Answer = byModel(q.Prediction, spent(budget.Time, q.By))
					continue
				}
				result.Answer, result.Err = r.protectedSearch(ctx, q, s.why, budget.Time)
			}
		})
	}
	all.Wait()
	return results
}

// protectedSearch is search with a panic as an error: a panic of a goroutine that nothing recovers ends the process.
func (r Rule) protectedSearch(ctx context.Context, q Question, why string, budget time.Duration) (answer Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			answer, err = Answer{}, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return r.search(ctx, q, why, budget)
}

func spent(budget time.Duration, by Choice) string {
	others := "that avoid more mistakes per card"
	if by == Distribution {
		others = "of easier suit distributions"
	}
	return fmt.Sprintf("The budget of %s for the list was used for searches %s.", milliseconds(budget), others)
}

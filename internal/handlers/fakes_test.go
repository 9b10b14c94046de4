package handlers_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	game "roem/internal/service/klaverjas"
	"roem/internal/service/klaverjas/hybrid"
	"roem/internal/testkit"
)

// searcherFunc implements a searcher by a function.
type searcherFunc func(ctx context.Context, q search.Query) (search.Result, error)

func (f searcherFunc) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	return f(ctx, q)
}

// withSearcher replaces the solver by a function.
func withSearcher(f searcherFunc) func(*config) {
	return func(c *config) { c.searcher = func() game.Searcher { return f } }
}

// waiting is a searcher that waits until its context ends, and signals when it starts and stops.
type waiting struct{ started, stopped chan struct{} }

func newWaiting() *waiting {
	return &waiting{started: make(chan struct{}, 1000), stopped: make(chan struct{}, 1000)}
}

func (s *waiting) solve(ctx context.Context, _ search.Query) (search.Result, error) {
	s.started <- struct{}{}
	<-ctx.Done()
	s.stopped <- struct{}{}
	return search.Result{}, ctx.Err()
}

// within fails the test if nothing is received.
func within(tb testing.TB, c <-chan struct{}, what string) {
	tb.Helper()
	select {
	case <-c:
	case <-time.After(testkit.Patience):
		tb.Fatal("timed out waiting for: " + what)
	}
}

// trumps is a model that predicts from the number of trumps of the declarers. It covers deals with the default rules whose leader's
// team declares.
type trumps struct{}

func (trumps) Card() ([]api.KlaverjasModelDescription, []api.KlaverjasModelMeasured) { return nil, nil }

func (trumps) Predict(rules klaverjas.Rules, deal klaverjas.Deal) (hybrid.Prediction, api.ModelIdentity, *game.NoModelFor) {
	if rules != klaverjas.DefaultRules(klaverjas.Rotterdam) {
		return hybrid.Prediction{}, api.ModelIdentity{}, &game.NoModelFor{Pointer: "/rules", Detail: "have no model"}
	}
	if deal.Declarer != deal.Leader.Team() {
		return hybrid.Prediction{}, api.ModelIdentity{}, &game.NoModelFor{Pointer: "/declarer", Detail: "is not the leader's team"}
	}
	n := 0
	for _, seat := range piquet.Seats() {
		if seat.Team() == deal.Declarer {
			n += deal.Hands[seat].InSuit(deal.Trump).Len()
		}
	}
	p := hybrid.Prediction{WinProbability: 0.02 + 0.12*float64(n), Outcome: float64(40*n - 160)}
	p.Effort = hybrid.Hardness{Log10: 4 - math.Abs(float64(n)-4)/2, Sigma: 0.5}
	return p, api.ModelIdentity{Name: "trumps", Version: "1", Sha256: strings.Repeat("0", 64)}, nil
}

func (m trumps) PredictAll(rules klaverjas.Rules, deals []klaverjas.Deal) []game.Predicted {
	return oneByOne(m, rules, deals)
}

// oneByOne implements PredictAll by calling Predict.
func oneByOne(m game.Predictor, rules klaverjas.Rules, deals []klaverjas.Deal) []game.Predicted {
	out := make([]game.Predicted, len(deals))
	for i, deal := range deals {
		out[i].Prediction, out[i].Model, out[i].Unknown = m.Predict(rules, deal)
	}
	return out
}

type (
	searchQuery  = search.Query
	searchResult = search.Result
)

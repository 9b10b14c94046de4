package tarok

import (
	"context"
	"math/rand/v2"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/violation"
	"roem/internal/random"
	"roem/internal/service"
)

// programVersion is part of every key of the program. It must change whenever a decision can change.
const programVersion = 5

// depthOfCard is how much depth of a search a trick takes.
const depthOfCard = 3

// ProgramQuery asks the program for a decision of a player, an R. Its answer is not cached: equal queries that run at the same time share
// one computation.
type ProgramQuery[R any] struct {
	service.Uncached[R]
	game     *Game
	key      service.Key
	settings advice.Settings
	seed     uint64
	view     players.View
	decide   decider[R]
}

// decider is a method of the program.
type decider[R any] func(*advice.Advisor, context.Context, *players.View, *rand.Rand) (R, error)

// newProgramQuery returns the query of a decision. about is everything that it depends on besides the settings and the seed.
func newProgramQuery[R any](
	g *Game, kind string, s advice.Settings, seed uint64, about service.Key, v players.View, decide decider[R],
) *ProgramQuery[R] {
	key := appendSettings(newKey(kind).Int(programVersion), &s).Uint(seed).Bytes(about)
	return &ProgramQuery[R]{game: g, key: key, settings: s, seed: seed, view: v, decide: decide}
}

// Key holds everything that the decision depends on.
func (q *ProgramQuery[R]) Key() []byte { return q.key }

// Computation decides, and takes slots in turns.
func (q *ProgramQuery[R]) Computation() computation.Spec {
	return service.Running(computation.Key(q.key), q.run)
}

func (q *ProgramQuery[R]) run(ctx context.Context, _ *computation.Task) (answer service.Answer[R], err error) {
	err = q.game.service.WithPause(ctx, func(ctx context.Context, pause func() error) error {
		a := advice.New(q.settings)
		a.Pause = pause
		return q.game.measure(ctx, "program", func(ctx context.Context) (uint64, error) {
			answer.Result, err = q.decide(a, ctx, &q.view, random.New(q.seed))
			return a.Nodes, err
		})
	})
	return answer, err
}

// trialSettings returns the settings of a decision by trial games in a number of worlds, by playouts or as the paper's program decides.
func trialSettings(e *api.TarokEvaluation, method *api.TarokSamplingMethod, worlds *int, vs *service.Problems) advice.Settings {
	s := advice.Default
	switch {
	case searches(e, method != nil):
		s = advice.Paper
		s.Clustered = clustered(method)
	case method != nil:
		vs.Addf("/method", violation.NotUsed, "applies only to searches; /evaluation is `playouts`")
	}
	s.Trials = service.Or(worlds, s.Trials)
	return s
}

// searches reports whether a decision is evaluated by the searches of the paper. Fields that only searches have ask for them.
func searches(e *api.TarokEvaluation, asked bool) bool {
	return asked && e == nil || e != nil && *e == api.TarokEvaluationSearches
}

// clustered reports whether the worlds of searches are chosen from clusters.
func clustered(method *api.TarokSamplingMethod) bool {
	return method == nil || *method != api.TarokSamplingMethodPlain
}

func outShares(shares [4]float64) api.TarokShares {
	return api.TarokShares{
		Kings: shares[tarok.AllKings], Trula: shares[tarok.AllTrula], Pagat: shares[tarok.LastPagat],
		Valat: shares[tarok.Valat],
	}
}

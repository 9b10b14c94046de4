package tarok

import (
	"context"
	"math/rand/v2"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/random"
	"roem/internal/service"
)

// programVersion is part of every key of the program. It must change whenever a decision can change.
const programVersion = 4

// depthOfCard is how much depth of a search a trick takes.
const depthOfCard = 3

// ProgramQuery asks the program for a decision. Its answer is not cached: equal queries that run at the same time share one computation.
type ProgramQuery struct {
	service.Uncached
	game     *Game
	key      service.Key
	settings advice.Settings
	seed     uint64
	decide   func(ctx context.Context, a *advice.Advisor, rng *rand.Rand) (any, error)
}

// newProgramQuery returns the query of a decision. about is everything that it depends on besides the settings and the seed.
func (g *Game) newProgramQuery(
	kind string, s advice.Settings, seed uint64, about service.Key,
	decide func(ctx context.Context, a *advice.Advisor, rng *rand.Rand) (any, error),
) *ProgramQuery {
	key := appendSettings(newKey(kind).Int(programVersion), &s).Uint(seed).Bytes(about)
	return &ProgramQuery{game: g, key: key, settings: s, seed: seed, decide: decide}
}

// Key holds everything that the decision depends on.
func (q *ProgramQuery) Key() []byte { return q.key }

// Computation decides, and takes slots in turns.
func (q *ProgramQuery) Computation() computation.Spec {
	return service.Running(computation.Key(q.key), q.run)
}

func (q *ProgramQuery) run(ctx context.Context, _ *computation.Task) (answer service.Answer, err error) {
	err = q.game.service.WithPause(ctx, func(ctx context.Context, pause func() error) error {
		a := advice.New(q.settings)
		a.Pause = pause
		return q.game.measure(ctx, "program", func(ctx context.Context) (uint64, error) {
			answer.Body, err = q.decide(ctx, a, random.New(q.seed))
			return a.Nodes, err
		})
	})
	return answer, err
}

func outShares(shares [4]float64) api.TarokShares {
	return api.TarokShares{
		Kings: shares[tarok.AllKings], Trula: shares[tarok.AllTrula], Pagat: shares[tarok.LastPagat],
		Valat: shares[tarok.Valat],
	}
}

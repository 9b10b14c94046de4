// Package belote has the operations of Belote Découverte: it parses their requests, defines their cache keys and cached values, answers
// them by search, and builds the answers. The rules are in engine/belote.
package belote

import (
	"context"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
	"roem/internal/sessions"
)

// Options are the options of the game.
type Options struct {
	// Searched is called after each search with the name of its goal, such as belote.value, and the states that it made. err is the error
	// of the context if the search was cancelled. It may be called from many goroutines at once. It may be nil.
	Searched func(goal string, generated uint64, took time.Duration, err error)
	Sessions sessions.Store // the sessions; nil for the memory of the process. The caller closes it
}

// Game answers the operations of Belote Découverte. It is safe for concurrent use.
type Game struct {
	service  *service.Service
	schemas  *service.Schemas
	searched func(goal string, generated uint64, took time.Duration, err error)
	sessions *Sessions
}

// The kinds of jobs of the game.
const (
	KindSolve   = string(api.JobKindBeloteSolve)
	KindAnalyse = string(api.JobKindBeloteAnalyse)
	KindReview  = string(api.JobKindBeloteReview)
	KindCompare = string(api.JobKindBeloteCompare)
	KindAdvise  = string(api.JobKindBeloteAdvise)
	KindBid     = string(api.JobKindBeloteBid)
	KindMatch   = string(api.JobKindBeloteMatch)
)

// Schemas returns the schemas of the requests.
func (g *Game) Schemas() *service.Schemas { return g.schemas }

// New returns the game and registers its operations with the service.
func New(s *service.Service, o Options) *Game {
	if o.Searched == nil {
		o.Searched = func(string, uint64, time.Duration, error) {}
	}
	g := &Game{service: s, schemas: service.NewSchemas(s, shapes), searched: o.Searched}
	g.sessions = service.NewSessions(s, gameName, o.Sessions, g.sealed())
	service.Declare(s, Operations, g)
	return g
}

// solverKey is the key of the game's solver among the tools of a slot.
type solverKey struct{ game *Game }

// solver returns the solver of a slot.
func (g *Game) solver(slot *computation.Slot) *search.Solver {
	return computation.Tool(slot, solverKey{g}, func() *search.Solver { return search.New(search.Options{}) })
}

// solve searches, and records the effort and a span.
func (g *Game) solve(ctx context.Context, solver *search.Solver, q search.Query) (search.Result, error) {
	ctx, endSpan := service.StartSpan(ctx, "search")
	began, end := time.Now(), service.EffortOf(ctx).BeginSearch()
	result, err := solver.Solve(ctx, q)
	end(result.Generated)
	g.searched(gameName+"."+q.Goal.String(), result.Generated, time.Since(began), err)
	endSpan(err, service.About{Name: "roem.goal", Text: q.Goal.String()}, service.About{Name: "roem.nodes", Number: int64(result.Generated)})
	return result, err
}

// inTurns returns the Compute of a Lookup that takes slots in turns: see service.WithPause. compute gets a solver of its own.
func (g *Game) inTurns(
	compute func(ctx context.Context, task *computation.Task, solver *search.Solver, pause func() error) ([]byte, error),
) func(context.Context, *computation.Task) ([]byte, error) {
	return func(ctx context.Context, task *computation.Task) (value []byte, err error) {
		err = g.service.WithPause(ctx, func(ctx context.Context, pause func() error) (err error) {
			value, err = compute(ctx, task, search.New(search.Options{}), pause)
			return err
		})
		return value, err
	}
}

// Package klaverjas has the operations of Klaverjas: it parses their requests, defines their cache keys and cached values, answers
// them by search, by model or by both, and builds the answers. The rules are in engine/klaverjas.
package klaverjas

import (
	"context"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/model/klaverjas/forest"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/service"
	"roem/internal/service/klaverjas/hybrid"
	"roem/internal/sessions"
)

// Options are the options of the game.
type Options struct {
	TableBytes int             // the memory of the table of each slot, in bytes; 0 for search.DefaultTableBytes
	Searcher   func() Searcher // makes a searcher for a slot; nil for search.New
	Predictor  Predictor       // the models; nil for none. If it is a handstrength.Predictor, hands are estimated with it too
	HandModel  *hand.Model     // the model of hands; nil for none
	Trees      []*forest.Model // the forest and the tree; none for none
	Sessions   sessions.Store  // the sessions; nil for the memory of the process. The caller closes it
	// Searched is called after each search. err is the error of the context if the search was cancelled. It may be called from many
	// goroutines at once. It may be nil.
	Searched func(goal search.Goal, nodes uint64, took time.Duration, err error)
}

// Searcher solves positions, one at a time. *search.Solver is one.
type Searcher interface {
	Solve(ctx context.Context, q search.Query) (search.Result, error)
}

// Game answers the operations of Klaverjas. It is safe for concurrent use.
type Game struct {
	service  *service.Service
	schemas  *service.Schemas
	searcher func() Searcher
	searched func(goal search.Goal, nodes uint64, took time.Duration, err error)
	pace     *hybrid.Pace
	guesses  guesses // nil for none
}

// The kinds of jobs of the game.
const (
	KindSolve      = string(api.JobKindKlaverjasSolve)
	KindAnalyse    = string(api.JobKindKlaverjasAnalyse)
	KindTable      = string(api.JobKindKlaverjasTable)
	KindSolveBatch = string(api.JobKindKlaverjasSolveBatch)
	KindMatch      = string(api.JobKindKlaverjasMatch)
	KindPlay       = string(api.JobKindKlaverjasPlay)
	KindAdvise     = string(api.JobKindKlaverjasAdvise)
	KindReview     = string(api.JobKindKlaverjasReview)
	KindEvening    = string(api.JobKindKlaverjasEvening)

	KindHandStrength      = string(api.JobKindKlaverjasHandStrength)
	KindHandStrengthBatch = string(api.JobKindKlaverjasHandStrengthBatch)
)

// Schemas returns the schemas of the requests.
func (g *Game) Schemas() *service.Schemas { return g.schemas }

// New returns the game and registers its operations with the service.
func New(s *service.Service, o Options) *Game {
	g := bareGame(s, &o)
	e := newEmbedded(g, &o)
	g.guesses, e.sessions = e, service.NewSessions(s, name, o.Sessions, g.sealed())
	return service.Declare(s, Operations(), g)
}

// NewExact is New for the operations of Exact. Of the options it needs those of the searches. A request that needs a model is
// service.ErrElsewhere.
func NewExact(s *service.Service, o Options) *Game {
	return service.Declare(s, Exact(), bareGame(s, &o))
}

func bareGame(s *service.Service, o *Options) *Game {
	if o.Searcher == nil {
		o.Searcher = func() Searcher { return search.New(search.Options{TableBytes: o.TableBytes}) }
	}
	if o.Searched == nil {
		o.Searched = func(search.Goal, uint64, time.Duration, error) {}
	}
	return &Game{
		service: s, schemas: service.NewSchemas(s, shapes), searcher: o.Searcher, searched: o.Searched, pace: hybrid.NewPace(),
	}
}

// searcherKey is the key of the game's searcher among the tools of a slot.
type searcherKey struct{ game *Game }

// solve searches with the searcher of the slot, and records the effort and a span.
func (g *Game) solve(ctx context.Context, slot *computation.Slot, q search.Query) (search.Result, error) {
	ctx, endSpan := service.StartSpan(ctx, "search")
	result, err := g.search(ctx, slot, q)
	endSpan(err, service.About{Name: "roem.goal", Text: q.Goal.String()}, service.About{Name: "roem.nodes", Number: int64(result.Nodes)})
	return result, err
}

// search searches with the searcher of the slot, and records the effort.
func (g *Game) search(ctx context.Context, slot *computation.Slot, q search.Query) (search.Result, error) {
	searcher := computation.Tool(slot, searcherKey{g}, g.searcher)
	began, end := time.Now(), service.EffortOf(ctx).BeginSearch()
	result, err := searcher.Solve(ctx, q)
	end(result.Nodes)
	g.searched(q.Goal, result.Nodes, time.Since(began), err)
	return result, err
}

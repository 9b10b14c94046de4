// Package tarok has the operations of tarok: it parses their requests, defines their cache keys and cached values, answers them by search,
// and builds the answers. The rules are in engine/tarok.
package tarok

import (
	"context"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/search"
	"roem/internal/service"
	"roem/internal/sessions"
)

// Options are the options of the game.
type Options struct {
	// Searched is called after each search with the name of its goal, such as tarok.value, and the nodes that it made. err is the error of
	// the context if the search was cancelled. It may be called from many goroutines at once. It may be nil.
	Searched func(goal string, nodes uint64, took time.Duration, err error)
	Sessions sessions.Store // the sessions; nil for the memory of the process. The caller closes it
}

// Game answers the operations of tarok. It is safe for concurrent use.
type Game struct {
	service  *service.Service
	schemas  *service.Schemas
	searched func(goal string, nodes uint64, took time.Duration, err error)
	sessions *Sessions
	kinds    []players.Kind
}

// The kinds of the jobs of the game.
const (
	KindSolve    = string(api.JobKindTarokSolve)
	KindBid      = string(api.JobKindTarokBid)
	KindExchange = string(api.JobKindTarokExchange)
	KindAnnounce = string(api.JobKindTarokAnnounce)
	KindAdvise   = string(api.JobKindTarokAdvise)
	KindReview   = string(api.JobKindTarokReview)
	KindMatch    = string(api.JobKindTarokMatch)
)

// gameName is the name of the game in keys and metrics.
const gameName = "tarok"

// Schemas returns the schemas of the requests.
func (g *Game) Schemas() *service.Schemas { return g.schemas }

// New returns the game and registers its operations with the service.
func New(s *service.Service, o Options) *Game {
	if o.Searched == nil {
		o.Searched = func(string, uint64, time.Duration, error) {}
	}
	g := &Game{service: s, schemas: service.NewSchemas(s, shapes), searched: o.Searched, kinds: advice.Kinds()}
	g.sessions = service.NewSessions(s, gameName, o.Sessions, g.sealed())
	service.Declare(s, Operations, g)
	return g
}

// solverKey is the key of the game's solver among the tools of a slot.
type solverKey struct{ game *Game }

// tableBytes is the memory of the table of a solver: enough for endings of ten cards in a hand.
const tableBytes = 4 << 20

func newSolver() *search.Solver { return search.New(search.Options{TableBytes: tableBytes}) }

// solver returns the solver of a slot.
func (g *Game) solver(slot *computation.Slot) *search.Solver {
	return computation.Tool(slot, solverKey{g}, newSolver)
}

// measure makes a search, and records the effort and a span.
func (g *Game) measure(ctx context.Context, goal string, work func(ctx context.Context) (nodes uint64, err error)) error {
	ctx, endSpan := service.StartSpan(ctx, "search")
	began, end := time.Now(), service.EffortOf(ctx).BeginSearch()
	nodes, err := work(ctx)
	end(nodes)
	g.searched(gameName+"."+goal, nodes, time.Since(began), err)
	endSpan(err, service.About{Name: "roem.goal", Text: goal}, service.About{Name: "roem.nodes", Number: int64(nodes)})
	return err
}

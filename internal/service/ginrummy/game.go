// Package ginrummy has the operations of Gin Rummy: it parses their requests and builds the answers. The rules and the players are in
// engine/ginrummy.
package ginrummy

import (
	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/service"
	"roem/internal/sessions"
)

// Method is a way to estimate the opponent's hand, with its name in the contract.
type Method struct {
	Name api.GinMethod
	ginrummy.Estimator
	// Symmetric is the mean of the estimate over the orders of the suits; nil if it does not depend on the order.
	Symmetric func(v *ginrummy.View) ginrummy.Probabilities
	Model     *api.ModelIdentity // nil for none
	Missing   string             // if not empty, why the method cannot be used, and what to do
}

// Options are the options of the game.
type Options struct {
	// Methods are the ways to estimate hands, the default first. With none it is Methods().
	Methods []Method
	// Kinds are the players. With none they are players.Kinds().
	Kinds []players.Kind
	// Advisor is the name of the player that advises if the request names none. The default is the name of the learned player.
	Advisor string
	// Hands is the estimate from which the danger of discards is computed. With none all hands are equally likely.
	Hands advice.Estimate
	// Model is what Hands is from, for answers.
	Model    *api.ModelIdentity
	Sessions sessions.Store // the sessions; nil for the memory of the process. The caller closes it
}

// Methods returns the ways to estimate hands, the default first.
func Methods() []Method { return []Method{{Name: api.GinMethodUniform, Estimator: ginrummy.Uniform{}}} }

// Game answers the operations of Gin Rummy. It is safe for concurrent use.
type Game struct {
	service  *service.Service
	schemas  *service.Schemas
	methods  []Method
	kinds    []players.Kind
	advisor  string
	hands    advice.Estimate
	model    *api.ModelIdentity
	sessions *Sessions
}

// The kinds of the jobs of the game.
const (
	KindMatch  = string(api.JobKindGinRummyMatch)
	KindReview = string(api.JobKindGinRummyReview)
)

// Schemas returns the schemas of the requests.
func (g *Game) Schemas() *service.Schemas { return g.schemas }

// New returns the game and registers its operations with the service.
func New(s *service.Service, o Options) *Game {
	if o.Methods == nil {
		o.Methods = Methods()
	}
	if o.Kinds == nil {
		o.Kinds = players.Kinds()
	}
	if o.Advisor == "" {
		o.Advisor = "simple"
	}
	if o.Hands == nil {
		o.Hands = advice.Uniform
	}
	g := &Game{
		service: s, schemas: service.NewSchemas(s, shapes), methods: o.Methods, kinds: o.Kinds, advisor: o.Advisor, hands: o.Hands,
		model: o.Model,
	}
	g.sessions = service.NewSessions(s, "gin-rummy", o.Sessions, g.sealed())
	service.Declare(s, Operations, g)
	return g
}

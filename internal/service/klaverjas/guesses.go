package klaverjas

import (
	"context"
	"sync"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/model/klaverjas/belief"
	"roem/internal/model/klaverjas/forest"
	"roem/internal/model/klaverjas/hand"
	"roem/internal/model/klaverjas/policy"
	"roem/internal/random"
	"roem/internal/service"
	"roem/internal/service/klaverjas/bidadvice"
	"roem/internal/service/klaverjas/handstrength"
)

// guesses is what the exact operations ask of models, where a request wants more than what is certain. A program without models names
// none of their packages, so that it has nothing of them.
type guesses interface {
	// believe returns how likely each world is by the belief, and the model that says so.
	believe(k *worlds.Knowledge) (*worlds.Weighted, *api.ModelIdentity, error)
	// playOut plays worlds out with the policies, which are among the tools of the slot.
	playOut(ctx context.Context, slot *computation.Slot, q *AdviseQuery, first int, o advice.PlayoutOptions) (*advice.Tally, error)
	// hear makes calls a part of the question.
	hear(q *AdviseQuery, a bidding.Auction) error
	// model returns the model of a method.
	model(m adviceMethod) *api.ModelIdentity
}

// needsModels returns service.ErrElsewhere if the game has no models.
func (g *Game) needsModels() error {
	if g.guesses == nil {
		return service.ErrElsewhere
	}
	return nil
}

// embedded are the models and the players that come with the program, and what is kept for them.
type embedded struct {
	game      *Game
	predictor Predictor
	strength  handstrength.Estimator
	handModel *hand.Model // nil for none
	trees     []*forest.Model
	bids      bidadvice.Advisor
	sessions  *Sessions
	quick     sync.Pool // of *players.Tools, for players that decide without a slot
}

// models returns the models of a game that has them: only operations that need models ask.
func (g *Game) models() *embedded {
	e, _ := g.guesses.(*embedded)
	return e
}

func newEmbedded(g *Game, o *Options) *embedded {
	e := &embedded{game: g, predictor: o.Predictor, handModel: o.HandModel, trees: o.Trees}
	if e.predictor == nil {
		e.predictor = without{}
	}
	e.quick.New = func() any { return NewTools() }
	if o.HandModel != nil {
		e.strength.Distilled = handstrength.OfModel(o.HandModel)
	}
	e.strength.Predictor, _ = e.predictor.(handstrength.Predictor) // nil if it is none
	e.bids.Distilled, e.bids.Predictor = e.strength.Distilled, e.strength.Predictor
	return e
}

func (e *embedded) believe(k *worlds.Knowledge) (*worlds.Weighted, *api.ModelIdentity, error) {
	of, err := believer()
	if err != nil {
		return nil, nil, err
	}
	w, err := of(k)
	if err != nil {
		return nil, nil, err
	}
	return w, e.model(beliefMethod), nil
}

func (e *embedded) playOut(
	ctx context.Context, slot *computation.Slot, q *AdviseQuery, first int, o advice.PlayoutOptions,
) (*advice.Tally, error) {
	models, err := computation.Tool(slot, toolsKey{e.game}, NewTools).Models()
	if err != nil {
		return nil, err
	}
	return q.question.PlayOuts(ctx, random.New(q.seed, playoutStream, uint64(first)), models, o)
}

func (e *embedded) hear(q *AdviseQuery, a bidding.Auction) error {
	v := q.question.Knowledge().View()
	p := &e.bids.Policy
	if !p.Covers(v.Rules) {
		return service.NewNoModel("/rules",
			"have no model of the bidding: there is one for the default rules of rotterdam and amsterdam")
	}
	q.subject = appendAuction(q.subject.Text("bidding"), a).Text(bidadvice.SHA256())
	heard, err := bidadvice.NewEvidence(p, v.Rules, a, v.Seat)
	q.prior = heard.Likelihood
	return err
}

func (*embedded) model(m adviceMethod) *api.ModelIdentity {
	if m == beliefMethod {
		return &api.ModelIdentity{Name: belief.Name, Version: belief.Version, Sha256: belief.SHA256()}
	}
	return &api.ModelIdentity{Name: policy.Name, Version: policy.Version, Sha256: policy.SHA256()}
}

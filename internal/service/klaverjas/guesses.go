package klaverjas

import (
	"context"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/model/klaverjas/belief"
	"roem/internal/model/klaverjas/policy"
	"roem/internal/random"
	"roem/internal/service"
	"roem/internal/service/klaverjas/bidadvice"
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

// embedded are the models that come with the program.
type embedded struct{ game *Game }

func (e embedded) believe(k *worlds.Knowledge) (*worlds.Weighted, *api.ModelIdentity, error) {
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

func (e embedded) playOut(
	ctx context.Context, slot *computation.Slot, q *AdviseQuery, first int, o advice.PlayoutOptions,
) (*advice.Tally, error) {
	models, err := computation.Tool(slot, toolsKey{e.game}, NewTools).Models()
	if err != nil {
		return nil, err
	}
	return q.question.PlayOuts(ctx, random.New(q.seed, playoutStream, uint64(first)), models, o)
}

func (e embedded) hear(q *AdviseQuery, a bidding.Auction) error {
	v := q.question.Knowledge().View()
	p := &e.game.bids.Policy
	if !p.Covers(v.Rules) {
		return service.NewNoModel("/rules",
			"have no model of the bidding: there is one for the default rules of rotterdam and amsterdam")
	}
	q.subject = appendAuction(q.subject.Text("bidding"), a).Text(bidadvice.SHA256())
	heard, err := bidadvice.NewEvidence(p, v.Rules, a, v.Seat)
	q.prior = heard.Likelihood
	return err
}

func (embedded) model(m adviceMethod) *api.ModelIdentity {
	if m == beliefMethod {
		return &api.ModelIdentity{Name: belief.Name, Version: belief.Version, Sha256: belief.SHA256()}
	}
	return &api.ModelIdentity{Name: policy.Name, Version: policy.Version, Sha256: policy.SHA256()}
}

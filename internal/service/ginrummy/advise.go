package ginrummy

import (
	"context"
	"slices"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/worlds"
	"roem/internal/random"
	"roem/internal/service"
)

// AdviseQuery is a request for what a player does.
type AdviseQuery struct {
	view   ginrummy.View
	player players.Kind
}

// Advise returns what the player does, and every allowed action. A player that plays actions on gets a slot. The error is
// an *service.Error, or the error of the context.
func (g *Game) Advise(ctx context.Context, q AdviseQuery) (api.GinAdvice, error) {
	var (
		action  ginrummy.Action
		options []players.Option
	)
	if err := g.decide(ctx, q.player.Slow(), func(ctx context.Context) (err error) {
		action, options, err = players.Advise(ctx, q.player.New(random.New(0)), q.view)
		return err
	}); err != nil {
		return api.GinAdvice{}, err
	}
	out := api.GinAdvice{
		Phase: api.GinAdvicePhase(q.view.Phase.String()), Action: outAction(action), Options: make([]api.GinOption, len(options)),
		Deadwood: q.view.Own.Deadwood(), Player: q.player.Name(), Version: g.service.Version(),
	}
	var hand worlds.Distribution
	if q.view.Phase == ginrummy.ToDiscard {
		g.hands(&q.view, &hand)
	}
	if q.player.Name() == Playout || q.view.Phase == ginrummy.ToDiscard {
		out.Model = g.model
	}
	at := slices.IndexFunc(options, func(o players.Option) bool { return o.Action.Same(action) })
	if at < 0 {
		return api.GinAdvice{}, &service.Error{Detail: "the player chose an action that is not among the options"}
	}
	chosen := options[at]
	for i, o := range options {
		out.Options[i] = api.GinOption{Action: outAction(o.Action), Best: o.Best}
		if o.Deadwood >= 0 {
			out.Options[i].Deadwood = &options[i].Deadwood
		}
		if o.Action.Kind == ginrummy.Discard {
			out.Options[i].Danger = new(hand.Completes(o.Action.Card))
		}
		out.Options[i].Potential = outPotential(o.Potential)
		if o.Valued {
			out.Options[i].Value = new(rounded(o.Value))
			if !o.Best {
				out.Options[i].StandardError = new(rounded(o.Error))
			}
			out.Options[i].Standing = new(reviewRule.Standing(chosen.Value-o.Value, o.Error))
		}
		if o.Action.Same(action) {
			out.Options[i].Standing = new(api.StandingBest)
		}
	}
	if r, ok := players.FormulaReason(action, options); ok {
		out.Reason = &api.GinFormulaReason{Text: r.Text()}
		if r.Kept {
			out.Reason.Keeps = outCardOrNil(r.Keeps.Action.Card)
		}
	}
	return out, nil
}

func outPotential(p *players.Potential) *api.GinPotential {
	if p == nil {
		return nil
	}
	return &api.GinPotential{W: rounded(p.W), V: rounded(p.V), Cards: outSet(p.Cards)}
}

// rounded drops the digits of a mean over some hundred hands that mean nothing.
func rounded(value float64) float64 { return service.Rounded(value, valueDigits) }

const valueDigits = 3

func outAction(a ginrummy.Action) api.GinAction {
	out := api.GinAction{Kind: api.GinActionKind(a.Kind.String())}
	switch a.Kind {
	case ginrummy.Discard:
		out.Card = new(a.Card.String())
	case ginrummy.Knock:
		out.Melds = new(outArrangement(a.Melds))
	default:
	}
	return out
}

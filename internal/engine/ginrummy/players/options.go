package players

import (
	"context"

	"roem/internal/engine/ginrummy"
)

// Option is an action that is allowed, with what it leaves.
type Option struct {
	Action ginrummy.Action
	// Deadwood is the least deadwood that the action leaves, after the best discard. It is -1 for a draw from the stock.
	Deadwood int
	// Value is what a player expects of the action, in points, if Valued is set.
	Value  float64
	Valued bool
	// Error is the standard error of the difference between Value and the value of the best action.
	Error float64
	// Potential is what the formula of the player says of a discard; nil for all other players.
	Potential *Potential
	// Best reports whether the player finds no other action better.
	Best bool
}

// Valuer is a player that compares actions.
type Valuer interface {
	Player
	// Value sets Value, Valued, Error and Best of the options of a view. At least one is best.
	Value(ctx context.Context, v ginrummy.View, options []Option) error
}

// Options returns every action that is allowed to the seat of a view, before a knock: first the actions of drawing, or the discards in
// the order of the deadwood that they leave, or to knock with the first of the best arrangements, and not to knock.
func Options(v *ginrummy.View) (list []Option) {
	switch v.Phase {
	case ginrummy.ToDraw:
		if v.May.Pass {
			list = append(list, Option{Action: ginrummy.Action{Kind: ginrummy.Pass}, Deadwood: v.Own.Deadwood()})
		}
		if v.May.Take {
			deadwood, _ := v.Own.With(v.Top).AfterDiscardOf(v.Own)
			list = append(list, Option{Action: ginrummy.Action{Kind: ginrummy.Take}, Deadwood: deadwood})
		}
		if v.May.Stock {
			list = append(list, Option{Action: ginrummy.Action{Kind: ginrummy.Stock}, Deadwood: -1})
		}
	case ginrummy.ToDiscard:
		for choice := v.Discards(); !choice.Empty(); {
			deadwood, least := v.Own.AfterDiscardOf(choice)
			for c := range least.All() {
				list = append(list, Option{Action: ginrummy.Action{Kind: ginrummy.Discard, Card: c}, Deadwood: deadwood})
			}
			choice &^= least
		}
	case ginrummy.ToKnock:
		knock := ginrummy.Action{Kind: ginrummy.Knock}
		if best := v.Own.Best(); len(best) > 0 {
			knock.Melds = best[0]
		}
		deadwood := v.Own.Deadwood()
		list = append(list, Option{Action: knock, Deadwood: deadwood},
			Option{Action: ginrummy.Action{Kind: ginrummy.Continue}, Deadwood: deadwood})
	default:
	}
	return list
}

// Advise returns what a player does in a view, before a knock, and all options. Of a Valuer it is the first option that it finds best.
func Advise(ctx context.Context, p Player, v ginrummy.View) (ginrummy.Action, []Option, error) {
	list := Options(&v)
	if valuer, ok := p.(Valuer); ok {
		if err := valuer.Value(ctx, v, list); err != nil {
			return ginrummy.Action{}, nil, err
		}
		for _, o := range list {
			if o.Best {
				return o.Action, list, nil
			}
		}
	}
	a, err := p.Choose(ctx, v)
	if err != nil {
		return ginrummy.Action{}, nil, err
	}
	for i, o := range list {
		list[i].Best = o.Action.Same(a)
	}
	return a, list, nil
}

// Value marks what the simple player does: one of the discards that it draws lots for, or the only action that it considers.
func (simplePlayer) Value(_ context.Context, v ginrummy.View, options []Option) error {
	if v.Phase == ginrummy.ToDiscard {
		least := SimpleDiscards(&v)
		for i, o := range options {
			options[i].Best = least.Has(o.Action.Card)
		}
		return nil
	}
	kind := ginrummy.Knock
	switch {
	case v.Phase == ginrummy.ToDraw:
		kind = simpleDraw(&v)
	case len(v.Own.Best()) == 0:
		kind = ginrummy.Continue
	}
	for i, o := range options {
		options[i].Best = o.Action.Kind == kind
	}
	return nil
}

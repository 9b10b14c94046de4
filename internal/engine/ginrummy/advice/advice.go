// Package advice says what a player of Gin Rummy should do: what to draw, what to discard, and whether to knock. It draws hands of the
// opponent from an estimate, and plays the round on from each option in each of them.
package advice

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/worlds"
	"roem/internal/random"
)

// Estimate sets a distribution to the distribution of the opponent's hand in a view.
type Estimate func(v *ginrummy.View, d *worlds.Distribution)

// Uniform is the estimate for which all hands are equally likely that agree with what was seen.
func Uniform(v *ginrummy.View, d *worlds.Distribution) {
	seen := v.Seen()
	d.Uniform(seen.Kept, seen.Unknown(), ginrummy.HandSize-seen.Kept.Len())
}

// Settings configure an Advisor.
type Settings struct {
	Estimate Estimate
	Worlds   int // hands that the options are played in
	Options  int // discards that are played
	// Doubt is by how many standard errors an option must be better than the option of a rule of thumb.
	Doubt float64
}

// Default returns the settings of the service with an estimate.
func Default(e Estimate) Settings {
	return Settings{Estimate: e, Worlds: 96, Options: 5, Doubt: 1}
}

// Option is something that the player can do, with what it is worth.
type Option struct {
	Action ginrummy.Action
	Knock  bool    // of a discard: to knock after it is worth more than to go on
	Value  float64 // points of the player minus the points of the opponent until the end of the round
	Error  float64 // the standard error of the difference to the first option
	Danger float64 // of a discard: the probability that it completes a meld of the opponent
	Left   int     // of a discard: the deadwood that it leaves
}

// Advisor advises. Only one goroutine at a time may use it.
type Advisor struct {
	s      Settings
	dist   worlds.Distribution
	worlds []world
	values [][]float64
}

// New returns an advisor.
func New(s Settings) *Advisor { return &Advisor{s: s} }

// sample sets the worlds of a view.
func (a *Advisor) sample(v *ginrummy.View, rng *rand.Rand) {
	a.s.Estimate(v, &a.dist)
	if len(a.worlds) < a.s.Worlds {
		a.worlds = make([]world, a.s.Worlds)
	}
	open := a.dist.Unknown | a.dist.Certain
	for i := range a.s.Worlds {
		w := &a.worlds[i]
		hand, _ := a.dist.Sample(rng)
		w.opponent, w.seed = hand, rng.Uint64()|1
		n := 0
		for s := open &^ hand; s != 0; s &= s - 1 {
			w.stock[n] = s.First()
			n++
		}
		random.Shuffle(rng, w.stock[:n])
	}
}

// Options returns the options of the player to decide, the best first. The view's seat is to draw, to discard or to knock.
func (a *Advisor) Options(ctx context.Context, v *ginrummy.View, rng *rand.Rand) ([]Option, error) {
	if v.Phase == ginrummy.ToMeld {
		return []Option{{Action: ginrummy.Action{Kind: ginrummy.Lay, Melds: a.lay(v)}}}, nil
	}
	options := a.list(v)
	return options, a.value(ctx, v, options, len(options), rng)
}

// Judged is what an action is worth beside the advised one.
type Judged struct {
	Advised ginrummy.Action // the first of Options
	Played  Option          // the action
	Better  Option          // the option of Advised
	Cost    float64         // how much less the action is worth; negative if it is worth more, but not by the Doubt of the settings
	Error   float64         // the standard error of Cost
}

// Judge compares an action with the one that Options advises with an equal generator, in the same worlds. The action must be allowed to
// the view's seat, which is to draw, to discard or to knock. It need not be among the Options.
func (a *Advisor) Judge(ctx context.Context, v *ginrummy.View, action ginrummy.Action, rng *rand.Rand) (Judged, error) {
	is := func(o Option) bool { return o.Action.Same(action) }
	options := a.list(v)
	choices := len(options)
	if !slices.ContainsFunc(options, is) {
		options = append(options, Option{Action: action, Left: v.Own.Without(action.Card).Deadwood()})
	}
	if err := a.value(ctx, v, options, choices, rng); err != nil {
		return Judged{}, err
	}
	played := options[slices.IndexFunc(options, is)]
	return Judged{options[0].Action, played, options[0], options[0].Value - played.Value, played.Error}, nil
}

// value plays the options, and sorts them: of the first choices the one to choose is the first.
func (a *Advisor) value(ctx context.Context, v *ginrummy.View, options []Option, choices int, rng *rand.Rand) error {
	if len(options) == 1 && v.Phase == ginrummy.ToDraw {
		return nil
	}
	a.sample(v, rng)
	a.values = a.values[:0]
	for i := range options {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		a.play(v, &options[i])
	}
	a.finishOptions(options, a.values, choices)
	return nil
}

// list returns the options of a view, without values.
func (a *Advisor) list(v *ginrummy.View) (options []Option) {
	switch v.Phase {
	case ginrummy.ToDraw:
		if v.May.Take {
			options = append(options, Option{Action: ginrummy.Action{Kind: ginrummy.Take}})
		}
		if v.May.Stock {
			options = append(options, Option{Action: ginrummy.Action{Kind: ginrummy.Stock}})
		}
		if v.May.Pass {
			options = append(options, Option{Action: ginrummy.Action{Kind: ginrummy.Pass}})
		}
		if len(options) == 2 && !v.Own.Completes(v.Top) {
			options[0], options[1] = options[1], options[0]
		}
	case ginrummy.ToDiscard:
		for c := range v.Discards().All() {
			options = append(options, Option{Action: ginrummy.Action{Kind: ginrummy.Discard, Card: c}, Left: v.Own.Without(c).Deadwood()})
		}
		slices.SortStableFunc(options, func(x, y Option) int { return rough(v.Own, &x) - rough(v.Own, &y) })
		options = options[:min(len(options), max(a.s.Options, 1))]
	default:
		options = append(options, Option{Action: ginrummy.Action{Kind: ginrummy.Knock, Melds: arrangement(v.Own)}},
			Option{Action: ginrummy.Action{Kind: ginrummy.Continue}})
	}
	return options
}

// rough orders discards before they are played.
func rough(own ginrummy.Set, o *Option) int { return 2*o.Left + neighbours(own, o.Action.Card) }

// play plays an option in all worlds.
func (a *Advisor) play(v *ginrummy.View, o *Option) {
	worlds := a.worlds[:a.s.Worlds]
	values := make([]float64, len(worlds))
	switch o.Action.Kind {
	case ginrummy.Discard:
		hand := v.Own.Without(o.Action.Card)
		goOn, knock := make([]float64, len(worlds)), 0.0
		sum, danger := 0.0, 0
		knocks := o.Left <= ginrummy.MaxDeadwood
		melds := arrangement(hand)
		for i := range worlds {
			w := &worlds[i]
			if w.opponent.Completes(o.Action.Card) {
				danger++
			}
			t := start(v, w)
			goOn[i] = float64(t.play(hand, o.Action))
			sum += goOn[i]
			if knocks {
				values[i] = float64(knockScore(hand, w.opponent, melds, v.LayOffs))
				knock += values[i]
			}
		}
		o.Danger = float64(danger) / float64(len(worlds))
		if o.Knock = knocks && knock >= sum; !o.Knock {
			values = goOn
		}
	case ginrummy.Knock:
		for i := range worlds {
			values[i] = float64(knockScore(v.Own, worlds[i].opponent, o.Action.Melds, v.LayOffs))
		}
	default:
		for i := range worlds {
			t := start(v, &worlds[i])
			values[i] = float64(t.play(v.Own, o.Action))
		}
	}
	a.values = append(a.values, values)
}

// start returns the table of a world.
func start(v *ginrummy.View, w *world) table {
	return table{
		hands: [2]ginrummy.Set{v.Own, w.opponent}, top: v.Top, untouched: v.Top == v.Upcard &&
			untouched(v), turns: v.Turns, stock: w.stock[:v.Stock],
		random: w.seed, rule: v.LayOffs, barred: ginrummy.NoCard,
	}
}

// untouched reports whether nobody has taken or drawn a card.
func untouched(v *ginrummy.View) bool {
	for _, e := range v.Events {
		if e.Kind != ginrummy.Pass {
			return false
		}
	}
	return true
}

// play returns the score after an action that is not a knock. hand is the hand of the player after a discard.
func (t *table) play(hand ginrummy.Set, a ginrummy.Action) (score int) {
	var over bool
	switch a.Kind {
	case ginrummy.Take:
		score, over = t.turn(t.top)
	case ginrummy.Stock:
		score, over = t.turn(ginrummy.NoCard)
	case ginrummy.Discard:
		t.hands[0], t.top, t.untouched = hand, a.Card, false
		score, over = t.endTurn()
	default: // Pass and Continue
		score, over = t.endTurn()
	}
	if over {
		return score
	}
	return t.finish()
}

// finishOptions computes the values, and puts the option to choose first: the first of the list, which a rule of thumb prefers, unless
// another of the first choices is worth more by Doubt standard errors of the difference. So the noise of few worlds does not choose. The
// others follow by value.
func (a *Advisor) finishOptions(options []Option, values [][]float64, choices int) {
	n := float64(len(values[0]))
	for i := range options {
		for _, x := range values[i] {
			options[i].Value += x / n
		}
	}
	// The standard error of the difference between two options, which were played in the same worlds.
	apart := func(i, j int) float64 {
		mean, square := options[i].Value-options[j].Value, 0.0
		for k, x := range values[i] {
			d := x - values[j][k] - mean
			square += d * d
		}
		return math.Sqrt(square) / n
	}
	best, lead := 0, 0.0
	for i := range options[:choices] {
		if by := options[i].Value - options[0].Value - a.s.Doubt*apart(i, 0); by > lead {
			best, lead = i, by
		}
	}
	for i := range options {
		options[i].Error = apart(i, best)
	}
	first := options[best].Action
	slices.SortStableFunc(options, func(x, y Option) int {
		switch {
		case x.Action == first:
			return -1
		case y.Action == first:
			return 1
		case x.Value > y.Value:
			return -1
		case x.Value < y.Value:
			return 1
		}
		return 0
	})
}

// lay returns the arrangement with which the least is left after laying off on the melds of the knocker.
func (a *Advisor) lay(v *ginrummy.View) ginrummy.Arrangement {
	var on ginrummy.Arrangement
	for _, e := range v.Events {
		if e.Kind == ginrummy.Knock {
			on = e.Melds
		}
	}
	return v.Own.BestAgainst(on, v.LayOffs)
}

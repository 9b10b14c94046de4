package players

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/match"
	"roem/internal/engine/violation"
)

// OHE is the name of the player of Hein, Jiang, Thiyageswaran and Guerzhoy, "Random Forests for Opponent Hand Estimation in Gin Rummy",
// 2021, section "Opponent Hand Estimation to Improve Play" ("the paper"). It draws and knocks as the simple player. Of the 11 cards of its
// hand it discards the one with the lowest
//
//	v = alpha w + (1 - alpha) d
//
// where d is the deadwood after the discard. w counts the ways to make a meld of three of the card, another own card and an unseen one,
// each with the weight 1 - p^4 of the unseen card, where p is the estimated probability that the opponent holds it.
const OHE = "ohe"

// DefaultAlpha is the weight of the melds in the paper.
const DefaultAlpha = 0.1

// Source is where the player takes the probability p of a card from.
type Source struct {
	Name string
	// Estimate returns the probabilities. With nil and no Missing every p is 0.
	Estimate func(v *ginrummy.View) ginrummy.Probabilities
	// Missing, if not empty, says why the source cannot be used, and what to do.
	Missing string
	// Identity tells two sources of the same name apart, in the keys of results. It is empty for sources that are part of the program.
	Identity string
}

// None is the source for which p is 0, and Uniform the source for which all unseen cards are equally likely.
var (
	None    = Source{Name: "none"}
	Uniform = Source{Name: "uniform", Estimate: ginrummy.Uniform{}.Estimate}
)

// Formula configures the player. The zero value is the baseline: alpha is 0.
type Formula struct {
	Alpha float64 // 0 to 1
	// Estimate returns the probabilities; nil if every p is 0.
	Estimate func(v *ginrummy.View) ginrummy.Probabilities
}

// Potential is what the formula says of a discard.
type Potential struct {
	W     float64      // the weighted number of ways to make a meld with the card
	V     float64      // the lowest is discarded
	Cards ginrummy.Set // the unseen cards that make a meld of the card and another own card
}

// fourth is the weight of an unseen card in the paper.
func fourth(p float64) float64 {
	square := float64(p * p)
	return 1 - float64(square*square)
}

// Thirds returns the cards that make a meld of three with two cards.
func Thirds(a, b ginrummy.Card) (out ginrummy.Set) {
	if a.Rank() == b.Rank() {
		return ginrummy.OfRank(a.Rank()).Without(a).Without(b)
	}
	low, high := min(a, b), max(a, b)
	if low.Suit() != high.Suit() {
		return 0
	}
	switch high.Rank() - low.Rank() {
	case 1:
		if low.Rank() > 0 {
			out = out.With(low - 1)
		}
		if high.Rank() < ginrummy.Ranks-1 {
			out = out.With(high + 1)
		}
	case 2:
		out = out.With(low + 1)
	default:
	}
	return out
}

// Potentials are what the formula says of discards, by card.
type Potentials [ginrummy.DeckSize]Potential

// Potentials computes the formula for the cards of a view, whose phase is ToDiscard.
func (f *Formula) Potentials(v *ginrummy.View) (out Potentials) {
	var p ginrummy.Probabilities
	if f.Estimate != nil {
		p = f.Estimate(v)
	}
	seen := v.Seen()
	unseen := seen.Unknown()
	for c := range v.Own.All() {
		one := &out[c]
		for other := range v.Own.Without(c).All() {
			thirds := Thirds(c, other)
			for third := range (thirds & unseen).All() {
				one.W += fourth(p[third])
			}
			one.Cards |= thirds & unseen
		}
		one.V = float64(f.Alpha*one.W) + float64((1-f.Alpha)*float64(v.Own.Without(c).Deadwood()))
	}
	return out
}

// even is how far two values of v may be apart that count as equal: they are sums in different orders.
const even = 1e-9

// Lowest returns those of some discards that have the lowest v.
func (p *Potentials) Lowest(discards ginrummy.Set) (out ginrummy.Set) {
	least := math.Inf(1)
	for c := range discards.All() {
		least = min(least, p[c].V)
	}
	for c := range discards.All() {
		if p[c].V <= least+even {
			out = out.With(c)
		}
	}
	return out
}

// ohePlayer is the player. What it does not decide, the simple player decides.
type ohePlayer struct {
	simplePlayer
	f *Formula
}

// NewOHE returns the player with a formula. Of equally low discards it draws one by lot, as the simple player does.
func NewOHE(f Formula, rng *rand.Rand) Player { return ohePlayer{simplePlayer{rng}, &f} }

func (p ohePlayer) Choose(ctx context.Context, v ginrummy.View) (ginrummy.Action, error) {
	if v.Phase != ginrummy.ToDiscard {
		return p.simplePlayer.Choose(ctx, v)
	}
	all := p.f.Potentials(&v)
	return ginrummy.Action{Kind: ginrummy.Discard, Card: pick(p.rng, all.Lowest(simpleChoice(&v)))}, nil
}

// Value sets the Potential of discards, and marks what the player does.
func (p ohePlayer) Value(ctx context.Context, v ginrummy.View, options []Option) error {
	if v.Phase != ginrummy.ToDiscard {
		return p.simplePlayer.Value(ctx, v, options)
	}
	all := p.f.Potentials(&v)
	best := all.Lowest(simpleChoice(&v))
	for i, o := range options {
		options[i].Best, options[i].Potential = best.Has(o.Action.Card), &all[o.Action.Card]
	}
	return nil
}

// OHEKind returns the kind of the player, with the paper's alpha and the first of some sources. An option after a colon chooses the
// source, alpha or both: ohe:none, ohe:0.2, ohe:none:0.2.
func OHEKind(sources ...Source) Kind {
	of := func(name string, s Source, alpha float64) Kind {
		f := Formula{Alpha: alpha, Estimate: s.Estimate}
		return match.NewKind(name, false, func(rng *rand.Rand) Player { return NewOHE(f, rng) }).Identified(s.Identity)
	}
	return of(OHE, sources[0], DefaultAlpha).WithOptions(func(option string) (Kind, error) {
		source, alpha := sources[0], DefaultAlpha
		for i, part := range strings.SplitN(option, ":", 2) {
			var err error
			if number := strings.TrimLeft(part, "0123456789.") != part; number || i > 0 {
				alpha, err = parseAlpha(part)
			} else {
				source, err = sourceNamed(part, sources)
			}
			if err != nil {
				return Kind{}, err
			}
		}
		if source.Missing != "" {
			return Kind{}, violation.New(violation.NoModel, "%s", source.Missing).Of(OHE + ":" + option)
		}
		return of(oheName(source.Name, alpha, sources[0].Name), source, alpha), nil
	})
}

// oheName returns the shortest name.
func oheName(source string, alpha float64, usual string) string {
	name := OHE
	if source != usual {
		name += ":" + source
	}
	if alpha != DefaultAlpha {
		name += ":" + strconv.FormatFloat(alpha, 'f', -1, 64)
	}
	return name
}

func sourceNamed(name string, sources []Source) (Source, error) {
	names := make([]string, len(sources))
	for i, s := range sources {
		if names[i] = OHE + ":" + s.Name; s.Name == name {
			return s, nil
		}
	}
	return Source{}, violation.Word(OHE+":"+name, names...)
}

// longestAlpha is the length of the longest alpha: 0. and three digits.
const longestAlpha = 5

func parseAlpha(text string) (float64, error) {
	alpha, err := strconv.ParseFloat(text, 64)
	if err != nil || len(text) > longestAlpha || strings.Trim(text, "0123456789.") != "" || alpha > 1 {
		return 0, violation.New(violation.WrongForm, "%.32q is not a weight of the melds: expected a number from 0 to 1 with at most three "+
			"digits after the point, such as %s:%s:0.15", text, OHE, None.Name)
	}
	return alpha, nil
}

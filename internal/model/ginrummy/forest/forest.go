// Package forest estimates the hand of the opponent of Gin Rummy with the multi-output random forest of Hein, Jiang, Thiyageswaran and
// Guerzhoy, "Random Forests for Opponent Hand Estimation in Gin Rummy", 2021 ("the paper"). The forest comes from a file that package
// lab/ginrummy has learned; none is part of the program.
package forest

import (
	"fmt"

	"roem/internal/engine/ginrummy"
	"roem/internal/model/nn/weightfile"
	"roem/internal/model/trees"
)

// Name is the name of the model, Version the version of its columns, and Inputs names them in files.
const (
	Name    = "gin-forest"
	Version = "1"
	Inputs  = "gin rummy 3x52, version " + Version
)

// Columns is the number of columns: three for each card. A column is 1 or 0.
const Columns = 3 * ginrummy.DeckSize

// Facts are what the forest sees of a situation, the columns in their order (the paper, Figure 1). A card can be in Discards and in Own.
type Facts struct {
	Discards ginrummy.Set // discarded by the opponent, or the top discard when it drew from the stock
	Kept     ginrummy.Set // taken by the opponent and not discarded since
	Own      ginrummy.Set // the player's own cards
}

// FactsOf returns the facts of a view.
func FactsOf(v *ginrummy.View) Facts {
	seen := v.Seen()
	return Facts{seen.Discarded | seen.Refused, seen.Kept, seen.Own}
}

// Sets returns the three sets of cards.
func (f *Facts) Sets() [3]ginrummy.Set { return [3]ginrummy.Set{f.Discards, f.Kept, f.Own} }

// Codes returns the columns.
func (f *Facts) Codes() (codes [Columns]uint8) {
	for i, set := range f.Sets() {
		for c := range set.All() {
			codes[i*ginrummy.DeckSize+int(c)] = 1
		}
	}
	return codes
}

// Forest is a forest with the checksum of its file. It is safe for concurrent use.
type Forest struct {
	trees *trees.Forest
	sum   string
}

// Decode returns the forest of a file. The error is a *weightfile.Error.
func Decode(file []byte) (*Forest, error) {
	f, err := trees.Decode(file, Inputs)
	if err != nil {
		return nil, err
	}
	if s := f.Shape(); s.Columns != Columns || s.Outputs != ginrummy.DeckSize {
		return nil, weightfile.Wrong("it has %d columns and %d outputs, expected %d and %d", s.Columns, s.Outputs, Columns, ginrummy.DeckSize)
	}
	return &Forest{f, weightfile.Checksum(file)}, nil
}

// SHA256 returns the checksum of the file, in hexadecimal.
func (f *Forest) SHA256() string { return f.sum }

// Bytes returns about how much memory the forest takes.
func (f *Forest) Bytes() int { return f.trees.Bytes() }

// String names the size of the forest.
func (f *Forest) String() string { return fmt.Sprint(f.trees) }

// Raw returns the mean over the trees for a view, as in the paper: known cards are not 0 or 1, and the sum is not ten.
func (f *Forest) Raw(v *ginrummy.View) ginrummy.Probabilities { return f.raw(FactsOf(v)) }

func (f *Forest) raw(facts Facts) (p ginrummy.Probabilities) {
	codes := facts.Codes()
	f.trees.Predict(codes[:], p[:])
	return p
}

// Estimate returns Raw, scaled to what is known of the cards.
func (f *Forest) Estimate(v *ginrummy.View) ginrummy.Probabilities {
	p := f.Raw(v)
	return Scaled(v, &p)
}

// Symmetric returns the mean of Raw over the 24 orders of the suits, scaled to what is known of the cards: the future work of the paper. An
// exchange of suits exchanges the answer, up to the rounding of sums.
func (f *Forest) Symmetric(v *ginrummy.View) ginrummy.Probabilities {
	p := Mean24(FactsOf(v), f.raw)
	return Scaled(v, &p)
}

// Mean24 returns the mean of an estimate over the 24 orders of the suits.
func Mean24(facts Facts, of func(Facts) ginrummy.Probabilities) (mean ginrummy.Probabilities) {
	for _, order := range orders() {
		p := of(Facts{Exchange(facts.Discards, order), Exchange(facts.Kept, order), Exchange(facts.Own, order)})
		for c := range ginrummy.Deck.All() {
			mean[c] += p[ginrummy.Of(order[c.Suit()], c.Rank())] / 24
		}
	}
	return mean
}

// Order says which suit each suit becomes.
type Order = [4]ginrummy.Suit

// Exchange returns the cards with the suits that an order gives them.
func Exchange(s ginrummy.Set, order Order) (out ginrummy.Set) {
	for c := range s.All() {
		out = out.With(ginrummy.Of(order[c.Suit()], c.Rank()))
	}
	return out
}

func orders() (list []Order) {
	for a := range ginrummy.Suit(4) {
		for b := range ginrummy.Suit(4) {
			for c := range ginrummy.Suit(4) {
				if a != b && b != c && a != c {
					list = append(list, Order{a, b, c, 6 - a - b - c})
				}
			}
		}
	}
	return list
}

// floor keeps what is possible above 0: a forest says 0 for what it has not met.
const floor = 1e-4

// Scaled returns probabilities in which known cards are 0 or 1 and the others sum to the number of the opponent's other cards.
func Scaled(v *ginrummy.View, p *ginrummy.Probabilities) (q ginrummy.Probabilities) {
	seen := v.Seen()
	for c := range seen.Kept.All() {
		q[c] = 1
	}
	want := float64(ginrummy.HandSize - seen.Kept.Len())
	for open := seen.Unknown(); want > 0 && !open.Empty(); {
		sum := 0.0
		for c := range open.All() {
			sum += max(p[c], floor)
		}
		full := ginrummy.Set(0) // those that are certain now
		for c := range open.All() {
			if q[c] = min(1, float64(max(p[c], floor)*want)/sum); q[c] == 1 {
				full = full.With(c)
			}
		}
		if full.Empty() {
			break
		}
		want, open = want-float64(full.Len()), open&^full
	}
	return q
}

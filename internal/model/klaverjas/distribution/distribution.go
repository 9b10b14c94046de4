// Package distribution estimates how many cards a search plays from the suit distribution of a deal alone, without its cards: a linear
// regression over numbers of the class, for each system of rules and each declaring side. The paper proposes the classes as a first basis
// of the choice between search and model ("Computing and Predicting Winning Hands in the Trick-Taking Game of Klaverjas", section 7).
// lab/docs/klaverjas/hybrid.md says how good the estimate is.
package distribution

import (
	_ "embed"
	"math"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/once"
)

// Count is the number of features of a class.
const Count = 49

// Features are the numbers of a class that the effort is estimated from. Classes that differ only in the order of the plain suits have the
// same features.
type Features [Count]float64

// FeaturesOf returns the features of a class. In order, with the hands in order of play: the trumps of the first three hands; the products
// of the trumps of two hands, and of a hand with itself (10); the same sums of products over the plain suits (10); for each hand its plain
// voids, its plain singletons, its longest plain suit, whether it has no trump, the product of its trumps and plain voids, and the standard
// deviation of its suits; the standard deviation of all counts; and log10 of the size of the class.
func FeaturesOf(c index.Class) Features {
	f := make([]float64, 0, Count)
	for hand := range 3 {
		f = append(f, float64(c[hand][0]))
	}
	for a := range c {
		for b := a; b < len(c); b++ {
			plain := 0
			for suit := 1; suit < len(c); suit++ {
				plain += int(c[a][suit]) * int(c[b][suit])
			}
			f = append(f, float64(int(c[a][0])*int(c[b][0])), float64(plain))
		}
	}
	for _, hand := range c {
		f = append(f, ofHand(hand)...)
	}
	return Features(append(f, c.Spread(), math.Log10(float64(c.Size()))))
}

// ofHand returns the features of one hand.
func ofHand(hand [4]uint8) []float64 {
	voids, singletons, longest, noTrump, off := 0.0, 0.0, uint8(0), 0.0, 0.0
	for _, n := range hand[1:] {
		switch n {
		case 0:
			voids++
		case 1:
			singletons++
		}
		longest = max(longest, n)
	}
	if hand[0] == 0 {
		noTrump = 1
	}
	for _, n := range hand {
		off += (float64(n) - 2) * (float64(n) - 2)
	}
	return []float64{voids, singletons, float64(longest), noTrump, float64(hand[0]) * voids, math.Sqrt(off / 4)}
}

// Regression estimates the effort of the deals of one system and one declaring side. It is fitted to solved deals
// (roem-lab klaverjas distribution).
type Regression struct {
	Bias    float64  `json:"bias"`
	Weights Features `json:"weights"`
	Sigma   float64  `json:"sigma"` // the standard deviation of the error
	Rows    int      `json:"rows"`  // number of deals that it is fitted to
}

// Log10 returns the estimate: the mean of the decimal logarithm of the number of cards that a search for the winner plays.
func (r *Regression) Log10(f Features) float64 {
	sum := r.Bias
	for i, x := range f {
		sum += r.Weights[i] * x
	}
	return sum
}

// Sides holds the regressions of the deals in which the leader's team declares, and of the others.
type Sides struct {
	Leaders Regression `json:"leaders"`
	Others  Regression `json:"others"`
}

// Regressions holds the regressions of the default rules of the systems.
type Regressions struct {
	Rotterdam Sides `json:"rotterdam"`
	Amsterdam Sides `json:"amsterdam"`
}

// Of returns the regression for a system. leaders says that the leader's team declares.
func (r *Regressions) Of(system klaverjas.System, leaders bool) *Regression {
	sides := &r.Rotterdam
	if system == klaverjas.Amsterdam {
		sides = &r.Amsterdam
	}
	if leaders {
		return &sides.Leaders
	}
	return &sides.Others
}

//go:embed weights.json
var file []byte

// Default returns the embedded regressions. It panics if they are invalid, since they are part of the program.
func Default() *Regressions { return read.Read("weights.json", file) }

var read once.JSON[*Regressions]

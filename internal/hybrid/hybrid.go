// Package hybrid decides who answers whether a deal is won: what has been solved before, the exact search, or a model that
// answers at once and is wrong at times. It knows neither the game nor a model nor a cache: it weighs probabilities
// against time.
//
// The rule follows from what a search is for. Where the model is wrong with probability e and the search is expected to play
// n cards, searching avoids e/n mistakes per card. Of all ways to spend a given effort on many deals, the one that avoids
// the most mistakes takes the deals in the order of e/n and stops where the effort is spent. So a search is worth its
// while where e/n is at least a Rule's Gain. docs/hybrid.md shows what comes of it.
package hybrid

import (
	"fmt"
	"math"
	"time"
)

// Route is who answers.
type Route uint8

// The routes. The first two are exact.
const (
	Cache  Route = iota // what has been solved before
	Search              // a search made for it
	Model               // the model
)

var routeNames = [3]string{"cache", "search", "model"}

// String returns the word that stands for the route in JSON.
func (r Route) String() string { return routeNames[r%3] }

// Prediction is what a model thinks of a deal before its first card.
type Prediction struct {
	WinProbability float64  // that the declarers win, calibrated
	Outcome        float64  // the mean outcome of such deals, in points from the declarers' side
	Effort         Hardness // of the search that finds out who wins
}

// Won reports whether the declarers are more likely to win than not.
func (p Prediction) Won() bool { return p.WinProbability > 0.5 }

// Confidence is the probability that Won is right, from 0.5 to 1.
func (p Prediction) Confidence() float64 { return math.Max(p.WinProbability, 1-p.WinProbability) }

// Doubt is the probability that Won is wrong, from 0 to 0.5.
func (p Prediction) Doubt() float64 { return math.Min(p.WinProbability, 1-p.WinProbability) }

// Hardness is how many cards a search plays, of which the logarithm is spread normally: Log10 is its mean and Sigma its standard
// deviation, both in powers of ten.
type Hardness struct {
	Log10, Sigma float64
}

// HardnessOf returns the hardness with a mean and a 90th percentile, both powers of ten.
func HardnessOf(log10, log10P90 float64) Hardness {
	return Hardness{log10, max(0, log10P90-log10) / z90}
}

// z90 is the 90th percentile of the standard normal distribution.
const z90 = 1.2815515655446004

// Mean returns the expected number of cards, at least 1.
func (h Hardness) Mean() float64 {
	return math.Max(1, math.Pow(10, h.Log10+h.Sigma*h.Sigma*math.Ln10/2))
}

// P90 returns the number of cards that nine of ten such searches do not exceed, at least 1.
func (h Hardness) P90() float64 { return math.Max(1, math.Pow(10, h.Log10+z90*h.Sigma)) }

// Within returns the probability that the search plays at most so many cards.
func (h Hardness) Within(nodes float64) float64 {
	if nodes <= 0 {
		return 0
	}
	away := math.Log10(nodes) - h.Log10
	if h.Sigma <= 0 {
		if away >= 0 {
			return 1
		}
		return 0
	}
	return math.Erfc(-away/h.Sigma/math.Sqrt2) / 2
}

// Rule says when the model's answer is good enough.
type Rule struct {
	// Gain is how many mistakes a million cards of search must avoid to be worth it, where the request does not say which
	// confidence is enough. The default comes from what was measured (docs/hybrid.md).
	Gain float64
	// Chance is how likely a search must be to finish in the time that is left. Below it, it is not begun.
	Chance float64
}

// DefaultRule is the rule of the server and the command line.
func DefaultRule() Rule { return Rule{Gain: defaultGain, Chance: defaultChance} }

const (
	// defaultGain leaves about two mistakes in a thousand deals, for some three fifths of the search.
	defaultGain = 4
	// defaultChance gives the time of a budget away for a chance of one in fifty.
	defaultChance = 0.02
)

// Wish is what a request asks for.
type Wish struct {
	// MinConfidence is from which confidence on the model's answer is good enough; 0 lets the Rule decide, and from 1 on it never
	// is while there is time for a search.
	MinConfidence float64
	// Left is the time left for the answer, Unlimited where nobody waits. It may be below 0.
	Left time.Duration
	// Budget is what Left was at the start, for the reason given.
	Budget time.Duration
}

// Unlimited is the time that is left where there is no limit.
const Unlimited = time.Duration(math.MaxInt64)

// Gain returns how many mistakes a search of such a deal avoids per million cards.
func Gain(p Prediction) float64 { return 1e6 * p.Doubt() / p.Effort.Mean() }

// Decision is Search or Model, and why.
type Decision struct {
	Route  Route
	Reason string // a sentence
}

// Decide decides about a deal that the model knows and that has not been solved before. cardsPerSecond is the speed of the
// search.
func (r Rule) Decide(p Prediction, w Wish, cardsPerSecond float64) Decision {
	sure := percent(p.Confidence())
	switch {
	case w.Left <= 0:
		return Decision{Model, fmt.Sprintf("The budget of %s leaves no time for a search.", milliseconds(w.Budget))}
	case w.MinConfidence > 0 && w.MinConfidence < 1 && p.Confidence() >= w.MinConfidence:
		return Decision{Model, fmt.Sprintf("The model is %s confident, and %s is enough.", sure, percent(w.MinConfidence))}
	case w.MinConfidence == 0 && Gain(p) < r.Gain:
		return Decision{Model, fmt.Sprintf(
			"The model is %s confident, too sure for a search that is expected to play %s cards.", sure, count(p.Effort.Mean()))}
	}
	if r.hopeless(p, w.Left, cardsPerSecond) {
		return Decision{Model, fmt.Sprintf(
			"A search that is expected to play %s cards would hardly finish within %s.", count(p.Effort.Mean()), milliseconds(w.Budget))}
	}
	if w.MinConfidence > 0 {
		return Decision{Search, fmt.Sprintf("The model is only %s confident, and %s is wanted.", sure, percent(w.MinConfidence))}
	}
	return Decision{Search, fmt.Sprintf(
		"The model is only %s confident, which is worth a search that is expected to play %s cards.", sure, count(p.Effort.Mean()))}
}

// hopeless reports whether a search would hardly finish in the time that is left.
func (r Rule) hopeless(p Prediction, left time.Duration, cardsPerSecond float64) bool {
	return left <= 0 || left < Unlimited && p.Effort.Within(left.Seconds()*cardsPerSecond) < r.Chance
}

// percent writes a probability so that one that is not certain does not look it.
func percent(p float64) string {
	text := fmt.Sprintf("%.1f %%", 100*p)
	if text == "100.0 %" {
		if p >= 1 {
			return "100 %"
		}
		return "over 99.9 %"
	}
	return text
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.4g ms", float64(d)/float64(time.Millisecond))
}

// count writes a number to two digits.
func count(n float64) string {
	if n < 100 {
		return fmt.Sprintf("%.0f", n)
	}
	scale := math.Pow(10, math.Floor(math.Log10(n))-1)
	digits := fmt.Sprintf("%.0f", math.Round(n/scale)*scale)
	var out []byte
	for i, d := range []byte(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, d)
	}
	return string(out)
}

// Package hybrid decides which of three sources answers whether the declarers win a deal: the cache, the exact search, or a
// model, which is fast and sometimes wrong. The package does not depend on the game, a model or a cache. It compares
// probabilities with time.
//
// The rule is derived as follows. If the model is wrong with probability e and the search is expected to play n cards,
// searching avoids e/n mistakes per card. To spend a given effort on many deals with the fewest mistakes, search the deals in
// descending order of e/n until the effort is spent. So a deal is searched if its e/n is at least Rule.Gain. lab/docs/klaverjas/hybrid.md
// shows the results, beside a Choice by the suit distribution alone.
package hybrid

import (
	"fmt"
	"math"
	"time"
)

// Route is the source of an answer.
type Route uint8

// The routes. The first two are exact.
const (
	Cache  Route = iota // a cached result
	Search              // a search
	Model               // the model's prediction
)

var routeNames = [3]string{"cache", "search", "model"}

// String returns the name of the route in JSON.
func (r Route) String() string { return routeNames[r%3] }

// Prediction is the model's prediction for a deal before the first card is played.
type Prediction struct {
	WinProbability float64  // probability that the declarers win, calibrated
	Outcome        float64  // expected outcome, in points from the declarers' side
	Effort         Hardness // effort of the search for goal win
}

// Won reports whether the declarers are more likely to win than not.
func (p Prediction) Won() bool { return p.WinProbability > 0.5 }

// Confidence is the probability that Won is right, from 0.5 to 1.
func (p Prediction) Confidence() float64 { return math.Max(p.WinProbability, 1-p.WinProbability) }

// Doubt is the probability that Won is wrong, from 0 to 0.5.
func (p Prediction) Doubt() float64 { return math.Min(p.WinProbability, 1-p.WinProbability) }

// Hardness is the distribution of the number of cards that a search plays. The logarithm of the number is normally distributed:
// Log10 is the mean and Sigma the standard deviation of its decimal logarithm.
type Hardness struct {
	Log10, Sigma float64
}

// HardnessOf returns the hardness with the given mean and 90th percentile of the decimal logarithm.
func HardnessOf(log10, log10P90 float64) Hardness {
	return Hardness{log10, max(0, log10P90-log10) / z90}
}

// z90 is the 90th percentile of the standard normal distribution.
const z90 = 1.2815515655446004

// Mean returns the expected number of cards, at least 1.
func (h Hardness) Mean() float64 {
	return math.Max(1, math.Pow(10, h.Log10+h.Sigma*h.Sigma*math.Ln10/2))
}

// P90 returns the 90th percentile of the number of cards, at least 1.
func (h Hardness) P90() float64 { return math.Max(1, math.Pow(10, h.Log10+z90*h.Sigma)) }

// Within returns the probability that the search plays at most the given number of cards.
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

// Choice says by what a deal is assigned to the search or to the model.
type Choice uint8

// The choices.
const (
	// Auto is Doubt, and within a budget that the request sets also searches below Rule.Gain that will probably end in time: whichever
	// answers the most deals right in the time that is given.
	Auto Choice = iota
	// Doubt searches where a search avoids enough of the model's mistakes for its effort.
	Doubt
	// Distribution searches the deals whose suit distribution is not hard, whatever the model says.
	Distribution
)

// Rule decides when a deal is searched.
type Rule struct {
	// Gain is the minimum number of mistakes that a million cards of search must avoid. It applies if the request sets no
	// minimum confidence. The default is based on measurements (lab/docs/klaverjas/hybrid.md).
	Gain float64
	// Chance is the minimum probability that a search finishes in the time left. Otherwise the search is not started.
	Chance float64
	// Likely is the minimum probability that a search below Gain finishes in the time left, with Auto.
	Likely float64
	// Hard is the expected number of cards above which a suit distribution is hard.
	Hard float64
}

// DefaultRule is the rule of the server and the command line.
func DefaultRule() Rule {
	return Rule{Gain: defaultGain, Chance: defaultChance, Likely: defaultLikely, Hard: defaultHard}
}

const (
	// defaultGain leaves two to three mistakes in a thousand deals and plays two fifths to half of the cards (lab/docs/klaverjas/hybrid.md).
	defaultGain = 4
	// defaultChance starts a search that finishes within its budget with a probability of one in fifty or more.
	defaultChance = 0.02
	// defaultLikely makes a search below defaultGain if it will sooner finish within its budget than not.
	defaultLikely = 0.5
	// defaultHard lets the search play as large a share of the cards by the suit distribution as defaultGain does by doubt
	// (lab/docs/klaverjas/hybrid.md).
	defaultHard = 6800
)

// IsHard reports whether a suit distribution with this effort is hard.
func (r Rule) IsHard(of Hardness) bool { return of.Mean() > r.Hard }

// Requirements holds the requirements of a request.
type Requirements struct {
	// MinConfidence is the minimum confidence at which the model's answer is accepted. With 0 the Rule decides. With 1 or more the
	// model's answer is accepted only if there is no time for a search.
	MinConfidence float64
	// Left is the time left for the answer, or Unlimited. It may be negative.
	Left time.Duration
	// Budget is the value of Left at the start. It appears in the Reason.
	Budget time.Duration
	// Own reports whether the request itself set the budget.
	Own bool
	// By is the choice of the request.
	By Choice
	// Class is the effort that the suit distribution alone suggests. Distribution needs it.
	Class Hardness
}

// Unlimited is the time left if there is no limit.
const Unlimited = time.Duration(math.MaxInt64)

// Gain returns the number of mistakes that searching the deal avoids per million cards.
func Gain(p Prediction) float64 { return 1e6 * p.Doubt() / p.Effort.Mean() }

// Worth returns the order in which deals are searched: those with the highest value first.
func (c Choice) Worth(p Prediction, class Hardness) float64 {
	if c == Distribution {
		return -class.Log10
	}
	return Gain(p)
}

// Decision is Search or Model, with the reason.
type Decision struct {
	Route  Route
	Reason string // a sentence
}

// Decide decides for a deal for which there is a prediction and no cached result. cardsPerSecond is the speed of the search.
func (r Rule) Decide(p Prediction, need Requirements, cardsPerSecond float64) Decision {
	sure := percent(p.Confidence())
	expected := need.effort(p)
	switch {
	case need.Left <= 0:
		return Decision{Model, fmt.Sprintf("The budget of %s leaves no time for a search.", milliseconds(need.Budget))}
	case need.By == Distribution && r.IsHard(expected):
		return Decision{Model, fmt.Sprintf("The suit distribution is hard: a search is expected to play %s cards.", count(expected.Mean()))}
	case need.By == Distribution:
	case need.MinConfidence > 0 && need.MinConfidence < 1 && p.Confidence() >= need.MinConfidence:
		return Decision{Model, fmt.Sprintf("The model's confidence is %s, and %s is required.", sure, percent(need.MinConfidence))}
	case need.MinConfidence == 0 && Gain(p) < r.Gain:
		return r.withinBudget(p, need, cardsPerSecond)
	}
	if r.hopeless(expected, need.Left, cardsPerSecond) {
		return Decision{Model, fmt.Sprintf(
			"A search is expected to play %s cards and is unlikely to finish within %s.", count(expected.Mean()), milliseconds(need.Budget))}
	}
	switch {
	case need.By == Distribution:
		return Decision{Search, fmt.Sprintf("The suit distribution is not hard: a search is expected to play %s cards.", count(expected.Mean()))}
	case need.MinConfidence > 0:
		return Decision{Search, fmt.Sprintf("The model's confidence is only %s, and %s is required.", sure, percent(need.MinConfidence))}
	}
	return Decision{Search, fmt.Sprintf(
		"The model's confidence is only %s. A search, which is expected to play %s cards, avoids enough mistakes.", sure, count(expected.Mean()))}
}

// effort returns the effort that the choice expects of a search.
func (need Requirements) effort(p Prediction) Hardness {
	if need.By == Distribution {
		return need.Class
	}
	return p.Effort
}

// withinBudget decides for a deal whose search would avoid too few mistakes for its effort. It is made all the same if the request gave the
// time for it.
func (r Rule) withinBudget(p Prediction, need Requirements, cardsPerSecond float64) Decision {
	sure, cards := percent(p.Confidence()), count(p.Effort.Mean())
	if need.By == Auto && need.Own && p.Effort.Within(need.Left.Seconds()*cardsPerSecond) >= r.Likely {
		return Decision{Search, fmt.Sprintf(
			"The model's confidence is %s. A search, which is expected to play %s cards, will probably finish within %s.", sure, cards,
			milliseconds(need.Budget))}
	}
	return Decision{Model, fmt.Sprintf(
		"The model's confidence is %s. A search, which is expected to play %s cards, would avoid too few mistakes.", sure, cards)}
}

// hopeless reports whether a search is unlikely to finish in the time left.
func (r Rule) hopeless(expected Hardness, left time.Duration, cardsPerSecond float64) bool {
	return left <= 0 || left < Unlimited && expected.Within(left.Seconds()*cardsPerSecond) < r.Chance
}

// percent formats a probability. A probability below 1 is never rounded to 100 %.
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

// count formats a number with two significant digits.
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

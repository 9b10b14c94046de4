// Package standing says what sampled worlds tell of an action beside the advised one, in every game.
package standing

// Kind says where an action stands.
type Kind uint8

// The kinds.
const (
	Best      Kind = iota // the advised action
	AsGood                // it costs nothing, or it is not told apart and costs less than the limit, Errors standard errors included
	Uncertain             // it may cost nothing, and may cost the limit or more
	Worse                 // it costs something: at least Errors standard errors
)

// String returns the name in JSON.
func (k Kind) String() string { return [4]string{"best", "as_good", "uncertain", "worse"}[k&3] }

// Errors is the number of standard errors of a clear difference: about 95 % of the differences that are 0 are smaller.
const Errors = 2

// Chance is the limit of costs that are probabilities.
const Chance = 0.02

// Of returns where an action stands that is not the advised one. cost is how much worse it is, below 0 if it did better in the worlds that
// were searched. deviation is the standard error of cost: 0 if cost is exact, infinite if nothing is known of the error. limit is what an
// action must cost to matter.
func Of(cost, deviation, limit float64) Kind {
	switch {
	case cost <= 0 && deviation == 0:
		return AsGood
	case cost >= Errors*deviation:
		return Worse
	case cost+Errors*deviation < limit:
		return AsGood
	}
	return Uncertain
}

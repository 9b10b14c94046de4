// Package network is the neural network that predicts deals: its shape, its parameters and its value, in the
// integers that are served. internal/lab/floatnet trains it.
//
// # What it sees
//
// The four suits of a deal, each as a pattern: which of the four hands, counted in the order of play from the leader, holds
// each of its eight cards ([Suits]). No trump, no seat and no plain suit has a name, so twins of a deal are one input.
//
// # What it computes
//
// Each suit becomes a code, a vector of Width numbers: the sum of a few rows of tables, one for each group of four or six
// of its cards and who holds them, rectified. Trumps have tables of their own; the plain suits share theirs. Then in each
// layer every suit takes in the others:
//
//	trump'   = relu(trump A + sum(plain) B + a)
//	plain_i' = relu(plain_i C + trump D + sum(plain) E + c)
//
// and at the end two dense layers read the trump code and the sum of the plain codes. Since the plain suits come in as a
// set, their order cannot matter; for floats [Suits.Sorted] makes that exact to the last bit, and integers need no help.
//
// # In which numbers
//
// It is trained in 32-bit floats. Then it is rounded once to integers with a fixed binary point, which fit half the memory and
// multiply twice as fast, and those are what is stored and what predicts ([Fixed]). The parameters of both stand in one [Layout].
//
// # What it answers
//
// [Outputs] numbers: see the constants.
package network

// The outputs.
const (
	Win      = iota // the logit of the probability that the declarers win, before calibration
	Outcome         // the expected OUTCOME, in hundreds of points
	Effort          // the expected log10 of the nodes that the search takes to decide who wins
	Effort90        // the 90 % quantile of the same, before calibration
	Outputs
)

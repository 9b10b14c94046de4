// Package network is the neural network that predicts deals: its shape, its parameters and its outputs, in the integers that
// are served. lab/klaverjas/floatnet trains it.
//
// # Input
//
// The input is the four suits of a deal, each as a pattern: which of the four hands, counted in the order of play from the
// leader, holds each of its eight cards ([Suits]). The pattern does not depend on the names of suits and seats, so twins of a
// deal are the same input.
//
// # Layers
//
// Each suit is encoded as a code, a vector of Width numbers: the rectified sum of a few rows of tables, one for each group of
// four or six of its cards. The holders of the cards of a group select the row. Trumps have tables of their own. The plain
// suits share theirs. Then each layer combines the code of every suit with the codes of the others:
//
//	trump'   = relu(trump A + sum(plain) B + a)
//	plain_i' = relu(plain_i C + trump D + sum(plain) E + c)
//
// Two dense layers at the end read the trump code and the sum of the plain codes. The order of the plain suits does not
// matter. In integers this is exact. In floats it is exact to the last bit only if the input is sorted ([Suits.Sorted]).
//
// # Number formats
//
// The network is trained in 32-bit floats. Then it is rounded once to integers with a fixed binary point, which need half the
// memory and multiply twice as fast. The integers are stored in files and compute the predictions ([Fixed]). [Layout] describes
// the parameters of both.
//
// # Outputs
//
// The network has [Outputs] outputs, listed in the constants.
package network

// The outputs.
const (
	Win      = iota // the logit of the probability that the declarers win, before calibration
	Outcome         // the expected OUTCOME, in hundreds of points
	Effort          // the expected log10 of the nodes of the search for goal win
	Effort90        // its 90 % quantile, before calibration
	Outputs
)

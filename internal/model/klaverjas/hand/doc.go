// Package hand predicts, in microseconds, how strong eight cards are before anything is known of the others: the probability that the
// declarers win, and the distribution of the outcome, over all deals of the other 24 cards, all cards open and best play by all.
//
// [Embedded] returns the embedded model. `roem-lab klaverjas hand-train` makes other weights, which [Load] reads. The model is distilled
// from the deal network (package deal): its labels are predictions of the deal network for random deals, not results of searches.
//
// # Network
//
// The input is a hand by suits ([Suits]) and a question: the rules, whether the leader's side declares, and where the leader sits. Each
// suit selects a row of a table by which of its eight cards the hand holds. Trumps have a table of their own. The plain suits share one, so
// that their names do not matter (a sum over a set: Zaheer et al., Deep Sets, 2017):
//
//	x0 = relu(first[kind] + trump[suit 0] + plain[suit 1] + plain[suit 2] + plain[suit 3])
//	x1 = relu(x0 A1 + a1), and so on for each hidden layer
//
// The kind is the rules with the declaring side. The last layer has [Outputs] outputs for each kind and each place of the leader. A
// question reads the entries of its own kind and leader. Everything is computed in 32-bit floats, each operation rounded by itself, so
// that the outputs are the same bits on every machine.
package hand

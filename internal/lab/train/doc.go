// Package train makes a file of weights from data sets, and measures how good a model is: what `roem-lab train` and `roem-lab eval`
// do.
//
// # Splits
//
// Deals go by their canonical index, so that twins never stand on two sides. Of the data sets to train on, the deals whose
// index, scrambled, falls into one part of 32 are kept for the calibration, and those that stand in a held-out set as well
// are dropped. See [Read].
package train

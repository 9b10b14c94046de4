// Package train trains weights on data sets and measures models. `roem-lab klaverjas train` and `roem-lab klaverjas eval` use it.
//
// # Splits
//
// The split is by the canonical index of the deals, so twins are always in the same part. Of the data sets to train on, the deals whose
// scrambled index falls into one of 32 parts are used for the calibration, and those that are also in a held-out set are dropped. See
// [Read].
package train

// Package model predicts, in microseconds and without a search, what the exact search would find out about a deal: whether
// the declarers win, the outcome, and how dear the search would be.
//
// [Default] is the model that comes with the program; [Load] reads others, which `roem-lab train` makes. Its predictions are of
// a network (package network) with calibrated probabilities. docs/model-card.md says what it was trained on and how good it
// is.
package model

// Package deal predicts, in microseconds, the results of the exact search for a deal: whether the declarers win, the outcome,
// and the effort of the search.
//
// [Default] returns the embedded model. [Load] reads other weights, which `roem-lab klaverjas train` makes. A network (package network)
// makes the predictions, with calibrated probabilities. lab/docs/klaverjas/model-card.md describes its training data and its accuracy.
package deal

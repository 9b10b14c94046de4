package belote

import (
	"testing"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/compare"
	"roem/internal/engine/piquet"
	"roem/internal/service/servicetest"
)

const notAsked = "it says how the answer is computed, not which"

// A new field of these types must be added to the keys, or to the exceptions. TestEveryFieldIsInTheKey of servicetest varies the requests.
func TestKeysHaveAllFields(t *testing.T) {
	t.Run("match", func(t *testing.T) {
		name := "the name has it"
		servicetest.KeyHasFields(t, MatchQuery{}, func(q *MatchQuery) []byte { return q.Key() }, map[string]string{
			"game": notAsked, "contest.A.worlds": name, "contest.B.worlds": name, "contest.A.choose": name,
			"contest.B.choose": name,
			"contest.Workers":  notAsked, "contest.Do": notAsked, "contest.Progress": notAsked,
			"contest.Keeping": "what is kept of an interrupted match of this key",
		})
	})
	t.Run("compare", func(t *testing.T) {
		q := CompareQuery{experiment: compare.Experiment{Suits: []int{1}}}
		servicetest.KeyHasFields(t, q, func(q *CompareQuery) []byte { return keyOfExperiment(&q.experiment) }, map[string]string{
			"key": "it is made of the others", "LookupQuery": "it has the key",
			"game": notAsked,
		})
	})
	t.Run("question", func(t *testing.T) {
		servicetest.KeyHasFields(t, Question{}, func(q *Question) []byte { return q.bytes() }, nil)
	})
	t.Run("deal", func(t *testing.T) {
		deal := belote.Deal{Deck: piquet.Deck}
		servicetest.KeyHasFields(t, deal, func(d *belote.Deal) []byte { return appendDeal(nil, d) },
			map[string]string{"Deck": "the requests of servicetest vary it"})
	})
}

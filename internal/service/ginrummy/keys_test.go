package ginrummy

import (
	"testing"

	"roem/internal/service/servicetest"
)

// A new field of a match must be added to the key, or to the exceptions. TestEveryFieldIsInTheKey of servicetest varies the requests.
func TestKeysHaveAllFields(t *testing.T) {
	const notAsked, name = "it says how the answer is computed, not which", "the name says what it does"
	servicetest.KeyHasFields(t, MatchQuery{}, func(q *MatchQuery) []byte { return q.Key() }, map[string]string{
		"service": notAsked, "contest.A.slow": name, "contest.B.slow": name, "contest.A.make": name, "contest.B.make": name,
		"contest.A.option": name, "contest.B.option": name,
		"contest.Workers": notAsked, "contest.Do": notAsked, "contest.Progress": notAsked, "contest.Each": notAsked,
		"contest.Keeping": "what is kept of an interrupted match of this key",
	})
	servicetest.KeyHasFields(t, ReviewQuery{}, func(q *ReviewQuery) []byte { return q.key() }, map[string]string{
		"game": notAsked, "ReviewOf": "it follows from the other fields", "events": "they follow from the record",
		"whose.name": "it follows from the seat",
	})
}

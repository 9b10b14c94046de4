package klaverjas

import (
	"testing"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/service/klaverjas/handstrength"
	"roem/internal/service/servicetest"
)

const (
	notAsked = "it says how the answer is computed, not which"
	derived  = "it follows from the other fields"
)

// A new field of these types must be added to the keys, or to the exceptions. TestEveryFieldIsInTheKey of servicetest varies the requests.
func TestKeysHaveAllFields(t *testing.T) {
	rules := klaverjas.DefaultRules(klaverjas.Rotterdam)
	t.Run("rules", func(t *testing.T) {
		servicetest.KeyHasFields(t, rules, func(r *klaverjas.Rules) []byte { return appendRules(nil, *r) }, nil)
	})
	t.Run("view", func(t *testing.T) {
		view := worlds.View{Rules: rules, Played: []piquet.Card{1, 2}}
		servicetest.KeyHasFields(t, view, func(v *worlds.View) []byte { return appendView(nil, *v) }, nil)
	})
	t.Run("match", func(t *testing.T) {
		q := MatchQuery{contest: players.Contest{Rules: rules, Bidding: &players.Bidding{}}}
		servicetest.KeyHasFields(t, q, func(q *MatchQuery) []byte { return q.Key() }, map[string]string{
			"game": notAsked, "contest.A.make": "the name says what it does", "contest.B.make": "the name says what it does",
			"contest.Workers": notAsked, "contest.NewTools": notAsked, "contest.Do": notAsked, "contest.Record": notAsked,
			"contest.Progress":     notAsked,
			"contest.Keeping":      "what is kept of an interrupted match of this key",
			"contest.Bidding.Call": "it is the same policy for all matches",
		})
	})
	t.Run("table", func(t *testing.T) {
		servicetest.KeyHasFields(t, TableQuery{}, func(q *TableQuery) []byte { return q.Key() }, map[string]string{
			"game": notAsked, "twins": derived,
		})
	})
	t.Run("hand strength", func(t *testing.T) {
		q := HandStrengthQuery{game: &Game{guesses: &embedded{predictor: without{}}}, questions: []handstrength.Question{{Rules: rules}}}
		servicetest.KeyHasFields(t, q, func(q *HandStrengthQuery) []byte { return q.Key() }, map[string]string{
			"game": notAsked, "questions[0].Precision": "the precision of the query has it",
		})
	})
	t.Run("advise", func(t *testing.T) {
		budget := time.Second
		q := AdviseQuery{game: &Game{guesses: new(embedded)}, subject: service.Key("view"), budget: &budget}
		servicetest.KeyHasFields(t, q, func(q *AdviseQuery) []byte { return q.Key() }, map[string]string{
			"game": notAsked, "question": "the subject has its view", "prior": "the subject has the auction", "all": derived,
			"asked": "worlds has it", "tally": "an answer", "from": "answers before",
		})
	})
	t.Run("batch", func(t *testing.T) {
		servicetest.KeyHasFields(t, SolveBatchQuery{}, func(q *SolveBatchQuery) []byte { return q.Key() }, map[string]string{
			"game": notAsked, "items": "the requests of servicetest vary them",
		})
	})
}

package tarok

import (
	"testing"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/service/servicetest"
)

// A new field of these types must be added to the keys, or to the exceptions. TestEveryFieldIsInTheKey of servicetest varies the requests.
func TestKeysHaveAllFields(t *testing.T) {
	const notAsked, name = "it says how the answer is computed, not which", "the name says what it does"
	t.Run("settings", func(t *testing.T) {
		servicetest.KeyHasFields(t, advice.Default, func(s *advice.Settings) []byte { return appendSettings(nil, s) }, nil)
	})
	t.Run("rules", func(t *testing.T) {
		servicetest.KeyHasFields(t, tarok.DefaultRules, func(r *tarok.Rules) []byte { return appendRules(nil, r) }, nil)
	})
	t.Run("view", func(t *testing.T) {
		view := worlds.View{Talon: []tarok.Card{1, 2}, Played: []tarok.Card{3}}
		servicetest.KeyHasFields(t, view, func(v *worlds.View) []byte { return viewKey(v) }, nil)
	})
	t.Run("talk", func(t *testing.T) {
		servicetest.KeyHasFields(t, players.NewTalk(tarok.Three, 0), func(k *players.Talk) []byte { return appendTalk(nil, k) }, nil)
	})
	t.Run("question", func(t *testing.T) {
		q, err := ParseSolve(t.Context(), New(servicetest.New(t, false), Options{}), []byte(`{"hands": {
			"A": ["T1", "T4", "T6", "T11", "T14", "T15", "T21", "HK", "SK", "D4", "D3", "D1", "DJ", "DK", "C8", "CJ"],
			"B": ["T2", "T8", "T9", "T13", "T16", "T17", "T18", "T19", "S8", "SQ", "DC", "DQ", "C7", "C10", "CC", "CK"],
			"C": ["T3", "T10", "T12", "T22", "H4", "H3", "H2", "HJ", "HQ", "S7", "S9", "S10", "SJ", "D2", "C9", "CQ"]
		}, "talon": ["T7", "H1", "HC", "T5", "T20", "SC"], "contract": "beggar", "declarer": "A", "depth": 3}`))
		if err != nil {
			t.Fatal(err)
		}
		servicetest.KeyHasFields(t, q.question, func(question *Question) []byte { return keyOf(&q.position, *question) }, nil)
	})
	t.Run("review", func(t *testing.T) {
		servicetest.KeyHasFields(t, ReviewQuery{}, func(q *ReviewQuery) []byte { return q.key() }, map[string]string{
			"game": notAsked, "ReviewOf": "it follows from the other fields", "whose.name": "it follows from the seat",
		})
	})
	t.Run("match", func(t *testing.T) {
		servicetest.KeyHasFields(t, MatchQuery{}, func(q *MatchQuery) []byte { return q.Key() }, map[string]string{
			"game": notAsked, "contest.A.slow": name, "contest.B.slow": name, "contest.A.make": name, "contest.B.make": name,
			"contest.A.option": name, "contest.B.option": name, "contest.A.identity": "no player reads a file", "contest.B.identity": "as A",
			"contest.Workers": notAsked, "contest.Do": notAsked, "contest.Progress": notAsked,
			"contest.Keeping": "what is kept of an interrupted match of this key",
		})
	})
}

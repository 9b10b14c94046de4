package test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// stormGinSession is a session of Gin Rummy as its last answer shows it.
type stormGinSession struct {
	ID       string
	State    string
	Acts     int
	Number   int
	Actions  []string `json:"legal_actions"`
	Discards []string
	View     struct {
		Hand   []string
		Events []struct{ Seat, Kind, Card string }
	}
	Revealed json.RawMessage
}

// ginSessionRequest returns a request for a session.
func ginSessionRequest(rng *rand.Rand) map[string]any {
	return map[string]any{
		"players":                                map[string]any{"opponent": []string{"simple", "random", "playout"}[rng.IntN(3)]},
		[]string{"target", "hands"}[rng.IntN(2)]: 1,
	}
}

// right takes over an answer. It returns an error if the answer is of another session or an earlier time, or shows what the opponent drew.
func (s *stormGinSession) right(body []byte) error {
	var got stormGinSession
	if err := json.Unmarshal(body, &got); err != nil {
		return err
	}
	over := got.State == "hand_over" || got.State == "over"
	switch {
	case got.ID == "" || s.ID != "" && got.ID != s.ID:
		return fmt.Errorf("want the session %s", s.ID)
	case got.Acts < s.Acts:
		return fmt.Errorf("want at least %d acts", s.Acts)
	case over != (got.Revealed != nil):
		return fmt.Errorf("in the state %s, revealed is %.20s", got.State, got.Revealed)
	case over != (len(got.Actions) == 0), (got.State == "discard") != (len(got.Discards) > 0), len(got.View.Hand)/10 != 1:
		return fmt.Errorf("in the state %s there are %v, %v and %v", got.State, got.Actions, got.Discards, got.View.Hand)
	}
	for _, e := range got.View.Events {
		if e.Seat == "B" && e.Kind == "stock" && e.Card != "" {
			return fmt.Errorf("the opponent has drawn %s", e.Card)
		}
	}
	*s = got
	return nil
}

func (s *stormGinSession) begun() bool        { return s.ID != "" }
func (s *stormGinSession) over() bool         { return s.State == "over" }
func (s *stormGinSession) acts() int          { return s.Acts }
func (s *stormGinSession) read() stormRequest { return s.request(opGinSession) }
func (s *stormGinSession) end() stormRequest  { return s.request(opGinEndSession) }

func (s *stormGinSession) request(op stormOperation) stormRequest {
	return stormRequest{op: op, target: strings.ReplaceAll(op.path, "{id}", s.ID), right: s.right, session: s}
}

// act returns a legal act.
func (s *stormGinSession) act(rng *rand.Rand) stormRequest {
	op, body := opGinSessionNext, map[string]any{"acts": s.Acts}
	if len(s.Actions) > 0 {
		action := map[string]any{"kind": s.Actions[rng.IntN(len(s.Actions))]}
		if len(s.Discards) > 0 {
			action["card"] = s.Discards[rng.IntN(len(s.Discards))]
		}
		op, body["action"] = opGinSessionPlay, action
	}
	q := s.request(op)
	q.body = mustJSON(body)
	return q
}

package test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// stormBeloteSession is a session of Belote as its last answer shows it.
type stormBeloteSession struct {
	ID         string
	State      string
	Acts       int
	Number     int
	Legal      []string
	LegalCalls []string `json:"legal_calls"`
	Auction    *struct{ Open struct{ A, B []string } }
	View       *struct {
		Stacks struct{ A, B [][2]*string }
		Played []string
	}
	Revealed json.RawMessage
}

// beloteSessionRequest returns a request for a session. Some players search worlds.
func beloteSessionRequest(rng *rand.Rand) map[string]any {
	return map[string]any{
		"seat": "AB"[rng.IntN(2):][:1], "hands": 1 + rng.IntN(4),
		"players": map[string]any{"opponent": []string{"random", "simple", "sampling:2"}[rng.IntN(3)]},
		"trump":   []string{"bidding", "drawn", "none"}[rng.IntN(3)], "suits": [][]string{{"H"}, {"C", "S"}}[rng.IntN(2)],
	}
}

// right takes over an answer. It returns an error if the answer is of another session or an earlier time, or has a card below another that
// nobody has played.
func (s *stormBeloteSession) right(body []byte) error {
	var got stormBeloteSession
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
	case (got.State == "bidding") != (len(got.LegalCalls) > 0), (got.State == "playing") != (len(got.Legal) > 0),
		(got.Auction == nil) != (got.State != "bidding"), (got.View == nil) != (got.State == "bidding"):
		return fmt.Errorf("in the state %s there are %v, %v, %v and %v", got.State, got.LegalCalls, got.Legal, got.Auction, got.View)
	}
	if v := got.View; v != nil {
		for _, stack := range slices.Concat(v.Stacks.A, v.Stacks.B) {
			if stack[1] != nil && !slices.Contains(v.Played, *stack[0]) {
				return fmt.Errorf("%s lies below %s, which nobody has played", *stack[1], *stack[0])
			}
		}
	}
	*s = got
	return nil
}

func (s *stormBeloteSession) begun() bool        { return s.ID != "" }
func (s *stormBeloteSession) over() bool         { return s.State == "over" }
func (s *stormBeloteSession) acts() int          { return s.Acts }
func (s *stormBeloteSession) read() stormRequest { return s.request(opBeloteSession) }
func (s *stormBeloteSession) end() stormRequest  { return s.request(opBeloteEndSession) }

func (s *stormBeloteSession) request(op stormOperation) stormRequest {
	return stormRequest{op: op, target: strings.ReplaceAll(op.path, "{id}", s.ID), right: s.right, session: s}
}

// act returns a legal act.
func (s *stormBeloteSession) act(rng *rand.Rand) stormRequest {
	op, body := opBeloteSessionNext, map[string]any{"acts": s.Acts}
	switch s.State {
	case "bidding":
		op, body["call"] = opBeloteSessionCall, s.LegalCalls[rng.IntN(len(s.LegalCalls))]
	case "playing":
		op, body["card"] = opBeloteSessionPlay, s.Legal[rng.IntN(len(s.Legal))]
	}
	q := s.request(op)
	q.body = mustJSON(body)
	return q
}

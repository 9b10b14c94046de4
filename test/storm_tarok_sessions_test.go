package test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// stormTarokSession is a session of tarok as its last answer shows it.
type stormTarokSession struct {
	ID         string
	State      string
	Acts       int
	Number     int
	Contract   string
	LegalCalls []string `json:"legal_calls"`
	Held       []string
	Legal      []string
	May        struct{ Bonuses, Double []string }
	View       struct{ Hand, Talon, Discards, Played []string }
	Revealed   json.RawMessage

	bids bool // the client never passes
}

// tarokSessionRequest returns a request for a session.
func tarokSessionRequest(rng *rand.Rand) map[string]any {
	kinds := []string{"random", "heuristic", "heuristic", "program"}
	return map[string]any{
		"seat": "ABC"[rng.IntN(3):][:1], "hands": 1 + rng.IntN(4),
		"players": map[string]any{"left": kinds[rng.IntN(len(kinds))], "right": kinds[rng.IntN(len(kinds)-1)]},
	}
}

// right takes over an answer. It returns an error if the answer is of another session or an earlier time, or has a card that was not seen.
func (s *stormTarokSession) right(body []byte) error {
	var got stormTarokSession
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
	case (got.State == "bidding") != (len(got.LegalCalls) > 0), (got.State == "playing") != (len(got.Legal) > 0), len(got.View.Hand) != 16:
		return fmt.Errorf("in the state %s there are %v, %v and %v", got.State, got.LegalCalls, got.Legal, got.View.Hand)
	}
	seen := slices.Concat(got.View.Hand, got.View.Talon, got.View.Discards, got.View.Played)
	for _, card := range slices.Concat(got.Held, got.Legal) {
		if !over && !slices.Contains(seen, card) {
			return fmt.Errorf("the client has not seen %s", card)
		}
	}
	got.bids = s.bids
	*s = got
	return nil
}

func (s *stormTarokSession) begun() bool        { return s.ID != "" }
func (s *stormTarokSession) over() bool         { return s.State == "over" }
func (s *stormTarokSession) acts() int          { return s.Acts }
func (s *stormTarokSession) read() stormRequest { return s.request(opTarokSession) }
func (s *stormTarokSession) end() stormRequest  { return s.request(opTarokEndSession) }

func (s *stormTarokSession) request(op stormOperation) stormRequest {
	return stormRequest{op: op, target: strings.ReplaceAll(op.path, "{id}", s.ID), right: s.right, session: s}
}

// act returns a legal act.
func (s *stormTarokSession) act(rng *rand.Rand) stormRequest {
	op, body := opTarokSessionNext, map[string]any{"acts": s.Acts}
	switch s.State {
	case "bidding":
		bid := rng.IntN(min(2, len(s.LegalCalls)))
		if s.bids {
			bid = min(1, len(s.LegalCalls)-1) // the first one is a pass
		}
		op, body["call"] = opTarokSessionCall, s.LegalCalls[bid]
	case "exchange":
		// Cards of the hand that may always go. With too few of them the session is left as it is.
		plain := slices.DeleteFunc(slices.Clone(s.Held), func(c string) bool { return c[0] == 'T' || strings.HasSuffix(c, "K") })
		n := map[string]int{"three": 3, "two": 2, "one": 1}[s.Contract]
		if len(plain) < n {
			return s.read()
		}
		op, body["group"], body["discards"] = opTarokSessionExchange, rng.IntN(6/n), plain[:n]
	case "announce":
		op = opTarokSessionAnnounce
		if may := s.May.Double; len(may) > 0 && rng.IntN(4) == 0 {
			body["double"] = may[:1]
		}
	case "playing":
		op, body["card"] = opTarokSessionPlay, s.Legal[rng.IntN(len(s.Legal))]
	}
	q := s.request(op)
	q.body = mustJSON(body)
	return q
}

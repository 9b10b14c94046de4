package test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// stormPlay is a session of any game that a client of the storm plays on.
type stormPlay interface {
	begun() bool
	over() bool
	act(rng *rand.Rand) stormRequest // the next act
	read() stormRequest
	end() stormRequest
}

// stormSession is a session as its last answer shows it.
type stormSession struct {
	ID         string
	State      string
	Acts       int
	Number     int
	Legal      []string
	LegalCalls []string `json:"legal_calls"`
	View       *struct{ Hand, Played []string }
	Auction    *struct{ Hand []string }
	Revealed   json.RawMessage
}

// sessionRequest returns a request for a session. Some players search worlds.
func sessionRequest(rng *rand.Rand) map[string]any {
	kinds := []string{"simple", "random", "logical", "policy", "playout:2", "pimc:1"}
	return map[string]any{
		"seat":    []string{"N", "E", "S", "W"}[rng.IntN(4)],
		"players": map[string]any{"partner": kinds[rng.IntN(len(kinds))], "opponents": kinds[rng.IntN(len(kinds))]},
		"bidding": []string{"none", "free", "official", "obliged", "turned"}[rng.IntN(5)],
		"hands":   []int{1, 16}[rng.IntN(2)],
	}
}

var quotedCard = regexp.MustCompile(`"(?:7|8|9|10|J|Q|K|A)[CDHS]"`)

// right takes over an answer. It returns an error if the answer is of another session or an earlier time, or has a card that its seat has
// not seen.
func (s *stormSession) right(body []byte) error {
	var got stormSession
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
	case !over && len(got.Legal)+len(got.LegalCalls) == 0:
		return fmt.Errorf("in the state %s nothing is legal", got.State)
	}
	var seen []string
	if got.View != nil {
		seen = slices.Concat(got.View.Hand, got.View.Played)
	} else if got.Auction != nil {
		seen = got.Auction.Hand
	}
	for _, card := range quotedCard.FindAllString(string(body), -1) {
		if !over && !slices.Contains(seen, strings.Trim(card, `"`)) {
			return fmt.Errorf("the seat has not seen %s", card)
		}
	}
	*s = got
	return nil
}

// request returns a request about the session.
func (s *stormSession) request(op stormOperation) stormRequest {
	return stormRequest{op: op, target: strings.ReplaceAll(op.path, "{id}", s.ID), right: s.right, session: s}
}

func (s *stormSession) begun() bool        { return s.ID != "" }
func (s *stormSession) over() bool         { return s.State == "over" }
func (s *stormSession) read() stormRequest { return s.request(opSession) }
func (s *stormSession) end() stormRequest  { return s.request(opEndSession) }

// act returns a legal act.
func (s *stormSession) act(rng *rand.Rand) stormRequest {
	op, body := opSessionNext, map[string]any{"acts": s.Acts}
	switch s.State {
	case "bidding":
		op, body["call"] = opSessionCall, s.LegalCalls[rng.IntN(len(s.LegalCalls))]
	case "playing":
		op, body["card"] = opSessionPlay, s.Legal[rng.IntN(len(s.Legal))]
	}
	q := s.request(op)
	q.body = mustJSON(body)
	return q
}

// playOn makes acts in a session, repeats most of those whose answer it has not waited for, and ends the session or leaves it. An act may
// be refused while the server is busy, and the session may have ended because the client has too many.
func (c *stormClient) playOn(ctx context.Context, s stormPlay) {
	for range c.rng.IntN(24) {
		if ctx.Err() != nil || s.over() {
			break
		}
		q := s.act(c.rng)
		for again := 0; again < 4 && ctx.Err() == nil; again++ {
			if _, answered := c.ask(ctx, q); answered {
				break
			}
		}
		if c.rng.IntN(4) == 0 {
			c.ask(ctx, s.read())
		}
	}
	if c.rng.IntN(2) == 0 {
		c.ask(ctx, s.end())
	}
}

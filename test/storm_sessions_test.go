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
	acts() int
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
	Settled    bool
	Results    []struct{ Compared *struct{ Player string } }
	Revealed   json.RawMessage

	begins  []string // the cards played where the session begins
	compare string   // who plays each hand again; empty for nobody
}

// sessionRequest returns a request for a session, and the session. Some players search worlds. Half of the sessions begin in the deal, if
// there is one, as a position or as the view of a seat, with some cards of a best line played.
func (d *stormDeal) sessionRequest(rng *rand.Rand) (body map[string]any, s *stormSession) {
	kinds := []string{"simple", "random", "logical", "policy", "playout:2", "pimc:1", "beginner", "casual", "club", "strong"}
	seat := []string{"N", "E", "S", "W"}[rng.IntN(4)]
	body, s = map[string]any{
		"players": map[string]any{"partner": kinds[rng.IntN(len(kinds))], "opponents": kinds[rng.IntN(len(kinds))]},
	}, new(stormSession)
	if rng.IntN(2) == 0 {
		s.compare = []string{"simple", "club", "strong"}[rng.IntN(3)]
		body["compare"] = s.compare
	}
	switch how := rng.IntN(4); {
	case how == 0 && d != nil:
		s.begins = d.solution.Line[:rng.IntN(28)]
		body["seat"], body["position"] = seat, with(d.position, "played", s.begins)
	case how == 1 && d != nil:
		s.begins = d.solution.Line[:rng.IntN(28)]
		body["view"] = map[string]any{
			"trump": stormTrump, "leader": stormLeader, "seat": seat, "hand": d.hands[seat], "played": s.begins,
		}
	default:
		body["seat"] = seat
		body["bidding"] = []string{"none", "free", "official", "obliged", "turned"}[rng.IntN(5)]
		body["hands"] = []int{1, 16}[rng.IntN(2)]
	}
	return body, s
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
	case len(s.begins) > 0 && (got.View == nil || !slices.Equal(got.View.Played[:min(len(s.begins), len(got.View.Played))], s.begins)):
		return fmt.Errorf("want a hand that begins with %v", s.begins)
	}
	for _, r := range got.Results {
		if (r.Compared != nil) != (s.compare != "") || r.Compared != nil && r.Compared.Player != s.compare {
			return fmt.Errorf("want each hand compared with %q", s.compare)
		}
	}
	var seen []string
	if got.View != nil {
		seen = slices.Concat(got.View.Hand, got.View.Played)
	} else if got.Auction != nil {
		seen = got.Auction.Hand
	}
	for _, card := range quotedCard.FindAllString(string(withoutResults(body)), -1) {
		if !over && !slices.Contains(seen, strings.Trim(card, `"`)) {
			return fmt.Errorf("the seat has not seen %s", card)
		}
	}
	got.begins, got.compare = s.begins, s.compare
	*s = got
	return nil
}

// withoutResults removes the hands that are over from an answer: with compare they have cards that nobody played at the table.
func withoutResults(body []byte) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return body
	}
	delete(fields, "results")
	return mustJSON(fields)
}

// request returns a request about the session.
func (s *stormSession) request(op stormOperation) stormRequest {
	return stormRequest{op: op, target: strings.ReplaceAll(op.path, "{id}", s.ID), right: s.right, session: s}
}

func (s *stormSession) begun() bool        { return s.ID != "" }
func (s *stormSession) over() bool         { return s.State == "over" }
func (s *stormSession) acts() int          { return s.Acts }
func (s *stormSession) read() stormRequest { return s.request(opSession) }
func (s *stormSession) end() stormRequest  { return s.request(opEndSession) }

// act returns a legal act.
func (s *stormSession) act(rng *rand.Rand) stormRequest {
	op, body := opSessionNext, map[string]any{"acts": s.Acts}
	switch s.State {
	case "bidding":
		op, body["call"] = opSessionCall, s.LegalCalls[rng.IntN(len(s.LegalCalls))]
	case "playing":
		if s.Settled && s.Acts%2 == 0 {
			op = opSessionClaim
			break
		}
		op, body["card"] = opSessionPlay, s.Legal[rng.IntN(len(s.Legal))]
	}
	q := s.request(op)
	q.body = mustJSON(body)
	return q
}

// pastRequests returns the requests for the first hand of a session and for its records. They are refused until the hand is over.
func pastRequests(s stormPlay) []stormRequest {
	all := []stormRequest{s.read(), s.read()}
	for i, of := range []struct{ path, target, field string }{
		{"/hands/{number}", "/hands/1", "revealed"}, {"/records", "/records", "records"},
	} {
		q := &all[i]
		q.op.path, q.target, q.session = q.op.path+of.path, q.target+of.target, nil
		q.right = func(body []byte) error {
			var fields map[string]json.RawMessage
			if err := json.Unmarshal(body, &fields); err != nil || len(fields[of.field]) < 10 {
				return fmt.Errorf("want %s: %w", of.field, err)
			}
			return nil
		}
	}
	return all
}

// takeback returns the request that takes the last act of a session back.
func takeback(s stormPlay) stormRequest {
	q := s.read()
	q.op, q.target = stormOperation{"POST", q.op.path + "/takeback"}, q.target+"/takeback"
	q.body = mustJSON(map[string]any{"acts": s.acts()})
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
		if c.rng.IntN(8) == 0 {
			c.ask(ctx, pastRequests(s)[c.rng.IntN(2)])
		}
	}
	if c.rng.IntN(2) == 0 {
		c.ask(ctx, s.end())
	}
}

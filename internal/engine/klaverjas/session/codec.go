package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/engine/takeback"
)

// stored is a session as bytes: its setup, and what was said and played. The deals follow from the secret.
type stored struct {
	Version  int                 `json:"v"`
	Rules    klaverjas.RulesJSON `json:"rules"`
	Seat     string              `json:"seat"`
	Players  [2]string           `json:"players"`
	Hands    int                 `json:"hands"`
	Target   int                 `json:"target,omitempty"`
	Flow     string              `json:"flow,omitempty"`
	Again    bool                `json:"again,omitempty"`
	Trump    string              `json:"trump,omitempty"`
	Declarer string              `json:"declarer,omitempty"`
	Leader   string              `json:"leader,omitempty"`
	Secret   [2]uint64           `json:"secret"`
	Seed     bool                `json:"seed,omitempty"`
	Takeback bool                `json:"takeback,omitempty"`
	Taken    *takeback.Count     `json:"taken,omitempty"`
	Begun    *storedBegun        `json:"begun,omitempty"`
	Compare  string              `json:"compare,omitempty"`
	History  []storedHand        `json:"history"`
}

// storedHand is the calls and the cards of a hand, with spaces between them.
type storedHand struct {
	Calls    string      `json:"calls,omitempty"`
	Played   string      `json:"played,omitempty"`
	Claimed  int         `json:"claimed,omitempty"`
	Compared *storedHand `json:"compared,omitempty"`
}

// storedBegun is the position which a session begins in.
type storedBegun struct {
	Trump    string    `json:"trump"`
	Leader   string    `json:"leader"`
	Declarer string    `json:"declarer"`
	Hands    [4]string `json:"hands"`
	Played   string    `json:"played,omitempty"`
}

// storedVersion is the version of the form.
const storedVersion = 1

// Encode returns the session as bytes. They hold the hidden cards.
func (s Session) Encode() ([]byte, error) {
	u := s.setup
	out := stored{
		Version: storedVersion, Rules: klaverjas.RulesJSON(u.Rules), Seat: u.Seat.String(), Hands: u.Hands, Target: u.Target, Again: u.Again,
		Players: [2]string{u.Players[0].Name(), u.Players[1].Name()}, Secret: u.Secret, Seed: u.Seed,
	}
	if u.Bidding {
		out.Flow = u.Flow.String()
	}
	if u.Trump != nil {
		out.Trump = u.Trump.String()
	}
	if u.Declarer != nil {
		out.Declarer = u.Declarer.String()
	}
	if u.Leader != nil {
		out.Leader = u.Leader.String()
	}
	if u.Compare != nil {
		out.Compare = u.Compare.Name()
	}
	if b := u.Begun; b != nil {
		out.Begun = &storedBegun{
			Trump: b.Deal.Trump.String(), Leader: b.Deal.Leader.String(), Declarer: b.Deal.Declarer.String(), Played: joined(b.Played),
		}
		for seat, hand := range b.Deal.Hands {
			out.Begun.Hands[seat] = joined(hand.Slice())
		}
	}
	for _, h := range s.Hands() {
		out.History = append(out.History, storing(h))
	}
	if out.Takeback = u.Takeback; s.taken != (takeback.Count{}) {
		out.Taken = &s.taken
	}
	return json.Marshal(out)
}

func storing(h Hand) storedHand {
	out := storedHand{Calls: joined(h.Calls), Played: joined(h.Played), Claimed: h.Claimed}
	if h.Compared != nil {
		compared := storing(*h.Compared)
		out.Compared = &compared
	}
	return out
}

func joined[T fmt.Stringer](list []T) string {
	texts := make([]string, len(list))
	for i, one := range list {
		texts[i] = one.String()
	}
	return strings.Join(texts, " ")
}

// Decode returns the session of the bytes of Encode. Its error says that they are damaged, or of another version.
func Decode(text []byte) (Session, error) {
	var in stored
	if err := json.Unmarshal(text, &in); err != nil {
		return Session{}, fmt.Errorf("reading a session: %w", err)
	}
	if in.Version != storedVersion {
		return Session{}, fmt.Errorf("reading a session: it has version %d, expected %d", in.Version, storedVersion)
	}
	setup, err := in.setup()
	if err != nil {
		return Session{}, fmt.Errorf("reading the setup of a session: %w", err)
	}
	hands := make([]Hand, len(in.History))
	for i, h := range in.History {
		if hands[i], err = h.hand(); err != nil {
			return Session{}, err
		}
	}
	s, err := Restore(setup, hands)
	if err != nil {
		return Session{}, fmt.Errorf("restoring a session: %w", err)
	}
	if in.Taken != nil {
		s.taken = *in.Taken
	}
	return s, nil
}

func (h storedHand) hand() (out Hand, err error) {
	out.Claimed = h.Claimed
	if out.Calls, err = split(h.Calls, parseCall); err != nil {
		return out, fmt.Errorf("reading the calls of a session: %w", err)
	}
	if out.Played, err = split(h.Played, piquet.ParseCard); err != nil {
		return out, fmt.Errorf("reading the cards of a session: %w", err)
	}
	if h.Compared != nil {
		compared, err := h.Compared.hand()
		out.Compared = &compared
		return out, err
	}
	return out, nil
}

func (b *storedBegun) begun() (*Begun, error) {
	var out Begun
	var errs [4]error
	out.Deal.Trump, errs[0] = piquet.ParseSuit(b.Trump)
	out.Deal.Leader, errs[1] = piquet.ParseSeat(b.Leader)
	out.Deal.Declarer, errs[2] = piquet.ParseTeam(b.Declarer)
	out.Played, errs[3] = split(b.Played, piquet.ParseCard)
	for seat, text := range b.Hands {
		cards, err := split(text, piquet.ParseCard)
		if err != nil {
			return nil, err
		}
		out.Deal.Hands[seat] = piquet.SetOf(cards...)
	}
	return &out, errors.Join(errs[:]...)
}

func (in *stored) setup() (u Setup, err error) {
	u = Setup{
		Rules: klaverjas.Rules(in.Rules), Hands: in.Hands, Target: in.Target, Again: in.Again, Secret: in.Secret, Seed: in.Seed,
		Takeback: in.Takeback,
		Bidding:  in.Flow != "",
	}
	keep := func(e error) {
		if err == nil {
			err = e
		}
	}
	var e error
	u.Seat, e = piquet.ParseSeat(in.Seat)
	keep(e)
	for i, name := range in.Players {
		u.Players[i], e = players.ParseKind(name, 0)
		keep(e)
	}
	if u.Bidding {
		u.Flow, e = bidding.ParseFlow(in.Flow)
		keep(e)
	}
	if in.Begun != nil {
		u.Begun, e = in.Begun.begun()
		keep(e)
	}
	keep(optional(in.Compare, func(name string) (players.Kind, error) { return players.ParseKind(name, 0) }, &u.Compare))
	keep(optional(in.Trump, piquet.ParseSuit, &u.Trump))
	keep(optional(in.Declarer, piquet.ParseTeam, &u.Declarer))
	keep(optional(in.Leader, piquet.ParseSeat, &u.Leader))
	return u, err
}

// optional reads a text that may be missing.
func optional[T any](text string, parse func(string) (T, error), to **T) error {
	if text == "" {
		return nil
	}
	value, err := parse(text)
	*to = &value
	return err
}

func split[T any](text string, parse func(string) (T, error)) (list []T, err error) {
	for one := range strings.FieldsSeq(text) {
		value, err := parse(one)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}

func parseCall(text string) (bidding.Call, error) {
	if text == bidding.Pass.String() {
		return bidding.Pass, nil
	}
	suit, err := piquet.ParseSuit(text)
	return bidding.Call{Declare: true, Trump: suit}, err
}

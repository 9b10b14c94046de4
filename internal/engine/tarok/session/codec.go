package session

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"roem/internal/engine/takeback"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
)

// stored is a session as bytes: its setup, and what was done. The deals follow from the secret.
type stored struct {
	Version  int             `json:"v"`
	Rules    tarok.Rules     `json:"rules"`
	Seat     string          `json:"seat"`
	Players  [2]string       `json:"players"`
	Hands    int             `json:"hands"`
	Target   int             `json:"target,omitempty"`
	NoRadli  bool            `json:"no_radli,omitempty"`
	Secret   [2]uint64       `json:"secret"`
	Seed     bool            `json:"seed,omitempty"`
	Takeback bool            `json:"takeback,omitempty"`
	Taken    *takeback.Count `json:"taken,omitempty"`
	History  []string        `json:"history"` // of each hand the actions, with spaces between them: see actionText
}

// storedVersion is the version of the form.
const storedVersion = 1

// Encode returns the session as bytes. They hold the hidden cards.
func (s Session) Encode() ([]byte, error) {
	u := s.setup
	out := stored{
		Version: storedVersion, Rules: u.Rules, Seat: u.Seat.String(), Players: u.Players, Hands: u.Hands, Target: u.Target, NoRadli: u.NoRadli,
		Secret: u.Secret, Seed: u.Seed,
	}
	for _, h := range s.Hands() {
		texts := make([]string, len(h))
		for i, a := range h {
			texts[i] = actionText(a)
		}
		out.History = append(out.History, strings.Join(texts, " "))
	}
	if out.Takeback = u.Takeback; s.taken != (takeback.Count{}) {
		out.Taken = &s.taken
	}
	return json.Marshal(out)
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
	seat, err := tarok.ParsePlayer(in.Seat)
	if err != nil {
		return Session{}, fmt.Errorf("reading a session: %w", err)
	}
	setup := Setup{
		Rules: in.Rules, Seat: seat, Players: in.Players, Hands: in.Hands, Target: in.Target, NoRadli: in.NoRadli,
		Secret: in.Secret, Seed: in.Seed, Takeback: in.Takeback,
	}
	hands := make([]Hand, len(in.History))
	for i, line := range in.History {
		for text := range strings.FieldsSeq(line) {
			a, err := readAction(text)
			if err != nil {
				return Session{}, fmt.Errorf("reading a session: %w", err)
			}
			hands[i] = append(hands[i], a)
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

// actionText returns an action as text: b:pass, x:2:C8,CJ with the group from 0, w: and a bit for each word, or c:T21.
func actionText(a players.Action) string {
	switch a.Phase {
	case players.ToBid:
		return "b:" + a.Bid.String()
	case players.ToExchange:
		return fmt.Sprintf("x:%d:%s", a.Group, strings.Join(a.Discards.Names(), ","))
	case players.ToAnnounce:
		return "w:" + strconv.Itoa(wordBits(a.Words))
	default:
		return "c:" + a.Card.String()
	}
}

func readAction(text string) (a players.Action, err error) {
	kind, rest, _ := strings.Cut(text, ":")
	switch kind {
	case "b":
		a.Phase = players.ToBid
		a.Bid, err = tarok.ParseBid(rest)
	case "x":
		a.Phase = players.ToExchange
		group, list, _ := strings.Cut(rest, ":")
		if a.Group, err = strconv.Atoi(group); err != nil {
			return a, err
		}
		for name := range strings.SplitSeq(list, ",") {
			c, err := tarok.ParseCard(name)
			if err != nil {
				return a, err
			}
			a.Discards = a.Discards.With(c)
		}
	case "w":
		a.Phase = players.ToAnnounce
		var bits int
		bits, err = strconv.Atoi(rest)
		a.Words = wordsOf(bits)
	case "c":
		a.Phase = players.ToPlay
		a.Card, err = tarok.ParseCard(rest)
	default:
		err = fmt.Errorf("%.40q is not an action", text)
	}
	return a, err
}

// wordBits returns words as bits: the announced bonuses, the doubled ones, and kontra.
func wordBits(w players.Words) (bits int) {
	for i := range w.Bonuses {
		bits |= bit(w.Bonuses[i], i) | bit(w.Double[i], len(w.Bonuses)+i)
	}
	return bits | bit(w.Kontra, 2*len(w.Bonuses))
}

func bit(set bool, at int) int {
	if set {
		return 1 << at
	}
	return 0
}

func wordsOf(bits int) (w players.Words) {
	n := len(w.Bonuses)
	for i := range n {
		w.Bonuses[i], w.Double[i] = bits>>i&1 != 0, bits>>(n+i)&1 != 0
	}
	w.Kontra = bits>>(2*n)&1 != 0
	return w
}

package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/score"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/takeback"
	"roem/internal/engine/violation"
)

// stored is a session as bytes: its setup, and what was called and played. The deals follow from the secret.
type stored struct {
	Version  int             `json:"v"`
	Seat     string          `json:"seat"`
	Player   string          `json:"player"`
	Hands    int             `json:"hands"`
	Target   int             `json:"target,omitempty"`
	Suits    string          `json:"suits"`
	Trump    string          `json:"trump"`
	Flip     string          `json:"flip"`
	Score    *score.Rules    `json:"score,omitempty"` // none for UsualScore
	Secret   [2]uint64       `json:"secret"`
	Seed     bool            `json:"seed,omitempty"`
	Takeback bool            `json:"takeback,omitempty"`
	Taken    *takeback.Count `json:"taken,omitempty"`
	History  []string        `json:"history"` // of each hand the acts, with spaces between them: see actText
}

// storedVersion is the version of the form.
const storedVersion = 1

// UsualScore returns how sessions are scored unless another way is chosen.
func UsualScore() score.Rules { return score.Rules{Contract: score.Paper, Belote: true} }

// Encode returns the session as bytes. They hold the cards face down.
func (s Session) Encode() ([]byte, error) {
	u := s.setup
	out := stored{
		Version: storedVersion, Seat: u.Seat.String(), Player: u.Player.Name(), Hands: u.Hands, Trump: u.Way.String(), Flip: u.Flip.String(),
		Secret: u.Secret, Seed: u.Seed, Target: u.Target,
	}
	usual := UsualScore()
	if u.Way == Without {
		usual.Contract = score.None
	}
	if u.Score != usual {
		out.Score = &u.Score
	}
	for _, suit := range piquet.Suits() {
		if !u.Deck.InSuit(suit).Empty() {
			out.Suits += suit.String()
		}
	}
	for _, acts := range s.Hands() {
		texts := make([]string, len(acts))
		for i, a := range acts {
			texts[i] = actText(a)
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
	setup, err := in.setup()
	if err != nil {
		return Session{}, fmt.Errorf("reading the setup of a session: %w", err)
	}
	hands := make([][]Act, len(in.History))
	for i, line := range in.History {
		for text := range strings.FieldsSeq(line) {
			a, err := readAct(text)
			if err != nil {
				return Session{}, fmt.Errorf("reading the acts of a session: %w", err)
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

func (in *stored) setup() (u Setup, err error) {
	u = Setup{Hands: in.Hands, Target: in.Target, Secret: in.Secret, Seed: in.Seed, Takeback: in.Takeback, Score: UsualScore()}
	if in.Score != nil {
		u.Score = *in.Score
	}
	if u.Seat, err = belote.ParsePlayer(in.Seat); err != nil {
		return u, err
	}
	if u.Player, err = players.ParseKind(in.Player, players.DefaultWorlds); err != nil {
		return u, err
	}
	if u.Way, err = ParseWay(in.Trump); err != nil {
		return u, err
	}
	if u.Flip, err = worlds.ParseFlip(in.Flip); err != nil {
		return u, err
	}
	for _, letter := range in.Suits {
		suit, err := piquet.ParseSuit(string(letter))
		if err != nil {
			return u, err
		}
		u.Deck |= belote.Deck(suit)
	}
	if u.Deck.Empty() {
		return u, violation.New(violation.TooFew, "has no suits")
	}
	return u, nil
}

// ParseWay reads bidding, drawn or none.
func ParseWay(text string) (Way, error) {
	i := slices.Index(wayNames, text)
	if i < 0 {
		return 0, violation.Word(text, wayNames...)
	}
	return Way(i), nil
}

// actText returns a call, pass or a suit, or a card as text. Only a card has a face and a suit.
func actText(a Act) string {
	if a.Kind == MakeCall {
		return CallName(a.Call)
	}
	return a.Card.String()
}

func readAct(text string) (a Act, err error) {
	switch {
	case text == Pass:
		a.Call = belote.NoTrump
	case len(text) == 1:
		var suit piquet.Suit
		suit, err = piquet.ParseSuit(text)
		a.Call = belote.TrumpOf(suit)
	default:
		a.Kind = PlayCard
		a.Card, err = piquet.ParseCard(text)
	}
	return a, err
}

package session

import (
	"encoding/json"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/score"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	frame "roem/internal/engine/table/session"
	"roem/internal/engine/violation"
)

// stored is a setup as JSON.
type stored struct {
	Terms

	Seat   belote.Player `json:"seat"`
	Player players.Kind  `json:"player"`
	Suits  string        `json:"suits"`
	Trump  string        `json:"trump"`
	Flip   worlds.Flip   `json:"flip"`
	Score  *score.Rules  `json:"score,omitempty"` // none for UsualScore
}

// UsualScore returns how sessions are scored unless another way is chosen.
func UsualScore() score.Rules { return score.Rules{Contract: score.Paper, Belote: true} }

// MarshalJSON writes the setup.
func (s Setup) MarshalJSON() ([]byte, error) {
	out := stored{Terms: s.Terms, Seat: s.Seat, Player: s.Player, Trump: s.Way.String(), Flip: s.Flip}
	usual := UsualScore()
	if s.Way == Without {
		usual.Contract = score.None
	}
	if s.Score != usual {
		out.Score = &s.Score
	}
	for _, suit := range piquet.Suits() {
		if !s.Deck.InSuit(suit).Empty() {
			out.Suits += suit.String()
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Setup) UnmarshalJSON(text []byte) error {
	usual := UsualScore()
	in := stored{Score: &usual}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*s = Setup{Terms: in.Terms, Seat: in.Seat, Player: in.Player, Flip: in.Flip, Score: *in.Score}
	for _, letter := range in.Suits {
		suit, err := piquet.ParseSuit(string(letter))
		if err != nil {
			return err
		}
		s.Deck |= belote.Deck(suit)
	}
	if s.Deck.Empty() {
		return violation.New(violation.TooFew, "has no suits")
	}
	var err error
	s.Way, err = ParseWay(in.Trump)
	return err
}

// Text returns the actions of a hand as text.
func (m Match) Text(list []players.Action) any { return frame.Join(list, actionText) }

// Parse reads the actions of a hand.
func (m Match) Parse(text json.RawMessage) ([]players.Action, error) {
	return frame.Split(text, readAction)
}

// actionText returns a call, pass or a suit, or a card as text. Only a card has a face and a suit.
func actionText(a players.Action) string {
	if a.Calls {
		return CallName(a.Call)
	}
	return a.Card.String()
}

func readAction(text string) (a players.Action, err error) {
	switch {
	case text == Pass:
		a = players.Action{Calls: true, Call: belote.NoTrump}
	case len(text) == 1:
		var suit piquet.Suit
		suit, err = piquet.ParseSuit(text)
		a = players.Action{Calls: true, Call: belote.TrumpOf(suit)}
	default:
		a.Card, err = piquet.ParseCard(text)
	}
	return a, err
}

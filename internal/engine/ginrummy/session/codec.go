package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
	"roem/internal/engine/takeback"
)

// stored is a session as bytes: its setup and its moves. The deals follow from the secret.
type stored struct {
	Version  int             `json:"v"`
	Player   string          `json:"player"`
	Game     bool            `json:"game,omitempty"`
	Target   int             `json:"target,omitempty"` // of a game; none for ginrummy.GameScore
	Starter  *ginrummy.Seat  `json:"starter,omitempty"`
	LayOffs  string          `json:"lay_offs,omitempty"` // none for the best
	Secret   [2]uint64       `json:"secret"`
	Seed     bool            `json:"seed,omitempty"`
	Takeback bool            `json:"takeback,omitempty"`
	Taken    *takeback.Count `json:"taken,omitempty"`
	Rounds   []string        `json:"rounds"` // see moveText
}

// storedVersion is the version of the form.
const storedVersion = 1

// Encode returns the session as bytes. They hold the hidden cards.
func (s Session) Encode() ([]byte, error) {
	u := s.setup
	out := stored{Version: storedVersion, Player: u.Player.Name(), Game: u.Game, Starter: u.Starter, Secret: u.Secret, Seed: u.Seed}
	if u.Target != ginrummy.GameScore {
		out.Target = u.Target
	}
	if u.LayOffs != ginrummy.BestLayOffs {
		out.LayOffs = u.LayOffs.String()
	}
	for _, moves := range s.Rounds() {
		var text []byte
		for _, m := range moves {
			text = appendMove(text, m)
		}
		out.Rounds = append(out.Rounds, string(text))
	}
	if out.Takeback = u.Takeback; s.taken != (takeback.Count{}) {
		out.Taken = &s.taken
	}
	return json.Marshal(out)
}

// Decode returns the session of the bytes of Encode. kinds are the players. Its error says that the bytes are damaged, or of another
// version.
func Decode(text []byte, kinds []players.Kind) (Session, error) {
	var in stored
	if err := json.Unmarshal(text, &in); err != nil {
		return Session{}, fmt.Errorf("reading a session: %w", err)
	}
	if in.Version != storedVersion {
		return Session{}, fmt.Errorf("reading a session: it has version %d, expected %d", in.Version, storedVersion)
	}
	setup := Setup{Game: in.Game, Target: in.Target, Starter: in.Starter, Secret: in.Secret, Seed: in.Seed, Takeback: in.Takeback}
	var err error
	if setup.Player, err = match.ParseKind(in.Player, kinds); err != nil {
		return Session{}, fmt.Errorf("reading the setup of a session: %w", err)
	}
	if in.LayOffs != "" {
		if setup.LayOffs, err = ginrummy.ParseLayOffs(in.LayOffs); err != nil {
			return Session{}, fmt.Errorf("reading the setup of a session: %w", err)
		}
	}
	rounds := make([][]Move, len(in.Rounds))
	for i, text := range in.Rounds {
		if rounds[i], err = parseMoves(text); err != nil {
			return Session{}, fmt.Errorf("reading the moves of a session: %w", err)
		}
	}
	s, err := Restore(setup, rounds)
	if err != nil {
		return Session{}, fmt.Errorf("restoring a session: %w", err)
	}
	if in.Taken != nil {
		s.taken = *in.Taken
	}
	return s, nil
}

// The text of moves, without separators: a discard is a letter for the card, so that most turns take two bytes; all others begin with a
// sign for their kind. A knock or melds that are not the best are followed by the sets of cards in hexadecimal digits, each with a slash,
// and a dot.
const (
	letters   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	kindSigns = "012?345" // by kind; a discard has none
	bestSigns = "????6?7" // of the same kinds with the best melds
	offSign   = '8'       // before melds with lay-offs: the cards on each meld of the knocker, each with a slash, and a dot
)

func appendMove(text []byte, m Move) []byte {
	if m.Off.Given {
		text = append(text, offSign)
		for _, cards := range m.Off.On {
			text = append(strconv.AppendUint(text, uint64(cards), 16), '/')
		}
		text = append(text, '.')
	}
	switch {
	case m.Kind == ginrummy.Discard:
		return append(text, letters[m.Card%ginrummy.DeckSize])
	case m.Best:
		return append(text, bestSigns[m.Kind])
	}
	text = append(text, kindSigns[m.Kind])
	if m.Kind == ginrummy.Knock || m.Kind == ginrummy.Lay {
		for _, meld := range m.Melds.Melds() {
			text = append(strconv.AppendUint(text, uint64(meld), 16), '/')
		}
		text = append(text, '.')
	}
	return text
}

var errMoves = errors.New("a sign is unknown, or the text ends too early")

func parseMoves(text string) (moves []Move, err error) {
	for text != "" {
		sign := text[0]
		text = text[1:]
		var m Move
		if sign == offSign {
			off, rest, ok := strings.Cut(text, ".")
			if !ok || rest == "" {
				return nil, errMoves
			}
			if m.Off, err = parseOff(off); err != nil {
				return nil, err
			}
			sign, text = rest[0], rest[1:]
		}
		if at := strings.IndexByte(letters, sign); at >= 0 {
			m.Kind, m.Card = ginrummy.Discard, ginrummy.Card(at)
		} else if at := strings.IndexByte(bestSigns, sign); at >= 0 && sign != '?' {
			m.Kind, m.Best = ginrummy.Kind(at), true
		} else if at := strings.IndexByte(kindSigns, sign); at >= 0 && sign != '?' {
			m.Kind = ginrummy.Kind(at)
		} else {
			return nil, errMoves
		}
		if !m.Best && (m.Kind == ginrummy.Knock || m.Kind == ginrummy.Lay) {
			melds, rest, ok := strings.Cut(text, ".")
			if !ok {
				return nil, errMoves
			}
			if m.Melds, err = parseMelds(melds); err != nil {
				return nil, err
			}
			text = rest
		}
		moves = append(moves, m)
	}
	return moves, nil
}

func parseMelds(text string) (a ginrummy.Arrangement, err error) {
	var list []ginrummy.Set
	for one := range strings.SplitSeq(strings.TrimSuffix(text, "/"), "/") {
		if one == "" {
			break
		}
		set, err := strconv.ParseUint(one, 16, ginrummy.DeckSize)
		if err != nil {
			return a, fmt.Errorf("reading melds: %w", err)
		}
		list = append(list, ginrummy.Set(set))
	}
	a, ok := ginrummy.ArrangementOf(list)
	if !ok {
		return a, errMoves
	}
	return a, nil
}

func parseOff(text string) (off ginrummy.Laid, err error) {
	parts := strings.Split(strings.TrimSuffix(text, "/"), "/")
	if len(parts) != len(off.On) {
		return off, errMoves
	}
	off.Given = true
	for i, one := range parts {
		set, err := strconv.ParseUint(one, 16, ginrummy.DeckSize)
		if err != nil {
			return off, fmt.Errorf("reading lay-offs: %w", err)
		}
		off.On[i] = ginrummy.Set(set)
	}
	return off, nil
}

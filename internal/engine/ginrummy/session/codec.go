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
	frame "roem/internal/engine/table/session"
)

// Decode returns the session of the bytes of Session.Encode. kinds are the players. Its error says that the bytes are damaged, or of
// another version.
func Decode(text []byte, kinds []players.Kind) (Session, error) {
	s, err := frame.Decode[Match](text)
	if err == nil {
		_, err = match.ParseKind(s.Match().Player, kinds)
	}
	return s, err
}

// History returns the name of the moves of a stored session.
func (m Match) History() string { return "history" }

// Text returns the moves of a round as text.
func (m Match) Text(moves []ginrummy.Action) any {
	var text []byte
	for _, a := range moves {
		text = appendMove(text, a)
	}
	return string(text)
}

// Parse reads the moves of a round.
func (m Match) Parse(text json.RawMessage) ([]ginrummy.Action, error) {
	var line string
	if err := json.Unmarshal(text, &line); err != nil {
		return nil, err
	}
	return parseMoves(line)
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

func appendMove(text []byte, m ginrummy.Action) []byte {
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

func parseMoves(text string) (moves []ginrummy.Action, err error) {
	for text != "" {
		sign := text[0]
		text = text[1:]
		var m ginrummy.Action
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

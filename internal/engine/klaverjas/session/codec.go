package session

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"slices"

	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	frame "roem/internal/engine/table/session"
)

// storedHand is what was done in a hand. The cards have the ones before the session.
type storedHand struct {
	Calls  line[bidding.Call] `json:"calls,omitempty"`
	Played line[piquet.Card]  `json:"played,omitempty"`
	// Claimed is how many cards had been played when the player outside claimed the rest; nil if it did not.
	Claimed  *int        `json:"claimed,omitempty"`
	Compared *storedHand `json:"compared,omitempty"`
}

// before returns a hand before the first act of the session.
func (m Match) before() (h storedHand) {
	if m.Begun != nil {
		h.Played = slices.Clip(m.Begun.Played)
	}
	return h
}

// Text returns the actions of a hand, and of the same hand played again, as what becomes JSON.
func (m Match) Text(list []players.Action) any {
	out := m.before()
	at := &out
	for _, a := range list {
		if len(at.Played) == piquet.Deck.Len() {
			again := m.before()
			at.Compared, at = &again, &again
		}
		switch a.Kind {
		case players.MakeCall:
			at.Calls = append(at.Calls, a.Call)
		case players.Claim:
			at.Claimed = new(len(at.Played))
		default:
			at.Played = append(at.Played, a.Card)
		}
	}
	return out
}

// Parse reads the actions of a hand.
func (m Match) Parse(text json.RawMessage) (list []players.Action, err error) {
	var in *storedHand
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	for ; in != nil; in = in.Compared {
		for _, c := range in.Calls {
			list = append(list, players.Action{Kind: players.MakeCall, Call: c})
		}
		before := m.before().Played
		if len(in.Played) < len(before) || !slices.Equal(in.Played[:len(before)], before) {
			return nil, errBegun
		}
		for i := len(before); i <= len(in.Played); i++ {
			if in.Claimed != nil && *in.Claimed == i {
				list = append(list, players.Action{Kind: players.Claim})
			}
			if i < len(in.Played) {
				list = append(list, players.Action{Card: in.Played[i]})
			}
		}
	}
	return list, nil
}

// line is a list as text, with spaces between.
type line[T fmt.Stringer] []T

// MarshalText writes the list.
func (l line[T]) MarshalText() ([]byte, error) { return []byte(frame.Join(l, T.String)), nil }

// UnmarshalText reads it.
func (l *line[T]) UnmarshalText(text []byte) error {
	words := bytes.Fields(text)
	*l = make([]T, len(words))
	for i, word := range words {
		if err := any(&(*l)[i]).(encoding.TextUnmarshaler).UnmarshalText(word); err != nil {
			return err
		}
	}
	return nil
}

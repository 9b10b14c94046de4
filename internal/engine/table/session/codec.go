package session

import (
	"encoding/json"
	"fmt"
	"strings"

	"roem/internal/engine/table"
	"roem/internal/engine/takeback"
)

// stored is a session as bytes, beside the fields of its setup: what was done. The deals follow from the secret.
type stored struct {
	Version int             `json:"v"`
	Taken   *takeback.Count `json:"taken,omitempty"`
	History []string        `json:"history"` // of each hand the acts, with spaces between them: see Match.Text
}

// storedVersion is the version of the form.
const storedVersion = 1

// Earlier is a match whose sessions had another history in the version before, among the fields of the setup.
type Earlier interface {
	// History returns the history as it is written now; nil if there was none.
	History() ([]string, error)
}

// Encode returns the session as bytes. They hold the hidden cards.
func (s Session[M, H, P, V, A]) Encode() ([]byte, error) {
	out := stored{Version: storedVersion}
	for _, acts := range s.Hands() {
		texts := make([]string, len(acts))
		for i, a := range acts {
			texts[i] = s.match.Text(a)
		}
		out.History = append(out.History, strings.Join(texts, " "))
	}
	if s.taken != (takeback.Count{}) {
		out.Taken = &s.taken
	}
	setup, err := json.Marshal(s.match)
	if err != nil {
		return nil, err
	}
	history, err := json.Marshal(out)
	return append(append(setup[:len(setup)-1], ','), history[1:]...), err // one object of both
}

// Decode returns the session of the bytes of Encode. Its error says that they are damaged, or of another version.
func Decode[M Match[M, H, P, V, A], H table.Hand[H, P, V, A], P ~uint8, V any, A comparable](
	text []byte,
) (s Session[M, H, P, V, A], err error) {
	var (
		in    stored
		setup M
	)
	if err = json.Unmarshal(text, &in); err == nil && in.Version != storedVersion {
		err = fmt.Errorf("it has version %d, expected %d", in.Version, storedVersion)
	}
	if err == nil {
		err = json.Unmarshal(text, &setup)
	}
	if old, ok := any(setup).(Earlier); ok && err == nil && in.History == nil {
		in.History, err = old.History()
	}
	hands := make([][]A, len(in.History))
	for i, line := range in.History {
		for word := range strings.FieldsSeq(line) {
			a, wrong := setup.Parse(word)
			if err == nil {
				err = wrong
			}
			hands[i] = append(hands[i], a)
		}
	}
	if err != nil {
		return s, fmt.Errorf("reading a session: %w", err)
	}
	if s, err = Restore(setup, hands); err != nil {
		return s, fmt.Errorf("restoring a session: %w", err)
	}
	if in.Taken != nil {
		s.taken = *in.Taken
	}
	return s, nil
}

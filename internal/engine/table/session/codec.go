package session

import (
	"encoding/json"
	"fmt"
	"strings"

	"roem/internal/engine/table"
	"roem/internal/engine/takeback"
)

// stored is a session as bytes, beside the fields of its setup, and of what was done: a list of the texts of its hands. The deals follow
// from the secret.
type stored struct {
	Version int             `json:"v"`
	Taken   *takeback.Count `json:"taken,omitempty"`
}

// storedVersion is the version of the form.
const storedVersion = 1

// history is the name of what was done, unless a match is Named.
const history = "history"

// Named is a match that has another name for what was done.
type Named interface{ History() string }

func nameOf(m any) string {
	if n, ok := m.(Named); ok {
		return n.History()
	}
	return history
}

// Join returns acts as a line, with spaces between them.
func Join[A any](acts []A, text func(A) string) string {
	texts := make([]string, len(acts))
	for i, a := range acts {
		texts[i] = text(a)
	}
	return strings.Join(texts, " ")
}

// Split reads a line of Join, in JSON.
func Split[A any](text json.RawMessage, parse func(string) (A, error)) (acts []A, err error) {
	var line string
	if err := json.Unmarshal(text, &line); err != nil {
		return nil, err
	}
	for text := range strings.FieldsSeq(line) {
		a, err := parse(text)
		if err != nil {
			return nil, err
		}
		acts = append(acts, a)
	}
	return acts, nil
}

// Encode returns the session as bytes. They hold the hidden cards.
func (s Session[M, H, P, V, A]) Encode() ([]byte, error) {
	frame, hands := stored{Version: storedVersion}, []any{}
	for _, acts := range s.Hands() {
		hands = append(hands, s.match.Text(acts))
	}
	if s.taken != (takeback.Count{}) {
		frame.Taken = &s.taken
	}
	var out []byte
	for _, part := range []any{s.match, frame, map[string][]any{nameOf(s.match): hands}} { // one object of all
		text, err := json.Marshal(part)
		if err != nil {
			return nil, err
		}
		if len(out) > 0 {
			out[len(out)-1], text = ',', text[1:]
		}
		out = append(out, text...)
	}
	return out, nil
}

// Decode returns the session of the bytes of Encode. Its error says that they are damaged, or of another version.
func Decode[M Match[M, H, P, V, A], H table.Hand[H, P, V, A], P ~uint8, V any, A comparable](
	text []byte,
) (s Session[M, H, P, V, A], err error) {
	setup, hands, frame, err := read[M](text)
	if err != nil {
		return s, fmt.Errorf("reading a session: %w", err)
	}
	if s, err = Restore(setup, hands); err != nil {
		return s, fmt.Errorf("restoring a session: %w", err)
	}
	if frame.Taken != nil {
		s.taken = *frame.Taken
	}
	return s, nil
}

func read[M Match[M, H, P, V, A], H table.Hand[H, P, V, A], P ~uint8, V any, A comparable](
	text []byte,
) (setup M, hands [][]A, frame stored, err error) {
	document := struct {
		*stored

		History []json.RawMessage `json:"history"`
	}{stored: &frame}
	for _, to := range []any{&document, &setup} {
		if err := json.Unmarshal(text, to); err != nil {
			return setup, nil, frame, err
		}
		if frame.Version != storedVersion {
			return setup, nil, frame, fmt.Errorf("it has version %d, expected %d", frame.Version, storedVersion)
		}
	}
	texts := document.History
	if name := nameOf(setup); name != history {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(text, &fields); err != nil {
			return setup, nil, frame, err
		}
		if list, ok := fields[name]; ok {
			if err := json.Unmarshal(list, &texts); err != nil {
				return setup, nil, frame, err
			}
		}
	}
	for _, text := range texts {
		acts, err := setup.Parse(text)
		if err != nil {
			return setup, nil, frame, err
		}
		hands = append(hands, acts)
	}
	return setup, hands, frame, nil
}

package record

import (
	"encoding/json"
	"errors"

	"roem/internal/bound"
	"roem/internal/engine/violation"
)

// freeOfHand is how much memory the JSON of a hand may take however short it is. It is more than any hand takes.
const freeOfHand = 16 << 10

// value reads JSON: one hand, or a list of them.
func (s *scanner) value() {
	at := s.at
	raw := []byte(s.text[at:bound.EndOfValue(s.text, at)])
	s.at += len(raw)
	if !json.Valid(raw) {
		err := json.Unmarshal(raw, &json.RawMessage{})
		if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
			at += max(int(wrong.Offset)-1, 0)
		}
		s.wrong(at, "", violation.New(violation.NotJSON, "the JSON cannot be read: %s", err))
		s.at = len(s.text)
		return
	}
	if raw[0] == '{' {
		s.object(raw, at)
		return
	}
	for i := 1; len(s.errors) < maxErrors && !s.full; i++ {
		switch raw[i] {
		case ' ', '\t', '\r', '\n', ',':
		case '{':
			end := bound.EndOfValue(raw, i)
			s.object(raw[i:end], at+i)
			i = end - 1
		case ']':
			return
		default:
			s.wrong(at+i, "", violation.New(violation.WrongType, "is not a hand: the list has hands only, each an object"))
			return
		}
	}
}

// object reads a hand in JSON.
func (s *scanner) object(raw []byte, at int) {
	if bound.Crowded(raw, freeOfHand) {
		s.wrong(at, "", violation.New(violation.TooComplex, "the JSON that begins here has more values than the text of any hand"))
		return
	}
	for _, f := range s.kinds.Foreign {
		if f.Object != nil && f.Object(raw) {
			r, err := f.Read(string(raw), at)
			s.imported(r, err)
			return
		}
	}
	var head struct {
		Game string `json:"game"`
	}
	if err := json.Unmarshal(raw, &head); err != nil || head.Game == "" {
		s.wrong(at, "", violation.New(violation.Missing, "the JSON that begins here has no text game").OneOf(s.kinds.Games()...))
		return
	}
	kind := s.kinds.kind(head.Game)
	if kind == nil {
		s.wrong(at, "game", violation.Word(head.Game, s.kinds.Games()...))
		return
	}
	r, err := kind.FromJSON(raw)
	if err != nil {
		s.wrong(at, "", violation.New(violation.WrongType, "the hand of %s in JSON cannot be read: %s", kind.Name, err))
		return
	}
	r.At, r.Loose = at, true
	if s.tags(&r) {
		hand, errs := kind.read(&r, s)
		s.keep(hand, errs, at)
	}
}

// tags sets the places of the tags of a hand in JSON, and reports whether a record can have them.
func (s *scanner) tags(r *Record) bool {
	clear(s.seen)
	s.seen["Game"] = r.At
	for i := range r.Fields {
		f := &r.Fields[i]
		f.At = r.At
		for j := range f.Words {
			f.Words[j].At = r.At
		}
		_, twice := s.seen[f.Name]
		switch {
		case len(f.Words) > MaxWords:
			s.tooMany(f, r.At)
			return false
		case i == MaxFields:
			s.tooManyFields(r.At, f.Name)
			return false
		case !isName(f.Name):
			s.wrong(r.At, "tags", violation.New(violation.WrongForm, "%s is not the name of a tag: expected at most %d letters, digits and _",
				quote(f.Name), maxName).Of(f.Name))
			return false
		case twice:
			s.wrong(r.At, f.Name, violation.New(violation.GivenTwice, "the record has this tag already"))
			return false
		}
		s.seen[f.Name] = f.At
	}
	return true
}

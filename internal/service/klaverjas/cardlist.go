package klaverjas

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// cardList is a list of cards of a request. Cards in the form that answers use are read directly, without allocating a text for each.
// This halves the time to decode a position.
type cardList struct {
	cards []piquet.Card
	texts []string // all the cards, if one of them has another form; nil otherwise
}

var errNoList = errors.New("is not a list of texts")

// UnmarshalJSONFrom reads a list of texts, whether they are cards or not.
func (l *cardList) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	return l.read(value)
}

// read reads the list from its JSON.
func (l *cardList) read(value jsontext.Value) (err error) {
	if value.Kind() != '[' {
		return errNoList
	}
	if l.cards = readCards(value); l.cards != nil {
		return nil
	}
	l.texts, err = readTexts(value)
	return err
}

// readTexts reads a JSON array of texts, up to the first thing that is wrong.
func readTexts(array jsontext.Value) (texts []string, err error) {
	// What is in the array has been read once already.
	dec := jsontext.NewDecoder(bytes.NewBuffer(array), jsontext.AllowDuplicateNames(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	for dec.PeekKind() != ']' {
		token, err := dec.ReadToken()
		switch {
		case err != nil:
			return nil, err
		case token.Kind() != '"':
			return nil, errNoList
		}
		texts = append(texts, token.String())
	}
	return texts, nil
}

// readCards reads a JSON array in which every card has the form that answers use. It returns nil for any other array.
func readCards(array jsontext.Value) []piquet.Card {
	list := make([]piquet.Card, 0, klaverjas.HandSize)
	for rest := array[1:]; ; {
		switch rest[0] {
		case ' ', '\n', '\t', '\r', ',':
			rest = rest[1:]
			continue
		case ']':
			return list
		case '"':
		default:
			return nil
		}
		end := 1
		for rest[end] != '"' {
			end++
		}
		card, ok := piquet.Named(string(rest[1:end]))
		if !ok {
			return nil
		}
		list, rest = append(list, card), rest[end+1:]
	}
}

// given reports whether the list is there, if empty.
func (l *cardList) given() bool { return l.cards != nil || l.texts != nil }

// meets reports whether the list has as many texts as the contract allows, none of them longer than it allows. It is false if there is no
// list.
//
//nolint:unparam // the contract gives all its lists the same limits at present
func (l *cardList) meets(least, most, length int) bool {
	if l.texts == nil {
		return l.cards != nil && len(l.cards) >= least && len(l.cards) <= most
	}
	for _, text := range l.texts {
		if !service.Short(text, length) {
			return false
		}
	}
	return len(l.texts) >= least && len(l.texts) <= most
}

// text returns the cards as texts.
func (l cardList) text() []string {
	if l.texts != nil {
		return l.texts
	}
	return service.Texts(l.cards)
}

// replay plays the cards from p. It returns the position after them, and the cards. Its error is klaverjas.Violations.
func (l cardList) replay(p klaverjas.Position) (klaverjas.Position, []piquet.Card, error) {
	if l.texts != nil {
		return p.ReplayText(l.texts)
	}
	now, err := p.Replay(l.cards)
	return now, l.cards, err
}

// parse returns the hands. Its error is klaverjas.Violations.
func (h handsBody) parse() ([4]piquet.Set, error) {
	if hands, ok := h.sets(); ok {
		return hands, nil
	}
	return klaverjas.ParseHands(map[piquet.Seat][]string{
		piquet.North: h.N.text(), piquet.East: h.E.text(), piquet.South: h.S.text(), piquet.West: h.W.text(),
	})
}

// sets returns the hands if all cards were read directly and the hands are valid.
func (h handsBody) sets() (hands [4]piquet.Set, ok bool) {
	var seen piquet.Set
	for seat, list := range [4][]piquet.Card{
		piquet.North: h.N.cards, piquet.East: h.E.cards, piquet.South: h.S.cards,
		piquet.West: h.W.cards,
	} {
		if len(list) != klaverjas.HandSize {
			return hands, false
		}
		for _, c := range list {
			hands[seat] = hands[seat].With(c)
		}
		seen |= hands[seat]
	}
	return hands, seen == piquet.Deck
}

package record

import (
	"slices"
	"strings"

	"roem/internal/engine/violation"
)

// PBN reads a deal in the manner of PBN: a seat and a colon, and the hands from this seat on, each with its suits in the given order and
// dots between. Letters of the suits may stand before their faces. A hand that is not known is a hyphen. is reports whether the words have
// this form; what is wrong with them is told.
func (r *Reader[C]) PBN(tag, order string, size int, seats func(string) (int, bool)) (hands map[int][]C, is bool) {
	words := r.fields.Words(tag)
	if len(words) == 0 {
		return nil, false
	}
	name, first, _ := strings.Cut(words[0].Text, ":")
	seat, known := seats(name)
	if !known || strings.Count(first, ".") != len(order)-1 && (first != "-" || len(words) == 1) {
		return nil, false
	}
	words = slices.Clone(words)
	words[0] = Word{first, words[0].At + len(name) + 1}
	hands = map[int][]C{}
	if len(words) > 4 {
		r.fields.Wrong(words[4].At, tag, violation.New(violation.TooMany, "has %d hands, expected four with dots between suits", len(words)).
			Of(len(words)).Between(1, 4))
		return hands, true
	}
	for i, w := range words {
		if w.Text == "-" {
			continue
		}
		list, good := r.dotted(tag, order, w)
		if good && len(list) != size {
			r.fields.Wrong(w.At, tag, violation.New(violation.WrongCount, "hand %d has %d cards, expected %d", i+1, len(list), size).Of(len(list)).
				Between(size, size))
		}
		hands[(seat+i)%4] = list
	}
	return hands, true
}

// dotted reads a hand with dots between its suits.
func (r *Reader[C]) dotted(tag, order string, w Word) (list []C, ok bool) {
	suits := strings.Split(w.Text, ".")
	if len(suits) != len(order) {
		r.fields.Wrong(w.At, tag, violation.New(violation.WrongForm, "%s has %d suits, expected %d with dots between, in the order %s",
			quote(w.Text), len(suits), len(order), order).Of(w.Text))
		return nil, false
	}
	named := true // each suit begins with its letter
	for i, faces := range suits {
		named = named && (faces == "" || r.withoutSuit(order[i:i+1], faces) != faces)
	}
	for i, faces := range suits {
		suit := order[i : i+1]
		if named {
			faces = r.withoutSuit(suit, faces)
		}
		if faces == "" {
			continue
		}
		group, good := r.group(symbolOf[suit], faces)
		if !good {
			r.fields.Wrong(w.At, tag, violation.New(violation.NotACard, "%s in %s are no faces of the suit %s", quote(faces), quote(w.Text), suit).
				Of(faces))
			return nil, false
		}
		list = append(list, group...)
	}
	return list, true
}

// symbolOf has the symbols of the suits, which belong to both languages.
var symbolOf = map[string]string{"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

// withoutSuit returns faces without the suit before them.
func (r *Reader[C]) withoutSuit(suit, faces string) string {
	upper := strings.ToUpper(selectors.Replace(faces))
	for _, letters := range []*Letters{&r.deck.English, &r.deck.Dutch} {
		for name, s := range letters.Suits {
			if rest, ok := strings.CutPrefix(upper, name); ok && s == suit {
				return strings.TrimPrefix(rest, ":")
			}
		}
	}
	return faces
}

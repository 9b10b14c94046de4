package record

import (
	"maps"
	"strings"

	"roem/internal/engine/violation"
)

// Deck reads the cards of a game in English and in Dutch letters, suit first or face first, and with symbols of suits.
//
// A record is read in one of the two languages. Few cards differ in meaning: KH is the king of hearts in English, and the klaverenheer in
// Dutch. The other cards of the record decide: J, Q, C and D are English only, B, V and R Dutch only.
type Deck[C comparable] struct {
	English, Dutch Letters
	Parse          func(name string) (C, error) // reads the name of a card that Letters make
	SuitFirst      bool                         // the names have the suit first
}

// Letters are the letters of a language: what stands for a suit or a face, in upper case, and its letter in the names of the cards.
type Letters struct{ Suits, Faces map[string]string }

// Symbols are the suits as symbols. They belong to both languages.
var Symbols = map[string]string{"♣": "C", "♧": "C", "♦": "D", "♢": "D", "♥": "H", "♡": "H", "♠": "S", "♤": "S"}

// WithSymbols returns the suits with their symbols.
func WithSymbols(suits map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range []map[string]string{suits, Symbols} {
		maps.Copy(out, m)
	}
	return out
}

// longestCard is how many bytes the longest written form of a card has: a symbol with its selector and a face of two letters.
const longestCard = 16

var selectors = strings.NewReplacer("\ufe0e", "", "\ufe0f", "")

// card reads a card in one language.
func (d *Deck[C]) card(l *Letters, text string) (c C, ok bool) {
	if len(text) > longestCard {
		return c, false
	}
	text = strings.ToUpper(selectors.Replace(text))
	for suit, s := range l.Suits {
		rest, first := strings.CutPrefix(text, suit)
		if f, ok := l.Faces[rest]; first && ok {
			return d.named(s, f)
		}
		if d.SuitFirst && Symbols[suit] == "" { // such as RK, which would be another card
			continue
		}
		rest, last := strings.CutSuffix(text, suit)
		if f, ok := l.Faces[rest]; last && ok {
			return d.named(s, f)
		}
	}
	return c, false
}

// named returns the card of a suit and a face.
func (d *Deck[C]) named(suit, face string) (c C, ok bool) {
	name := face + suit
	if d.SuitFirst {
		name = suit + face
	}
	c, err := d.Parse(name)
	return c, err == nil
}

// Reader reads the cards of one record.
type Reader[C comparable] struct {
	deck   *Deck[C]
	fields *Fields
	known  map[string]reading[C] // what was read before, in this record or in another one of the text
	dutch  bool
	mixed  bool // both languages occur: a card with two meanings is refused
}

type reading[C comparable] struct {
	english, dutch     C
	isEnglish, isDutch bool
}

// NewReader returns a reader of the cards of a record, which stand in the tags.
func NewReader[C comparable](deck *Deck[C], f *Fields, tags ...string) *Reader[C] {
	known, ok := f.cards[deck].(map[string]reading[C])
	if !ok {
		known = map[string]reading[C]{}
		f.cards[deck] = known
	}
	r := &Reader[C]{deck: deck, fields: f, known: known}
	english, dutch := false, false
	for _, tag := range tags {
		for _, w := range f.Words(tag) {
			for text := range strings.FieldsFuncSeq(w.Text, isJoin) {
				one := r.reading(text)
				english = english || one.isEnglish && !one.isDutch
				dutch = dutch || one.isDutch && !one.isEnglish
			}
		}
	}
	r.dutch, r.mixed = dutch && !english, dutch && english
	return r
}

func isJoin(c rune) bool { return c == '/' || c == ':' }

// reading returns the meanings of a text. Only texts as short as cards are kept, so that few are.
func (r *Reader[C]) reading(text string) (one reading[C]) {
	if len(text) > longestCard {
		return one
	}
	one, ok := r.known[text]
	if !ok {
		one.english, one.isEnglish = r.deck.card(&r.deck.English, text)
		one.dutch, one.isDutch = r.deck.card(&r.deck.Dutch, text)
		if len(r.known) < MaxWords {
			r.known[text] = one
		}
	}
	return one
}

// Card reads a card of a tag.
func (r *Reader[C]) Card(tag string, w Word) (c C, ok bool) {
	one := r.reading(w.Text)
	both := one.isEnglish && one.isDutch && one.english != one.dutch
	switch {
	case both && r.mixed:
		r.fields.Wrong(w.At, tag, violation.New(violation.NotACard,
			"%s is another card in Dutch letters than in English ones, and the record has both: write all cards in one of them", quote(w.Text)).
			Of(w.Text))
		return c, false
	case both && r.dutch, !one.isEnglish && one.isDutch:
		return one.dutch, true
	case one.isEnglish:
		return one.english, true
	}
	return c, r.wrong(tag, w)
}

func (r *Reader[C]) wrong(tag string, w Word) bool {
	var v violation.Violation
	if _, err := r.deck.Parse(w.Text); err != nil {
		v = violation.New(violation.NotACard, "%s", err).Of(w.Text)
		if list := violation.Of("", err); len(list) > 0 {
			v = list[0]
		}
	} else {
		v = violation.New(violation.NotACard, "%s is not a card", quote(w.Text)).Of(w.Text)
	}
	r.fields.Wrong(w.At, tag, v)
	return false
}

// Cards reads a list of cards. Words with several cards of a suit, as S:B9A7 or SB9A7, count too, and so do words with faces after a suit,
// as S: B 9 A7 or ♠ B 9.
func (r *Reader[C]) Cards(tag string, words []Word) (list []C, ok bool) {
	ok = true
	suit := "" // of words such as "S:"
	for _, w := range words {
		switch one := r.reading(w.Text); {
		case one.isEnglish || one.isDutch:
			c, good := r.Card(tag, w)
			list, ok, suit = append(list, c), ok && good, ""
		case r.isSuitWord(w.Text):
			suit = strings.TrimSuffix(w.Text, ":")
		default:
			group, good := r.group(suit, w.Text)
			if !good {
				ok = r.wrong(tag, w)
			}
			list = append(list, group...)
		}
		if !r.fields.OK() && len(r.fields.wrong) >= maxErrors {
			return list, false
		}
	}
	return list, ok
}

// group reads the cards of one suit, in the language of the record.
func (r *Reader[C]) group(suit, faces string) (list []C, ok bool) {
	if len(suit)+len(faces) > 4*longestCard {
		return nil, false
	}
	letters := []*Letters{&r.deck.English, &r.deck.Dutch}
	if r.dutch {
		letters[0], letters[1] = letters[1], letters[0]
	}
	for _, l := range letters {
		if list, ok = r.groupIn(l, strings.ToUpper(selectors.Replace(suit)), strings.ToUpper(selectors.Replace(faces))); ok {
			return list, true
		}
	}
	return nil, false
}

func (r *Reader[C]) groupIn(l *Letters, suit, faces string) (list []C, ok bool) {
	if name, rest, colon := strings.Cut(faces, ":"); suit == "" && colon && l.suit(name) != "" {
		suit, faces = name, rest
	}
	if suit == "" {
		for s := range l.Suits {
			if rest, found := strings.CutPrefix(faces, s); found {
				suit, faces = s, strings.TrimPrefix(rest, ":")
				break
			}
		}
	}
	s := l.suit(suit)
	if s == "" || faces == "" {
		return nil, false
	}
	if faces == "-" { // no card of the suit
		return nil, true
	}
	for faces != "" {
		n := 1
		if strings.HasPrefix(faces, "10") || r.deck.SuitFirst && len(faces) > 1 && l.Faces[faces[:2]] != "" {
			n = 2
		}
		f, found := l.Faces[faces[:n]]
		c, isCard := r.deck.named(s, f)
		if !found || !isCard {
			return nil, false
		}
		list, faces = append(list, c), faces[n:]
	}
	return list, true
}

// Hands reads the words of a deal: the name of a seat, and its cards, for each seat. A seat follows when its hand is full. seats reads the
// name of a seat, without a colon after it.
func (r *Reader[C]) Hands(tag string, size int, seats func(string) (int, bool)) (hands map[int][]C, ok bool) {
	hands, ok = map[int][]C{}, true
	words := r.fields.Words(tag)
	open, last := map[int][]bareHand[C]{}, Word{}
	for len(words) > 0 {
		w := words[0]
		name, rest, colon := strings.Cut(w.Text, ":")
		seat, known := seats(name)
		switch _, twice := hands[seat]; {
		case !known:
			r.fields.Wrong(w.At, tag, violation.New(violation.NotASeat, "%s is not a seat, and a seat stands before its %d cards", quote(w.Text),
				size).Of(w.Text))
			return hands, false
		case twice:
			r.fields.Wrong(w.At, tag, violation.New(violation.GivenTwice, "the cards of %s are given twice", name).Of(w.Text))
			return hands, false
		}
		if words = words[1:]; colon && rest != "" {
			words = append([]Word{{rest, w.At + len(name) + 1}}, words...)
		}
		n := r.fill(words, size, seats)
		before := len(r.fields.wrong)
		list, good := r.Cards(tag, words[:n])
		if !good || len(list) != size {
			switch found := r.bare(words, size, seats); {
			case len(found) == 1:
				r.fields.wrong, list, n, good = r.fields.wrong[:before], found[0].cards, found[0].words, true
			case len(found) > 1 && len(found) < mostReadings && sameWords(found):
				r.fields.wrong, list, n, good = r.fields.wrong[:before], found[0].cards, found[0].words, true
				open[seat], last = found, Word{Text: name, At: w.At}
			case len(found) > 1:
				r.fields.wrong = r.fields.wrong[:before]
				r.fields.Wrong(w.At, tag, ambiguous(found))
				return hands, false
			}
		}
		if hands[seat] = list; good && len(list) != size {
			good = false
			r.fields.Wrong(w.At, tag, violation.New(violation.WrongCount, "%s has %d cards, expected %d", name, len(list), size).Of(len(list)).
				Between(size, size))
		}
		ok, words = ok && good, words[n:]
	}
	if ok && len(open) > 0 && !settle(hands, open) {
		seat, _ := seats(last.Text)
		r.fields.Wrong(last.At, tag, ambiguous(open[seat]))
		return hands, false
	}
	return hands, ok
}

// fill returns how many words make a hand: up to the word that fills it, or to the next seat that is no suit.
func (r *Reader[C]) fill(words []Word, size int, seats func(string) (int, bool)) int {
	count, suit := 0, ""
	for i, w := range words {
		if count >= size {
			return i
		}
		name := strings.TrimSuffix(w.Text, ":")
		switch one := r.reading(w.Text); {
		case one.isEnglish || one.isDutch:
			count, suit = count+1, ""
		case r.isSuitWord(w.Text):
			suit = name
		default:
			group, good := r.group(suit, w.Text)
			if _, isSeat := seats(name); !good && isSeat {
				return i
			}
			count += len(group)
		}
	}
	return len(words)
}

// isSuitWord reports whether a word says the suit of the faces that follow: a suit with a colon, or its symbol.
func (r *Reader[C]) isSuitWord(text string) bool {
	if len(text) > longestCard {
		return false
	}
	suit, colon := strings.CutSuffix(selectors.Replace(text), ":")
	if !colon && Symbols[suit] == "" {
		return false
	}
	suit = strings.ToUpper(suit)
	return r.deck.English.suit(suit) != "" || r.deck.Dutch.suit(suit) != ""
}

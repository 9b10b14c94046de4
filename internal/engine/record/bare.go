package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"roem/internal/engine/violation"
)

// Hands in which letters of suits stand alone before their faces, as in S A 10 7 H B 8 K H V. A letter can be a suit or a face (H is hearts
// and the Dutch heer), so every reading is made, each in the letters of one language. A hand has no card and no suit twice, and as many
// cards as it must. What then has one reading is read, and what has two is refused.

// suitNames are the suits by what people call them. Two letters or more are enough.
var suitNames = map[string]string{
	"CLUBS": "C", "KLAVEREN": "C", "KREUZ": "C", "DIAMONDS": "D", "RUITEN": "D", "KARO": "D",
	"HEARTS": "H", "HARTEN": "H", "HERZ": "H", "SPADES": "S", "SCHOPPEN": "S", "PIK": "S",
}

// suit returns the suit that a text in upper case names in the language; "" for none.
func (l *Letters) suit(text string) string {
	if s := l.Suits[text]; s != "" || len(text) < 2 {
		return s
	}
	for name, s := range suitNames {
		if strings.HasPrefix(name, text) {
			return s
		}
	}
	return ""
}

// mostSteps bounds the work for a hand, which takes some forty steps.
const mostSteps = 400

// bareHand is a reading of a hand.
type bareHand[C comparable] struct {
	cards []C
	words int // how many it has
}

type bareSearch[C comparable] struct {
	reader  *Reader[C]
	letters *Letters
	words   []string // in upper case
	size    int
	ends    func(word int) bool // whether a hand may end before the word
	steps   int
	found   []bareHand[C]
}

// mostReadings is how many readings of a hand are compared with the other hands.
const mostReadings = 8

// bare returns the readings of the hand with which the words begin, at most mostReadings.
func (r *Reader[C]) bare(words []Word, size int, seats func(string) (int, bool)) []bareHand[C] {
	s := bareSearch[C]{reader: r, size: size, ends: func(i int) bool {
		if i == len(words) {
			return true
		}
		name, _, _ := strings.Cut(words[i].Text, ":")
		_, seat := seats(name)
		return seat
	}}
	for _, w := range words[:min(len(words), 2*size)] {
		s.words = append(s.words, strings.ToUpper(selectors.Replace(w.Text)))
	}
	for _, l := range []*Letters{&r.deck.English, &r.deck.Dutch} {
		s.letters, s.steps = l, 0
		if s.walk(0, "", false, nil, nil); s.steps > mostSteps {
			return nil // another reading may have been missed
		}
	}
	return s.found
}

// walk reads on from a word. suit is the suit that faces have, and begins says that nothing has followed it yet.
func (s *bareSearch[C]) walk(i int, suit string, begins bool, used []string, hand []C) {
	if s.steps++; s.steps > mostSteps || len(s.found) == mostReadings {
		return
	}
	if len(hand) >= s.size || i == len(s.words) {
		if len(hand) == s.size && !begins && s.ends(i) {
			s.add(bareHand[C]{hand, i})
		}
		return
	}
	text := s.words[i]
	with := func(list []C, suit string) {
		next := slices.Clone(hand)
		for _, c := range list {
			if slices.Contains(next, c) {
				return
			}
			next = append(next, c)
		}
		s.walk(i+1, suit, false, used, next)
	}
	if suit != "" {
		if list, ok := s.reader.groupIn(s.letters, suit, text); ok {
			with(list, suit)
		}
	}
	if begins {
		return
	}
	if named := s.letters.suit(strings.TrimSuffix(text, ":")); named != "" && !slices.Contains(used, named) {
		s.walk(i+1, symbolOr(named), true, append(slices.Clip(used), named), hand)
	}
	if c, ok := s.reader.deck.card(s.letters, text); ok {
		with([]C{c}, "")
	} else if list, ok := s.reader.groupIn(s.letters, "", text); ok {
		with(list, "")
	}
}

// symbolOr returns the symbol of a suit, which both languages have, or the letter of the taroks.
func symbolOr(suit string) string {
	if symbol := symbolOf[suit]; symbol != "" {
		return symbol
	}
	return suit
}

func (s *bareSearch[C]) add(h bareHand[C]) {
	for _, other := range s.found {
		if !slices.ContainsFunc(h.cards, func(c C) bool { return !slices.Contains(other.cards, c) }) {
			return
		}
	}
	s.found = append(s.found, h)
}

// sameWords reports whether all readings end at the same word, so that the next hand begins there.
func sameWords[C comparable](found []bareHand[C]) bool {
	return !slices.ContainsFunc(found, func(h bareHand[C]) bool { return h.words != found[0].words })
}

// settle chooses among the readings of hands: no card is in two hands. It reports whether one choice is left. open are seats with several
// readings, and hands has the cards of the others.
func settle[C comparable](hands map[int][]C, open map[int][]bareHand[C]) bool {
	held := map[C]bool{}
	seats := []int{}
	for seat, list := range hands {
		if open[seat] != nil {
			seats = append(seats, seat)
			continue
		}
		for _, c := range list {
			held[c] = true
		}
	}
	var found []map[int][]C
	var choose func(i int, chosen map[int][]C)
	choose = func(i int, chosen map[int][]C) {
		if i == len(seats) || len(found) > 1 {
			found = append(found, maps.Clone(chosen))
			return
		}
		for _, h := range open[seats[i]] {
			if slices.ContainsFunc(h.cards, func(c C) bool { return held[c] }) {
				continue
			}
			for _, c := range h.cards {
				held[c] = true
			}
			chosen[seats[i]] = h.cards
			choose(i+1, chosen)
			for _, c := range h.cards {
				delete(held, c)
			}
		}
	}
	choose(0, map[int][]C{})
	if len(found) != 1 {
		return false
	}
	maps.Copy(hands, found[0])
	return true
}

// ambiguous names both readings of a hand.
func ambiguous[C comparable](both []bareHand[C]) violation.Violation {
	text := func(h bareHand[C]) string { return strings.Trim(fmt.Sprint(h.cards), "[]") }
	return violation.New(violation.WrongForm, "can be %s, or %s: put a colon after each suit", text(both[0]), text(both[1]))
}

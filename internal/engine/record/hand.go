package record

import (
	"encoding/json"
	"fmt"
	"strconv"

	"roem/internal/engine/violation"
)

// What the records of games of cards have in common.

// French is the deck of a game whose cards are those of a suit from lowest, 2 or 7, to 10, jack, queen, king and ace.
func French[C comparable](lowest int, parse func(name string) (C, error)) *Deck[C] {
	letters := func(suits map[string]string, jack, queen, king string) Letters {
		faces := map[string]string{"A": "A", "T": "10", "10": "10", jack: "J", queen: "Q", king: "K"}
		for n := lowest; n < 10; n++ {
			faces[strconv.Itoa(n)] = strconv.Itoa(n)
		}
		return Letters{Suits: WithSymbols(suits), Faces: faces}
	}
	return &Deck[C]{
		English: letters(map[string]string{"C": "C", "D": "D", "H": "H", "S": "S"}, "J", "Q", "K"),
		Dutch:   letters(map[string]string{"K": "C", "R": "D", "H": "H", "S": "S"}, "B", "V", "H"),
		Parse:   parse,
	}
}

// Number reads a number.
func Number(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, violation.New(violation.WrongType, "%.24q is not a number", text).Of(text)
	}
	return n, nil
}

// Follow plays cards, which are those of the tag Play, from a position on. What may not be played is told at its word, or at the tag if
// words have several cards, and ends the hand: ok is false then.
func Follow[P, C any](f *Fields, p P, cards []C, play func(P, C) (P, error)) (end P, ok bool) {
	for i, c := range cards {
		next, err := play(p, c)
		if !f.Refuse(f.PlayedAt(i, len(cards)), "Play", err) {
			return p, false
		}
		p = next
	}
	return p, true
}

// PlayedAt returns the place of card i of as many cards as are played, or the place of the tag if words have several cards.
func (f *Fields) PlayedAt(i, cards int) int {
	if words := f.Words("Play"); len(words) == cards {
		return words[i].At
	}
	return f.At("Play")
}

// Names returns cards, or other things, as words.
func Names[C fmt.Stringer](list []C) (out []string) {
	for _, c := range list {
		out = append(out, c.String())
	}
	return out
}

// Tricks returns the field of cards that were played, with a row for so many, and none if none was.
func Tricks[C fmt.Stringer](cards []C, row int) []Field {
	if len(cards) == 0 {
		return nil
	}
	play := Rows("Play", len(cards)+len(cards)/row)
	for i, c := range cards {
		if play.Add(c.String()); i%row == row-1 {
			play.Add(Break)
		}
	}
	return []Field{play}
}

// Add adds a field of words, unless it has none, or an empty one first.
type Add func(name string, words ...string)

// ReadJSON reads a hand in JSON into a struct, tags being a field of it, and returns the fields that put adds of it.
func ReadJSON(game string, raw []byte, into any, tags *[]Tag, put func(Add) error) (r Record, err error) {
	if err := json.Unmarshal(raw, into); err != nil {
		return r, err
	}
	r.Game, r.Fields = game, FreeFields(*tags)
	return r, put(func(name string, words ...string) {
		if len(words) > 0 && words[0] != "" {
			r.Fields = append(r.Fields, Row(name, words...))
		}
	})
}

package record

import (
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
)

// PBN writes the play in columns: each row is a trick, and each column a seat, whoever leads the trick. A hyphen is a card that was not
// played, and an asterisk ends the play.

// playWords returns the words of the play before its end, with the hyphens.
func playWords(f *record.Fields) []record.Word {
	words := f.Words("Play")
	if n := len(words); n > 0 && (words[n-1].Text == "*" || words[n-1].Text == "-" && n == 1) {
		return words[:n-1]
	}
	return words
}

// cardWords returns the words of the play that are cards.
func cardWords(f *record.Fields) []record.Word {
	words := playWords(f)
	if !slices.ContainsFunc(words, isGap) {
		return words
	}
	return slices.DeleteFunc(slices.Clone(words), isGap)
}

func isGap(w record.Word) bool { return w.Text == "-" }

// readColumns brings the cards into the order of play if the words are columns. A card has one holder, so that no play is legal in both
// orders, unless they are the same.
func (h *Hand) readColumns(f *record.Fields) bool {
	words := playWords(f)
	if len(cardWords(f)) != len(h.Played) { // several cards in a word
		return false
	}
	for first := range piquet.Seat(4) {
		if order, ok := h.fromColumns(words, first); ok {
			h.Played = order
			return true
		}
	}
	return false
}

// fromColumns returns the cards in the order of play if the first column is the seat's. Of the last trick cards may be missing.
func (h *Hand) fromColumns(words []record.Word, first piquet.Seat) (order []piquet.Card, ok bool) {
	p, err := klaverjas.NewPosition(h.Rules, klaverjas.Deal{Trump: h.Trump, Leader: h.Leader, Declarer: h.Declarer, Hands: h.Hands})
	if err != nil {
		return nil, false
	}
	next := 0
	for i := 0; i < len(words); i += 4 {
		row := map[piquet.Seat]piquet.Card{}
		for j, w := range words[i:min(i+4, len(words))] {
			if w.Text == "-" {
				continue
			}
			row[first.Plus(j)] = h.Played[next]
			next++
		}
		for range len(row) {
			c, there := row[p.Turn()]
			if !there {
				return nil, false
			}
			if p, err = p.Play(c); err != nil {
				return nil, false
			}
			order = append(order, c)
		}
	}
	return order, true
}

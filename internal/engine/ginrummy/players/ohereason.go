package players

import (
	"fmt"
	"strings"

	"roem/internal/engine/ginrummy"
)

// Reason is why the player of the paper discards a card.
type Reason struct {
	Discard, Keeps    Option // Keeps is not set if Kept is false
	Kept              bool   // another card would leave as little deadwood or less, and stays as more unseen cards make a meld of it
	DiscardN, KeepsN  int    // the unseen cards that make a meld of each
	Deadwood, Instead int    // what the discard leaves, and what the discard of Keeps would leave
}

// FormulaReason returns why the player of the paper takes a discard. Its options are the discards of a view, each with its Potential. Of
// the cards that the deadwood alone would rather discard, the one with the lowest v was kept.
func FormulaReason(a ginrummy.Action, options []Option) (r Reason, ok bool) {
	if a.Kind != ginrummy.Discard {
		return r, false
	}
	for _, o := range options {
		if o.Action.Same(a) && o.Potential != nil {
			r.Discard, ok = o, true
		}
	}
	if !ok {
		return r, false
	}
	of := r.Discard
	for _, o := range options {
		if o.Action.Same(a) || o.Deadwood > of.Deadwood || o.Potential.W <= of.Potential.W || o.Potential.V <= of.Potential.V+even {
			continue
		}
		if !r.Kept || o.Potential.V < r.Keeps.Potential.V {
			r.Keeps, r.Kept = o, true
		}
	}
	r.DiscardN, r.Deadwood = of.Potential.Cards.Len(), of.Deadwood
	if r.Kept {
		r.KeepsN, r.Instead = r.Keeps.Potential.Cards.Len(), r.Keeps.Deadwood
	}
	return r, true
}

// Text returns the reason in English sentences.
func (r *Reason) Text() string {
	if !r.Kept {
		text := fmt.Sprintf("%s leaves a deadwood of %d: no discard weighs less.", r.Discard.Action.Card, r.Deadwood)
		if r.DiscardN == 0 {
			return text + " No unseen card makes a meld of it."
		}
		return fmt.Sprintf("%s %s make a meld of it (%s).", text, unseen(r.DiscardN), list(r.Discard.Potential.Cards))
	}
	text := fmt.Sprintf("Keeps %s: %s make a meld of it (%s), and ", r.Keeps.Action.Card, unseen(r.KeepsN), list(r.Keeps.Potential.Cards))
	if r.DiscardN == 0 {
		text += "none"
	} else {
		text += fmt.Sprint(r.DiscardN)
	}
	text += fmt.Sprintf(" of %s.", r.Discard.Action.Card)
	if r.Instead < r.Deadwood {
		text += fmt.Sprintf(" The deadwood is %d, and %d without %s.", r.Deadwood, r.Instead, r.Keeps.Action.Card)
	}
	return text
}

func unseen(n int) string {
	if n == 1 {
		return "1 unseen card"
	}
	return fmt.Sprintf("%d unseen cards", n)
}

func list(s ginrummy.Set) string {
	var names []string
	for c := range s.All() {
		names = append(names, c.String())
	}
	return strings.Join(names, ", ")
}

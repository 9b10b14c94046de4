package session

import (
	"roem/internal/engine/belote/players"
	"roem/internal/engine/piquet"
)

// WithHiddenExchanged returns the session with the cards that nobody has seen in another order, after the same acts.
func WithHiddenExchanged(s Session) (Session, error) {
	t := s.Hand()
	d, played := t.Deal(), t.Played()
	seen := piquet.SetOf(played[:len(played)&^1]...)
	var last *piquet.Card
	for p := range d.Stacks {
		for i := range d.Count() {
			stack := &d.Stacks[p][i]
			if seen.Has(stack.Top) {
				continue
			}
			if last != nil {
				*last, stack.Bottom = stack.Bottom, *last
			}
			last = &stack.Bottom
		}
	}
	t, err := s.Match().table(d)
	for _, a := range s.Done() {
		if err == nil {
			t, err = t.Act(a)
		}
	}
	return s.With(t), err
}

// Dealt returns the cards below all others as they were dealt.
func Dealt(t players.Table) (bottoms []piquet.Card) {
	d := t.Deal()
	for p := range d.Stacks {
		for _, stack := range d.Stacks[p][:d.Count()] {
			bottoms = append(bottoms, stack.Bottom)
		}
	}
	return bottoms
}

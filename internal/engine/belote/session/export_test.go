package session

import "roem/internal/engine/piquet"

// WithHiddenExchanged returns the session with the cards that nobody has seen in another order, after the same acts.
func (s Session) WithHiddenExchanged() (Session, error) {
	d := s.deal
	seen := piquet.SetOf(s.played[:len(s.played)&^1]...)
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
	out := s
	out.deal, out.played, out.done, out.last = d, nil, nil, nil
	if !s.decided {
		out.played, out.done = s.played, s.done
		return out, nil
	}
	out, err := out.decide(d.Trump, d.Declarer)
	for _, c := range s.played {
		if err == nil {
			out, err = out.do(Act{Kind: PlayCard, Card: c})
		}
	}
	if err != nil {
		return out, err
	}
	out.acts = s.acts
	return out.look()
}

// Dealt returns the cards below all others as they were dealt.
func (s Session) Dealt() (bottoms []piquet.Card) {
	for p := range s.deal.Stacks {
		for _, stack := range s.deal.Stacks[p][:s.deal.Count()] {
			bottoms = append(bottoms, stack.Bottom)
		}
	}
	return bottoms
}

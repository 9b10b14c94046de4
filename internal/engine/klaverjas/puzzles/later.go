package puzzles

import (
	"context"
	"errors"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
)

// Decisions returns the positions in which the seat of the puzzle is asked for a card, in order. The first one is the puzzle.
func (p *Puzzle) Decisions() []*Puzzle { return append([]*Puzzle{p}, p.Later...) }

// Continue plays the hand of the puzzle to its end, and keeps the later decisions: the cards of the same seat of which again one is better
// than each other one by the margin. The other seats play what is best in the deal with all cards open. So does the seat where it has no
// decision, if the puzzle is open; in a hidden one, it plays what is best on average over the deals that are possible for it.
func (p *Puzzle) Continue(ctx context.Context, s *search.Solver) error {
	at, err := p.Position()
	if err != nil {
		return err
	}
	p.Later = nil
	seat, played, next := at.Turn(), p.Played, p.Values[0].Card
	for {
		played = append(slices.Clip(played), next)
		if at, err = at.Play(next); err != nil || at.Finished() {
			return err
		}
		if at.Turn() == seat && at.Legal().Len() > 1 {
			next, err = p.later(ctx, s, at, played)
		} else {
			next, err = reason.Next(ctx, s, at)
		}
		if err != nil {
			return err
		}
	}
}

// later keeps a decision if the position is one, and returns the card that the seat plays.
func (p *Puzzle) later(ctx context.Context, s *search.Solver, at klaverjas.Position, played []piquet.Card) (piquet.Card, error) {
	d := p.decision(played)
	var err error
	if d.Hidden {
		v, invalid := d.View()
		if invalid != nil {
			return 0, invalid
		}
		d.Values, err = Search(ctx, s, v, d.Worlds, d.Seed, Errors)
	} else {
		d.Values, err = Solve(ctx, s, at)
	}
	if errors.Is(err, ErrNone) {
		if d.Hidden {
			return d.Values[0].Card, nil
		}
		return reason.Next(ctx, s, at)
	}
	if err == nil && d.Hidden {
		err = d.Explain(ctx, s)
	}
	if err != nil {
		return 0, err
	}
	d.Themes = ThemesOf(d, at)
	p.Later = append(p.Later, d)
	return d.Values[0].Card, nil
}

// decision returns a later decision of the puzzle, without its values. The deals of a hidden one are drawn with a seed of its own.
func (p *Puzzle) decision(played []piquet.Card) *Puzzle {
	d := &Puzzle{ID: p.ID, Hidden: p.Hidden, Rules: p.Rules, Deal: p.Deal, Played: played, Worlds: p.Worlds, Grades: p.Grades}
	if d.Hidden {
		d.Seed = p.Seed + uint64(len(played)-len(p.Played))
	}
	return d
}

// Tried is a card that was tried at a decision.
type Tried struct {
	Card     piquet.Card
	Decision int // the place of the decision
	Holds    bool
}

// Try says which of some cards hold. Each card is tried at the first decision whose card was not found yet, so that a card that does not
// hold can be followed by another try. next is the decision that is asked for after them, or nil if all cards were found. There are fewer
// tried cards if one comes after the last decision or is not legal: it is the first one that is missing.
func (p *Puzzle) Try(cards []piquet.Card) (tried []Tried, next *Puzzle) {
	decisions := p.Decisions()
	place := 0
	for _, c := range cards {
		if place == len(decisions) || !decisions[place].Legal().Has(c) {
			break
		}
		one := Tried{Card: c, Decision: place, Holds: c == decisions[place].Values[0].Card}
		tried = append(tried, one)
		if one.Holds {
			place++
		}
	}
	if place < len(decisions) {
		next = decisions[place]
	}
	return tried, next
}

// Legal returns the cards that the seat may play.
func (p *Puzzle) Legal() (legal piquet.Set) {
	for i := range p.Values {
		legal = legal.With(p.Values[i].Card)
	}
	return legal
}

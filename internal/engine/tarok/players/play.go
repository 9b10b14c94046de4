package players

import (
	"context"

	"roem/internal/engine/table"
	"roem/internal/engine/tarok"
)

// Session is several hands with cumulative scores. Its players are numbered by place; the forehand moves on by one place each hand. The
// zero value is not a session: use NewSession.
type Session struct {
	Rules   tarok.Rules
	Hands   int // played so far
	Scores  [3]int
	Radli   [3]int
	Margins [3]Margins
	NoRadli bool // radli are not given
}

// NewSession returns a session before its first hand.
func NewSession(rules tarok.Rules) Session {
	return Session{Rules: rules, Margins: [3]Margins{DefaultMargins, DefaultMargins, DefaultMargins}}
}

// Place returns the place of the player of a seat in the next hand.
func (s *Session) Place(seat tarok.Player) int { return (int(seat) + s.Hands) % 3 }

// Seated returns a list by place in the order of the seats of the next hand.
func Seated[T any](s *Session, places [3]T) (out [3]T) {
	for _, p := range tarok.Players() {
		out[p] = places[s.Place(p)]
	}
	return out
}

// Table returns the next hand before the first bid.
func (s *Session) Table(d tarok.Deal) (Table, error) {
	t, err := NewTable(d, s.Rules, Seated(s, s.Radli))
	t.margins = Seated(s, s.Margins)
	return t, err
}

// Finish counts a hand that was played to its end: scores, radli and margins.
func (s *Session) Finish(t Table) (tarok.Score, error) {
	score, err := t.Score()
	if err != nil {
		return score, err
	}
	setup, said := t.Setup(), t.Announcements()
	for _, p := range tarok.Players() {
		place := s.Place(p)
		s.Scores[place] += score.Total[p]
		if !s.NoRadli {
			s.Radli[place] = score.Radli[p]
		}
		s.Margins[place] = s.Margins[place].After(p, &setup, &said, &score)
	}
	s.Hands++
	return score, nil
}

// Play plays the next hand.
func (s *Session) Play(ctx context.Context, d tarok.Deal, places [3]Player) (Table, tarok.Score, error) {
	t, err := s.Table(d)
	if err == nil {
		seats := Seated(s, places)
		t, err = table.Play(ctx, t, seats[:], nil)
	}
	if err != nil {
		return t, tarok.Score{}, err
	}
	score, err := s.Finish(t)
	return t, score, err
}

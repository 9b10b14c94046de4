package reason

import (
	"errors"
	"fmt"
	"math"

	"roem/internal/engine/cause/tricks"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/playout"
)

// maker makes the lines of a mistake in a deal.
type maker struct {
	setup *tarok.Setup
	table *playout.Table // nil in klop and beggar
	exact bool           // both sides play best with open cards
}

// LinesOf returns the position before a card in a deal, and the lines of the card and of a better one: see Of.
func LinesOf(
	s *tarok.Setup, played []tarok.Card, said tarok.Announcements, card, better tarok.Card, exact int,
) (before tarok.Position, l Lines, err error) {
	if before, err = tarok.NewPosition(*s); err != nil {
		return before, l, err
	}
	if before, err = before.Replay(played); err != nil {
		return before, l, err
	}
	m := maker{setup: s, exact: before.Hand(before.Turn()).Len() <= exact}
	if !s.Contract.Negative() {
		m.table = playout.New(*s, said, played)
	}
	if l.Best, err = m.line(before, better, nil); err != nil {
		return before, l, err
	}
	like, _, err := tricksOf(before, l.Best)
	if err == nil {
		l.Played, err = m.line(before, card, like)
	}
	return before, l, err
}

// line returns a card, and what the rules of thumb play after it. In the last tricks, both sides play best with open cards, and if they can
// as in another line.
func (m *maker) line(p tarok.Position, c tarok.Card, like []trick) (line []tarok.Card, err error) {
	s := m.setup
	var state playout.State
	if m.table != nil {
		state = m.table.State()
	}
	for {
		if p, err = p.Play(c); err != nil {
			return nil, fmt.Errorf("a card of a line is not legal: %w", err)
		}
		line = append(line, c)
		if p.Finished() {
			return line, nil
		}
		if m.table == nil {
			turn := p.Turn()
			c = players.NegativeCard(s.Contract, s.Declarer, turn, p.Leader(), p.Hand(turn), p.Legal(), p.Trick())
			continue
		}
		m.table.Play(&state, c)
		if m.exact {
			c = m.best(&state, p, like)
		} else {
			c = m.table.Card(&state)
		}
	}
}

// best returns a card that is best with open cards for the side of its player.
func (m *maker) best(state *playout.State, p tarok.Position, like []trick) tarok.Card {
	top, cards := math.Inf(-1), tarok.Set(0)
	for c := range p.Legal().All() {
		next := *state
		m.table.Play(&next, c)
		value := playout.Lead(m.table.Best(&next), m.setup.Declarer)
		if p.Turn() != m.setup.Declarer {
			value = -value
		}
		switch {
		case value > top:
			top, cards = value, tarok.SetOf(c)
		case value == top:
			cards = cards.With(c)
		}
	}
	if c, ok := tricks.Like(like, p.Played()/3+1, p.Turn(), cards.Has); ok {
		return c
	}
	return cards.First()
}

// ours reports whether a player is on the side of the player to move. In klop everybody plays alone.
func ours(p *tarok.Position, player tarok.Player) bool {
	s, turn := p.Setup(), p.Turn()
	if s.Contract == tarok.Klop {
		return player == turn
	}
	return (player == s.Declarer) == (turn == s.Declarer)
}

// tricksOf returns the tricks of a line, and its end.
func tricksOf(before tarok.Position, line []tarok.Card) (out []trick, end tarok.Position, err error) {
	p := before
	for _, c := range line {
		played := p.Played()
		if p, err = p.Play(c); err != nil {
			return nil, p, err
		}
		if played%3 != 2 {
			continue
		}
		t, _ := p.Last()
		one := trick{
			Number: (played + 1) / 3, Cards: append([]tarok.Card(nil), t.Cards[:]...), At: int((t.Winner + 3 - t.Leader) % 3),
			Seats: []tarok.Player{t.Leader, t.Leader.Next(), t.Leader.After(2)}, Ours: ours(&before, t.Winner), Last: p.Finished(),
		}
		one.Ruffed = t.Cards[0].Suit() != tarok.Taroks && one.By().Suit() == tarok.Taroks
		out = append(out, one)
	}
	if !p.Finished() || len(out) == 0 {
		return nil, p, errNotToTheEnd
	}
	return out, p, nil
}

var errNotToTheEnd = errors.New("a line does not end the hand")

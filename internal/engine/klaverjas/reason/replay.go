package reason

import (
	"slices"

	"roem/internal/engine/cause/tricks"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// trick is a complete trick.
type trick struct {
	number int // from 1
	leader piquet.Seat
	winner piquet.Seat
	cards  [4]piquet.Card // in the order of play
	points int            // of its cards, and for the last trick
	melds  []klaverjas.Meld
	meld   int // the sum of their points
}

const lastNumber = klaverjas.HandSize

func (t *trick) of(s piquet.Seat) piquet.Card { return t.cards[s.Minus(t.leader)] }

// by returns the card that takes the trick.
func (t *trick) by() piquet.Card { return t.of(t.winner) }

func (t *trick) last() bool { return t.number == lastNumber }

// shared returns the trick for the side of a team.
func (t *trick) shared(us piquet.Team, trump piquet.Suit) tricks.Trick[piquet.Card, piquet.Seat] {
	return tricks.Trick[piquet.Card, piquet.Seat]{
		Number: t.number, Cards: t.cards[:], Seats: []piquet.Seat{t.leader, t.leader.Plus(1), t.leader.Plus(2), t.leader.Plus(3)},
		At: t.winner.Minus(t.leader), Ours: t.winner.Team() == us, Ruffed: t.cards[0].Suit() != trump && t.by().Suit() == trump, Last: t.last(),
	}
}

// number returns the number of the trick that is on the table, from 1.
func number(p klaverjas.Position) int {
	taken := p.TricksTaken()
	return taken[0] + taken[1] + 1
}

// replay is what happens in a line.
type replay struct {
	tricks []trick // that with the first card of the line is the first
	end    klaverjas.Position
	melds  [2]int // in the tricks, by team
	pit    [2]int // the bonus, by team
}

// makes reports whether the team makes a meld of exactly these cards.
func (r *replay) makes(team piquet.Team, cards piquet.Set) bool {
	for i := range r.tricks {
		if t := &r.tricks[i]; t.winner.Team() == team && slices.ContainsFunc(t.melds, func(m klaverjas.Meld) bool { return m.Cards == cards }) {
			return true
		}
	}
	return false
}

// replayOf replays a line. ok is false if it is not a legal line to the end of the hand.
func replayOf(p klaverjas.Position, line []piquet.Card) (r replay, ok bool) {
	before := p.Score().Melds
	r.tricks = tricksOf(p, line)
	end, err := p.Replay(line)
	if err != nil || !end.Finished() || len(r.tricks) == 0 {
		return replay{}, false
	}
	r.end = end
	for i := range r.tricks {
		t := &r.tricks[i]
		r.melds[t.winner.Team()] += t.meld
	}
	for _, team := range piquet.Teams() {
		r.pit[team] = end.Score().Melds[team] - before[team] - r.melds[team]
	}
	return r, true
}

// tricksOf returns the tricks of a line that is legal.
func tricksOf(p klaverjas.Position, line []piquet.Card) (tricks []trick) {
	trump := p.Deal().Trump
	for _, c := range line {
		now := p.Trick()
		next, err := p.Play(c)
		if err != nil {
			return nil
		}
		if now.Len == 3 {
			now = now.With(c, trump)
			t := trick{number: number(p), leader: now.Leader, winner: now.Winner, cards: now.Cards, melds: p.Rules().MeldsOf(now.Set(), trump)}
			for _, m := range t.melds {
				t.meld += m.Points
			}
			for _, c := range t.cards {
				t.points += klaverjas.Points(c, trump)
			}
			if t.last() {
				t.points += klaverjas.LastTrick
			}
			tricks = append(tricks, t)
		}
		p = next
	}
	return tricks
}

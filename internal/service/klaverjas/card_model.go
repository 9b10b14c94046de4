package klaverjas

import (
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/logic"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// CardModelQuery asks who may hold a card, and who knows what of it.
type CardModelQuery struct {
	view  worlds.View    // of a position: north's
	world *[4]piquet.Set // the hands dealt to all seats; nil for a view
	card  piquet.Card
}

// modelStep is the model of a card: before the first card is played, or after one that changes it.
type modelStep struct {
	number int           // how many cards have been played
	played *piquet.Card  // the last of them; nil before the first
	by     piquet.Seat   // who has played it
	worlds []piquet.Seat // who may hold the card
	actual *piquet.Seat  // who holds it; nil if that is not known
	seats  [4]cardSeat
}

// cardSeat is what a seat knows of a card.
type cardSeat struct {
	classes  [][]piquet.Seat // the holders that the seat cannot tell apart
	possible []piquet.Seat   // the holders that the seat holds for possible; nil if that is not known
}

// same reports whether a step has the same model as another.
func (a *modelStep) same(b *modelStep) bool {
	if !slices.Equal(a.worlds, b.worlds) || (a.actual == nil) != (b.actual == nil) || a.actual != nil && *a.actual != *b.actual {
		return false
	}
	for s := range a.seats {
		x, y := &a.seats[s], &b.seats[s]
		if !slices.EqualFunc(x.classes, y.classes, slices.Equal) || (x.possible == nil) != (y.possible == nil) ||
			!slices.Equal(x.possible, y.possible) {
			return false
		}
	}
	return true
}

// steps returns the models of the card.
func (q *CardModelQuery) steps() (out []modelStep, err error) {
	trick := klaverjas.Trick{Leader: q.view.Leader, Winner: q.view.Leader}
	for n := 0; ; n++ {
		v := q.view
		v.Played = q.view.Played[:n]
		k, err := worlds.New(v)
		if err != nil {
			return out, err // the whole view has a world, so that its beginning has one
		}
		step := q.step(k)
		if n == 0 || !step.same(&out[len(out)-1]) {
			step.number = n
			if n > 0 {
				step.played, step.by = &q.view.Played[n-1], trick.Turn()
			}
			out = append(out, step)
		}
		if n > 0 {
			if trick = trick.With(q.view.Played[n-1], q.view.Trump); trick.Len == 4 {
				trick = klaverjas.Trick{Leader: trick.Winner, Winner: trick.Winner}
			}
		}
		if n == len(q.view.Played) {
			return out, nil
		}
	}
}

// step returns the model of the card after the cards of a view.
func (q *CardModelQuery) step(k *worlds.Knowledge) (out modelStep) {
	var m logic.CardModel
	known := true
	if q.world == nil {
		m, known = logic.SeenCardModel(k, q.card)
	} else {
		held := *q.world
		for s := range held {
			for _, c := range k.View().Played {
				held[s] = held[s].Without(c)
			}
		}
		m = logic.CardModelAt(k, q.card, held)
	}
	if out.worlds = m.Worlds; known {
		out.actual = &m.Actual
	}
	for _, s := range piquet.Seats() {
		out.seats[s] = cardSeat{classes: m.Classes(s), possible: m.Possible[s]}
	}
	return out
}

package logic

import (
	"slices"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// CardModel is what the four seats know about one card: the S5 Kripke model that the paper draws. A world is named by the seat that was
// dealt the card.
//
// It is a projection of the joint model. What connects the holders of several cards, such as the sizes of the hands, counts for which
// worlds there are and which of them a seat holds possible, but cannot be read off it.
type CardModel struct {
	Card   piquet.Card
	Worlds []piquet.Seat // the worlds that are possible to all, in the order N E S W; one, if the card has been played
	Actual piquet.Seat   // the true world
	// Possible has, by seat, the worlds that the seat holds possible in the true world. The paper draws edges between these.
	Possible [4][]piquet.Seat
}

// CardModelAt returns the model of a card, where the true hands are the hands of a world of the view.
func CardModelAt(k *worlds.Knowledge, c piquet.Card, w worlds.World) CardModel {
	m := CardModel{Card: c}
	for s, dealt := range k.Dealt() {
		if dealt.Has(c) { // its owner has been announced to all
			m.Actual, m.Worlds = piquet.Seat(s), []piquet.Seat{piquet.Seat(s)}
			for i := range m.Possible {
				m.Possible[i] = m.Worlds
			}
			return m
		}
	}
	public := k.Public()
	m.Worlds = public.Holders(c)
	for _, s := range piquet.Seats() {
		if w[s].Has(c) {
			m.Actual = s
		}
		seen := public.Hand(s, w[s])
		m.Possible[s] = seen.Holders(c)
	}
	return m
}

// SeenCardModel returns the model of a card as far as the view shows it: Possible is set only for the view's seat. It also returns
// whether the seat knows the true world; otherwise Actual means nothing.
func SeenCardModel(k *worlds.Knowledge, c piquet.Card) (m CardModel, known bool) {
	seat := k.View().Seat
	if !k.Unseen().Has(c) && !k.Own().Has(c) { // it has been played
		return CardModelAt(k, c, worlds.World{}), true
	}
	public := k.Public()
	seen := public.Hand(seat, k.Own())
	m = CardModel{Card: c, Worlds: public.Holders(c)}
	m.Possible[seat] = seen.Holders(c)
	m.Actual = m.Possible[seat][0]
	return m, len(m.Possible[seat]) == 1
}

// Same reports whether a seat cannot tell two worlds of the model apart by what it sees of this card: it holds the card in neither.
func (m CardModel) Same(agent, a, b piquet.Seat) bool { return a == b || a != agent && b != agent }

// Classes returns the worlds of the model in groups that a seat cannot tell apart: the world in which it has the card, and the others.
func (m CardModel) Classes(agent piquet.Seat) (classes [][]piquet.Seat) {
	for _, world := range m.Worlds {
		i := slices.IndexFunc(classes, func(class []piquet.Seat) bool { return m.Same(agent, class[0], world) })
		if i < 0 {
			classes = append(classes, []piquet.Seat{world})
			continue
		}
		classes[i] = append(classes[i], world)
	}
	return classes
}

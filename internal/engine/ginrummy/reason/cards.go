package reason

import (
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
)

// draws adds what can be the reason against a draw or a pass.
func (q *question) draws() {
	defer q.slower()
	top := q.v.Top
	with := q.own.With(top)
	deadwood, _ := with.AfterDiscardOf(q.own)
	melded := func(l *advice.Line) bool { return melds(l.Hands[0]).Has(top) }
	if q.j.Played.Action.Kind == ginrummy.Take {
		if !q.own.Completes(top) {
			q.add(Reason{Code: NoMeld, Card: top}, func(p *advice.Pair) bool { return !melded(&p.Played) })
		}
		q.stock()
		return
	}
	if q.j.Better.Action.Kind == ginrummy.Stock {
		q.stock()
		return
	}
	if q.j.Played.Action.Kind == ginrummy.Pass {
		q.feeds(top, ginrummy.NoCard)
	}
	if q.j.Better.Action.Kind != ginrummy.Take {
		return
	}
	now := q.own.Deadwood()
	q.atOnce(top, now, deadwood)
	if meld := meldOf(with, top); meld != 0 {
		q.add(Reason{Code: LeftMeld, Card: top, Cards: meld}, func(p *advice.Pair) bool { return melded(&p.Better) })
		return
	}
	if pair, outs := q.chance(with, top); outs > 0 {
		q.add(Reason{Code: LeftChance, Card: top, Cards: pair, Outs: outs}, func(p *advice.Pair) bool { return melded(&p.Better) })
	}
	if deadwood < now {
		q.add(Reason{Code: LeftLow, Card: top, Deadwood: now, Better: deadwood}, func(p *advice.Pair) bool {
			return p.Better.Hands[0].Has(top)
		})
	}
}

// stock adds that the card of the stock makes a meld, if it is the advised action to draw it.
func (q *question) stock() {
	if q.j.Better.Action.Kind == ginrummy.Stock {
		q.add(Reason{Code: StockMeld, Card: ginrummy.NoCard}, func(p *advice.Pair) bool { return q.own.Completes(p.Drawn) })
	}
}

// feeds adds that a card completes a meld of the opponent, and the better one does not. It explains what the round is worth more if the
// opponent does not take it.
func (q *question) feeds(card, better ginrummy.Card) {
	r := Reason{Code: Feeds, Card: card}
	q.list = append(q.list, candidate{r, func(p *advice.Pair) (int, bool) {
		if !p.Opponent.Completes(card) || better != ginrummy.NoCard && p.Opponent.Completes(better) {
			return 0, false
		}
		return p.PlayedBarred.Score - p.Played.Score, true
	}})
}

// discards adds what can be the reason against a discard. What the opponent does with the two cards is one part of the cost. The other
// part is what is left without that: it comes from the cards that the player keeps.
func (q *question) discards() {
	defer q.slower()
	card, better := q.j.Played.Action.Card, q.j.Better.Action.Card
	kept := q.own.Without(better) // in the better line
	left, least := q.own.Without(card).Deadwood(), kept.Deadwood()
	q.atOnce(better, left, least)
	q.feeds(card, better)
	keep := func(r Reason, holds func(p *advice.Pair) bool) {
		r.Deadwood, r.Better = left, least
		q.list = append(q.list, candidate{r, func(p *advice.Pair) (int, bool) {
			return p.BetterBarred.Score - p.PlayedBarred.Score, holds(p)
		}})
	}
	melded := func(p *advice.Pair) bool { return melds(p.Better.Hands[0]).Has(card) }
	if meld := meldOf(kept, card); meld != 0 && left > least {
		keep(Reason{Code: BrokeMeld, Card: card, Cards: meld}, melded)
		return
	}
	pair, outs := q.chance(kept, card)
	if _, others := q.chance(q.own.Without(card), better); outs > others {
		q.list = append(q.list, candidate{
			Reason{Code: Chance, Card: card, Cards: pair, Outs: outs, BetterOuts: others},
			func(p *advice.Pair) (int, bool) { return p.BetterBarred.Score - p.PlayedBarred.Score, melded(p) },
		})
	}
	if left > least {
		keep(Reason{Code: High, Card: better}, func(p *advice.Pair) bool {
			return p.Played.Hands[0].Has(better) && !melds(p.Played.Hands[0]).Has(better)
		})
	}
}

// meldOf returns a meld with the card in a best arrangement of a hand; none if there is none.
func meldOf(hand ginrummy.Set, card ginrummy.Card) ginrummy.Set {
	for _, a := range hand.Best() {
		for _, m := range a.Melds() {
			if m.Has(card) {
				return m
			}
		}
	}
	return 0
}

// chance returns how many unseen cards make a meld with a card of a hand and others that are in no meld, and these others with
// the card.
func (q *question) chance(hand ginrummy.Set, card ginrummy.Card) (pair ginrummy.Set, outs int) {
	free := hand
	if best := hand.Best(); len(best) > 0 {
		free = hand &^ best[0].Cards()
	}
	if !free.Has(card) {
		return 0, 0
	}
	for u := range q.unseen.All() {
		makes := false
		for _, m := range free.With(u).Melds() {
			if m.Len() == 3 && m.Has(u) && m.Has(card) {
				makes, pair = true, pair|m.Without(u)
			}
		}
		if makes {
			outs++
		}
	}
	return pair, outs
}

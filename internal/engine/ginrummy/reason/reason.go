// Package reason says why an action of Gin Rummy was a mistake. It compares the action with the advised one in the worlds in which both
// were played on, and chooses the cause that explains most of the cost.
package reason

import (
	"slices"

	"roem/internal/engine/cause"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
)

// Code says what an action gave away. Of causes that are equally good, the first is chosen.
type Code uint8

// The reasons.
const (
	NoGin      Code = iota // the advised action leaves no deadwood
	NoKnock                // after the advised action the player can knock, after the other one not
	LeftMeld               // the top discard, which was left, makes a meld
	NoMeld                 // the top discard, which was taken, makes no meld
	BrokeMeld              // the card that was discarded was in a meld
	Feeds                  // the card completes a meld of the opponent
	Undercut               // the knock is undercut
	GinLater               // without the knock, the player has gin later
	TooLate                // the opponent knocks first
	Chance                 // more unseen cards complete a meld of the card that was discarded
	High                   // the card that was kept counts more
	LeftChance             // unseen cards complete a meld of the top discard
	LeftLow                // the top discard leaves less deadwood
	StockMeld              // the card of the stock makes a meld
	MoreLater              // without the knock, the round brings more
	LessLater              // the knock would have brought more than the end that followed
	Slower                 // the player knocks only after the advised action
	NumCodes
)

var names = [NumCodes]string{
	"no_gin", "no_knock", "left_meld", "no_meld", "broke_meld", "feeds", "undercut", "gin_later", "too_late", "chance", "high", "left_chance",
	"left_low", "stock_meld", "more_later", "less_later", "slower",
}

// String returns the name of the code in JSON.
func (c Code) String() string { return names[c%NumCodes] }

// nearness says what is looked at first. What follows from the cards of the player or is about the card itself is near.
func (c Code) nearness() cause.Nearness {
	switch {
	case c <= LeftLow:
		return cause.Near
	case c < Slower:
		return cause.Distant
	}
	return cause.Whole
}

// Reason is why an action was a mistake.
type Reason struct {
	Code Code
	Card ginrummy.Card // that the reason is about; NoCard for a knock and for the stock
	// Cards are the meld of LeftMeld and BrokeMeld with the card, and for Chance and LeftChance the cards that a third one is wanted for.
	Cards ginrummy.Set
	// Deadwood is what the action leaves, and Better what the advised action leaves: for BrokeMeld, High and LeftLow. NoGin and NoKnock have
	// Better only, and Undercut has Deadwood only.
	Deadwood, Better int
	// Outs are how many unseen cards complete a meld of the card, for Chance. BetterOuts is the same for the card that was better discarded.
	// LeftChance has Outs only.
	Outs, BetterOuts int
	// In Applies of the Worlds the reason is true and shows in the lines. It explains Share of the cost over all of them, from 0 to 1.
	Worlds, Applies int
	Share           float64
}

// Find returns the reason why an action cost something in a view: of what Pairs returned for it. ok is false if nothing that is known
// explains any of the cost.
func Find(v *ginrummy.View, j *advice.Judged, pairs []advice.Pair) (r Reason, ok bool) {
	unseen := v.Seen()
	q := question{v: v, j: j, own: v.Own, unseen: unseen.Unknown()}
	causes := q.causes()
	worlds := make([]cause.World, len(pairs))
	for i := range pairs {
		p := &pairs[i]
		worlds[i].Cost = p.Cost()
		for k := range causes {
			if points, holds := causes[k].shows(p); holds {
				worlds[i].Causes = append(worlds[i].Causes, cause.Cause{
					Code: int(causes[k].Code), Nearness: causes[k].Code.nearness(), Points: points,
				})
			}
		}
	}
	c, ok := cause.Choose(worlds)
	if !ok {
		return r, false
	}
	r = causes[slices.IndexFunc(causes, func(x candidate) bool { return int(x.Code) == c.Code })].Reason
	r.Worlds, r.Applies, r.Share = len(pairs), c.Holds, c.Share
	return r, true
}

// candidate is a reason that can be given. shows returns whether it shows in a world, and the points that it explains there.
type candidate struct {
	Reason
	shows func(p *advice.Pair) (points int, holds bool)
}

// question is what the player knew, and the two actions.
type question struct {
	v      *ginrummy.View
	j      *advice.Judged
	own    ginrummy.Set
	unseen ginrummy.Set
	list   []candidate
}

// add adds a reason that shows in the worlds where holds is true, and explains all of the cost there.
func (q *question) add(r Reason, holds func(p *advice.Pair) bool) {
	q.list = append(q.list, candidate{r, func(p *advice.Pair) (int, bool) { return p.Cost(), holds(p) }})
}

// causes returns what can be the reason.
func (q *question) causes() []candidate {
	switch q.v.Phase {
	case ginrummy.ToDraw:
		q.draws()
	case ginrummy.ToDiscard:
		q.discards()
	default:
		q.knocks()
	}
	return q.list
}

// atOnce adds that the player could have knocked in this turn.
func (q *question) atOnce(card ginrummy.Card, deadwood, better int) {
	r := Reason{Code: NoKnock, Card: card, Better: better}
	switch {
	case better == 0 && deadwood > 0:
		r.Code = NoGin
	case better > ginrummy.MaxDeadwood || deadwood <= ginrummy.MaxDeadwood:
		return
	}
	q.add(r, func(p *advice.Pair) bool { return p.Better.AtOnce })
}

func (q *question) slower() {
	q.add(Reason{Code: Slower, Card: ginrummy.NoCard}, func(p *advice.Pair) bool {
		return p.Better.End == advice.Own && p.Played.End != advice.Own
	})
}

// knocks adds what can be the reason against a knock, or against going on.
func (q *question) knocks() {
	with := func(c Code) Reason { return Reason{Code: c, Card: ginrummy.NoCard} }
	if q.j.Played.Action.Kind == ginrummy.Continue {
		q.add(with(TooLate), func(p *advice.Pair) bool { return p.Played.End == advice.Other })
		q.add(with(LessLater), func(p *advice.Pair) bool { return p.Played.End != advice.Other && p.Cost() > 0 })
		return
	}
	cut := with(Undercut)
	cut.Deadwood = q.own.Deadwood()
	q.add(cut, func(p *advice.Pair) bool { return p.Played.Score < 0 })
	q.add(with(GinLater), func(p *advice.Pair) bool { return p.Better.End == advice.Own && p.Better.Hands[0].Deadwood() == 0 })
	q.add(with(MoreLater), func(p *advice.Pair) bool { return p.Cost() > 0 && p.Played.Score > 0 })
}

// melds returns the cards of a hand that are in a meld of a best arrangement: of any of them.
func melds(hand ginrummy.Set) (in ginrummy.Set) {
	for _, a := range hand.Best() {
		in |= a.Cards()
	}
	return in
}

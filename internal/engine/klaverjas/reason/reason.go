// Package reason says why a card was a mistake: what it gave away, and who could then do what.
//
// A mistake has two lines to the end of the hand, one with the card played and one with a better card. Both are replayed. What the team of
// the player has in the best line and not in the other one are its losses: cards that change sides, roem, the last trick, a pit. The reason
// is the event that has the most of the losses, and at least half of them. Events of the trick in which the card is played come first. For
// later ones the line can also have gains, so that an event is a reason only if it has at least half and at most twice the points that the
// card costs. If there is no such event, the mistake has no reason, and the two lines stand alone.
//
// docs/reference/klaverjas-reasons.md lists the reasons.
package reason

import (
	"fmt"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Code is a reason.
type Code uint8

// The reasons. "They" are the opponents of the player, "we" are the player and the partner.
const (
	Trick      Code = iota // they take this trick; after the better card we take it
	Ruff                   // they ruff a trick that we take otherwise
	Points                 // the card adds points to a trick that is theirs anyway
	BringHome              // the better card brings points into our trick; later they take it
	Roem                   // they make roem
	RoemMissed             // we do not make roem
	Nel                    // they get the nine of trumps
	Ace                    // they get an ace
	Ten                    // they get a ten
	Card                   // they get another card with points
	LastTrump              // the card was the player's last trump, which takes a later trick if it is kept
	Spent                  // the card takes a later trick if it is kept
	Tempo                  // they get the lead, and take the tricks that follow
	LastTrick              // they take the last trick
	LaterTrick             // they take a later trick
	Tricks                 // they take more of the tricks
	Pit                    // a pit that is lost, or given to them
	Nat                    // our contract fails
	Makes                  // their contract is made
)

var codeNames = [...]string{
	"trick", "ruff", "points", "bring_home", "roem", "roem_missed", "nel", "ace", "ten", "card", "last_trump", "spent", "tempo",
	"last_trick", "later_trick", "tricks", "pit", "nat", "makes",
}

// NumCodes is the number of reasons.
const NumCodes = len(codeNames)

const none = Code(NumCodes)

// String returns the name of the reason in the contract.
func (c Code) String() string {
	if int(c) >= NumCodes {
		return "none"
	}
	return codeNames[c]
}

// ParseCode reads the name of a reason, or none.
func ParseCode(text string) (Code, error) {
	for c := range none + 1 {
		if c.String() == text {
			return c, nil
		}
	}
	return none, fmt.Errorf("%q is no reason", text)
}

// Reason says what a card gave away.
type Reason struct {
	Code Code
	// Trick is the number of the trick in which it shows, 1 to 8. Seat takes it with the card By. The trick is one of the line of the card
	// played; for RoemMissed, LastTrump, Spent and a pit of the opponents it is one of the best line. Tricks, Nat and Makes have none.
	Trick int
	Seat  piquet.Seat
	By    piquet.Card
	// Lost is the card that the opponents get, and do not get in the best line, if HasLost. Kept says that it is a card of theirs.
	Lost    piquet.Card
	HasLost bool
	Kept    bool
	// Points are the points of the trick with its roem; for Roem and RoemMissed the points of the roem, for Pit of the pit, and with Lost
	// of this card.
	Points int
	// Keeps is the number of a later trick that the card played takes in the best line, or 0.
	Keeps int
	// Decides says that the card decides whether the contract is made.
	Decides bool
}

// HasTrick reports whether the reason shows in a trick.
func (r Reason) HasTrick() bool { return r.Trick > 0 }

// Find returns the reason why the card played is worse than the best one. ok is false if there is none.
func Find(before klaverjas.Position, l Lines) (r Reason, ok bool) {
	f, ok := newFinder(before, l)
	if !ok {
		return Reason{}, false
	}
	f.pits()
	f.theirTricks(true)
	f.ourRoem(true)
	if !f.found {
		f.theirTricks(false)
		f.ourRoem(false)
		f.ourTricks()
	}
	if !f.found {
		f.tempo()
	}
	if !f.found {
		f.whole()
	}
	if !f.found {
		return Reason{}, false
	}
	r = f.best
	r.Decides = f.decides
	for _, t := range f.good.tricks[1:] {
		if f.us(t.winner) && t.by() == f.card && t.number != r.Trick {
			r.Keeps = t.number
		}
	}
	return r, true
}

// finder compares two lines. bad is the line of the card played, good the best line.
type finder struct {
	team      piquet.Team // of the player
	them      piquet.Team
	hand      piquet.Set // of the player, before the card
	own       piquet.Set // the cards dealt to the player's team
	leads     bool       // the card is the first of its trick
	trump     piquet.Suit
	card      piquet.Card // that was played
	better    piquet.Card
	bad, good replay
	cost      int    // the points to explain
	losses    int    // all that is lost, without what is won in exchange
	melds     [2]int // the losses by the roem of each team
	pit       [2]int // the losses by the pits of each team
	decides   bool   // one outcome is nat, the other is not
	onlyMelds bool   // both outcomes are nat, so that only roem and pits count
	declaring bool   // the player is of the declarers
	fewer     bool   // the player's team takes fewer tricks
	found     bool
	best      Reason
	explained int // by the best reason
}

func newFinder(before klaverjas.Position, l Lines) (f *finder, ok bool) {
	d := before.Deal()
	turn := before.Turn()
	f = &finder{
		team: turn.Team(), them: turn.Team().Opponents(), hand: before.Hand(turn), own: d.Hands[turn] | d.Hands[turn.Partner()], trump: d.Trump,
		declaring: turn.Team() == d.Declarer, leads: before.Trick().Len == 0,
	}
	var okBad, okGood bool
	f.bad, okBad = replayOf(before, l.Played)
	f.good, okGood = replayOf(before, l.Best)
	if !okBad || !okGood {
		return nil, false
	}
	f.card, f.better = l.Played[0], l.Best[0]
	bad, good := f.bad.end.Outcome(), f.good.end.Outcome()
	f.cost = good - bad
	if !f.declaring {
		f.cost = -f.cost
	}
	if f.cost <= 0 {
		return nil, false
	}
	f.decides, f.onlyMelds = (bad > 0) != (good > 0), bad <= 0 && good <= 0
	if f.decides {
		f.cost = f.margin(&f.good) - f.margin(&f.bad)
	}
	f.fewer = f.bad.end.TricksTaken()[f.team] < f.good.end.TricksTaken()[f.team]
	f.sumLosses()
	return f, true
}

func (f *finder) sumLosses() {
	for _, team := range piquet.Teams() {
		f.melds[team], f.pit[team] = f.good.melds[team]-f.bad.melds[team], f.good.pit[team]-f.bad.pit[team]
		if team == f.them {
			f.melds[team], f.pit[team] = -f.melds[team], -f.pit[team]
		}
		f.losses += max(f.melds[team], 0) + max(f.pit[team], 0)
	}
	if f.onlyMelds {
		return
	}
	for i := range f.bad.tricks {
		for _, c := range f.bad.tricks[i].cards {
			f.losses += f.lost(c)
		}
	}
	f.losses += f.lastLost()
}

func (f *finder) us(s piquet.Seat) bool { return s.Team() == f.team }

// margin returns the points of the player's team minus the points of the opponents.
func (f *finder) margin(r *replay) int {
	k := r.end.Score()
	return k.Sum(f.team) - k.Sum(f.them)
}

// lost returns what is lost with a card that the opponents take, and do not take in the best line: they have its points, and we have not.
func (f *finder) lost(c piquet.Card) int {
	if c == noCard || f.onlyMelds || f.bad.taker[c] == f.team || f.good.taker[c] != f.team {
		return 0
	}
	return 2 * klaverjas.Points(c, f.trump)
}

// lastLost returns what is lost with the last trick.
func (f *finder) lastLost() int {
	n := len(f.bad.tricks) - 1
	if f.onlyMelds || f.us(f.bad.tricks[n].winner) || !f.us(f.good.tricks[n].winner) {
		return 0
	}
	return 2 * klaverjas.LastTrick
}

// consider takes a reason with the given number of points of the losses, if they are enough, and more than the points of the reasons
// before. now says that it shows in the trick of the card played.
func (f *finder) consider(r Reason, points int, now bool) {
	roem := r.Code == Roem || r.Code == RoemMissed
	if r.Code == none || points <= f.explained || 2*points < f.losses || !now && !roem && (2*points < f.cost || points > 2*f.cost) {
		return
	}
	f.best, f.explained, f.found = r, points, true
}

// at returns a reason that shows in a trick.
func at(code Code, t *trick) Reason {
	return Reason{Code: code, Trick: t.number, Seat: t.winner, By: t.by(), Points: t.points + t.meld}
}

// loss is what is lost in a trick that the opponents take.
type loss struct {
	cards, meld, last int
	most              piquet.Card // the lost card with the most points
	ours              piquet.Card // the same for the player's team
}

func (l loss) sum() int { return l.cards + l.meld + l.last }

// noCard stands for no card.
const noCard = piquet.Card(32)

func (f *finder) lossIn(i int) loss {
	t := &f.bad.tricks[i]
	out := loss{meld: f.meldIn(i, &f.bad, &f.good, f.them), most: noCard, ours: noCard}
	for _, c := range t.cards {
		n := f.lost(c)
		out.cards += n
		if n > f.lost(out.most) {
			out.most = c
		}
		if f.own.Has(c) && n > f.lost(out.ours) {
			out.ours = c
		}
	}
	if t.last() {
		out.last = f.lastLost()
	}
	return out
}

// meldIn returns the roem that the team makes in a trick of a line and not in the other line.
func (f *finder) meldIn(i int, line, other *replay, team piquet.Team) int {
	t := &line.tricks[i]
	if f.melds[team] <= 0 {
		return 0
	}
	points := 0
	for _, m := range t.melds {
		if !other.makes(team, m.Cards) {
			points += m.Points
		}
	}
	// Another meld in the same trick of the other line is not lost.
	if o := &other.tricks[0]; i == 0 && !f.leads && o.winner.Team() == team {
		points = min(points, t.meld-o.meld)
	}
	return max(min(points, f.melds[team]), 0)
}

// theirTricks considers the tricks that the opponents take in the line of the card played: the one now, or those after it.
func (f *finder) theirTricks(now bool) {
	for i := range f.bad.tricks {
		if t := &f.bad.tricks[i]; !f.us(t.winner) && now == (i == 0) {
			l := f.lossIn(i)
			f.consider(f.lostIn(t, l, now), l.sum(), now)
		}
	}
}

// lostIn returns the reason for the loss in a trick.
func (f *finder) lostIn(t *trick, l loss, now bool) Reason {
	r := at(LaterTrick, t)
	ours := f.us(f.good.tricks[0].winner)
	ruffed := t.ruffed(f.trump)
	half := func(c piquet.Card) bool { return c != noCard && 2*f.lost(c) >= l.sum() }
	switch {
	case 2*l.meld >= l.sum():
		r.Code, r.Points = Roem, t.meld
	case 2*l.last >= l.sum():
		r.Code = LastTrick
	case now && ours && ruffed:
		r.Code = Ruff
	case now && ours:
		r.Code = Trick
	case now && half(f.card) && t.set().Has(f.card):
		return f.about(r, Points, f.card)
	case !now && ours && f.us(f.bad.tricks[0].winner) && half(f.better) && t.set().Has(f.better):
		return f.about(r, BringHome, f.better)
	case ruffed && half(l.ours):
		return f.about(r, Ruff, l.ours)
	case half(l.most):
		return f.about(r, f.kind(l.most), l.most)
	case now || !f.fewer:
		r.Code = none
	}
	return r
}

// about makes r the reason for one card.
func (f *finder) about(r Reason, code Code, c piquet.Card) Reason {
	r.Code, r.Lost, r.HasLost, r.Points = code, c, true, klaverjas.Points(c, f.trump)
	r.Kept = !f.own.Has(c)
	return r
}

// kind returns the reason for a card that they get. The jack of trumps takes every trick, so that nobody else gets it.
func (f *finder) kind(c piquet.Card) Code {
	switch face := c.Face(); {
	case c.Suit() == f.trump && face == piquet.Nine:
		return Nel
	case face == piquet.Ace:
		return Ace
	case face == piquet.Ten:
		return Ten
	}
	return Card
}

// tempoTricks is how many tricks after this one the opponents take at most, for the lead to be the reason.
const tempoTricks = 3

// tempo considers that the opponents take this trick and those that follow it, where we take this trick in the best line.
func (f *finder) tempo() {
	if !f.us(f.good.tricks[0].winner) || !f.fewer {
		return
	}
	sum, most := 0, 0
	var r Reason
	for i := range f.bad.tricks[:min(1+tempoTricks, len(f.bad.tricks))] {
		t := &f.bad.tricks[i]
		if f.us(t.winner) {
			return
		}
		l := f.lossIn(i)
		sum += l.sum()
		if i > 0 && l.sum() > most {
			most, r = l.sum(), at(Tempo, t)
		}
		if most > 0 && 3*most >= sum {
			f.consider(r, sum, false)
		}
	}
}

// ourRoem considers the roem that the player's team makes in the best line: now, or after this trick.
func (f *finder) ourRoem(now bool) {
	for i := range f.good.tricks {
		if t := &f.good.tricks[i]; f.us(t.winner) && now == (i == 0) {
			r := at(RoemMissed, t)
			r.Points = t.meld
			f.consider(r, f.meldIn(i, &f.good, &f.bad, f.team), now)
		}
	}
}

// ourTricks considers the tricks that the card played takes in the best line.
func (f *finder) ourTricks() {
	if !f.fewer || f.onlyMelds {
		return
	}
	for i := range f.good.tricks {
		t := &f.good.tricks[i]
		if i == 0 || !f.us(t.winner) || t.by() != f.card {
			continue
		}
		code := Spent
		if f.hand.InSuit(f.trump) == piquet.SetOf(f.card) {
			code = LastTrump
		}
		gain := 0
		for _, c := range t.cards {
			gain += f.lost(c)
		}
		if t.last() {
			gain += f.lastLost()
		}
		f.consider(at(code, t), gain, false)
	}
}

// pits considers a pit that we do not make, or that they make. The first trick of the other side prevents it.
func (f *finder) pits() {
	for _, pit := range []struct {
		points int
		other  *replay
		team   piquet.Team
	}{{f.pit[f.team], &f.bad, f.team}, {f.pit[f.them], &f.good, f.them}} {
		if pit.points <= 0 {
			continue
		}
		for i := range pit.other.tricks {
			if t := &pit.other.tricks[i]; t.winner.Team() != pit.team {
				r := at(Pit, t)
				r.Points = pit.points
				f.consider(r, pit.points, true)
				break
			}
		}
	}
}

// whole takes what is true of the lines as a whole.
func (f *finder) whole() {
	switch {
	case f.decides && f.declaring:
		f.best, f.found = Reason{Code: Nat}, true
	case f.decides:
		f.best, f.found = Reason{Code: Makes}, true
	case f.fewer && !f.onlyMelds:
		f.best, f.found = Reason{Code: Tricks}, true
	}
}

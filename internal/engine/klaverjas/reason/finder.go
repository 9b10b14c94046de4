package reason

import (
	"roem/internal/engine/cause"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// finder compares two lines. bad is the line of the card played, good the best line.
type finder struct {
	team      piquet.Team // of the player
	them      piquet.Team
	turn      piquet.Seat
	hand      piquet.Set // of the player, before the card
	own       piquet.Set // the cards dealt to the player's team
	leads     bool       // the card is the first of its trick
	trump     piquet.Suit
	card      piquet.Card // that was played
	better    piquet.Card
	bad, good replay
	cost      int    // in points of outcome; not positive if the card is as good
	whole     int    // the points that there are to explain
	melds     [2]int // the losses by the roem of each team
	pit       [2]int // the losses by the pits of each team
	decides   bool   // one outcome is nat, the other is not
	onlyMelds bool   // both outcomes are nat, so that only roem and pits count
	fewer     bool   // the player's team takes fewer tricks
	found     [NumCodes]fact
}

// fact is a reason that is true of the lines, and the points that it explains.
type fact struct {
	Reason
	points int
	holds  bool
}

// newFinder finds all that is true of the lines. ok is false if they are not legal lines to the end of the hand.
func newFinder(before klaverjas.Position, l Lines) (f *finder, ok bool) {
	d := before.Deal()
	turn := before.Turn()
	f = &finder{
		team: turn.Team(), them: turn.Team().Opponents(), turn: turn, hand: before.Hand(turn), own: d.Hands[turn] | d.Hands[turn.Partner()],
		trump: d.Trump, leads: before.Trick().Len == 0,
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
	if f.team != d.Declarer {
		f.cost = -f.cost
	}
	f.whole = f.cost
	f.decides, f.onlyMelds = (bad > 0) != (good > 0), bad <= 0 && good <= 0
	if f.decides {
		f.whole = f.margin(&f.good) - f.margin(&f.bad)
	}
	f.fewer = f.bad.end.TricksTaken()[f.team] < f.good.end.TricksTaken()[f.team]
	for _, team := range piquet.Teams() {
		f.melds[team], f.pit[team] = f.good.melds[team]-f.bad.melds[team], f.good.pit[team]-f.bad.pit[team]
		if team == f.them {
			f.melds[team], f.pit[team] = -f.melds[team], -f.pit[team]
		}
	}
	f.thisTrick()
	f.thisCard()
	f.pits()
	f.laterTricks()
	f.tempo()
	return f, true
}

// world returns the causes of the deal. If the contract is decided, a cause explains the same share of the cost as of the points.
func (f *finder) world() cause.World {
	w := cause.World{Cost: f.cost}
	for code := range f.found {
		if one := &f.found[code]; one.holds {
			points := max(0, min(one.points, f.whole))
			if f.whole > 0 {
				points = points * f.cost / f.whole
			}
			w.Causes = append(w.Causes, cause.Cause{Code: code, Nearness: Code(code).nearness(), Points: points})
		}
	}
	return w
}

// reason returns the reason with a code as it shows in the lines. ok is false if it is not true of them.
func (f *finder) reason(code Code) (r Reason, ok bool) {
	if code >= none || !f.found[code].holds {
		return Reason{}, false
	}
	r = f.found[code].Reason
	r.Decides = f.decides && f.cost > 0
	for _, t := range f.good.tricks[1:] {
		if f.us(t.winner) && t.by() == f.card && t.number != r.Trick {
			r.Keeps = t.number
		}
	}
	return r, true
}

func (f *finder) us(s piquet.Seat) bool { return s.Team() == f.team }

// margin returns the points of the player's team minus the points of the opponents.
func (f *finder) margin(r *replay) int {
	k := r.end.Score()
	return k.Sum(f.team) - k.Sum(f.them)
}

func (f *finder) value(c piquet.Card) int { return klaverjas.Points(c, f.trump) }

// lost returns what is lost with a card that the opponents take, and do not take in the best line: they have its points, and we have not.
func (f *finder) lost(c piquet.Card) int {
	if f.onlyMelds || f.bad.taker[c] == f.team || f.good.taker[c] != f.team {
		return 0
	}
	return 2 * f.value(c)
}

// lastLost returns what is lost with the last trick.
func (f *finder) lastLost() int {
	n := len(f.bad.tricks) - 1
	if f.onlyMelds || f.us(f.bad.tricks[n].winner) || !f.us(f.good.tricks[n].winner) {
		return 0
	}
	return 2 * klaverjas.LastTrick
}

// lostIn returns what is lost with the cards of a trick that the opponents take, and with the last trick.
func (f *finder) lostIn(t *trick) (sum int) {
	for _, c := range t.cards {
		sum += f.lost(c)
	}
	if t.last() {
		sum += f.lastLost()
	}
	return sum
}

// add adds points to a reason. It shows where it has the most points.
func (f *finder) add(r Reason, points int) {
	one := &f.found[r.Code]
	if !one.holds || points > one.points {
		one.Reason = r
	}
	one.holds = true
	one.points += points
}

// at returns a reason that shows in a trick.
func at(code Code, t *trick) Reason {
	return Reason{Code: code, Trick: t.number, Seat: t.winner, By: t.by(), Points: t.points + t.meld}
}

// about returns a reason that shows in a trick, for one of its cards.
func (f *finder) about(code Code, t *trick, c piquet.Card) Reason {
	r := at(code, t)
	r.Lost, r.HasLost, r.Points, r.Kept = c, true, f.value(c), !f.own.Has(c)
	return r
}

// thisTrick finds what is given away in the trick of the card.
func (f *finder) thisTrick() {
	bad, good := &f.bad.tricks[0], &f.good.tricks[0]
	if n := f.meldIn(0, &f.bad, &f.good, f.them); !f.us(bad.winner) && n > 0 {
		r := at(Roem, bad)
		r.Points = bad.meld
		f.add(r, n)
	}
	if n := f.meldIn(0, &f.good, &f.bad, f.team); f.us(good.winner) && n > 0 {
		r := at(RoemMissed, good)
		r.Points = good.meld
		f.add(r, n)
	}
	switch ours := f.us(good.winner); {
	case !f.us(bad.winner):
		f.trickLost(bad, good)
	case ours && f.value(f.better) > f.value(f.card):
		r := at(BringHome, good)
		r.Points, r.Less = f.value(f.better), f.value(f.card)
		f.add(r, f.lost(f.better))
	}
	f.partnerTrump(bad)
}

// trickLost finds what is given away in a trick that they take.
func (f *finder) trickLost(bad, good *trick) {
	ours := f.us(good.winner)
	less := 0
	if !ours {
		less = f.value(f.better)
	}
	if f.value(f.card) > less {
		r := f.about(Points, bad, f.card)
		r.Less = less
		f.add(r, f.lost(f.card))
	}
	if f.leads && f.value(f.card) >= highPoints && f.value(f.card) > less && bad.by().Suit() == f.card.Suit() {
		r := f.about(NotGood, bad, f.card)
		f.add(r, f.lostIn(bad))
	}
	if !ours {
		return
	}
	points := f.lostIn(bad) + f.meldIn(0, &f.bad, &f.good, f.them)
	f.add(at(Trick, bad), points)
	if bad.ruffed(f.trump) {
		f.add(at(Ruff, bad), points)
	}
}

// highPoints are the points of a card that is high: from the queen of a plain suit on.
const highPoints = 3

// partnerTrump finds that the card, a trump that is led, draws a trump of the partner and none of theirs, which takes another trick if it
// is not drawn.
func (f *finder) partnerTrump(t *trick) {
	if !f.leads || f.card.Suit() != f.trump || f.better.Suit() == f.trump {
		return
	}
	drawn := t.of(f.turn.Partner())
	if drawn.Suit() != f.trump || (t.set() & ^f.own).InSuit(f.trump) != 0 {
		return
	}
	for i := range f.good.tricks {
		if g := &f.good.tricks[i]; g.by() == drawn && i > 0 {
			r := f.about(PartnerTrump, t, drawn)
			f.add(r, f.gainIn(g))
		}
	}
}

// gainIn returns what we have from a trick of the best line, and not in the other line.
func (f *finder) gainIn(t *trick) (gain int) {
	for _, c := range t.cards {
		gain += f.lost(c)
	}
	if t.last() {
		gain += f.lastLost()
	}
	return gain
}

// thisCard finds that the card takes a later trick if it is kept.
func (f *finder) thisCard() {
	for i := 1; i < len(f.good.tricks); i++ {
		t := &f.good.tricks[i]
		if !f.us(t.winner) || t.by() != f.card {
			continue
		}
		code := Spent
		if f.hand.InSuit(f.trump) == piquet.SetOf(f.card) {
			code = LastTrump
		}
		f.add(at(code, t), f.gainIn(t))
	}
}

// pits finds a pit that we do not make, or that they make. The first trick of the other side prevents it.
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
				f.add(r, pit.points)
				break
			}
		}
	}
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

// laterTricks finds what is lost in the tricks after this one.
func (f *finder) laterTricks() {
	for i := 1; i < len(f.bad.tricks); i++ {
		if t := &f.bad.tricks[i]; !f.us(t.winner) {
			f.laterTrick(i, t)
		}
	}
	for i := 1; i < len(f.good.tricks); i++ {
		t := &f.good.tricks[i]
		if n := f.meldIn(i, &f.good, &f.bad, f.team); f.us(t.winner) && n > 0 {
			r := at(LaterMissed, t)
			r.Points = t.meld
			f.add(r, n)
		}
	}
}

// laterTrick finds what is lost in a trick that they take.
func (f *finder) laterTrick(i int, t *trick) {
	if n := f.meldIn(i, &f.bad, &f.good, f.them); n > 0 {
		r := at(LaterRoem, t)
		r.Points = t.meld
		f.add(r, n)
	}
	sum := f.lostIn(t)
	for _, c := range t.cards {
		if n := f.lost(c); n > 0 {
			if code, ok := f.kind(c); ok {
				f.add(f.about(code, t, c), n)
			}
			f.add(f.about(Cards, t, c), n)
		}
	}
	if t.last() && f.lastLost() > 0 {
		f.add(at(LastTrick, t), sum)
	}
	if f.fewer && sum > 0 {
		f.add(at(Tricks, t), sum)
	}
}

// kind returns the reason for a card that they get. The jack of trumps takes every trick, so that nobody else gets it.
func (f *finder) kind(c piquet.Card) (Code, bool) {
	switch face := c.Face(); {
	case c.Suit() == f.trump && face == piquet.Nine:
		return Nel, true
	case face == piquet.Ace:
		return Ace, true
	case face == piquet.Ten:
		return Ten, true
	}
	return none, false
}

// tempoTricks is how many tricks after this one the opponents take at most, for the lead to be the reason.
const tempoTricks = 3

// tempo finds that the opponents take this trick and those that follow it, where we take this trick in the best line.
func (f *finder) tempo() {
	if !f.us(f.good.tricks[0].winner) || !f.fewer {
		return
	}
	sum, most := 0, 0
	var r Reason
	for i := range f.bad.tricks[:min(1+tempoTricks, len(f.bad.tricks))] {
		t := &f.bad.tricks[i]
		if f.us(t.winner) {
			break
		}
		n := f.lostIn(t)
		sum += n
		if i > 0 && n > most {
			most, r = n, at(Tempo, t)
		}
	}
	if most > 0 {
		f.add(r, sum)
	}
}

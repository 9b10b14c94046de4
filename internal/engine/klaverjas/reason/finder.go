package reason

import (
	"roem/internal/engine/cause"
	"roem/internal/engine/cause/tricks"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// finder compares two lines. bad is the line of the card played, good the best line.
type finder struct {
	team      piquet.Team // of the player
	them      piquet.Team
	own       piquet.Set // the cards dealt to the player's team
	leads     bool       // the card is the first of its trick
	trump     piquet.Suit
	card      piquet.Card // that was played
	bad, good replay
	lines     *tricks.Causes[piquet.Card, piquet.Seat] // what all games share
	cost      int                                      // in points of outcome; not positive if the card is as good
	whole     int                                      // the points that there are to explain
	melds     [2]int                                   // the losses by the roem of each team
	pit       [2]int                                   // the losses by the pits of each team
	decides   bool                                     // one outcome is nat, the other is not
	onlyMelds bool                                     // both outcomes are nat, so that only roem and pits count
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
		team: turn.Team(), them: turn.Team().Opponents(), own: d.Hands[turn] | d.Hands[turn.Partner()], trump: d.Trump,
		leads: before.Trick().Len == 0,
	}
	var okBad, okGood bool
	f.bad, okBad = replayOf(before, l.Played)
	f.good, okGood = replayOf(before, l.Best)
	if !okBad || !okGood {
		return nil, false
	}
	f.card = l.Played[0]
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
	for _, team := range piquet.Teams() {
		f.melds[team], f.pit[team] = f.good.melds[team]-f.bad.melds[team], f.good.pit[team]-f.bad.pit[team]
		if team == f.them {
			f.melds[team], f.pit[team] = -f.melds[team], -f.pit[team]
		}
	}
	f.shared(before, l.Best[0])
	f.roem()
	f.pits()
	f.laterTricks()
	return f, true
}

// shared finds what all games of tricks share.
func (f *finder) shared(before klaverjas.Position, better piquet.Card) {
	turn := before.Turn()
	partner := turn.Partner()
	in := tricks.Lines[piquet.Card, piquet.Seat]{
		Bad: f.inLine(&f.bad), Good: f.inLine(&f.good), Card: f.card, Better: better, Leads: f.leads, Partner: &partner, High: highPoints,
		LastTrump: before.Hand(turn).InSuit(f.trump) == piquet.SetOf(f.card),
		Points:    f.value, Worth: func(c piquet.Card) int { return 2 * f.value(c) }, WorthOfLast: 2 * klaverjas.LastTrick,
		Own: f.own.Has, Trump: func(c piquet.Card) bool { return c.Suit() == f.trump },
		Melds: f.meldIn(0, &f.bad, &f.good, f.them),
	}
	if f.onlyMelds {
		in.Worth, in.WorthOfLast = func(piquet.Card) int { return 0 }, 0
	}
	f.lines = tricks.Compare(in)
	for kind, code := range codes {
		one := &f.lines.Found[kind]
		if !one.Holds {
			continue
		}
		r := Reason{Code: code, Trick: one.Trick.Number, Seat: one.Trick.Seat(), By: one.Trick.By()}
		r.Points = f.pointsOf(tricks.Kind(kind), one.Trick.Number)
		if one.HasCard {
			r.Lost, r.HasLost, r.Points, r.Kept = one.Card, true, one.Points, !f.own.Has(one.Card)
		} else if code == BringHome {
			r.Points = one.Points
		}
		r.Less = one.Less
		f.found[code] = fact{r, one.Worth, true}
	}
}

// codes are the reasons that other games have too.
var codes = [tricks.NumKinds]Code{
	NotGood, Ruff, PartnerTrump, Points, BringHome, Trick, LastTrump, Spent, LastTrick, Tempo, Tricks, Cards,
}

// inLine returns the tricks of a line as package tricks has them.
func (f *finder) inLine(r *replay) []tricks.Trick[piquet.Card, piquet.Seat] {
	out := make([]tricks.Trick[piquet.Card, piquet.Seat], len(r.tricks))
	for i := range r.tricks {
		out[i] = r.tricks[i].shared(f.team, f.trump)
	}
	return out
}

// pointsOf returns the points, with the roem, of a trick in which a cause shows.
func (f *finder) pointsOf(kind tricks.Kind, number int) int {
	line := &f.bad
	if kind.InGood() {
		line = &f.good
	}
	t := &line.tricks[number-line.tricks[0].number]
	return t.points + t.meld
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

// roem finds the roem that is given away in the trick of the card.
func (f *finder) roem() {
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
}

// highPoints are the points of a card that is high: from the queen of a plain suit on.
const highPoints = 3

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
	for _, c := range t.cards {
		if code, ok := f.kind(c); ok && f.lines.Lost(c) > 0 {
			f.add(f.about(code, t, c), f.lines.Lost(c))
		}
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

// Package tricks finds what a card of a trick-taking game gives away, from two lines to the end of the hand: one with the card that was
// played and one with a better card. "We" are the side of the player, "they" are the other side.
//
// A card that we take in the good line, and they take in the bad one, has changed sides. A cause is what such cards have in common, and
// package cause chooses the reason of them. A game adds the causes of its own: melds, bonuses.
package tricks

import "roem/internal/engine/cause"

// Kind is a cause that trick-taking games share.
type Kind uint8

// The causes.
const (
	NotGood      Kind = iota // the card is led, and they have a higher one of its suit
	Ruff                     // they ruff this trick, which we take after the better card
	PartnerTrump             // the card draws the trump of the partner, and no trump of theirs
	Points                   // the card gives them points in this trick, more than the better card
	BringHome                // the better card brings more points into our trick
	TrickLost                // they take this trick; after the better card we take it
	LastTrump                // the card was the player's last trump, which takes a later trick if it is kept
	Spent                    // the card takes a later trick if it is kept
	LastTrick                // they take the last trick
	Tempo                    // they get the lead, and take the tricks that follow
	Tricks                   // they take more of the tricks
	Cards                    // they get more points in later tricks
	NumKinds
)

// Nearness returns how far a cause is from the card.
func (k Kind) Nearness() cause.Nearness {
	switch {
	case k <= Spent:
		return cause.Near
	case k <= Tempo:
		return cause.Distant
	}
	return cause.Whole
}

// InGood reports whether a cause shows in a trick of the good line.
func (k Kind) InGood() bool { return k == BringHome || k == LastTrump || k == Spent }

// OfThisTrick reports whether a cause shows in the trick of the card.
func (k Kind) OfThisTrick() bool { return k <= TrickLost }

// Trick is a complete trick. C are the cards of the game, numbers below 64, and S its seats.
type Trick[C, S ~uint8] struct {
	Number int // from 1
	Cards  []C // in the order of play
	Seats  []S // who plays each
	At     int // the place of the card that takes it
	Ours   bool
	Ruffed bool // a trump takes the trick of another suit
	Last   bool // it is the last one of the hand
}

// By returns the card that takes the trick.
func (t *Trick[C, S]) By() C { return t.Cards[t.At] }

// Seat returns who takes the trick.
func (t *Trick[C, S]) Seat() S { return t.Seats[t.At] }

// of returns the card of a seat.
func (t *Trick[C, S]) of(s S) C {
	for i, seat := range t.Seats {
		if seat == s {
			return t.Cards[i]
		}
	}
	return t.By()
}

// Lines are the two lines from the trick of a card, with what the game says of them.
type Lines[C, S ~uint8] struct {
	Bad, Good    []Trick[C, S]
	Card, Better C
	Leads        bool        // the card is the first of its trick
	LastTrump    bool        // the player holds no other trump
	Partner      *S          // of the player; nil without one
	High         int         // the points from which a card is high
	Points       func(C) int // of a card
	Worth        func(C) int // what the cost has of a card that changes sides
	WorthOfLast  int         // what the cost has of a last trick that changes sides, besides its cards
	Own          func(C) bool
	Trump        func(C) bool
	// Melds is what the cost has of melds that they make in the first trick of the bad line, and not in the good line.
	Melds int
}

// Found is a cause that is true of the lines.
type Found[C, S ~uint8] struct {
	Holds   bool
	Trick   *Trick[C, S] // in which it shows: where it explains most
	Card    C            // the card that it is about
	HasCard bool
	Points  int // the points of this card; for BringHome of the better one
	Less    int // for Points and BringHome: the points of the other of the two cards
	Worth   int // what it explains, in the unit of Lines.Worth
}

// Causes are the causes of two lines.
type Causes[C, S ~uint8] struct {
	Lines[C, S]
	Found [NumKinds]Found[C, S]
	taker [2][64]side
}

// side is who takes a card in a line.
type side uint8

const (
	nobody side = iota
	we
	they
)

// Compare returns all that is true of the lines. Both have a trick.
func Compare[C, S ~uint8](l Lines[C, S]) *Causes[C, S] {
	f := &Causes[C, S]{Lines: l}
	for i, line := range [2][]Trick[C, S]{l.Bad, l.Good} {
		for k := range line {
			who := they
			if line[k].Ours {
				who = we
			}
			for _, c := range line[k].Cards {
				f.taker[i][c&63] = who
			}
		}
	}
	f.thisTrick()
	f.spent()
	for i := range l.Bad {
		if i > 0 && !l.Bad[i].Ours {
			f.later(&l.Bad[i])
		}
	}
	f.tempo()
	return f
}

// Lost returns what is lost with a card: they take it in the bad line, and we in the good one.
func (f *Causes[C, S]) Lost(c C) int {
	if f.taker[0][c&63] == we || f.taker[1][c&63] != we {
		return 0
	}
	return f.Worth(c)
}

// lastLost returns what is lost with the last trick.
func (f *Causes[C, S]) lastLost() int {
	bad, good := &f.Bad[len(f.Bad)-1], &f.Good[len(f.Good)-1]
	if bad.Ours || !good.Ours {
		return 0
	}
	return f.WorthOfLast
}

// LostIn returns what changes sides of a trick: one of theirs in the bad line, or one of ours in the good line.
func (f *Causes[C, S]) LostIn(t *Trick[C, S]) (sum int) {
	for _, c := range t.Cards {
		sum += f.Lost(c)
	}
	if t.Last {
		sum += f.lastLost()
	}
	return sum
}

// fewer reports whether we take fewer tricks in the bad line.
func (f *Causes[C, S]) fewer() bool {
	count := func(line []Trick[C, S]) (n int) {
		for i := range line {
			if line[i].Ours {
				n++
			}
		}
		return n
	}
	return count(f.Bad) < count(f.Good)
}

// add adds to a cause.
func (f *Causes[C, S]) add(k Kind, t *Trick[C, S], worth int) *Found[C, S] {
	one := &f.Found[k]
	shows := !one.Holds || worth > one.Worth
	one.Holds = true
	one.Worth += worth
	if !shows {
		return &Found[C, S]{} // it is not written anywhere
	}
	one.Trick = t
	return one
}

// about adds to a cause that is about a card.
func (f *Causes[C, S]) about(k Kind, t *Trick[C, S], c C, worth int) *Found[C, S] {
	one := f.add(k, t, worth)
	one.Card, one.HasCard, one.Points = c, true, f.Points(c)
	return one
}

// thisTrick finds what is given away in the trick of the card.
func (f *Causes[C, S]) thisTrick() {
	bad, good := &f.Bad[0], &f.Good[0]
	switch card, better := f.Points(f.Card), f.Points(f.Better); {
	case !bad.Ours:
		f.trickLost(bad, good)
	case good.Ours && better > card:
		one := f.add(BringHome, good, f.Lost(f.Better))
		one.Points, one.Less = better, card
	}
	f.partnerTrump(bad)
}

// trickLost finds what is given away in a trick that they take.
func (f *Causes[C, S]) trickLost(bad, good *Trick[C, S]) {
	points, less := f.Points(f.Card), 0
	if !good.Ours {
		less = f.Points(f.Better)
	}
	if points > less {
		f.about(Points, bad, f.Card, f.Lost(f.Card)).Less = less
	}
	if f.Leads && points >= f.High && points > less && !bad.Ruffed {
		f.about(NotGood, bad, f.Card, f.LostIn(bad))
	}
	if !good.Ours {
		return
	}
	f.add(TrickLost, bad, f.LostIn(bad)+f.Melds)
	if bad.Ruffed {
		f.add(Ruff, bad, f.LostIn(bad)+f.Melds)
	}
}

// partnerTrump finds that the card, a trump that is led, draws a trump of the partner and none of theirs, which takes another trick if it
// is not drawn.
func (f *Causes[C, S]) partnerTrump(t *Trick[C, S]) {
	if f.Partner == nil || !f.Leads || !f.Trump(f.Card) || f.Trump(f.Better) {
		return
	}
	drawn := t.of(*f.Partner)
	if !f.Trump(drawn) {
		return
	}
	for _, c := range t.Cards {
		if f.Trump(c) && !f.Own(c) {
			return
		}
	}
	for i := range f.Good {
		if g := &f.Good[i]; i > 0 && g.By() == drawn {
			f.about(PartnerTrump, t, drawn, f.LostIn(g))
		}
	}
}

// spent finds that the card takes a later trick if it is kept.
func (f *Causes[C, S]) spent() {
	for i := range f.Good {
		if t := &f.Good[i]; i > 0 && t.Ours && t.By() == f.Card {
			kind := Spent
			if f.LastTrump {
				kind = LastTrump
			}
			f.add(kind, t, f.LostIn(t))
		}
	}
}

// later finds what is lost in a later trick that they take.
func (f *Causes[C, S]) later(t *Trick[C, S]) {
	sum := f.LostIn(t)
	for _, c := range t.Cards {
		if n := f.Lost(c); n > 0 {
			f.about(Cards, t, c, n)
		}
	}
	if t.Last && f.lastLost() > 0 {
		f.add(LastTrick, t, sum)
	}
	if f.fewer() && sum > 0 {
		f.add(Tricks, t, sum)
	}
}

// tempoTricks is how many tricks after this one they take at most, for the lead to be the cause.
const tempoTricks = 3

// tempo finds that they take this trick and those that follow it, where we take this trick in the good line.
func (f *Causes[C, S]) tempo() {
	if !f.Good[0].Ours || !f.fewer() {
		return
	}
	sum, most := 0, 0
	var at *Trick[C, S]
	for i := range f.Bad[:min(1+tempoTricks, len(f.Bad))] {
		t := &f.Bad[i]
		if t.Ours {
			break
		}
		n := f.LostIn(t)
		sum += n
		if i > 0 && n > most {
			most, at = n, t
		}
	}
	if most > 0 {
		f.add(Tempo, at, sum)
	}
}

// Like returns the card that a seat plays in another line: in the trick with a number, or else in the first of the later ones. The lines of
// two cards are easy to compare if each seat plays in both what is equally good. may are the cards that are. ok is false if it plays none.
func Like[C, S ~uint8](other []Trick[C, S], number int, seat S, may func(C) bool) (c C, ok bool) {
	for i := range other {
		if c := other[i].of(seat); other[i].Number >= number && may(c) {
			return c, true
		}
	}
	return c, false
}

package reason

import (
	"slices"

	"roem/internal/engine/cause"
	"roem/internal/engine/cause/tricks"
	"roem/internal/engine/tarok"
)

// finder compares two lines. Costs and what explains them are in halves of a point: what the player scores above the mean of the others.
type finder struct {
	before    tarok.Position
	us        tarok.Player
	declares  bool
	bad, good outcome
	world     World
}

// outcome is what comes of a line.
type outcome struct {
	tricks []trick
	end    tarok.Position
	score  tarok.Score
}

// Compare returns all that is true of the lines in a deal.
func Compare(before tarok.Position, said tarok.Announcements, l Lines) (World, error) {
	s := before.Setup()
	f := finder{before: before, us: before.Turn(), declares: before.Turn() == s.Declarer}
	for _, one := range []struct {
		of   *outcome
		line []tarok.Card
	}{{&f.bad, l.Played}, {&f.good, l.Best}} {
		var err error
		if one.of.tricks, one.of.end, err = tricksOf(before, one.line); err != nil {
			return World{}, err
		}
		if one.of.score, err = one.of.end.Score(said); err != nil {
			return World{}, err
		}
	}
	f.world.Cost = f.lead(&f.good.score.Total) - f.lead(&f.bad.score.Total)
	switch s.Contract {
	case tarok.Klop:
		f.klop()
	case tarok.Beggar:
		f.beggar()
	default:
		f.world.Decides = f.good.score.Won != f.bad.score.Won
		f.points(l, f.world.Cost-f.bonuses()-f.mond())
	}
	return f.world, nil
}

// lead returns twice what the player scores above the mean of the others.
func (f *finder) lead(total *[3]int) int {
	return 2*total[f.us] - total[f.us.Next()] - total[f.us.After(2)]
}

// side returns a number of the declarer's score as twice what it is worth to the player above the mean of the others.
func (f *finder) side(score int) int {
	if f.declares {
		return 2 * score
	}
	return -score
}

func (f *finder) add(k Kind, near cause.Nearness, t *trick, inGood bool, worth int) {
	r := tricks.At(k, t, inGood)
	r.Points = pointsOf(t)
	f.world.Facts = append(f.world.Facts, fact{Reason: r, Nearness: near, Worth: worth})
}

// pointsOf returns the points of the cards of a trick.
func pointsOf(t *trick) int { return tarok.Points(tarok.SetOf(t.Cards...).Thirds()) }

// first returns the first trick that our side takes, or does not, with one of some cards in it. Without such a trick it is the last one.
func first(line []trick, ours bool, with tarok.Set) *trick {
	i := slices.IndexFunc(line, func(t trick) bool { return t.Ours == ours && tarok.SetOf(t.Cards...)&with != 0 })
	if i < 0 {
		i = len(line) - 1
	}
	return &line[i]
}

// bonuses finds bonuses that are missed, or that the other side gets, and returns what all bonuses explain.
func (f *finder) bonuses() (sum int) {
	radl := 1
	if f.good.score.Radl {
		radl = 2
	}
	cards := [4]tarok.Set{tarok.Kings, tarok.Trula, tarok.SetOf(tarok.Pagat), tarok.Deck}
	for _, b := range tarok.Bonuses() {
		good, bad := f.side(radl*f.good.score.Bonuses[b]), f.side(radl*f.bad.score.Bonuses[b])
		sum += good - bad
		switch worth := good - bad; {
		case worth <= 0:
		case good > 0:
			f.add(KingsMissed+Kind(b), cause.Bonus, first(f.bad.tricks, false, cards[b]), false, worth)
		default:
			f.add(KingsGiven+Kind(b), cause.Bonus, first(f.good.tricks, true, cards[b]), true, worth)
		}
	}
	return sum
}

// mond finds that the mond is captured in one of the lines, and returns what that explains.
func (f *finder) mond() (sum int) {
	sum = f.lead(&f.good.score.Mond) - f.lead(&f.bad.score.Mond)
	if sum <= 0 {
		return sum
	}
	holds := func(line []trick) *trick { // the trick with the mond
		i := slices.IndexFunc(line, func(t trick) bool { return slices.Contains(t.Cards, tarok.Mond) })
		if i < 0 {
			return nil
		}
		return &line[i]
	}
	bad, good := holds(f.bad.tricks), holds(f.good.tricks)
	switch {
	case f.bad.score.Mond[f.us] < f.good.score.Mond[f.us] && bad != nil:
		f.add(Mond, cause.Near, bad, false, sum)
	case f.bad.score.Mond[f.us] == f.good.score.Mond[f.us] && good != nil:
		f.add(MondMissed, cause.Near, good, true, sum)
	}
	return sum
}

// points finds the causes that all games share. rest is what the bonuses do not explain; it is divided among the cards that change sides.
func (f *finder) points(l Lines, rest int) {
	s := f.before.Setup()
	isTrump := func(c tarok.Card) bool { return c.Suit() == tarok.Taroks }
	held := f.before.Hand(f.us)
	own := s.Hand(f.us)
	in := tricks.Lines[tarok.Card, tarok.Player]{
		Bad: f.bad.tricks, Good: f.good.tricks, Card: l.Played[0], Better: l.Best[0], Leads: len(f.before.Trick()) == 0, High: highPoints,
		LastTrump: held.InSuit(tarok.Taroks) == tarok.SetOf(l.Played[0]), Points: CardPoints, Worth: tarok.Card.Thirds, Trump: isTrump,
	}
	if !f.declares {
		partner := f.us.Next()
		if partner == s.Declarer {
			partner = f.us.After(2)
		}
		in.Partner, own = &partner, own|s.Hand(partner)
	}
	in.Own = own.Has
	whole := f.good.end.Thirds() - f.bad.end.Thirds()
	if !f.declares {
		whole = -whole
	}
	causes := tricks.Compare(in)
	for _, one := range causes.Facts(pointsOf) {
		switch {
		case one.Kind == tricks.LastTrick: // it has no points of its own
			continue
		case one.Kind == tricks.NotGood && one.By < l.Played[0]: // tarok 1 takes taroks 21 and 22
			continue
		case one.Kind == tricks.Spent: // nearly every tarok that is kept takes a trick at some time
			one.Nearness = cause.Distant
		case one.Kind == tricks.Cards:
			f.dearest(causes, &one.Reason)
		}
		if worth := one.Worth; whole > 0 && rest > 0 {
			one.Worth = min(worth, whole) * rest / whole
		} else {
			one.Worth = 0
		}
		f.world.Facts = append(f.world.Facts, one)
	}
}

// dearest lets a reason show with the most valuable card that changes sides in a later trick.
func (f *finder) dearest(causes *tricks.Causes[tarok.Card, tarok.Player], r *tricks.Reason[tarok.Card, tarok.Player]) {
	for i := range f.bad.tricks {
		t := &f.bad.tricks[i]
		for _, c := range t.Cards {
			if i > 0 && causes.Lost(c) > r.Lost.Thirds() {
				*r = tricks.At(r.Kind, t, false)
				r.Lost, r.HasLost, r.Points = c, true, CardPoints(c)
			}
		}
	}
}

// highPoints are the points of a card that is high: from the cavalier on.
const highPoints = 3

// beggar finds that the declarer takes a trick in one of the lines.
func (f *finder) beggar() {
	d := f.before.Setup().Declarer
	bad, good := f.bad.end.Tricks(d) > 0, f.good.end.Tricks(d) > 0
	switch {
	case f.declares && bad && !good:
		f.add(Beggar, cause.Near, &f.bad.tricks[len(f.bad.tricks)-1], false, f.world.Cost)
	case !f.declares && good && !bad:
		f.add(BeggarMissed, cause.Near, &f.good.tricks[len(f.good.tricks)-1], true, f.world.Cost)
	}
}

// klop finds that the player takes this trick, or points in later ones.
func (f *finder) klop() {
	taken := func(line []trick) (thirds int) {
		for i := range line {
			if line[i].Ours {
				thirds += tarok.SetOf(line[i].Cards...).Thirds()
			}
		}
		return thirds
	}
	bad, good := taken(f.bad.tricks), taken(f.good.tricks)
	here := 0
	if f.bad.tricks[0].Ours {
		here = taken(f.bad.tricks[:1]) - taken(f.good.tricks[:1])
	}
	share := func(thirds int) int {
		if f.world.Cost <= 0 || bad <= good {
			return 0
		}
		return min(thirds, bad-good) * f.world.Cost / (bad - good)
	}
	if f.bad.tricks[0].Ours && !f.good.tricks[0].Ours {
		f.add(Klop, cause.Near, &f.bad.tricks[0], false, share(here))
	}
	if later := bad - good - here; later > 0 {
		i := slices.IndexFunc(f.bad.tricks[1:], func(t trick) bool { return t.Ours })
		f.add(KlopLater, cause.Distant, &f.bad.tricks[max(0, i+1)], false, share(later))
	}
}

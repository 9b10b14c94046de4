package reason_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"roem/internal/engine/cause/tricks"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/reason"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/random"
)

// settings compare the cards in fewer deals than the program does.
var settings = func() advice.Settings {
	s := advice.Default
	s.Samples, s.Playouts, s.Pool = 20, 60, 120
	return s
}()

// mistake is a card that cost at least two points in the deals that were possible for its player, with these deals.
type mistake struct {
	view         players.View
	card, better tarok.Card
	possible     []tarok.Setup
	exact        int
}

// mistakes draws hands of the contracts, plays them at random, and returns one mistake of each: the first from a drawn card on.
func mistakes(t *testing.T, rng *rand.Rand, n int, contracts ...tarok.Contract) (out []mistake) {
	t.Helper()
	a := advice.New(settings)
	for len(out) < n {
		setup := tarok.DrawSetup(rng, contracts[len(out)%len(contracts)])
		p, err := tarok.NewPosition(setup)
		if err != nil {
			t.Fatal(err)
		}
		talk := players.TalkOf(setup.Contract, setup.Declarer, tarok.Announcements{})
		from := int(random.Below(rng, 40))
		if setup.Contract == tarok.Beggar {
			from = 0
		}
		var played []tarok.Card
		for !p.Finished() {
			now := p
			c := tarok.Any(rng, p.Legal())
			if len(played) >= from && p.Legal().Len() > 1 {
				v := players.PlayView(worlds.ViewOf(&setup, played, p.Turn()), &now)
				v.Talk = talk
				if m, ok := judged(t, a, v, c); ok {
					out = append(out, m)
					break
				}
			}
			played = append(played, c)
			if p, err = p.Play(c); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// judged returns the mistake if a card clearly costs at least two points.
func judged(t *testing.T, a *advice.Advisor, v players.View, c tarok.Card) (m mistake, ok bool) {
	t.Helper()
	cards, err := a.Card(t.Context(), &v, random.New(3))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(cards.List, func(x advice.Card) bool { return x.Card == c })
	if one := cards.List[i]; cards.List[0].Value-one.Value-2*one.Error < 2 {
		return m, false
	}
	m = mistake{view: v, card: c, better: cards.List[0].Card}
	if m.possible, m.exact, err = a.Worlds(&v, random.New(3), 60); err != nil {
		t.Fatal(err)
	}
	return m, true
}

// line is what the test derives of a line by itself.
type line struct {
	tricks []tarok.Trick
	taker  map[tarok.Card]tarok.Player
	end    tarok.Position
	score  tarok.Score
}

func lineOf(t *testing.T, p tarok.Position, said tarok.Announcements, cards []tarok.Card) (l line) {
	t.Helper()
	l.taker = map[tarok.Card]tarok.Player{}
	for _, c := range cards {
		var err error
		before := p.Played()
		if p, err = p.Play(c); err != nil {
			t.Fatal(err)
		}
		if before%3 == 2 {
			trick, _ := p.Last()
			l.tricks = append(l.tricks, trick)
			for _, c := range trick.Cards {
				l.taker[c] = trick.Winner
			}
		}
	}
	var err error
	if l.end = p; !p.Finished() {
		t.Fatal("the line does not end the hand")
	}
	if l.score, err = p.Score(said); err != nil {
		t.Fatal(err)
	}
	return l
}

// checker says whether a fact is true of two lines.
type checker struct {
	p            tarok.Position
	setup        tarok.Setup
	us           tarok.Player
	bad, good    line
	card, better tarok.Card
}

func (c *checker) ours(p tarok.Player) bool {
	if c.setup.Contract == tarok.Klop {
		return p == c.us
	}
	return (p == c.setup.Declarer) == (c.us == c.setup.Declarer)
}

func (c *checker) lost(x tarok.Card) bool { return !c.ours(c.bad.taker[x]) && c.ours(c.good.taker[x]) }

func (c *checker) count(l *line) (n int) {
	for i := range l.tricks {
		if c.ours(l.tricks[i].Winner) {
			n++
		}
	}
	return n
}

// bonus returns what a bonus scores for the side of the player.
func (c *checker) bonus(l *line, k reason.Kind) int {
	score := l.score.Bonuses[k]
	if c.us != c.setup.Declarer {
		score = -score
	}
	return score
}

func (c *checker) isTrue(f *tricks.Fact[tarok.Card, tarok.Player]) bool {
	of := &c.bad
	if f.InGood {
		of = &c.good
	}
	i := f.Trick - 1 - c.p.Played()/3
	if i < 0 || i >= len(of.tricks) || of.tricks[i].Winner != f.Seat || of.tricks[i].By(f.Seat) != f.By {
		return false
	}
	return c.shared(f, i, of.tricks[i]) || c.own(f, i)
}

func (c *checker) shared(f *tricks.Fact[tarok.Card, tarok.Player], i int, shows tarok.Trick) bool {
	theirs, first := !c.ours(f.Seat), i == 0
	switch f.Kind {
	case tricks.NotGood:
		return first && theirs && f.By.Suit() == c.card.Suit() && f.By > c.card && shows.Leader == c.us
	case tricks.Ruff:
		return first && theirs && f.By.Suit() == tarok.Taroks && shows.Cards[0].Suit() != tarok.Taroks && c.ours(c.good.tricks[0].Winner)
	case tricks.PartnerTrump:
		taroks := 0
		for _, p := range tarok.Players() {
			if !c.ours(p) && shows.By(p).Suit() == tarok.Taroks {
				taroks++
			}
		}
		return first && taroks == 0 && shows.Leader == c.us && f.Lost.Suit() == tarok.Taroks && f.Lost != c.card && c.ours(c.good.taker[f.Lost])
	case tricks.Points:
		return first && theirs && f.Lost == c.card && f.Points > f.Less
	case tricks.BringHome:
		return first && !theirs && c.ours(c.bad.tricks[0].Winner) && f.Points > f.Less
	case tricks.TrickLost:
		return first && theirs && c.ours(c.good.tricks[0].Winner)
	case tricks.LastTrump:
		return !first && f.By == c.card && c.card.Suit() == tarok.Taroks && f.Seat == c.us
	case tricks.Spent:
		return !first && f.By == c.card && f.Seat == c.us
	case tricks.Tempo:
		return i > 0 && i <= 3 && theirs && !c.ours(c.bad.tricks[0].Winner) && c.ours(c.good.tricks[0].Winner)
	case tricks.Tricks:
		return theirs && c.count(&c.bad) < c.count(&c.good)
	case tricks.Cards:
		return !first && theirs && c.lost(f.Lost)
	}
	return false
}

func (c *checker) own(f *tricks.Fact[tarok.Card, tarok.Player], i int) bool {
	d, k := c.setup.Declarer, f.Kind
	mond := func(l *line) (lost, captured bool) {
		for _, p := range tarok.Players() {
			lost, captured = lost || p == c.us && l.score.Mond[p] < 0, captured || p != c.us && l.score.Mond[p] < 0
		}
		return lost, captured
	}
	badLost, badCaptured := mond(&c.bad)
	goodLost, goodCaptured := mond(&c.good)
	switch {
	case k >= reason.KingsMissed && k <= reason.ValatMissed:
		b := k - reason.KingsMissed
		return c.bonus(&c.good, b) > 0 && c.bonus(&c.bad, b) < c.bonus(&c.good, b)
	case k >= reason.KingsGiven && k <= reason.ValatGiven:
		b := k - reason.KingsGiven
		return c.bonus(&c.bad, b) < 0 && c.bonus(&c.bad, b) < c.bonus(&c.good, b)
	case k == reason.Mond:
		return badLost && !goodLost
	case k == reason.MondMissed:
		return goodCaptured && !badCaptured
	case k == reason.Beggar:
		return c.us == d && c.bad.end.Tricks(d) > 0 && c.good.end.Tricks(d) == 0
	case k == reason.BeggarMissed:
		return c.us != d && c.bad.end.Tricks(d) == 0 && c.good.end.Tricks(d) > 0
	case k == reason.Klop:
		return i == 0 && c.bad.tricks[0].Winner == c.us && c.good.tricks[0].Winner != c.us
	case k == reason.KlopLater:
		return f.Seat == c.us && i > 0
	}
	return false
}

// Each reason is true in the two lines that are given with it, and so is everything else that is found in a deal.
func TestReasonsAreTrue(t *testing.T) {
	rng := random.New(12)
	kinds := map[reason.Kind]int{}
	// Some reasons are rare: more deals are drawn until each was found.
	for round := 0; round < 8 && (round == 0 || len(missing(kinds)) > 0); round++ {
		list := mistakes(t, rng, 60, tarok.Three, tarok.Two, tarok.One, tarok.Zero)
		list = append(list, mistakes(t, rng, 20, tarok.Klop, tarok.Beggar)...)
		for _, m := range list {
			said := advice.Said(&m.view)
			why, ok, err := reason.Of(m.possible, m.view.Played, said, m.card, m.better, m.exact, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			for i := range m.possible {
				before, lines, err := reason.LinesOf(&m.possible[i], m.view.Played, said, m.card, m.better, m.exact)
				if err != nil {
					t.Fatal(err)
				}
				w, err := reason.Compare(before, said, lines)
				if err != nil {
					t.Fatal(err)
				}
				setup := before.Setup()
				c := checker{
					before, setup, m.view.Player, lineOf(t, before, said, lines.Played), lineOf(t, before, said, lines.Best),
					m.card, m.better,
				}
				for _, f := range w.Facts {
					kinds[f.Kind]++
					if !c.isTrue(&f) || f.Worth < 0 {
						t.Errorf("%s: %s instead of %s: %s is not true: %+v\n%+v", setup.Contract, m.card, m.better, reason.Name(f.Kind), f, lines)
					}
				}
				if i+1 == why.Example {
					f, ok := w.Fact(why.Kind)
					if !ok || f.Reason != why.Reason || w.Cost <= 0 || !slices.Equal(lines.Played, why.Lines.Played) {
						t.Errorf("the example has %+v, cost %d, the reason is %+v", f, w.Cost, why.Reason)
					}
				}
			}
			if why.Applies > why.Worlds || why.Worlds != len(m.possible) || why.Share <= 0 || why.Share > 1 || why.Text() == "" {
				t.Errorf("%+v", why.Explained)
			}
		}
	}
	if names := missing(kinds); len(names) > 0 {
		t.Errorf("no deal has %v", names)
	}
}

// missing returns the names of the reasons that were not found, but for two that other tests have.
func missing(kinds map[reason.Kind]int) (names []string) {
	for _, k := range reason.Kinds() {
		if kinds[k] == 0 && k != reason.ValatGiven && k != reason.Beggar {
			names = append(names, reason.Name(k))
		}
	}
	return names
}

// set returns cards of a suit by their ranks.
func set(suit tarok.Suit, from, to int) (s tarok.Set) {
	for r := from; r <= to; r++ {
		s = s.With(tarok.Of(suit, r))
	}
	return s
}

// trumps returns taroks by their numbers.
func trumps(from, to tarok.Card) (s tarok.Set) {
	for c := from; c <= to; c++ {
		s = s.With(c - 1)
	}
	return s
}

// The declarer of a beggar leads a card that nobody beats. After another card, the declarer takes no trick in a line that is drawn.
func TestBeggar(t *testing.T) {
	heart, diamonds, spades, clubs := tarok.Hearts, tarok.Diamonds, tarok.Spades, tarok.Clubs
	beggar := tarok.Setup{Rules: tarok.DefaultRules, Contract: tarok.Beggar}
	beggar.Deal.Hands = [3]tarok.Set{
		trumps(1, 2) | set(heart, 0, 3) | set(diamonds, 0, 3) | set(spades, 0, 3) | set(clubs, 0, 0) | set(clubs, 7, 7),
		trumps(3, 11) | set(heart, 4, 7) | set(clubs, 4, 6), trumps(13, 20) | set(diamonds, 4, 7) | set(spades, 4, 6) | set(clubs, 1, 1),
	}
	copy(beggar.Deal.Talon[:], (trumps(12, 12) | trumps(21, 22) | set(clubs, 2, 3) | set(spades, 7, 7)).Slice())
	start, err := tarok.NewPosition(beggar)
	if err != nil {
		t.Fatal(err)
	}
	line := func(first tarok.Card, rng *rand.Rand) (p tarok.Position, cards []tarok.Card) {
		p = start
		for c := first; ; c = tarok.Any(rng, p.Legal()) {
			if p, err = p.Play(c); err != nil {
				t.Fatal(err)
			}
			if cards = append(cards, c); p.Finished() {
				return p, cards
			}
		}
	}
	for seed := range uint64(20000) {
		var l reason.Lines
		_, l.Played = line(tarok.Of(clubs, 7), random.New(seed))
		var end tarok.Position
		if end, l.Best = line(tarok.Of(heart, 0), random.New(seed)); end.Tricks(tarok.A) > 0 {
			continue
		}
		w, err := reason.Compare(start, tarok.Announcements{}, l)
		if f, ok := w.Fact(reason.Beggar); err != nil || !ok || f.Worth != w.Cost || f.Trick != 1 || f.By != tarok.Of(clubs, 7) {
			t.Errorf("%+v, %v", w, err)
		}
		return
	}
	t.Error("no line without a trick of the declarer")
}

// A valat given is rare. B throws the only heart away that takes the declarer's last card.
func TestRareReasons(t *testing.T) {
	heart, diamonds, spades, clubs := tarok.Hearts, tarok.Diamonds, tarok.Spades, tarok.Clubs
	valat := tarok.Setup{Rules: tarok.DefaultRules, Contract: tarok.One, Discards: set(heart, 1, 1)}
	valat.Deal.Hands = [3]tarok.Set{
		trumps(8, 22) | set(heart, 0, 0), trumps(1, 3) | set(heart, 7, 7) | set(diamonds, 0, 7) | set(spades, 0, 3),
		trumps(4, 7) | set(spades, 4, 7) | set(clubs, 0, 7),
	}
	copy(valat.Deal.Talon[:], set(heart, 1, 6).Slice())
	for _, test := range []struct {
		setup        tarok.Setup
		played       string
		card, better string
		want         reason.Kind
	}{
		{valat, "T22 T1 T4 T20 T2 T5 T19 T3 T6 T18 D1 T7 T17", "HK", "D4", reason.ValatGiven},
	} {
		var played []tarok.Card
		for _, name := range append(strings.Fields(test.played), test.card, test.better) {
			c, err := tarok.ParseCard(name)
			if err != nil {
				t.Fatal(err)
			}
			played = append(played, c)
		}
		n := len(played) - 2
		why, ok, err := reason.Of([]tarok.Setup{test.setup}, played[:n], tarok.Announcements{}, played[n], played[n+1], 3, nil)
		if err != nil || !ok || why.Kind != test.want {
			t.Errorf("%s: %+v, %v, %v", reason.Name(test.want), why.Explained, ok, err)
			continue
		}
		w, err := reason.Compare(why.Before, tarok.Announcements{}, why.Lines)
		if err != nil {
			t.Fatal(err)
		}
		none := tarok.Announcements{}
		bad, good := lineOf(t, why.Before, none, why.Lines.Played), lineOf(t, why.Before, none, why.Lines.Best)
		c := checker{why.Before, test.setup, why.Before.Turn(), bad, good, played[n], played[n+1]}
		if f, ok := w.Fact(test.want); !ok || !c.isTrue(&f) {
			t.Errorf("%s: %+v is not true", reason.Name(test.want), f)
		}
	}
}

// The reason explains most of the cost, and is true in most of the deals. lab/docs/tarok/README.md has the figures.
func TestShareOfReasons(t *testing.T) {
	var shares, deals []float64
	codes := map[string]int{}
	all := tarok.Contracts()
	for _, m := range mistakes(t, random.New(60), 60, all[:]...) {
		why, ok, err := reason.Of(m.possible, m.view.Played, advice.Said(&m.view), m.card, m.better, m.exact, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			codes["none "+m.view.Contract.String()]++
			shares, deals = append(shares, 0), append(deals, 0)
			continue
		}
		t.Logf("%s %.2f: %s", m.view.Contract, why.Share, why.Text())
		codes[reason.Name(why.Kind)]++
		shares, deals = append(shares, why.Share), append(deals, float64(why.Applies)/float64(why.Worlds))
	}
	slices.Sort(shares)
	slices.Sort(deals)
	t.Logf("60 mistakes, median share of the cost %.2f, of the deals %.2f, reasons %v", shares[30], deals[30], codes)
	if shares[30] < 0.4 || deals[30] < 0.6 {
		t.Errorf("the median reason explains %.2f of the cost, and is true in %.2f of the deals", shares[30], deals[30])
	}
}

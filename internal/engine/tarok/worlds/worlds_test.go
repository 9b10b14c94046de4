package worlds_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/enginetest"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/random"
)

// ---- games with rare shapes ----

// skew is a kind of deal.
type skew int

const (
	anyDeal  skew = iota
	oneTarok      // a player who does not declare has one tarok, and taroks are kept as long as possible
	oneDealt      // the declarer was dealt one tarok and took more, and keeps them
	noSuits       // the declarer has taroks, kings and few other cards, and so discards taroks
)

// draw draws a setup for a contract.
func (k skew) draw(rng *rand.Rand, contract tarok.Contract) tarok.Setup {
	for {
		s := tarok.DrawSetup(rng, contract)
		switch p := s.Declarer.Next(); k {
		case oneTarok:
			s.Deal = rearranged(rng, p, tarok.SetOf(tarok.Any(rng, tarok.OfSuit(tarok.Taroks))), tarok.OfSuit(tarok.Taroks))
		case oneDealt:
			s.Deal = rearranged(rng, s.Declarer, tarok.SetOf(tarok.Any(rng, tarok.OfSuit(tarok.Taroks))), tarok.OfSuit(tarok.Taroks))
			if s.Taken().InSuit(tarok.Taroks) == 0 {
				continue
			}
		case noSuits:
			var few tarok.Set
			plain := tarok.Deck &^ tarok.OfSuit(tarok.Taroks) &^ tarok.Kings
			if contract != tarok.One {
				few = tarok.SetOf(tarok.Any(rng, plain))
			}
			s.Deal = rearranged(rng, s.Declarer, few, plain)
		}
		if len(s.Deal.Check()) > 0 {
			continue
		}
		s.DrawDiscards(rng)
		if k == noSuits && s.Discards.InSuit(tarok.Taroks) == 0 {
			continue
		}
		return s
	}
}

// rearranged draws a deal in which p has these cards and no others of a set.
func rearranged(rng *rand.Rand, p tarok.Player, cards, of tarok.Set) (d tarok.Deal) {
	cards &= of
	rest := (tarok.Deck &^ of).Slice()
	random.Shuffle(rng, rest)
	d.Hands[p] = cards | tarok.SetOf(rest[:tarok.HandSize-cards.Len()]...)
	rest = (tarok.Deck &^ d.Hands[p]).Slice()
	random.Shuffle(rng, rest)
	d.Hands[p.Next()] = tarok.SetOf(rest[:tarok.HandSize]...)
	d.Hands[p.After(2)] = tarok.SetOf(rest[tarok.HandSize : 2*tarok.HandSize]...)
	copy(d.Talon[:], rest[2*tarok.HandSize:])
	return d
}

// play plays the given number of cards, and returns fewer if a beggar ends before.
func (k skew) play(t *testing.T, rng *rand.Rand, s tarok.Setup, n int) (played []tarok.Card) {
	t.Helper()
	p, err := tarok.NewPosition(s)
	if err != nil {
		t.Fatal(err)
	}
	for len(played) < n && !p.Finished() {
		legal := p.Legal()
		if suits := legal &^ tarok.OfSuit(tarok.Taroks); k != anyDeal && suits != 0 {
			legal = suits
		}
		c := tarok.Any(rng, legal)
		p, _ = p.Play(c)
		played = append(played, c)
	}
	return played
}

// ---- all worlds by trying ----

// counts are how many worlds there are, and in how many of them each hidden card is at each place.
type counts struct {
	Worlds uint64
	Places map[string][worlds.Places]uint64
}

// enumerate tries each division of the cards that the player of the view does not see, and keeps those that are a legal setup, in which
// the cards played are legal, and which give the player the same view.
func enumerate(v *worlds.View, actual *tarok.Setup) (out counts, all map[tarok.Setup]bool) {
	out.Places, all = map[string][worlds.Places]uint64{}, map[tarok.Setup]bool{}
	var byPlayer [3]tarok.Set
	p, _ := tarok.NewPosition(*actual)
	for _, c := range v.Played {
		byPlayer[p.Turn()] = byPlayer[p.Turn()].With(c)
		p, _ = p.Play(c)
	}
	next, after, declarer := v.Player.Next(), v.Player.After(2), v.Declarer
	taken := actual.Taken()
	known := v.Hand | tarok.SetOf(v.Talon...)&^taken | v.Discards | byPlayer[0] | byPlayer[1] | byPlayer[2]
	if v.Player == declarer {
		known |= taken
	}
	third, size := worlds.InTalon, tarok.TalonSize-len(v.Talon)
	if v.Contract.Exchange() > 0 {
		third, size = worlds.InDiscards, v.Contract.Exchange()-v.Discards.Len()
	}
	hidden := (tarok.Deck &^ known).Slice()
	sizes := [3]int{tarok.HandSize - byPlayer[next].Len(), tarok.HandSize - byPlayer[after].Len(), size}
	places := [3]worlds.Place{worlds.Place(next), worlds.Place(after), third}

	try := func(piles [3]tarok.Set) {
		s := *actual
		s.Deal.Hands[next], s.Deal.Hands[after] = piles[0]|byPlayer[next], piles[1]|byPlayer[after]
		if third == worlds.InTalon {
			copy(s.Deal.Talon[len(v.Talon):], piles[2].Slice())
		} else if s.Discards = v.Discards | piles[2]; v.Player != declarer {
			s.Deal.Hands[declarer] = (s.Deal.Hands[declarer] | s.Discards) &^ taken
		}
		start, err := tarok.NewPosition(s)
		if err == nil {
			_, err = start.Replay(v.Played)
		}
		if err != nil || !cmp.Equal(worlds.ViewOf(&s, v.Played, v.Player), *v) {
			return
		}
		all[s] = true
		out.Worlds++
		for i, pile := range piles {
			for c := range pile.All() {
				row := out.Places[c.String()]
				row[places[i]]++
				out.Places[c.String()] = row
			}
		}
	}
	var divide func(i int, piles [3]tarok.Set)
	divide = func(i int, piles [3]tarok.Set) {
		if i == len(hidden) {
			try(piles)
			return
		}
		for pile := range piles {
			if piles[pile].Len() < sizes[pile] {
				with := piles
				with[pile] = with[pile].With(hidden[i])
				divide(i+1, with)
			}
		}
	}
	divide(0, [3]tarok.Set{})
	return out, all
}

func counted(w *worlds.Worlds) counts {
	out := counts{Worlds: w.Count(), Places: map[string][worlds.Places]uint64{}}
	for i, row := range w.Counts() {
		out.Places[w.Hidden()[i].String()] = row
	}
	return out
}

// TestEnumeration compares numbers and places with all worlds of endings, found by trying, for each contract. That each player was dealt
// a tarok excludes almost nothing in endings: TestStages and TestTable are about that.
func TestEnumeration(t *testing.T) {
	rng := random.New(1)
	narrowed, faceUp := 0, 0
	for _, contract := range tarok.Contracts() {
		for _, k := range []skew{anyDeal, noSuits} {
			if k == noSuits && contract.Exchange() == 0 {
				continue
			}
			most := 41
			if contract.Exchange() == 0 {
				most = 43 // six cards of the talon are hidden besides
			}
			for game := 0; game < 6; {
				s := k.draw(rng, contract)
				played := k.play(t, rng, s, most+game%3)
				if contract == tarok.Beggar && len(played) < most {
					continue
				}
				game++
				for _, p := range tarok.Players() {
					v := worlds.ViewOf(&s, played, p)
					w, err := worlds.New(v)
					if err != nil {
						t.Fatalf("%v seen by %s after %v: %v", s, p, played, err)
					}
					want, all := enumerate(&v, &s)
					if diff := cmp.Diff(want, counted(w)); diff != "" {
						t.Fatalf("%v seen by %s after %v (-all, +counted):\n%s", s, p, played, diff)
					}
					for n := range w.Count() {
						world := w.World(n)
						if !all[world] {
							t.Fatalf("world %d is none, or comes twice: %v", n, world)
						}
						delete(all, world)
					}
					if want.Worlds < 3 {
						narrowed++
					}
					if v.Discards != 0 && p != s.Declarer {
						faceUp++
					}
				}
			}
		}
	}
	for name, n := range map[string]int{"few worlds": narrowed, "taroks discarded": faceUp} {
		if n < 10 {
			t.Errorf("%s: %d cases, too few to say anything", name, n)
		}
	}
}

// TestSample draws worlds at all moments of games: each is legal and gives the player the same view.
func TestSample(t *testing.T) {
	rng := random.New(2)
	for _, contract := range tarok.Contracts() {
		for _, k := range []skew{anyDeal, oneTarok, oneDealt, noSuits} {
			if k >= oneDealt && contract.Exchange() == 0 {
				continue
			}
			for n := 0; n <= 48; n += 4 {
				s := k.draw(rng, contract)
				played := k.play(t, rng, s, n)
				for _, p := range tarok.Players() {
					v := worlds.ViewOf(&s, played, p)
					w, err := worlds.New(v)
					if err != nil {
						t.Fatalf("%v seen by %s after %v: %v", s, p, played, err)
					}
					for range 3 {
						world := w.Sample(rng)
						w.Position(world)
						if diff := cmp.Diff(v, worlds.ViewOf(&world, played, p)); diff != "" {
							t.Fatalf("the view of a world differs (-view, +world):\n%s", diff)
						}
					}
				}
			}
		}
	}
}

// TestSampleIsUniform draws from a view with few worlds, and counts.
func TestSampleIsUniform(t *testing.T) {
	rng := random.New(3)
	for {
		s := tarok.DrawSetup(rng, tarok.Two)
		v := worlds.ViewOf(&s, anyDeal.play(t, rng, s, 42), s.Declarer.Next())
		w, err := worlds.New(v)
		if err != nil {
			t.Fatal(err)
		}
		if w.Count() < 20 || w.Count() > 40 {
			continue
		}
		const each = 1000
		drawn := map[tarok.Setup]float64{}
		for range each * w.Count() {
			drawn[w.Sample(rng)]++
		}
		sum := 0.0 // chi-square with Count-1 degrees of freedom
		for n := range w.Count() {
			diff := drawn[w.World(n)] - each
			sum += diff * diff / each
		}
		if most := 3.5 * float64(w.Count()); sum > most {
			t.Errorf("chi-square %.1f of %d worlds, expected at most %.1f", sum, w.Count(), most)
		}
		return
	}
}

// TestStages counts the worlds before the play by formula.
func TestStages(t *testing.T) {
	s, _ := enginetest.Example()
	hand := s.Deal.Hands[tarok.A]
	talon := s.Deal.Talon[:]
	binomial := func(n, k int) (c uint64) {
		c = 1
		for i := range k {
			c = c * uint64(n-i) / uint64(i+1)
		}
		return c
	}
	// A has 7 taroks: 15 are hidden, and 23 other cards. Neither hand of 16 may be without a tarok.
	bidding := binomial(38, 16)*binomial(22, 16) - 2*binomial(23, 16)*binomial(22, 16)
	// The talon has 3 more taroks: 12 are hidden, and 20 other cards.
	exchange := binomial(32, 16) - 2*binomial(20, 16)
	// B sees 8 own taroks and the talon. Of the 34 hidden cards A took T20 and SC; the other 32 are 11 taroks, 3 kings and 18 plain cards,
	// of which C has 16. A discarded two of the plain cards that C does not have.
	var opponent uint64
	for taroks := 1; taroks < 11; taroks++ { // C and A were dealt one at least
		for kings := range 4 {
			n := tarok.HandSize - taroks - kings
			opponent += binomial(11, taroks) * binomial(3, kings) * binomial(18, n) * binomial(18-n+1, 2)
		}
	}
	tests := []struct {
		name string
		view worlds.View
		want uint64
	}{
		{"opponent before the first card", worlds.ViewOf(&s, nil, tarok.B), opponent},
		{"bidding", worlds.View{Player: tarok.A, Rules: tarok.DefaultRules, Hand: hand}, bidding},
		{"exchange", worlds.View{
			Player: tarok.A, Rules: tarok.DefaultRules, Hand: hand, Stage: worlds.Exchange, Contract: tarok.Two,
			Talon: talon,
		}, exchange},
		{"exchange of another", worlds.View{
			Player: tarok.A, Rules: tarok.DefaultRules, Hand: hand, Stage: worlds.Exchange, Contract: tarok.Two, Declarer: tarok.B, Talon: talon,
		}, exchange},
		{"declarer before the first card", worlds.ViewOf(&s, nil, tarok.A), exchange},
		{
			"zero",
			worlds.View{Player: tarok.A, Rules: tarok.DefaultRules, Hand: hand, Stage: worlds.Play, Contract: tarok.Zero, Declarer: tarok.B},
			bidding,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, err := worlds.New(tt.view)
			if err != nil {
				t.Fatal(err)
			}
			if got := w.Count(); got != tt.want {
				t.Errorf("%d worlds, want %d", got, tt.want)
			}
			d := w.Sample(random.New(4)).Deal
			if bad := d.Check(); len(bad) > 0 || d.Hands[tt.view.Player] != tt.view.Hand {
				t.Errorf("%v: %v", d, bad)
			}
		})
	}
}

// TestAllKnown: when every card was played there is one world.
func TestAllKnown(t *testing.T) {
	s, played := enginetest.Example()
	for _, p := range tarok.Players() {
		v := worlds.ViewOf(&s, played, p)
		w, err := worlds.New(v)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s, w.World(w.Count()-1)); diff != "" || w.Count() != 1 {
			t.Errorf("%s: %d worlds (-want, +got):\n%s", p, w.Count(), diff)
		}
	}
}

func TestViolations(t *testing.T) {
	s, played := enginetest.Example()
	set := enginetest.SetOf
	tests := []struct {
		name    string
		change  func(v *worlds.View)
		pointer string
	}{
		{"hand too small", func(v *worlds.View) { v.Hand = v.Hand.Without(v.Hand.First()) }, "/hand"},
		{"void deal", func(v *worlds.View) {
			v.Hand = set("H4", "H3", "H2", "H1", "HJ", "HC", "HQ", "HK", "D4", "D3", "D2", "D1", "DJ", "DC", "DQ", "DK")
		}, "/hand"},
		{"talon unseen", func(v *worlds.View) { v.Talon = nil }, "/talon"},
		{"talon in hand", func(v *worlds.View) { v.Talon[3] = v.Hand.First() }, "/talon/3"},
		{"no such group", func(v *worlds.View) { v.Group = 3 }, "/group"},
		{"suit discarded face up", func(v *worlds.View) { v.Discards = set("C8") }, "/discards/0"},
		{"pagat discarded", func(v *worlds.View) { v.Discards = set("T1") }, "/discards/0"},
		{"own card discarded", func(v *worlds.View) { v.Discards = set("T8") }, "/discards/0"},
		{"too many discards", func(v *worlds.View) { v.Discards = set("T3", "T4", "T6") }, "/discards"},
		{"discards of the declarer missing", func(v *worlds.View) { v.Player, v.Hand = tarok.A, s.Deal.Hands[tarok.A] }, "/discards"},
		{"suits after taroks were discarded", func(v *worlds.View) { v.Discards = set("T4") }, "/played/8"},
		{"exchange in klop", func(v *worlds.View) { *v = worlds.View{Hand: v.Hand, Stage: worlds.Exchange} }, "/contract"},
		{"cards before the play", func(v *worlds.View) { v.Stage = worlds.Exchange }, "/played"},
		{"played twice", func(v *worlds.View) { v.Played[3] = v.Played[0] }, "/played/3"},
		{"own card by another", func(v *worlds.View) { v.Played[0] = enginetest.Cards("T8")[0] }, "/played/0"},
		{"not held", func(v *worlds.View) { v.Played[1] = enginetest.Cards("D1")[0] }, "/played/1"},
		{"own revoke", func(v *worlds.View) { v.Played[1] = enginetest.Cards("T8")[0] }, "/played/1"},
		{"talon by an opponent", func(v *worlds.View) { v.Played[2] = enginetest.Cards("T5")[0] }, "/played/2"},
		{"revoke of another", func(v *worlds.View) { v.Played[26] = enginetest.Cards("C8")[0] }, "/played/26"},
		{"a card too many", func(v *worlds.View) { v.Played = append(v.Played, enginetest.Cards("C8")[0]) }, "/played/48"},
		{"discards of zero", func(v *worlds.View) {
			*v = worlds.View{Hand: v.Hand, Stage: worlds.Play, Contract: tarok.Zero, Discards: set("T4")}
		}, "/discards"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := worlds.ViewOf(&s, played, tarok.B)
			tt.change(&v)
			_, err := worlds.New(v)
			var bad tarok.Violations
			if !errors.As(err, &bad) || !slices.ContainsFunc(bad, func(b tarok.Violation) bool { return b.Pointer == tt.pointer }) {
				t.Errorf("%v, want an error at %s", err, tt.pointer)
			}
		})
	}
}

// TestNoWorld: each card is possible, but not all of them together.
func TestNoWorld(t *testing.T) {
	// A has 15 taroks, and leads them while B and C discard. B and C are then void in taroks, so the seven others are in the talon of six.
	hand := enginetest.SetOf("T8", "T9", "T10", "T11", "T12", "T13", "T14", "T15", "T16", "T17", "T18", "T19", "T20", "T21", "T22", "HK")
	v := worlds.View{
		Player: tarok.A, Rules: tarok.DefaultRules, Hand: hand, Stage: worlds.Play, Contract: tarok.Zero,
		Played: enginetest.Cards("T22", "H4", "D4"),
	}
	_, err := worlds.New(v)
	var bad tarok.Violations
	if !errors.As(err, &bad) || bad[0].Pointer != "/played" {
		t.Errorf("%v, want an error at /played", err)
	}
}

func BenchmarkNew(b *testing.B) {
	s, played := enginetest.Example()
	for _, n := range []int{0, 1, 24} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			v := worlds.ViewOf(&s, played[:n], tarok.B)
			for b.Loop() {
				_, _ = worlds.New(v)
			}
		})
	}
}

func BenchmarkSample(b *testing.B) {
	s, _ := enginetest.Example()
	w, err := worlds.New(worlds.ViewOf(&s, nil, tarok.B))
	if err != nil {
		b.Fatal(err)
	}
	rng := random.New(5)
	for b.Loop() {
		w.Sample(rng)
	}
}

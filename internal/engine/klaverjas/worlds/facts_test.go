package worlds_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// explained returns, by seat, the unseen cards that the facts leave to it.
func explained(k *worlds.Knowledge) (may [4]piquet.Set) {
	v := k.View()
	for _, s := range piquet.Seats() {
		if s != v.Seat {
			may[s] = piquet.Deck
		}
	}
	exclude(&may, k.Facts())
	for s := range may {
		may[s] &= k.Unseen()
	}
	return may
}

// exclude takes what facts exclude away.
func exclude(may *[4]piquet.Set, facts []worlds.Fact) {
	for _, f := range facts {
		may[f.Seat] &^= f.Excluded
		for _, s := range piquet.Seats() {
			if s != f.Seat {
				may[s] &^= f.Holds
			}
		}
	}
}

// The facts explain exactly which cards each seat may hold, each is true of the true deal, and none says what an earlier one says.
func TestFactsExplainTheKnowledge(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	kinds := map[worlds.FactKind]int{}
	for range 3000 {
		p, v := enginetest.RandomView(t, rng, rng.IntN(33))
		k := enginetest.Knowledge(t, v)
		got := explained(k)
		for _, s := range piquet.Seats() {
			if got[s] != k.May(s) {
				t.Fatalf("%+v: by the facts %s may hold %s, want %s:\n%s", v, s, got[s], k.May(s), texts(k.Facts()))
			}
		}
		checkFacts(t, p, v, k.Facts())
		for _, f := range k.Facts() {
			kinds[f.Kind]++
		}
	}
	for kind := range worlds.FactBelief {
		if kinds[kind] == 0 {
			t.Errorf("no fact of the kind %s", kind)
		}
	}
	if kinds[worlds.FactBelief] > 0 {
		t.Error("a belief is called a fact of the rules")
	}
}

// The public facts explain exactly which cards each seat may hold as all have seen it, also with cards that lie open, and each is true.
// With beliefs there are the same facts, and beliefs.
func TestPublicFactsExplainThePublicOwners(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 2))
	kinds := map[worlds.FactKind]int{}
	for n := range 3000 {
		p, v := enginetest.RandomView(t, rng, rng.IntN(33))
		var open [4]piquet.Set
		for _, s := range piquet.Seats() {
			for _, c := range p.Deal().Hands[s].Slice()[:n%8] {
				open[s] = open[s].With(c)
			}
		}
		v = v.Showing(open)
		k := enginetest.Knowledge(t, v)
		facts := k.PublicFacts(false)
		got := [4]piquet.Set{piquet.Deck, piquet.Deck, piquet.Deck, piquet.Deck}
		exclude(&got, facts)
		public := k.Public()
		for c := range (k.Unseen() | k.Own()).All() {
			var seats []piquet.Seat
			for _, s := range piquet.Seats() {
				if got[s].Has(c) {
					seats = append(seats, s)
				}
			}
			if diff := cmp.Diff(public.Holders(c), seats); diff != "" {
				t.Fatalf("%+v: by the facts the holders of %s (-want +got):\n%s\n%s", v, c, diff, texts(facts))
			}
		}
		v.Seat, v.Hand = 4, 0 // no hand is seen
		checkFacts(t, p, v, facts)
		var sure []worlds.Fact
		for _, f := range k.PublicFacts(true) {
			kinds[f.Kind]++
			if f.Kind != worlds.FactBelief {
				sure = append(sure, f)
			}
		}
		if diff := cmp.Diff(facts, sure); diff != "" {
			t.Fatalf("%+v: beliefs change the facts (-without +with):\n%s", v, diff)
		}
	}
	for kind := range worlds.FactBelief + 1 {
		if kinds[kind] == 0 {
			t.Errorf("no fact of the kind %s", kind)
		}
	}
}

// checkFacts compares facts with the true deal.
func checkFacts(t *testing.T, p klaverjas.Position, v worlds.View, facts []worlds.Fact) {
	t.Helper()
	var excluded, holds [4]piquet.Set
	last := -1
	for _, f := range facts {
		now, err := klaverjas.NewPosition(p.Rules(), p.Deal())
		if err == nil {
			now, err = now.Replay(v.Played[:f.Play+1])
		}
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case f.Play < last || f.Play >= len(v.Played):
			t.Fatalf("play %d after %d: %+v", f.Play, last, f)
		case f.Seat == v.Seat || f.Excluded|f.Holds == 0:
			t.Fatalf("no fact: %+v", f)
		case f.Excluded&now.Hand(f.Seat) != 0 || f.Holds&^now.Hand(f.Seat) != 0 && f.Kind != worlds.FactShown:
			t.Fatalf("not true, the seat holds %s: %+v", now.Hand(f.Seat), f)
		case f.Excluded&excluded[f.Seat] != 0 || f.Holds&holds[f.Seat] != 0:
			t.Fatalf("said before: %+v", f)
		case f.Excluded&v.Hand != 0 || f.Holds&v.Hand != 0:
			t.Fatalf("about the seat's own cards: %+v", f)
		case !strings.HasSuffix(f.Text, ".") || !strings.Contains(f.Text, f.Seat.String()):
			t.Fatalf("no sentence: %+v", f)
		}
		last = f.Play
		excluded[f.Seat] |= f.Excluded
		holds[f.Seat] |= f.Holds
	}
}

func texts(facts []worlds.Fact) string {
	var b strings.Builder
	for _, f := range facts {
		b.WriteString(f.Text + "\n")
	}
	return b.String()
}

// What single plays prove, by rules. South leads a plain suit or trump; West, North and East follow.
func TestFactsOfPlays(t *testing.T) {
	const (
		rotterdam = klaverjas.Rotterdam
		amsterdam = klaverjas.Amsterdam
	)
	south := "7C JC AC JH KH 7S 9S KS"
	for _, c := range []struct {
		name      string
		system    klaverjas.System
		underRuff klaverjas.UnderRuff
		played    string
		want      []string
	}{
		{"follows", rotterdam, klaverjas.Forced, "JH 8H", nil},
		{"ruffs", rotterdam, klaverjas.Forced, "JH 8S", []string{"W did not follow hearts: W has no hearts."}},
		{"does not ruff", rotterdam, klaverjas.Forced, "JH 8D", []string{
			"W did not follow hearts: W has no hearts.",
			"W could not follow hearts and did not ruff: W has no trump.",
		}},
		{"does not overruff", rotterdam, klaverjas.Forced, "JH QS 8S", []string{
			"W did not follow hearts: W has no hearts.",
			"N did not follow hearts: N has no hearts.",
			"N could not follow hearts and did not overruff the QS: N has no trump above it.",
			"No other hand can hold 7H, 8H, 9H, 10H, QH and AH: E has them.",
		}},
		{"discards on a ruff, under-ruffing forced", rotterdam, klaverjas.Forced, "JH QS 8D", []string{
			"W did not follow hearts: W has no hearts.",
			"N did not follow hearts: N has no hearts.",
			"N could not follow hearts and did not ruff: N has no trump.",
			"No other hand can hold 7H, 8H, 9H, 10H, QH and AH: E has them.",
		}},
		{"discards on a ruff, under-ruffing free", rotterdam, klaverjas.Free, "JH QS 8D", []string{
			"W did not follow hearts: W has no hearts.",
			"N did not follow hearts: N has no hearts.",
			"N could not follow hearts and did not overruff the QS: N has no trump above it.",
			"No other hand can hold 7H, 8H, 9H, 10H, QH and AH: E has them.",
		}},
		{"discards while the partner wins, amsterdam", amsterdam, klaverjas.Forbidden, "AC 8C 8D", []string{
			"N did not follow clubs: N has no clubs.",
		}},
		{"discards while the partner wins, rotterdam", rotterdam, klaverjas.Forced, "AC 8C 8D", []string{
			"N did not follow clubs: N has no clubs.",
			"N could not follow clubs and did not ruff: N has no trump.",
		}},
		{"a lower trump", rotterdam, klaverjas.Forced, "KS 8S", []string{"W did not play a trump above the KS: W has none."}},
		{"no trump", rotterdam, klaverjas.Forced, "KS 8D", []string{"W did not follow spades: W has no spades."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules := klaverjas.DefaultRules(c.system)
			rules.UnderRuff = c.underRuff
			k := enginetest.Knowledge(t, worlds.View{
				Rules: rules, Trump: piquet.Spades, Leader: piquet.South, Seat: piquet.South,
				Hand: enginetest.Set(t, south), Played: enginetest.List(t, c.played),
			})
			var got []string
			for _, f := range k.Facts() {
				got = append(got, f.Text)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// The least and the greatest number of cards of a suit agree with enumeration.
func TestSuits(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for range 150 {
		_, v := enginetest.RandomView(t, rng, 19+rng.IntN(14))
		k := enginetest.Knowledge(t, v)
		least, most := [4][4]int{}, [4][4]int{}
		for n := range k.Worlds() {
			w := k.World(n)
			for _, s := range piquet.Seats() {
				for _, suit := range piquet.Suits() {
					count := w[s].InSuit(suit).Len()
					if n == 0 {
						least[s][suit], most[s][suit] = count, count
					}
					least[s][suit], most[s][suit] = min(least[s][suit], count), max(most[s][suit], count)
				}
			}
		}
		for _, s := range piquet.Seats() {
			l, m := k.Suits(s)
			if l != least[s] || m != most[s] {
				t.Fatalf("%+v: %s has %v to %v, want %v to %v", v, s, l, m, least[s], most[s])
			}
		}
	}
}

// Possibles are 72 at the start, never more after a play than before, and none after the last.
func TestPossibles(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for range 100 {
		p, played := enginetest.RandomPlay(t, rng, 32)
		for _, s := range piquet.Seats() {
			before, paperBefore := 72, 72
			var may [4]piquet.Set
			for n := range 33 {
				k := enginetest.Knowledge(t, worlds.ViewOf(p, played[:n], s))
				sound, beliefs := k.Paper(false), k.Paper(true)
				got, paper := k.Possibles(), sound.Possibles()
				switch {
				case n == 0 && (got != 72 || paper != 72):
					t.Fatalf("%d and %d possibles at the start, want 72", got, paper)
				case got > before || paper > paperBefore:
					t.Fatalf("%d and %d possibles after play %d, before %d and %d", got, paper, n, before, paperBefore)
				case n == 32 && got+paper+beliefs.Possibles() != 0:
					t.Fatalf("%d, %d and %d possibles at the end", got, paper, beliefs.Possibles())
				}
				before, paperBefore = got, paper
				for _, other := range piquet.Seats() {
					if other == s {
						continue
					}
					if n > 0 && k.May(other)&^may[other] != 0 {
						t.Fatalf("%s may hold %s after play %d, %s before", other, k.May(other), n, may[other])
					}
					may[other] = k.May(other)
				}
			}
		}
	}
}

// What the paper's sound rules exclude, the rules exclude; its third rule is wrong in some deals, and is the only one that is.
func TestPaperLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	wrong, believed := 0, 0
	for range 2000 {
		p, v := enginetest.RandomView(t, rng, rng.IntN(33))
		k := enginetest.Knowledge(t, v)
		sound, beliefs := k.Paper(false), k.Paper(true)
		for _, s := range piquet.Seats() {
			if s == v.Seat {
				continue
			}
			if extra := k.May(s) &^ sound.May(s); extra != 0 {
				t.Fatalf("%+v: the paper's sound rules exclude %s of %s, which the seat may hold", v, extra, s)
			}
			if sound.Has(s)&^k.Has(s) != 0 {
				t.Fatalf("%+v: %s has %s by the paper, %s by the rules", v, s, sound.Has(s), k.Has(s))
			}
			if p.Hand(s)&^beliefs.May(s) != 0 {
				wrong++
			}
		}
		checkFacts(t, p, v, sound.Facts())
		for _, f := range beliefs.Facts() {
			if f.Kind == worlds.FactBelief {
				believed++
			}
		}
	}
	if believed < 100 || wrong == 0 {
		t.Errorf("%d beliefs, %d hands contradict them: the third rule is not tested", believed, wrong)
	}
}

// The paper's example of its third rule: South leads the ace of a plain suit and West follows with the ten.
func TestPaperThirdRule(t *testing.T) {
	v := worlds.View{
		Rules: klaverjas.DefaultRules(klaverjas.Amsterdam), Trump: piquet.Hearts, Leader: piquet.South, Seat: piquet.South,
		Hand: enginetest.Set(t, "AS 7C 8C 9C 7D 8D 9D 7H"), Played: enginetest.List(t, "AS 10S"),
	}
	k := enginetest.Knowledge(t, v)
	if got := k.Paper(false).May(piquet.West) & piquet.Deck.InSuit(piquet.Spades); got.Len() != 6 {
		t.Errorf("without beliefs W may hold %s", got)
	}
	beliefs := k.Paper(true)
	if got := beliefs.May(piquet.West).InSuit(piquet.Spades); got != 0 {
		t.Errorf("W is believed to hold some of %s", got)
	}
	want := "W played the 10S, the highest left, and lost it: W probably has no other spades.\n"
	if got := texts(beliefs.Facts()); got != want {
		t.Errorf("the facts are %q, want %q", got, want)
	}
	if got := beliefs.Share(enginetest.List(t, "KS")[0], piquet.North); got != 0.5 {
		t.Errorf("the KS is at N with %v, want 1/2", got)
	}
}

// The facts of the views of random play, from the first card to the last.
func BenchmarkFacts(b *testing.B) {
	rng := rand.New(rand.NewPCG(15, 1))
	known := make([]*worlds.Knowledge, 512)
	for i := range known {
		_, v := enginetest.RandomView(b, rng, i%32)
		known[i] = enginetest.Knowledge(b, v)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		known[i%len(known)].Facts()
	}
}

// The paper's level of such views.
func BenchmarkPaper(b *testing.B) {
	rng := rand.New(rand.NewPCG(15, 1))
	known := make([]*worlds.Knowledge, 512)
	for i := range known {
		_, v := enginetest.RandomView(b, rng, i%32)
		known[i] = enginetest.Knowledge(b, v)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		known[i%len(known)].Paper(true)
	}
}

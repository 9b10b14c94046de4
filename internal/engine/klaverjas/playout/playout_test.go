package playout_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// mixer is a policy that depends on everything that it may see, and on nothing else.
type mixer struct {
	seed  uint64
	scale float32 // of the logits: the larger, the surer it is
}

func (m mixer) Logits(t *playout.Table, own, legal piquet.Set, logits *[32]float32) {
	for c := range legal.All() {
		rng := rand.New(rand.NewPCG(m.seed<<32|uint64(own), uint64(t.Gone)<<8|uint64(c)))
		logits[c] = m.scale * rng.Float32()
	}
}

// randomDeal draws a deal under any rules.
func randomDeal(tb testing.TB, rng *rand.Rand) klaverjas.Position {
	tb.Helper()
	rules, err := enginetest.Rules(naive.RandomRules(rng))
	if err != nil {
		tb.Fatal(err)
	}
	trump, leader := piquet.Suit(rng.IntN(4)), piquet.Seat(rng.IntN(4))
	p, err := klaverjas.NewPosition(rules, klaverjas.Deal{
		Trump: trump, Leader: leader, Declarer: piquet.Team(rng.IntN(2)), Hands: index.Random(rng, trump, leader),
	})
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func play(tb testing.TB, p klaverjas.Position, c piquet.Card) klaverjas.Position {
	tb.Helper()
	next, err := p.Play(c)
	if err != nil {
		tb.Fatal(err)
	}
	return next
}

func tableOf(p klaverjas.Position) playout.Table {
	rules, d := p.Rules(), p.Deal()
	return playout.NewTable(&rules, d.Trump, d.Leader, d.Declarer)
}

func heldIn(p klaverjas.Position) (held [4]piquet.Set) {
	for _, s := range piquet.Seats() {
		held[s] = p.Hand(s)
	}
	return held
}

// plays plays n cards of a policy from the start of a hand.
func plays(tb testing.TB, p klaverjas.Position, policy playout.Policy, n int) (at klaverjas.Position, played []piquet.Card) {
	tb.Helper()
	table := tableOf(p)
	var logits [32]float32
	for range n {
		legal := p.Legal()
		policy.Logits(&table, p.Hand(p.Turn()), legal, &logits)
		c := playout.Likeliest(&logits, legal)
		table.Play(c)
		p, played = play(tb, p, c), append(played, c)
	}
	return p, played
}

// A table agrees with the position of the engine after every card, under all rules. It is the same if it is made of a view.
func TestTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 400 {
		p := randomDeal(t, rng)
		table := tableOf(p)
		var played []piquet.Card
		excluded := [4]piquet.Set{} // by seat, what the pairs of a card played and another card exclude
		for !p.Finished() {
			seat, legal := p.Turn(), p.Legal()
			if table.Turn() != seat || table.Legal(p.Hand(seat)) != legal || table.Trick != p.Trick() || table.Finished() {
				t.Fatalf("after %d cards: %s may play %s, the table has %s and %s", len(played), seat, legal, table.Turn(), table.Legal(p.Hand(seat)))
			}
			list := legal.Slice()
			c := list[rng.IntN(len(list))]
			for other := range (piquet.Deck &^ table.Gone).Without(c).All() {
				rules := p.Rules()
				if !rules.Legal(p.Deal().Trump, p.Trick(), piquet.SetOf(c, other)).Has(c) {
					excluded[seat] = excluded[seat].With(other)
				}
			}
			manner := mannerOf(p, c)
			table.Play(c)
			p, played = play(t, p, c), append(played, c)
			if by, how := table.By(c); by != seat || how != manner {
				t.Fatalf("%s was played by %s in manner %d, want %s and %d", c, by, how, seat, manner)
			}
			if table.Score != p.Score() || table.Taken != p.TricksTaken() || table.Gone != piquet.SetOf(played...) || table.Played != len(played) {
				t.Fatalf("after %v: %+v and %v, want %+v and %v", played, table.Score, table.Taken, p.Score(), p.TricksTaken())
			}
			for _, s := range piquet.Seats() {
				left := piquet.Deck &^ table.Gone
				if got, want := table.Excluded[s]&left, excluded[s]&left; got != want {
					t.Fatalf("after %v %s cannot hold %s, want %s", played, s, got, want)
				}
			}
		}
		if !table.Finished() || table.Outcome() != p.Outcome() {
			t.Fatalf("outcome %d, want %d", table.Outcome(), p.Outcome())
		}
		v := worlds.ViewOf(p, played, piquet.North)
		if diff := cmp.Diff(playout.TableOf(&v), table, cmp.AllowUnexported(playout.Table{}), cmp.Comparer(sameRules)); diff != "" {
			t.Fatalf("the table of the view (-) differs (+):\n%s", diff)
		}
	}
}

func sameRules(a, b klaverjas.Rules) bool { return a == b }

// mannerOf says how a card is played, in words of the rules.
func mannerOf(p klaverjas.Position, c piquet.Card) playout.Manner {
	trick := p.Trick()
	if trick.Len == 0 {
		return playout.Led
	}
	follows := c.Suit() == trick.Cards[0].Suit()
	switch partner := trick.Winner.Team() == p.Turn().Team(); {
	case follows && partner:
		return playout.FollowOver
	case follows:
		return playout.FollowUnder
	case partner:
		return playout.OtherOver
	default:
		return playout.OtherUnder
	}
}

// What a table excludes, no world has; and a world has no card that a table excludes.
func TestExcludedAgreesWithKnowledge(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for i := range 200 {
		p, played := plays(t, randomDeal(t, rng), mixer{uint64(i), 1}, i%32)
		v := worlds.ViewOf(p, played, p.Turn())
		k, err := worlds.New(v)
		if err != nil {
			t.Fatal(err)
		}
		table := playout.TableOf(&v)
		for _, s := range piquet.Seats() {
			if s != v.Seat && !(k.May(s) & table.Excluded[s]).Empty() {
				t.Errorf("after %v %s may hold %s, which the table excludes", played, s, k.May(s)&table.Excluded[s])
			}
		}
	}
}

// The cards thrown are the plain ones that did not follow suit.
func TestThrown(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	seen := 0
	for range 50 {
		p := randomDeal(t, rng)
		table := tableOf(p)
		var want piquet.Set
		for !p.Finished() {
			c := p.Legal().First()
			if trick := p.Trick(); trick.Len > 0 && c.Suit() != trick.Cards[0].Suit() && c.Suit() != table.Trump {
				want = want.With(c)
				seen++
			}
			table.Play(c)
			if table.Thrown != want {
				t.Fatalf("thrown %s, want %s", table.Thrown, want)
			}
			p = play(t, p, c)
		}
	}
	if seen == 0 {
		t.Error("no card was thrown")
	}
}

// The outcome agrees with the likeliest card of each seat, played by the engine.
func TestOutcome(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	differ := 0
	for i := range 300 {
		policy := mixer{uint64(i), 1}
		start := randomDeal(t, rng)
		p, played := plays(t, start, policy, i%32)
		v := worlds.ViewOf(p, played, p.Turn())
		table, held := playout.TableOf(&v), heldIn(p)
		for c := range p.Legal().All() {
			got := playout.Outcome(policy, table, held, c)
			at, line := play(t, p, c), append(slices.Clip(played), c)
			for !at.Finished() {
				view := worlds.ViewOf(at, line, at.Turn())
				now := playout.TableOf(&view)
				var logits [32]float32
				policy.Logits(&now, at.Hand(at.Turn()), at.Legal(), &logits)
				next := playout.Likeliest(&logits, at.Legal())
				at, line = play(t, at, next), append(line, next)
			}
			other := mixer{uint64(i) + 1000, 1}
			if same := playout.OutcomeOf([2]playout.Policy{policy, policy}, table, held, c); same != got {
				t.Fatalf("after %v and %s the outcome is %d, and %d with the policy of each team", played, c, got, same)
			}
			if playout.OutcomeOf([2]playout.Policy{policy, other}, table, held, c) != got {
				differ++
			}
			if got != at.Outcome() {
				t.Fatalf("after %v and %s the outcome is %d, want %d", played, c, got, at.Outcome())
			}
		}
	}
	if differ == 0 {
		t.Error("another policy of the opponents never changes the outcome")
	}
}

// Probabilities agree with the softmax, also for logits far from 0, and other cards are not touched.
func TestProbabilities(t *testing.T) {
	legal := piquet.SetOf(3, 9, 30)
	for name, tt := range map[string]struct{ logits, want [3]float64 }{
		"equal":  {[3]float64{1, 1, 1}, [3]float64{1 / 3., 1 / 3., 1 / 3.}},
		"log":    {[3]float64{0, math.Log(2), math.Log(5)}, [3]float64{1 / 8., 2 / 8., 5 / 8.}},
		"large":  {[3]float64{1000, 1000, -1000}, [3]float64{.5, .5, 0}},
		"small":  {[3]float64{-5000, -6000, -6000}, [3]float64{1, 0, 0}},
		"middle": {[3]float64{0, 40, 0}, [3]float64{0, 1, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var logits [32]float32
			p := [32]float64{0: 7, 31: 7}
			for i, c := range legal.Slice() {
				logits[c] = float32(tt.logits[i])
			}
			playout.Probabilities(&logits, legal, &p)
			for i, c := range legal.Slice() {
				if math.Abs(p[c]-tt.want[i]) > 1e-6 {
					t.Errorf("card %s: %v, want %v", c, p[c], tt.want[i])
				}
			}
			if p[0] != 7 || p[31] != 7 {
				t.Error("a card that is not legal has changed")
			}
		})
	}
}

func BenchmarkTable(b *testing.B) {
	p := randomDeal(b, rand.New(rand.NewPCG(5, 1)))
	start := tableOf(p)
	_, played := plays(b, p, mixer{1, 1}, 32)
	b.ReportAllocs()
	for b.Loop() {
		t := start
		for _, c := range played {
			t.Play(c)
		}
	}
}

package main

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"roem/internal/bench"
	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/enginetest/naive"
)

// Against the judge, which knows nothing of this module: the values, in either order of the cards.
func TestPlainAgainstMinimax(t *testing.T) {
	for count, repetitions := range map[int]int{1: 400, 2: 4_000, 3: 4_000, 4: 200} {
		if testing.Short() {
			repetitions /= 10
		}
		for i := range repetitions {
			rng := rand.New(rand.NewPCG(61, uint64(count<<32+i)))
			s := naive.RandomEndgame(rng, naive.Default("rotterdam"), naive.Kind(i%int(naive.Kinds)), count)
			if len(s.Trick) > 0 {
				continue
			}
			want, _, positions := naive.Minimax(s)
			position, err := enginetest.Endgame(s)
			if err != nil {
				t.Fatal(err)
			}
			for _, backwards := range []bool{false, true} {
				p, err := newPlain(position, backwards, 1<<40)
				if err != nil {
					t.Fatal(err)
				}
				got, leaves, err := p.solve()
				if err != nil || got != want {
					t.Fatalf("%v: outcome %d, error %v, want %d", s, got, err, want)
				}
				if leaves == 0 || leaves > uint64(positions) {
					t.Fatalf("%v: %d leaves of %d positions", s, leaves, positions)
				}
			}
		}
	}
}

// Two cards a hand and no choice but the lead: leaves and outcome can be counted by hand.
func TestLeaves(t *testing.T) {
	// Hearts are trump, and gone. Each of N's leads takes all the other spades: with the ace 20 for 7 8 9, with the ten 50
	// for 7 8 9 10. The declarers have every trick: 162 and 100 for the pit besides.
	set := func(names ...string) (s cards.Set) {
		for _, name := range names {
			c, err := cards.ParseCard(name)
			if err != nil {
				t.Fatal(err)
			}
			s = s.With(c)
		}
		return s
	}
	position, err := klaverjas.Endgame(klaverjas.DefaultRules(klaverjas.Rotterdam), klaverjas.EndgameState{
		Trump: cards.Hearts, Declarer: cards.NorthSouth, Leader: cards.North,
		Hands: [4]cards.Set{set("AS", "10S"), set("7S", "7C"), set("8S", "8D"), set("9S", "7D")},
		Score: klaverjas.Score{Tricks: [2]int{131, 0}}, TricksTaken: [2]int{6, 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlain(position, false, 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	outcome, leaves, err := p.solve()
	if err != nil {
		t.Fatal(err)
	}
	if outcome != 312 || leaves != 2 {
		t.Errorf("outcome %d from %d leaves, want 312 from 2", outcome, leaves)
	}
}

func TestLimit(t *testing.T) {
	deals, err := bench.Deals(bench.Uniform, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	const most = 1_000
	p, err := newPlain(deals[0], false, most)
	if err != nil {
		t.Fatal(err)
	}
	if _, leaves, err := p.solve(); !errors.Is(err, errTooLong) || leaves != most+1 {
		t.Errorf("stopped after %d leaves, error = %v; want %d and errTooLong", leaves, err, most+1)
	}
}

func TestOtherRulesAreRefused(t *testing.T) {
	deals, err := bench.Deals(bench.Uniform, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	amsterdam, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Amsterdam), deals[0].Deal())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newPlain(amsterdam, false, 1); err == nil {
		t.Error("a search of an Amsterdam deal under Rotterdam's rules")
	}
}

func TestRun(t *testing.T) {
	var out, log strings.Builder
	if err := run(t.Context(), &out, &log, options{uniform: 3, classUniform: 2, seed: 1, most: 20_000}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| uniform | class-uniform |", "| deals | 3 | 2 |", "| finished |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if err := run(t.Context(), &out, &log, options{seed: 1, most: 1}); err == nil {
		t.Error("no deals, no error")
	}
}

func BenchmarkPlain(b *testing.B) {
	deals, err := bench.Deals(bench.Uniform, 10, 1)
	if err != nil {
		b.Fatal(err)
	}
	total := uint64(0)
	for b.Loop() {
		for _, deal := range deals {
			p, err := newPlain(deal, false, 300_000)
			if err != nil {
				b.Fatal(err)
			}
			_, leaves, _ := p.solve()
			total += leaves
		}
	}
	b.ReportMetric(float64(total)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}

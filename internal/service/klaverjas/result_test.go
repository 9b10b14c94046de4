package klaverjas

import (
	"context"
	"math/rand/v2"
	"testing"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// redealt returns the position with other rules or another deal and the same played cards, which must be legal.
func redealt(t *testing.T, p Position, change func(*klaverjas.Rules, *klaverjas.Deal)) Position {
	t.Helper()
	rules, deal := p.start.Rules(), p.start.Deal()
	change(&rules, &deal)
	start, err := klaverjas.NewPosition(rules, deal)
	if err != nil {
		t.Fatal(err)
	}
	now, err := start.Replay(p.played)
	if err != nil {
		t.Fatal(err)
	}
	return Position{now: now, start: start, played: p.played}
}

// others returns positions that differ from p in one property on which its answer may depend.
func others(t *testing.T, rng *rand.Rand, p Position) map[string]Position {
	t.Helper()
	next := p
	card := p.now.Legal().Slice()[0]
	var err error
	if next.now, err = p.now.Play(card); err != nil {
		t.Fatal(err)
	}
	next.played = append(append([]piquet.Card(nil), p.played...), card)
	return map[string]Position{
		"another deal":     randomPosition(t, rng, len(p.played)),
		"a card later":     next,
		"another declarer": redealt(t, p, func(_ *klaverjas.Rules, d *klaverjas.Deal) { d.Declarer = 1 - d.Declarer }),
		"another bonus":    redealt(t, p, func(r *klaverjas.Rules, _ *klaverjas.Deal) { r.FourOfAKind[0] = 150 }),
		"another pit":      redealt(t, p, func(r *klaverjas.Rules, _ *klaverjas.Deal) { r.Pit.Defenders += 10 }),
	}
}

// A value of another position is a miss, even with the key of the position. A value of goal win has only its checksum to detect that.
func TestValuesOfOtherPositions(t *testing.T) {
	rng := index.NewRand(3)
	solver := search.New(search.Options{TableBytes: 1 << 20})
	for range 20 {
		p := randomPosition(t, rng, 20+rng.IntN(8))
		for goal := search.Win; goal <= search.Moves; goal++ {
			result, err := solver.Solve(t.Context(), search.Query{Position: p.now, Goal: goal})
			if err != nil {
				t.Fatal(err)
			}
			value := fromResult(result).value(p.now)
			if _, ok := readResult(value, goal, p.now); !ok {
				t.Errorf("%v: not read", goal)
			}
			for name, other := range others(t, rng, p) {
				if f, ok := readResult(value, search.Win, other.now); ok {
					t.Errorf("%v, %s: read %+v", goal, name, f)
				}
			}
		}
	}
}

// An analysis of another position, or of the same deal with other cards played, is a miss.
func TestAnalysesOfOtherPositions(t *testing.T) {
	rng := index.NewRand(4)
	g := newGame(t, service.Options{Slots: 1, Cache: solvecache.New()}, Options{TableBytes: 1 << 20})
	for range 5 {
		p := randomPosition(t, rng, 26)
		twin, err := newCanonical(p)
		if err != nil {
			t.Fatal(err)
		}
		var value []byte
		if err := g.service.Part(t.Context(), func(ctx context.Context, task *computation.Task) (err error) {
			value, err = g.analyse(ctx, twin, task)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if _, list, ok := readAnalysis(value, twin.Position); !ok || len(list) != len(p.played) {
			t.Errorf("read %d cards, %t", len(list), ok)
		}
		all := others(t, rng, twin.Position)
		swapped := twin.Position
		swapped.played = append([]piquet.Card(nil), swapped.played...)
		swapped.played[0], swapped.played[4] = swapped.played[4], swapped.played[0]
		all["other cards played"] = swapped
		for name, other := range all {
			if _, _, ok := readAnalysis(value, other); ok {
				t.Errorf("%s: read", name)
			}
		}
		for i := range value {
			damaged := append([]byte(nil), value...)
			damaged[i] ^= byte(1 + rng.IntN(255))
			if _, _, ok := readAnalysis(damaged, twin.Position); ok {
				t.Errorf("read with byte %d changed", i)
			}
		}
	}
}

// BenchmarkReadResult reads the cached value of a whole deal.
func BenchmarkReadResult(b *testing.B) {
	p := randomPosition(b, index.NewRand(1), 0)
	solver := search.New(search.Options{})
	for goal := search.Win; goal <= search.Moves; goal++ {
		b.Run(goal.String(), func(b *testing.B) {
			result, err := solver.Solve(b.Context(), search.Query{Position: p.now, Goal: goal})
			if err != nil {
				b.Fatal(err)
			}
			value := fromResult(result).value(p.now)
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := readResult(value, goal, p.now); !ok {
					b.Fatal("not read")
				}
			}
		})
	}
}

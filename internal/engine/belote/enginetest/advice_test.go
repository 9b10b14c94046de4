package enginetest

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/advice"
	"roem/internal/engine/belote/enginetest/naive"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// late is a view in which cards are face down, and the same in the reference implementation.
type late struct {
	view   *worlds.View
	flip   worlds.Flip
	game   *naive.Game
	unseen []string
}

// lateViews draws deals and plays random cards to views with two to four unseen cards and at most the given number of cards left.
func lateViews(t *testing.T, suits, most, n int) (out []late) {
	t.Helper()
	deck, trumps := Deals(suits)
	for seed := uint64(0); len(out) < n; seed++ {
		rng := random.New(seed)
		d := belote.Random(rng, deck, trumps[seed%uint64(len(trumps))])
		d.Leader, d.Declarer = belote.Player(seed&1), belote.Player(seed>>1&1)
		flip := worlds.Flip(seed >> 2 & 1)
		p, err := belote.NewPosition(d)
		if err != nil {
			t.Fatal(err)
		}
		g := Naive(d)
		var played []piquet.Card
		for !p.Finished() {
			v, err := worlds.Of(&p, played, flip)
			if err != nil {
				t.Fatal(err)
			}
			if h := v.Hidden(); h >= 2 && h <= 4 && v.Left() <= most && random.Below(rng, 2) == 0 {
				game := g.Copy()
				if led, ok := p.Led(); ok && flip == worlds.AfterTrick {
					// The card below the lead is on top in the reference implementation, and not turned yet.
					for _, stack := range game.Stacks[p.Leader().String()] {
						if under := p.Under(led); !under.Empty() && len(stack) > 0 && stack[0] == under.First().String() {
							stack[0] = naive.Unknown
						}
					}
				}
				var tops []string
				for c := range v.Covers().All() {
					tops = append(tops, c.String())
				}
				game.Hide(tops...)
				var unseen []string
				for c := range v.Unseen().All() {
					unseen = append(unseen, c.String())
				}
				out = append(out, late{v, flip, game, unseen})
				break
			}
			legal := p.Legal().Slice()
			c := legal[random.Below(rng, uint64(len(legal)))]
			g.Play(c.String())
			if p, err = p.Play(c); err != nil {
				t.Fatal(err)
			}
			played = append(played, c)
		}
	}
	return out
}

// worth returns what the declarer plays for.
func (l *late) worth(u search.Utility) func(*naive.Game) int64 {
	threshold := l.view.Deal().Threshold
	return func(g *naive.Game) int64 {
		points := g.Points[g.Declarer]
		if u == search.Points {
			return int64(points)
		}
		if points >= threshold {
			return 1
		}
		return 0
	}
}

func (l *late) ask(t *testing.T, u search.Utility) (advice.Question, advice.Advice) {
	t.Helper()
	q := advice.Question{View: l.view, Flip: l.flip, Utility: u, Worlds: 1000}
	tally, err := q.Ask(t.Context(), search.New(search.Options{}), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := q.Advise(tally)
	return q, a
}

// The expectimax of every card agrees with the plain one, which enumerates everything with other code, to the last bit. The means over all
// worlds agree with minimax in every world.
func TestExpectimax(t *testing.T) {
	for suits, most := range map[int]int{1: 7, 2: 8} {
		apart := 0
		for _, l := range lateViews(t, suits, most, 50) {
			for _, u := range []search.Utility{search.Points, search.Contract} {
				_, a := l.ask(t, u)
				got, want := map[string]string{}, map[string]string{}
				sampled, mean := map[string]string{}, map[string]string{}
				for _, v := range a.Cards {
					worlds := int64(l.view.Worlds())
					got[v.Card.String()] = big.NewRat(int64(v.Expectimax*float64(worlds)+0.5), worlds).String()
					sampled[v.Card.String()] = big.NewRat(int64(v.Sampled.Mean*float64(worlds)+0.5), worlds).String()
					if v.Expectimax != v.Sampled.Mean {
						apart++
					}
				}
				for _, card := range l.game.Legal() {
					next := l.game.Copy()
					next.Play(card)
					want[card] = next.Expectimax(l.unseen, l.flip == worlds.Immediate, l.worth(u)).String()
					sum := new(big.Rat)
					for _, world := range next.Worlds(l.unseen) {
						sum.Add(sum, world.Expectimax(nil, true, l.worth(u)))
					}
					mean[card] = sum.Quo(sum, big.NewRat(int64(l.view.Worlds()), 1)).String()
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%d suits, %v, %v: expectimax (-want +got)\n%s", suits, l.view.Played(), u, diff)
				}
				if diff := cmp.Diff(mean, sampled); diff != "" {
					t.Fatalf("%d suits, %v, %v: all worlds (-want +got)\n%s", suits, l.view.Played(), u, diff)
				}
			}
		}
		if apart == 0 && suits == 2 {
			t.Error("the means over the worlds never differ from expectimax: no view shows strategy fusion")
		}
	}
}

// If only the declarer has choices left, seeing the hidden cards can only help: no card is worth less in the worlds than by expectimax. If
// only the other has choices, no card is worth more. If neither has, they are equal.
func TestFusionHasASign(t *testing.T) {
	var free [2]int
	for _, l := range lateViews(t, 2, 9, 1000) {
		declarer := l.view.Deal().Declarer
		us := l.game.Chooses(declarer.String(), l.unseen)
		them := l.game.Chooses(declarer.Other().String(), l.unseen)
		if us && them {
			continue
		}
		_, a := l.ask(t, search.Points)
		for _, v := range a.Cards {
			d := v.Sampled.Mean - v.Expectimax
			if !us && d > 1e-9 || !them && d < -1e-9 {
				t.Errorf("%v: %s is worth %v in the worlds and %v by expectimax; the declarer chooses: %v, the other: %v",
					l.view.Played(), v.Card, v.Sampled.Mean, v.Expectimax, us, them)
			}
		}
		if us {
			free[0]++
		}
		if them {
			free[1]++
		}
	}
	if free[0] < 5 || free[1] < 5 {
		t.Errorf("%v views in which one player alone has choices", free)
	}
}

// Sampled means approach the means of all worlds, and their standard errors say how near they are.
func TestSamplingConverges(t *testing.T) {
	far, n := 0, 0
	for _, l := range lateViews(t, 2, 12, 40) {
		if l.view.Worlds() < 24 {
			continue
		}
		all := advice.Question{View: l.view, Flip: l.flip, Worlds: 24, Method: advice.Sampling}
		some := advice.Question{View: l.view, Flip: l.flip, Worlds: 23, Method: advice.Sampling, Seed: 5}
		var means [2]map[piquet.Card]advice.Value
		for i, q := range []advice.Question{all, some} {
			tally, err := q.Ask(t.Context(), search.New(search.Options{}), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			means[i] = map[piquet.Card]advice.Value{}
			for _, v := range q.Advise(tally).Cards {
				means[i][v.Card] = v
			}
		}
		for c, want := range means[0] {
			got := means[1][c]
			n++
			if want.Value.Error != 0 {
				t.Errorf("the standard error over all worlds is %v", want.Value.Error)
			}
			if d := got.Value.Mean - want.Value.Mean; d*d > 9*got.Value.Error*got.Value.Error {
				far++
			}
		}
	}
	if n < 50 || far > n/20 {
		t.Errorf("%d of %d sampled means are more than three standard errors from the mean over all worlds", far, n)
	}
}

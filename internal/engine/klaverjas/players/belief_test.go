package players

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// equalWeights is a belief without an opinion.
func equalWeights(k *worlds.Knowledge) (*worlds.Weighted, error) {
	var w [32][4]float64
	for c := range w {
		w[c] = [4]float64{1, 1, 1, 1}
	}
	return k.Weighted(&w)
}

// Where all worlds are searched, a belief without an opinion plays the card of pimc.
func TestBeliefWithoutOpinion(t *testing.T) {
	c := between(t, "random", "random", 6)
	checked := 0
	c.Record = func(r Record) error {
		p := start(t, r)
		for _, card := range r.Played[:20] {
			p = after(t, p, card)
		}
		v := worlds.ViewOf(p, r.Played[:20], p.Turn())
		k, err := worlds.New(v)
		if err != nil || k.Worlds() > 400 {
			return err
		}
		choose := func(of string, tools *Tools) piquet.Card {
			choice, err := kind(t, of).New(Place{Seat: v.Seat, Rand: randFor(1, 2, v.Seat), Tools: tools}).Choose(t.Context(), v)
			if err != nil {
				t.Fatal(err)
			}
			return choice.Card
		}
		if got, want := choose("belief:400", &Tools{Believe: equalWeights}), choose("pimc:400", &Tools{}); got != want {
			t.Errorf("the belief plays %s, pimc %s", got, want)
		}
		checked++
		return nil
	}
	run(t, c)
	if checked == 0 {
		t.Error("no position had few worlds")
	}
}

// Draw returns all worlds with their probabilities if there are no more, and otherwise as many as were asked for.
func TestDraw(t *testing.T) {
	c := between(t, "random", "random", 4)
	few, many := 0, 0
	c.Record = func(r Record) error {
		p := start(t, r)
		for n, card := range r.Played {
			k, err := worlds.New(worlds.ViewOf(p, r.Played[:n], p.Turn()))
			if err != nil {
				return err
			}
			w, err := equalWeights(k)
			if err != nil {
				return err
			}
			drawn := Draw(k, w, rand.New(rand.NewPCG(1, uint64(n))), 30)
			sum := 0.0
			for _, d := range drawn {
				sum += d.Weight
				if _, ok := k.Rank(d.World); !ok {
					t.Errorf("%v is not a world", d.World)
				}
			}
			if k.Worlds() <= 30 {
				few++
				if uint64(len(drawn)) != k.Worlds() || math.Abs(sum-1) > 1e-9 {
					t.Errorf("%d of %d worlds with a probability of %v", len(drawn), k.Worlds(), sum)
				}
			} else {
				many++
				if len(drawn) != 30 {
					t.Errorf("%d worlds, want 30", len(drawn))
				}
			}
			p = after(t, p, card)
		}
		return nil
	}
	run(t, c)
	if few == 0 || many == 0 {
		t.Errorf("%d views with few worlds, %d with many", few, many)
	}
}

// Without a model, a belief player is at fault with a reason.
func TestBeliefWithoutModel(t *testing.T) {
	_, err := between(t, "belief:5", "random", 1).Run(context.Background())
	if fault, ok := errors.AsType[*Fault](err); !ok || !errors.Is(fault, errNoBelief) {
		t.Errorf("error %v", err)
	}
}

// start returns the position before the first card of a record of the default rules.
func start(t *testing.T, r Record) klaverjas.Position {
	t.Helper()
	p, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), r.Deal)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// after returns the position after a card.
func after(t *testing.T, p klaverjas.Position, c piquet.Card) klaverjas.Position {
	t.Helper()
	next, err := p.Play(c)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

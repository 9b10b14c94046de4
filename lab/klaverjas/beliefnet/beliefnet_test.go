package beliefnet

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/belief"
	"roem/lab/klaverjas/games"
)

// someGames returns games of the simple player, whose play tells much about its cards.
func someGames(tb testing.TB, n int, seed uint64) []games.Game {
	tb.Helper()
	kind, err := players.ParseKind("simple", 0)
	if err != nil {
		tb.Fatal(err)
	}
	var rows bytes.Buffer
	if err := games.Make(tb.Context(), &rows, games.Settings{
		Player: kind, Games: n, Seed: seed, Workers: 2, Tools: func() *players.Tools { return new(players.Tools) },
	}); err != nil {
		tb.Fatal(err)
	}
	all, err := games.Read(&rows)
	if err != nil || len(all) != n {
		tb.Fatalf("%d games, %v", len(all), err)
	}
	return all
}

// The gradient agrees with the loss, by finite differences.
func TestGradient(t *testing.T) {
	all := someGames(t, 3, 1)
	rng := rand.New(rand.NewPCG(2, 1))
	n := belief.New(6)
	for _, list := range n.Params() {
		for i := range list {
			list[i] = float32(rng.NormFloat64() * 0.2)
		}
	}
	var sp belief.Space
	tested := 0
	for i, at := range []int{2, 13, 22} {
		ex, err := ExampleAt(&all[i], at, piquet.Seat(i))
		if err != nil {
			t.Fatal(err)
		}
		params := n.Params()
		var grad [8][]float32
		for l := range grad {
			grad[l] = make([]float32, len(params[l]))
		}
		if _, err := backward(n, &ex, &sp, make([]float32, n.Hidden), &grad); err != nil {
			t.Fatal(err)
		}
		loss := func() float64 {
			w, err := n.Of(ex.Knowledge, &sp)
			if err != nil {
				t.Fatal(err)
			}
			return -w.LogProbability(ex.World)
		}
		for l := range params {
			for range 400 {
				j := rng.IntN(len(params[l]))
				if grad[l][j] == 0 {
					continue
				}
				const h = 2e-3
				before, here := params[l][j], loss()
				params[l][j] = before + h
				up := (loss() - here) / h
				params[l][j] = before - h
				down := (here - loss()) / h
				params[l][j] = before
				if math.Abs(up-down) > 0.02 { // the rectifier bends between the two
					continue
				}
				want, got := (up+down)/2, float64(grad[l][j])
				if math.Abs(got-want) > 0.02*(math.Abs(want)+0.1) {
					t.Errorf("view %d, list %d, parameter %d: gradient %v, by differences %v", i, l, j, got, want)
				}
				tested++
			}
		}
	}
	if tested < 100 {
		t.Errorf("only %d parameters tested", tested)
	}
}

// A short training learns from play: on other games it gives the true cards more probability than uniform knowledge.
func TestTrainLearns(t *testing.T) {
	train, test := someGames(t, 400, 3), someGames(t, 200, 4)
	settings := Settings{Hidden: 16, Batch: 32, Steps: 400, Rate: 0.005, Seed: 1, Progress: func(int, float64) {}}
	n, err := Train(t.Context(), train, settings)
	if err != nil {
		t.Fatal(err)
	}
	views, err := Views(test, 1)
	if err != nil {
		t.Fatal(err)
	}
	uniform, err := Measure(Uniform(), &views, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	scores, err := Measure(Belief("network", n), &views, 1, 20)
	if err != nil {
		t.Fatal(err)
	}
	for i := 2; i < 5; i++ {
		if gain, deviation := scores[i].Gain(&uniform[i]); gain < 2*deviation {
			t.Errorf("trick %d: a gain of %.4f a card, with a standard error of %.4f", i+1, gain, deviation)
		}
	}
	again, err := Train(t.Context(), train, settings)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Encode(), n.Encode()) {
		t.Error("equal trainings give different weights")
	}
}

// Exact knowledge of random deals is calibrated: its error is not above the limit of a calibrated estimate.
func TestCalibration(t *testing.T) {
	views, err := Views(someGames(t, 30, 5), 1)
	if err != nil {
		t.Fatal(err)
	}
	scores, err := Measure(Uniform(), &views, 1, 20)
	if err != nil {
		t.Fatal(err)
	}
	for trick := range scores {
		c := &scores[trick].Calibration
		// Before a card is played each probability is a third, and as many pairs are true in any world.
		if c.Expected < 0 || c.Expected > c.Limit+1e-9 || trick > 0 && c.Expected == 0 {
			t.Errorf("trick %d: a calibrated estimate has an error of %.4f, 95 %% of them at most %.4f", trick+1, c.Expected, c.Limit)
		}
		if got := c.ECE(); got > 2*c.Limit+1e-9 { // exact knowledge of random deals is calibrated
			t.Errorf("trick %d: uniform knowledge has an error of %.4f, the limit is %.4f", trick+1, got, c.Limit)
		}
	}
}

package policynet

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/model/klaverjas/policy"
	"roem/lab/klaverjas/games"
)

// someGames returns games of the simple player, whose choices can be learned.
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

func decisionsOf(all []games.Game) (list []Decision) {
	for i := range all {
		list = Decisions(list, &all[i])
	}
	return list
}

func randomNetwork(hidden int, seed uint64) *policy.Network {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := policy.New(hidden)
	for _, list := range n.Params() {
		for i := range list {
			list[i] = float32(rng.NormFloat64() * 0.2)
		}
	}
	return n
}

// checkGradient compares t.grad with finite differences of a loss.
func checkGradient(t *testing.T, tr *trainer, rng *rand.Rand, loss func() float64) {
	t.Helper()
	tested := 0
	for l, list := range tr.parts {
		for range 300 {
			j := rng.IntN(len(list))
			if tr.grad[l][j] == 0 {
				continue
			}
			const h = 2e-3
			before, here := list[j], loss()
			list[j] = before + h
			up := (loss() - here) / h
			list[j] = before - h
			down := (here - loss()) / h
			list[j] = before
			if math.Abs(up-down) > 0.02 { // the rectifier bends between the two
				continue
			}
			if want, got := (up+down)/2, float64(tr.grad[l][j]); math.Abs(got-want) > 0.02*(math.Abs(want)+0.1) {
				t.Errorf("list %d, parameter %d: gradient %v, by differences %v", l, j, got, want)
			}
			tested++
		}
	}
	if tested < 100 {
		t.Errorf("only %d parameters tested", tested)
	}
}

// The gradient of the imitation agrees with the logarithm of the probability of the choice.
func TestImitationGradient(t *testing.T) {
	list := decisionsOf(someGames(t, 2, 1))
	rng := rand.New(rand.NewPCG(1, 1))
	for _, at := range []int{0, 15, 31} {
		d := &list[at]
		tr := newTrainer(randomNetwork(8, uint64(at)))
		tr.imitate(d)
		checkGradient(t, tr, rng, func() float64 {
			var logits [32]float32
			var p [32]float64
			tr.n.Forward(new(policy.Space), &d.Table, d.Own, d.Legal, &logits)
			playout.Probabilities(&logits, d.Legal, &p)
			return -math.Log(p[d.Card])
		})
	}
}

// The gradient of the improvement agrees with the mean result of the choices, each played to its end by a fixed policy, and of the
// entropy.
func TestImprovementGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	fixed := randomNetwork(8, 7).Seat()
	for i, game := range someGames(t, 3, 2) {
		tr := newTrainer(randomNetwork(8, uint64(i)))
		moments := tr.play(rng, &game.Rules, game.Deal, nil)
		m := &moments[3+5*i]
		seat := m.table.Turn()
		const weight = 0.3
		sign := 1.0
		if seat.Team() != m.table.Declarer {
			sign = -1
		}
		gain := tr.learn(m, fixed, weight)
		var result [32]float64
		for c := range m.legal.All() {
			result[c] = sign * float64(playout.Outcome(fixed, m.table, m.held, c))
		}
		value := func() (mean, random, entropy float64) {
			var logits [32]float32
			var p [32]float64
			tr.n.Forward(new(policy.Space), &m.table, m.held[seat], m.legal, &logits)
			playout.Probabilities(&logits, m.legal, &p)
			for c := range m.legal.All() {
				mean += p[c] * result[c]
				random += result[c] / float64(m.legal.Len())
				entropy -= p[c] * math.Log(p[c])
			}
			return mean, random, entropy
		}
		mean, random, _ := value()
		if math.Abs(gain-(mean-random)) > 1e-3 {
			t.Errorf("a gain of %v above a random card, want %v", gain, mean-random)
		}
		checkGradient(t, tr, rng, func() float64 {
			mean, _, entropy := value()
			return -mean/Scale - weight*entropy
		})
	}
}

// Decisions are the choices of a game between several cards, each as the player had it.
func TestDecisions(t *testing.T) {
	for _, game := range someGames(t, 5, 3) {
		list := Decisions(nil, &game)
		if len(list) < 8 {
			t.Errorf("%d choices", len(list))
		}
		for _, d := range list {
			if game.Played[d.Table.Played] != d.Card || !d.Legal.Has(d.Card) || d.Legal.Len() < 2 || !d.Own.Has(d.Card) ||
				!game.Deal.Hands[d.Table.Turn()].Has(d.Card) || d.Own.Len() != 8-d.Table.Played/4 {
				t.Errorf("after %d cards %s of %s, legal %s", d.Table.Played, d.Card, d.Own, d.Legal)
			}
		}
	}
}

// A short training predicts the choices of other games far better than equal probabilities. Equal trainings give equal weights.
func TestImitate(t *testing.T) {
	train, test := decisionsOf(someGames(t, 300, 4)), decisionsOf(someGames(t, 100, 5))
	calls := 0
	s := Imitation{Hidden: 16, Batch: 32, Steps: 400, Rate: 0.005, Decay: 0.1, Seed: 1, Progress: func(int, float64) { calls++ }}
	n, err := Imitate(t.Context(), train, s)
	if err != nil {
		t.Fatal(err)
	}
	loss, uniform, right := 0.0, 0.0, 0
	for i := range test {
		d := &test[i]
		var logits [32]float32
		var p [32]float64
		n.Forward(new(policy.Space), &d.Table, d.Own, d.Legal, &logits)
		playout.Probabilities(&logits, d.Legal, &p)
		loss -= math.Log(p[d.Card])
		uniform += math.Log(float64(d.Legal.Len()))
		if playout.Likeliest(&logits, d.Legal) == d.Card {
			right++
		}
	}
	if loss > 0.8*uniform || 2*right < len(test) {
		t.Errorf("a loss of %.3f of %.3f, %d of %d right", loss, uniform, right, len(test))
	}
	if calls != 2 {
		t.Errorf("%d calls of Progress", calls)
	}
	again, err := Imitate(t.Context(), train, s)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Encode(), n.Encode()) {
		t.Error("equal trainings give different weights")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Imitate(ctx, train, s); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// earned returns what the choices of a network earn above random cards, in points a decision, when the network plays on.
func earned(n *policy.Network, hands int) float64 {
	tr, seat := newTrainer(n), n.Seat()
	rng := rand.New(rand.NewPCG(99, 1))
	sum, count := 0.0, 0
	for range hands {
		deal := games.RandomDeal(rng)
		rules := klaverjas.DefaultRules(klaverjas.System(rng.IntN(2)))
		for _, m := range tr.play(rng, &rules, deal, nil) {
			sum += tr.learn(&m, seat, 0)
			count++
		}
	}
	return sum / float64(count)
}

// A short improvement earns more than its start. An error of Progress ends it.
func TestImprove(t *testing.T) {
	n := randomNetwork(8, 11)
	before := earned(n, 40)
	s := Improvement{Batch: 16, PerGame: 4, Steps: 200, Rate: 0.01, Entropy: 0.01, Seed: 1}
	calls := 0
	s.Progress = func(int, float64) error { calls++; return nil }
	if err := Improve(t.Context(), n, s); err != nil {
		t.Fatal(err)
	}
	if after := earned(n, 40); after < before+1 {
		t.Errorf("%.2f points above a random card, %.2f before", after, before)
	}
	if calls != 1 {
		t.Errorf("%d calls of Progress", calls)
	}
	enough := errors.New("enough")
	s.Batch, s.PerGame, s.Progress = 1, 1, func(int, float64) error { return enough }
	if err := Improve(t.Context(), n, s); !errors.Is(err, enough) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Improve(ctx, n, s); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

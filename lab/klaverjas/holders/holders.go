// Package holders learns who holds the hidden cards of Klaverjas with classical models: multi-output random forests and logistic
// regression. They are what the network of package belief is compared with.
//
// Source: Hein et al., "Random Forests for Opponent Hand Estimation in Gin Rummy". As there, the models estimate each card alone, and know
// neither the sizes of the hands nor what the rules exclude but by their inputs. [Masked] and [Exact] add what they do not know.
package holders

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/piquet"
	"roem/lab/klaverjas/beliefnet"
	"roem/lab/klaverjas/games"
)

// Marginals is the probability that a seat holds an unseen card, as a model says it. The sum over the seats need not be 1.
type Marginals = [32][4]float64

// Model estimates who holds the unseen cards of a view.
type Model interface {
	Marginals(ex *beliefnet.Example) *Marginals
}

// floor is the least probability of a card and a seat: a tree may say 0 for what is possible, and a log score does not forgive it.
const floor = 0.005

// Masked returns the estimator of a model: what the rules exclude is set to 0, and the rest scaled so that the sum is 1, each card alone.
func Masked(name string, m Model) beliefnet.Estimator {
	return beliefnet.Estimator{Name: name, Of: func(ex *beliefnet.Example) (beliefnet.Estimate, error) {
		return beliefnet.MaskedEstimate(ex, raised(m.Marginals(ex))), nil
	}}
}

// Exact returns the estimator of a model with the sizes of the hands: the distribution over the worlds whose weights are the probabilities
// of the model, each divided by its probability when all worlds are equally likely. A model that says nothing gives exact uniform
// knowledge.
func Exact(name string, m Model) beliefnet.Estimator {
	return beliefnet.Estimator{Name: name, Of: func(ex *beliefnet.Example) (beliefnet.Estimate, error) {
		w := raised(m.Marginals(ex))
		for c := range ex.Knowledge.Unseen().All() {
			for _, s := range piquet.Seats() {
				if p := ex.Knowledge.Probability(c, s); p > 0 {
					w[c][s] /= p
				}
			}
		}
		return beliefnet.WeightedEstimate(ex, w)
	}}
}

func raised(m *Marginals) *Marginals {
	for c := range m {
		for s := range m[c] {
			m[c][s] = max(m[c][s], floor)
		}
	}
	return m
}

// Settings configure a training.
type Settings struct {
	Views   int // how many views are drawn from the games
	Trees   int
	MinLeaf int     // the least number of rows of a leaf
	Ridge   float64 // of the logistic regression
	Seed    uint64
	Workers int
}

// eachView calls a function with views of games, drawn at random: a game, a number of cards played before the last trick, and a seat.
func eachView(ctx context.Context, all []games.Game, s *Settings, do func(ex *beliefnet.Example)) error {
	rng := rand.New(rand.NewPCG(s.Seed, 0x401de5))
	for range s.Views {
		if err := ctx.Err(); err != nil {
			return err
		}
		ex, err := beliefnet.ExampleAt(&all[rng.IntN(len(all))], rng.IntN(28), piquet.Seat(rng.IntN(4)))
		if err != nil {
			return err
		}
		do(&ex)
	}
	return nil
}

// uncertain returns the cards that a seat may hold, but does not hold for certain.
func uncertain(ex *beliefnet.Example, s piquet.Seat) piquet.Set {
	return ex.Knowledge.May(s) &^ ex.Knowledge.Has(s)
}

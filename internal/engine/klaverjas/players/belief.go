package players

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/worlds"
)

// Belief is like PIMC, but draws the worlds from a belief: what the play suggests about the hidden cards. If there are no more worlds than
// it searches, it searches each once and weights it with its probability.
type Belief struct {
	Worlds int
	rng    *rand.Rand
	tools  *Tools
}

var errNoBelief = errors.New("there is no model of beliefs for the belief player")

// Choose searches the worlds. Its error is the error of the context, of a view without worlds, or says that there is no model.
func (b *Belief) Choose(ctx context.Context, v worlds.View) (Choice, error) {
	if b.tools.Believe == nil {
		return Choice{}, errNoBelief
	}
	return b.tools.advise(ctx, v, b.rng, func(k *worlds.Knowledge) (advice.Options, error) {
		w, err := b.tools.Believe(k)
		return advice.Options{Worlds: b.Worlds, Draw: func(rng *rand.Rand, n int) []advice.Sampled { return Draw(k, w, rng, n) }}, err
	})
}

// Draw returns n worlds of a belief: all of them with their probabilities if there are no more, otherwise a sample of equal weights.
func Draw(k *worlds.Knowledge, w *worlds.Weighted, rng *rand.Rand, n int) []advice.Sampled {
	if k.Worlds() > uint64(n) {
		drawn := make([]advice.Sampled, n)
		for i := range drawn {
			drawn[i] = advice.Sampled{World: w.Sample(rng), Weight: 1}
		}
		return drawn
	}
	drawn := make([]advice.Sampled, k.Worlds())
	for i := range drawn {
		world := k.World(uint64(i))
		drawn[i] = advice.Sampled{World: world, Weight: math.Exp(w.LogProbability(world))}
	}
	return drawn
}

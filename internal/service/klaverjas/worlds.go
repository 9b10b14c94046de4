package klaverjas

import (
	"math/rand/v2"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/violation"
	"roem/internal/random"
	"roem/internal/service"
)

// WorldsQuery asks for random worlds.
type WorldsQuery struct {
	knowledge *worlds.Knowledge
	count     int
	method    api.KlaverjasSampleMethod
	distinct  bool
	seed      *uint64 // nil: drawn when the query is answered
}

// ParseWorlds reads the body of worlds.
var ParseWorlds = service.BodyOf("KlaverjasWorldsRequest", func(g *Game, in worldsBody) (WorldsQuery, error) {
	q := WorldsQuery{
		count: service.Or(in.Worlds, 1), method: service.Or(in.Method, api.KlaverjasSampleMethodUniform),
		distinct: service.Or(in.Distinct, false),
	}
	var err error
	if q.method == api.KlaverjasSampleMethodBelief {
		if err = g.needsModels(); err != nil {
			return q, err
		}
	}
	if in.Seed != nil {
		var vs service.Problems
		seed := vs.OptionalSeed(in.Seed, 0)
		if q.seed, err = &seed, vs.Err(); err != nil {
			return q, err
		}
	}
	if q.knowledge, err = newKnowledge(in.viewBody); err != nil {
		return q, err
	}
	err = q.check()
	return q, err
})

// check returns an error if the options contradict each other.
func (q *WorldsQuery) check() error {
	if q.distinct && q.method == api.KlaverjasSampleMethodBelief {
		return service.Refused(violation.New(violation.Contradicts, "is true, but the method belief can draw a world more than once").
			At("/distinct"))
	}
	return nil
}

// Worlds draws worlds of a view. The same seed gives the same worlds. Without a seed one is drawn; the answer has it.
func (g *Game) Worlds(q WorldsQuery) (api.KlaverjasWorlds, error) {
	k := q.knowledge
	if q.seed == nil {
		drawn, err := service.SeedOf(nil)
		if err != nil {
			return api.KlaverjasWorlds{}, err
		}
		q.seed = &drawn
	}
	worlds, model, err := q.draw(g, index.NewRand(*q.seed))
	if err != nil {
		return api.KlaverjasWorlds{}, err
	}
	out := api.KlaverjasWorlds{
		Of: strconv.FormatUint(k.Worlds(), 10), Method: q.method, Distinct: q.distinct, Seed: strconv.FormatUint(*q.seed, 10), Model: model,
		Worlds: make([]api.KlaverjasSampledWorld, len(worlds)), Rules: outRules(k.View().Rules), Version: g.service.Version(),
	}
	for i, w := range worlds {
		n, _ := k.Rank(w) // a sample is a world
		out.Worlds[i] = api.KlaverjasSampledWorld{Index: strconv.FormatUint(n, 10), Weight: 1 / float64(len(worlds)), Hands: outHands(w)}
	}
	return out, nil
}

// draw returns the worlds, and the model of the belief that they were drawn from.
func (q *WorldsQuery) draw(g *Game, rng *rand.Rand) ([]worlds.World, *api.ModelIdentity, error) {
	k := q.knowledge
	if q.method == api.KlaverjasSampleMethodBelief {
		w, model, err := g.guesses.believe(k)
		if err != nil {
			return nil, nil, err
		}
		drawn := make([]worlds.World, q.count)
		for i := range drawn {
			drawn[i] = w.Sample(rng)
		}
		return drawn, model, nil
	}
	var numbers []uint64
	if q.distinct {
		numbers = k.SampleDistinct(rng, q.count)
	} else {
		for range q.count {
			numbers = append(numbers, random.Below(rng, k.Worlds()))
		}
	}
	worlds := make([]worlds.World, len(numbers))
	for i, n := range numbers {
		worlds[i] = k.World(n)
	}
	return worlds, nil, nil
}

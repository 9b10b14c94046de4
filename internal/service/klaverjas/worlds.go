package klaverjas

import (
	"fmt"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/knowledge"
	"roem/internal/service"
)

// maxWorlds is how many worlds a request may ask for.
const maxWorlds = 1000

// WorldsQuery asks for random worlds.
type WorldsQuery struct {
	knowledge *knowledge.Knowledge
	count     int
	method    api.SampleMethod
	distinct  bool
	seed      *uint64 // nil: drawn when the query is answered
}

type worldsBody struct {
	viewBody
	Count    *int              `json:"count"`
	Method   *api.SampleMethod `json:"method"`
	Distinct *bool             `json:"distinct"`
	Seed     *string           `json:"seed"`
}

// ParseWorlds reads the body of worlds.
func (g *Game) ParseWorlds(body []byte) (WorldsQuery, error) {
	return service.Decode(g.schemas, body, "WorldsRequest", func(in worldsBody) (WorldsQuery, error) {
		q := WorldsQuery{count: 1, method: api.SampleUniform}
		var bad []service.Violation
		if in.Count != nil {
			if q.count = *in.Count; q.count < 1 || q.count > maxWorlds {
				bad = append(bad, service.Violation{Pointer: "/count", Detail: fmt.Sprintf("is %d: expected a number from 1 to %d", q.count, maxWorlds)})
			}
		}
		if in.Method != nil {
			if q.method = *in.Method; q.method != api.SampleUniform {
				bad = append(bad, service.Violation{Pointer: "/method", Detail: fmt.Sprintf("%.40q is not one of %s", string(q.method), api.SampleUniform)})
			}
		}
		if in.Distinct != nil {
			q.distinct = *in.Distinct
		}
		var err error
		if in.Seed != nil {
			var seed uint64
			if seed, err = newSeed(in.Seed); err != nil {
				bad = append(bad, service.Violation{Pointer: "/seed", Detail: err.Error()})
			}
			q.seed = &seed
		}
		if len(bad) > 0 {
			return q, service.NewMalformed(bad...)
		}
		q.knowledge, err = newKnowledge(in.viewBody)
		return q, err
	})
}

// Worlds draws worlds of a view. The same seed gives the same worlds. Without a seed one is drawn; the answer has it.
func (g *Game) Worlds(q WorldsQuery) (api.Worlds, error) {
	k := q.knowledge
	if q.seed == nil {
		drawn, err := newSeed(nil)
		if err != nil {
			return api.Worlds{}, err
		}
		q.seed = &drawn
	}
	rng := index.NewRand(*q.seed)
	var numbers []uint64
	if q.distinct {
		numbers = k.SampleDistinct(rng, q.count)
	} else {
		for range q.count {
			numbers = append(numbers, rng.Uint64N(k.Worlds()))
		}
	}
	out := api.Worlds{
		Worlds: strconv.FormatUint(k.Worlds(), 10), Method: q.method, Distinct: q.distinct, Seed: strconv.FormatUint(*q.seed, 10),
		Samples: make([]api.SampledWorld, len(numbers)), Rules: outRules(k.View().Rules), Version: g.service.Version(),
	}
	for i, n := range numbers {
		out.Samples[i] = api.SampledWorld{
			Index: strconv.FormatUint(n, 10), Weight: 1 / float64(len(numbers)), Hands: outHands(k.World(n)),
		}
	}
	return out, nil
}

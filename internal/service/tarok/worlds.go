package tarok

import (
	"context"
	"strconv"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/engine/violation"
	"roem/internal/random"
	"roem/internal/service"
)

// MaxWorlds is the most worlds of the operation worlds, chosen and clustered.
const MaxWorlds = maxWorldsWorlds

// defaultWorlds is how many worlds are chosen if the body does not say.
const defaultWorlds = 30

// WorldsQuery asks for worlds of a view.
type WorldsQuery struct {
	worlds    *worlds.Worlds
	count     int
	base      int
	clustered bool
	seed      uint64
}

// WorldsDefaults are what a body means that does not say it.
type WorldsDefaults struct {
	Worlds    int
	Clustered bool
	Seed      *uint64 // nil: one is drawn
}

// DefaultWorlds are the defaults of the contract.
var DefaultWorlds = WorldsDefaults{Worlds: defaultWorlds}

// ParseWorlds reads the body of worlds.
var ParseWorlds = parseWorlds(&DefaultWorlds)

// parseWorlds reads the body of worlds, with defaults for what it does not say.
func parseWorlds(or *WorldsDefaults) service.Parser[*Game, *WorldsQuery] {
	return service.PlainBodyOf[*Game]("TarokWorldsRequest", func(in worldsBody) (*WorldsQuery, error) {
		q := &WorldsQuery{count: service.Or(in.Worlds, or.Worlds), clustered: or.Clustered}
		if in.Method != nil {
			q.clustered = *in.Method == api.TarokSamplingMethodClustered
		}
		q.base = max(worlds.Base, q.count)
		if in.Base != nil {
			q.base = *in.Base
			switch {
			case !q.clustered:
				return nil, refused("/base", violation.NotUsed, "is for the method clustered")
			case q.base < q.count:
				return nil, refused("/base", violation.Contradicts, "is %d: expected at least worlds, %d", q.base, q.count)
			}
		}
		var err error
		if in.Seed == nil && or.Seed != nil {
			q.seed = *or.Seed
		} else if q.seed, err = service.SeedOf(in.Seed); err != nil {
			return nil, service.FromEngineAt("/seed", err)
		}
		if q.worlds, err = newWorlds(&in.viewBody); err != nil {
			return nil, err
		}
		return q, nil
	})
}

// Worlds counts the worlds of a view, and chooses some. To choose them from clusters takes up to some tens of milliseconds, with a slot.
// Its error is an *service.Error, or the error of the context.
func (g *Game) Worlds(ctx context.Context, q *WorldsQuery) (out api.TarokWorlds, err error) {
	if !q.clustered || q.count == 0 {
		return g.worlds(q), nil
	}
	err = g.service.WithSlot(ctx, func(context.Context, *computation.Slot) error {
		out = g.worlds(q)
		return nil
	})
	return out, err
}

func (g *Game) worlds(q *WorldsQuery) api.TarokWorlds {
	w := q.worlds
	out := api.TarokWorlds{
		Phase: [3]api.TarokWorldsPhase{api.TarokWorldsPhaseBidding, api.TarokWorldsPhaseExchange, api.TarokWorldsPhasePlay}[w.View().Stage],
		Of:    int64(w.Count()), Places: []api.TarokPlaces{}, Method: api.TarokSamplingMethodPlain, Worlds: []api.TarokWorld{},
		Seed: strconv.FormatUint(q.seed, 10), Version: g.service.Version(),
	}
	if w.View().Stage == worlds.Play {
		out.Turn = outPlayer(w.Turn())
	}
	for i, row := range w.Counts() {
		out.Places = append(out.Places, outPlaces(w.Hidden()[i], row, w.Count()))
	}
	rng := random.New(q.seed)
	if !q.clustered {
		out.Worlds = outWorlds(out.Worlds, w.Plain(rng, q.count))
		return out
	}
	out.Method = api.TarokSamplingMethodClustered
	clusters := []api.TarokCluster{}
	if q.count > 0 {
		for _, c := range w.Clustered(rng, q.count, q.base) {
			clusters = append(clusters, api.TarokCluster{Size: c.Size, Chosen: len(c.Worlds), Spread: c.Spread})
			out.Worlds = outWorlds(out.Worlds, c.Worlds)
		}
	}
	out.Clusters = &clusters
	return out
}

func outWorlds(list []api.TarokWorld, setups []tarok.Setup) []api.TarokWorld {
	for i := range setups {
		s := &setups[i]
		list = append(list, api.TarokWorld{
			Hands: outHands(s.Deal.Hands), Talon: outCards(s.Deal.Talon[:]),
			Discards: outCards(s.Discards.Slice()),
		})
	}
	return list
}

// outPlaces returns the probabilities of a card from the numbers of worlds.
func outPlaces(c tarok.Card, row [worlds.Places]uint64, all uint64) api.TarokPlaces {
	out := api.TarokPlaces{Card: c.String()}
	for place, field := range [worlds.Places]**float64{&out.A, &out.B, &out.C, &out.Talon, &out.Discards} {
		if row[place] > 0 {
			p := float64(row[place]) / float64(all)
			*field = &p
		}
	}
	return out
}

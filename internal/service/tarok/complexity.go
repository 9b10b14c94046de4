package tarok

import (
	"context"
	"math/rand/v2"
	"strconv"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/complexity"
	"roem/internal/engine/violation"
	"roem/internal/random"
	"roem/internal/service"
)

// MaxPlayouts is the most play-outs of complexity.
const MaxPlayouts = maxComplexityPlayouts

const (
	defaultPlayouts = 1000
	playoutsAtOnce  = 500 // with one slot: some 10 ms
)

// ComplexityQuery asks how large the game is.
type ComplexityQuery struct {
	contract tarok.Contract
	declarer tarok.Player
	rules    tarok.Rules
	deal     *tarok.Deal // nil: random deals
	playouts int
	seed     uint64
}

// ComplexityDefaults are what a body of complexity means that does not say it.
type ComplexityDefaults struct {
	Playouts int
	Seed     *uint64 // nil: one is drawn
}

// DefaultComplexity are the defaults of the contract.
var DefaultComplexity = ComplexityDefaults{Playouts: defaultPlayouts}

// ParseComplexity reads the body of complexity.
var ParseComplexity = parseComplexity(&DefaultComplexity)

// parseComplexity reads the body of complexity, with defaults for what it does not say.
func parseComplexity(or *ComplexityDefaults) service.Parser[*Game, *ComplexityQuery] {
	return service.PlainBodyOf[*Game]("TarokComplexityRequest", func(in complexityBody) (*ComplexityQuery, error) {
		q := &ComplexityQuery{contract: tarok.Three, rules: in.Rules.rules(), playouts: service.Or(in.Playouts, or.Playouts)}
		if in.Contract != nil {
			q.contract = tarok.Contract(indexOf(in.Contract, contractValues))
		}
		var err error
		if in.Seed == nil && or.Seed != nil {
			q.seed = *or.Seed
		} else if q.seed, err = service.SeedOf(in.Seed); err != nil {
			return nil, service.FromEngineAt("/seed", err)
		}
		err = q.readDeal(&in)
		return q, err
	})
}

// readDeal reads the deal and the declarer of a body.
func (q *ComplexityQuery) readDeal(in *complexityBody) error {
	var vs service.Problems
	switch {
	case in.Hands == nil && in.Talon != nil:
		vs.Addf("/hands", violation.Needed, "is missing: give hands and talon together")
	case in.Hands != nil && in.Talon == nil:
		vs.Addf("/talon", violation.Needed, "is missing: give hands and talon together")
	case in.Hands == nil && in.Declarer != nil:
		vs.Addf("/declarer", violation.NotUsed, "is only for a given deal, and /hands is missing")
	}
	if in.Hands == nil || len(vs) > 0 {
		return vs.Err()
	}
	var d tarok.Deal
	for i, hand := range in.Hands.all() {
		d.Hands[i] = readSet(&vs, "/hands/"+tarok.Player(i).String(), hand)
	}
	copy(d.Talon[:], readCards(&vs, "/talon", in.Talon))
	if in.Declarer != nil {
		q.declarer = readDeclarer(&vs, in.Declarer, q.contract)
	}
	if err := vs.Err(); err != nil {
		return err
	}
	if bad := d.Check(); len(bad) > 0 {
		return orderOf(in.Hands).impossible(bad)
	}
	q.deal = &d
	return nil
}

// setup draws what is played out: the deal and a random exchange, or a random deal, declarer and exchange.
func (q *ComplexityQuery) setup(rng *rand.Rand) tarok.Setup {
	if q.deal == nil {
		s := tarok.DrawSetup(rng, q.contract)
		s.Rules = q.rules
		return s
	}
	s := tarok.Setup{Deal: *q.deal, Rules: q.rules, Contract: q.contract, Declarer: q.declarer}
	s.DrawExchange(rng)
	return s
}

// Complexity counts how large the game is. Play-outs take milliseconds, with a slot for each 500 of them. Its error is an *service.Error
// or the error of the context.
func (g *Game) Complexity(ctx context.Context, q *ComplexityQuery) (api.TarokComplexity, error) {
	exchanges := func(c tarok.Contract, p tarok.Player) int64 {
		if q.deal == nil {
			return int64(complexity.MostExchanges(c))
		}
		return int64(complexity.Exchanges(q.deal, c, p))
	}
	all, void := complexity.Deals()
	out := api.TarokComplexity{
		Deals: all.String(), VoidDeals: void.String(), Contract: api.TarokContract(q.contract.String()),
		Exchanges: int(exchanges(q.contract, q.declarer)), Announcements: complexity.Announcements(q.contract),
		Biddings: []api.TarokBiddingCount{
			biddingCount(tarok.ForehandFirst, api.TarokBiddingOrderForehandFirst, exchanges),
			biddingCount(tarok.ForehandLast, api.TarokBiddingOrderForehandLast, exchanges),
		},
		Seed: strconv.FormatUint(q.seed, 10), Version: g.service.Version(),
	}
	var s complexity.Sampler
	rng := random.New(q.seed)
	if err := g.service.AsOne(ctx, func(ctx context.Context) error {
		for done := 0; done < q.playouts; done += playoutsAtOnce {
			if err := g.service.WithSlot(ctx, func(ctx context.Context, _ *computation.Slot) error {
				for range min(playoutsAtOnce, q.playouts-done) {
					if err := s.Add(q.setup(rng), func(legal tarok.Set) tarok.Card { return tarok.Any(rng, legal) }); err != nil {
						return err
					}
				}
				return ctx.Err()
			}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return api.TarokComplexity{}, err
	}
	play := s.Result()
	out.Play = api.TarokPlayCount{
		Playouts: play.Playouts, LogMean: rounded(play.LogMean), MeanLog: rounded(play.MeanLog), MedianLog: rounded(play.Median),
		LeastLog: rounded(play.Least), MostLog: rounded(play.Most), Branching: rounded(play.Branching), BoundLog: rounded(complexity.MostPlay()),
	}
	return out, nil
}

// biddingCount counts the biddings of an order, and what may follow them before the first card.
func biddingCount(order tarok.Order, name api.TarokBiddingOrder, exchanges func(tarok.Contract, tarok.Player) int64) api.TarokBiddingCount {
	out := api.TarokBiddingCount{Order: name}
	fields := [complexity.Contracts]*int{&out.Klop, &out.Three, &out.Two, &out.One, &out.Beggar, &out.Zero}
	for c, row := range complexity.Biddings(order) {
		contract := tarok.Contract(c)
		for p, n := range row {
			*fields[c] += n
			ways := int64(n) * exchanges(contract, tarok.Player(p))
			out.Sequences += n
			out.WithExchange += ways
			out.WithAnnouncements += ways * int64(complexity.Announcements(contract))
		}
	}
	return out
}

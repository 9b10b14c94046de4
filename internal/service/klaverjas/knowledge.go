package klaverjas

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// KnowledgeQuery asks what a seat knows.
type KnowledgeQuery struct {
	knowledge *worlds.Knowledge
	level     api.KlaverjasKnowledgeLevel
}

// ParseKnowledge reads the body of knowledge.
var ParseKnowledge = service.BodyOf("KlaverjasKnowledgeRequest", func(g *Game, in knowledgeBody) (q KnowledgeQuery, err error) {
	if q.level = service.Or(in.Level, api.KlaverjasKnowledgeLevelRules); q.level == api.KlaverjasKnowledgeLevelBelief {
		if err = g.needsModels(); err != nil {
			return q, err
		}
	}
	q.knowledge, err = newKnowledge(in.viewBody)
	return q, err
})

// level is one level of knowledge: who may hold which card.
type level interface {
	May(s piquet.Seat) piquet.Set
	Has(s piquet.Seat) piquet.Set
	Possibles() int
	Facts() []worlds.Fact
}

// Knowledge returns what the seat of the view knows.
func (g *Game) Knowledge(q KnowledgeQuery) (api.KlaverjasKnowledge, error) {
	k := q.knowledge
	v := k.View()
	var (
		at          level = k
		probability       = k.Probability
		suits             = k.Suits
	)
	out := api.KlaverjasKnowledge{Level: q.level, Rules: outRules(v.Rules), Version: g.service.Version()}
	if q.level == api.KlaverjasKnowledgeLevelPaper {
		paper := k.Paper(true)
		at, suits = paper, paper.Suits
		probability = paper.Share
	} else {
		out.Worlds = new(strconv.FormatUint(k.Worlds(), 10))
	}
	if q.level == api.KlaverjasKnowledgeLevelBelief {
		believed, model, err := g.guesses.believe(k)
		if err != nil {
			return out, err
		}
		probability, out.Model = believed.Probability, model
	}
	if len(v.Played) < piquet.Deck.Len() {
		out.Turn = outSeat(k.Turn())
	}
	out.Possibles = at.Possibles()
	out.Cards = make([]api.KlaverjasCardHolders, 0, k.Unseen().Len())
	for c := range k.Unseen().All() {
		out.Cards = append(out.Cards, api.KlaverjasCardHolders{Card: c.String(), Holders: outProbabilities(c, probability)})
	}
	seat := func(s piquet.Seat) api.KlaverjasSeatKnowledge { return outSeatKnowledge(k, at, s, probability, suits) }
	out.Seats = api.KlaverjasSeatsKnowledge{N: seat(piquet.North), E: seat(piquet.East), S: seat(piquet.South), W: seat(piquet.West)}
	out.Facts = outFacts(v, at.Facts())
	return out, nil
}

func outProbabilities(c piquet.Card, probability func(piquet.Card, piquet.Seat) float64) (out api.KlaverjasProbabilities) {
	for seat, to := range [4]**float64{piquet.North: &out.N, piquet.East: &out.E, piquet.South: &out.S, piquet.West: &out.W} {
		if p := probability(c, piquet.Seat(seat)); p > 0 {
			*to = &p
		}
	}
	return out
}

// outSeatKnowledge returns what is known about one hand. The hand of the view's own seat is certain.
func outSeatKnowledge(
	k *worlds.Knowledge, at level, s piquet.Seat, probability func(piquet.Card, piquet.Seat) float64,
	suits func(piquet.Seat) (least, most [4]int),
) api.KlaverjasSeatKnowledge {
	may, has := at.May(s), at.Has(s)
	if s == k.View().Seat {
		may, has, suits = k.Own(), k.Own(), k.Suits
		probability = func(piquet.Card, piquet.Seat) float64 { return 1 }
	}
	least, most := suits(s)
	out := api.KlaverjasSeatKnowledge{Left: k.Left(s), Voids: []api.Suit{}, Certain: outCards(has.Slice())}
	for i, to := range [4]*api.KlaverjasSuitCount{
		piquet.Clubs: &out.Suits.C, piquet.Diamonds: &out.Suits.D, piquet.Hearts: &out.Suits.H,
		piquet.Spades: &out.Suits.S,
	} {
		suit := piquet.Suit(i)
		if most[suit] == 0 {
			out.Voids = append(out.Voids, api.Suit(suit.String()))
		}
		mean := 0.0
		for c := range may.InSuit(suit).All() {
			mean += probability(c, s)
		}
		// Sums of probabilities are not exact in the last digit.
		*to = api.KlaverjasSuitCount{Min: least[suit], Mean: min(max(mean, float64(least[suit])), float64(most[suit])), Max: most[suit]}
	}
	return out
}

func outFacts(v worlds.View, facts []worlds.Fact) []api.KlaverjasFact {
	out := make([]api.KlaverjasFact, len(facts))
	for i, f := range facts {
		to := &out[i]
		*to = api.KlaverjasFact{Seat: *outSeat(f.Seat), Kind: api.KlaverjasFactKind(f.Kind.String()), Text: f.Text}
		if f.Play >= 0 {
			to.Number, to.Card = new(f.Play+1), new(v.Played[f.Play].String())
		}
		if f.Excluded != 0 {
			to.Excluded = new(outCards(f.Excluded.Slice()))
		}
		if f.Holds != 0 {
			to.Holds = new(outCards(f.Holds.Slice()))
		}
	}
	return out
}

func outHands(w worlds.World) api.KlaverjasHeldHands {
	hand := func(s piquet.Seat) api.Cards { return outCards(w[s].Slice()) }
	return api.KlaverjasHeldHands{N: hand(piquet.North), E: hand(piquet.East), S: hand(piquet.South), W: hand(piquet.West)}
}

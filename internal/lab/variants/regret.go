package variants

import (
	"context"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/knowledge"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/match"
	"roem/internal/random"
)

// Judged is how a variant chooses in single positions, by a reference that plays out many other worlds.
type Judged struct {
	Gain      match.Estimate // points a decision that its card is worth above that of the base, by the reference
	Decisions int
	Different int
	Playouts  float64 // a decision
}

// Judge takes one decision of each deal, between several cards and before From cards have been played. What the base and the variants choose is
// judged by playouts of that many worlds, which are drawn apart from theirs. It shows
// what is lost because worlds are few, not whether playouts are the right measure. The base is the first of the variants. If the context ends, the
// results are those of the decisions taken by then, with its error.
func Judge(ctx context.Context, s Settings, all []*Deviation, worlds int) ([]Judged, error) {
	rng := index.NewRand(s.Seed)
	judged := make([]Judged, len(all))
	gains := make([][]float64, len(all))
	defer func() {
		for i, one := range all {
			judged[i].Gain = match.MeanOf(gains[i])
			judged[i].Playouts = float64(one.Playouts) / float64(max(judged[i].Decisions, 1))
		}
	}()
	for deal := range s.Deals {
		trump, leader := cards.Suit(random.Below(rng, 4)), cards.Seat(random.Below(rng, 4))
		d := klaverjas.Deal{Trump: trump, Leader: leader, Declarer: leader.Team(), Hands: index.Random(rng, trump, leader)}
		played := int(random.Below(rng, uint64(s.From)))
		team := cards.Team(random.Below(rng, 2))
		q, err := s.reach(ctx, d, team, played, uint64(deal))
		if err != nil {
			return judged, err
		}
		if q == nil {
			continue
		}
		chosen := make([]cards.Card, len(all))
		same := true
		for i, one := range all {
			if chosen[i], err = one.Choose(ctx, q.Knowledge().View(), uint64(deal)); err != nil {
				return judged, err
			}
			same = same && chosen[i] == chosen[0]
		}
		var values map[cards.Card]float64
		if !same {
			values = all[0].reference(q, chosen, worlds, uint64(deal)+1<<40)
		}
		for i := range all {
			judged[i].Decisions++
			gain := 0.0
			if chosen[i] != chosen[0] {
				judged[i].Different++
				gain = values[chosen[i]] - values[chosen[0]]
			}
			gains[i] = append(gains[i], gain)
		}
		if s.Progress != nil {
			s.Progress(deal + 1)
		}
	}
	return judged, nil
}

// reach plays a deal until a seat of the team has several legal cards after that many cards, and returns its question. There is none if this is not before From cards.
func (s *Settings) reach(ctx context.Context, d klaverjas.Deal, team cards.Team, played int, seed uint64) (*advice.Question, error) {
	p, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), d)
	if err != nil {
		return nil, err
	}
	h := hand{s: s, team: team, seed: seed}
	l := line{p: p}
	for len(l.played) < s.From {
		if len(l.played) >= played && l.p.Turn().Team() == team && l.p.Legal().Len() > 1 {
			k, err := knowledge.New(knowledge.ViewOf(l.p, l.played, l.p.Turn()))
			if err != nil {
				return nil, err
			}
			return advice.NewQuestion(k)
		}
		if err := h.other(ctx, &l); err != nil {
			return nil, err
		}
	}
	return nil, nil //nolint:nilnil // there is no such decision
}

// reference plays out worlds with each of some cards.
func (d *Deviation) reference(q *advice.Question, some []cards.Card, worlds int, seed uint64) map[cards.Card]float64 {
	view := q.Knowledge().View()
	table := playout.TableOf(&view)
	values := map[cards.Card]float64{}
	for _, c := range some {
		values[c] = 0
	}
	weight := 0.0
	for _, w := range q.Weigh(stream(&view, seed), d.Models.Players, advice.DefaultPlayouts(worlds)).Worlds {
		weight += w.Weight
		for c := range values {
			values[c] += w.Weight * sign(&view) * float64(playout.Outcome(d.Models.Play, table, w.World, c))
		}
	}
	for c := range values {
		values[c] /= weight
	}
	return values
}

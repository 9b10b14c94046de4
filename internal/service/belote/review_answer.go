package belote

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/service"
)

// outReview returns the answer of a review.
func (g *Game) outReview(q *ReviewQuery, a service.Answer[*service.Findings[chosen, *AdviseQuery, judgement]]) api.BeloteReview {
	f := a.Result
	out := api.BeloteReview{
		Cards: make([]api.BeloteReviewedCard, len(f.List)), Rule: api.ReviewRule(reviewRule), Rules: q.position.outRules(),
		Seed: strconv.FormatUint(q.seed, 10), Source: f.Source, Stats: stats(f.Nodes, a), Version: g.service.Version(),
	}
	for i := range f.List {
		d, found := &q.Decisions[i], &f.List[i]
		open := f.Hand.open[d.Of.Number]
		out.Cards[i] = api.BeloteReviewedCard{
			Number: d.Of.Number + 1, Trick: d.Of.Number/2 + 1, Seat: *outPlayer(d.Of.Seat), Card: d.Of.Act.Card.String(), Legal: d.Legal,
			Verdict: found.Verdict, Open: api.BeloteReviewOpen{Cost: q.openCost(f, i), Best: outCards(q.analyse.twin.set(open.best).Slice())},
			Reason: found.Of.reason,
		}
		if known := found.Cost; known != nil {
			by, a := found.Of.by, &found.Of.advice
			out.Cards[i].Knowledge = &api.BeloteReviewKnowledge{
				Cost: known.Cost, StandardError: *known.StandardError, Advised: by.view.back[a.Cards[0].Card].String(),
				BestIn: service.Rounded(found.Of.played.BestIn, probabilityDigits), Worlds: by.worlds(a),
			}
		}
	}
	out.Seats = api.BeloteSeatReviews{A: f.Seats[belote.A], B: f.Seats[belote.B]}
	return out
}

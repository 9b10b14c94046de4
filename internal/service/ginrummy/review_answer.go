package ginrummy

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/service"
)

// outReview builds the answer of a review.
func (g *Game) outReview(q *ReviewQuery, a service.Answer[*service.Findings[chosen, int, judgement]]) api.GinReview {
	f := a.Result
	out := api.GinReview{
		Actions: make([]api.GinReviewedAction, len(f.List)), Rule: api.ReviewRule(reviewRule), Seed: strconv.FormatUint(q.seed, 10),
		Model: q.game.model, Version: g.service.Version(),
	}
	for i := range f.List {
		d, found := &q.Decisions[i], &f.List[i]
		out.Actions[i] = api.GinReviewedAction{
			Number: q.events[d.Of.Number] + 1, Turn: d.Of.Before.Turns() + 1, Seat: outSeat(d.Of.Seat), Action: outAction(d.Of.Act),
			Legal: d.Legal, Verdict: found.Verdict, Reason: outReason(found.Of.reason, &found.Of.judged),
		}
		if k := found.Cost; k != nil {
			out.Actions[i].Knowledge = &api.GinReviewKnowledge{
				Cost: k.Cost, StandardError: *k.StandardError, Advised: outAction(found.Of.judged.Advised), Worlds: found.Of.worlds,
			}
		}
	}
	out.Seats = api.GinSeatReviews{A: outSums(f.Seats[ginrummy.A]), B: outSums(f.Seats[ginrummy.B])}
	return out
}

func outSums(s *api.SeatReview) *api.GinSeatReview {
	if s == nil {
		return nil
	}
	return &api.GinSeatReview{KnowledgeCost: s.KnowledgeCost, Verdicts: s.Verdicts}
}

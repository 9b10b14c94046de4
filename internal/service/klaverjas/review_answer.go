package klaverjas

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// outReview returns the answer of a review.
func (g *Game) outReview(q *ReviewQuery, a service.Answer[*findings]) api.KlaverjasReview {
	f := a.Result
	out := api.KlaverjasReview{
		Cards: make([]api.KlaverjasReviewedCard, len(f.List)), Basis: api.KlaverjasAdviceBasisKnowledge,
		Rules: outRules(q.position.start.Rules()), Deal: outIdentity(q.position.start.Deal()),
		Seed: strconv.FormatUint(q.options.seed, 10), Rule: api.ReviewRule(reviewRule),
		Source: f.Source, Stats: stats(f.Nodes, f.Source, a.Began), Version: g.service.Version(),
	}
	for i := range f.List {
		d, j := &q.Decisions[i], &f.List[i].Of
		card := api.KlaverjasReviewedCard{
			Number: d.Of.Number + 1, Trick: d.Of.Number/trickSize + 1, Seat: *outSeat(d.Of.Seat), Card: d.Of.Act.String(), Legal: d.Legal,
			Open: api.KlaverjasReviewOpen{Cost: j.cost, Best: outCards(j.best.Slice())}, Verdict: f.List[i].Verdict,
		}
		if known := f.List[i].Cost; known == nil {
			card.Open.Best = api.Cards{card.Card}
		} else {
			card.Knowledge = &api.KlaverjasReviewKnowledge{
				Cost: known.Cost, StandardError: known.StandardError, Advised: j.advice.Card.String(),
				BestIn: service.Rounded(j.played.BestIn, probabilityDigits), Worlds: outWorlds(&j.advice),
			}
		}
		q.explain(d, j, &card)
		out.Cards[i] = card
	}
	out.Seats = outSeatReviews(f)
	return out
}

func outSeatReviews(f *findings) api.KlaverjasSeatReviews {
	return api.KlaverjasSeatReviews{
		N: f.Seats[piquet.North], E: f.Seats[piquet.East], S: f.Seats[piquet.South], W: f.Seats[piquet.West],
	}
}

// explain writes the reason to a reviewed card.
func (q *ReviewQuery) explain(d *decision, j *judgement, out *api.KlaverjasReviewedCard) {
	if !j.reason.Found {
		return
	}
	before, err := d.Of.Before.now.Redealt(j.reason.World)
	if err != nil {
		return
	}
	out.Lines = outLines(j.reason.Lines)
	out.Reason, out.Evidence = outHidden(&j.reason.Hidden, before, d.Asks[0].question.Knowledge())
}

// outHidden returns a reason for hidden cards, or nil, and what the seat could know of it. before is the position of the lines.
func outHidden(h *reason.Hidden, before klaverjas.Position, k *worlds.Knowledge) (*api.KlaverjasReason, *api.KlaverjasReasonEvidence) {
	var why *api.KlaverjasReason
	evidence := api.KlaverjasReasonEvidence{Worlds: h.Worlds, Applies: h.Applies, Decides: h.Decides, Facts: []api.KlaverjasFact{}}
	if r, ok := h.Reason(before); ok {
		why = outFound(r, h.Text(r, before))
		if k.Unseen().Has(r.By) {
			evidence.Probability = new(service.Rounded(k.Probability(r.By, r.Seat), probabilityDigits))
		}
		evidence.Facts = outFacts(k.View(), reason.Facts(k, r, before, h.Lines))
	}
	if !h.Real() {
		evidence.Hands = new(outHands(h.World))
	}
	return why, &evidence
}

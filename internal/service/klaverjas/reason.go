package klaverjas

import (
	"context"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// countingSolver adds up the nodes of its searches.
type countingSolver struct {
	slotSolver
	nodes uint64
}

func (s *countingSolver) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	r, err := s.slotSolver.Solve(ctx, q)
	s.nodes += r.Nodes
	return r, err
}

func outLines(l reason.Lines) *api.KlaverjasLines {
	return &api.KlaverjasLines{Played: outCards(l.Played), Best: outCards(l.Best)}
}

// outReason returns the reason that follows from the lines, or nil.
func outReason(before klaverjas.Position, l reason.Lines) *api.KlaverjasReason {
	r, ok := reason.Find(before, l)
	if !ok {
		return nil
	}
	return outFound(r, r.Text(before, l))
}

func outFound(r reason.Reason, text string) *api.KlaverjasReason {
	out := &api.KlaverjasReason{
		Code: api.KlaverjasReasonCode(r.Code.String()), Trick: r.Trick, Seat: *outSeat(r.Seat), By: r.By.String(), Points: r.Points,
		Decides: r.Decides, Text: text,
	}
	if r.Code == reason.Points || r.Code == reason.BringHome {
		out.Less = &r.Less
	}
	if r.HasLost {
		lost := r.Lost.String()
		out.Lost, out.Kept = &lost, &r.Kept
	}
	if r.Keeps > 0 {
		out.Keeps = &r.Keeps
	}
	return out
}

// reasonWorlds is how many worlds are searched for the reason of a mistake on knowledge.
const reasonWorlds = 24

// explained is the reason of a mistake on knowledge, as the cache keeps it: what reason.HiddenOf found.
type explained struct {
	reason.Hidden

	Found bool
	Nodes uint64
}

// reasonKind is the kind of the cache keys of reasons.
const reasonKind = "klaverjas reason of a mistake"

// why looks for the reason of a mistake, with a slot.
func (q *ReviewQuery) why(ctx context.Context, p *service.Pass, d *decision, j *judgement) error {
	by, now, better := d.Asks[0], d.Of.Before.now, j.advice.Card
	key := append(newKey(reasonKind), by.subject...).Byte(byte(d.Of.Act)).Byte(byte(better))
	for _, s := range piquet.Seats() {
		key = key.Uint32(uint32(now.Hand(s)))
	}
	seed := by.seed
	if by.all {
		seed = 0
	}
	found, source, err := service.Kept(ctx, p, key.Uint(seed), func(ctx context.Context) (x explained, err error) {
		drawn, err := by.draw()
		if err != nil {
			return x, err
		}
		var possible []worlds.World
		for _, w := range drawn[:min(reasonWorlds, len(drawn))] {
			possible = append(possible, w.World)
		}
		err = q.game.service.Part(ctx, func(ctx context.Context, task *computation.Task) (err error) {
			solver := &countingSolver{slotSolver: slotSolver{q.game, task.Slot()}}
			x.Hidden, x.Found, err = reason.HiddenOf(ctx, solver, now, d.Of.Act, better, possible)
			x.Nodes = solver.nodes
			return err
		})
		return x, err
	})
	j.reason = found
	p.Found(source, found.Nodes)
	if source == api.SourceSearch {
		p.Add(0, found.Nodes)
	}
	return err
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
			p := service.Rounded(k.Probability(r.By, r.Seat), probabilityDigits)
			evidence.Probability = &p
		}
		evidence.Facts = outFacts(k.View(), reason.Facts(k, r, before, h.Lines))
	}
	if !h.Real() {
		hands := outHands(h.World)
		evidence.Hands = &hands
	}
	return why, &evidence
}

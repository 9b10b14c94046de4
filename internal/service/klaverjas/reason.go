package klaverjas

import (
	"context"
	"encoding/binary"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/solvecache"
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

// explained is the reason of a mistake on knowledge: what reason.HiddenOf found.
type explained struct {
	reason.Hidden
	found bool
}

// explanation is the question for the reason of a decision.
type explanation struct {
	by     *AdviseQuery // about the view
	now    klaverjas.Position
	number int // of the card, from 0
	card   piquet.Card
	better piquet.Card
}

// Why looks for the reason of a mistake.
func (q *ReviewQuery) Why(ctx context.Context, p *service.Pass, d *decision, _ *AdviseQuery, j *judgement) (err error) {
	e := &explanation{by: d.Asks[0], now: d.Of.Before.now, number: d.Of.Number, card: d.Of.Act, better: j.advice.Card}
	j.why = e
	j.reason, err = service.FindPart(p, func() (explained, bool) { return e.known(ctx) }, func() (explained, uint64, error) {
		x, nodes, err := e.search(ctx)
		p.Add(0, nodes)
		return x, nodes, err
	})
	return err
}

// reasonKind is the kind of the cache keys of reasons.
const reasonKind = "klaverjas hidden reason"

// key returns all that the reason depends on.
func (e *explanation) key() service.Key {
	key := append(newKey(reasonKind), e.by.subject...).Byte(byte(e.card)).Byte(byte(e.better))
	for _, s := range piquet.Seats() {
		key = key.Uint32(uint32(e.now.Hand(s)))
	}
	if e.by.all {
		return key.Uint(0)
	}
	return key.Uint(e.by.seed)
}

// value returns the reason as bytes: found, the place of the example, worlds, applies, decides and the code (1 byte each), the hands
// (4 bytes each), and the lines.
func (e *explanation) value(x explained) []byte {
	b := []byte{asByte(x.found), byte(x.Example - reason.WasPlayed), byte(x.Worlds), byte(x.Applies), byte(x.Decides), byte(x.Code)}
	for _, hand := range x.World {
		b = binary.BigEndian.AppendUint32(b, uint32(hand))
	}
	return e.key().Seal(appendCards(appendCards(b, x.Lines.Played), x.Lines.Best))
}

const explainedSize = 6 + 4*4

func (e *explanation) read(value []byte) (x explained, ok bool) {
	b, ok := e.key().Open(value)
	if !ok || len(b) < explainedSize {
		return explained{}, false
	}
	x.found, x.Example, x.Worlds, x.Applies = b[0] == 1, int(b[1])+reason.WasPlayed, int(b[2]), int(b[3])
	x.Decides, x.Code = int(b[4]), reason.Code(b[5])
	for s := range x.World {
		x.World[s] = piquet.Set(binary.BigEndian.Uint32(b[6+4*s:]))
	}
	if b = b[explainedSize:]; !x.found {
		return x, len(b) == 0
	}
	left := piquet.Deck.Len() - e.number
	if len(b) != 2*left {
		return explained{}, false
	}
	x.Lines = reason.Lines{Played: cardsIn(b, left), Best: cardsIn(b[left:], left)}
	_, err := e.now.Redealt(x.World)
	return x, err == nil
}

func (e *explanation) lookup() service.Lookup {
	valid := func(value []byte) bool { _, ok := e.read(value); return ok }
	return service.Lookup{Keys: []solvecache.Key{solvecache.Key(e.key())}, Valid: valid}
}

// known returns the reason if the cache has it.
func (e *explanation) known(ctx context.Context) (explained, bool) {
	value, ok := e.by.game.service.Known(ctx, e.lookup())
	if !ok {
		return explained{}, false
	}
	service.EffortOf(ctx).NoteValue(value)
	return e.read(value.Bytes)
}

// search looks for the reason with a slot.
func (e *explanation) search(ctx context.Context) (x explained, nodes uint64, err error) {
	drawn, err := e.by.draw()
	if err != nil {
		return x, 0, err
	}
	var possible []worlds.World
	for _, w := range drawn[:min(reasonWorlds, len(drawn))] {
		possible = append(possible, w.World)
	}
	g := e.by.game
	err = g.service.Part(ctx, func(ctx context.Context, task *computation.Task) error {
		solver := &countingSolver{slotSolver: slotSolver{g, task.Slot()}}
		var err error
		x.Hidden, x.found, err = reason.HiddenOf(ctx, solver, e.now, e.card, e.better, possible)
		nodes = solver.nodes
		return err
	})
	if err == nil {
		g.service.Cache().Put(ctx, solvecache.Key(e.key()), e.value(x))
	}
	return x, nodes, err
}

// explain writes the reason to a reviewed card.
func (e *explanation) explain(x explained, out *api.KlaverjasReviewedCard) {
	if !x.found {
		return
	}
	before, err := e.now.Redealt(x.World)
	if err != nil {
		return
	}
	out.Lines = outLines(x.Lines)
	out.Reason, out.Evidence = outHidden(&x.Hidden, before, e.by.question.Knowledge())
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

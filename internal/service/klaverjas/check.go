package klaverjas

import (
	"context"
	"errors"
	"strconv"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/logic"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// CheckQuery asks whether a formula about knowledge is true.
type CheckQuery struct {
	knowledge *worlds.Knowledge
	world     *worlds.World // the hands of all seats; nil for a view
	formula   *logic.Formula
	card      bool // only the model of one card may decide
}

// ParseKnowledgeCheck reads the body of knowledge/check.
var ParseKnowledgeCheck = service.PlainBodyOf[*Game]("KlaverjasKnowledgeCheckRequest", newCheckQuery)

func newCheckQuery(in knowledgeCheckBody) (q CheckQuery, err error) {
	if err := in.either(); err != nil {
		return q, err
	}
	if q.formula, err = logic.ParseFormula(in.Formula); err != nil {
		return q, service.Refused(violation.New(violation.NotAFormula, "%s", err).At("/formula").Of(in.Formula))
	}
	q.card = service.Or(in.Model, api.KlaverjasCheckModelJoint) == api.KlaverjasCheckModelCard
	if in.Seat != nil {
		q.knowledge, err = newKnowledge(in.view())
		return q, err
	}
	p, err := newPosition(in.position())
	if err != nil {
		return q, err
	}
	if q.knowledge, err = worlds.New(worlds.ViewOf(p.now, p.played, piquet.North)); err != nil {
		return q, err // a position has no impossible views
	}
	q.world = new(worlds.World)
	for _, s := range piquet.Seats() {
		q.world[s] = p.now.Hand(s)
	}
	return q, nil
}

// view returns the body of the view, which must be one.
func (in *seenBody) view() viewBody {
	return viewBody{
		Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Played: in.Played,
		Seat: *in.Seat, Hand: *in.Hand, Known: in.Known,
	}
}

// position returns the body of the position.
func (in *seenBody) position() positionBody {
	return positionBody{
		Rules: in.Rules, Trump: in.Trump, Leader: in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
	}
}

// either checks that the body describes a view or a position, and not both.
func (in *seenBody) either() error {
	position := in.Hands != nil || in.Deal != nil
	var vs service.Problems
	add := func(wrong bool, pointer string, code violation.Code, detail string) {
		if wrong {
			vs.Addf(pointer, code, "%s", detail)
		}
	}
	const both = "is given together with the hands of a position: give either a view or a position"
	add(position && in.Seat != nil, "/seat", violation.OnlyOneOf, both)
	add(position && in.Hand != nil, "/hand", violation.OnlyOneOf, both)
	add(position && in.Known != nil, "/known", violation.OnlyOneOf, both)
	if !position {
		const neither = "is missing: give seat and hand of a view, or hands or deal of a position"
		add(in.Seat == nil, "/seat", violation.Missing, neither)
		add(in.Hand == nil, "/hand", violation.Missing, neither)
	}
	return vs.Err()
}

// check decides the formula within a number of steps.
func (q *CheckQuery) check(steps int) (logic.Answer, error) {
	switch {
	case q.card:
		return logic.CheckCard(q.knowledge, q.formula, q.world, steps)
	case q.world != nil:
		return logic.CheckAt(q.knowledge, q.formula, *q.world, steps)
	default:
		return logic.Check(q.knowledge, q.formula, steps)
	}
}

// outMethods has the methods of the engine as they are written.
var outMethods = map[logic.Method]api.KlaverjasKnowledgeCheckMethod{
	logic.ByPublic: api.KlaverjasKnowledgeCheckMethodPublic, logic.ByModel: api.KlaverjasKnowledgeCheckMethodModel,
	logic.ByProof: api.KlaverjasKnowledgeCheckMethodProof, logic.ByCard: api.KlaverjasKnowledgeCheckMethodCard,
}

// KnowledgeCheck returns whether a formula is true, and a world that shows it. A formula that takes more than a few steps waits for a slot.
func (g *Game) KnowledgeCheck(ctx context.Context, q CheckQuery) (api.KlaverjasKnowledgeCheck, error) {
	c, err := q.check(logic.FewSteps)
	if errors.Is(err, logic.ErrTooComplex) {
		err = g.service.WithSlot(ctx, func(context.Context, *computation.Slot) (err error) {
			c, err = q.check(logic.MaxSteps)
			return err
		})
	}
	if err != nil {
		return api.KlaverjasKnowledgeCheck{}, refusedFormula(err)
	}
	out := api.KlaverjasKnowledgeCheck{
		Formula: q.formula.String(), Value: c.Value, World: outHands(c.World), Method: outMethods[c.Method], Exact: c.Exact,
		PublicWorlds: strconv.FormatUint(c.PublicWorlds, 10), Rules: outRules(q.knowledge.View().Rules), Version: g.service.Version(),
	}
	if c.Worlds > 0 {
		out.ModelWorlds = &c.Worlds
	}
	if c.Of > 0 {
		in, of := int64(c.True), int64(c.Of)
		out.TrueIn, out.Of = &in, &of
	}
	return out, nil
}

// refusedFormula returns the problem of a formula that cannot be decided.
func refusedFormula(err error) error {
	_, many := errors.AsType[*logic.TooManyWorlds](err)
	switch {
	case many, errors.Is(err, logic.ErrTooComplex):
		return service.Refused(violation.New(violation.TooMuch, "%s", err).At("/formula"))
	case errors.Is(err, logic.ErrManyCards):
		return service.Refused(violation.New(violation.Contradicts, "%s", err).At("/formula"))
	default:
		return err
	}
}

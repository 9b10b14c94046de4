package klaverjas

import (
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// ParseAdvise reads the body of advise.
var ParseAdvise = service.BodyOf("KlaverjasAdviseRequest", (*Game).readAdvise)

func (g *Game) readAdvise(in adviseBody) (*AdviseQuery, error) {
	o, err := in.options()
	if err != nil {
		return nil, err
	}
	if o.Method != searchMethod || in.Bidding != nil {
		if err := g.needsModels(); err != nil {
			return nil, err
		}
	}
	k, err := newKnowledge(in.viewBody)
	if err != nil {
		return nil, err
	}
	q, err := g.newAdviseQuery(k, o)
	if err != nil || in.Bidding == nil {
		return q, err
	}
	return q, in.Bidding.hear(q)
}

// options reads what the body asks for beside the view.
func (in *adviseBody) options() (o AdviseOptions, err error) {
	o.Worlds = in.Worlds
	if ms := in.BudgetMs; ms != nil {
		o.Budget = new(time.Duration(*ms * float64(time.Millisecond)))
	}
	var vs service.Problems
	switch service.Or(in.Method, api.KlaverjasAdviceMethodSearch) {
	case api.KlaverjasAdviceMethodBelief:
		o.Method = beliefMethod
	case api.KlaverjasAdviceMethodPlayout:
		if n := o.most(); n > maxPlayoutWorlds {
			vs.Add("/worlds", violation.New(violation.TooMuch, "is %d: expected a number from 1 to %d with the method playout", n,
				maxPlayoutWorlds).Of(n).Between(1, maxPlayoutWorlds))
		}
		o.Method = playoutMethod
	default:
	}
	o.Objective = service.Read(&vs, "/objective", in.Objective, advice.ParseObjective, o.Objective)
	o.Seed = vs.OptionalSeed(in.Seed, o.Seed)
	return o, vs.Err()
}

// hear reads the bidding of a query. It must end as the view begins.
func (b *biddingBody) hear(q *AdviseQuery) error {
	var vs service.Problems
	setting, calls := b.read(&vs)
	if err := vs.Err(); err != nil {
		return service.Below("/bidding", err)
	}
	a, err := bidding.Start(setting)
	if err == nil {
		a, err = a.Replay(calls)
	}
	if err != nil {
		return service.Below("/bidding", service.FromEngine(err))
	}
	if !a.Done() {
		return service.Refused(violation.New(violation.Needed, "do not end with a declaration: expected the whole bidding").At("/bidding/calls"))
	}
	v := q.question.Knowledge().View()
	by, trump := a.Result()
	switch {
	case trump != v.Trump:
		vs.Addf("/bidding/calls", violation.Contradicts, "end with %s as trump, but the trump is %s", trump, v.Trump)
	case by.Team() != v.Declarer:
		vs.Addf("/bidding/calls", violation.Contradicts, "end with a declaration by %s, but %s declare", by, v.Declarer)
	}
	if a.Leader() != v.Leader {
		vs.Addf("/bidding/dealer", violation.Contradicts, "is %s: then %s leads the first trick, not %s", setting.Dealer, a.Leader(), v.Leader)
	}
	if q.method != playoutMethod {
		vs.Addf("/bidding", violation.NotUsed, "is not used by the method search: expected the method playout")
	}
	if err := vs.Err(); err != nil {
		return err
	}
	return q.game.guesses.hear(q, a)
}

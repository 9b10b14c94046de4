package belote

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote/advice"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/standing"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// AdviseQuery asks which card to play while cards are face down.
type AdviseQuery struct {
	*service.LookupQuery[any]
	game     *Game
	view     View
	question advice.Question // about the canonical form
	began    time.Time
	key      service.Key // of the tally
}

// ParseAdvise reads the body of advise.
func (g *Game) ParseAdvise(ctx context.Context, body []byte) (*AdviseQuery, error) {
	return service.Decode(ctx, g.schemas, body, "BeloteAdviseRequest", g.newAdviseQuery)
}

func (g *Game) newAdviseQuery(in adviseBody) (*AdviseQuery, error) {
	var question advice.Question
	if err := in.options(&question); err != nil {
		return nil, err
	}
	view, err := newView(&in)
	if err != nil {
		return nil, err
	}
	return g.newAdviseQueryOf(view, question)
}

// newAdviseQueryOf is newAdviseQuery for a view.
func (g *Game) newAdviseQueryOf(view View, question advice.Question) (*AdviseQuery, error) {
	q := &AdviseQuery{game: g, began: time.Now(), view: view, question: question}
	if q.view.here.Left() == 0 {
		return nil, service.Refused(violation.New(violation.Over, "has every card of the hand: there is no card left to play").At("/played"))
	}
	q.question.View, q.question.Flip = q.view.twin, q.view.flip
	if hidden, left := q.view.here.Hidden(), q.view.here.Left(); q.question.Method == advice.Exact && !q.question.Exact() {
		mostHidden, mostLeft := advice.Affordable(hidden)
		detail := fmt.Sprintf("would take too long: %d cards are face down, and it is computed with at most %d", hidden, mostHidden)
		if hidden <= mostHidden {
			detail = fmt.Sprintf("would take too long: %d cards are left to play, and with %d face down it is computed with at most %d", left,
				hidden, mostLeft)
		}
		return nil, service.Refused(violation.New(violation.TooMuch, "expectimax %s", detail).At("/method").Of(advice.Exact))
	}
	q.key = q.appendKey(newKey(KindAdvise))
	q.LookupQuery = service.NewLookupQuery(g.service, q.named(), service.Lookup{
		Keys:    []solvecache.Key{solvecache.Key(q.key)},
		Valid:   func(value []byte) bool { _, ok := q.read(value); return ok },
		InParts: true,
		Compute: g.inTurns(q.search),
	}, q.answer)
	return q, nil
}

// options reads what the body asks for beside the view.
func (in *adviseBody) options(q *advice.Question) error {
	var vs service.Problems
	q.Utility = service.Read(&vs, "/utility", in.Utility, search.ParseUtility, q.Utility)
	q.Method = service.Read(&vs, "/method", in.Method, advice.ParseMethod, q.Method)
	q.Worlds, q.Seed = in.Worlds, vs.Seed(in.Seed)
	return vs.Err()
}

// appendKey writes everything that the tally depends on. The tally of all worlds does not depend on the seed.
func (q *AdviseQuery) appendKey(key service.Key) service.Key {
	n, all := q.question.Searched()
	seed := q.question.Seed
	if all {
		seed = 0
	}
	return key.Byte(byte(q.question.Utility)).Bool(q.question.Exact()).Int(n).Uint(seed).Bytes(q.view.code)
}

// named returns the key of the query: the canonical form and the options, and the names of the request.
func (q *AdviseQuery) named() service.Key {
	d := q.view.here.Deal()
	key := append(service.Key(nil), q.key...).Uint(q.question.Seed).Byte(byte(d.Leader)).Byte(byte(q.question.Method))
	return service.AppendList(key, q.view.back[:])
}

// search searches the worlds, and returns their tally as the cache keeps it.
func (q *AdviseQuery) search(ctx context.Context, task *computation.Task, solver *search.Solver, pause func() error) ([]byte, error) {
	n, _ := q.question.Searched()
	t, err := q.question.Ask(ctx, effortful{q.game, solver}, pause, service.Counted(task, n))
	if err != nil {
		return nil, err
	}
	return q.key.Seal(t.AppendBinary(nil)), nil
}

// effortful is a solver whose searches are recorded.
type effortful struct {
	game   *Game
	solver *search.Solver
}

// Solve searches a position.
func (s effortful) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	return s.game.solve(ctx, s.solver, q)
}

// read reads a tally of the cache. ok reports whether it belongs to the question.
func (q *AdviseQuery) read(value []byte) (t *advice.Tally, ok bool) {
	if value, ok = q.key.Open(value); !ok {
		return nil, false
	}
	t, err := q.question.ReadTally(value)
	return t, err == nil
}

// tally returns the tally in a value.
func (q *AdviseQuery) tally(value service.Value) (*advice.Tally, error) {
	t, ok := q.read(value.Bytes)
	if !ok {
		return nil, &service.Error{Detail: "the tally does not fit its view"}
	}
	return t, nil
}

// worlds returns the worlds of advice as answers have them.
func (q *AdviseQuery) worlds(a *advice.Advice) api.BeloteAdviceWorlds {
	return api.BeloteAdviceWorlds{Used: a.Worlds, Of: strconv.FormatUint(q.view.here.Worlds(), 10), All: a.All}
}

// answer returns the advice of the tally.
func (q *AdviseQuery) answer(value service.Value) (service.Answer[any], error) {
	t, err := q.tally(value)
	if err != nil {
		return service.Answer[any]{}, err
	}
	a := q.question.Advise(t)
	here := q.view.here
	now := here.Now()
	source := value.Source()
	took := stats(t.Generated, source, q.began)
	out := api.BeloteAdvice{
		Card: q.view.back[a.Cards[0].Card].String(), Utility: api.BeloteUtility(q.question.Utility.String()),
		Method: api.BeloteAdviceMethodSampling,
		Cards:  make([]api.BeloteAdvisedCard, len(a.Cards)),
		Worlds: q.worlds(&a),
		Hidden: here.Hidden(), Left: here.Left(), Confidence: outConfidence(a.Clear), Turn: *outPlayer(now.Turn()),
		Rules: outRules(here.Deal(), q.view.flip), Seed: strconv.FormatUint(q.question.Seed, 10),
		Source: source, Stats: took, Version: q.game.service.Version(),
	}
	out.Limits.Hidden, out.Limits.Left = advice.Affordable(here.Hidden())
	digits, rule := pointDigits, reviewRule
	if q.question.Utility == search.Contract {
		digits, rule.LeastCost = probabilityDigits, standing.Chance
	}
	for i, v := range a.Cards {
		c := api.BeloteAdvisedCard{
			Card: q.view.back[v.Card].String(), Value: service.Rounded(v.Value.Mean, digits), StandardError: service.Rounded(v.Value.Error, digits),
			Cost: service.Rounded(v.Cost.Mean, digits), CostError: service.Rounded(v.Cost.Error, digits), Best: v.Best,
			Standing: rule.Standing(v.Cost.Mean, v.Cost.Error), BestIn: service.Rounded(v.BestIn, probabilityDigits),
			WinProbability: outMean(v.Won, probabilityDigits),
		}
		if i == 0 {
			c.Standing = api.StandingBest
		}
		if q.question.Utility == search.Points {
			points := outMean(v.Sampled, pointDigits)
			c.Points = &points
		}
		if a.Exact {
			exact := service.Rounded(v.Expectimax, digits)
			c.Expectimax = &exact
		}
		out.Cards[i] = c
	}
	if f := a.Fusion; f != nil {
		out.Method = api.BeloteAdviceMethodExpectimax
		out.Fusion = &api.BeloteFusion{
			Sampling: service.Rounded(f.Sampled, digits), Expectimax: service.Rounded(f.Expectimax, digits),
			Difference: service.Rounded(f.Difference, digits),
			Card:       q.view.back[f.Card].String(), Cost: service.Rounded(f.Cost, digits),
		}
	}
	return service.Solved[any](value, out, a.Worlds, took.Nodes), nil
}

// The digits after the point of means in answers.
const (
	pointDigits       = 3
	probabilityDigits = 6
)

func outMean(m advice.Mean, digits int) api.BeloteMean {
	return api.BeloteMean{Mean: service.Rounded(m.Mean, digits), StandardError: service.Rounded(m.Error, digits)}
}

func outConfidence(isClear bool) api.BeloteConfidence {
	if isClear {
		return api.BeloteConfidenceClear
	}
	return api.BeloteConfidenceClose
}

package klaverjas

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/violation"
	"roem/internal/model/klaverjas/belief"
	"roem/internal/model/klaverjas/policy"
	"roem/internal/service"
	"roem/internal/service/klaverjas/bidadvice"
	"roem/internal/solvecache"
)

// How many worlds are searched.
const (
	// defaultWorlds is the number for a request that sets neither worlds nor a budget.
	defaultWorlds = 100
	// fewWorlds is the number up to which such a request searches all worlds. There are at most 1,680 from the sixth trick on.
	fewWorlds = 2000
	// budgetWorlds is the most for a request with a budget and no worlds.
	budgetWorlds = 10_000
	// maxPlayoutWorlds is the most with playouts. A request with a budget and no worlds plays out as many at most.
	maxPlayoutWorlds = 10_000
	// budgetErrors ends a request with a budget when each other card is that many standard errors worse.
	budgetErrors = 4
)

// adviceMethod says how worlds are drawn and judged.
type adviceMethod uint8

const (
	searchMethod  adviceMethod = iota // each world is solved exactly, with all cards visible; all worlds count alike
	beliefMethod                      // the same in worlds of the belief
	playoutMethod                     // each world is played to its end by a policy; what was played weighs the worlds
)

// AdviseQuery asks which card the seat of a view should play.
type AdviseQuery struct {
	game      *Game
	question  *advice.Question
	method    adviceMethod
	calls     *bidadvice.Evidence // nil if the bidding is not known
	objective advice.Objective
	seed      uint64
	worlds    int            // how many are searched or played out, at most; not more than there are
	all       bool           // worlds is the number of all worlds
	asked     int            // the most worlds of a stream
	budget    *time.Duration // nil for none
	began     time.Time
	subject   service.Key // what the worlds and their outcomes depend on

	tally *advice.Tally // of the answer that was given, for a better one; nil for none
	from  *AdviseQuery  // the query of the same stream before this one; nil for none
}

// ParseAdvise reads the body of advise.
func (g *Game) ParseAdvise(ctx context.Context, body []byte) (*AdviseQuery, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasAdviseRequest", g.newAdviseQuery)
}

func (g *Game) newAdviseQuery(in adviseBody) (*AdviseQuery, error) {
	q := &AdviseQuery{game: g, began: time.Now()}
	if err := q.options(&in); err != nil {
		return nil, err
	}
	k, err := newKnowledge(in.viewBody)
	if err != nil {
		return nil, err
	}
	question, err := advice.NewQuestion(k)
	switch {
	case errors.Is(err, advice.ErrFinished):
		return nil, service.Refused(violation.New(violation.Over, "has every card of the hand: there is no card left to play").At("/played"))
	case errors.Is(err, advice.ErrNotTurn):
		return nil, service.Refused(violation.New(violation.NotOnTurn, "it is the turn of %[2]s, not of %[1]s", k.View().Seat, k.Turn()).
			At("/seat").Of(k.View().Seat).OneOf(k.Turn().String()))
	case err != nil:
		return nil, err
	}
	q.asked = service.Or(in.Worlds, budgetWorlds)
	q.ask(question, in.Worlds == nil)
	if in.Bidding != nil {
		if err := q.hear(in.Bidding); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// ask sets the question, and the number of worlds as bound does.
func (q *AdviseQuery) ask(question *advice.Question, open bool) {
	q.question = question
	q.subject = appendView(newKey(KindAdvise), question.Knowledge().View())
	q.bound(open)
}

// bound sets the number of worlds to all if there are no more than asked for. open says that the request does not set the number: then few
// worlds are searched completely.
func (q *AdviseQuery) bound(open bool) {
	k := q.question.Knowledge()
	few := k.Worlds() <= uint64(q.worlds) || k.Worlds() <= fewWorlds && open
	if q.method == playoutMethod {
		few = k.Worlds() <= roundCandidates && (open || k.Worlds() <= uint64(q.worlds))
	}
	if few {
		q.worlds, q.all = int(k.Worlds()), true
	}
}

// options reads what the body asks for beside the view.
func (q *AdviseQuery) options(in *adviseBody) error {
	q.worlds = defaultWorlds
	if ms := in.BudgetMs; ms != nil {
		budget := time.Duration(*ms * float64(time.Millisecond))
		q.budget, q.worlds = &budget, budgetWorlds
	}
	q.worlds = service.Or(in.Worlds, q.worlds)
	var vs service.Problems
	switch service.Or(in.Method, api.KlaverjasAdviceMethodSearch) {
	case api.KlaverjasAdviceMethodBelief:
		q.method = beliefMethod
	case api.KlaverjasAdviceMethodPlayout:
		if q.method = playoutMethod; q.worlds > maxPlayoutWorlds {
			vs.Add("/worlds", violation.New(violation.TooMuch, "is %d: expected a number from 1 to %d with the method playout", q.worlds,
				maxPlayoutWorlds).Of(q.worlds).Between(1, maxPlayoutWorlds))
		}
	default:
	}
	q.objective = service.Read(&vs, "/objective", in.Objective, advice.ParseObjective, q.objective)
	q.seed = vs.OptionalSeed(in.Seed, q.seed)
	return vs.Err()
}

// Key holds the view and the options.
func (q *AdviseQuery) Key() []byte {
	key := q.key(q.worlds, q.seed).Byte(byte(q.objective)).Bool(q.budget != nil)
	if q.budget != nil {
		key = key.Uint(uint64(*q.budget))
	}
	return key
}

func (q *AdviseQuery) key(worlds int, seed uint64) service.Key {
	key := append(service.Key(nil), q.subject...).Byte(byte(q.method)).Int(worlds)
	switch q.method {
	case beliefMethod:
		key = key.Text(belief.SHA256())
	case playoutMethod:
		key = key.Text(policy.SHA256())
	}
	return key.Uint(seed)
}

// cacheKeys returns the key of the tally in the cache: none if it depends on the time that the searches take. The tally of all worlds does
// not depend on the seed, and no tally depends on the objective.
func (q *AdviseQuery) cacheKeys() []solvecache.Key {
	switch {
	case q.all:
		return []solvecache.Key{solvecache.Key(q.key(q.worlds, 0))}
	case q.budget == nil:
		return []solvecache.Key{solvecache.Key(q.key(q.worlds, q.seed))}
	}
	return nil
}

// Known returns the answer if the cache has the tally or only one card is legal.
func (q *AdviseQuery) Known(ctx context.Context) (service.Answer[any], bool, error) {
	if q.question.Forced() {
		return q.answer(&advice.Tally{}, api.SourceSearch), true, nil
	}
	t, ok := q.known(ctx)
	if !ok {
		return service.Answer[any]{}, false, nil
	}
	q.tally = t
	return q.answer(t, api.SourceCache), true, nil
}

// known returns the tally if the cache has it.
func (q *AdviseQuery) known(ctx context.Context) (*advice.Tally, bool) {
	keys := q.cacheKeys()
	if len(keys) == 0 {
		return nil, false
	}
	value, ok := q.game.service.Known(ctx, service.Lookup{Keys: keys, Valid: func(value []byte) bool {
		_, ok := q.readTally(value)
		return ok
	}})
	if !ok {
		return nil, false
	}
	service.EffortOf(ctx).NoteValue(value)
	return q.readTally(value.Bytes)
}

// Computation searches the worlds. It needs no slot; its parts, which are several worlds each, do.
func (q *AdviseQuery) Computation() computation.Spec {
	spec := computation.Spec{Run: func(ctx context.Context, task *computation.Task) (any, error) {
		return q.search(ctx, service.NewParts(task, q.worlds))
	}}
	if q.budget == nil {
		spec.Key = q.game.sharedKey(q.key(q.worlds, q.seed))
	}
	return spec
}

// search searches the worlds, reports them to sum, and puts the tally into the cache. Its result is never nil without an error.
func (q *AdviseQuery) search(ctx context.Context, sum *service.Parts) (*advice.Tally, error) {
	t, err := q.run(ctx, sum)
	if err != nil {
		return nil, err
	}
	if keys := q.cacheKeys(); len(keys) > 0 && (t.Worlds == q.worlds || q.method == playoutMethod) {
		q.game.service.Cache().Put(ctx, keys[0], q.tallyValue(t))
	}
	return t, nil
}

// Answer returns the advice of the tally.
func (q *AdviseQuery) Answer(result computation.Result) (service.Answer[any], error) {
	t, ok := result.Value.(*advice.Tally)
	if !ok {
		return service.Answer[any]{}, &service.Error{Detail: "the computation has another result than a tally"}
	}
	q.tally = t
	return q.answer(t, api.SourceSearch), nil
}

// tallyValue returns a tally as the cache keeps it: its binary form and the check of the subject.
func (q *AdviseQuery) tallyValue(t *advice.Tally) []byte {
	b, _ := t.AppendBinary(nil) // it never fails
	return q.subject.Seal(b)
}

// readTally reads a tally of the cache. ok is false for one that is not of this view, or that has another number of worlds.
func (q *AdviseQuery) readTally(value []byte) (t *advice.Tally, ok bool) {
	if value, ok = q.subject.Open(value); !ok {
		return nil, false
	}
	t = &advice.Tally{}
	return t, t.UnmarshalBinary(value) == nil && (t.Worlds == q.worlds || q.method == playoutMethod)
}

// distinct reports whether no world is drawn twice.
func (q *AdviseQuery) distinct() bool { return q.method == searchMethod || q.all }

func (q *AdviseQuery) answer(t *advice.Tally, source api.Source) service.Answer[any] {
	a := q.question.Advise(t, q.objective, q.distinct())
	v := q.question.Knowledge().View()
	out := api.KlaverjasAdvice{
		Card: a.Card.String(), Objective: api.KlaverjasObjective(q.objective.String()), Cards: make([]api.KlaverjasAdvisedCard, len(a.Cards)),
		Worlds:     outWorlds(&a),
		Confidence: api.KlaverjasAdviceConfidence(a.Confidence.String()), Basis: api.KlaverjasAdviceBasisKnowledge,
		Method: api.KlaverjasAdviceMethodSearch,
		Seat:   *outSeat(v.Seat), Rules: outRules(v.Rules), Seed: strconv.FormatUint(q.seed, 10),
		Source: source, Stats: stats(t.Nodes, source, q.began), Version: q.game.service.Version(),
	}
	switch q.method {
	case beliefMethod:
		out.Basis, out.Method = api.KlaverjasAdviceBasisBelief, api.KlaverjasAdviceMethodBelief
		out.Model = beliefModel()
	case playoutMethod:
		out.Basis, out.Method = api.KlaverjasAdviceBasisPlay, api.KlaverjasAdviceMethodPlayout
		if q.calls != nil {
			out.Basis = api.KlaverjasAdviceBasisCallsAndPlay
		}
		out.Model = &api.ModelIdentity{Name: policy.Name, Version: policy.Version, Sha256: policy.SHA256()}
	}
	for i, c := range a.Cards {
		out.Cards[i] = outAdvised(c, q.objective, a.Used > 0)
	}
	progress := computation.Progress{Done: t.Worlds, Of: q.worlds, Nodes: uint64(out.Stats.Nodes)}
	if q.question.Forced() { // no world is searched, and nothing is left to do
		progress = computation.Progress{Done: 1, Of: 1}
	}
	return service.Answer[any]{Result: out, Source: source, Nodes: out.Stats.Nodes, Progress: progress}
}

func outWorlds(a *advice.Advice) api.KlaverjasAdviceWorlds {
	return api.KlaverjasAdviceWorlds{Used: a.Used, Of: strconv.FormatUint(a.Of, 10), All: a.All}
}

func outAdvised(v advice.Value, o advice.Objective, searched bool) api.KlaverjasAdvisedCard {
	digits := pointDigits
	if o == advice.Win {
		digits = probabilityDigits
	}
	out := api.KlaverjasAdvisedCard{
		Card: v.Card.String(), BestIn: service.Rounded(v.BestIn, probabilityDigits), Cost: service.Rounded(v.Cost.Mean, digits), Equal: v.Equal,
		Standing: api.Standing(v.Standing.String()),
	}
	if !searched {
		return out
	}
	win, outcome := service.Rounded(v.WinProbability.Mean, probabilityDigits), service.Rounded(v.Outcome.Mean, pointDigits)
	out.WinProbability, out.Outcome = &win, &outcome
	if !math.IsInf(v.Outcome.Error, 0) {
		out.StandardErrors = &api.KlaverjasAdviceErrors{
			WinProbability: service.Rounded(v.WinProbability.Error, probabilityDigits), Outcome: service.Rounded(v.Outcome.Error, pointDigits),
			Cost: service.Rounded(v.Cost.Error, digits),
		}
	}
	return out
}

// The digits after the point of means in answers.
const (
	pointDigits       = 2
	probabilityDigits = 6
)

// appendView writes a view. Equal views have equal bytes.
func appendView(key service.Key, v worlds.View) service.Key {
	key = appendRules(key, v.Rules).Byte(byte(v.Trump)).Byte(byte(v.Leader)).Byte(byte(v.Declarer)).Byte(byte(v.Seat)).Uint32(uint32(v.Hand))
	for _, known := range v.Known {
		key = key.Uint32(uint32(known))
	}
	return service.AppendList(key.Uint32(uint32(v.Open)), v.Played)
}

package klaverjas

import (
	"context"
	"errors"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
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
	prior     func(hands *[4]piquet.Set) float64 // how likely hands are by the calls; nil if they are not known
	objective advice.Objective
	seed      uint64
	worlds    int            // how many are searched or played out, at most; not more than there are
	all       bool           // worlds is the number of all worlds
	asked     int            // the most worlds of a stream
	budget    *time.Duration // nil for none
	subject   service.Key    // what the worlds and their outcomes depend on

	tally *advice.Tally // of the answer that was given, for a better one; nil for none
	from  *AdviseQuery  // the query of the same stream before this one; nil for none
}

// AdviseOptions say how advice is found. Their zero value asks for the points over defaultWorlds worlds that are searched.
type AdviseOptions struct {
	Method    adviceMethod
	Objective advice.Objective
	Seed      uint64
	Worlds    *int           // how many are searched or played out, at most; nil for as many as are worth it
	Budget    *time.Duration // nil for none
}

// newAdviseQuery returns the query about what a seat knows. Its error says that the seat is not to play.
func (g *Game) newAdviseQuery(k *worlds.Knowledge, o AdviseOptions) (*AdviseQuery, error) {
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
	q := &AdviseQuery{game: g, method: o.Method, objective: o.Objective, seed: o.Seed, budget: o.Budget, worlds: o.most()}
	q.asked = service.Or(o.Worlds, budgetWorlds)
	q.ask(question, o.Worlds == nil)
	return q, nil
}

// most returns how many worlds are searched or played out, at most.
func (o *AdviseOptions) most() int {
	if o.Budget != nil {
		return service.Or(o.Worlds, budgetWorlds)
	}
	return service.Or(o.Worlds, defaultWorlds)
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
	if q.method != searchMethod {
		key = key.Text(q.game.guesses.model(q.method).Sha256)
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
func (q *AdviseQuery) Known(ctx context.Context) (service.Answer[*advice.Tally], bool, error) {
	if q.question.Forced() {
		return q.answer(&advice.Tally{}, service.FromSearch), true, nil
	}
	t, ok := q.known(ctx)
	if !ok {
		return service.Answer[*advice.Tally]{}, false, nil
	}
	q.tally = t
	return q.answer(t, service.FromCache), true, nil
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
func (q *AdviseQuery) Answer(result computation.Result) (service.Answer[*advice.Tally], error) {
	t, ok := result.Value.(*advice.Tally)
	if !ok {
		return service.Answer[*advice.Tally]{}, &service.Error{Detail: "the computation has another result than a tally"}
	}
	q.tally = t
	return q.answer(t, service.FromSearch), nil
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

func (q *AdviseQuery) answer(t *advice.Tally, source service.Source) service.Answer[*advice.Tally] {
	out := service.Answer[*advice.Tally]{Result: t, Source: source}
	if source == service.FromSearch {
		out.Nodes = int64(t.Nodes)
	}
	out.Progress = computation.Progress{Done: t.Worlds, Of: q.worlds, Nodes: uint64(out.Nodes)}
	if q.question.Forced() { // no world is searched, and nothing is left to do
		out.Progress = computation.Progress{Done: 1, Of: 1}
	}
	return out
}

// appendView writes a view. Equal views have equal bytes.
func appendView(key service.Key, v worlds.View) service.Key {
	key = appendRules(key, v.Rules).Byte(byte(v.Trump)).Byte(byte(v.Leader)).Byte(byte(v.Declarer)).Byte(byte(v.Seat)).Uint32(uint32(v.Hand))
	for _, known := range v.Known {
		key = key.Uint32(uint32(known))
	}
	return service.AppendList(key.Uint32(uint32(v.Open)), v.Played)
}

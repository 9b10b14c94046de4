package belote

import (
	"context"
	"fmt"

	"roem/internal/computation"
	"roem/internal/engine/belote/advice"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// AdviseQuery asks which card to play while cards are face down.
type AdviseQuery struct {
	*service.LookupQuery[advised]
	game     *Game
	view     View
	question advice.Question // about the canonical form
	key      service.Key     // of the tally
}

// newAdviseQuery returns the query about a view.
func (g *Game) newAdviseQuery(view View, question advice.Question) (*AdviseQuery, error) {
	q := &AdviseQuery{game: g, view: view, question: question}
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

// advised is advice, with how many states it took.
type advised struct {
	advice.Advice

	generated uint64
}

// answer returns the advice of the tally.
func (q *AdviseQuery) answer(value service.Value) (service.Answer[advised], error) {
	t, err := q.tally(value)
	if err != nil {
		return service.Answer[advised]{}, err
	}
	a := advised{q.question.Advise(t), t.Generated}
	return service.Solved(value, a, a.Worlds, taken(value, t.Generated)), nil
}

// The digits after the point of means in answers.
const (
	pointDigits       = 3
	probabilityDigits = 6
)

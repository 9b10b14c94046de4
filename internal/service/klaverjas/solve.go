package klaverjas

import (
	"context"
	"sort"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
)

// SolveQuery is a request for the exact result of a position for a goal. It never changes.
type SolveQuery struct {
	game     *Game
	position Position
	twin     canonical // not set for a finished hand
	goal     search.Goal
	lookup   service.Lookup
}

// newSolveQuery prepares the query.
func (g *Game) newSolveQuery(p Position, goal search.Goal) (*SolveQuery, error) {
	q := &SolveQuery{game: g, position: p, goal: goal}
	if p.now.Finished() {
		return q, nil
	}
	var err error
	if q.twin, err = newCanonical(p); err != nil {
		return nil, err
	}
	q.lookup = g.lookup(&q.twin, goal)
	return q, nil
}

// Key holds the position in its own seats and suits, and the goal.
func (q *SolveQuery) Key() []byte {
	return q.position.appendTo(newKey(KindSolve).Byte(byte(q.goal)))
}

// Known returns the result, in the seats and suits of the position, if the cache has it or the hand is finished.
func (q *SolveQuery) Known(ctx context.Context) (service.Answer[result], bool, error) {
	if q.position.now.Finished() {
		return resultAtEnd(q.position, q.goal).answer(service.FromSearch), true, nil
	}
	var f result
	kept, ok := q.game.service.Cache().First(ctx, q.lookup.Keys, func(value []byte) (fits bool) {
		f, fits = readResult(value, q.goal, q.twin.now)
		return fits
	})
	if !ok {
		return service.Answer[result]{}, false, nil
	}
	service.EffortOf(ctx).NoteValue(service.Value{Bytes: kept.Value, Layer: kept.Layer})
	return q.twin.returned(f, q.position).answer(service.FromCache), true, nil
}

// Computation searches the canonical form of the position.
func (q *SolveQuery) Computation() computation.Spec { return q.game.service.Computation(q.lookup) }

// Answer relabels the result with the seats and suits of the position.
func (q *SolveQuery) Answer(from computation.Result) (service.Answer[result], error) {
	value := service.ValueOf(from)
	f, ok := readResult(value.Bytes, q.goal, q.twin.now)
	if !ok {
		return service.Answer[result]{}, &service.Error{Detail: "the result of the search does not fit its position"}
	}
	return q.twin.returned(f, q.position).answer(value.Source()), nil
}

// answer returns the answer that has the result.
func (f result) answer(source service.Source) service.Answer[result] {
	p := f.progress(source)
	return service.Answer[result]{Result: f, Source: source, Nodes: int64(p.Nodes), Progress: p}
}

// lookup returns the Lookup of the result of a canonical form for a goal.
func (g *Game) lookup(twin *canonical, goal search.Goal) service.Lookup {
	return service.Lookup{
		Keys:  twin.keysFor(goal),
		Valid: func(value []byte) bool { _, ok := readResult(value, goal, twin.now); return ok },
		Compute: func(ctx context.Context, task *computation.Task) ([]byte, error) {
			began := time.Now()
			result, err := g.solve(ctx, task.Slot(), search.Query{
				Position: twin.now, Goal: goal, Progress: func(p search.Progress) { task.Report(narrowed(p)) },
			})
			if err != nil && goal == search.Win {
				return appendPartial(nil, result, twin.now.Deal().Declarer), err
			}
			if err != nil {
				return nil, err
			}
			g.pace.Note(result.Nodes, time.Since(began))
			return fromResult(result).value(twin.now), nil
		},
	}
}

// narrowed converts a report of the search to the progress of a solve.
func narrowed(p search.Progress) computation.Progress {
	return computation.Progress{Of: 1, Nodes: p.Nodes, Lower: &p.Lower, Upper: &p.Upper}
}

// find returns the result of a canonical form for a goal, from the cache or by a search. It is for answers with several parts.
// progress may be nil.
func (g *Game) find(
	ctx context.Context, twin canonical, goal search.Goal, progress func(computation.Progress), linger time.Duration,
) (result, service.Value, error) {
	value, err := g.service.LookUp(ctx, g.lookup(&twin, goal), progress, linger)
	if err != nil {
		return result{}, value, err
	}
	f, ok := readResult(value.Bytes, goal, twin.now)
	if !ok {
		return result{}, value, &service.Error{Detail: "the result of the search does not fit its position"}
	}
	if progress != nil {
		progress(f.progress(value.Source()))
	}
	return f, value, nil
}

// resultAtEnd returns the result of a finished hand, which needs no search.
func resultAtEnd(p Position, goal search.Goal) result {
	outcome := p.now.Outcome()
	return result{goal: goal, won: outcome > 0, outcome: outcome, score: p.now.Score(), pit: p.now.Pit()}
}

// progress returns the progress of a solve that has this result.
func (f result) progress(source service.Source) computation.Progress {
	p := computation.Progress{Done: 1, Of: 1}
	if source == service.FromSearch {
		p.Nodes = f.nodes
	}
	if f.goal != search.Win {
		p.Lower, p.Upper = &f.outcome, &f.outcome
	}
	return p
}

// sortMoves sorts the moves as the contract says: by outcome with the best first; among equals the card of the line first, then in the
// order of the deck. Relabelling does not keep this order.
func sortMoves(f result, p klaverjas.Position) {
	declarers := p.Turn().Team() == p.Deal().Declarer
	rank := func(m search.MoveValue) (value, card int) {
		value, card = m.Outcome, int(m.Card)
		if declarers {
			value = -value
		}
		if len(f.line) > 0 && m.Card == f.line[0] {
			card = -1
		}
		return value, card
	}
	sort.Slice(f.moves, func(i, j int) bool {
		vi, ci := rank(f.moves[i])
		vj, cj := rank(f.moves[j])
		return vi < vj || vi == vj && ci < cj
	})
}

package klaverjas

import (
	"context"
	"sort"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
)

// SolveQuery is a request for the exact result of a position for a goal.
type SolveQuery struct {
	game     *Game
	position Position
	twin     canonical // not set for a finished hand
	goal     search.Goal
	began    time.Time
	lookup   service.Lookup
	body     []byte  // of the request, nil for a query that is part of another
	found    *result // the result in the seats and suits of the position, where repeats has it; it is shared and never changed
}

// newSolveQuery prepares the query.
func (g *Game) newSolveQuery(p Position, goal search.Goal) (*SolveQuery, error) {
	q := &SolveQuery{game: g, position: p, goal: goal, began: time.Now()}
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

// Known returns the answer if the cache has it or the hand is finished.
func (q *SolveQuery) Known(ctx context.Context) (service.Answer[any], bool, error) {
	if q.position.now.Finished() {
		return q.answer(resultAtEnd(q.position, q.goal), api.SourceSearch), true, nil
	}
	if q.found != nil {
		service.EffortOf(ctx).NoteValue(service.Value{Layer: q.game.service.Cache().CountRepeat()})
		return q.answer(*q.found, api.SourceCache), true, nil
	}
	var f result
	kept, ok := q.game.service.Cache().First(ctx, q.lookup.Keys, func(value []byte) (fits bool) {
		f, fits = readResult(value, q.goal, q.twin.now)
		return fits
	})
	if !ok {
		return service.Answer[any]{}, false, nil
	}
	service.EffortOf(ctx).NoteValue(service.Value{Bytes: kept.Value, Layer: kept.Layer})
	f = q.twin.returned(f, q.position)
	q.game.repeats.keep(q, f)
	return q.answer(f, api.SourceCache), true, nil
}

// Computation searches the canonical form of the position.
func (q *SolveQuery) Computation() computation.Spec { return q.game.service.Computation(q.lookup) }

// Answer relabels the result with the seats and suits of the position.
func (q *SolveQuery) Answer(result computation.Result) (service.Answer[any], error) {
	return q.answerValue(service.ValueOf(result))
}

func (q *SolveQuery) answerValue(value service.Value) (service.Answer[any], error) {
	f, ok := readResult(value.Bytes, q.goal, q.twin.now)
	if !ok {
		return service.Answer[any]{}, &service.Error{Detail: "the result of the search does not fit its position"}
	}
	return q.answer(q.twin.returned(f, q.position), value.Source()), nil
}

func (q *SolveQuery) answer(f result, source api.Source) service.Answer[any] {
	out := q.game.solution(q.position, q.goal, f, source, q.began)
	return service.Answer[any]{Result: out, Source: source, Nodes: out.Stats.Nodes, Progress: f.progress(source)}
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

// solution converts a result in the seats and suits of the Position to the type of the contract.
func (g *Game) solution(p Position, goal search.Goal, f result, source api.Source, began time.Time) api.KlaverjasSolution {
	out := api.KlaverjasSolution{
		Goal:    api.KlaverjasGoal(goal.String()),
		Won:     f.won,
		Exact:   true,
		Rules:   outRules(p.now.Rules()),
		Deal:    outIdentity(p.now.Deal()),
		Source:  source,
		Version: g.service.Version(),
	}
	if !p.now.Finished() {
		out.Turn = outSeat(p.now.Turn())
	}
	if goal != search.Win {
		line, score := outCards(f.line), outScore(f.score)
		out.Outcome, out.Line, out.Score, out.Pit = &f.outcome, &line, &score, &f.pit
	}
	if goal == search.Moves {
		moves := make([]api.KlaverjasMove, len(f.moves))
		for i, m := range f.moves {
			moves[i] = api.KlaverjasMove{Card: m.Card.String(), Outcome: m.Outcome, Won: m.Won, Best: m.Best}
		}
		out.Moves = &moves
	}
	out.Stats = stats(f.nodes, source, began)
	return out
}

func stats(nodes uint64, source api.Source, began time.Time) api.KlaverjasStats {
	if source == api.SourceCache {
		nodes = 0
	}
	return api.KlaverjasStats{Nodes: int64(nodes), ElapsedUs: time.Since(began).Microseconds()}
}

// resultAtEnd returns the result of a finished hand, which needs no search.
func resultAtEnd(p Position, goal search.Goal) result {
	outcome := p.now.Outcome()
	return result{goal: goal, won: outcome > 0, outcome: outcome, score: p.now.Score(), pit: p.now.Pit()}
}

// progress returns the progress of a solve that has this result.
func (f result) progress(source api.Source) computation.Progress {
	p := computation.Progress{Done: 1, Of: 1}
	if source == api.SourceSearch {
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

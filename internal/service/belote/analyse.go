package belote

import (
	"context"
	"encoding/binary"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// AnalyseQuery is a request for the points that each played card cost its player.
type AnalyseQuery struct {
	*service.LookupQuery[any]
	game     *Game
	position Position
	twin     canonical
	began    time.Time
}

func (g *Game) newAnalyseQuery(p Position) (*AnalyseQuery, error) {
	twin, err := newCanonical(&p, false)
	if err != nil {
		return nil, err
	}
	q := &AnalyseQuery{game: g, position: p, twin: twin, began: time.Now()}
	// The key of the query holds the position in its own players and suits, in which the answer is.
	q.LookupQuery = service.NewLookupQuery(g.service, p.appendTo(newKey(KindAnalyse)), service.Lookup{
		Keys:    []solvecache.Key{twin.keyFor(analysisQuestion)},
		Valid:   func(value []byte) bool { _, _, ok := readAnalysis(value, &q.twin); return ok },
		InParts: true,
		Compute: g.inTurns(func(ctx context.Context, _ *computation.Task, solver *search.Solver, pause func() error) ([]byte, error) {
			return g.analyse(ctx, solver, &q.twin, pause)
		}),
	}, q.answer)
	return q, nil
}

// analyse solves the position before each played card, from the last to the first, with one table: the later positions help the earlier.
func (g *Game) analyse(ctx context.Context, solver *search.Solver, twin *canonical, pause func() error) ([]byte, error) {
	before := []belote.Position{twin.start}
	for i, c := range twin.played {
		next, err := before[i].Play(c)
		if err != nil {
			return nil, err
		}
		before = append(before, next)
	}
	list := make([]analysed, len(twin.played))
	var generated uint64
	for i := len(list) - 1; i >= 0; i-- {
		r, err := g.solve(ctx, solver, search.Query{Position: before[i], Goal: search.Moves, NoLine: true, Keep: true, Pause: pause})
		if err != nil {
			return nil, err
		}
		generated += r.Generated
		list[i].before = r.Points
		for _, m := range r.Moves {
			if m.Best {
				list[i].best = list[i].best.With(m.Card)
			}
			if m.Card == twin.played[i] {
				list[i].after = m.Points
			}
		}
	}
	b := binary.AppendUvarint(nil, generated)
	for _, a := range list {
		b = appendAnalysed(b, a)
	}
	return twin.subject().Seal(b), nil
}

// read returns what was analysed, by card, and how many states that took.
func (q *AnalyseQuery) read(value service.Value) (generated uint64, list []analysed, err error) {
	generated, list, ok := readAnalysis(value.Bytes, &q.twin)
	if !ok {
		return 0, nil, &service.Error{Detail: "the analysis does not fit its position"}
	}
	return generated, list, nil
}

// answer relabels the result with the players and suits of the position.
func (q *AnalyseQuery) answer(value service.Value) (service.Answer[any], error) {
	n := len(q.position.played)
	generated, list, err := q.read(value)
	if err != nil {
		return service.Answer[any]{}, err
	}
	source := value.Source()
	took := stats(generated, source, q.began)
	out := api.BeloteAnalysis{
		Before: list[0].before, After: list[n-1].after, Finished: q.position.now.Finished(), Cards: make([]api.BeloteAnalysedCard, n),
		Exact: true, Rules: q.position.outRules(), Source: source, Stats: took, Version: q.game.service.Version(),
	}
	tallies := [2]*api.Tally{&out.Seats.A, &out.Seats.B}
	at := q.position.start
	for i, c := range q.position.played {
		player, a := at.Turn(), list[i]
		cost := a.cost(player == at.Deal().Declarer)
		out.Cards[i] = api.BeloteAnalysedCard{
			Number: i + 1, Trick: i/2 + 1, Seat: *outPlayer(player), Card: c.String(), Before: a.before, After: a.after, Cost: cost,
			Best: outCards(q.twin.set(a.best).Slice()),
		}
		tally := tallies[player]
		tally.Cards++
		tally.Cost += cost
		if cost > 0 {
			tally.Mistakes++
		}
		if at, err = at.Play(c); err != nil {
			return service.Answer[any]{}, err
		}
	}
	return service.Solved[any](value, out, n, took.Nodes), nil
}

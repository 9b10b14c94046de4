package klaverjas

import (
	"context"
	"encoding/binary"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/reason"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// analysisQuestion is the question "analysis of all played cards" in a cache key. The other questions are the goals.
const analysisQuestion = 16

// minAnalysed is how many cards must have been played for an analysis.
const minAnalysed = 2

// AnalyseQuery is a request for the points that each played card cost the team of its player.
type AnalyseQuery struct {
	*service.LookupQuery[[]judgedCard]
	game     *Game
	position Position
	twin     canonical
}

func (g *Game) newAnalyseQuery(p Position) (*AnalyseQuery, error) {
	twin, err := newCanonical(p)
	if err != nil {
		return nil, err
	}
	n := len(p.played)
	q := &AnalyseQuery{game: g, position: p, twin: twin}
	// The key of the query holds the position in its own seats and suits, in which the answer is.
	q.LookupQuery = service.NewLookupQuery(g.service, p.appendTo(newKey(KindAnalyse)), service.Lookup{
		Keys:    []solvecache.Key{twin.keyFor(analysisQuestion, n)},
		Valid:   func(value []byte) bool { _, _, ok := readAnalysis(value, twin.Position); return ok },
		Compute: func(ctx context.Context, task *computation.Task) ([]byte, error) { return g.analyse(ctx, twin, task) },
	}, q.answer)
	return q, nil
}

// judgedCard is a card that was played, in the seats and suits of the request.
type judgedCard struct {
	analysed

	at   klaverjas.Position // before the card
	cost int                // for the team of its player
}

// answer relabels the result with the seats and suits of the position.
func (q *AnalyseQuery) answer(value service.Value) (answer service.Answer[[]judgedCard], err error) {
	nodes, list, ok := readAnalysis(value.Bytes, q.twin.Position)
	if !ok {
		return answer, &service.Error{Detail: "the analysis does not fit its position"}
	}
	cards := make([]judgedCard, len(list))
	at := q.position.start
	for i, c := range q.position.played {
		one := judgedCard{analysed: list[i], at: at, cost: list[i].before - list[i].after}
		one.best = q.twin.back.Set(one.best)
		if one.costs() {
			one.lines = one.lines.Relabelled(q.twin.back.Card)
		}
		if at.Turn().Team() != q.position.start.Deal().Declarer {
			one.cost = -one.cost
		}
		cards[i] = one
		if at, err = at.Play(c); err != nil {
			return answer, err
		}
	}
	if value.Source() == service.FromCache {
		nodes = 0
	}
	return service.Solved(value, cards, len(cards), int64(nodes)), nil
}

// analyse solves the position before each played card, from the last to the first: later positions are cheaper to solve, and
// the searcher's table from them speeds up the earlier ones. It returns the analysis as bytes.
func (g *Game) analyse(ctx context.Context, twin canonical, task *computation.Task) ([]byte, error) {
	n := len(twin.played)
	before := make([]klaverjas.Position, n) // the position before each card
	keys := make([]solvecache.Key, n)
	at := twin.start
	for i, c := range twin.played {
		before[i], keys[i] = at, twin.keyFor(byte(search.Moves), i)
		next, err := at.Play(c)
		if err != nil {
			return nil, err
		}
		at = next
	}
	known := g.service.Cache().Get(ctx, keys)
	list := make([]analysed, n)
	var nodes uint64
	for i := n - 1; i >= 0; i-- {
		task.Report(computation.Progress{Done: n - 1 - i, Of: n, Nodes: nodes})
		legal := before[i].Legal()
		if i < n-1 && legal.Len() == 1 { // the only legal card does not change the outcome
			list[i] = analysed{before: list[i+1].before, after: list[i+1].before, best: legal}
			continue
		}
		f, ok := readResult(known[i].Value, search.Moves, before[i])
		if !ok {
			result, err := g.solve(ctx, task.Slot(), search.Query{Position: before[i], Goal: search.Moves})
			if err != nil {
				return nil, err
			}
			f = fromResult(result)
			g.service.Cache().Put(ctx, keys[i], f.value(before[i]))
			nodes += f.nodes
		}
		if list[i] = f.analysed(twin.played[i]); list[i].costs() {
			better := reason.Better(twin.played[i], list[i].best, before[i].Deal().Trump)
			solver := &countingSolver{slotSolver: slotSolver{g, task.Slot()}}
			lines, err := reason.LinesOf(ctx, solver, before[i], twin.played[i], better)
			if err != nil {
				return nil, err
			}
			list[i].lines = lines
			nodes += solver.nodes
		}
	}
	value := binary.AppendUvarint(nil, nodes)
	for _, a := range list {
		value = appendAnalysed(value, a)
	}
	return seal(value, twin.start, twin.played), nil
}

// analysed returns the outcomes before and after the card, and the best cards.
func (f result) analysed(played piquet.Card) analysed {
	a := analysed{before: f.outcome}
	for _, m := range f.moves {
		if m.Best {
			a.best = a.best.With(m.Card)
		}
		if m.Card == played {
			a.after = m.Outcome
		}
	}
	return a
}

package belote

import (
	"context"
	"encoding/binary"

	"roem/internal/computation"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// AnalyseQuery is a request for the points that each played card cost its player.
type AnalyseQuery struct {
	*service.LookupQuery[judgedHand]
	game     *Game
	position Position
	twin     canonical
}

func (g *Game) newAnalyseQuery(p Position) (*AnalyseQuery, error) {
	twin, err := newCanonical(&p, false)
	if err != nil {
		return nil, err
	}
	q := &AnalyseQuery{game: g, position: p, twin: twin}
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

// judgedHand is an analysis: the cards played, in canonical suits, and how many states it took.
type judgedHand struct {
	cards     []judgedCard
	generated uint64
}

// judgedCard is a card that was played.
type judgedCard struct {
	analysed

	player belote.Player
	cost   int // for the player
}

// answer relabels the result with the players of the position.
func (q *AnalyseQuery) answer(value service.Value) (answer service.Answer[judgedHand], err error) {
	generated, list, err := q.read(value)
	if err != nil {
		return answer, err
	}
	hand := judgedHand{cards: make([]judgedCard, len(list)), generated: generated}
	at := q.position.start
	for i, c := range q.position.played {
		player := at.Turn()
		hand.cards[i] = judgedCard{list[i], player, list[i].cost(player == at.Deal().Declarer)}
		if at, err = at.Play(c); err != nil {
			return answer, err
		}
	}
	return service.Solved(value, hand, len(list), taken(value, generated)), nil
}

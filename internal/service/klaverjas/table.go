package klaverjas

import (
	"context"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// TableQuery is a request for the outcome of a deal for each trump suit and each declaring team.
type TableQuery struct {
	service.Uncached[[tableEntries]tableEntry]
	game   *Game
	rules  klaverjas.Rules
	leader piquet.Seat
	hands  [4]piquet.Set
	twins  [tableEntries]canonical // by trump, then declarer
}

// tableEntry is the solution for a trump and a declaring team.
type tableEntry struct {
	outcome int
	won     bool
}

// tableEntries is how many solutions a table holds: one for each trump and declaring team.
const tableEntries = 8

func (g *Game) newTableQuery(rules klaverjas.Rules, leader piquet.Seat, hands [4]piquet.Set) (*TableQuery, error) {
	q := &TableQuery{game: g, rules: rules, leader: leader, hands: hands}
	for _, trump := range piquet.Suits() {
		for _, declarer := range piquet.Teams() {
			start, err := klaverjas.NewPosition(rules, klaverjas.Deal{Trump: trump, Leader: leader, Declarer: declarer, Hands: hands})
			if err != nil {
				return nil, service.FromEngine(err)
			}
			if q.twins[entry(trump, declarer)], err = newCanonical(Position{now: start, start: start}); err != nil {
				return nil, err
			}
		}
	}
	return q, nil
}

func entry(trump piquet.Suit, declarer piquet.Team) int { return 2*int(trump) + int(declarer) }

// Key holds the deal in its own seats and suits.
func (q *TableQuery) Key() []byte {
	key := appendRules(newKey(KindTable), q.rules).Byte(byte(q.leader))
	for _, hand := range q.hands {
		key = key.Uint32(uint32(hand))
	}
	return key
}

// Known returns the answer if the cache has all parts. It looks them up in each layer once.
func (q *TableQuery) Known(ctx context.Context) (service.Answer[[tableEntries]tableEntry], bool, error) {
	var keys []solvecache.Key
	for _, twin := range &q.twins {
		keys = append(keys, twin.keysFor(search.Value)...)
	}
	known := q.game.service.Cache().Get(ctx, keys)
	each := len(keys) / tableEntries
	var solved [tableEntries]result
	var layers [tableEntries]service.Value
	for i, twin := range &q.twins {
		var ok bool
		if solved[i], layers[i], ok = firstResult(known[i*each:(i+1)*each], search.Value, twin.now); !ok {
			return service.Answer[[tableEntries]tableEntry]{}, false, nil
		}
	}
	for _, value := range &layers {
		service.EffortOf(ctx).NoteValue(value)
	}
	return q.answer(solved, layers), true, nil
}

// Computation solves the parts one after the other. It needs no slot; its parts do.
func (q *TableQuery) Computation() computation.Spec {
	return computation.Spec{Key: q.game.sharedKey(q.Key()), Run: func(ctx context.Context, task *computation.Task) (any, error) {
		sum := service.NewParts(task, tableEntries)
		var solved [tableEntries]result
		var values [tableEntries]service.Value
		for i, twin := range &q.twins {
			var err error
			if solved[i], values[i], err = q.game.find(ctx, twin, search.Value, sum.Part(), 0); err != nil {
				return nil, err
			}
			sum.Add(1, 0)
		}
		return q.answer(solved, values), nil
	}}
}

func (q *TableQuery) answer(solved [tableEntries]result, values [tableEntries]service.Value) service.Answer[[tableEntries]tableEntry] {
	out := service.Answer[[tableEntries]tableEntry]{Source: service.FromCache}
	var nodes uint64
	for i := range solved {
		out.Result[i] = tableEntry{outcome: solved[i].outcome, won: solved[i].won}
		if values[i].Source() == service.FromSearch {
			out.Source = service.FromSearch
			nodes += solved[i].nodes
		}
	}
	out.Nodes, out.Progress = int64(nodes), computation.Progress{Done: tableEntries, Of: tableEntries, Nodes: nodes}
	return out
}

// sharedKey returns the key of a computation that waits for others. Without a cache nothing is shared.
func (g *Game) sharedKey(key service.Key) computation.Key {
	if g.service.Cache() == nil {
		return ""
	}
	return computation.Key(key)
}

// firstResult returns the first cached value that fits the Position, and its origin.
func firstResult(answers []solvecache.Answer, goal search.Goal, p klaverjas.Position) (result, service.Value, bool) {
	for _, a := range answers {
		if a.Value == nil {
			continue
		}
		if f, ok := readResult(a.Value, goal, p); ok {
			return f, service.Value{Bytes: a.Value, Layer: a.Layer}, true
		}
	}
	return result{}, service.Value{}, false
}

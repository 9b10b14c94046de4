package belote

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"

	"roem/internal/computation"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// BidQuery asks whether to choose a trump while the cards are dealt, and which.
type BidQuery struct {
	*service.LookupQuery[bidValues]
	game   *Game
	here   bidding.Dealing
	twin   bidding.Dealing // the suits in the order that gives the least code, the cards sorted
	back   [4]piquet.Suit  // from the suits of twin
	worlds int             // how many are searched
	seed   uint64
	key    service.Key // of the worlds
}

// newBidQuery returns the query about a dealing.
func (g *Game) newBidQuery(here bidding.Dealing, worlds int, seed uint64) *BidQuery {
	q := &BidQuery{game: g, here: here, seed: seed}
	groups, each := here.Groups(worlds)
	q.worlds = groups * each
	q.canonical()
	// The key of the query holds the canonical form and the names of the request.
	named := service.AppendList(slices.Clone(q.key), q.back[:])
	q.LookupQuery = service.NewLookupQuery(g.service, named, service.Lookup{
		Keys:    []solvecache.Key{solvecache.Key(q.key)},
		Valid:   func(value []byte) bool { _, _, ok := q.read(value); return ok },
		InParts: true,
		Compute: g.inTurns(q.search),
	}, q.answer)
	return q
}

// canonical fills in the canonical form: equal dealings under other names of the suits have the same.
func (q *BidQuery) canonical() {
	var least []byte
	for _, order := range orders(q.here.Deck, belote.NoTrump) {
		twin := bidding.Dealing{Threshold: q.here.Threshold}
		var to [32]piquet.Card
		for i, s := range order {
			for _, f := range piquet.Faces() {
				to[piquet.Of(s, f)] = piquet.Of(piquet.Suit(i), f)
			}
			twin.Deck |= belote.Deck(piquet.Suit(i))
		}
		code := []byte{byte(len(order)), byte(q.here.Threshold)}
		for p, open := range q.here.Open {
			for _, c := range open {
				twin.Open[p] = append(twin.Open[p], to[c])
			}
			slices.Sort(twin.Open[p])
			code = append(code, byte(len(open)))
			for _, c := range twin.Open[p] {
				code = append(code, byte(c))
			}
		}
		if least == nil || bytes.Compare(code, least) < 0 {
			least, q.twin = code, twin
			copy(q.back[:], order)
		}
	}
	q.key = newKey(KindBid).Bytes(least).Int(q.worlds).Uint(q.seed)
}

// search searches the worlds, and returns them as the cache keeps them.
func (q *BidQuery) search(ctx context.Context, task *computation.Task, solver *search.Solver, pause func() error) ([]byte, error) {
	worlds, generated, err := q.twin.Search(ctx, effortful{q.game, solver}, q.worlds, q.seed, pause, service.Counted(task, q.worlds))
	if err != nil {
		return nil, err
	}
	b := binary.AppendUvarint(nil, generated)
	for _, w := range worlds {
		b = append(b, w[:]...)
	}
	return q.key.Seal(b), nil
}

// read reads worlds of the cache. ok reports whether they belong to the dealing.
func (q *BidQuery) read(value []byte) (worlds []bidding.World, generated uint64, ok bool) {
	value, ok = q.key.Open(value)
	generated, size := binary.Uvarint(value)
	if !ok || size <= 0 || len(value)-size != q.worlds*len(bidding.World{}) {
		return nil, 0, false
	}
	for row := range slices.Chunk(value[size:], len(bidding.World{})) {
		worlds = append(worlds, bidding.World(row))
	}
	return worlds, generated, true
}

// bidValues are the values of a dealing, with how many states they took.
type bidValues struct {
	bidding.Values

	generated uint64
}

// answer returns the values by the worlds.
func (q *BidQuery) answer(value service.Value) (service.Answer[bidValues], error) {
	worlds, generated, ok := q.read(value.Bytes)
	if !ok {
		return service.Answer[bidValues]{}, &service.Error{Detail: "the worlds do not fit their dealing"}
	}
	return service.Solved(value, bidValues{q.twin.Values(worlds), generated}, q.worlds, taken(value, generated)), nil
}

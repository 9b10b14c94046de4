package belote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/solvecache"
)

// BidQuery asks whether to choose a trump while the cards are dealt, and which.
type BidQuery struct {
	*service.LookupQuery[any]
	game   *Game
	here   bidding.Dealing
	twin   bidding.Dealing // the suits in the order that gives the least code, the cards sorted
	back   [4]piquet.Suit  // from the suits of twin
	worlds int             // how many are searched
	seed   uint64
	began  time.Time
	key    service.Key // of the worlds
}

// ParseBid reads the body of bid.
func (g *Game) ParseBid(ctx context.Context, body []byte) (*BidQuery, error) {
	return service.Decode(ctx, g.schemas, body, "BeloteBidRequest", g.newBidQuery)
}

func (g *Game) newBidQuery(in bidBody) (*BidQuery, error) {
	q := &BidQuery{game: g, worlds: in.Worlds, began: time.Now()}
	var vs service.Problems
	q.seed = vs.Seed(in.Seed)
	if err := vs.Err(); err != nil {
		return nil, err
	}
	q.here.Deck = readDeck(in.Suits, &vs)
	for p, list := range [2][]string{in.Open.A, in.Open.B} {
		for i, text := range list {
			c, err := piquet.ParseCard(text)
			vs.Add("/open/"+belote.Player(p).String()+"/"+strconv.Itoa(i), err)
			q.here.Open[p] = append(q.here.Open[p], c)
		}
	}
	if err := vs.Err(); err != nil {
		return nil, err
	}
	q.here.Threshold = service.Or(in.Threshold, belote.TrumpOf(q.here.Deck.First().Suit()).DefaultThreshold(q.here.Deck))
	if bad := q.here.Check(); len(bad) > 0 {
		return nil, service.FromEngine(bad)
	}
	groups, each := q.here.Groups(q.worlds)
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
	return q, nil
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

// answer returns the values by the worlds.
func (q *BidQuery) answer(value service.Value) (service.Answer[any], error) {
	worlds, generated, ok := q.read(value.Bytes)
	if !ok {
		return service.Answer[any]{}, &service.Error{Detail: "the worlds do not fit their dealing"}
	}
	v := q.twin.Values(worlds)
	source := value.Source()
	took := stats(generated, source, q.began)
	out := api.BeloteBidAdvice{
		Call: api.BeloteBidAdviceCallPass, Speaker: *outPlayer(bidding.Speaker(q.here.Stage())), Stage: q.here.Stage(),
		Trumps: make([]api.BeloteBidTrump, len(v.Choices)), NoTrump: q.outBidTrump(v.NoTrump),
		Pass:       api.BeloteBidPass{Score: outBidMean(v.Pass, pointDigits), Next: make([]api.BeloteBidNext, len(v.Next))},
		Confidence: outConfidence(v.Clear), Worlds: len(worlds), Groups: v.Groups, Threshold: q.here.Threshold, Total: q.here.Total(),
		Suits: outSuits(q.here.Deck), Seed: strconv.FormatUint(q.seed, 10), Source: source, Stats: took, Version: q.game.service.Version(),
	}
	for i, c := range v.Choices {
		out.Trumps[i] = q.outBidTrump(c)
	}
	// Equal ones are in the order of the suits of the request, not of the canonical form.
	slices.SortFunc(out.Trumps, func(a, b api.BeloteBidTrump) int {
		return cmp.Or(cmp.Compare(b.Score.Mean, a.Score.Mean), cmp.Compare(*a.Trump, *b.Trump))
	})
	if v.Chooses {
		out.Call = api.BeloteBidAdviceCall(*out.Trumps[0].Trump)
	}
	for i, end := range v.Next {
		out.Pass.Next[i] = api.BeloteBidNext{Trump: q.outTrump(end.Trump), Share: service.Rounded(end.Share, probabilityDigits)}
		if end.Chosen {
			out.Pass.Next[i].Seat = outPlayer(end.Player)
		}
	}
	return service.Solved[any](value, out, q.worlds, took.Nodes), nil
}

// outTrump returns a trump of the canonical form in the suits of the request.
func (q *BidQuery) outTrump(t belote.Trump) *api.BeloteTrump {
	if s, ok := t.Suit(); ok {
		t = belote.TrumpOf(q.back[s])
	}
	return outTrump(t)
}

func (q *BidQuery) outBidTrump(c bidding.Choice) api.BeloteBidTrump {
	return api.BeloteBidTrump{
		Trump: q.outTrump(c.Trump), Points: outBidMean(c.Points, pointDigits), WinProbability: outBidMean(c.Made, probabilityDigits),
		Score: outBidMean(c.Score, pointDigits),
	}
}

func outBidMean(m bidding.Mean, digits int) api.BeloteMean {
	return api.BeloteMean{Mean: service.Rounded(m.Mean, digits), StandardError: service.Rounded(m.Error, digits)}
}

// readDeck reads the suits of a body. Without them the deck has all four.
func readDeck(suits []string, vs *service.Problems) piquet.Set {
	if suits == nil {
		return piquet.Deck
	}
	deck := piquet.Set(0)
	for i, text := range suits {
		s, err := piquet.ParseSuit(text)
		if err == nil && !deck.InSuit(s).Empty() {
			err = violation.New(violation.ListedTwice, "%s is given twice", s).Of(s)
		}
		if err != nil {
			vs.Add("/suits/"+strconv.Itoa(i), err)
			continue
		}
		deck |= belote.Deck(s)
	}
	return deck
}

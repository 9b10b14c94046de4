package klaverjas

import (
	"context"

	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/random"
	"roem/internal/service"
)

// maxPossiblesHands is the largest number of hands with possibles: an answer has some 30,000 bytes of them a hand.
const maxPossiblesHands = 16

// The last words of the generators of a hand. The players draw with the numbers of the seats.
const (
	dealWord = 4
	openWord = 5
)

// possiblesLevel is the level at which the seats conclude what the others may hold, a word of the contract.
type possiblesLevel string

const paperLevel possiblesLevel = "paper"

// PlayQuery asks for hands played by players, with what they think and what everybody may conclude.
type PlayQuery struct {
	service.Uncached[[]shown]
	game     *Game
	position *Position // nil for hands that are drawn
	rules    klaverjas.Rules
	trump    *piquet.Suit // of the hands that are drawn; nil for any
	leader   *piquet.Seat // of the first hand that is drawn; nil for any
	declarer *piquet.Team // of the hands that are drawn; nil for the leader's team
	known    [4]piquet.Set
	open     int
	count    int
	kinds    [4]players.Kind
	seed     uint64
	level    *possiblesLevel // nil for none
	card     *piquet.Card
}

// Key holds everything that the answer depends on.
func (q *PlayQuery) Key() []byte {
	key := newKey(KindPlay).Bool(q.position != nil)
	if q.position != nil {
		key = q.position.appendTo(key)
	} else {
		key = appendRules(key, q.rules)
		key = optional(key, q.trump)
		key = optional(key, q.leader)
		key = optional(key, q.declarer)
	}
	for seat, kind := range q.kinds {
		key = key.Text(kind.Name()).Int(kind.Worlds()).Uint32(uint32(q.known[seat]))
	}
	key = key.Int(q.open).Int(q.count).Uint(q.seed).Text(string(service.Or(q.level, "")))
	return optional(key, q.card)
}

// optional adds a value that may be absent.
func optional[T ~uint8](key service.Key, value *T) service.Key {
	key = key.Bool(value != nil)
	if value != nil {
		key = key.Byte(byte(*value))
	}
	return key
}

// Computation plays the hands. It needs no slot; each card does.
func (q *PlayQuery) Computation() computation.Spec {
	return service.Running(q.game.sharedKey(q.Key()), q.run)
}

func (q *PlayQuery) run(ctx context.Context, task *computation.Task) (service.Answer[[]shown], error) {
	sum := service.NewParts(task, q.count)
	out := service.Answer[[]shown]{Source: service.FromSearch}
	var nodes uint64
	for n := range q.count {
		hand, err := q.play(ctx, n, &nodes)
		if err != nil {
			return out, err
		}
		out.Result = append(out.Result, hand)
		sum.Add(1, 0)
	}
	out.Nodes, out.Progress = int64(nodes), computation.Progress{Done: q.count, Of: q.count, Nodes: nodes}
	return out, nil
}

// play plays the hand with a number, each card in a slot, and explains it in another.
func (q *PlayQuery) play(ctx context.Context, number int, nodes *uint64) (s shown, err error) {
	p, err := q.start(number)
	if err != nil {
		return s, err
	}
	s = shown{position: p, open: q.shows(&p, number)}
	var tools players.Tools
	seats := players.SitEach(q.kinds, q.seed, number, &tools)
	players.Borrow(&seats, &tools, func(ctx context.Context, work func(context.Context, *players.Tools) error) error {
		return q.game.service.WithSlot(ctx, func(ctx context.Context, slot *computation.Slot) error {
			tools := computation.Tool(slot, toolsKey{q.game}, NewTools)
			before := tools.Nodes()
			defer func() { *nodes += tools.Nodes() - before }()
			return work(ctx, tools)
		})
	})
	s.played, s.end, err = players.PlayOpen(ctx, p.now, p.played, s.open, seats, func(step players.Step) { s.steps = append(s.steps, step) })
	if err != nil {
		return s, err
	}
	err = q.game.service.WithSlot(ctx, func(context.Context, *computation.Slot) error { return s.explain(q) })
	return s, err
}

// start returns the position in which the hand with a number begins. The cards do not depend on the trump and the leader, so that the same
// seed deals the same cards with another trump.
func (q *PlayQuery) start(number int) (Position, error) {
	if q.position != nil {
		return *q.position, nil
	}
	first := random.New(q.seed, 1, dealWord)
	leader := service.Or(q.leader, piquet.Seat(random.Below(first, 4)))
	rng := random.New(q.seed, uint64(number)+1, dealWord)
	_ = random.Below(rng, 4) // the leader of the first hand
	deal := klaverjas.Deal{Trump: service.Or(q.trump, piquet.Suit(random.Below(rng, 4))), Leader: leader.Plus(number)}
	deal.Declarer = service.Or(q.declarer, deal.Leader.Team())
	deal.Hands = index.Random(rng, piquet.Clubs, piquet.North)
	p, err := klaverjas.NewPosition(q.rules, deal)
	return Position{now: p, start: p}, err
}

// shows returns the cards that lie open in the hand with a number.
func (q *PlayQuery) shows(p *Position, number int) [4]piquet.Set {
	if q.open == 0 {
		return q.known
	}
	rng := random.New(q.seed, uint64(number)+1, openWord)
	var open [4]piquet.Set
	for seat, hand := range p.start.Deal().Hands {
		cards := hand.Slice()
		for i := range q.open {
			j := i + int(random.Below(rng, uint64(len(cards)-i)))
			cards[i], cards[j] = cards[j], cards[i]
			open[seat] = open[seat].With(cards[i])
		}
	}
	return open
}

// believes reports whether a player draws the third conclusion of the paper.
func (q *PlayQuery) believes() bool {
	for _, kind := range q.kinds {
		if name := kind.Name(); name == "logical" || name == "logical:compat" {
			return true
		}
	}
	return false
}

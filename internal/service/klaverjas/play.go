package klaverjas

import (
	"context"
	"errors"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
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

// PlayQuery asks for hands played by players, with what they think and what everybody may conclude.
type PlayQuery struct {
	service.Uncached[any]
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
	level    *api.KlaverjasPossiblesLevel
	card     *piquet.Card
	began    time.Time
}

// ParsePlay reads the body of play.
func (g *Game) ParsePlay(ctx context.Context, body []byte) (*PlayQuery, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasPlayRequest", func(in playBody) (*PlayQuery, error) {
		q := &PlayQuery{game: g, open: in.Open, count: in.Count, level: in.Possibles, began: time.Now()}
		var vs service.Problems
		q.seat(&in, &vs)
		q.seed = vs.Seed(in.Seed)
		if in.Card != nil {
			card, err := piquet.ParseCard(*in.Card)
			vs.Add("/card", err)
			q.card = &card
		}
		if q.level != nil && q.count > maxPossiblesHands {
			vs.Addf("/possibles", violation.TooMuch, "is given for %d hands: expected at most %d", q.count, maxPossiblesHands)
		}
		if err := q.deal(&in, &vs); err != nil {
			return nil, err
		}
		if err := vs.Err(); err != nil {
			return nil, err
		}
		return q, nil
	})
}

// seat reads the players.
func (q *PlayQuery) seat(in *playBody, vs *service.Problems) {
	names := playersBody{}
	if in.Players != nil {
		names = *in.Players
	}
	for seat, name := range [4]*string{piquet.North: names.N, piquet.East: names.E, piquet.South: names.S, piquet.West: names.W} {
		pointer := "/players/" + piquet.Seat(seat).String()
		kind, err := players.ParseKind(service.Or(name, "simple"), in.Worlds)
		vs.Add(pointer, err)
		if n := kind.Worlds(); n > maxMatchWorlds {
			vs.Addf(pointer, violation.TooMuch, "%s takes %d worlds for a card: expected at most %d", kind.Name(), n, maxMatchWorlds)
		}
		q.kinds[seat] = kind
	}
}

// deal reads what is played: a position, or what is fixed of hands that are drawn. Its error is a fault of the program.
func (q *PlayQuery) deal(in *playBody, vs *service.Problems) error {
	if in.Known != nil && q.open > 0 {
		vs.Add("/known", violation.New(violation.OnlyOneOf, "is given together with open: give only one of them").OneOf("known", "open"))
	}
	if in.Hands == nil && in.Deal == nil {
		q.drawn(in, vs)
		return nil
	}
	const needed = "is missing: hands and deal need it"
	if in.Trump == nil {
		vs.Add("/trump", violation.New(violation.Missing, needed))
	}
	if in.Leader == nil {
		vs.Add("/leader", violation.New(violation.Missing, needed))
	}
	if q.count > 1 {
		vs.Addf("/count", violation.NotUsed, "is %d, but there is only the hand that is given", q.count)
	}
	if len(*vs) > 0 {
		return nil
	}
	p, err := newPosition(positionBody{
		Rules: in.Rules, Trump: *in.Trump, Leader: *in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
	})
	if e, ok := errors.AsType[*service.Error](err); ok {
		*vs = append(*vs, e.Violations...)
		return nil
	}
	if err != nil {
		return err
	}
	q.position, q.rules = &p, p.start.Rules()
	q.known = in.Known.of(&p, vs)
	return nil
}

// drawn reads what is fixed of hands that are drawn.
func (q *PlayQuery) drawn(in *playBody, vs *service.Problems) {
	const unused = "is given, but the hand is drawn: expected it only with hands or deal"
	if in.Played != nil {
		vs.Add("/played", violation.New(violation.NotUsed, unused))
	}
	if in.Known != nil {
		vs.Add("/known", violation.New(violation.NotUsed, unused))
	}
	q.rules = newRules(in.Rules, vs)
	if in.Trump != nil {
		trump, err := piquet.ParseSuit(*in.Trump)
		vs.Add("/trump", err)
		q.trump = &trump
	}
	if in.Leader != nil {
		leader, err := piquet.ParseSeat(*in.Leader)
		vs.Add("/leader", err)
		q.leader = &leader
	}
	if in.Declarer != nil {
		declarer, err := piquet.ParseTeam(*in.Declarer)
		vs.Add("/declarer", err)
		q.declarer = &declarer
	}
}

// of returns the cards that lie open in a position. It adds a violation for cards that were dealt to another seat.
func (in *knownBody) of(p *Position, vs *service.Problems) (known [4]piquet.Set) {
	if in == nil {
		return known
	}
	for seat, list := range [4]*cardList{piquet.North: in.N, piquet.East: in.E, piquet.South: in.S, piquet.West: in.W} {
		if list == nil {
			continue
		}
		pointer := "/known/" + piquet.Seat(seat).String()
		known[seat] = list.set(pointer, vs)
		if others := known[seat] &^ p.start.Deal().Hands[seat]; others != 0 {
			vs.Add(pointer, violation.New(violation.NotHeld, "has %s, which was not dealt to %s", others, piquet.Seat(seat)).Of(others))
		}
	}
	return known
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

func (q *PlayQuery) run(ctx context.Context, task *computation.Task) (service.Answer[any], error) {
	sum := service.NewParts(task, q.count)
	out := api.KlaverjasPlay{
		Hands: []api.KlaverjasPlayHand{}, Players: outNames(q.kinds), Seed: strconv.FormatUint(q.seed, 10), Rules: outRules(q.rules),
		Version: q.game.service.Version(),
	}
	var nodes uint64
	for n := range q.count {
		hand, err := q.play(ctx, n, &nodes)
		if err != nil {
			return service.Answer[any]{}, err
		}
		out.Hands = append(out.Hands, hand)
		out.Points.NS += hand.Points.NS
		out.Points.EW += hand.Points.EW
		sum.Add(1, 0)
	}
	out.Stats = stats(nodes, api.SourceSearch, q.began)
	return service.Answer[any]{
		Result: out, Source: api.SourceSearch, Nodes: out.Stats.Nodes, Progress: computation.Progress{Done: q.count, Of: q.count, Nodes: nodes},
	}, nil
}

// play plays the hand with a number, each card in a slot, and explains it in another.
func (q *PlayQuery) play(ctx context.Context, number int, nodes *uint64) (out api.KlaverjasPlayHand, err error) {
	p, err := q.start(number)
	if err != nil {
		return out, err
	}
	s := shown{query: q, position: p, open: q.shows(&p, number)}
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
		return out, err
	}
	err = q.game.service.WithSlot(ctx, func(context.Context, *computation.Slot) (err error) {
		out, err = s.hand()
		return err
	})
	return out, err
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

func outNames(kinds [4]players.Kind) api.KlaverjasPlayers {
	return api.KlaverjasPlayers{
		N: kinds[piquet.North].Name(), E: kinds[piquet.East].Name(), S: kinds[piquet.South].Name(), W: kinds[piquet.West].Name(),
	}
}

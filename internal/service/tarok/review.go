package tarok

import (
	"context"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/complexity"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/engine/violation"
	"roem/internal/random"
	"roem/internal/service"
)

// ReviewQuery asks what the exchange and the cards of one seat or of all seats in a hand cost, on what they could know.
type ReviewQuery struct {
	service.Uncached
	game      *Game
	setup     tarok.Setup
	played    []tarok.Card
	said      tarok.Announcements
	who       byte // a seat, or allSeats
	worlds    int  // for each decision; 0 for as many as the other operations have, and closeTimes as many for a decision that is uncertain
	seed      uint64
	decisions []decision
}

// allSeats is in place of a seat if all are reviewed.
const allSeats = byte(3)

// decision is the exchange, or a card that a seat has played.
type decision struct {
	view   players.View
	number int // of the card, from 0; of the exchange -1
	card   tarok.Card
	legal  int
}

func (d *decision) exchanges() bool { return d.number < 0 }

// closeTimes is how many times as many worlds a decision has that is uncertain over the first, if the request sets no number.
const closeTimes = 4

// reviewRule is the rule of the verdicts.
var reviewRule = service.ReviewRule{LeastCost: 2, StandardErrors: 2}

// ParseReview reads the body of review.
func (g *Game) ParseReview(ctx context.Context, body []byte) (*ReviewQuery, error) {
	return service.Decode(ctx, g.schemas, body, "TarokReviewRequest", g.newReviewQuery)
}

func (g *Game) newReviewQuery(in reviewBody) (*ReviewQuery, error) {
	p, err := newPosition(&in.positionBody)
	if err == nil {
		err = p.needsPlay()
	}
	if err != nil {
		return nil, err
	}
	of := scoreBody{positionBody: in.positionBody, Kontra: in.Kontra, Announcements: in.Announcements, Radli: in.Radli}
	q := &ReviewQuery{
		game: g, setup: p.setup, played: p.played, said: of.announcements(), who: allSeats, worlds: service.Or(in.Worlds, 0),
	}
	var vs service.Problems
	q.seed = vs.Seed(in.Seed)
	seat := service.Read(&vs, "/seat", in.Seat, tarok.ParsePlayer, tarok.A)
	if bad := q.said.Check(p.setup.Contract); len(bad) > 0 {
		vs.Add("", bad)
	}
	if err := vs.Err(); err != nil {
		return nil, err
	}
	whose := ""
	if in.Seat != nil {
		q.who, whose = byte(seat), " of "+seat.String()
	}
	if err := q.decide(p.start); err != nil {
		return nil, err
	}
	if len(q.decisions) == 0 {
		return nil, refused("/played", violation.Needed, "has no card%s: expected at least one", whose)
	}
	return q, nil
}

// decide finds the decisions that are reviewed. The position is that before the first card.
func (q *ReviewQuery) decide(p tarok.Position) error {
	of := func(seat tarok.Player) bool { return q.who == allSeats || q.who == byte(seat) }
	s := &q.setup
	if s.Contract.Exchange() > 0 && of(s.Declarer) {
		hand := s.Deal.Hands[s.Declarer]
		q.decisions = append(q.decisions, decision{
			view: players.View{
				View: worlds.View{
					Player: s.Declarer, Rules: s.Rules, Hand: hand, Stage: worlds.Exchange, Contract: s.Contract, Declarer: s.Declarer,
					Talon: s.Deal.Talon[:],
				},
				Phase: players.ToExchange, Held: hand, Margins: players.DefaultMargins,
			},
			number: -1, legal: complexity.Exchanges(&s.Deal, s.Contract, s.Declarer),
		})
	}
	talk := players.TalkOf(s.Contract, s.Declarer, q.said)
	for i, c := range q.played {
		now := p // the view keeps a part of it
		if turn := now.Turn(); of(turn) {
			v := players.PlayView(worlds.ViewOf(s, q.played[:i], turn), &now)
			v.Talk, v.Radli = talk, q.said.Radli
			q.decisions = append(q.decisions, decision{view: v, number: i, card: c, legal: now.Legal().Len()})
		}
		var err error
		if p, err = now.Play(c); err != nil {
			return err
		}
	}
	return nil
}

// Key holds the hand, whose decisions are reviewed, and the options.
func (q *ReviewQuery) Key() []byte {
	s := &q.setup
	key := appendRules(newKey(KindReview).Int(programVersion), &s.Rules)
	for _, hand := range s.Deal.Hands {
		key = key.Uint(uint64(hand))
	}
	key = service.AppendList(key, s.Deal.Talon[:]).Byte(byte(s.Contract)).Byte(byte(s.Declarer)).Int(s.Group).Uint(uint64(s.Discards))
	key = service.AppendList(key, q.played).Int(q.said.Kontra)
	for _, b := range q.said.Bonuses {
		key = key.Byte(byte(b.By)).Int(b.Kontra)
	}
	for _, n := range q.said.Radli {
		key = key.Int(n)
	}
	return key.Byte(q.who).Int(q.worlds).Uint(q.seed)
}

// settings returns the settings of the program that judges: the settings of exchange and advise, and then the settings for uncertain
// decisions.
func (q *ReviewQuery) settings() []advice.Settings {
	s := advice.Default
	if q.worlds > 0 {
		return []advice.Settings{withWorlds(s, q.worlds)}
	}
	more := s
	for _, n := range []*int{&more.Samples, &more.Playouts, &more.Pool, &more.Trials} {
		*n *= closeTimes
	}
	return []advice.Settings{s, more}
}

// Cost is the cost of the decisions with a choice. The worlds of uncertain decisions do not count if the request sets no number.
func (q *ReviewQuery) Cost() time.Duration {
	s := q.settings()[0]
	sum := time.Microsecond
	for i := range q.decisions {
		switch d := &q.decisions[i]; {
		case d.legal == 1:
		case d.exchanges():
			sum += time.Duration(s.Trials) * trialTime
		case q.setup.Contract.Negative():
			sum += time.Duration(s.Samples) * negativeTime
		default:
			sum += time.Duration(s.Playouts) * playoutTime
		}
	}
	return sum
}

// Computation reviews the decisions. It needs no slot; each decision with a choice takes slots in turns.
func (q *ReviewQuery) Computation() computation.Spec {
	run := func(ctx context.Context, task *computation.Task) (service.Answer, error) {
		known := make([]knowledge, len(q.decisions))
		if err := q.game.service.EachPart(ctx, task, len(known), func(i int) (err error) {
			if q.decisions[i].legal > 1 {
				known[i], err = q.judge(ctx, &q.decisions[i])
			}
			return err
		}); err != nil {
			return service.Answer{}, err
		}
		return q.answer(known), nil
	}
	return service.Running(computation.Key(q.Key()), run)
}

// knowledge is what a decision cost on what its player could know. One of the two is there if there was a choice.
type knowledge struct {
	exchange *api.TarokExchangeKnowledge
	card     *api.TarokCardKnowledge
	reason   *api.TarokReason // of a mistake
}

func (k knowledge) cost() service.KnownCost {
	if k.exchange != nil {
		return service.KnownCost{Cost: k.exchange.Cost, StandardError: &k.exchange.StandardError}
	}
	return service.KnownCost{Cost: k.card.Cost, StandardError: &k.card.StandardError}
}

// judge returns what a decision cost, over more worlds if it is uncertain over the first, and why a card was a mistake.
func (q *ReviewQuery) judge(ctx context.Context, d *decision) (out knowledge, err error) {
	for _, s := range q.settings() {
		err = q.game.service.WithPause(ctx, func(ctx context.Context, pause func() error) error {
			a := advice.New(s)
			a.Pause = pause
			return q.game.measure(ctx, "program", func(ctx context.Context) (uint64, error) {
				var err error
				if d.exchanges() {
					out.exchange, err = q.judgeExchange(ctx, a, d)
				} else {
					out.card, err = q.judgeCard(ctx, a, d)
				}
				return a.Nodes, err
			})
		})
		if err != nil {
			return out, err
		}
		if !reviewRule.IsClose(out.cost()) {
			out.reason, err = q.why(ctx, s, d, out)
			return out, err
		}
	}
	return out, nil
}

func (q *ReviewQuery) judgeExchange(ctx context.Context, a *advice.Advisor, d *decision) (*api.TarokExchangeKnowledge, error) {
	judged, err := a.JudgeExchange(ctx, &d.view, q.setup.Group, q.setup.Discards, random.New(q.seed))
	if err != nil {
		return nil, err
	}
	best := &judged.Best
	return &api.TarokExchangeKnowledge{
		Cost: rounded(judged.Cost), StandardError: rounded(judged.Error),
		Advised: api.TarokMadeExchange{Group: best.Group, Discards: outCards(best.Discards.Slice())}, Worlds: best.Games,
	}, nil
}

func (q *ReviewQuery) judgeCard(ctx context.Context, a *advice.Advisor, d *decision) (*api.TarokCardKnowledge, error) {
	cards, err := a.Card(ctx, &d.view, random.New(q.seed))
	if err != nil {
		return nil, err
	}
	out := &api.TarokCardKnowledge{
		Advised: cards.List[0].Card.String(), Measure: api.TarokMeasure(cards.Measure.String()), Worlds: cards.Samples,
	}
	for i, c := range cards.List {
		if c.Card == d.card {
			out.Cost, out.StandardError = rounded(cards.List[0].Value-c.Value), rounded(c.Error)
			if cards.Deviation(i) == 0 {
				out.StandardError = 0
			}
		}
	}
	return out, nil
}

// answer builds the review.
func (q *ReviewQuery) answer(known []knowledge) service.Answer {
	out := api.TarokReview{
		Cards: []api.TarokReviewedCard{}, Rule: api.ReviewRule(reviewRule), Seed: strconv.FormatUint(q.seed, 10),
		Version: q.game.service.Version(),
	}
	seats := [3]**api.TarokSeatReview{&out.Seats.A, &out.Seats.B, &out.Seats.C}
	for i := range q.decisions {
		d := &q.decisions[i]
		seat := seats[d.view.Player]
		if *seat == nil {
			*seat = &api.TarokSeatReview{}
		}
		verdict := api.VerdictForced
		if d.legal > 1 {
			cost := known[i].cost()
			verdict = reviewRule.OnKnowledge(cost)
			(*seat).KnowledgeCost = rounded((*seat).KnowledgeCost + cost.Cost)
		}
		service.CountVerdict(&(*seat).Verdicts, verdict)
		if d.exchanges() {
			out.Exchange = &api.TarokReviewedExchange{
				Seat: *outPlayer(d.view.Player), Group: q.setup.Group, Discards: outCards(q.setup.Discards.Slice()), Legal: d.legal,
				Verdict: verdict, Knowledge: known[i].exchange,
			}
			continue
		}
		out.Cards = append(out.Cards, api.TarokReviewedCard{
			Number: d.number + 1, Trick: d.number/3 + 1, Seat: *outPlayer(d.view.Player), Card: d.card.String(), Legal: d.legal,
			Verdict: verdict, Knowledge: known[i].card, Reason: known[i].reason,
		})
	}
	return service.Answer{Body: out, Progress: computation.Progress{Done: len(known), Of: len(known)}}
}

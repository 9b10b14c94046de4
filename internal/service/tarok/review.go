package tarok

import (
	"context"
	"slices"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/engine/table/decisions"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/complexity"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/reason"
	"roem/internal/random"
	"roem/internal/service"
)

// ReviewQuery asks what the exchange and the cards of one seat or of all seats in a hand cost, on what they could know. A decision is
// judged with settings of the program.
type ReviewQuery struct {
	service.ReviewOf[chosen, advice.Settings, judgement]

	game   *Game
	setup  tarok.Setup
	played []tarok.Card
	said   tarok.Announcements
	whose  service.Whose
	worlds int // for each decision; 0 for as many as the other operations have, and closeTimes as many for a decision that is uncertain
	seed   uint64
}

type (
	chosen   = decisions.Decision[players.Table, tarok.Player, *players.View, players.Action]
	decision = service.Decision[chosen, advice.Settings]
)

// judgement is what is found about the exchange or about a card.
type judgement struct {
	settings advice.Settings // with which it was judged
	exchange advice.Judged
	cards    advice.Cards
	reason   *reason.Why // of a mistake; nil if nothing explains it
}

// allSeats is in place of a seat if all are reviewed.
const allSeats = 3

// closeTimes is how many times as many worlds a decision has that is uncertain over the first, if the request sets no number.
const closeTimes = 4

// reviewRule is the rule of the verdicts.
var reviewRule = service.ReviewRule{LeastCost: 2, StandardErrors: 2}

// ParseReview reads the body of review.
var ParseReview = service.BodyOf("TarokReviewRequest", (*Game).newReviewQuery)

func (g *Game) newReviewQuery(in reviewBody) (*ReviewQuery, error) {
	p, err := newPosition(&in.positionBody)
	if err == nil {
		err = p.needsPlay()
	}
	if err != nil {
		return nil, err
	}
	q := &ReviewQuery{
		game: g, setup: p.setup, played: p.played, said: announcementsOf(in.Kontra, in.Announcements, in.Radli), worlds: service.Or(in.Worlds, 0),
	}
	var vs service.Problems
	q.seed = vs.Seed(in.Seed)
	q.whose = service.ReadWhose(&vs, in.Seat, tarok.ParsePlayer, tarok.Player.String)
	if bad := q.said.Check(p.setup.Contract); len(bad) > 0 {
		vs.Add("", bad)
	}
	if err := vs.Err(); err != nil {
		return nil, err
	}
	q.ReviewOf = service.ReviewOf[chosen, advice.Settings, judgement]{
		Service: g.service, Name: q.key(), Rule: reviewRule, Digits: valueDigits, Base: time.Microsecond,
		Judge: q.judge, Why: q.why, CostOf: q.costOf,
	}
	start, err := players.TableOf(p.setup, q.said)
	if err != nil {
		return nil, err
	}
	q.Decisions, err = service.Decide(q.whose, "/played", "card", decisions.Of(start, q.acts()), legalActs,
		func(*chosen) ([]advice.Settings, error) { return q.settings(), nil })
	return q, err
}

// acts returns the exchange, if the contract has one, and the cards played.
func (q *ReviewQuery) acts() (acts []players.Action) {
	if q.setup.Contract.Exchange() > 0 {
		acts = append(acts, players.Action{Phase: players.ToExchange, Group: q.setup.Group, Discards: q.setup.Discards})
	}
	for _, c := range q.played {
		acts = append(acts, players.Action{Phase: players.ToPlay, Card: c})
	}
	return acts
}

func exchanges(d *chosen) bool { return d.Act.Phase == players.ToExchange }

func legalActs(d *chosen) int {
	if s := d.Before.Setup(); exchanges(d) {
		return complexity.Exchanges(&s.Deal, s.Contract, s.Declarer)
	}
	p := d.Before.Position()
	return p.Legal().Len()
}

// key holds the hand, whose decisions are reviewed, and the options.
func (q *ReviewQuery) key() service.Key {
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
	return key.Byte(q.whose.Byte(allSeats)).Int(q.worlds).Uint(q.seed)
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

// costOf is the cost of a decision with a choice.
func (q *ReviewQuery) costOf(d *decision) time.Duration {
	switch s := &d.Asks[0]; {
	case exchanges(&d.Of):
		return time.Duration(s.Trials) * trialTime
	case q.setup.Contract.Negative():
		return time.Duration(s.Samples) * negativeTime
	default:
		return time.Duration(s.Playouts) * playoutTime
	}
}

// judge asks the program.
func (q *ReviewQuery) judge(
	ctx context.Context, p *service.Pass, d *decision, s advice.Settings, j *judgement,
) (cost service.KnownCost, err error) {
	if err := p.Search(); err != nil {
		return cost, err
	}
	view, act := d.Of.View(), &d.Of.Act
	j.settings = s
	err = q.game.service.WithPause(ctx, func(ctx context.Context, pause func() error) error {
		a := advice.New(s)
		a.Pause = pause
		return q.game.measure(ctx, "program", func(ctx context.Context) (_ uint64, err error) {
			if exchanges(&d.Of) {
				j.exchange, err = a.JudgeExchange(ctx, view, act.Group, act.Discards, random.New(q.seed))
				cost = service.KnownOf(rounded(j.exchange.Cost), rounded(j.exchange.Error))
				return a.Nodes, err
			}
			j.cards, err = a.Card(ctx, view, random.New(q.seed))
			cost = knownCost(&j.cards, act.Card)
			return a.Nodes, err
		})
	})
	return cost, err
}

// knownCost returns what a card cost beside the advised one.
func knownCost(cards *advice.Cards, played tarok.Card) service.KnownCost {
	i := slices.IndexFunc(cards.List, func(v advice.Card) bool { return v.Card == played })
	c, deviation := &cards.List[i], 0.0
	if cards.Deviation(i) != 0 {
		deviation = rounded(c.Error)
	}
	return service.KnownOf(rounded(cards.List[0].Value-c.Value), deviation)
}

// outReview builds the answer of a review.
func (g *Game) outReview(q *ReviewQuery, a service.Answer[*service.Findings[chosen, advice.Settings, judgement]]) api.TarokReview {
	f := a.Result
	out := api.TarokReview{
		Cards: []api.TarokReviewedCard{}, Rule: api.ReviewRule(reviewRule), Seed: strconv.FormatUint(q.seed, 10),
		Version: q.game.service.Version(),
	}
	for i := range f.List {
		d, j, known := &q.Decisions[i], &f.List[i].Of, f.List[i].Cost
		seat, verdict := *outPlayer(d.Of.Seat), f.List[i].Verdict
		if exchanges(&d.Of) {
			out.Exchange = &api.TarokReviewedExchange{
				Seat: seat, Group: q.setup.Group, Discards: outCards(q.setup.Discards.Slice()), Legal: d.Legal, Verdict: verdict,
			}
			if best := &j.exchange.Best; known != nil {
				out.Exchange.Knowledge = &api.TarokExchangeKnowledge{
					Cost: known.Cost, StandardError: *known.StandardError, Worlds: best.Games,
					Advised: api.TarokMadeExchange{Group: best.Group, Discards: outCards(best.Discards.Slice())},
				}
			}
			continue
		}
		number := len(d.Of.Before.Played())
		card := api.TarokReviewedCard{
			Number: number + 1, Trick: number/3 + 1, Seat: seat, Card: d.Of.Act.Card.String(), Legal: d.Legal, Verdict: verdict,
			Reason: outReason(j.reason),
		}
		if known != nil {
			card.Knowledge = &api.TarokReviewKnowledge{
				Cost: known.Cost, StandardError: *known.StandardError, Advised: j.cards.List[0].Card.String(),
				Measure: api.TarokMeasure(j.cards.Measure.String()), Worlds: j.cards.Samples,
			}
		}
		out.Cards = append(out.Cards, card)
	}
	out.Seats = api.TarokSeatReviews{A: outSums(f.Seats[tarok.A]), B: outSums(f.Seats[tarok.B]), C: outSums(f.Seats[tarok.C])}
	return out
}

func outSums(s *api.SeatReview) *api.TarokSeatReview {
	if s == nil {
		return nil
	}
	return &api.TarokSeatReview{KnowledgeCost: s.KnowledgeCost, Verdicts: s.Verdicts}
}

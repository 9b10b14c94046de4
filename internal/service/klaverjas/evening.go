package klaverjas

import (
	"context"
	"crypto/sha256"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	handrecord "roem/internal/engine/klaverjas/record"
	"roem/internal/engine/piquet"
	"roem/internal/engine/record"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// EveningQuery asks for reviews of many hands, with the sheet.
type EveningQuery struct {
	service.Uncached[any]
	game  *Game
	hands []eveningHand
	seed  uint64
	began time.Time
	key   service.Key
}

// eveningHand is a hand of an evening.
type eveningHand struct {
	request  api.KlaverjasPlayedHand
	position Position
	names    [4]string    // by seat
	review   *ReviewQuery // nil if no card was played
}

// maxEvening is how many hands an evening may have.
const maxEvening = 100

// KindEvening is the kind of the jobs of evenings.
const KindEvening = string(api.JobKindKlaverjasEvening)

// ParseEvening reads the body of evening, and the records in it.
func (g *Game) ParseEvening(ctx context.Context, body []byte) (*EveningQuery, error) {
	ctx, leave, err := g.service.Room(ctx, len(body))
	defer leave()
	if err != nil {
		return nil, err
	}
	return service.Decode(ctx, g.schemas, body, "KlaverjasEveningRequest", g.newEveningQuery)
}

func (g *Game) newEveningQuery(in eveningBody) (*EveningQuery, error) {
	var vs service.Problems
	q := &EveningQuery{game: g, began: time.Now(), seed: vs.OptionalSeed(in.Seed, 0)}
	if err := vs.Err(); err != nil {
		return nil, err
	}
	kinds := record.Kinds{Kinds: []*record.Kind{handrecord.Kind}, Foreign: handrecord.Foreign, Most: maxEvening}
	list, err := kinds.Read(in.Text)
	if err != nil {
		return nil, service.FromRecords("/text", err)
	}
	for i, one := range list {
		hand, err := g.eveningHand(one, i+1, in.Worlds, q.seed)
		if err != nil {
			return nil, err
		}
		q.hands = append(q.hands, hand)
	}
	sum := sha256.Sum256([]byte(in.Text)) // the text can be long, and nothing else says what the hands are
	q.key = newKey(KindEvening).Bytes(sum[:]).Int(service.Or(in.Worlds, 0)).Uint(q.seed)
	return q, nil
}

// eveningHand returns a hand with its review.
func (g *Game) eveningHand(one record.Hand, number int, worlds *int, seed uint64) (out eveningHand, err error) {
	h, ok := one.(*handrecord.Hand)
	if !ok || h.View || !h.Decided {
		return out, service.Refused(violation.New(violation.Needed, "record %d has no trump, or the hand of one seat only", number).At("/text"))
	}
	out.names, out.request = eveningNames(h), playedHand(h)
	deal := klaverjas.Deal{Trump: h.Trump, Leader: h.Leader, Declarer: h.Declarer, Hands: h.Hands}
	if out.position, err = positionOf(h.Rules, deal, h.Played); err != nil {
		return out, service.FromEngineAt("/text", err)
	}
	if len(h.Played) > 0 {
		out.review, err = g.reviewOf(out.position, service.Whose{}, worlds, seed)
	}
	return out, service.Below("/text", err)
}

// playedHand returns a hand as a request has it.
func playedHand(h *handrecord.Hand) api.KlaverjasPlayedHand {
	return api.KlaverjasPlayedHand{
		Rules: outRules(h.Rules), Trump: api.Suit(h.Trump.String()), Leader: *outSeat(h.Leader), Declarer: api.KlaverjasTeam(h.Declarer.String()),
		Hands:  outDealt(h.Hands),
		Played: outCards(h.Played),
	}
}

// eveningNames returns the names of the players by seat: the names in the tags, or the letters of the seats.
func eveningNames(h *handrecord.Hand) (names [4]string) {
	for i, tag := range [4]string{piquet.North: "North", piquet.East: "East", piquet.South: "South", piquet.West: "West"} {
		names[i] = piquet.Seat(i).String()
		for _, t := range h.Tags {
			if t.Name == tag && t.Value != "" {
				names[i] = t.Value
			}
		}
	}
	return names
}

// Key holds a digest of the records, and the options.
func (q *EveningQuery) Key() []byte { return q.key }

// Cost is the cost of the reviews.
func (q *EveningQuery) Cost() (sum time.Duration) {
	for i := range q.hands {
		if r := q.hands[i].review; r != nil {
			sum += r.Cost()
		}
	}
	return sum
}

// Known returns the answer if the cache has all reviews.
func (q *EveningQuery) Known(ctx context.Context) (service.Answer[any], bool, error) {
	reviews := make([]service.Answer[*findings], len(q.hands))
	for i := range q.hands {
		if r := q.hands[i].review; r != nil {
			var ok bool
			var err error
			if reviews[i], ok, err = r.Known(ctx); !ok || err != nil {
				return service.Answer[any]{}, false, err
			}
		}
	}
	answer, err := q.answer(reviews)
	return answer, err == nil, err
}

// Computation reviews the hands. It needs no slot; the reviews do.
func (q *EveningQuery) Computation() computation.Spec {
	run := func(ctx context.Context, task *computation.Task) (service.Answer[any], error) {
		reviews := make([]service.Answer[*findings], len(q.hands))
		if err := q.game.service.EachPart(ctx, task, len(q.hands), func(i int) (err error) {
			if r := q.hands[i].review; r != nil {
				reviews[i], err = service.Ask(ctx, q.game.service, r)
			}
			return err
		}); err != nil {
			return service.Answer[any]{}, err
		}
		return q.answer(reviews)
	}
	return service.Running(q.game.sharedKey(q.key), run)
}

// answer builds the evening from the answers to the reviews.
func (q *EveningQuery) answer(reviews []service.Answer[*findings]) (service.Answer[any], error) {
	out := api.KlaverjasEvening{
		Hands: make([]api.KlaverjasEveningHand, len(q.hands)), Rule: api.ReviewRule(reviewRule), Seed: strconv.FormatUint(q.seed, 10),
		Source: api.SourceCache, Version: q.game.service.Version(),
	}
	sheet := eveningSheet{places: map[string]int{}}
	var nodes int64
	for i := range q.hands {
		h := &q.hands[i]
		hand, err := h.answer(i+1, reviews[i])
		if err != nil {
			return service.Answer[any]{}, err
		}
		sheet.add(h, &hand)
		out.Hands[i] = hand
		if reviews[i].Source == api.SourceSearch {
			out.Source = api.SourceSearch
		}
		nodes += reviews[i].Nodes
	}
	out.Players, out.Totals = sheet.players, outPoints(sheet.totals)
	out.Stats = stats(uint64(nodes), out.Source, q.began)
	return service.Answer[any]{
		Result: out, Source: out.Source, Nodes: out.Stats.Nodes,
		Progress: computation.Progress{Done: len(q.hands), Of: len(q.hands), Nodes: uint64(nodes)},
	}, nil
}

// answer returns a hand with its mistakes.
func (h *eveningHand) answer(number int, review service.Answer[*findings]) (api.KlaverjasEveningHand, error) {
	out := api.KlaverjasEveningHand{
		Number: number, Mistakes: []api.KlaverjasEveningMistake{},
		Names:    api.KlaverjasEveningNames{N: h.names[piquet.North], E: h.names[piquet.East], S: h.names[piquet.South], W: h.names[piquet.West]},
		Position: h.request,
	}
	if now := h.position.now; now.Finished() {
		points, won, pit := outPoints(players.Sheet(now)), now.Outcome() > 0, now.Pit()
		out.Points, out.Won, out.Pit = &points, &won, &pit
	}
	if h.review == nil {
		return out, nil
	}
	body := h.review.game.review(h.review, review)
	out.Seats = body.Seats
	for _, c := range body.Cards {
		if c.Verdict != api.VerdictMistake && c.Verdict != api.VerdictLucky {
			continue
		}
		seat, err := piquet.ParseSeat(string(c.Seat))
		if err != nil {
			return out, err
		}
		out.Mistakes = append(out.Mistakes, api.KlaverjasEveningMistake{
			Number: c.Number, Trick: c.Trick, Seat: c.Seat, Player: h.names[seat], Card: c.Card, Verdict: c.Verdict,
			Cost: c.Knowledge.Cost, OpenCost: c.Open.Cost, Advised: c.Knowledge.Advised, Best: c.Open.Best,
		})
	}
	return out, nil
}

// eveningSheet collects the players, in the order in which they appear, and the points of the teams.
type eveningSheet struct {
	players []api.KlaverjasEveningPlayer
	places  map[string]int
	totals  [2]int
}

// add adds a hand.
func (s *eveningSheet) add(h *eveningHand, hand *api.KlaverjasEveningHand) {
	var points [2]int
	if h.position.now.Finished() {
		points = players.Sheet(h.position.now)
	}
	for t, n := range points {
		s.totals[t] += n
	}
	seats := [4]*api.SeatReview{hand.Seats.N, hand.Seats.E, hand.Seats.S, hand.Seats.W}
	for _, seat := range piquet.Seats() {
		name := h.names[seat]
		at, known := s.places[name]
		if !known {
			at = len(s.players)
			s.places[name], s.players = at, append(s.players, api.KlaverjasEveningPlayer{Name: name})
		}
		p := &s.players[at]
		p.Hands++
		p.Points += points[seat.Team()]
		if r := seats[seat]; r != nil {
			addVerdicts(&p.Verdicts, &r.Verdicts)
			p.OpenCost += r.OpenCost
			p.KnowledgeCost = service.Rounded(p.KnowledgeCost+r.KnowledgeCost, pointDigits)
		}
	}
}

func addVerdicts(to, from *api.Verdicts) {
	to.Right += from.Right
	to.Unlucky += from.Unlucky
	to.Mistake += from.Mistake
	to.Lucky += from.Lucky
	to.Uncertain += from.Uncertain
	to.Forced += from.Forced
}

package klaverjas

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/players"
	handrecord "roem/internal/engine/klaverjas/record"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// playedHand returns a hand as a request has it.
func playedHand(h *handrecord.Hand) api.KlaverjasPlayedHand {
	return api.KlaverjasPlayedHand{
		Rules: outRules(h.Rules), Trump: api.Suit(h.Trump.String()), Leader: *outSeat(h.Leader), Declarer: api.KlaverjasTeam(h.Declarer.String()),
		Hands:  outDealt(h.Hands),
		Played: outCards(h.Played),
	}
}

// OutEvening returns the answer of evening.
func (g *Game) OutEvening(q *EveningQuery, a service.Answer[[]service.Answer[*findings]]) api.KlaverjasEvening {
	out := api.KlaverjasEvening{
		Hands: make([]api.KlaverjasEveningHand, len(q.hands)), Rule: api.ReviewRule(reviewRule), Seed: strconv.FormatUint(q.seed, 10),
		Source: a.Source, Stats: stats(uint64(a.Nodes), a.Source, a.Began), Version: g.service.Version(),
	}
	sheet := eveningSheet{places: map[string]int{}}
	for i := range q.hands {
		h := &q.hands[i]
		out.Hands[i] = h.out(i+1, a.Result[i].Result)
		sheet.add(h, &out.Hands[i])
	}
	out.Players, out.Totals = sheet.players, outPoints(sheet.totals)
	return out
}

// out returns a hand with its mistakes. f is what its review has found; nil without one.
func (h *eveningHand) out(number int, f *findings) api.KlaverjasEveningHand {
	out := api.KlaverjasEveningHand{
		Number: number, Mistakes: []api.KlaverjasEveningMistake{},
		Names:    api.KlaverjasEveningNames{N: h.names[piquet.North], E: h.names[piquet.East], S: h.names[piquet.South], W: h.names[piquet.West]},
		Position: playedHand(h.record),
	}
	if now := h.position.now; now.Finished() {
		points, won, pit := outPoints(players.Sheet(now)), now.Outcome() > 0, now.Pit()
		out.Points, out.Won, out.Pit = &points, &won, &pit
	}
	if f == nil {
		return out
	}
	out.Seats = outSeatReviews(f)
	for i := range f.List {
		one := &f.List[i]
		if one.Verdict != api.VerdictMistake && one.Verdict != api.VerdictLucky {
			continue
		}
		d, j := &h.review.Decisions[i].Of, &one.Of
		out.Mistakes = append(out.Mistakes, api.KlaverjasEveningMistake{
			Number: d.Number + 1, Trick: d.Number/trickSize + 1, Seat: *outSeat(d.Seat), Player: h.names[d.Seat], Card: d.Act.String(),
			Verdict: one.Verdict, Cost: one.Cost.Cost, OpenCost: j.cost, Advised: j.advice.Card.String(), Best: outCards(j.best.Slice()),
		})
	}
	return out
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

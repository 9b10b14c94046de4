package klaverjas

import (
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// SessionPath is the path of all sessions. The path of one session ends with a slash and its id.
const SessionPath = "/v1/klaverjas/sessions"

// outSession returns the answer for a session. Of the hands it uses only what the seat may see: its setup and its sight.
func (g *Game) outSession(id string, expires time.Time, s session.Session) api.KlaverjasSession {
	u, sight := s.Setup(), s.Sight()
	out := api.KlaverjasSession{
		Id: id, State: api.KlaverjasSessionState(sight.State.String()), Acts: sight.Acts, Seat: *outSeat(u.Seat),
		Players: api.KlaverjasSessionPlayers{Partner: u.Players[0].Name(), Opponents: u.Players[1].Name()},
		Hands:   u.Hands, Number: sight.Number + 1, Bidding: api.KlaverjasSessionBiddingNone,
		Dealer: *outSeat(sight.Dealer), Leader: *outSeat(sight.Leader), CalledBy: outSeatOrNil(sight.By),
		Calls: []api.KlaverjasSessionCall{}, LegalCalls: outCalls(sight.LegalCalls), Held: outCards(sight.Held.Slice()),
		Legal: outCards(sight.Legal.Slice()), Settled: sight.Settled,
		Trick: outSessionTrick(sight.Trick), LastTrick: outSessionTrick(sight.LastTrick),
		Score: outScore(sight.Score), TricksTaken: outTaken(sight.Taken), Results: []api.KlaverjasSessionResult{},
		Totals: outPoints(sight.Totals),
		Rules:  outRules(u.Rules), ExpiresAt: expires.UTC(), Links: api.SessionLinks{Self: SessionPath + "/" + id}, Version: g.service.Version(),
	}
	out.Target = service.Given(u.Target)
	if u.Bidding {
		out.Bidding = api.KlaverjasSessionBidding(u.Flow.String())
	}
	if u.Takeback {
		out.Takeback = &u.Takeback
	}
	if u.Seed {
		seed := strconv.FormatUint(u.Secret[0], 10)
		out.Seed = &seed
	}
	if sight.State == session.Bidding || sight.State == session.Playing {
		out.Turn = outSeat(u.Seat) // the others have acted
	}
	for _, c := range sight.Calls {
		out.Calls = append(out.Calls, api.KlaverjasSessionCall{Seat: *outSeat(c.Seat), Call: c.Call.String()})
	}
	if sight.Auction != nil {
		out.Auction = outAuction(sight.Auction, sight.Hand, u.Rules)
	}
	if v := sight.View; v != nil {
		out.View = outSessionView(v)
	}
	if r := sight.Revealed; r != nil {
		hand := func(s piquet.Seat) api.KlaverjasHand { return outCards(r.Deal.Hands[s].Slice()) }
		out.Revealed = &api.KlaverjasRevealedHand{
			Rules: outRules(u.Rules), Trump: api.Suit(r.Deal.Trump.String()), Leader: *outSeat(r.Deal.Leader),
			Declarer: api.KlaverjasTeam(r.Deal.Declarer.String()), Played: outCards(r.Played), Seat: *outSeat(u.Seat),
			Hands: api.KlaverjasHands{N: hand(piquet.North), E: hand(piquet.East), S: hand(piquet.South), W: hand(piquet.West)},
		}
	}
	for i, r := range sight.Results {
		out.Results = append(out.Results, outSessionResult(i+1, r, u))
	}
	return out
}

func outSeatOrNil(s *piquet.Seat) *api.KlaverjasSeat {
	if s == nil {
		return nil
	}
	return outSeat(*s)
}

func outCalls(list []bidding.Call) []string {
	out := make([]string, len(list))
	for i, c := range list {
		out[i] = c.String()
	}
	return out
}

func outTaken(taken [2]int) api.KlaverjasTricksTaken {
	return api.KlaverjasTricksTaken{NS: taken[piquet.NorthSouth], EW: taken[piquet.EastWest]}
}

func outPoints(points [2]int) api.KlaverjasTeamPoints {
	return api.KlaverjasTeamPoints{NS: points[piquet.NorthSouth], EW: points[piquet.EastWest]}
}

// outAuction returns the bidding as /bid takes it.
func outAuction(a *bidding.Auction, hand piquet.Set, rules klaverjas.Rules) *api.KlaverjasSessionAuction {
	set := a.Setting()
	out := &api.KlaverjasSessionAuction{
		Flow: api.KlaverjasFlow(set.Flow.String()), Dealer: *outSeat(set.Dealer), Calls: outCalls(a.Calls()), Hand: outCards(hand.Slice()),
		Rules: outRules(rules),
	}
	if set.Flow == bidding.Turned {
		turned := make([]api.Suit, len(set.Turned))
		for i, suit := range set.Turned {
			turned[i] = api.Suit(suit.String())
		}
		out.Turned, out.Again = &turned, &set.Again
	}
	return out
}

// outSessionView returns a view as knowledge, worlds and advise take it.
func outSessionView(v *worlds.View) *api.KlaverjasSessionView {
	return &api.KlaverjasSessionView{
		Rules: outRules(v.Rules), Trump: api.Suit(v.Trump.String()), Leader: *outSeat(v.Leader), Declarer: api.KlaverjasTeam(v.Declarer.String()),
		Seat: *outSeat(v.Seat), Hand: outCards(v.Hand.Slice()), Played: outCards(v.Played),
	}
}

func outSessionTrick(t *session.Trick) *api.KlaverjasSessionTrick {
	if t == nil {
		return nil
	}
	out := &api.KlaverjasSessionTrick{
		Number: t.Number + 1, Leader: *outSeat(t.Leader), Cards: []api.KlaverjasSessionCard{},
		Points: t.Points, Melds: t.Melds,
	}
	for i, c := range t.Cards[:t.Len] {
		out.Cards = append(out.Cards, api.KlaverjasSessionCard{Seat: *outSeat(t.Leader.Plus(i)), Card: c.String()})
	}
	if t.Len > 0 {
		out.Winner = outSeat(t.Winner)
	}
	return out
}

func outSessionResult(number int, r session.Result, u session.Setup) api.KlaverjasSessionResult {
	out := api.KlaverjasSessionResult{
		Number: number, Trump: api.Suit(r.Trump.String()), Leader: *outSeat(r.Leader), Declarer: api.KlaverjasTeam(r.Declarer.String()),
		CalledBy: outSeatOrNil(r.By), Won: r.Outcome > 0, Pit: r.Pit, Outcome: r.Outcome, Score: outScore(r.Score),
		TricksTaken: outTaken(r.Taken), Points: outPoints(r.Points),
	}
	if a := r.Compared; a != nil {
		team := u.Seat.Team()
		lead := func(points [2]int) int { return points[team] - points[team.Opponents()] }
		out.Compared = &api.KlaverjasSessionComparison{
			Player: u.Compare.Name(), Trump: api.Suit(a.Result.Trump.String()), Declarer: api.KlaverjasTeam(a.Result.Declarer.String()),
			CalledBy: outSeatOrNil(a.Result.By), Won: a.Result.Outcome > 0, Points: outPoints(a.Result.Points),
			Difference: lead(r.Points) - lead(a.Result.Points), Calls: outCalls(a.Hand.Calls), Played: outCards(a.Hand.Played),
		}
	}
	return out
}

package klaverjas

import (
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// SessionPath is the path of all sessions. The path of one session ends with a slash and its id.
const SessionPath = "/v1/klaverjas/sessions"

// outSession returns the answer for a session. Of the hands it uses only what the seat may see: its setup and its sight.
func (g *Game) outSession(id string, expires time.Time, s session.Session) api.KlaverjasSession {
	u, sight := s.Match(), session.See(s)
	v, rules := &sight.View, outRules(klaverjas.Rules(u.Rules))
	out := api.KlaverjasSession{
		Id: id, State: api.KlaverjasSessionState(sight.State), Acts: sight.Acts, Seat: *outSeat(v.Seat),
		Players: api.KlaverjasSessionPlayers{Partner: u.Players[0].Name(), Opponents: u.Players[1].Name()},
		Hands:   u.Hands, Number: sight.Number, Bidding: api.KlaverjasSessionBiddingNone,
		Dealer: *outSeat(v.Leader.Plus(-1)), Leader: *outSeat(v.Leader), CalledBy: outSeatOrNil(sight.By),
		Calls: []api.KlaverjasSessionCall{}, LegalCalls: bidding.Names(sight.LegalCalls), Held: outCards(v.Held.Slice()),
		Legal: outCards(sight.Legal.Slice()), Settled: sight.Settled,
		Trick: outSessionTrick(sight.Trick), LastTrick: outSessionTrick(sight.LastTrick),
		Score: outScore(sight.Score), TricksTaken: outTaken(sight.Taken), Results: []api.KlaverjasSessionResult{},
		Totals: outPoints(sight.Totals),
		Rules:  rules, ExpiresAt: expires.UTC(), Links: api.SessionLinks{Self: SessionPath + "/" + id}, Version: g.service.Version(),
	}
	out.Target, out.Takeback, out.Seed = service.OutTerms(&u.Terms)
	if sight.Revealed == nil {
		out.Turn = outSeat(v.Seat) // the others have acted
	}
	if a := v.Auction; a != nil {
		out.Bidding, out.Auction = api.KlaverjasSessionBidding(u.Flow.String()), outAuction(a, v.Hand, rules)
		for i, c := range a.Calls() {
			out.Calls = append(out.Calls, api.KlaverjasSessionCall{Seat: *outSeat(a.First().Plus(i)), Call: c.String()})
		}
	}
	if v.Decided {
		out.View = outSessionView(&v.View)
	}
	if t := sight.Revealed; t != nil {
		d := t.Deal()
		out.Revealed = &api.KlaverjasRevealedHand{
			Rules: rules, Trump: api.Suit(d.Trump.String()), Leader: *outSeat(d.Leader), Declarer: api.KlaverjasTeam(d.Declarer.String()),
			Played: outCards(t.Played()), Seat: *outSeat(v.Seat), Hands: outDealt(d.Hands),
		}
	}
	for i, r := range sight.Results {
		out.Results = append(out.Results, outSessionResult(i+1, r, u.Setup))
	}
	return out
}

func outSeatOrNil(s *piquet.Seat) *api.KlaverjasSeat {
	if s == nil {
		return nil
	}
	return outSeat(*s)
}

func outTaken(taken [2]int) api.KlaverjasTricksTaken {
	return api.KlaverjasTricksTaken{NS: taken[piquet.NorthSouth], EW: taken[piquet.EastWest]}
}

func outPoints(points [2]int) api.KlaverjasTeamPoints {
	return api.KlaverjasTeamPoints{NS: points[piquet.NorthSouth], EW: points[piquet.EastWest]}
}

// outAuction returns the bidding as /bid takes it.
func outAuction(a *bidding.Auction, hand piquet.Set, rules api.KlaverjasRules) *api.KlaverjasSessionAuction {
	set := a.Setting()
	out := &api.KlaverjasSessionAuction{
		Flow: api.KlaverjasFlow(set.Flow.String()), Dealer: *outSeat(set.Dealer), Calls: bidding.Names(a.Calls()),
		Hand: outCards(hand.Slice()), Rules: rules,
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
		Number: t.Number, Leader: *outSeat(t.Leader), Cards: []api.KlaverjasSessionCard{}, Points: t.Points, Melds: t.Melds,
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
	d, p := r.Deal(), r.Position()
	points := players.Sheet(p)
	out := api.KlaverjasSessionResult{
		Number: number, Trump: api.Suit(d.Trump.String()), Leader: *outSeat(d.Leader), Declarer: api.KlaverjasTeam(d.Declarer.String()),
		CalledBy: outSeatOrNil(r.By()), Won: p.Outcome() > 0, Pit: p.Pit(), Outcome: p.Outcome(), Score: outScore(p.Score()),
		TricksTaken: outTaken(p.TricksTaken()), Points: outPoints(points),
	}
	if a := r.Again; a != nil {
		d, p := a.Deal(), a.Position()
		team, again := u.Seat.Team(), players.Sheet(p)
		lead := func(points [2]int) int { return points[team] - points[team.Opponents()] }
		out.Compared = &api.KlaverjasSessionComparison{
			Player: u.Compare.Name(), Trump: api.Suit(d.Trump.String()), Declarer: api.KlaverjasTeam(d.Declarer.String()),
			CalledBy: outSeatOrNil(a.By()), Won: p.Outcome() > 0, Points: outPoints(again),
			Difference: lead(points) - lead(again), Calls: []string{}, Played: outCards(a.Played()),
		}
		if auction := a.Auction(); auction != nil {
			out.Compared.Calls = bidding.Names(auction.Calls())
		}
	}
	return out
}

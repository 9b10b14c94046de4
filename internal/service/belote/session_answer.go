package belote

import (
	"time"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/belote/session"
	"roem/internal/engine/belote/worlds"
	"roem/internal/service"
)

// SessionPath is the path of all sessions. The path of one session ends with a slash and its id.
const SessionPath = "/v1/belote/sessions"

// outSession returns the answer for a session. Of the cards it uses only what has been seen: its setup and its sight.
func (g *Game) outSession(id string, expires time.Time, s session.Session) api.BeloteSession {
	u, sight := s.Match(), session.See(s)
	out := api.BeloteSession{
		Id: id, State: api.BeloteSessionState(sight.State), Acts: sight.Acts, Seat: *outPlayer(sight.Seat),
		Players: api.BeloteSessionPlayers{Opponent: u.Player.Name()},
		Hands:   u.Hands, Number: sight.Hand, Suits: outSuits(u.Deck), Trump: api.BeloteSessionTrump(u.Way.String()),
		Flip: api.BeloteFlip(u.Flip.String()), Calls: []api.BeloteSessionCall{}, LegalCalls: []string{},
		Legal: outCards(sight.Legal.Slice()), Results: []api.BeloteSessionResult{}, Totals: outMine(sight.Totals, belote.A),
		ExpiresAt: expires.UTC(), Links: api.SessionLinks{Self: SessionPath + "/" + id}, Version: g.service.Version(),
	}
	out.Threshold = service.Given(u.Score.Threshold)
	out.Contract, out.Melds = api.BeloteContract(u.Score.Contract.String()), api.BeloteMelds(u.Score.Melds.String())
	out.Litige, out.Belote, out.Capot, out.HeldPoints = u.Score.Litige, u.Score.Belote, u.Score.Capot, sight.Held
	out.Target, out.Takeback, out.Seed = service.OutTerms(&u.Terms)
	for i, c := range sight.Calls {
		out.Calls = append(out.Calls, api.BeloteSessionCall{Seat: *outPlayer(bidding.Speaker(i + 1)), Call: session.CallName(c)})
	}
	if d := sight.Dealing; d != nil {
		out.Auction = &api.BeloteSessionAuction{
			Suits: outSuits(d.Deck), Open: api.BeloteOpen{A: outCards(d.Open[belote.A]), B: outCards(d.Open[belote.B])}, Threshold: d.Threshold,
		}
		for _, c := range u.LegalCalls() {
			out.LegalCalls = append(out.LegalCalls, session.CallName(c))
		}
	}
	if v := sight.View; v != nil {
		now := v.Now()
		out.View, out.Points = outSeen(v, u.Flip), outPoints(&now)
		if sight.State == session.Playing {
			out.Trick = outTrick(&now)
		}
	}
	if sight.Last != nil {
		out.LastTrick = new(outCompleted(sight.Last))
	}
	if sight.Declared {
		out.Declarer = &out.View.Declarer
	}
	if d := sight.Revealed; d != nil {
		p := outDeal(*d)
		out.Revealed = &api.BeloteRevealedHand{
			Trump: p.Trump, Suits: p.Suits, Leader: p.Leader, Declarer: p.Declarer, Threshold: p.Threshold, Stacks: p.Stacks,
			Flip: out.Flip, Played: out.View.Played,
		}
	}
	for i, r := range sight.Results {
		out.Results = append(out.Results, api.BeloteSessionResult{
			Number: i + 1, Seat: *outPlayer(r.Seat), Trump: outTrump(r.Trump),
			Points: outMine([2]int{r.Written(belote.A), r.Written(belote.B)}, r.Seat),
			Score:  g.outScore(r.Rules, r.Declarer, r.Score),
		})
	}
	return out
}

// outMine returns numbers by player, of which one is the client.
func outMine(n [2]int, client belote.Player) api.BeloteSessionNumbers {
	return api.BeloteSessionNumbers{You: n[client], Opponent: n[client.Other()]}
}

// outSeen returns a view as advise takes it.
func outSeen(v *worlds.View, flip worlds.Flip) *api.BeloteSessionView {
	d, covers := v.Deal(), v.Covers()
	stacks := func(p belote.Player) (out api.BeloteSeenStackList) {
		for _, s := range d.Of(p) {
			two := api.BeloteSeenStack{new(s.Top.String()), nil}
			if !covers.Has(s.Top) {
				two[1] = new(s.Bottom.String())
			}
			out = append(out, two)
		}
		return out
	}
	return &api.BeloteSessionView{
		Trump: outTrump(d.Trump), Suits: outSuits(d.Deck), Leader: *outPlayer(d.Leader), Declarer: *outPlayer(d.Declarer), Threshold: d.Threshold,
		Flip: api.BeloteFlip(flip.String()), Stacks: api.BeloteSeenStacks{A: stacks(belote.A), B: stacks(belote.B)},
		Played: outCards(v.Played()),
	}
}

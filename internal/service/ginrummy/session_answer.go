package ginrummy

import (
	"time"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/session"
	"roem/internal/service"
)

// SessionPath is the path of all sessions. The path of one session ends with a slash and its id.
const SessionPath = "/v1/gin-rummy/sessions"

// outSession returns the answer for a session. Of the cards it uses only what the client may see: its sight.
func (g *Game) outSession(id string, expires time.Time, s session.Session) api.GinSession {
	u, sight := s.Match(), session.See(s)
	v := &sight.View
	out := api.GinSession{
		Id: id, State: api.GinSessionState(sight.State), Acts: sight.Acts, Seat: outSeat(u.Setup.Seat),
		Players: api.GinSessionPlayers{Opponent: u.Player}, Hands: u.Hands, LayOffs: layOffsRuleValues[u.LayOffs],
		Number: sight.Number + 1, Totals: outNumbers(sight.Scores), View: outView(v), LegalActions: sessionActions(sight.State, v),
		Discards: outSet(v.Discards()), Top: outCardOrNil(v.Top), Drawn: outCardOrNil(v.Drawn), Stock: v.Stock, Deadwood: v.Own.Deadwood(),
		Melds: api.GinArrangement{}, Results: []api.GinSessionResult{}, Winner: outSeatOrNil(sight.Winner), ExpiresAt: expires.UTC(),
		Links: api.SessionLinks{Self: SessionPath + "/" + id}, Version: g.service.Version(),
	}
	if best := v.Own.Best(); len(best) > 0 {
		out.Melds = outArrangement(best[0])
	}
	out.Target, out.Takeback, out.Seed = service.OutTerms(&u.Terms)
	if sight.Knock != nil {
		out.Knock = &api.GinSessionKnock{Seat: outSeat(*sight.By), Laid: outLaid(*sight.Knock)}
	}
	for i, r := range sight.Results {
		out.Results = append(out.Results, outSessionResult(i+1, r))
	}
	if r := sight.Revealed; r != nil {
		out.Revealed = &api.GinRevealed{
			Held: outHands(r.Hands), Laid: api.GinBothLaid{A: outLaid(r.Laid[ginrummy.A]), B: outLaid(r.Laid[ginrummy.B])},
			Stock: outCards(r.Deal.Stock[:]), Position: outPosition(&r.Record),
		}
	}
	return out
}

// sessionActions returns the kinds of actions that the client may take.
func sessionActions(state session.State, v *ginrummy.View) []api.GinSessionActionKind {
	switch state {
	case session.Draw:
		out := []api.GinSessionActionKind{}
		for i, may := range [3]bool{v.May.Pass, v.May.Take, v.May.Stock} {
			if may {
				out = append(out, [3]api.GinSessionActionKind{
					api.GinSessionActionKindPass, api.GinSessionActionKindTake, api.GinSessionActionKindStock,
				}[i])
			}
		}
		return out
	case session.Discard:
		return []api.GinSessionActionKind{api.GinSessionActionKindDiscard}
	case session.Knock:
		return []api.GinSessionActionKind{api.GinSessionActionKindKnock, api.GinSessionActionKindContinue}
	case session.Meld:
		return []api.GinSessionActionKind{api.GinSessionActionKindMelds}
	default:
		return []api.GinSessionActionKind{}
	}
}

func outSeat(s ginrummy.Seat) api.GinSeat { return api.GinSeat(s.String()) }

func outSeatOrNil(s *ginrummy.Seat) *api.GinSeat {
	if s == nil {
		return nil
	}
	return new(outSeat(*s))
}

func outCardOrNil(c ginrummy.Card) *api.GinCard {
	if c == ginrummy.NoCard {
		return nil
	}
	return new(c.String())
}

func outNumbers(n [2]int) api.GinNumbers { return api.GinNumbers{A: n[ginrummy.A], B: n[ginrummy.B]} }

func outHands(hands [2]ginrummy.Set) api.GinHands {
	return api.GinHands{A: outSet(hands[ginrummy.A]), B: outSet(hands[ginrummy.B])}
}

func outLaid(l session.Laid) api.GinLaid {
	return api.GinLaid{Deadwood: l.Left.Points(), Melds: outArrangement(l.Melds), Unmelded: outSet(l.Left)}
}

// outView returns what the client has seen as estimate and advise take it.
func outView(v *ginrummy.View) api.GinView {
	out := api.GinView{
		Seat: outSeat(v.Seat), Starter: outSeat(v.Starter), Upcard: v.Upcard.String(), Hand: outSet(v.Own), Events: []api.GinEvent{},
	}
	for _, e := range v.Events {
		event := api.GinEvent{Seat: outSeat(e.Seat), Kind: e.Kind.String()}
		if e.Kind != ginrummy.Pass {
			event.Card = outCardOrNil(e.Card)
		}
		out.Events = append(out.Events, event)
	}
	return out
}

// outPosition returns a hand as review takes it.
func outPosition(r *ginrummy.Record) api.GinPosition {
	out := api.GinPosition{
		Starter: outSeat(r.Starter), Upcard: r.Upcard.String(), Hands: outHands(r.Hands),
		Events: make([]api.GinPositionEvent, len(r.Events)),
	}
	if r.LaidOff != nil {
		out.LaidOff = new(outLayOffs(r.LaidOff))
	}
	if rule := r.LayOffs; rule != ginrummy.BestLayOffs {
		out.LayOffs = &layOffsRuleValues[rule]
	}
	for i, e := range r.Events {
		out.Events[i] = api.GinPositionEvent{Seat: outSeat(e.Seat), Kind: e.Kind.String()}
		if e.Kind != ginrummy.Pass && e.Kind != ginrummy.Knock {
			out.Events[i].Card = outCardOrNil(e.Card)
		}
	}
	return out
}

func outSessionResult(number int, r session.Result) api.GinSessionResult {
	out := api.GinSessionResult{
		Number: number, Starter: outSeat(r.Starter), Result: api.GinSessionResultResultVoid, Deadwood: outNumbers(r.Deadwood),
		Points:  outNumbers(r.Score),
		LaidOff: outLayOffs(r.LaidOff),
	}
	if r.Void {
		return out
	}
	out.Knocker = outSeatOrNil(&r.Knocker)
	switch {
	case r.Gin:
		out.Result = api.GinSessionResultResultGin
	case r.Undercut:
		out.Result = api.GinSessionResultResultUndercut
	default:
		out.Result = api.GinSessionResultResultKnock
	}
	return out
}

func outLayOffs(list []ginrummy.LayOff) []api.GinLayOff {
	out := make([]api.GinLayOff, len(list))
	for i, l := range list {
		out[i] = api.GinLayOff{Card: l.Card.String(), On: outSet(l.On)}
	}
	return out
}

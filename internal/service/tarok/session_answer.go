package tarok

import (
	"time"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/session"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/service"
)

// SessionPath is the path of all sessions. The path of one session ends with a slash and its id.
const SessionPath = "/v1/tarok/sessions"

// outSession returns the answer for a session. Of the cards it uses only what the client may see: its setup and its sight.
func (g *Game) outSession(id string, expires time.Time, s session.Session) api.TarokSession {
	u, sight := s.Match(), session.See(s)
	v := &sight.View
	out := api.TarokSession{
		Id: id, State: api.TarokSessionState(sight.State), Acts: sight.Acts, Seat: *outPlayer(sight.Seat),
		Players: api.TarokSessionPlayers{Left: u.Players[0], Right: u.Players[1]}, Hands: u.Hands, Number: sight.Hand,
		Calls: []api.TarokSessionCall{}, LegalCalls: []string{}, Held: outCards(v.Held.Slice()), Legal: outCards(sight.Cards.Slice()),
		May: outSessionWords(sight.May), Talon: outCards(v.Talon), Discards: outCards(v.Discards.Slice()), Said: outSaid(&sight.Said),
		Words: []api.TarokWords{},
		Trick: outSessionTrick(sight.Trick, false), LastTrick: outSessionTrick(sight.Last,
			true), TricksTaken: outNumbers(v.Tricks), View: outView(&v.View),
		Radli: outYours(sight.Radli), Totals: outYours(sight.Totals), Results: []api.TarokSessionResult{},
		ExpiresAt: expires.UTC(), Links: api.SessionLinks{Self: SessionPath + "/" + id}, Version: g.service.Version(),
	}
	out.Contract, out.Declarer, out.Group = out.View.Contract, out.View.Declarer, out.View.Group
	out.Target, out.Takeback, out.Seed = service.OutTerms(&u.Terms)
	for _, b := range sight.Bids {
		out.Calls = append(out.Calls, api.TarokSessionCall{Seat: *outPlayer(b.Player), Call: b.Bid.String()})
	}
	for _, w := range sight.Words {
		out.Words = append(out.Words, outWords(w))
	}
	for _, b := range sight.Legal {
		out.LegalCalls = append(out.LegalCalls, b.String())
	}
	for i := range sight.Results {
		out.Results = append(out.Results, g.outSessionResult(i+1, &sight.Results[i]))
	}
	if r := sight.Revealed; r != nil {
		out.Revealed = outRevealed(r)
	}
	return out
}

// outView returns a view as worlds takes it.
func outView(v *worlds.View) api.TarokSessionView {
	out := api.TarokSessionView{Seat: *outPlayer(v.Player), Hand: outCards(v.Hand.Slice()), Rules: outSessionRules(&v.Rules)}
	if v.Stage == worlds.Bidding {
		return out
	}
	out.Contract = new(api.TarokContract(v.Contract.String()))
	if v.Contract != tarok.Klop {
		out.Declarer = outPlayer(v.Declarer)
	}
	if len(v.Talon) > 0 {
		out.Talon = new(outCards(v.Talon))
	}
	if v.Stage == worlds.Exchange {
		return out
	}
	if v.Contract.Exchange() > 0 {
		out.Group = &v.Group
	}
	if !v.Discards.Empty() {
		out.Discards = new(outCards(v.Discards.Slice()))
	}
	if len(v.Played) > 0 {
		out.Played = new(outCards(v.Played))
	}
	return out
}

func outSessionRules(r *tarok.Rules) api.TarokSessionRules {
	return api.TarokSessionRules{
		Mond: r.Mond, Emperor: !r.NoEmperor, Lead: leadValues[r.Leads],
		Difference: differenceValues[r.Difference],
		Bidding:    biddingOrderValues[r.Order], ValatKontra: !r.PlainValat, DefendersPagat: !r.OwnPagat,
	}
}

// outYours returns numbers of the client, and of those who sit after it.
func outYours(n [3]int) api.TarokSessionNumbers {
	return api.TarokSessionNumbers{You: n[0], Left: n[1], Right: n[2]}
}

func outSessionWords(w players.Words) api.TarokSessionWords {
	out := api.TarokSessionWords{Bonuses: []string{}, Double: []string{}}
	if w.Kontra {
		out.Double = append(out.Double, theGame)
	}
	for i, b := range tarok.Bonuses() {
		if w.Bonuses[i] {
			out.Bonuses = append(out.Bonuses, b.String())
		}
		if w.Double[i] {
			out.Double = append(out.Double, b.String())
		}
	}
	return out
}

func outSaid(a *tarok.Announcements) api.TarokSessionSaid {
	one := func(b tarok.Bonus) *api.TarokAnnouncement {
		said := a.Bonuses[b]
		if said.By == tarok.NoSide {
			return nil
		}
		return &api.TarokAnnouncement{By: api.TarokSide(said.By.String()), Kontra: new(kontraValues[said.Kontra])}
	}
	return api.TarokSessionSaid{
		Kontra: kontraValues[a.Kontra],
		Announcements: api.TarokAnnouncements{
			Kings: one(tarok.AllKings), Trula: one(tarok.AllTrula), Pagat: one(tarok.LastPagat), Valat: one(tarok.Valat),
		},
	}
}

func outSessionTrick(t *session.Trick, done bool) *api.TarokSessionTrick {
	if t == nil {
		return nil
	}
	out := &api.TarokSessionTrick{Number: t.Number, Leader: *outPlayer(t.Leader), Cards: outCards(t.Cards)}
	if done {
		out.Winner = outPlayer(t.Winner)
	}
	return out
}

func (g *Game) outSessionResult(number int, r *session.Result) api.TarokSessionResult {
	score := g.outScore(&r.Setup, &r.Score)
	var points [3]int
	for i := range points {
		points[i] = r.Score.Total[r.Seat.After(i)]
	}
	return api.TarokSessionResult{Number: number, Seat: *outPlayer(r.Seat), Said: outSaid(&r.Said), Points: outYours(points), Score: score}
}

func outRevealed(r *session.Revealed) *api.TarokSessionRevealed {
	u := &r.Setup
	said := outSaid(&r.Said)
	out := &api.TarokSessionRevealed{
		Hands: outHands(u.Deal.Hands), Talon: outCards(u.Deal.Talon[:]), Contract: api.TarokContract(u.Contract.String()),
		Played: outCards(r.Played),
		Rules:  outSessionRules(&u.Rules), Kontra: said.Kontra, Announcements: said.Announcements, Radli: outNumbers(r.Said.Radli),
	}
	if u.Contract != tarok.Klop {
		out.Declarer = outPlayer(u.Declarer)
	}
	if u.Contract.Exchange() > 0 {
		out.Group, out.Discards = &u.Group, new(outCards(u.Discards.Slice()))
	}
	return out
}

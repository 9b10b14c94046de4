package tarok

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

func (in *exchangeBody) view() viewBody {
	return viewBody{Seat: in.Seat, Hand: in.Hand, Contract: &in.Contract, Declarer: in.Declarer, Talon: in.Talon, Rules: in.Rules}
}

// ExchangeQuery asks what the declarer should take and discard. Its result is not empty, and the best is first.
type ExchangeQuery = ProgramQuery[[]advice.Exchange]

// ParseExchange reads the body of exchange.
var ParseExchange = service.BodyOf("TarokExchangeRequest", func(g *Game, in exchangeBody) (*ExchangeQuery, error) {
	known := in.view()
	v := players.View{Phase: players.ToExchange, Margins: players.DefaultMargins}
	var err error
	if v.View, err = known.view(); err != nil {
		return nil, err
	}
	var vs service.Problems
	seed := vs.Seed(in.Seed)
	switch {
	case v.Contract.Exchange() == 0:
		vs.Addf("/contract", violation.NotUsed, "%s has no exchange", v.Contract)
	case v.Player != v.Declarer:
		vs.Addf("/seat", violation.NotOnTurn, "is %s, but only the declarer, %s, exchanges", v.Player, v.Declarer)
	}
	settings := trialSettings(in.Evaluation, in.Method, in.Worlds, &vs)
	if err := vs.Err(); err != nil {
		return nil, err
	}
	if _, err := worlds.New(v.View); err != nil {
		return nil, known.order().impossible(err)
	}
	v.Held, settings.Discards = v.Hand, in.Options
	return newProgramQuery(g, KindExchange, settings, seed, viewKey(&v.View), v, (*advice.Advisor).Exchange), nil
})

func (g *Game) outExchange(q *ExchangeQuery, a service.Answer[[]advice.Exchange]) api.TarokExchangeAdvice {
	v, list := &q.view, a.Result
	out := api.TarokExchangeAdvice{
		Group: list[0].Group, Discards: outCards(list[0].Discards.Slice()), Seed: strconv.FormatUint(q.seed, 10), Version: g.service.Version(),
	}
	for i := range list {
		e := &list[i]
		out.Options = append(out.Options, api.TarokExchangeOption{
			Group: e.Group, Taken: outCards(v.Taken(e.Group).Slice()), Discards: outCards(e.Discards.Slice()), Worlds: e.Games,
			Points: e.Points, Score: e.Score, WinProbability: e.Won, Made: outShares(e.Made),
		})
	}
	return out
}

func (in *announceBody) view() viewBody {
	return viewBody{
		Seat: in.Seat, Hand: in.Hand, Contract: &in.Contract, Declarer: in.Declarer, Talon: in.Talon, Group: in.Group, Discards: in.Discards,
		Rules: in.Rules,
	}
}

// say returns the announcements after what was said, up to the first words that contain a violation.
func say(vs *service.Problems, t players.Talk, said []wordsBody) players.Talk {
	for i := range said {
		where := "/said/" + strconv.Itoa(i)
		turn, more := t.Turn()
		if !more {
			vs.Addf(where, violation.Over, "comes after the end of the announcements")
			return t
		}
		in, before := &said[i], len(*vs)
		words := in.words(where, vs)
		refused := t.Refused(words)
		if refused.Kontra {
			vs.Addf(where+"/kontra", violation.NotLegal, "%s may not double the game", turn)
		}
		for k, name := range in.Bonuses {
			if refused.Bonuses[slices.Index(bonusValues, name)] {
				vs.Addf(where+"/bonuses/"+strconv.Itoa(k), violation.NotLegal, "%s may not announce %s", turn, name)
			}
		}
		for k, name := range in.Double {
			if refused.Double[slices.Index(bonusValues, name)] {
				vs.Addf(where+"/double/"+strconv.Itoa(k), violation.NotLegal, "%s may not double %s", turn, name)
			}
		}
		if len(*vs) > before {
			return t
		}
		t, _ = t.Say(words) // no part of them is refused
	}
	return t
}

// words returns the words at a place of the request. A name that is given twice is a violation, as in sessions.
func (w *wordsBody) words(where string, vs *service.Problems) (out players.Words) {
	for _, f := range []struct {
		field string
		list  []api.TarokBonus
	}{{"/bonuses", w.Bonuses}, {"/double", w.Double}} {
		for i, name := range f.list {
			if slices.Contains(f.list[:i], name) {
				vs.Addf(where+f.field+"/"+strconv.Itoa(i), violation.ListedTwice, "%s is named twice", name)
			}
		}
	}
	for i, name := range bonusValues {
		out.Bonuses[i] = slices.Contains(w.Bonuses, name)
		out.Double[i] = slices.Contains(w.Double, name)
	}
	out.Kontra = service.Or(w.Kontra, false)
	return out
}

// AnnounceQuery asks what a player should announce and double.
type AnnounceQuery = ProgramQuery[announced]

// announced is what the program says, and why.
type announced struct {
	say       players.Words
	trials    advice.Trials
	threshold float64
}

// ParseAnnounce reads the body of announce.
var ParseAnnounce = service.BodyOf("TarokAnnounceRequest", func(g *Game, in announceBody) (*AnnounceQuery, error) {
	known := in.view()
	v, err := playView(&known)
	if err != nil {
		return nil, err
	}
	var vs service.Problems
	seed := vs.Seed(in.Seed)
	v.Phase = players.ToAnnounce
	v.Talk = say(&vs, v.Talk, in.Said)
	switch turn, more := v.Talk.Turn(); {
	case len(vs) > 0:
	case v.Contract == tarok.Klop:
		vs.Addf("/contract", violation.NotUsed, "klop has no announcements")
	case !more:
		vs.Addf("/said", violation.Over, "ends the announcements: nobody is to speak")
	case turn != v.Player:
		vs.Add("/seat", notOnTurn(v.Player, turn))
	}
	settings := trialSettings(in.Evaluation, in.Method, in.Worlds, &vs)
	if v.Contract == tarok.Beggar && in.Evaluation != nil && !searches(in.Evaluation, false) {
		vs.Addf("/evaluation", violation.NotUsed, "is playouts, but %s has no playouts", v.Contract)
	}
	if err := vs.Err(); err != nil {
		return nil, err
	}
	for i := range v.Margins.Announce {
		v.Margins.Announce[i] = in.Threshold
	}
	about := appendTalk(viewKey(&v.View), &v.Talk).Float(in.Threshold)
	return newProgramQuery(g, KindAnnounce, settings, seed, about, v,
		func(a *advice.Advisor, ctx context.Context, v *players.View, rng *rand.Rand) (out announced, err error) {
			out.threshold = in.Threshold
			out.say, out.trials, err = a.Announce(ctx, v, rng)
			return out, err
		}), nil
})

func (g *Game) outAnnounce(q *AnnounceQuery, a service.Answer[announced]) api.TarokAnnounceAdvice {
	t := &a.Result.trials
	out := api.TarokAnnounceAdvice{
		Say: outWords(a.Result.say), May: outWords(q.view.Talk.May()), Worlds: t.Games, Threshold: a.Result.threshold,
		Seed: strconv.FormatUint(q.seed, 10), Version: g.service.Version(),
	}
	if t.Games > 0 {
		made, lost := outShares(t.Made), outShares(t.Lost)
		out.WinProbability, out.Declarer, out.Opponents = &t.Won, &made, &lost
	}
	return out
}

func outWords(w players.Words) (out api.TarokWords) {
	list := func(which [4]bool) *[]api.TarokBonus {
		names := []api.TarokBonus{}
		for i, is := range which {
			if is {
				names = append(names, bonusValues[i])
			}
		}
		return &names
	}
	out.Bonuses, out.Kontra, out.Double = list(w.Bonuses), &w.Kontra, list(w.Double)
	return out
}

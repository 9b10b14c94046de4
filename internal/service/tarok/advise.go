package tarok

import (
	"fmt"
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

// checkUse refuses what has no use.
func (in *adviseBody) checkUse(contract tarok.Contract, vs *service.Problems) {
	playouts := in.Evaluation != nil && !in.searches()
	switch {
	case contract.Negative():
		if playouts {
			vs.Addf("/evaluation", violation.NotUsed, "is playouts, but %s has no playouts", contract)
		}
		if in.Weigh != nil {
			vs.Addf("/weigh", violation.NotUsed, "applies only to playouts; %s has none", contract)
		}
		if in.Depth != nil && contract == tarok.Klop {
			vs.Addf("/depth", violation.NotUsed, "applies only to searches; klop has none")
		}
	case in.Weigh != nil && in.searches():
		vs.Addf("/weigh", violation.NotUsed, "applies only to playouts; /evaluation is `searches`")
	}
	if playouts {
		if in.Method != nil {
			vs.Addf("/method", violation.NotUsed, "applies only to searches; /evaluation is `playouts`")
		}
		if in.Depth != nil && contract != tarok.Klop {
			vs.Addf("/depth", violation.NotUsed, "applies only to searches; /evaluation is `playouts`")
		}
	}
}

// settings returns the settings of a body, without the choice.
func (in *adviseBody) settings() advice.Settings {
	if in.searches() {
		s := advice.Paper
		s.Samples, s.Depth = service.Or(in.Worlds, s.Samples), service.Or(in.Depth, 0)
		s.Clustered = clustered(in.Method)
		return s
	}
	s := advice.Default
	if in.Worlds != nil {
		s = withWorlds(s, *in.Worlds)
	}
	if in.Weigh != nil {
		has := func(one api.TarokEvidence) bool { return slices.Contains(in.Weigh, one) }
		s.Inference = advice.Inference{Bids: has("calls"), Exchanges: has("exchange"), Cards: has("cards")}
	}
	return s
}

// withWorlds returns settings with a number of worlds for every decision, of klop and a beggar too.
func withWorlds(s advice.Settings, worlds int) advice.Settings {
	s.Playouts, s.Samples, s.Trials, s.Pool = worlds, worlds, worlds, worlds*s.Pool/s.Playouts
	return s
}

// searches reports whether the cards are valued by the searches of the paper.
func (in *adviseBody) searches() bool {
	return searches(in.Evaluation, in.Method != nil || in.Depth != nil)
}

// playView builds the view of a body, before a card or the announcements.
func playView(in *viewBody) (v players.View, err error) {
	known, err := in.view()
	if err != nil {
		return v, err
	}
	if known.Stage == worlds.Exchange {
		return v, refused("/group", violation.Needed, "is missing: %s has an exchange", known.Contract)
	}
	w, err := worlds.New(known)
	if err != nil {
		return v, in.order().impossible(err)
	}
	p := w.Position(w.World(0))
	return players.PlayView(known, &p), nil
}

// before adds what was bid and said before the first card, and the radli, to the view of a body whose shape is checked.
func (in *adviseBody) before(v *players.View, vs *service.Problems) {
	v.Talk = say(vs, v.Talk, in.Said)
	for _, more := v.Talk.Turn(); more; _, more = v.Talk.Turn() {
		v.Talk, _ = v.Talk.Say(players.Words{}) // silence is always allowed
	}
	v.Radli = in.Radli.radli()
	if in.Calls == nil {
		return
	}
	v.Bids = readCalls(in.Calls)
	bidding, err := tarok.NewBidding(v.Rules.Order).Bids(v.Bids)
	if err != nil {
		vs.Add("/calls", err)
		return
	}
	v.Bidding = bidding
	turn, _ := bidding.Turn()
	switch contract, declarer, done := bidding.Result(); {
	case !done:
		vs.Addf("/calls", violation.Needed, "do not end the bidding: it is the turn of %s", turn)
	case contract != v.Contract:
		vs.Addf("/contract", violation.Contradicts, "is %s, and the bids end with %s", v.Contract, contract)
	case contract != tarok.Klop && declarer != v.Declarer:
		vs.Addf("/declarer", violation.Contradicts, "is %s, and %s has made the last bid", v.Declarer, declarer)
	}
}

// AdviseQuery asks which card a player should play.
type AdviseQuery = ProgramQuery[advice.Cards]

// ParseAdvise reads the body of advise.
var ParseAdvise = service.BodyOf("TarokAdviseRequest", func(g *Game, in adviseBody) (*AdviseQuery, error) {
	v, err := playView(&in.viewBody)
	if err != nil {
		return nil, err
	}
	var vs service.Problems
	seed := vs.Seed(in.Seed)
	switch turn, more := v.Turn(); {
	case !more:
		vs.Addf("/played", violation.Over, "ends the hand: there is no card left to play")
	case turn != v.Player:
		vs.Add("/seat", notOnTurn(v.Player, turn))
	}
	settings := in.settings()
	settings.Vote = service.Or(in.Choice, api.TarokChoiceMean) == api.TarokChoiceVote
	in.checkUse(v.Contract, &vs)
	in.before(&v, &vs)
	if most := mostDepth(settings.Table, v.Held.Len()); settings.Depth > most {
		vs.Addf("/depth", violation.TooMuch, "is %d, expected at most %d with %d tricks left", settings.Depth, most, v.Held.Len())
	}
	if err := vs.Err(); err != nil {
		return nil, err
	}
	about := appendTalk(service.AppendList(viewKey(&v.View), v.Bids), &v.Talk)
	for _, n := range v.Radli {
		about = about.Int(n)
	}
	return newProgramQuery(g, KindAdvise, settings, seed, about, v, (*advice.Advisor).Card), nil
})

func (g *Game) outAdvice(q *AdviseQuery, a service.Answer[advice.Cards]) api.TarokAdvice {
	cards := &a.Result
	out := api.TarokAdvice{
		Card: cards.List[0].Card.String(), Cards: []api.TarokAdvisedCard{}, Measure: api.TarokMeasure(cards.Measure.String()),
		Worlds: api.TarokAdviceWorlds{Used: cards.Samples, Of: int64(cards.Worlds)}, Why: why(&q.view, cards),
		Seed: strconv.FormatUint(q.seed, 10), Version: g.service.Version(),
	}
	if cards.Depth > 0 {
		out.Depth = &cards.Depth
	}
	if cards.Groups > 0 {
		out.Clusters = &cards.Groups
	}
	if cards.Pool > 0 {
		out.Drawn = &cards.Pool
	}
	if cards.Effective > 0 {
		out.EffectiveWorlds = new(rounded(cards.Effective))
	}
	for i := range cards.List {
		c := &cards.List[i]
		one := api.TarokAdvisedCard{Card: c.Card.String(), Best: i == 0, Standing: api.StandingBest}
		if cards.Samples > 0 {
			value := rounded(c.Value)
			one.Value, one.Votes = &value, &c.Votes
			if i > 0 {
				one.StandardError = new(rounded(c.Error))
				one.Standing = reviewRule.Standing(cards.List[0].Value-c.Value, cards.Deviation(i))
			}
		}
		out.Cards = append(out.Cards, one)
	}
	return out
}

// why says in words why the first card is advised.
func why(v *players.View, cards *advice.Cards) string {
	first := cards.List[0]
	if cards.Samples == 0 {
		return fmt.Sprintf("%s is the only legal card.", first.Card)
	}
	unit := map[advice.Measure]string{
		advice.Tricks: fmt.Sprintf("discounted points of the next %d tricks", cards.Depth/depthOfCard), advice.Scores: "points of score",
		advice.Klop: "points of score more than the others", advice.Leads: "points of score more than the others",
	}[cards.Measure]
	of := fmt.Sprintf("%d of %d possible deals", cards.Samples, cards.Worlds)
	switch {
	case cards.Effective > 0:
		of += fmt.Sprintf(", drawn by their likelihood from %d (equivalent to %.0f equally likely deals)", cards.Pool, cards.Effective)
	case uint64(cards.Samples) == cards.Worlds:
		of = "all possible deals"
	}
	side := "the opponents' side"
	switch {
	case cards.Measure == advice.Klop || cards.Measure == advice.Leads:
		side = "the player"
	case v.Player == v.Declarer:
		side = "the declarer's side"
	}
	second := cards.List[1]
	if v.Contract == tarok.Beggar && cards.Measure == advice.Tricks {
		sign := ""
		if v.Player == v.Declarer {
			sign = "-"
		}
		// See search.Estimate: the first trick that the declarer takes ends the hand.
		return fmt.Sprintf("%s is worth %.2f to %s on average over %s, where a deal counts %s30 if the declarer takes the first of the next "+
			"tricks, %s27 if the second, "+
			"and so on, and 0 if none of %d; %s is next, %.2f (standard error %.2f) less.",
			first.Card, first.Value, side, of, sign, sign, cards.Depth/depthOfCard, second.Card, first.Value-second.Value, second.Error)
	}
	return fmt.Sprintf("%s is worth %.2f %s to %s on average over %s; %s is next, %.2f (standard error %.2f) less.",
		first.Card, first.Value, unit, side, of, second.Card, first.Value-second.Value, second.Error)
}

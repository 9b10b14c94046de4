package ginrummy

import (
	"slices"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// What reads the bodies of requests. Each returns values of the domain.
var (
	ParseMelds         = service.BodyOf("GinMeldsRequest", (*Game).readMelds)
	ParseScore         = service.BodyOf("GinScoreRequest", (*Game).readScore)
	ParseEstimate      = service.BodyOf("GinEstimateRequest", (*Game).readEstimate)
	ParseEstimateBatch = service.ListOf("GinEstimateBatchRequest", "views", (*Game).readNothing, "GinEstimateRequest", (*Game).readListed,
		func(_ *Game, _ struct{}, items service.Items[EstimateQuery]) EstimateBatchQuery { return items })
	ParseAdvise  = service.BodyOf("GinAdviseRequest", (*Game).readAdvise)
	ParseReview  = service.BodyOf("GinReviewRequest", (*Game).readReview)
	ParseMatch   = service.BodyOf("GinMatchRequest", (*Game).readMatch)
	ParseSession = service.BodyOf("GinSessionRequest", (*Game).readSession)
)

// view builds what the player sees. Its error is a *service.Error of kind Impossible.
func (in *viewBody) view(totals [2]int) (ginrummy.View, error) {
	var vs service.Problems
	s := ginrummy.Situation{
		Seat: parseSeat("/seat", in.Seat, &vs), Starter: parseSeat("/starter", in.Starter, &vs), Upcard: parseCard("/upcard", in.Upcard, &vs),
		Own: parseSet("/hand", in.Hand, &vs), Scores: totals,
	}
	if in.Events != nil {
		s.Events = make([]ginrummy.Event, len(in.Events))
		for i, e := range in.Events {
			s.Events[i] = e.event("/events/"+strconv.Itoa(i), s.Seat, &vs)
			if len(vs) > ginrummy.DeckSize { // enough of them
				break
			}
		}
	}
	if err := vs.Err(); err != nil {
		return ginrummy.View{}, err
	}
	view, err := s.View()
	return view, service.FromEngine(err)
}

// parseSeat reads a seat.
func parseSeat(where, text string, vs *service.Problems) ginrummy.Seat {
	s, err := ginrummy.ParseSeat(text)
	vs.Add(where, err)
	return s
}

// event returns the event, as a seat has seen it.
func (e *eventBody) event(where string, own ginrummy.Seat, vs *service.Problems) ginrummy.Event {
	event := ginrummy.Event{
		Seat: parseSeat(where+"/seat", e.Seat, vs), Kind: ginrummy.Kind(slices.Index(eventKindValues, e.Kind)), Card: ginrummy.NoCard,
	}
	where += "/card"
	hidden := event.Kind == ginrummy.Stock && event.Seat != own
	switch {
	case e.Card == nil && (event.Kind == ginrummy.Pass || hidden):
	case e.Card == nil:
		vs.Addf(where, violation.Needed, "is missing")
	case event.Kind == ginrummy.Pass:
		vs.Addf(where, violation.NotUsed, "a pass has no card")
	case hidden:
		vs.Addf(where, violation.NotUsed, "nobody sees what the opponent draws from the stock")
	default:
		event.Card = parseCard(where, *e.Card, vs)
	}
	return event
}

// readMelds returns the hand.
func (g *Game) readMelds(in meldsBody) (ginrummy.Set, error) {
	var vs service.Problems
	hand := parseSet("/hand", in.Hand, &vs)
	return hand, vs.Err()
}

var laidNames = [2]string{"/knocker", "/opponent"}

// readScore returns a knock.
func (g *Game) readScore(in scoreBody) (q ScoreQuery, err error) {
	var vs service.Problems
	for i, laid := range [2]*laidBody{&in.Knocker, &in.Opponent} {
		q.hands[i], q.melds[i] = laid.read(laidNames[i], &vs)
	}
	for i, text := range in.Opponent.Hand {
		if c, err := ginrummy.ParseCard(text); err == nil && q.hands[0].Has(c) {
			vs.Addf("/opponent/hand/"+strconv.Itoa(i), violation.CardTwice, "%s is also in the knocker's hand", c)
		}
	}
	if d := q.melds[0].Deadwood(q.hands[0]); len(vs) == 0 && d > ginrummy.MaxDeadwood {
		vs.Addf("/knocker", violation.NotLegal, "has %d points of deadwood, and a player may knock with at most %d", d, ginrummy.MaxDeadwood)
	}
	q.rule = layOffsOf(in.LayOffs)
	switch {
	case len(vs) > 0:
	case in.LaidOff != nil:
		q.readOff(&in, &vs)
	case in.Opponent.Melds == nil && q.rule == ginrummy.BestLayOffs && q.melds[0].Deadwood(q.hands[0]) > 0:
		q.melds[1] = q.hands[1].BestAgainst(q.melds[0], q.rule)
	}
	return q, vs.Err()
}

// layOffsOf returns the rule of lay-offs that a request has.
func layOffsOf(name *api.GinLayOffsRule) ginrummy.LayOffs {
	return ginrummy.LayOffs(max(0, slices.Index(layOffsRuleValues, service.Or(name, api.GinLayOffsRuleBest))))
}

// readOff reads where the opponent lays off cards. The melds of the opponent, if they are not given, are the best of the other cards.
func (q *ScoreQuery) readOff(in *scoreBody, vs *service.Problems) {
	off := parseOff("/laid_off", in.LaidOff, vs)
	if len(*vs) > 0 {
		return
	}
	// The lists are in the order of the melds of the request, and the engine has the melds in the order of their cards.
	for i, cards := range off.On {
		at := i
		if i < len(in.Knocker.Melds) {
			at = slices.Index(q.melds[0][:], parseSet("", in.Knocker.Melds[i], vs))
		}
		q.off.On[at] = cards
	}
	if q.off.Given = true; in.Opponent.Melds == nil {
		q.melds[1] = ginrummy.Arrangement{}
		if best := (q.hands[1] &^ off.Cards()).Best(); len(best) > 0 {
			q.melds[1] = best[0]
		}
	}
	vs.Add("/laid_off", q.off.Check(q.hands, q.melds, 0, q.rule))
}

// parseOff reads the cards laid off on each meld of the knocker.
func parseOff(where string, lists [][]string, vs *service.Problems) (off ginrummy.Laid) {
	off.Given = true
	for i, texts := range lists {
		off.On[i] = parseSet(where+"/"+strconv.Itoa(i), texts, vs)
	}
	return off
}

// read returns the hand and its melds.
func (in *laidBody) read(where string, vs *service.Problems) (hand ginrummy.Set, melds ginrummy.Arrangement) {
	before := len(*vs)
	hand = parseSet(where+"/hand", in.Hand, vs)
	if in.Melds == nil {
		if best := hand.Best(); len(best) > 0 && len(*vs) == before {
			melds = best[0]
		}
		return hand, melds
	}
	return hand, parseMelds(where+"/melds", in.Melds, hand, vs)
}

// readEstimate returns what is seen, and how to estimate.
func (g *Game) readEstimate(in estimateBody) (EstimateQuery, error) {
	q := EstimateQuery{method: g.methods[0], threshold: in.Threshold}
	if in.Method != nil {
		i := slices.IndexFunc(g.methods, func(m Method) bool { return m.Name == *in.Method })
		if i < 0 {
			return q, service.Refused(g.unknownMethod(string(*in.Method)).At("/method"))
		}
		if q.method = g.methods[i]; q.method.Missing != "" {
			return q, service.NewNoModel("/method", "%s", q.method.Missing)
		}
	}
	q.symmetric = in.Symmetric && q.method.Symmetric != nil
	var err error
	q.view, err = in.view([2]int{})
	return q, err
}

// readNothing reads what the items of a list have in common.
func (g *Game) readNothing(estimateBatchBody) (struct{}, error) { return struct{}{}, nil }

// readListed is readEstimate in a list.
func (g *Game) readListed(in estimateBody, _ struct{}) (EstimateQuery, error) {
	q, err := g.readEstimate(in)
	if err == nil && q.symmetric {
		return q, service.Refused(violation.New(violation.NotUsed, "is true: a list has no means over the orders of the suits. "+
			"Send the view alone").At("/symmetric"))
	}
	return q, err
}

// unknownMethod is the violation of a method that is none of those that the server has.
func (g *Game) unknownMethod(text string) service.Violation {
	names := make([]string, len(g.methods))
	for i, m := range g.methods {
		names[i] = string(m.Name)
	}
	return violation.Word(text, names...)
}

// readAdvise returns what is seen, and who advises.
func (g *Game) readAdvise(in adviseBody) (q AdviseQuery, err error) {
	var totals [2]int
	if in.Totals != nil {
		totals = [2]int{*in.Totals.A, *in.Totals.B}
	}
	var vs service.Problems
	q.player, err = match.ParseKind(service.Or(in.Player, g.advisor), g.kinds)
	vs.Add("/player", err)
	if err := vs.Err(); err != nil {
		return q, err
	}
	if q.view, err = in.view(totals); err != nil {
		return q, err
	}
	q.view.LayOffs = layOffsOf(in.LayOffs)
	switch {
	case q.view.Phase == ginrummy.Ended:
		vs.Addf("/events", violation.Over, "end the hand: %s", ginrummy.EndReason(q.view.Stock))
	case q.view.Turn != q.view.Seat:
		vs.Addf("/events", violation.NotOnTurn, "has %d events: it is the turn of %s", len(q.view.Events), q.view.Turn)
	}
	return q, vs.Err()
}

// readReview returns the hand, and what to review of it.
func (g *Game) readReview(in reviewBody) (*ReviewQuery, error) {
	var vs service.Problems
	q := &ReviewQuery{game: g, record: in.record(&vs), worlds: []int{g.judge().Worlds, closeWorlds}, seed: vs.Seed(in.Seed)}
	q.whose = service.ReadWhose(&vs, in.Seat, ginrummy.ParseSeat, ginrummy.Seat.String)
	if err := vs.Err(); err != nil {
		return nil, err
	}
	if in.Worlds != nil {
		q.worlds = []int{*in.Worlds}
	}
	if err := q.decide(); err != nil {
		return nil, err
	}
	return q, nil
}

// record reads the hand.
func (in *reviewBody) record(vs *service.Problems) ginrummy.Record {
	r := ginrummy.Record{
		Starter: parseSeat("/starter", in.Starter, vs), Upcard: parseCard("/upcard", in.Upcard, vs),
		Hands:   [2]ginrummy.Set{parseSet("/hands/A", in.Hands.A, vs), parseSet("/hands/B", in.Hands.B, vs)},
		LayOffs: layOffsOf(in.LayOffs), Events: make([]ginrummy.Event, len(in.Events)),
	}
	for i, e := range in.Events {
		r.Events[i] = e.event("/events/"+strconv.Itoa(i), vs)
		if len(*vs) > ginrummy.DeckSize { // enough of them
			break
		}
	}
	if in.LaidOff != nil {
		r.LaidOff = make([]ginrummy.LayOff, len(in.LaidOff))
	}
	for i, l := range in.LaidOff {
		where := "/laid_off/" + strconv.Itoa(i)
		r.LaidOff[i] = ginrummy.LayOff{Card: parseCard(where+"/card", l.Card, vs), On: parseSet(where+"/on", l.On, vs)}
	}
	return r
}

// event returns the event.
func (e *positionEventBody) event(where string, vs *service.Problems) ginrummy.Event {
	kind, err := ginrummy.ParseKind(e.Kind)
	vs.Add(where+"/kind", err)
	event := ginrummy.Event{Seat: parseSeat(where+"/seat", e.Seat, vs), Kind: kind, Card: ginrummy.NoCard}
	where += "/card"
	switch hasCard := kind != ginrummy.Pass && kind != ginrummy.Knock; {
	case !hasCard && e.Card != nil:
		vs.Addf(where, violation.NotUsed, "a %s has no card", kind)
	case !hasCard:
	case e.Card == nil:
		vs.Addf(where, violation.Needed, "is missing")
	default:
		event.Card = parseCard(where, *e.Card, vs)
	}
	return event
}

// readMatch returns the match.
func (g *Game) readMatch(in matchBody) (*MatchQuery, error) {
	var vs service.Problems
	kinds := service.ReadKinds(&vs, in.A, in.B, g.kinds)
	c := players.Contest{A: kinds[0], B: kinds[1], Pairs: in.Deals, LayOffs: layOffsOf(in.LayOffs), Seed: vs.Seed(in.Seed)}
	return &MatchQuery{service: g.service, contest: c}, vs.Err()
}

package ginrummy

import (
	"context"
	"slices"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/violation"
	"roem/internal/service"
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

// MeldsQuery is a request for the melds of a hand.
type MeldsQuery struct{ hand ginrummy.Set }

// ParseMelds reads the body of melds.
func (g *Game) ParseMelds(ctx context.Context, body []byte) (MeldsQuery, error) {
	return service.Decode(ctx, g.schemas, body, "GinMeldsRequest", func(in meldsBody) (MeldsQuery, error) {
		var vs service.Problems
		q := MeldsQuery{hand: parseSet("/hand", in.Hand, &vs)}
		return q, vs.Err()
	})
}

// ScoreQuery is a request for the score of a knock.
type ScoreQuery struct {
	hands [2]ginrummy.Set // of the knocker and of the opponent
	melds [2]ginrummy.Arrangement
	rule  ginrummy.LayOffs
	off   ginrummy.Laid
}

var laidNames = [2]string{"/knocker", "/opponent"}

// ParseScore reads the body of score.
func (g *Game) ParseScore(ctx context.Context, body []byte) (ScoreQuery, error) {
	return service.Decode(ctx, g.schemas, body, "GinScoreRequest", func(in scoreBody) (q ScoreQuery, err error) {
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
	})
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

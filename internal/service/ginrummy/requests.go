package ginrummy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/service"
)

// The limits of the contract.
const (
	maxEvents       = 1000
	maxSituations   = 1000
	situationsField = "situations"
)

// situationBody is what a player has seen of a round. Other bodies embed it.
type situationBody struct {
	Starter *string      `json:"starter"`
	Upcard  *string      `json:"upcard"`
	Own     *[]string    `json:"own"`
	Events  *[]eventBody `json:"events"`
}

type eventBody struct {
	Player *string `json:"p"`
	Action *string `json:"a"`
	Card   *string `json:"c"`
}

// The values of the fields of an event.
var (
	whoNames    = []string{string(api.GinWhoMe), string(api.GinWhoOpp)}
	actionNames = []string{ginrummy.Pass.String(), ginrummy.Take.String(), ginrummy.Stock.String(), ginrummy.Discard.String()}
)

// view builds what the player sees. Its error is a *service.Error of kind Malformed or Impossible.
func (in *situationBody) view(scores [2]int) (ginrummy.View, error) {
	if err := in.checkShape(); err != nil {
		return ginrummy.View{}, err
	}
	var vs violations
	s := ginrummy.Situation{
		Starter: seatOf(*in.Starter), Upcard: parseCard("/upcard", *in.Upcard, &vs), Own: parseSet("/own", *in.Own, &vs), Scores: scores,
	}
	if in.Events != nil {
		s.Events = make([]ginrummy.Event, len(*in.Events))
		for i, e := range *in.Events {
			var err error
			if s.Events[i], err = e.event(); err != nil {
				vs.add("/events/"+strconv.Itoa(i)+"/c", err)
			}
			if len(vs) > ginrummy.DeckSize { // enough of them
				break
			}
		}
	}
	if err := vs.impossible(); err != nil {
		return ginrummy.View{}, err
	}
	view, err := s.View()
	return view, service.AsImpossible(err)
}

// checkShape refuses what the contract refuses and the types accept.
func (in *situationBody) checkShape() error {
	switch {
	case in.Starter == nil || !slices.Contains(whoNames, *in.Starter):
		return malformed("/starter", "is missing or unknown")
	case in.Upcard == nil || utf8.RuneCountInString(*in.Upcard) > maxText:
		return malformed("/upcard", "is missing or too long")
	case in.Own == nil || len(*in.Own) < ginrummy.HandSize || len(*in.Own) > ginrummy.HandSize+1:
		return malformed("/own", "has a wrong length")
	case in.Events == nil:
		return checkTexts("/own", *in.Own...)
	case len(*in.Events) > maxEvents:
		return malformed("/events", "is too long")
	}
	for i, e := range *in.Events {
		switch where := "/events/" + strconv.Itoa(i); {
		case e.Player == nil || !slices.Contains(whoNames, *e.Player):
			return malformed(where+"/p", "is missing or unknown")
		case e.Action == nil || !slices.Contains(actionNames, *e.Action):
			return malformed(where+"/a", "is missing or unknown")
		case e.Card != nil && utf8.RuneCountInString(*e.Card) > maxText:
			return malformed(where+"/c", "is too long")
		}
	}
	return checkTexts("/own", *in.Own...)
}

func seatOf(who string) ginrummy.Seat { return ginrummy.Seat(slices.Index(whoNames, who)) }

// event returns the event. An error is about its card.
func (e *eventBody) event() (event ginrummy.Event, err error) {
	event = ginrummy.Event{Seat: seatOf(*e.Player), Kind: ginrummy.Kind(slices.Index(actionNames, *e.Action)), Card: ginrummy.NoCard}
	hidden := event.Kind == ginrummy.Stock && event.Seat == ginrummy.Opponent
	switch {
	case e.Card == nil && (event.Kind == ginrummy.Pass || hidden):
		return event, nil
	case e.Card == nil:
		return event, errors.New("is missing")
	case event.Kind == ginrummy.Pass:
		return event, errors.New("a pass has no card")
	case hidden:
		return event, errors.New("nobody sees what the opponent draws from the stock")
	}
	event.Card, err = ginrummy.ParseCard(*e.Card)
	return event, err
}

// MeldsQuery is a request for the melds of a hand.
type MeldsQuery struct{ hand ginrummy.Set }

type meldsBody struct {
	Hand *[]string `json:"hand"`
}

// ParseMelds reads the body of melds.
func (g *Game) ParseMelds(ctx context.Context, body []byte) (MeldsQuery, error) {
	return service.Decode(ctx, g.schemas, body, "GinMeldsRequest", func(in meldsBody) (MeldsQuery, error) {
		if in.Hand == nil || len(*in.Hand) < ginrummy.HandSize || len(*in.Hand) > ginrummy.HandSize+1 {
			return MeldsQuery{}, malformed("/hand", "has a wrong length")
		}
		if err := checkTexts("/hand", *in.Hand...); err != nil {
			return MeldsQuery{}, err
		}
		var vs violations
		q := MeldsQuery{hand: parseSet("/hand", *in.Hand, &vs)}
		return q, vs.impossible()
	})
}

// ScoreQuery is a request for the score of a knock.
type ScoreQuery struct {
	hands [2]ginrummy.Set // of the knocker and of the opponent
	melds [2]ginrummy.Arrangement
}

type scoreBody struct {
	Knocker  *laidBody `json:"knocker"`
	Opponent *laidBody `json:"opponent"`
}

type laidBody struct {
	Hand  *[]string   `json:"hand"`
	Melds *[][]string `json:"melds"`
}

var laidNames = [2]string{"/knocker", "/opponent"}

// ParseScore reads the body of score.
func (g *Game) ParseScore(ctx context.Context, body []byte) (ScoreQuery, error) {
	return service.Decode(ctx, g.schemas, body, "GinScoreRequest", func(in scoreBody) (q ScoreQuery, err error) {
		both := [2]*laidBody{in.Knocker, in.Opponent}
		for i, laid := range both {
			if err := laid.checkShape(laidNames[i]); err != nil {
				return q, err
			}
		}
		var vs violations
		for i, laid := range both {
			q.hands[i], q.melds[i] = laid.read(laidNames[i], &vs)
		}
		for i, text := range *in.Opponent.Hand {
			if c, err := ginrummy.ParseCard(text); err == nil && q.hands[0].Has(c) {
				vs.add("/opponent/hand/"+strconv.Itoa(i), fmt.Errorf("%s is also in the knocker's hand", c))
			}
		}
		if d := q.melds[0].Deadwood(q.hands[0]); len(vs) == 0 && d > ginrummy.MaxDeadwood {
			vs.add("/knocker", fmt.Errorf("has %d points of deadwood, and a player may knock with at most %d", d, ginrummy.MaxDeadwood))
		}
		return q, vs.impossible()
	})
}

func (in *laidBody) checkShape(where string) error {
	if in == nil || in.Hand == nil || len(*in.Hand) != ginrummy.HandSize {
		return malformed(where, "is missing or has a wrong length")
	}
	if in.Melds != nil {
		if err := checkMelds(where+"/melds", *in.Melds); err != nil {
			return err
		}
	}
	return checkTexts(where+"/hand", *in.Hand...)
}

// read returns the hand and its melds.
func (in *laidBody) read(where string, vs *violations) (hand ginrummy.Set, melds ginrummy.Arrangement) {
	before := len(*vs)
	hand = parseSet(where+"/hand", *in.Hand, vs)
	if in.Melds == nil {
		if best := hand.Best(); len(best) > 0 && len(*vs) == before {
			melds = best[0]
		}
		return hand, melds
	}
	return hand, parseMelds(where+"/melds", *in.Melds, hand, vs)
}

package belote

import (
	"strconv"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// ParseBid reads the body of bid.
var ParseBid = service.BodyOf("BeloteBidRequest", (*Game).readBid)

func (g *Game) readBid(in bidBody) (*BidQuery, error) {
	var vs service.Problems
	seed := vs.Seed(in.Seed)
	if err := vs.Err(); err != nil {
		return nil, err
	}
	var here bidding.Dealing
	here.Deck = readDeck(in.Suits, &vs)
	for p, list := range [2][]string{in.Open.A, in.Open.B} {
		for i, text := range list {
			c, err := piquet.ParseCard(text)
			vs.Add("/open/"+belote.Player(p).String()+"/"+strconv.Itoa(i), err)
			here.Open[p] = append(here.Open[p], c)
		}
	}
	if err := vs.Err(); err != nil {
		return nil, err
	}
	here.Threshold = service.Or(in.Threshold, belote.TrumpOf(here.Deck.First().Suit()).DefaultThreshold(here.Deck))
	if bad := here.Check(); len(bad) > 0 {
		return nil, service.FromEngine(bad)
	}
	return g.newBidQuery(here, in.Worlds, seed), nil
}

// readDeck reads the suits of a body. Without them the deck has all four.
func readDeck(suits []string, vs *service.Problems) piquet.Set {
	if suits == nil {
		return piquet.Deck
	}
	deck := piquet.Set(0)
	for i, text := range suits {
		s, err := piquet.ParseSuit(text)
		if err == nil && !deck.InSuit(s).Empty() {
			err = violation.New(violation.ListedTwice, "%s is given twice", s).Of(s)
		}
		if err != nil {
			vs.Add("/suits/"+strconv.Itoa(i), err)
			continue
		}
		deck |= belote.Deck(s)
	}
	return deck
}

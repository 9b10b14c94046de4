package klaverjas

import (
	"fmt"

	"github.com/cespare/xxhash/v2"

	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/service/klaverjas/bidadvice"
)

// BidQuery asks what to call in the bidding.
type BidQuery struct{ question bidadvice.Question }

// ParseBid reads the body of bid.
func ParseBid() service.Parser[*Game, BidQuery] {
	return service.BodyOf("KlaverjasBidRequest", func(g *Game, in bidBody) (BidQuery, error) { return in.query(g) })
}

// query returns the query of the body. Its errors are of kind Malformed, Impossible or NoModel.
func (b bidBody) query(g *Game) (q BidQuery, err error) {
	var vs service.Problems
	q.question.Rules = newRules(b.Rules, &vs)
	setting, calls := b.read(&vs)
	q.question.Hand = b.Hand.hand(&vs)
	var seat piquet.Seat
	if b.Seat != nil {
		seat, err = piquet.ParseSeat(*b.Seat)
		vs.Add("/seat", err)
	}
	q.question.Seed = vs.OptionalSeed(b.Seed, 0)
	if err := vs.Err(); err != nil {
		return q, err
	}
	a, err := bidding.Start(setting)
	if err == nil {
		a, err = a.Replay(calls)
	}
	if err != nil {
		return q, service.FromEngine(err)
	}
	if err := wrongTurn(a, b.Seat != nil, seat); err != nil {
		return q, err
	}
	if q.question.Auction = a; !g.models().bids.Covers(q.question.Rules) {
		return q, service.NewNoModel("/rules", "have no model: there is one for the default rules of rotterdam and amsterdam")
	}
	if b.Seed == nil {
		q.question.Seed = xxhash.Sum64(appendBid(nil, &q.question))
	}
	return q, nil
}

// read reads the fields of a bidding. It adds violations to vs.
func (b *auctionBody) read(vs *service.Problems) (setting bidding.Setting, calls []bidding.Call) {
	var err error
	setting.Again = service.Or(b.Again, false)
	setting.Flow, err = bidding.ParseFlow(string(b.Flow))
	vs.Add("/flow", err)
	setting.Dealer, err = piquet.ParseSeat(b.Dealer)
	vs.Add("/dealer", err)
	setting.Turned = turnedSuits(b.Turned, vs)
	return setting, readCalls(b.Calls, vs)
}

// turnedSuits reads the suits turned. It adds violations to vs.
func turnedSuits(texts []string, vs *service.Problems) (suits []piquet.Suit) {
	for i, text := range texts {
		suit, err := piquet.ParseSuit(text)
		vs.Add(fmt.Sprintf("/turned/%d", i), err)
		suits = append(suits, suit)
	}
	return suits
}

// readCalls reads the calls made. It adds violations to vs.
func readCalls(texts []string, vs *service.Problems) (calls []bidding.Call) {
	for i, text := range texts {
		call, err := bidding.ParseCall(text)
		vs.Add(fmt.Sprintf("/calls/%d", i), err)
		calls = append(calls, call)
	}
	return calls
}

// wrongTurn returns an error if no call is to be made, or not by the seat that is given.
func wrongTurn(a bidding.Auction, given bool, seat piquet.Seat) error {
	switch {
	case a.Done():
		by, trump := a.Result()
		return service.Refused(violation.New(violation.Over, "end the bidding: %s declares with %s as trump, and no call is left", by, trump).
			At("/calls"))
	case a.NeedsSuit():
		return service.Refused(violation.New(violation.Needed,
			"has %d suits, and all players have passed on each: expected the suit that is turned next", len(a.Setting().Turned)).At("/turned"))
	case given && seat != a.Turn():
		return service.Refused(violation.New(violation.NotOnTurn, "it is the turn of %[2]s to call, not of %[1]s", seat, a.Turn()).At("/seat").
			Of(seat).OneOf(a.Turn().String()))
	}
	return nil
}

// appendBid writes everything that the answer depends on beside the seed. If the request has no seed, it is a hash of these bytes.
func appendBid(key service.Key, q *bidadvice.Question) service.Key {
	return appendAuction(appendRules(key, q.Rules), q.Auction).Uint32(uint32(q.Hand))
}

// appendAuction writes an auction. Only its last call may declare; if there is none of them yet, all are passes.
func appendAuction(key service.Key, a bidding.Auction) service.Key {
	s := a.Setting()
	key = service.AppendList(key.Byte(byte(s.Flow)).Byte(byte(s.Dealer)).Bool(s.Again), s.Turned)
	return key.Byte(byte(len(a.Calls())))
}

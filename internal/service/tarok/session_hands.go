package tarok

import (
	"roem/internal/engine/record"
	"roem/internal/engine/tarok"
	trecord "roem/internal/engine/tarok/record"
	"roem/internal/engine/tarok/session"
	"roem/internal/service"
)

// outRecord returns the record of the present hand, which is over.
func outRecord(s session.Session, number int) record.Hand {
	sight := session.See(s)
	r := sight.Revealed
	h := &trecord.Hand{
		Tags: service.SessionTags(number, sight.Seat.String()), Setup: r.Setup, Taken: r.Setup.Contract.Exchange() > 0, Said: r.Said,
		Played: r.Played, Bids: make([]tarok.Bid, len(sight.Bids)),
	}
	for i, b := range sight.Bids {
		h.Bids[i] = b.Bid
	}
	return h
}

package tarok

import (
	"roem/internal/engine/record"
	"roem/internal/engine/tarok"
	trecord "roem/internal/engine/tarok/record"
	"roem/internal/engine/tarok/session"
	"roem/internal/service"
)

// Ends returns the session as it was at the end of each hand that is over.
func (sealed) Ends(s session.Session) ([]session.Session, error) { return s.Ends() }

// Record returns the record of the present hand, which is over.
func (sealed) Record(s session.Session, number int) record.Hand {
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

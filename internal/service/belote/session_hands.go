package belote

import (
	brecord "roem/internal/engine/belote/record"
	"roem/internal/engine/belote/session"
	"roem/internal/engine/record"
	"roem/internal/service"
)

// Ends returns the session as it was at the end of each hand that is over.
func (sealed) Ends(s session.Session) ([]session.Session, error) { return s.Ends() }

// Record returns the record of the present hand, which is over.
func (sealed) Record(s session.Session, number int) record.Hand {
	sight := s.Sight()
	return &brecord.Hand{
		Tags: service.SessionTags(number, sight.Seat.String()), Deal: *sight.Revealed, Flip: s.Setup().Flip, Auction: sight.Calls,
		Played: sight.View.Played(),
	}
}

package ginrummy

import (
	grecord "roem/internal/engine/ginrummy/record"
	"roem/internal/engine/ginrummy/session"
	"roem/internal/engine/record"
	"roem/internal/service"
)

// outRecord returns the record of the present hand, which is over.
func outRecord(s session.Session, number int) record.Hand {
	return &grecord.Hand{Tags: service.SessionTags(number, s.Match().Setup.Seat.String()), Round: session.See(s).Revealed.Record}
}

package ginrummy

import (
	"roem/internal/engine/ginrummy"
	grecord "roem/internal/engine/ginrummy/record"
	"roem/internal/engine/ginrummy/session"
	"roem/internal/engine/record"
	"roem/internal/service"
)

// Ends returns the session as it was at the end of each round that is over.
func (sealed) Ends(s session.Session) ([]session.Session, error) { return s.Ends() }

// Record returns the record of the present round, which is over.
func (sealed) Record(s session.Session, number int) record.Hand {
	return &grecord.Hand{Tags: service.SessionTags(number, string(outWho(ginrummy.Me))), Round: session.See(s).Revealed.Record}
}

package klaverjas

import (
	krecord "roem/internal/engine/klaverjas/record"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/record"
	"roem/internal/service"
)

// Ends returns the session as it was at the end of each hand that is over.
func (sealed) Ends(s session.Session) ([]session.Session, error) { return s.Ends() }

// Record returns the record of the present hand, which is over.
func (sealed) Record(s session.Session, number int) record.Hand {
	u, sight := s.Setup(), s.Sight()
	d := sight.Revealed.Deal
	h := &krecord.Hand{
		Tags: service.SessionTags(number, u.Seat.String()), Rules: u.Rules, Leader: d.Leader, Hands: d.Hands, Decided: true, Trump: d.Trump,
		Declarer: d.Declarer, Played: sight.Revealed.Played,
	}
	if a := sight.Auction; a != nil {
		setting := a.Setting()
		h.Auction = &krecord.Auction{Flow: setting.Flow, Turned: setting.Turned, Again: setting.Again, Calls: a.Calls()}
	}
	return h
}

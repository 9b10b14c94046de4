package klaverjas

import (
	krecord "roem/internal/engine/klaverjas/record"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/record"
	"roem/internal/service"
)

// outRecord returns the record of the present hand, which is over.
func outRecord(s session.Session, number int) record.Hand {
	t := session.See(s).Revealed
	d := t.Deal()
	h := &krecord.Hand{
		Tags: service.SessionTags(number, s.Seat().String()), Rules: t.Position().Rules(), Leader: d.Leader, Hands: d.Hands, Decided: true,
		Trump: d.Trump, Declarer: d.Declarer, Played: t.Played(),
	}
	if a := t.Auction(); a != nil {
		setting := a.Setting()
		h.Auction = &krecord.Auction{Flow: setting.Flow, Turned: setting.Turned, Again: setting.Again, Calls: a.Calls()}
	}
	return h
}

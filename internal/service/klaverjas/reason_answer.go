package klaverjas

import (
	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/reason"
)

func outLines(l reason.Lines) *api.KlaverjasLines {
	return &api.KlaverjasLines{Played: outCards(l.Played), Best: outCards(l.Best)}
}

// outReason returns the reason that follows from the lines, or nil.
func outReason(before klaverjas.Position, l reason.Lines) *api.KlaverjasReason {
	r, ok := reason.Find(before, l)
	if !ok {
		return nil
	}
	return outFound(r, r.Text(before, l))
}

func outFound(r reason.Reason, text string) *api.KlaverjasReason {
	out := &api.KlaverjasReason{
		Code: api.KlaverjasReasonCode(r.Code.String()), Trick: r.Trick, Seat: *outSeat(r.Seat), By: r.By.String(), Points: r.Points,
		Decides: r.Decides, Text: text,
	}
	if r.Code == reason.Points || r.Code == reason.BringHome {
		out.Less = &r.Less
	}
	if r.HasLost {
		lost := r.Lost.String()
		out.Lost, out.Kept = &lost, &r.Kept
	}
	if r.Keeps > 0 {
		out.Keeps = &r.Keeps
	}
	return out
}

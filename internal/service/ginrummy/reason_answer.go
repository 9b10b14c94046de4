package ginrummy

import (
	"roem/internal/api"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/reason"
)

// outReason returns why an action was a mistake; nil for nil.
func outReason(r *reason.Reason, j *advice.Judged) *api.GinReason {
	if r == nil {
		return nil
	}
	out := &api.GinReason{
		Code: api.GinReasonCode(r.Code.String()), Card: outCardOrNil(r.Card), Worlds: r.Worlds, Applies: r.Applies, Share: rounded(r.Share),
		Text: r.Text(j.Played.Action, j.Advised),
	}
	if r.Cards != 0 {
		out.Cards = new(outSet(r.Cards))
	}
	switch r.Code {
	case reason.BrokeMeld, reason.High, reason.LeftLow:
		out.Deadwood, out.BetterDeadwood = &r.Deadwood, &r.Better
	case reason.NoGin, reason.NoKnock:
		out.BetterDeadwood = &r.Better
	case reason.Undercut:
		out.Deadwood = &r.Deadwood
	case reason.Chance:
		out.Outs, out.BetterOuts = &r.Outs, &r.BetterOuts
	case reason.LeftChance:
		out.Outs = &r.Outs
	default:
	}
	return out
}

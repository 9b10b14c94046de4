package belote

import (
	"cmp"
	"slices"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/service"
)

// outBid returns the answer of bid.
func (g *Game) outBid(q *BidQuery, a service.Answer[bidValues]) api.BeloteBidAdvice {
	v := a.Result
	out := api.BeloteBidAdvice{
		Call: api.BeloteBidAdviceCallPass, Speaker: *outPlayer(bidding.Speaker(q.here.Stage())), Stage: q.here.Stage(),
		Trumps: make([]api.BeloteBidTrump, len(v.Choices)), NoTrump: q.outBidTrump(v.NoTrump),
		Pass:       api.BeloteBidPass{Score: outBidMean(v.Pass, pointDigits), Next: make([]api.BeloteBidNext, len(v.Next))},
		Confidence: outConfidence(v.Clear), Worlds: q.worlds, Groups: v.Groups, Threshold: q.here.Threshold, Total: q.here.Total(),
		Suits: outSuits(q.here.Deck), Seed: strconv.FormatUint(q.seed, 10),
		Source: a.Source, Stats: stats(v.generated, a), Version: g.service.Version(),
	}
	for i, c := range v.Choices {
		out.Trumps[i] = q.outBidTrump(c)
	}
	// Equal ones are in the order of the suits of the request, not of the canonical form.
	slices.SortFunc(out.Trumps, func(a, b api.BeloteBidTrump) int {
		return cmp.Or(cmp.Compare(b.Score.Mean, a.Score.Mean), cmp.Compare(*a.Trump, *b.Trump))
	})
	if v.Chooses {
		out.Call = api.BeloteBidAdviceCall(*out.Trumps[0].Trump)
	}
	for i, end := range v.Next {
		out.Pass.Next[i] = api.BeloteBidNext{Trump: q.outTrump(end.Trump), Share: service.Rounded(end.Share, probabilityDigits)}
		if end.Chosen {
			out.Pass.Next[i].Seat = outPlayer(end.Player)
		}
	}
	return out
}

// outTrump returns a trump of the canonical form in the suits of the request.
func (q *BidQuery) outTrump(t belote.Trump) *api.BeloteTrump {
	if s, ok := t.Suit(); ok {
		t = belote.TrumpOf(q.back[s])
	}
	return outTrump(t)
}

func (q *BidQuery) outBidTrump(c bidding.Choice) api.BeloteBidTrump {
	return api.BeloteBidTrump{
		Trump: q.outTrump(c.Trump), Points: outBidMean(c.Points, pointDigits), WinProbability: outBidMean(c.Made, probabilityDigits),
		Score: outBidMean(c.Score, pointDigits),
	}
}

func outBidMean(m bidding.Mean, digits int) api.BeloteMean {
	return api.BeloteMean{Mean: service.Rounded(m.Mean, digits), StandardError: service.Rounded(m.Error, digits)}
}

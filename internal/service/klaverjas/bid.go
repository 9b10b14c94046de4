package klaverjas

import (
	"context"
	"fmt"
	"strconv"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/service/klaverjas/bidadvice"
)

// Bid returns what to call, and what each call is worth. It takes tens of milliseconds, with a slot. Its error is an *service.Error or the
// error of the context.
func (g *Game) Bid(ctx context.Context, q BidQuery) (api.KlaverjasBidAdvice, error) {
	var advice bidadvice.Advice
	if err := g.service.WithSlot(ctx, func(ctx context.Context, _ *computation.Slot) (err error) {
		advice, err = g.models().bids.Advise(ctx, q.question)
		return err
	}); err != nil {
		return api.KlaverjasBidAdvice{}, err
	}
	a := q.question.Auction
	s := a.Setting()
	out := api.KlaverjasBidAdvice{
		Call: advice.Call.String(), Forced: advice.Forced, Why: why(&advice),
		Trumps: make([]api.KlaverjasBidTrump, len(advice.Trumps)),
		Flow:   api.KlaverjasFlow(s.Flow.String()), Dealer: *outSeat(s.Dealer), Leader: *outSeat(a.Leader()), Seat: *outSeat(a.Turn()),
		Calls: []string{}, Hand: outCards(q.question.Hand.Slice()), Worlds: advice.Worlds, EffectiveWorlds: tenths(advice.Effective),
		Seed: strconv.FormatUint(q.question.Seed, 10), Rules: outRules(q.question.Rules), Version: g.service.Version(),
	}
	out.Value = tenths(value(&advice))
	for _, call := range a.Calls() {
		out.Calls = append(out.Calls, call.String())
	}
	if s.Flow == bidding.Turned {
		turned := make([]api.Suit, len(s.Turned))
		for i, suit := range s.Turned {
			turned[i] = api.Suit(suit.String())
		}
		out.Turned, out.Again = &turned, &s.Again
	}
	for i := range advice.Trumps {
		t := &advice.Trumps[i]
		out.Trumps[i] = api.KlaverjasBidTrump{
			Trump: api.Suit(t.Trump.String()), Value: tenths(t.Value), StandardError: tenths(t.Error),
			WinProbability: tenThousandths(t.Open.WinProbability), TableWinProbability: tenThousandths(t.Now.WinProbability),
			TablePitProbability: tenThousandths(t.Now.Pit), PointCount: t.Open.Points,
		}
	}
	if !advice.Forced {
		pass := &advice.Pass
		out.Pass = &api.KlaverjasBidPass{
			Value: tenths(pass.Value), StandardError: tenths(pass.Error), WinProbability: tenThousandths(pass.WinProbability),
			Seat: tenThousandths(pass.Own), Partner: tenThousandths(pass.Partner), Opponents: tenThousandths(pass.Others),
		}
		out.Gain = new(tenths(out.Trumps[0].Value - out.Pass.Value))
	}
	return out, nil
}

// value returns what the advised call is worth.
func value(a *bidadvice.Advice) float64 {
	if a.Call.Declare {
		return a.Trumps[0].Value
	}
	return a.Pass.Value
}

// why says in a sentence why the call is advised.
func why(a *bidadvice.Advice) string {
	best := &a.Trumps[0]
	// Rounded from the value that the answer shows, so that a client that rounds it in the same way writes the same number.
	points := func(x float64) string { return fmt.Sprintf("%+.0f points", tenths(x)) }
	switch {
	case a.Forced:
		return fmt.Sprintf("A pass is not allowed, and the best trump is %s: it is worth %s.", best.Trump, points(best.Value))
	case a.Call.Declare:
		return fmt.Sprintf("Declaring with %s as trump is worth %s, passing %s.", best.Trump, points(best.Value), points(a.Pass.Value))
	}
	return fmt.Sprintf("Passing is worth %s, declaring with %s as trump %s.", points(a.Pass.Value), best.Trump, points(best.Value))
}

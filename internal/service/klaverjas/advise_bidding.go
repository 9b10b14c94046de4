package klaverjas

import (
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/service/klaverjas/bidadvice"
)

// hear reads the bidding. It must end as the view begins.
func (q *AdviseQuery) hear(b *biddingBody) error {
	var vs service.Problems
	setting, calls := b.read(&vs)
	if err := vs.Err(); err != nil {
		return service.Below("/bidding", err)
	}
	a, err := bidding.Start(setting)
	if err == nil {
		a, err = a.Replay(calls)
	}
	if err != nil {
		return service.Below("/bidding", service.FromEngine(err))
	}
	if !a.Done() {
		return service.Refused(violation.New(violation.Needed, "do not end with a declaration: expected the whole bidding").At("/bidding/calls"))
	}
	v := q.question.Knowledge().View()
	by, trump := a.Result()
	switch {
	case trump != v.Trump:
		vs.Addf("/bidding/calls", violation.Contradicts, "end with %s as trump, but the trump is %s", trump, v.Trump)
	case by.Team() != v.Declarer:
		vs.Addf("/bidding/calls", violation.Contradicts, "end with a declaration by %s, but %s declare", by, v.Declarer)
	}
	if a.Leader() != v.Leader {
		vs.Addf("/bidding/dealer", violation.Contradicts, "is %s: then %s leads the first trick, not %s", setting.Dealer, a.Leader(), v.Leader)
	}
	if q.method != playoutMethod {
		vs.Addf("/bidding", violation.NotUsed, "is not used by the method search: expected the method playout")
	}
	if err := vs.Err(); err != nil {
		return err
	}
	if !q.game.bids.Policy.Covers(v.Rules) {
		return service.NewNoModel("/rules",
			"have no model of the bidding: there is one for the default rules of rotterdam and amsterdam")
	}
	q.subject = appendAuction(q.subject.Text("bidding"), a).Text(bidadvice.SHA256())
	q.calls, err = bidadvice.NewEvidence(&q.game.bids.Policy, v.Rules, a, v.Seat)
	return err
}

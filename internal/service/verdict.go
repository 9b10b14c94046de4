package service

import (
	"math"

	"roem/internal/api"
	"roem/internal/engine/standing"
)

// ReviewRule is the rule by which a review gives verdicts. Every review states it.
type ReviewRule api.ReviewRule

// KnownCost is what a decision cost on knowledge, as the answer states it. Without a standard error nothing is known of the cost.
type KnownCost struct {
	Cost          float64
	StandardError *float64
}

// KnownOf returns a cost with its standard error.
func KnownOf(cost, standardError float64) KnownCost { return KnownCost{cost, &standardError} }

// Range returns the cost less and plus the standard errors of the rule, in thousandths of a point: whole numbers, as answers have at most
// three digits after the point, so that sums are exact.
func (r ReviewRule) Range(k KnownCost) (low, high float64) {
	if k.StandardError == nil {
		return math.Inf(-1), math.Inf(1)
	}
	cost, deviation := math.Round(thousand*k.Cost), math.Round(thousand**k.StandardError)
	return cost - r.StandardErrors*deviation, cost + r.StandardErrors*deviation
}

const thousand = 1000

// IsClose reports whether the cost leaves open whether the decision was a mistake.
func (r ReviewRule) IsClose(k KnownCost) bool {
	low, high := r.Range(k)
	return low < thousand*r.LeastCost && high >= thousand*r.LeastCost
}

// Verdict judges a decision by its costs as the answer states them, so that it follows from the answer.
func (r ReviewRule) Verdict(open int, k KnownCost) api.Verdict {
	verdict := r.OnKnowledge(k)
	switch {
	case verdict == api.VerdictMistake && open == 0:
		return api.VerdictLucky
	case verdict == api.VerdictRight && open > 0:
		return api.VerdictUnlucky
	default:
		return verdict
	}
}

// IsMistake reports whether a decision was a mistake by what is known of its cost.
func (r ReviewRule) IsMistake(k KnownCost) bool { return r.OnKnowledge(k) == api.VerdictMistake }

// OnKnowledge judges a decision of which nothing is known with open cards.
func (r ReviewRule) OnKnowledge(k KnownCost) api.Verdict {
	low, _ := r.Range(k)
	switch {
	case low >= thousand*r.LeastCost:
		return api.VerdictMistake
	case r.IsClose(k):
		return api.VerdictUncertain
	default:
		return api.VerdictRight
	}
}

// Standing says where an action stands that is not the advised one. Its limit is the least cost of a mistake: advice calls nothing as good
// that a review calls a mistake. deviation is as standing.Of takes it.
func (r ReviewRule) Standing(cost, deviation float64) api.Standing {
	return api.Standing(standing.Of(cost, deviation, r.LeastCost).String())
}

// CountVerdict adds a verdict to the counts of a seat.
func CountVerdict(v *api.Verdicts, verdict api.Verdict) {
	*map[api.Verdict]*int{
		api.VerdictRight: &v.Right, api.VerdictUnlucky: &v.Unlucky, api.VerdictMistake: &v.Mistake,
		api.VerdictLucky: &v.Lucky, api.VerdictForced: &v.Forced, api.VerdictUncertain: &v.Uncertain,
	}[verdict]++
}

package ginrummy

import (
	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/service"
)

// EstimateQuery is a request for the probabilities of the opponent's cards.
type EstimateQuery struct {
	view      ginrummy.View
	method    Method
	symmetric bool
	threshold float64
}

// Estimate returns how likely the opponent holds each card.
func (g *Game) Estimate(q EstimateQuery) (api.GinEstimate, error) {
	estimate := q.method.Estimate
	if q.symmetric {
		estimate = q.method.Symmetric
	}
	p := estimate(&q.view)
	order := p.Order()
	above := 0
	for above < len(order) && p[order[above]] > q.threshold {
		above++
	}
	seen := q.view.Seen()
	out := api.GinEstimate{
		Probabilities: make(map[string]float64, ginrummy.DeckSize), Likely: outCards(order[:ginrummy.HandSize]), Above: outCards(order[:above]),
		Threshold: q.threshold, Unknown: seen.Unknown().Len(), Method: q.method.Name, Model: q.method.Model,
		Version: g.service.Version(),
	}
	for c, one := range p {
		out.Probabilities[ginrummy.Card(c).String()] = one
	}
	return out, nil
}

// EstimateBatchQuery is a request for many estimates. An error in one view is the error of its item.
type EstimateBatchQuery = service.Items[EstimateQuery]

// estimateResult is an estimate in a list.
type estimateResult struct {
	Ok bool `json:"ok"`
	api.GinEstimate
}

// EstimateBatch returns the estimates of many views.
func (g *Game) EstimateBatch(q EstimateBatchQuery) (api.GinEstimateBatch, error) {
	results := q.Results(g.service, func(_ int, one EstimateQuery) (any, error) {
		answer, err := g.Estimate(one)
		return estimateResult{Ok: true, GinEstimate: answer}, err
	})
	return api.GinEstimateBatch{Results: results, Version: g.service.Version()}, nil
}

package ginrummy

import (
	"context"
	"slices"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// EstimateQuery is a request for the probabilities of the opponent's cards.
type EstimateQuery struct {
	view      ginrummy.View
	method    Method
	symmetric bool
	threshold float64
}

// ParseEstimate reads the body of estimate.
func (g *Game) ParseEstimate(ctx context.Context, body []byte) (EstimateQuery, error) {
	return service.Decode(ctx, g.schemas, body, "GinEstimateRequest", func(in estimateBody) (EstimateQuery, error) {
		q := EstimateQuery{method: g.methods[0], threshold: in.Threshold}
		if in.Method != nil {
			i := slices.IndexFunc(g.methods, func(m Method) bool { return m.Name == *in.Method })
			if i < 0 {
				return q, service.Refused(g.unknownMethod(string(*in.Method)).At("/method"))
			}
			if q.method = g.methods[i]; q.method.Missing != "" {
				return q, service.NewNoModel("/method", "%s", q.method.Missing)
			}
		}
		q.symmetric = in.Symmetric && q.method.Symmetric != nil
		var err error
		q.view, err = in.view([2]int{})
		return q, err
	})
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

// EstimateBatchQuery is a request for many estimates.
type EstimateBatchQuery struct{ items service.Items[EstimateQuery] }

// Len returns how many views the request lists.
func (q EstimateBatchQuery) Len() int { return len(q.items) }

// ParseEstimateBatch reads the body of estimate/batch. An error in one view is the error of its item.
func (g *Game) ParseEstimateBatch(ctx context.Context, body []byte) (EstimateBatchQuery, error) {
	build := func(estimateBatchBody) (struct{}, error) { return struct{}{}, nil }
	one := func(ctx context.Context, body []byte, _ struct{}) (EstimateQuery, error) {
		q, err := g.ParseEstimate(ctx, body)
		if err == nil && q.symmetric {
			return q, service.Refused(violation.New(violation.NotUsed, "is true: a list has no means over the orders of the suits. "+
				"Send the view alone").At("/symmetric"))
		}
		return q, err
	}
	_, items, err := service.DecodeList(ctx, g.schemas, body, "GinEstimateBatchRequest", "views", build, one)
	return EstimateBatchQuery{items}, err
}

// estimateResult is an estimate in a list.
type estimateResult struct {
	Ok bool `json:"ok"`
	api.GinEstimate
}

// EstimateBatch returns the estimates of many views.
func (g *Game) EstimateBatch(q EstimateBatchQuery) (api.GinEstimateBatch, error) {
	results := q.items.Results(g.service, func(_ int, one EstimateQuery) (any, error) {
		answer, err := g.Estimate(one)
		return estimateResult{Ok: true, GinEstimate: answer}, err
	})
	return api.GinEstimateBatch{Results: results, Version: g.service.Version()}, nil
}

// unknownMethod is the violation of a method that is none of those that the server has.
func (g *Game) unknownMethod(text string) service.Violation {
	names := make([]string, len(g.methods))
	for i, m := range g.methods {
		names[i] = string(m.Name)
	}
	return violation.Word(text, names...)
}

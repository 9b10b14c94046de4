package handlers

import (
	"net/http"
	"time"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/service"
)

// Predict answers POST /v1/predict.
func (h *Handlers) Predict(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.service.Position, h.service.Predict)
}

// PredictBatch answers POST /v1/predict/batch.
func (h *Handlers) PredictBatch(w http.ResponseWriter, r *http.Request) {
	postUpTo(h, w, r, h.maxList, h.service.Decoder.PredictBatch, func(in service.PredictBatch) (api.PredictBatch, error) {
		eventOf(r).add(zap.Int("positions", len(in.Items)))
		return h.service.PredictBatch(in)
	})
}

// Hybrid answers POST /v1/hybrid.
func (h *Handlers) Hybrid(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	post(h, w, r, h.service.Decoder.Hybrid, func(in api.HybridRequest) (api.HybridAnswer, error) {
		ctx, cancel := h.patience(w, r, nil)
		defer cancel()
		out, err := h.service.Hybrid(ctx, in, began)
		if err == nil {
			eventOf(r).add(zap.String("source", string(out.Route)), zap.Int64("nodes", out.Stats.Nodes))
		}
		return out, err
	})
}

// HybridBatch answers POST /v1/hybrid/batch.
func (h *Handlers) HybridBatch(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	postUpTo(h, w, r, h.maxList, h.service.Decoder.HybridBatch, func(in service.HybridBatch) (api.HybridBatch, error) {
		ctx, cancel := h.patience(w, r, nil)
		defer cancel()
		eventOf(r).add(zap.Int("positions", len(in.Items)))
		out, err := h.service.HybridBatch(ctx, in, began)
		if err == nil {
			eventOf(r).add(zap.Int("from_cache", out.Routes.Cache), zap.Int("from_search", out.Routes.Search),
				zap.Int("from_model", out.Routes.Model), zap.Int64("nodes", out.Stats.Nodes))
		}
		return out, err
	})
}

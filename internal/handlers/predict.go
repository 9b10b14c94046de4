package handlers

import (
	"context"
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

// Model answers GET /v1/model.
func (h *Handlers) Model(w http.ResponseWriter, r *http.Request) {
	if err := checkQuery(r); err != nil {
		h.fail(w, r, err)
		return
	}
	h.respond(w, r, h.service.Model())
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
	hybrid(h, w, r, h.maxBody, h.service.Decoder.Hybrid, h.service.Hybrid, func(out api.HybridAnswer) []zap.Field {
		return []zap.Field{zap.String("source", string(out.Route)), zap.Int64("nodes", out.Stats.Nodes)}
	})
}

// HybridBatch answers POST /v1/hybrid/batch.
func (h *Handlers) HybridBatch(w http.ResponseWriter, r *http.Request) {
	hybrid(h, w, r, h.maxList, h.service.Decoder.HybridBatch, h.service.HybridBatch, func(out api.HybridBatch) []zap.Field {
		return []zap.Field{
			zap.Int("positions", len(out.Results)), zap.Int("from_cache", out.Routes.Cache), zap.Int("from_search", out.Routes.Search),
			zap.Int("from_model", out.Routes.Model), zap.Int64("nodes", out.Stats.Nodes),
		}
	})
}

// hybrid is post for what has a budget of time, which counts from here, before the body is read. note says what is logged.
func hybrid[In, Out any](
	h *Handlers, w http.ResponseWriter, r *http.Request, limit int64, decode func([]byte) (In, error),
	answer func(context.Context, In, time.Time) (Out, error), note func(Out) []zap.Field,
) {
	began := time.Now()
	postUpTo(h, w, r, limit, decode, func(in In) (Out, error) {
		ctx, cancel := context.WithTimeout(r.Context(), h.maxWait)
		defer cancel()
		out, err := answer(ctx, in, began)
		if err == nil {
			eventOf(r).add(note(out)...)
		}
		return out, err
	})
}

package handlers

import (
	"context"
	"net/http"
	"time"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/service"
)

// foreverPublic lets caches keep an answer that never changes for a day. A later version may answer in another form.
const foreverPublic = "public, max-age=86400"

// KlaverjasLegalMoves answers POST /v1/klaverjas/legal-moves.
func (h *Handlers) KlaverjasLegalMoves(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.service.Position, h.service.Legal)
}

// KlaverjasSolve answers POST /v1/klaverjas/solve.
func (h *Handlers) KlaverjasSolve(w http.ResponseWriter, r *http.Request, params api.KlaverjasSolveParams) {
	h.search(w, r, api.JobKindKlaverjasSolve, params.Prefer)
}

// KlaverjasSolveBatch answers POST /v1/klaverjas/solve/batch.
func (h *Handlers) KlaverjasSolveBatch(w http.ResponseWriter, r *http.Request, params api.KlaverjasSolveBatchParams) {
	h.createJob(w, r, params.IdempotencyKey, func(body []byte) (*service.Work, error) {
		return h.service.Decoder.Work(api.JobKindKlaverjasSolveBatch, body)
	})
}

// KlaverjasAnalyse answers POST /v1/klaverjas/analyse.
func (h *Handlers) KlaverjasAnalyse(w http.ResponseWriter, r *http.Request, params api.KlaverjasAnalyseParams) {
	h.search(w, r, api.JobKindKlaverjasAnalyse, params.Prefer)
}

// KlaverjasTable answers POST /v1/klaverjas/table.
func (h *Handlers) KlaverjasTable(w http.ResponseWriter, r *http.Request, params api.KlaverjasTableParams) {
	h.search(w, r, api.JobKindKlaverjasTable, params.Prefer)
}

// KlaverjasPredict answers POST /v1/klaverjas/predict.
func (h *Handlers) KlaverjasPredict(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.service.Position, h.service.Predict)
}

// KlaverjasPredictBatch answers POST /v1/klaverjas/predict/batch.
func (h *Handlers) KlaverjasPredictBatch(w http.ResponseWriter, r *http.Request) {
	postUpTo(h, w, r, h.maxList, h.service.Decoder.PredictBatch, func(in service.PredictBatch) (api.PredictBatch, error) {
		eventOf(r).add(zap.Int("positions", len(in.Items)))
		return h.service.PredictBatch(in)
	})
}

// KlaverjasHybrid answers POST /v1/klaverjas/hybrid.
func (h *Handlers) KlaverjasHybrid(w http.ResponseWriter, r *http.Request) {
	hybrid(h, w, r, h.maxBody, h.service.Decoder.Hybrid, h.service.Hybrid, func(out api.HybridAnswer) []zap.Field {
		return []zap.Field{zap.String("source", string(out.Route)), zap.Int64("nodes", out.Stats.Nodes)}
	})
}

// KlaverjasHybridBatch answers POST /v1/klaverjas/hybrid/batch.
func (h *Handlers) KlaverjasHybridBatch(w http.ResponseWriter, r *http.Request) {
	hybrid(h, w, r, h.maxList, h.service.Decoder.HybridBatch, h.service.HybridBatch, func(out api.HybridBatch) []zap.Field {
		return []zap.Field{
			zap.Int("positions", len(out.Results)), zap.Int("from_cache", out.Routes.Cache), zap.Int("from_search", out.Routes.Search),
			zap.Int("from_model", out.Routes.Model), zap.Int64("nodes", out.Stats.Nodes),
		}
	})
}

// KlaverjasModel answers GET /v1/klaverjas/model.
func (h *Handlers) KlaverjasModel(w http.ResponseWriter, r *http.Request) {
	if err := checkQuery(r); err != nil {
		h.fail(w, r, err)
		return
	}
	h.respond(w, r, h.service.Model())
}

// KlaverjasIndexDeal answers POST /v1/klaverjas/deals/index.
func (h *Handlers) KlaverjasIndexDeal(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.service.Position, h.service.IndexDeal)
}

// KlaverjasRandomDeal answers GET /v1/klaverjas/deals/random.
func (h *Handlers) KlaverjasRandomDeal(w http.ResponseWriter, r *http.Request, params api.KlaverjasRandomDealParams) {
	if err := checkQuery(r, "trump", "leader", "draw", "seed"); err != nil {
		h.fail(w, r, err)
		return
	}
	answer, err := h.service.RandomDeal(params)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.respond(w, r, answer)
}

// KlaverjasDealAt answers GET /v1/klaverjas/deals/{index}.
func (h *Handlers) KlaverjasDealAt(w http.ResponseWriter, r *http.Request, index string, params api.KlaverjasDealAtParams) {
	if err := checkQuery(r, "trump", "leader"); err != nil {
		h.fail(w, r, err)
		return
	}
	answer, err := h.service.DealAt(index, params)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", foreverPublic)
	h.respond(w, r, answer)
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

package handlers

import (
	"context"
	"net/http"
	"time"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

// foreverPublic is the Cache-Control of answers that do not change. It is limited to a day because a later version may answer in
// another form.
const foreverPublic = "public, max-age=86400"

// KlaverjasLegalMoves answers POST /v1/klaverjas/legal-moves.
func (h *Handlers) KlaverjasLegalMoves(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.klaverjas.ParsePosition, h.klaverjas.Legal)
}

// KlaverjasSolve answers POST /v1/klaverjas/solve.
func (h *Handlers) KlaverjasSolve(w http.ResponseWriter, r *http.Request, params api.KlaverjasSolveParams) {
	h.answerOrJob(w, r, klaverjas.KindSolve, params.Prefer)
}

// KlaverjasSolveBatch answers POST /v1/klaverjas/solve/batch.
func (h *Handlers) KlaverjasSolveBatch(w http.ResponseWriter, r *http.Request, params api.KlaverjasSolveBatchParams) {
	h.createJob(w, r, params.IdempotencyKey, func(ctx context.Context, body []byte) (*service.Request, error) {
		return h.service.Parse(ctx, klaverjas.KindSolveBatch, body)
	})
}

// KlaverjasMatch answers POST /v1/klaverjas/match.
func (h *Handlers) KlaverjasMatch(w http.ResponseWriter, r *http.Request, params api.KlaverjasMatchParams) {
	h.createJob(w, r, params.IdempotencyKey, func(ctx context.Context, body []byte) (*service.Request, error) {
		return h.service.Parse(ctx, klaverjas.KindMatch, body)
	})
}

// KlaverjasAnalyse answers POST /v1/klaverjas/analyse.
func (h *Handlers) KlaverjasAnalyse(w http.ResponseWriter, r *http.Request, params api.KlaverjasAnalyseParams) {
	h.answerOrJob(w, r, klaverjas.KindAnalyse, params.Prefer)
}

// KlaverjasTable answers POST /v1/klaverjas/table.
func (h *Handlers) KlaverjasTable(w http.ResponseWriter, r *http.Request, params api.KlaverjasTableParams) {
	h.answerOrJob(w, r, klaverjas.KindTable, params.Prefer)
}

// KlaverjasAdvise answers POST /v1/klaverjas/advise.
func (h *Handlers) KlaverjasAdvise(w http.ResponseWriter, r *http.Request, params api.KlaverjasAdviseParams) {
	h.answerOrJob(w, r, klaverjas.KindAdvise, params.Prefer)
}

// KlaverjasReview answers POST /v1/klaverjas/review.
func (h *Handlers) KlaverjasReview(w http.ResponseWriter, r *http.Request, params api.KlaverjasReviewParams) {
	h.answerOrJob(w, r, klaverjas.KindReview, params.Prefer)
}

// KlaverjasPredict answers POST /v1/klaverjas/predict.
func (h *Handlers) KlaverjasPredict(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.klaverjas.ParsePosition, h.klaverjas.Predict)
}

// KlaverjasPredictBatch answers POST /v1/klaverjas/predict/batch.
func (h *Handlers) KlaverjasPredictBatch(w http.ResponseWriter, r *http.Request) {
	postUpTo(h, w, r, h.maxList, h.klaverjas.ParsePredictBatch, func(in klaverjas.PredictBatchQuery) (api.KlaverjasPredictBatch, error) {
		eventOf(r).add(zap.Int("positions", in.Len()))
		return h.klaverjas.PredictBatch(in)
	})
}

// KlaverjasHybrid answers POST /v1/klaverjas/hybrid.
func (h *Handlers) KlaverjasHybrid(w http.ResponseWriter, r *http.Request) {
	hybrid(h, w, r, h.maxBody, h.klaverjas.ParseHybrid, h.klaverjas.Hybrid, func(out api.KlaverjasHybridAnswer) []zap.Field {
		return []zap.Field{zap.String("source", string(out.Route)), zap.Int64("nodes", out.Stats.Nodes)}
	})
}

// KlaverjasHybridBatch answers POST /v1/klaverjas/hybrid/batch.
func (h *Handlers) KlaverjasHybridBatch(w http.ResponseWriter, r *http.Request) {
	hybrid(h, w, r, h.maxList, h.klaverjas.ParseHybridBatch, h.klaverjas.HybridBatch, func(out api.KlaverjasHybridBatch) []zap.Field {
		return []zap.Field{
			zap.Int("positions", len(out.Results)), zap.Int("from_cache", out.Routes.Cache), zap.Int("from_search", out.Routes.Search),
			zap.Int("from_model", out.Routes.Model), zap.Int64("nodes", out.Stats.Nodes),
		}
	})
}

// KlaverjasHandStrength answers POST /v1/klaverjas/hand-strength.
func (h *Handlers) KlaverjasHandStrength(w http.ResponseWriter, r *http.Request, params api.KlaverjasHandStrengthParams) {
	h.answerOrJob(w, r, klaverjas.KindHandStrength, params.Prefer)
}

// KlaverjasHandStrengthBatch answers POST /v1/klaverjas/hand-strength/batch.
func (h *Handlers) KlaverjasHandStrengthBatch(w http.ResponseWriter, r *http.Request, params api.KlaverjasHandStrengthBatchParams) {
	h.answerOrJobUpTo(w, r, h.maxList, klaverjas.KindHandStrengthBatch, params.Prefer)
}

// KlaverjasKnowledge answers POST /v1/klaverjas/knowledge.
func (h *Handlers) KlaverjasKnowledge(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.klaverjas.ParseKnowledge, h.klaverjas.Knowledge)
}

// KlaverjasWorlds answers POST /v1/klaverjas/worlds.
func (h *Handlers) KlaverjasWorlds(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.klaverjas.ParseWorlds, h.klaverjas.Worlds)
}

// KlaverjasKnowledgeCheck answers POST /v1/klaverjas/knowledge/check.
func (h *Handlers) KlaverjasKnowledgeCheck(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.klaverjas.ParseKnowledgeCheck, h.klaverjas.KnowledgeCheck)
}

// KlaverjasCardModel answers POST /v1/klaverjas/knowledge/card.
func (h *Handlers) KlaverjasCardModel(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.klaverjas.ParseCardModel, h.klaverjas.CardModel)
}

// KlaverjasBid answers POST /v1/klaverjas/bid.
func (h *Handlers) KlaverjasBid(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.klaverjas.ParseBid, func(q klaverjas.BidQuery) (api.KlaverjasBid,
		error) { //nolint:contextcheck // it is made of the request's
		ctx, cancel := context.WithTimeout(r.Context(), h.maxWait)
		defer cancel()
		return h.klaverjas.Bid(ctx, q)
	})
}

// KlaverjasModel answers GET /v1/klaverjas/model.
func (h *Handlers) KlaverjasModel(w http.ResponseWriter, r *http.Request) {
	if err := checkQuery(r); err != nil {
		h.fail(w, r, err)
		return
	}
	h.respond(w, r, h.klaverjas.Model())
}

// KlaverjasIndexDeal answers POST /v1/klaverjas/deals/index.
func (h *Handlers) KlaverjasIndexDeal(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.klaverjas.ParsePosition, h.klaverjas.IndexDeal)
}

// KlaverjasRandomDeal answers GET /v1/klaverjas/deals/random.
func (h *Handlers) KlaverjasRandomDeal(w http.ResponseWriter, r *http.Request, params api.KlaverjasRandomDealParams) {
	if err := checkQuery(r, "trump", "leader", "draw", "seed"); err != nil {
		h.fail(w, r, err)
		return
	}
	answer, err := h.klaverjas.RandomDeal(params)
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
	answer, err := h.klaverjas.DealAt(index, params)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", foreverPublic)
	h.respond(w, r, answer)
}

// hybrid is post for operations with a time budget. The budget starts here, before the body is read. note returns what to log.
func hybrid[In, Out any](
	h *Handlers, w http.ResponseWriter, r *http.Request, limit int64, decode func(context.Context, []byte) (In, error),
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

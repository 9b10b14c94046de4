package handlers

import (
	"context"
	"net/http"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/service"
	"roem/internal/service/ginrummy"
)

// GinRummyMelds answers POST /v1/gin-rummy/melds.
func (h *Handlers) GinRummyMelds(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.ginRummy.ParseMelds, h.ginRummy.Melds)
}

// GinRummyScore answers POST /v1/gin-rummy/score.
func (h *Handlers) GinRummyScore(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.ginRummy.ParseScore, h.ginRummy.Score)
}

// GinRummyEstimate answers POST /v1/gin-rummy/estimate.
func (h *Handlers) GinRummyEstimate(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.ginRummy.ParseEstimate, h.ginRummy.Estimate)
}

// GinRummyEstimateBatch answers POST /v1/gin-rummy/estimate/batch.
func (h *Handlers) GinRummyEstimateBatch(w http.ResponseWriter, r *http.Request) {
	postUpTo(h, w, r, h.maxList, h.ginRummy.ParseEstimateBatch, func(in ginrummy.EstimateBatchQuery) (api.GinEstimateBatch, error) {
		eventOf(r).add(zap.Int("situations", in.Len()))
		return h.ginRummy.EstimateBatch(in)
	})
}

// GinRummyAdvise answers POST /v1/gin-rummy/advise.
func (h *Handlers) GinRummyAdvise(w http.ResponseWriter, r *http.Request) {
	postWaiting(h, w, r, h.ginRummy.ParseAdvise, h.ginRummy.Advise)
}

// GinRummyMatch answers POST /v1/gin-rummy/match.
func (h *Handlers) GinRummyMatch(w http.ResponseWriter, r *http.Request, params api.GinRummyMatchParams) {
	h.createJob(w, r, params.IdempotencyKey, func(ctx context.Context, body []byte) (*service.Request, error) {
		return h.service.Parse(ctx, ginrummy.KindMatch, body)
	})
}

// GinRummyRandomDeal answers GET /v1/gin-rummy/deals/random.
func (h *Handlers) GinRummyRandomDeal(w http.ResponseWriter, r *http.Request, params api.GinRummyRandomDealParams) {
	if err := checkQuery(r, "seed"); err != nil {
		h.fail(w, r, err)
		return
	}
	answer, err := h.ginRummy.RandomDeal(params)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.respond(w, r, answer)
}

package handlers

import (
	"context"
	"net/http"

	"roem/internal/api"
	"roem/internal/service"
	"roem/internal/service/belote"
)

// BeloteLegalMoves answers POST /v1/belote/legal-moves.
func (h *Handlers) BeloteLegalMoves(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.belote.ParsePosition, h.belote.Legal)
}

// BeloteSolve answers POST /v1/belote/solve.
func (h *Handlers) BeloteSolve(w http.ResponseWriter, r *http.Request, params api.BeloteSolveParams) {
	h.answerOrJob(w, r, belote.KindSolve, params.Prefer)
}

// BeloteAnalyse answers POST /v1/belote/analyse.
func (h *Handlers) BeloteAnalyse(w http.ResponseWriter, r *http.Request, params api.BeloteAnalyseParams) {
	h.answerOrJob(w, r, belote.KindAnalyse, params.Prefer)
}

// BeloteCompare answers POST /v1/belote/compare.
func (h *Handlers) BeloteCompare(w http.ResponseWriter, r *http.Request, params api.BeloteCompareParams) {
	h.answerOrJob(w, r, belote.KindCompare, params.Prefer)
}

// BeloteAdvise answers POST /v1/belote/advise.
func (h *Handlers) BeloteAdvise(w http.ResponseWriter, r *http.Request, params api.BeloteAdviseParams) {
	h.answerOrJob(w, r, belote.KindAdvise, params.Prefer)
}

// BeloteBid answers POST /v1/belote/bid.
func (h *Handlers) BeloteBid(w http.ResponseWriter, r *http.Request, params api.BeloteBidParams) {
	h.answerOrJob(w, r, belote.KindBid, params.Prefer)
}

// BeloteScore answers POST /v1/belote/score.
func (h *Handlers) BeloteScore(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.belote.ParseScore, h.belote.Score)
}

// BeloteMatch answers POST /v1/belote/match.
func (h *Handlers) BeloteMatch(w http.ResponseWriter, r *http.Request, params api.BeloteMatchParams) {
	h.createJob(w, r, params.IdempotencyKey, func(ctx context.Context, body []byte) (*service.Request, error) {
		return h.service.Parse(ctx, belote.KindMatch, body)
	})
}

// BeloteRandomDeal answers GET /v1/belote/deals/random.
func (h *Handlers) BeloteRandomDeal(w http.ResponseWriter, r *http.Request, params api.BeloteRandomDealParams) {
	if err := checkQuery(r, "trump", "suits", "seed"); err != nil {
		h.fail(w, r, err)
		return
	}
	answer, err := h.belote.RandomDeal(params)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.respond(w, r, answer)
}

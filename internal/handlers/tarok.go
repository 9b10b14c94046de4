package handlers

import (
	"context"
	"net/http"

	"roem/internal/api"
	"roem/internal/service"
	"roem/internal/service/tarok"
)

// TarokLegalMoves answers POST /v1/tarok/legal-moves.
func (h *Handlers) TarokLegalMoves(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.tarok.ParsePosition, h.tarok.Legal)
}

// TarokScore answers POST /v1/tarok/score.
func (h *Handlers) TarokScore(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.tarok.ParseScore, h.tarok.Score)
}

// TarokSample answers POST /v1/tarok/sample.
func (h *Handlers) TarokSample(w http.ResponseWriter, r *http.Request) {
	postWaiting(h, w, r, h.tarok.ParseSample, h.tarok.Sample)
}

// TarokComplexity answers POST /v1/tarok/complexity.
func (h *Handlers) TarokComplexity(w http.ResponseWriter, r *http.Request) {
	postWaiting(h, w, r, h.tarok.ParseComplexity, h.tarok.Complexity)
}

// TarokSolve answers POST /v1/tarok/solve.
func (h *Handlers) TarokSolve(w http.ResponseWriter, r *http.Request, params api.TarokSolveParams) {
	h.answerOrJob(w, r, tarok.KindSolve, params.Prefer)
}

// TarokRandomDeal answers GET /v1/tarok/deals/random.
func (h *Handlers) TarokRandomDeal(w http.ResponseWriter, r *http.Request, params api.TarokRandomDealParams) {
	if err := checkQuery(r, "seed"); err != nil {
		h.fail(w, r, err)
		return
	}
	answer, err := h.tarok.RandomDeal(params)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.respond(w, r, answer)
}

// TarokBid answers POST /v1/tarok/bid.
func (h *Handlers) TarokBid(w http.ResponseWriter, r *http.Request, params api.TarokBidParams) {
	h.answerOrJob(w, r, tarok.KindBid, params.Prefer)
}

// TarokExchange answers POST /v1/tarok/exchange.
func (h *Handlers) TarokExchange(w http.ResponseWriter, r *http.Request, params api.TarokExchangeParams) {
	h.answerOrJob(w, r, tarok.KindExchange, params.Prefer)
}

// TarokAnnounce answers POST /v1/tarok/announce.
func (h *Handlers) TarokAnnounce(w http.ResponseWriter, r *http.Request, params api.TarokAnnounceParams) {
	h.answerOrJob(w, r, tarok.KindAnnounce, params.Prefer)
}

// TarokAdvise answers POST /v1/tarok/advise.
func (h *Handlers) TarokAdvise(w http.ResponseWriter, r *http.Request, params api.TarokAdviseParams) {
	h.answerOrJob(w, r, tarok.KindAdvise, params.Prefer)
}

// TarokMatch answers POST /v1/tarok/match.
func (h *Handlers) TarokMatch(w http.ResponseWriter, r *http.Request, params api.TarokMatchParams) {
	h.createJob(w, r, params.IdempotencyKey, func(ctx context.Context, body []byte) (*service.Request, error) {
		return h.service.Parse(ctx, tarok.KindMatch, body)
	})
}

package handlers

import (
	"net/http"

	"roem/internal/api"
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
	post(h, w, r, h.tarok.ParseSample, h.tarok.Sample)
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

package handlers

import (
	"net/http"

	"roem/internal/api"
)

// foreverPublic lets caches keep an answer that can never change for a day, in case the form of the answer does.
const foreverPublic = "public, max-age=86400"

// IndexDeal answers POST /v1/deals/index.
func (h *Handlers) IndexDeal(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.service.Position, h.service.IndexDeal)
}

// DealAt answers GET /v1/deals/{index}.
func (h *Handlers) DealAt(w http.ResponseWriter, r *http.Request, index string, params api.DealAtParams) {
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

// RandomDeal answers GET /v1/deals/random.
func (h *Handlers) RandomDeal(w http.ResponseWriter, r *http.Request, params api.RandomDealParams) {
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

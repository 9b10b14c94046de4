package handlers

import "net/http"

// LegalMoves answers POST /v1/legal-moves.
func (h *Handlers) LegalMoves(w http.ResponseWriter, r *http.Request) {
	body, err := h.body(w, r)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	position, err := h.service.Position(body)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	answer, err := h.service.Legal(position)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.respond(w, r, answer)
}

package handlers

import "net/http"

// LegalMoves answers POST /v1/legal-moves.
func (h *Handlers) LegalMoves(w http.ResponseWriter, r *http.Request) {
	post(h, w, r, h.service.Position, h.service.Legal)
}

package handlers

import (
	"context"
	"net/http"
	"strings"

	"go.uber.org/zap"

	"roem/internal/api"
	"roem/internal/service"
)

// answerOrJob answers a request that may need a search: with the answer if it is ready within the wait of the request, else with the
// job that the request has become. It logs the source of the answer and its nodes.
func (h *Handlers) answerOrJob(w http.ResponseWriter, r *http.Request, kind string, prefer *api.Prefer) {
	h.answerOrJobUpTo(w, r, h.maxBody, kind, prefer)
}

// answerOrJobUpTo is answerOrJob for a body of at most limit bytes.
func (h *Handlers) answerOrJobUpTo(w http.ResponseWriter, r *http.Request, limit int64, kind string, prefer *api.Prefer) {
	body, err := h.body(w, r, limit)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	request, err := decoded(h, r, body, func(ctx context.Context, body []byte) (*service.Request, error) {
		return h.service.Parse(ctx, kind, body)
	})
	if err != nil {
		h.fail(w, r, err)
		return
	}
	liftReadDeadline(w)
	policy, async := h.waitPolicy(w, r, prefer)
	answer, job, err := h.service.Do(r.Context(), request, policy)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	if job != nil {
		if async {
			applied := append([]string{"respond-async"}, w.Header().Values("Preference-Applied")...)
			w.Header().Set("Preference-Applied", strings.Join(applied, ", "))
		}
		h.respondJob(w, r, http.StatusAccepted, *job)
		return
	}
	eventOf(r).add(zap.String("source", string(answer.Source)), zap.Int64("nodes", answer.Nodes))
	h.respond(w, r, answer.Body)
}

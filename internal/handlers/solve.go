package handlers

import (
	"net/http"
	"strings"

	"go.uber.org/zap"

	"roem/internal/api"
)

// search answers what may take a search: with the answer if it comes as soon as the request wants it, else with the job
// that carries on. It notes in the log where the answer came from and what it took.
func (h *Handlers) search(w http.ResponseWriter, r *http.Request, kind api.JobKind, prefer *api.Prefer) {
	body, err := h.body(w, r, h.maxBody)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	work, err := h.service.Decoder.Work(kind, body)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	unhurried(w)
	patience, async := h.patience(w, r, prefer)
	answer, job, err := h.service.Do(r.Context(), work, patience)
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
	var (
		source api.Source
		stats  api.Stats
	)
	switch a := answer.(type) {
	case api.Solution:
		source, stats = a.Source, a.Stats
	case api.Analysis:
		source, stats = a.Source, a.Stats
	case api.Table:
		source, stats = a.Source, a.Stats
	}
	eventOf(r).add(zap.String("source", string(source)), zap.Int64("nodes", stats.Nodes))
	h.respond(w, r, answer)
}

package handlers

import (
	"context"
	"net/http"

	"go.uber.org/zap"

	"roem/internal/api"
)

// Solve answers POST /v1/solve.
func (h *Handlers) Solve(w http.ResponseWriter, r *http.Request, params api.SolveParams) {
	search(h, w, r, params.Prefer, h.service.Decoder.Solve, h.service.Solve,
		func(a api.Solution) (api.Source, api.Stats) { return a.Source, a.Stats })
}

// Analyse answers POST /v1/analyse.
func (h *Handlers) Analyse(w http.ResponseWriter, r *http.Request, params api.AnalyseParams) {
	search(h, w, r, params.Prefer, h.service.Position, h.service.Analyse,
		func(a api.Analysis) (api.Source, api.Stats) { return a.Source, a.Stats })
}

// Table answers POST /v1/table.
func (h *Handlers) Table(w http.ResponseWriter, r *http.Request, params api.TableParams) {
	search(h, w, r, params.Prefer, h.service.Decoder.Table, h.service.Table,
		func(a api.Table) (api.Source, api.Stats) { return a.Source, a.Stats })
}

// search is post for what may take a search: it waits for the answer as long as the request allows, and notes in the log
// where the answer came from and what it took.
func search[In, Out any](
	h *Handlers, w http.ResponseWriter, r *http.Request, prefer *api.Prefer,
	decode func([]byte) (In, error), answer func(context.Context, In) (Out, error), took func(Out) (api.Source, api.Stats),
) {
	post(h, w, r, decode, func(in In) (Out, error) {
		ctx, cancel := h.patience(w, r, prefer)
		defer cancel()
		out, err := answer(ctx, in)
		if err == nil {
			source, stats := took(out)
			eventOf(r).add(zap.String("source", string(source)), zap.Int64("nodes", stats.Nodes))
		}
		return out, err
	})
}

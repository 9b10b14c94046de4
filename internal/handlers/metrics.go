package handlers

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"roem/internal/metrics"
)

// MetricsHandler serves metrics in the formats of Prometheus.
func MetricsHandler(m *metrics.Metrics) http.Handler {
	return promhttp.HandlerFor(m.Gatherer(), promhttp.HandlerOpts{EnableOpenMetrics: true})
}

// Metrics answers GET /metrics, unless the metrics have an address of their own.
func (h *Handlers) Metrics(w http.ResponseWriter, r *http.Request) {
	if h.metricsPage == nil {
		h.notFound(w, r)
		return
	}
	if len(h.clients.Keys) > 0 && clientOf(r).holder == "" { // they tell what all clients do
		_, given := bearer(r)
		h.unauthorized(w, r, given)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	h.metricsPage.ServeHTTP(w, r)
}

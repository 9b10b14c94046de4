package handlers

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// startSpan starts the span of a request, in the trace of the client if the request has one (W3C Trace Context). Without a tracer it
// does nothing.
func (h *Handlers) startSpan(ctx context.Context, r *http.Request) (context.Context, trace.Span) {
	if h.tracer == nil {
		return ctx, noop.Span{}
	}
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	// The span gets its name at the end, when the route is known.
	return h.tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer))
}

// endSpan ends the span of a request. The names of its attributes are those of OpenTelemetry's conventions for HTTP.
func endSpan(span trace.Span, method string, e *event, status int) {
	if !span.IsRecording() {
		return
	}
	if e.route != "" {
		span.SetName(method + " " + e.route)
	}
	span.SetAttributes(
		attribute.String("http.request.method", method), attribute.String("http.route", e.route),
		attribute.Int("http.response.status_code", status), attribute.String("roem.request_id", e.requestID),
	)
	if e.kind != "" {
		span.SetAttributes(attribute.String("error.type", e.kind))
	}
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, e.kind)
	}
	span.End()
}

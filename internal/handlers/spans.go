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

// startSpan starts the span of a request. Without a tracer it does nothing. If the request names a trace (W3C Trace Context), the span
// becomes part of it only if it comes from a proxy whose traces are trusted. Otherwise the span begins a trace of its own with a link
// to the other: whoever chooses the id or the flags of a trace could choose that it is sampled.
func (h *Handlers) startSpan(ctx context.Context, r *http.Request) (context.Context, trace.Span) {
	if h.tracer == nil {
		return ctx, noop.Span{}
	}
	remote := propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	// The span gets its name at the end, when the route is known.
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer)}
	other := trace.SpanContextFromContext(remote)
	switch {
	case h.trustTraces && h.clients.isProxy(r.RemoteAddr):
		ctx = remote
	case other.IsValid():
		options = append(options, trace.WithLinks(trace.Link{SpanContext: other.WithTraceState(trace.TraceState{})}))
	}
	return h.tracer.Start(ctx, "request", options...)
}

// endSpan ends the span of a request. The names of its attributes follow OpenTelemetry's conventions for HTTP.
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

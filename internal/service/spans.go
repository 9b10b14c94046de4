package service

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// tracerName names the spans of this package.
const tracerName = "roem/internal/service"

// StartSpan starts a span below the span of ctx. It does nothing if that is not recorded. The caller calls end.
func StartSpan(ctx context.Context, name string) (in context.Context, end func(err error, attributes ...attribute.KeyValue)) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, func(error, ...attribute.KeyValue) {}
	}
	in, span := parent.TracerProvider().Tracer(tracerName).Start(ctx, name)
	return in, func(err error, attributes ...attribute.KeyValue) {
		span.SetAttributes(attributes...)
		if err != nil {
			span.SetStatus(codes.Error, err.Error())
		}
		span.End()
	}
}

// spanOf records a span that has ended.
func spanOf(ctx context.Context, name string, from, to time.Time) {
	parent := trace.SpanFromContext(ctx)
	if parent.IsRecording() {
		_, span := parent.TracerProvider().Tracer(tracerName).Start(ctx, name, trace.WithTimestamp(from))
		span.End(trace.WithTimestamp(to))
	}
}

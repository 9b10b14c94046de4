package service

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// tracerName names the spans of this package.
const tracerName = "roem/internal/service"

// startSpan starts a part of what is being traced. Where nothing is, it costs nothing. The caller calls end.
func startSpan(ctx context.Context, name string) (in context.Context, end func(err error, attributes ...attribute.KeyValue)) {
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

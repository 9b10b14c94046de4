//go:build !js

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
func StartSpan(ctx context.Context, name string) (in context.Context, end func(err error, about ...About)) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, func(error, ...About) {}
	}
	in, span := parent.TracerProvider().Tracer(tracerName).Start(ctx, name)
	return in, func(err error, about ...About) {
		for _, a := range about {
			if a.Text != "" {
				span.SetAttributes(attribute.String(a.Name, a.Text))
			} else {
				span.SetAttributes(attribute.Int64(a.Name, a.Number))
			}
		}
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

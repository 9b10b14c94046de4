package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"

	"roem/internal/solvecache"
)

// tracerName names the spans of the program.
const tracerName = "roem/cmd/server"

// exportLimit is how long a collector may take to accept traces. Traces that it does not accept in that time are lost.
const exportLimit = 5 * time.Second

// startTraces creates the tracer if a collector is configured. Traces wait in bounded memory to be sent. If the collector does not
// answer, only traces are lost.
func (a *app) startTraces(ctx context.Context) error {
	c := a.config.Traces
	if c.Endpoint == "" {
		return nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { // the library has one handler for the process
		a.log.Warn("traces are lost", zap.Error(err))
	}))
	exporter, err := otlptracehttp.New(context.WithoutCancel(ctx), otlptracehttp.WithEndpointURL(collectorURL(c.Endpoint)),
		otlptracehttp.WithTimeout(exportLimit), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: false}))
	if err != nil {
		return fmt.Errorf("%w (the key traces.endpoint, or ROEM_TRACES_ENDPOINT)", err)
	}
	a.traces = sdk.NewTracerProvider(
		sdk.WithBatcher(exporter),
		// A span without a parent begins a trace, whose id is random and decides. A parent is the server's own or of a trusted proxy.
		sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(c.Sample))),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "roem"), attribute.String("service.version", a.version.Version),
		)),
	)
	return nil
}

// collectorURL returns the URL of the collector, with the path of OTLP for traces if the configuration has no path.
func collectorURL(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil || u.Path != "" && u.Path != "/" {
		return endpoint
	}
	return u.JoinPath("v1", "traces").String()
}

// stopTraces sends the remaining traces.
func (a *app) stopTraces(ctx context.Context) error {
	if a.traces == nil {
		return nil
	}
	if err := a.traces.Shutdown(ctx); err != nil {
		a.log.Warn("the last traces are lost", zap.Error(err)) // not an error of the server
	}
	return nil
}

// tracer returns the tracer, nil for none.
func (a *app) tracer() trace.Tracer {
	if a.traces == nil {
		return nil
	}
	return a.traces.Tracer(tracerName)
}

// tracedLayers wraps the layers so that each lookup has a span, if there are traces.
func (a *app) tracedLayers(layers []solvecache.Layer) []solvecache.Layer {
	if a.traces == nil {
		return layers
	}
	traced := make([]solvecache.Layer, len(layers))
	for i, layer := range layers {
		traced[i] = tracedLayer{layer, a.tracer()}
	}
	return traced
}

// tracedLayer is a layer whose Get has a span.
type tracedLayer struct {
	solvecache.Layer
	tracer trace.Tracer
}

func (l tracedLayer) Get(ctx context.Context, keys []solvecache.Key) ([][]byte, error) {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return l.Layer.Get(ctx, keys)
	}
	ctx, span := l.tracer.Start(ctx, "cache "+l.Name())
	defer span.End()
	values, err := l.Layer.Get(ctx, keys)
	hits := 0
	for _, v := range values {
		if v != nil {
			hits++
		}
	}
	span.SetAttributes(attribute.Int("roem.keys", len(keys)), attribute.Int("roem.hits", hits))
	return values, err
}

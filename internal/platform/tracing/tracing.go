// Package tracing sends traces to a collector, configured by OpenTelemetry's standard variables.
// It traces requests by route, statements by calling function, jobs by kind, and requests to
// other systems. Traces contain no user input and no personal data.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// IsEnabled reports whether the variables enable traces: with an address, or with the exporter
// otlp, which has a default address.
func IsEnabled(variable func(string) string) bool {
	if strings.EqualFold(variable("OTEL_SDK_DISABLED"), "true") || variable("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return variable("OTEL_TRACES_EXPORTER") != "" || variable("OTEL_EXPORTER_OTLP_ENDPOINT") != "" ||
		variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// Start starts to send traces if the environment enables them. end sends the rest and is never
// nil.
func Start(ctx context.Context, version string) (end func(context.Context) error, err error) {
	end = func(context.Context) error { return nil }
	if !IsEnabled(os.Getenv) {
		return end, nil
	}
	if e := os.Getenv("OTEL_TRACES_EXPORTER"); e != "" && e != "otlp" {
		return end, fmt.Errorf("OTEL_TRACES_EXPORTER: unknown value %q; use otlp or none", e)
	}
	for _, variable := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		if p := os.Getenv(variable); p != "" && p != "http/protobuf" {
			return end, fmt.Errorf("%s: unknown value %q; use http/protobuf", variable, p)
		}
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return end, fmt.Errorf("traces: %w", err)
	}
	// Environment variables take precedence over these names.
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "wcpp"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return end, errors.Join(fmt.Errorf("traces: %w", err), exporter.Shutdown(ctx))
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	otel.SetTracerProvider(provider)
	otel.SetTextMapPropagator(propagation.TraceContext{})
	return provider.Shutdown, nil
}

func tracer() trace.Tracer { return otel.Tracer("wcpp") }

// IsRecording reports whether ctx is traced.
func IsRecording(ctx context.Context) bool { return trace.SpanFromContext(ctx).IsRecording() }

// StartSpan starts a span for a request to the database or another system, if ctx is traced. The
// returned function ends the span.
func StartSpan(ctx context.Context, name string) (context.Context, func(error)) {
	if !IsRecording(ctx) {
		return ctx, func(error) {}
	}
	ctx, span := tracer().Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient))
	return ctx, func(err error) { finish(span, err) }
}

// StartJob starts a trace of a job.
func StartJob(ctx context.Context, kind string) (context.Context, func(error)) {
	ctx, span := tracer().Start(ctx, "job "+kind, trace.WithSpanKind(trace.SpanKindConsumer))
	return ctx, func(err error) { finish(span, err) }
}

// finish ends a span. Errors can contain personal data, so it records only that there was one.
func finish(span trace.Span, err error) {
	if err != nil {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// StartRequest starts a trace of a request, or continues the caller's. The returned function takes
// the route's pattern and the status.
func StartRequest(r *http.Request) (context.Context, func(route string, status int)) {
	ctx := otel.GetTextMapPropagator().Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := tracer().Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer))
	return ctx, func(route string, status int) {
		span.SetName(route)
		span.SetAttributes(attribute.String("http.route", route), attribute.Int("http.response.status_code", status))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Inject adds the trace to the headers of a request to another system.
func Inject(ctx context.Context, header http.Header) {
	otel.GetTextMapPropagator().Inject(ctx, propagation.HeaderCarrier(header))
}

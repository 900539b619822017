// Package tracing tells a collector what the program does, by the standard variables of
// OpenTelemetry: requests by their route, statements by the function that asks, jobs by
// their kind, and calls to other systems. Nothing that a person typed or that is about
// one goes with them.
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

// Wanted tells whether the variables ask for traces: an address to send them to, or the
// exporter otlp, which has one of its own.
func Wanted(variable func(string) string) bool {
	if strings.EqualFold(variable("OTEL_SDK_DISABLED"), "true") || variable("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return variable("OTEL_TRACES_EXPORTER") != "" || variable("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// Start begins to send traces where the environment asks for them. End sends what is
// left; it is never nil.
func Start(ctx context.Context, version string) (end func(context.Context) error, err error) {
	end = func(context.Context) error { return nil }
	if !Wanted(os.Getenv) {
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
	// What the environment tells goes before the names given here.
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

// On tells whether what ctx belongs to is traced.
func On(ctx context.Context) bool { return trace.SpanFromContext(ctx).IsRecording() }

// Begin begins a part of the trace that ctx belongs to, in which somebody else is asked:
// the database, or another system. Of no trace it begins none. The function that it
// answers ends it.
func Begin(ctx context.Context, name string) (context.Context, func(error)) {
	if !On(ctx) {
		return ctx, func(error) {}
	}
	ctx, span := tracer().Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient))
	return ctx, func(err error) { finish(span, err) }
}

// Job begins a trace of a job.
func Job(ctx context.Context, kind string) (context.Context, func(error)) {
	ctx, span := tracer().Start(ctx, "job "+kind, trace.WithSpanKind(trace.SpanKindConsumer))
	return ctx, func(err error) { finish(span, err) }
}

// finish ends a part. Errors carry what they are about, so only that there was one is told.
func finish(span trace.Span, err error) {
	if err != nil {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// Request begins a trace of a request, or goes on with the caller's. Its end is told
// the route's pattern and the status.
func Request(r *http.Request) (context.Context, func(route string, status int)) {
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

// Carry has a call to another system name the trace that it belongs to.
func Carry(ctx context.Context, header http.Header) {
	otel.GetTextMapPropagator().Inject(ctx, propagation.HeaderCarrier(header))
}

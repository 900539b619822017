package db

import (
	"context"
	"runtime"
	"strings"

	"wcpp/internal/platform/tracing"
)

// traceStatement starts a trace span for a statement. Its name is the calling function, because statement
// texts are long and have no name.
func traceStatement(ctx context.Context) (context.Context, func(error)) {
	if !tracing.IsRecording(ctx) {
		return ctx, func(error) {}
	}
	return tracing.StartSpan(ctx, "query "+callerName())
}

// callerName returns the function outside of this package that runs a statement, with its package:
// "search.search".
func callerName() string {
	callers := make([]uintptr, 16)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, "wcpp/") && !strings.HasPrefix(frame.Function, "wcpp/internal/platform/db.") {
			name := frame.Function[strings.LastIndexByte(frame.Function, '/')+1:]
			name, _, _ = strings.Cut(name, "[") // type parameters of a generic function
			return name
		}
		if !more {
			return "of a library"
		}
	}
}

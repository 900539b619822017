package db

import (
	"context"
	"runtime"
	"strings"

	"wcpp/internal/platform/tracing"
)

// asked begins a part of a trace for a statement, named after the function that asks:
// texts of statements are long, and no name of theirs.
func asked(ctx context.Context) (context.Context, func(error)) {
	if !tracing.On(ctx) {
		return ctx, func(error) {}
	}
	return tracing.Begin(ctx, "query "+asker())
}

// asker is the function outside of this package that has a statement run, with its
// package: "bills.search".
func asker() string {
	callers := make([]uintptr, 16)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, "wcpp/") && !strings.HasPrefix(frame.Function, "wcpp/internal/platform/db.") {
			name := frame.Function[strings.LastIndexByte(frame.Function, '/')+1:]
			name, _, _ = strings.Cut(name, "[") // of a generic function
			return name
		}
		if !more {
			return "of a library"
		}
	}
}

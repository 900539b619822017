// Package module says what an area brings to the program, so that the program is
// the list of its areas.
package module

import (
	"context"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/retention"
)

// Module is what one area, or a part of the platform, brings. What it has none
// of stays empty.
type Module struct {
	// Operations adds the calls to the API.
	Operations func(*httpapi.API)
	// Routes adds what is served beside the API.
	Routes func(*http.ServeMux)
	// Jobs names what is done in the background, and when it comes by itself.
	Jobs func(*jobs.Runner)
	// Tidy forgets what is over. It comes each minute and is safe to repeat.
	Tidy func(context.Context) error
	// Keeps names what it keeps, and for how long.
	Keeps []retention.Item
	// Run goes on while the program serves, on each instance.
	Run func(context.Context)
	// Metrics are collected at each scrape.
	Metrics []prometheus.Collector
}

// Package module describes what a domain adds to the program, so that the program is a list of
// its domains.
package module

import (
	"context"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/retention"
)

// Module is the contribution of one domain or platform package. Unused fields are empty.
type Module struct {
	// Operations adds endpoints to the API.
	Operations func(*httpapi.API)
	// Routes adds handlers outside of the API.
	Routes func(*http.ServeMux)
	// Jobs registers background and periodic jobs.
	Jobs func(*jobs.Runner)
	// Cleanup deletes expired data. It runs each minute and is safe to repeat.
	Cleanup func(context.Context) error
	// Retention lists the stored data and its retention.
	Retention []retention.Item
	// Run runs on each instance while the program serves.
	Run func(context.Context)
	// Metrics are collected at each scrape.
	Metrics []prometheus.Collector
}

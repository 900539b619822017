package ingest

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

// Intake is the date of a kind of data.
type Intake struct {
	Data string `json:"data"`
	AsOf string `json:"asOf" doc:"When its last file was imported"`
}

// Intakes lists the date of each kind of data. It omits kinds without imported files.
func (im *Importer) Intakes(ctx context.Context) ([]Intake, error) {
	last, err := lastOfKinds(ctx, im.db.Reader)
	if err != nil {
		return nil, err
	}
	list := []Intake{}
	for _, data := range im.data {
		var asOf time.Time
		for _, l := range last {
			if l.FinishedAt.After(asOf) && im.updatesData(l.Kind, data) {
				asOf = l.FinishedAt.Time
			}
		}
		if !asOf.IsZero() {
			list = append(list, Intake{data, asOf.UTC().Format(time.RFC3339)})
		}
	}
	return list, nil
}

// updatesData reports whether runs of the kind update the data.
func (im *Importer) updatesData(kind, data string) bool {
	return slices.ContainsFunc(im.feeds, func(f Feed) bool { return f.data == data && f.run() == kind })
}

// Module returns the importer's module.
func (im *Importer) Module() module.Module {
	files := retention.For(im.keepDays, "WCPP_FEED_KEEP_DAYS", "Imported files")
	if im.keepDays == 0 {
		files.After = "never stored"
	}
	return module.Module{Operations: im.Register, Metrics: []prometheus.Collector{im}, Cleanup: im.Cleanup, Retention: []retention.Item{
		files.In("feeds/").IfContent(func(ctx context.Context, names []string) ([]string, error) {
			return selectStored(ctx, im.db.Reader, names)
		}),
		retention.For(im.runDays, "WCPP_FEED_RUN_KEEP_DAYS", "Content hashes of imported files; the latest of each kind stays",
			"feed_runs"),
		retention.For(im.reportDays, "WCPP_FEED_REPORT_KEEP_DAYS",
			"Import history and results; the last file of each source stays, and a file until its re-imports are deleted",
			"feed_files", "feed_problems"),
	}}
}

// Register adds the operation for the ages of data. Its API document lists the feeds' data.
func (im *Importer) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "feedIntakes", Method: http.MethodGet, Path: "/feeds/intakes", Summary: "Data dates by kind",
		Access: "settings.read", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[Intake], error) {
		list, err := im.Intakes(ctx)
		return &httpapi.List[Intake]{Body: list}, err
	})
	schema := api.OpenAPI().Components.Schemas.Map()["Intake"].Properties["data"]
	for _, data := range im.data {
		schema.Enum = append(schema.Enum, data)
	}
}

// Describe implements prometheus.Collector. The metric is when the last file of each kind was
// imported.
func (im *Importer) Describe(out chan<- *prometheus.Desc) { out <- intakeMetric }

var intakeMetric = prometheus.NewDesc("wcpp_feed_last_intake_timestamp_seconds", "Time when the last file of a kind was imported.",
	[]string{"kind"}, nil)

// Collect queries the database at each scrape.
func (im *Importer) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	last, err := lastOfKinds(ctx, im.db.Reader)
	if err != nil {
		out <- prometheus.NewInvalidMetric(intakeMetric, err)
		return
	}
	for _, l := range last {
		out <- prometheus.MustNewConstMetric(intakeMetric, prometheus.GaugeValue, float64(l.FinishedAt.Unix()), l.Kind)
	}
}

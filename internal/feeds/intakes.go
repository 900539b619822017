package feeds

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
)

// dataOf names what people look at, and the kinds of feeds that bring it.
var dataOf = []struct {
	name  string
	kinds []string
}{
	{"bills", []string{"x12", "csv-bills"}},
	{"claims", []string{"csv-claims"}},
	{"clients", []string{"csv-clients", "csv-participations", "csv-exclusions"}},
	{"providers", []string{"nppes", "csv-providers", "csv-offices", "csv-specialties"}},
	{"feeSchedules", []string{"csv-rate_codes", "csv-allowances"}},
}

// Intake tells as of when data is.
type Intake struct {
	Data string `json:"data" enum:"bills,claims,clients,providers,feeSchedules"`
	AsOf string `json:"asOf" doc:"When the last file of it was taken to its end"`
}

// Intakes lists as of when the data of each sort is; sorts of which no file was
// taken are left out.
func (im *Importer) Intakes(ctx context.Context) ([]Intake, error) {
	last, err := im.store.lastOfKinds(ctx)
	if err != nil {
		return nil, err
	}
	list := []Intake{}
	for _, d := range dataOf {
		var asOf time.Time
		for _, l := range last {
			if slices.Contains(d.kinds, l.Kind) && l.FinishedAt.After(asOf) {
				asOf = l.FinishedAt.Time
			}
		}
		if !asOf.IsZero() {
			list = append(list, Intake{d.name, asOf.UTC().Format(time.RFC3339)})
		}
	}
	return list, nil
}

type lastRun struct {
	Kind       string
	FinishedAt db.Instant
}

// lastOfKinds answers when the last file of each kind was taken to its end.
func (s store) lastOfKinds(ctx context.Context) ([]lastRun, error) {
	var list []lastRun
	err := db.Select(ctx, s.db.Reader, &list, `
		SELECT kind, max(finished_at) AS finished_at FROM feed_runs WHERE status = 'done' GROUP BY kind ORDER BY kind`)
	return list, err
}

// Register adds the area's operation.
func (im *Importer) Register(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "feedIntakes", Method: http.MethodGet, Path: "/feeds/intakes", Summary: "As of when the data of each sort is",
		Access: "settings.read", Effect: httpapi.Read, Background: true,
	}, func(ctx context.Context, _ *struct{}) (*struct {
		Body []Intake `nullable:"false"`
	}, error) {
		list, err := im.Intakes(ctx)
		return &struct {
			Body []Intake `nullable:"false"`
		}{list}, err
	})
}

// Describe and Collect make the importer a metric: when the last file of each
// kind was taken.
func (im *Importer) Describe(out chan<- *prometheus.Desc) { out <- intakeMetric }

var intakeMetric = prometheus.NewDesc("wcpp_feed_last_intake_timestamp_seconds", "When the last file of a kind was taken to its end.", []string{"kind"}, nil)

// Collect asks the database at each scrape.
func (im *Importer) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	last, err := im.store.lastOfKinds(ctx)
	if err != nil {
		out <- prometheus.NewInvalidMetric(intakeMetric, err)
		return
	}
	for _, l := range last {
		out <- prometheus.MustNewConstMetric(intakeMetric, prometheus.GaugeValue, float64(l.FinishedAt.Unix()), l.Kind)
	}
}

package cases

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/platform/db"
)

// meters count what happens to cases on this instance.
type meters struct {
	answers prometheus.Histogram
	helpful *prometheus.CounterVec
}

// Values of the label answer of the helpful counter.
const (
	yes = "yes"
	no  = "no"
)

func newMeters() meters {
	const hour = 3600
	m := meters{
		answers: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "wcpp_case_answer_seconds", Help: "Time until the first answer to a question.",
			Buckets: []float64{hour, 4 * hour, 8 * hour, 24 * hour, 48 * hour, 72 * hour, 120 * hour, 168 * hour, 336 * hour},
		}),
		helpful: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "wcpp_case_helpful_total", Help: "Answers that an office confirmed (yes) or replied to (no).",
		}, []string{"answer"}),
	}
	for _, answer := range []string{yes, no} {
		m.helpful.WithLabelValues(answer) // so that the first one is an increase
	}
	return m
}

var (
	openMetric    = prometheus.NewDesc("wcpp_cases_open", "Cases that need an answer of the network.", []string{"kind"}, nil)
	overdueMetric = prometheus.NewDesc("wcpp_cases_overdue", "Cases whose promised time of an answer or legal day has passed.", nil, nil)
)

// Describe and Collect make the service a metric of open and overdue cases.
func (s *Service) Describe(out chan<- *prometheus.Desc) { out <- openMetric; out <- overdueMetric }

// Collect queries the database at each scrape.
func (s *Service) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	now := db.At(s.now())
	counts, err := countKinds(ctx, s.db.Reader, now)
	legal, failed := countLegalOverdue(ctx, s.db.Reader, now, s.today())
	if err := errors.Join(err, failed); err != nil {
		out <- prometheus.NewInvalidMetric(openMetric, err)
		return
	}
	overdue := legal.Count
	for _, c := range counts {
		overdue += c.Overdue
		out <- prometheus.MustNewConstMetric(openMetric, prometheus.GaugeValue, float64(c.Count), string(c.Kind))
	}
	out <- prometheus.MustNewConstMetric(overdueMetric, prometheus.GaugeValue, float64(overdue))
}

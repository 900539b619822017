package app

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/riverqueue/river"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/module"
	"wcpp/internal/sessions"
)

// assemble combines the modules into one program.
func (a *App) assemble(modules []module.Module, session *sessions.Service, now func() time.Time, extra *Extra) error {
	mux := http.NewServeMux()
	a.registry = a.newRegistry()
	a.registry.MustRegister(a.watcher.Failing)
	a.API = httpapi.New(mux, httpapi.Deps{Guard: session, Log: a.log, Metrics: a.registry}, httpapi.Settings{
		Title: "Provider portal", Version: Version, PublicURL: a.Config.PublicURL, Shares: a.Config.requestShares()})
	if _, there := a.DB.Replica(); there {
		a.registry.MustRegister(newReplicaMetrics(a.DB)...)
		a.running = append(a.running, a.DB.FollowReplica)
	}
	for _, m := range modules {
		if m.Operations != nil {
			m.Operations(a.API)
		}
		if m.Routes != nil {
			m.Routes(mux)
		}
		if m.Run != nil {
			a.running = append(a.running, m.Run)
		}
		a.retentionItems = append(a.retentionItems, m.Retention...)
		if m.Jobs != nil {
			m.Jobs(a.jobs)
		}
		a.registry.MustRegister(m.Metrics...)
	}
	jobs.Every(a.jobs, time.Minute, cleanupArgs{}, func(ctx context.Context, _ *river.Job[cleanupArgs]) error {
		return runCleanups(ctx, modules)
	})
	jobs.Every(a.jobs, 24*time.Hour, orphanedFilesArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[orphanedFilesArgs]) error {
		return a.RemoveOrphans(ctx, now())
	}))

	// If the database is unavailable, the other metrics are still exported.
	a.Metrics = promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
	metrics := http.NotFoundHandler()
	if extra.Demo {
		metrics = requireDirect(a.Metrics)
	}
	mux.Handle("GET /metrics", httpapi.Route("/metrics", metrics))
	mux.Handle("GET /healthz", httpapi.Route("/healthz", http.HandlerFunc(serveHealth)))
	mux.Handle("GET /readyz", httpapi.Route("/readyz", http.HandlerFunc(a.serveReady)))
	if err := mountWeb(mux, a.Config, extra.Demo, session.Outline); err != nil {
		return err
	}
	mountContentPages(mux, a.Config.Content, now)
	if extra.Mount != nil {
		extra.Mount(mux)
	}
	sharing := http.NewServeMux()
	sharing.Handle("/sso/", a.API.Admit(mux))
	sharing.Handle("/", mux)
	return a.wrap(sharing)
}

// newRegistry returns a registry with the program's own metrics. Each module adds its own.
func (a *App) newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewDBStatsCollector(a.DB.Writer, "writer"),
		newStateMetric("wcpp_ready", "1 if the database responds and accepts writes (same as /readyz), otherwise 0.", func() bool {
			_, err := a.findUnreadyReason(context.Background())
			return err == nil
		}),
		newStateMetric("wcpp_files_reachable", "1 if the last test could write and read files, otherwise 0.", func() bool {
			why := a.storing.Load()
			return why == nil || *why == ""
		}),
		newStateMetric("wcpp_jobs_fetched", "0 if a queue's jobs haven't been fetched for 30 seconds, otherwise 1.", func() bool {
			return a.jobs.Stalled() == ""
		}))
	return r
}

// newStateMetric returns a metric with the value 1 or 0.
func newStateMetric(name, help string, is func() bool) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
		if is() {
			return 1
		}
		return 0
	})
}

// newReplicaMetrics returns metrics for the replica.
func newReplicaMetrics(d *db.DB) []prometheus.Collector {
	gauge := func(name, help string, value func(db.ReplicaStatus) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			s, _ := d.Replica()
			return value(s)
		})
	}
	reads := func(by string, value func(db.ReplicaStatus) int64) prometheus.Collector {
		opts := prometheus.CounterOpts{Name: "wcpp_replica_reads_total", Help: "Reads that the replica can answer, by server.",
			ConstLabels: prometheus.Labels{"by": by}}
		return prometheus.NewCounterFunc(opts, func() float64 { s, _ := d.Replica(); return float64(value(s)) })
	}
	return []prometheus.Collector{
		gauge("wcpp_replica_age_seconds", "How far the replica can be behind, in seconds; -1 if unknown.",
			func(s db.ReplicaStatus) float64 {
				return max(s.Age.Seconds(), -1)
			}),
		reads("replica", func(s db.ReplicaStatus) int64 { return s.Reads }),
		reads("primary", func(s db.ReplicaStatus) int64 { return s.Instead }),
	}
}

// wrap adds the middleware that every response needs.
func (a *App) wrap(mux http.Handler) error {
	cfg := a.Config
	proxies, err := cfg.parseProxies()
	a.Handler = httpapi.Wrap(mux, httpapi.Options{
		Log: a.log, Metrics: a.registry, Brand: cfg.Brand.BrandName, TrustedProxies: proxies, Probe: a.pulse, TLS: cfg.usesTLS(),
		FrameSources:   listOrigins(cfg.Content.HomePageURL, cfg.Content.LoginPageURL, cfg.Chat.ChatURL),
		ConnectSources: listOrigins(cfg.Content.HomePageURL, cfg.Content.LoginPageURL),
	})
	return err
}

// Package app wires the portal: configuration to stores, services, HTTP and
// jobs. It is the one package that knows every area.
package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/riverqueue/river"

	"wcpp/internal/account"
	"wcpp/internal/bills"
	"wcpp/internal/claims"
	"wcpp/internal/clients"
	"wcpp/internal/directory"
	"wcpp/internal/feeschedules"
	"wcpp/internal/notifications"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/events"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/intake"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/resources"
	"wcpp/internal/rosters"
	"wcpp/internal/sessions"
	"wcpp/internal/sso"
	"wcpp/internal/support"
	"wcpp/internal/tins"
	"wcpp/internal/users"
	"wcpp/internal/users/administration"
	"wcpp/internal/users/signin"
)

// Version is the version users see.
const Version = "2.3.35"

// App is a portal, ready to serve.
type App struct {
	Config         Config
	DB             *db.DB
	Users          *users.Service
	SignIn         *signin.Service
	Administration *administration.Service
	Account        *account.Service
	TINs           *tins.Service
	Bills          *bills.Service
	Directory      *directory.Service
	Claims         *claims.Service
	Clients        *clients.Service
	FeeSchedules   *feeschedules.Service
	Notifications  *notifications.Service
	Rosters        *rosters.Service
	Feeds          *intake.Importer
	API            *httpapi.API
	// Handler answers every request.
	Handler http.Handler

	log    *slog.Logger
	audit  *audit.Log
	jobs   *jobs.Runner
	mails  *mail.Outbox
	files  blob.Store
	events *events.Broker
	// outside is the demo's content host.
	outside io.Closer
}

// Extra is what the demo adds to a portal.
type Extra struct {
	Accounts []sso.DemoAccount // listed on the sign-in form
	Password string
	Mount    func(mux *http.ServeMux)
}

// New opens the database, brings it up to date and wires everything. Close
// must be called on what it returns.
func New(ctx context.Context, cfg Config, log *slog.Logger, now func() time.Time, extra *Extra) (*App, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	d, err := db.Open(ctx, cfg.URL())
	if err != nil {
		return nil, err
	}
	a := &App{Config: cfg, DB: d, log: log}
	if err := a.wire(ctx, now, extra); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

func (a *App) wire(ctx context.Context, now func() time.Time, extra *Extra) error {
	if _, err := migrations.Up(ctx, a.DB); err != nil {
		return err
	}
	sealer, err := seal.Open(ctx, a.DB, now())
	if err != nil {
		return err
	}
	cfg := a.Config
	registry := prometheus.NewRegistry()
	a.audit = audit.New(a.DB, now, a.log)
	if a.jobs, err = jobs.New(a.DB, a.log); err != nil {
		return err
	}
	mails, err := a.outbox(now)
	if err != nil {
		return err
	}
	a.mails = mails
	a.Users = users.NewService(a.DB, a.audit, mails, now)
	a.SignIn = signin.NewService(a.DB, a.Users, a.audit, now, signin.Rules{
		Failures: cfg.LockFailures, LockFor: time.Duration(cfg.LockMinutes) * time.Minute,
		DisableIn: time.Duration(cfg.DisableAfterDays) * 24 * time.Hour,
	})
	scopes := tins.NewScopes(a.DB)
	counter := ratelimit.NewShared(a.DB, now)
	a.Directory = directory.NewService(a.DB, scopes)
	a.Claims = claims.NewService(a.DB, a.audit, now)
	a.Clients = clients.NewService(a.DB, scopes, a.Directory, a.audit, now)
	if a.files, err = blob.Open(ctx, cfg.BlobURL, filepath.Join(cfg.Data, "files")); err != nil {
		return err
	}
	a.Rosters = rosters.NewService(a.DB, groups{a.Users}, a.files, a.audit, a.log, now, rosters.Limits{
		FileBytes: int64(cfg.RosterFileMB) << 20, Files: cfg.RosterFiles, EndShare: float64(cfg.RosterEndPercent) / 100,
	})
	a.events = events.New(a.DB, a.log)
	a.FeeSchedules = feeschedules.NewService(a.DB, a.jobs, scopes, a.Directory, a.files, a.events, a.audit, a.log, now)
	zone, err := time.LoadLocation(cfg.TimeZone)
	if err != nil {
		return err
	}
	a.Notifications = notifications.NewService(a.DB, a.jobs, a.events, a.audit, a.log, now, zone, feeschedules.Topic)

	var second *bills.SecondSystem
	if cfg.SecondBillURL != "" {
		second = bills.NewSecondSystem(cfg.SecondBillURL, cfg.SecondBillKey, cfg.SecondBillTimeout)
	}
	a.Bills = bills.NewService(a.DB, scopes, second, sealer, a.audit, a.log, now, bills.Settings{
		Brand: cfg.BrandName, ImageHosts: cfg.ImageHosts, ForeignBillURL: cfg.ForeignBillURL,
	})
	a.TINs = tins.NewService(scopes, groups{a.Users}, a.Bills, a.Directory, mails, a.audit, counter, now, cfg.RestrictedTINs)
	a.Feeds = intake.New(a.DB, now, dataOrder, a.feeds()...)
	content, err := resources.NewService(cfg.ResourceURL, cfg.ResourceKey, cfg.ResourceTimeout, a.audit, a.log)
	if err != nil {
		return err
	}
	chat := support.NewService(support.Platform{URL: cfg.ChatURL, Token: cfg.ChatToken, Key: cfg.ChatHMACKey}, chatPeople{a.Users})

	mux := http.NewServeMux()
	var provider sso.Provider
	var embedded *sso.Embedded
	if cfg.OIDCIssuer != "" {
		provider = sso.NewOIDC(sso.OIDCConfig{
			Issuer: cfg.OIDCIssuer, ClientID: cfg.OIDCClientID, ClientSecret: cfg.OIDCClientSecret,
			PublicURL: cfg.PublicURL, UserNameClaim: cfg.OIDCUserClaim,
		}, identified(a.SignIn))
	} else {
		demo := extra
		if demo == nil {
			demo = &Extra{}
		}
		embedded = sso.NewEmbedded(a.DB, byPassword(a.SignIn), sealer, now, a.log, cfg.BrandName, demo.Accounts, demo.Password)
		embedded.Mount(mux)
		provider = embedded
	}
	signOn := sso.NewService(provider, sealer, now, a.log)
	signOn.Mount(mux)

	session := sessions.NewService(a.DB, sessionAccounts{a.Users, a.FeeSchedules}, signOn, byPassword(a.SignIn), a.audit, now, sessions.Settings{
		Idle: time.Duration(cfg.IdleMinutes) * time.Minute, Lifetime: time.Duration(cfg.SessionHours) * time.Hour,
		LegacySignIn: cfg.LegacySignIn,
	})

	signedIn := signedIn{sessions: session, embedded: embedded}
	signing, err := sealer.Key("reset token")
	if err != nil {
		return err
	}
	a.Account = account.NewService(a.DB, accountHolders{a.Users, a.SignIn}, signedIn, mails, a.audit, counter, now, signing, account.Settings{
		PublicURL: cfg.PublicURL, BrandName: cfg.BrandName, OrganizationName: cfg.OrganizationName,
		SupportEmail: cfg.SupportEmail, InternalDomains: cfg.InternalDomains,
		Neutral:         cfg.AccountDisclosure == "neutral",
		ResetFor:        time.Duration(cfg.ResetLinkMinutes) * time.Minute,
		RegistrationFor: time.Duration(cfg.RegistrationLinkHours) * time.Hour,
		RequestFor:      time.Duration(cfg.RequestLinkHours) * time.Hour,
	})
	a.Administration = administration.NewService(a.DB, a.Users, a.TINs, a.Account, rosterSources{a.Rosters}, signedIn, a.audit)

	a.API = httpapi.New(mux, "Provider portal", Version, session, a.log)
	session.Register(a.API)
	a.Administration.Register(a.API)
	a.Users.Register(a.API)
	a.Account.Register(a.API)
	mails.Register(a.API)
	a.TINs.Register(a.API)
	a.Directory.Register(a.API)
	a.Claims.Register(a.API)
	a.Clients.Register(a.API)
	a.FeeSchedules.Register(a.API)
	a.Notifications.Register(a.API)
	a.Bills.Register(a.API)
	a.Feeds.Register(a.API)
	a.Rosters.Register(a.API)
	content.Register(a.API)
	chat.Register(a.API)

	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewDBStatsCollector(a.DB.Writer, "writer"), a.Feeds, mails.Metrics())
	mux.Handle("GET /metrics", httpapi.Route("/metrics", direct(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))))
	mux.Handle("GET /healthz", httpapi.Route("/healthz", http.HandlerFunc(healthy)))
	mux.Handle("GET /readyz", httpapi.Route("/readyz", http.HandlerFunc(a.ready)))
	if err := mountWeb(mux, cfg, extra != nil); err != nil {
		return err
	}
	if extra != nil && extra.Mount != nil {
		extra.Mount(mux)
	}

	tidy := func(ctx context.Context) error {
		err := errors.Join(a.SignIn.Tidy(ctx), session.Tidy(ctx), a.Account.Tidy(ctx), mails.Tidy(ctx), counter.Tidy(ctx), a.FeeSchedules.Tidy(ctx), a.Rosters.Tidy(ctx))
		if embedded != nil {
			err = errors.Join(err, embedded.Tidy(ctx))
		}
		return err
	}
	jobs.Every(a.jobs, time.Minute, tidyArgs{}, func(ctx context.Context, _ *river.Job[tidyArgs]) error { return tidy(ctx) })
	mails.Jobs(a.jobs)
	a.FeeSchedules.Jobs(a.jobs)
	a.Notifications.Jobs(a.jobs)
	if cfg.FeedURL != "" {
		folder, err := blob.Open(ctx, cfg.FeedURL, "")
		if err != nil {
			return fmt.Errorf("WCPP_FEED_URL: %w", err)
		}
		intake.NewWatch(a.DB, a.jobs, a.Feeds, folder, a.log).Jobs(a.jobs)
	}

	proxies, err := cfg.proxies()
	if err != nil {
		return err
	}
	a.Handler = httpapi.Wrap(mux, httpapi.Options{
		Log: a.log, Metrics: registry, TrustedProxies: proxies, FrameSources: origins(cfg.HomePageURL, cfg.LoginPageURL, cfg.ChatURL), ConnectSources: origins(cfg.LoginPageURL),
		TLS: cfg.tls(),
	})
	return nil
}

// outbox sends mails through the relay, or keeps them as files where there is
// none.
func (a *App) outbox(now func() time.Time) (*mail.Outbox, error) {
	cfg := a.Config
	from := mail.Address{Name: cfg.BrandName, Address: or(cfg.MailFrom, "", cfg.SupportEmail)}
	layout := mail.Layout{
		BrandName: cfg.BrandName, OrganizationName: cfg.OrganizationName,
		SupportEmail: cfg.SupportEmail, SupportPhone: cfg.SupportPhone, PublicURL: cfg.PublicURL,
	}
	transport, err := mail.NewFiles(filepath.Join(cfg.Data, "mail"), from)
	if cfg.SMTPURL != "" {
		var relay mail.Relay
		if relay, err = mail.ParseURL(cfg.SMTPURL); err == nil {
			transport, err = mail.NewSMTP(mail.Options{Relay: relay, From: from, CAFile: cfg.SMTPCAFile})
		}
	}
	if err != nil {
		return nil, err
	}
	return mail.NewOutbox(a.DB, a.jobs, layout, transport, now, a.log), nil
}

// Close lets go of everything the portal holds.
func (a *App) Close() {
	if a.audit != nil {
		a.audit.Close()
	}
	if err := a.DB.Close(); err != nil {
		a.log.Error("database not closed", "error", err)
	}
}

// Serve answers on the listener until the context ends; then requests and jobs
// under way may finish.
func (a *App) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: a.Handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 60 * time.Second,
		WriteTimeout: 120 * time.Second, IdleTimeout: 120 * time.Second, MaxHeaderBytes: 64 << 10,
		ErrorLog:  slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12},
	}
	// Answers are short-lived: a heap of some 60 MB in place of 20 MB spares a quarter of their time.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	// Jobs outlive the signal: Stop below ends them.
	if err := a.jobs.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	heard, deaf := context.WithCancel(context.WithoutCancel(ctx))
	defer deaf()
	go a.events.Run(heard)
	failed := make(chan error, 1)
	go func() {
		if a.Config.TLSCertFile != "" {
			failed <- server.ServeTLS(listener, a.Config.TLSCertFile, a.Config.TLSKeyFile)
			return
		}
		failed <- server.Serve(listener)
	}()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
		a.log.Info("stopping")
	}
	// Streams of events end first, or the server would wait for them.
	a.events.Close()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.Config.StopTimeout)
	defer cancel()
	return errors.Join(err, server.Shutdown(stop), a.jobs.Stop(stop))
}

// direct answers only who asks the program itself: what a proxy passes on came
// from outside.
func direct(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "" {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func healthy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

func (a *App) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := a.DB.Reader.PingContext(ctx); err != nil {
		a.log.WarnContext(ctx, "not ready", "error", err)
		http.Error(w, "the database cannot be reached", http.StatusServiceUnavailable)
		return
	}
	healthy(w, r)
}

// tidyArgs are those of the job that ends locks and forgets what is over.
type tidyArgs struct{}

func (tidyArgs) Kind() string { return "tidy" }

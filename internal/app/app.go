// Package app wires the portal: configuration to stores, services, HTTP and
// jobs. It is the one package that knows every area.
package app

import (
	"context"
	"crypto/tls"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/riverqueue/river"

	"wcpp/internal/account"
	"wcpp/internal/auditlog"
	"wcpp/internal/bills"
	"wcpp/internal/bills/alerts"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/lookup"
	"wcpp/internal/bills/remittances"
	"wcpp/internal/bills/unmatched"
	"wcpp/internal/bills/worklist"
	"wcpp/internal/claims"
	"wcpp/internal/clients"
	"wcpp/internal/codes"
	"wcpp/internal/deadlines"
	"wcpp/internal/desk"
	"wcpp/internal/directory"
	"wcpp/internal/factors"
	"wcpp/internal/feeds"
	"wcpp/internal/feeschedules"
	"wcpp/internal/health"
	"wcpp/internal/notifications"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/events"
	"wcpp/internal/platform/givenup"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/instances"
	"wcpp/internal/platform/intake"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/kept"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/outside"
	"wcpp/internal/platform/private"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/traces"
	"wcpp/internal/resources"
	"wcpp/internal/reviews"
	"wcpp/internal/rosters"
	"wcpp/internal/sessions"
	"wcpp/internal/sso"
	"wcpp/internal/statusline"
	"wcpp/internal/support"
	"wcpp/internal/tins"
	"wcpp/internal/users"
	"wcpp/internal/users/administration"
	"wcpp/internal/users/signin"
	"wcpp/internal/visits"
)

// Version is the version users see; make release sets it.
var Version = "2.3.35"

// App is a portal, ready to serve.
type App struct {
	Config         Config
	DB             *db.DB
	Users          *users.Service
	SignIn         *signin.Service
	Administration *administration.Service
	Account        *account.Service
	Factors        *factors.Service
	TINs           *tins.Service
	Bills          *bills.Service
	OpenBills      *worklist.Service
	Alerts         *alerts.Service
	Ledger         *ledger.Ledger
	Remittances    *remittances.Service
	Lookups        *lookup.Service
	Directory      *directory.Service
	Claims         *claims.Service
	Clients        *clients.Service
	Codes          *codes.Service
	Deadlines      *deadlines.Service
	Desk           *desk.Service
	FeeSchedules   *feeschedules.Service
	Notifications  *notifications.Service
	Rosters        *rosters.Service
	Reviews        *reviews.Service
	Visits         *visits.Service
	Feeds          *intake.Importer
	ControlRoom    *feeds.Service
	Unmatched      *unmatched.Service
	GivenUp        *givenup.Service
	API            *httpapi.API
	// Handler answers every request, Metrics those for metrics, at an address of
	// their own.
	Handler http.Handler
	Metrics http.Handler

	log      *slog.Logger
	sealer   *seal.Sealer
	keeper   *seal.Sealer // of factors
	audit    *audit.Log
	pulse    *db.Pulse
	registry *prometheus.Registry
	here     *instances.Here
	jobs     *jobs.Runner
	keeps    []kept.Item
	mails    *mail.Outbox
	files    blob.Store
	folder   blob.Store // that is watched; nil: none is
	events   *events.Broker
	storing  atomic.Pointer[string] // why files cannot be kept, if they cannot
	watcher  *outside.Watcher
	running  []func(context.Context)
	attempts *ratelimit.Shared
	warned   sync.Once // of proxies, at the first /readyz
	// outside is the demo's content host.
	outside io.Closer
}

// Extra is what the demo adds to a portal.
type Extra struct {
	Demo     bool
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
	for _, dir := range []string{"", "files", "mail"} {
		if err := private.Mend(log, filepath.Join(cfg.Data, dir)); err != nil {
			return nil, err
		}
	}
	d, err := db.Open(ctx, cfg.URL())
	if err != nil {
		return nil, err
	}
	if extra == nil {
		extra = &Extra{}
	}
	d.Limit(cfg.DatabaseConnections)
	if cfg.DatabaseDirectURL != "" {
		d.UseDirect(cfg.DatabaseDirectURL)
	}
	if cfg.DatabaseReplicaURL != "" {
		if err := d.UseReplica(cfg.DatabaseReplicaURL, cfg.DatabaseReplicaLag, log); err != nil {
			return nil, errors.Join(fmt.Errorf("WCPP_DATABASE_REPLICA_URL: %w", err), d.Close())
		}
	}
	a := &App{Config: cfg, DB: d, log: log, pulse: db.NewPulse(d, log)}
	if err := a.wire(ctx, now, extra); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// wire reads like a table of contents: the platform, the areas, what they bring,
// the way in.
func (a *App) wire(ctx context.Context, now func() time.Time, extra *Extra) error {
	if _, err := migrations.Up(ctx, a.DB); err != nil {
		return err
	}
	if err := a.openPlatform(ctx, now); err != nil {
		return err
	}
	modules, session, err := a.areas(now, extra)
	if err != nil {
		return err
	}
	if err := a.receiveRosters(ctx); err != nil {
		return err
	}
	return a.assemble(modules, session, now, extra)
}

// openPlatform opens what the areas stand on. The job runner comes before
// whoever has work done later.
func (a *App) openPlatform(ctx context.Context, now func() time.Time) (err error) {
	if a.sealer, err = seal.Open(ctx, a.DB, "seal", now()); err != nil {
		return err
	}
	if a.keeper, err = seal.Open(ctx, a.DB, factors.SealName, now()); err != nil {
		return err
	}
	// What is audited is kept longer than the other key has to be.
	audited, err := seal.Open(ctx, a.DB, audit.SealName, now())
	if err != nil {
		return err
	}
	signer, err := a.Config.Audit.Signer(ctx, a.DB.Writer)
	if err != nil {
		return err
	}
	a.here = instances.New(a.DB, Version, a.log, now, func(ctx context.Context, living []string) error { return a.jobs.Free(ctx, living) })
	if a.jobs, err = jobs.New(a.DB, a.here.ID, a.Config.Kept.JobKeepDays, a.log); err != nil {
		return err
	}
	a.watcher = outside.NewWatcher(now)
	a.jobs.Observe(func(kind string, err error) { a.watcher.Note(jobsSystem, jobFailure(kind, err)) })
	files, err := blob.Open(ctx, a.Config.Files.BlobURL, filepath.Join(a.Config.Data, "files"))
	if err != nil {
		return err
	}
	a.files = watchedFiles{files, health.Storage, a.watcher}
	if a.Config.Intake.FeedURL != "" {
		folder, err := blob.Open(ctx, a.Config.Intake.FeedURL, "")
		if err != nil {
			return fmt.Errorf("WCPP_FEED_URL: %w", err)
		}
		a.folder = watchedFiles{folder, feedsSystem, a.watcher}
	}
	a.audit = audit.New(a.DB, now, a.log)
	a.audit.Use(audited, signer, users.GroupsOf)
	a.events = events.New(a.DB, a.log)
	a.attempts = ratelimit.NewShared(a.DB, now)

	cfg := a.Config
	from := mail.Address{Name: cfg.Brand.BrandName, Address: or(cfg.Mail.MailFrom, "", cfg.Brand.SupportEmail)}
	transport, err := cfg.Mail.Transport(from, filepath.Join(cfg.Data, "mail"))
	a.mails = mail.NewOutbox(a.DB, a.jobs, mail.Layout{
		BrandName: cfg.Brand.BrandName, OrganizationName: cfg.Brand.OrganizationName,
		SupportEmail: cfg.Brand.SupportEmail, SupportPhone: cfg.Brand.SupportPhone, PublicURL: cfg.PublicURL,
	}, watchedMail{transport, a.watcher}, now, a.log)
	a.mails.OnAgain(func(ctx context.Context, tx *sql.Tx, id int64) error {
		return a.audit.Record(ctx, tx, audit.Entry{Operation: "mail-resend", Subject: fmt.Sprintf("mail %d", id), Result: "ok"})
	})
	return err
}

// areas makes each area of what it stands on, and lists what they bring in the
// order of their operations.
func (a *App) areas(now func() time.Time, extra *Extra) ([]module.Module, *sessions.Service, error) {
	cfg := a.Config
	cfg.Access.Outside = cfg.SSO.Outside()
	zone, err := cfg.Notifications.Zone()
	if err != nil {
		return nil, nil, err
	}
	// A day begins and ends where the business is.
	businessTime := func() time.Time { return now().In(zone) }
	linkKey, err := a.sealer.Key("reset token")
	if err != nil {
		return nil, nil, err
	}
	content, err := resources.NewService(cfg.Content, a.audit, a.log, func(base http.RoundTripper) http.RoundTripper { return a.watcher.Transport(contentSystem, base) })
	if err != nil {
		return nil, nil, err
	}
	scopes := tins.NewScopes(a.DB)
	a.Users = users.NewService(a.DB, a.audit, a.mails, now, cfg.PublicURL)
	a.SignIn = signin.NewService(a.DB, a.Users, a.mails, func(ctx context.Context, userID int64, issuer, subject string) error {
		return a.Account.OfferBinding(ctx, userID, issuer, subject)
	}, func(ctx context.Context, u users.User) (bool, error) {
		return a.Factors.Asked(ctx, u.ID, u.TypeCd)
	}, a.audit, businessTime, cfg.SignIn, cfg.PublicURL)
	a.Directory = directory.NewService(a.DB, scopes)
	a.Claims = claims.NewService(a.DB, a.audit, now, cfg.Claims)
	a.Clients = clients.NewService(a.DB, scopes, a.Directory, a.audit, businessTime)
	a.Rosters = rosters.NewService(a.DB, groups{a.Users}, a.files, a.audit, a.log, businessTime, cfg.Rosters)
	a.FeeSchedules = feeschedules.NewService(a.DB, a.jobs, scopes, a.Directory, a.files, a.events, a.audit, a.log, businessTime)
	a.Notifications = notifications.NewService(a.DB, a.jobs, a.events, a.audit, a.log, now, zone, feeschedules.Topic)
	a.Ledger = ledger.New(a.DB, now)
	a.Ledger.UseDirectory(a.Directory)
	a.Ledger.Keep(cfg.Kept.ChangeKeepDays)
	if a.Codes, err = codes.NewService(a.DB, paymentCodes{a.Ledger}, a.audit, businessTime); err != nil {
		return nil, nil, err
	}
	a.Ledger.UseGlossary(glossary{a.Codes})
	a.Bills = bills.NewService(a.DB, a.Ledger, a.files, scopes, colleagues{a.Users}, cfg.Bills.Second(a.through(secondSystem)), a.sealer, a.audit, a.log, businessTime, cfg.Bills, cfg.Brand.BrandName, cfg.Access.Offers("work.bills"))
	if a.Deadlines, err = deadlines.NewService(a.DB, a.jobs, standings{a.Bills, zone}, openBills{a.Ledger}, a.audit, businessTime); err != nil {
		return nil, nil, err
	}
	a.Ledger.UseDues(dues{a.Deadlines, zone})
	a.OpenBills = worklist.NewService(a.DB, a.jobs, scopes, workers{a.Users, scopes, cfg.Access}, a.Bills, a.files, a.attempts, a.sealer, a.audit, a.log, businessTime)
	a.Users.OnLeave(a.OpenBills.Recheck)
	a.TINs = tins.NewService(scopes, groups{a.Users}, a.Bills, a.Directory, a.OpenBills, a.mails, a.audit, a.log, a.attempts, now, cfg.TINs)
	a.Feeds = intake.New(a.DB, businessTime, dataOrder, a.feeds()...)
	a.Feeds.Keep(a.files, cfg.Intake.FeedKeepDays)
	a.Feeds.KeepTraces(cfg.Kept.FeedRunKeepDays, cfg.Kept.FeedReportKeepDays)
	var watch *intake.Watch
	if a.folder != nil {
		watch = intake.NewWatch(a.DB, a.jobs, a.Feeds, a.folder, cfg.Intake, a.log)
		watch.Keep(cfg.Kept.FeedFolderKeepDays)
	}
	a.ControlRoom = feeds.NewService(a.DB, a.Feeds, watch, a.mails, a.audit, zone, businessTime, cfg.PublicURL, cfg.Feeds)
	a.Remittances = remittances.NewService(a.DB, a.Bills, a.jobs, scopes, colleagues{a.Users}, told{a.Codes}, a.Feeds, a.files, a.audit, a.log, businessTime, cfg.Bills, cfg.Brand.BrandName)
	a.Lookups = lookup.NewService(a.DB, a.jobs, a.Bills, scopes, finders{a.Users, cfg.Access, "work.find"}, billAges{a.Feeds}, a.files, a.attempts, a.audit, a.log, businessTime)
	a.Alerts = alerts.NewService(a.DB, scopes, recipients{a.Users}, a.Bills, billAges{a.Feeds}, a.mails, a.attempts, a.sealer, a.audit, businessTime,
		alerts.Settings{Brand: cfg.Brand.BrandName, PublicURL: cfg.PublicURL, Internal: cfg.Account.Internal})
	a.Desk = desk.NewService(a.DB, a.TINs, lookedAt{
		a.Users, a.Bills, a.Claims, a.Directory, a.SignIn, func() *account.Service { return a.Account }, func() *factors.Service { return a.Factors }, a.mails, a.DB,
	}, ofOffices{
		a.DB, a.TINs, func() *administration.Service { return a.Administration }, a.OpenBills, a.Alerts, a.mails, a.FeeSchedules, a.Rosters, a.Notifications,
	}, a.attempts, a.audit, a.log, businessTime)
	a.Unmatched = unmatched.NewService(a.DB, a.Ledger, a.Bills, a.TINs, a.audit)
	a.Bills.UseDesk(a.Desk)
	a.Remittances.UseDesk(a.Desk)
	chat := support.NewService(cfg.Chat, chatPeople{a.Users})
	terms, err := support.Terms(cfg.Brand)
	if err != nil {
		return nil, nil, err
	}

	ends := &signedIn{} // what is signed in, which the second factor is asked for before
	if a.Factors, err = factors.NewService(a.DB, factorOwners{a.Users}, ends, a.mails, a.audit, a.attempts, a.keeper, a.log, now, a.secondFactor(), cfg.Brand.BrandName, cfg.PublicURL); err != nil {
		return nil, nil, err
	}
	var session *sessions.Service
	provider := a.provider(now, extra, signedOut(func() *sessions.Service { return session }))
	signOn := sso.NewService(provider, a.sealer, now, a.log, func(ctx context.Context, token string) bool { return session.Holds(ctx, token) })
	session = sessions.NewService(a.DB, sessionAccounts{a.Users, a.FeeSchedules}, singleSignOn{signOn}, byPassword(a.SignIn), a.SignIn, a.sealer, a.audit, now, cfg.Access, cfg.Sessions)
	session.UseDesk(a.Desk)
	session.UseScopes(tins.ColumnOf)
	a.Visits = visits.NewService(a.DB, cfg.Access.Offers("visits.read"), sessionAccounts{users: a.Users}, a.Desk, a.mails, a.audit, businessTime, cfg.Sessions.EndOf, bills.Openings, cfg.Brand.BrandName, cfg.PublicURL)
	session.UseVisits(a.Visits)
	a.Alerts.UseVisits(a.Visits)
	*ends = signedIn{session, provider}
	a.Account = account.NewService(a.DB, accountHolders{a.Users, a.SignIn}, ends, a.Factors, a.mails, a.audit, a.attempts, now, linkKey, cfg.Account, cfg.Brand, cfg.PublicURL)
	a.Administration = administration.NewService(a.DB, a.Users, a.TINs, a.Account, rosterSources{a.Rosters}, ends, a.Alerts, a.audit, a.log)
	a.Reviews = reviews.NewService(a.DB, reviewers{groups{a.Users}, workers{users: a.Users}}, a.Administration, a.mails, a.audit, businessTime, cfg.Reviews, bills.Openings, cfg.Brand.BrandName, cfg.PublicURL)
	a.mails.Keep(cfg.Kept.MailKeepDays, filepath.Join(cfg.Data, "mail"))
	a.Account.Keep(cfg.Kept.AccountRequestKeepDays)
	a.Rosters.Keep(cfg.Kept.RosterKeepDays)
	a.Notifications.Keep(cfg.Kept.NotificationKeepDays)
	a.FeeSchedules.Keep(cfg.Kept.FeeScheduleKeepDays)
	a.Desk.Keep(cfg.Kept.DeskKeepDays)
	a.Reviews.KeepFor(cfg.Kept.ReviewKeepDays)
	a.Desk.UseQueues(a.mails, a.jobs, a.queues()...)

	atDesk := ""
	if cfg.Access.Offers("queues.manage") {
		atDesk = cfg.PublicURL + "/wcpp/desk"
	}
	a.GivenUp = givenup.NewService(a.DB, a.mails, cfg.GivenUp, atDesk, a.log, now)

	modules := []module.Module{
		session.Module(), signOn.Module(), provider.Module(), a.SignIn.Module(), a.Administration.Module(), a.Users.Module(),
		a.Account.Module(), a.Factors.Module(), a.mails.Module(), a.GivenUp.Module(), a.kept(), a.here.Module(), a.TINs.Module(), a.Directory.Module(), a.Claims.Module(),
		a.Clients.Module(), a.FeeSchedules.Module(), a.Notifications.Module(), a.Bills.Module(), a.Ledger.Module(), a.Feeds.Module(),
		a.Rosters.Module(), content.Module(), chat.Module(), terms, auditlog.NewService(a.audit, zone).Module(),
	}
	if a.hasReasons() {
		modules = append(modules, a.Codes.Module())
	}
	remitted := a.Remittances.Module()
	if !cfg.Access.Offers("remittances.read") {
		remitted = onlyTidied(remitted) // of files that were made before
	}
	openBills := a.OpenBills.Module()
	if !cfg.Access.Offers("work.bills") {
		openBills = onlyTidied(openBills) // of what was done before
	}
	modules = append(modules, remitted, openBills)
	if a.hasDeadlines() {
		modules = append(modules, a.Deadlines.Module())
	}
	if cfg.Access.Offers("work.find") {
		modules = append(modules, a.Lookups.Module())
	}
	if cfg.Access.Offers("status.manage") {
		modules = append(modules, statusline.NewService(a.DB, a.audit, businessTime).Module())
	}
	if cfg.Access.Offers("access.review") {
		modules = append(modules, a.Reviews.Module())
	}
	visited := a.Visits.Module()
	if !cfg.Access.Offers("visits.read") {
		visited = onlyTidied(visited)
	}
	modules = append(modules, visited)
	if cfg.Access.Offers("desk.open") {
		modules = append(modules, a.Desk.Module(), health.NewService(a.DB, a.watcher, a.log, now, a.here, a.about()).Module())
	}
	if cfg.Access.Offers("feeds.watch") {
		modules = append(modules, a.ControlRoom.Module(), a.Unmatched.Module())
	}
	if watch != nil {
		modules = append(modules, watch.Module())
	}
	news := a.Alerts.Module()
	if !cfg.Access.Offers("digest.own") {
		news = onlyTidied(news) // of what was chosen before
	}
	modules = append(modules, news)
	return modules, session, nil
}

// provider signs people in: an outside one, or the portal's own form.
func (a *App) provider(now func() time.Time, extra *Extra, ended sso.SignedOut) sso.Provider {
	cfg := a.Config
	if cfg.SSO.Outside() {
		return sso.NewOIDC(a.DB, cfg.SSO, cfg.PublicURL, a.through(signOnSystem), identified(a.SignIn, cfg.SSO.Asserts()), ended, now, a.log)
	}
	return sso.NewEmbedded(a.DB, atForm(a.SignIn), secondStep{a.SignIn, a.Factors}, a.sealer, now, a.log, cfg.Brand.BrandName, extra.Accounts, extra.Password)
}

// secondFactor is who has one: nobody where an outside provider asks for it.
func (a *App) secondFactor() factors.Settings {
	if a.Config.SSO.Outside() {
		return factors.None()
	}
	return a.Config.Factors
}

// receiveRosters has the network take over the rosters that groups send.
func (a *App) receiveRosters(ctx context.Context) error {
	cfg := a.Config
	if !cfg.Access.Offers("rosters.receive") {
		return nil
	}
	var out blob.Store
	if cfg.Rosters.RosterOut != "" {
		var err error
		if out, err = blob.Open(ctx, cfg.Rosters.RosterOut, ""); err != nil {
			return fmt.Errorf("WCPP_ROSTER_OUT: %w", err)
		}
		out = watchedFiles{out, rostersSystem, a.watcher}
	}
	a.Rosters.Receive(out, listings{a.Directory}, a.mails, a.jobs, cfg.PublicURL)
	return nil
}

// assemble makes one program of what the modules bring.
func (a *App) assemble(modules []module.Module, session *sessions.Service, now func() time.Time, extra *Extra) error {
	mux := http.NewServeMux()
	a.API = httpapi.New(mux, "Provider portal", Version, session, a.log)
	a.API.PublicURL = a.Config.PublicURL
	a.registry = prometheus.NewRegistry()
	a.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewDBStatsCollector(a.DB.Writer, "writer"),
		state("wcpp_ready", "Whether the database answers and can be written to, as /readyz says: 1, else 0.", func() bool {
			_, err := a.unready(context.Background())
			return err == nil
		}),
		state("wcpp_files_reachable", "Whether files could be kept and read when that was last tried: 1, else 0.", func() bool {
			why := a.storing.Load()
			return why == nil || *why == ""
		}))
	if _, there := a.DB.Replica(); there {
		a.registry.MustRegister(replicaMetrics(a.DB)...)
		a.running = append(a.running, a.DB.FollowReplica)
	}
	a.API.Bound(a.Config.callsAtOnce(), a.registry)
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
		a.keeps = append(a.keeps, m.Keeps...)
		if m.Jobs != nil {
			m.Jobs(a.jobs)
		}
		a.registry.MustRegister(m.Metrics...)
	}
	jobs.Every(a.jobs, time.Minute, tidyArgs{}, func(ctx context.Context, _ *river.Job[tidyArgs]) error { return tidy(ctx, modules) })
	jobs.Every(a.jobs, 24*time.Hour, lostFilesArgs{}, jobs.InParts(func(ctx context.Context, _ *river.Job[lostFilesArgs]) error { return a.RemoveLost(ctx, now()) }))

	// What asks the database is left out while it is away, and the rest told.
	a.Metrics = promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
	metrics := http.NotFoundHandler()
	if extra.Demo {
		metrics = direct(a.Metrics)
	}
	mux.Handle("GET /metrics", httpapi.Route("/metrics", metrics))
	mux.Handle("GET /healthz", httpapi.Route("/healthz", http.HandlerFunc(healthy)))
	mux.Handle("GET /readyz", httpapi.Route("/readyz", http.HandlerFunc(a.ready)))
	if err := mountWeb(mux, a.Config, extra.Demo, session.Outline); err != nil {
		return err
	}
	if extra.Mount != nil {
		extra.Mount(mux)
	}
	return a.wrap(mux)
}

// state is a metric of what is so or not.
func state(name, help string, is func() bool) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
		if is() {
			return 1
		}
		return 0
	})
}

// replicaMetrics tell how a replica does.
func replicaMetrics(d *db.DB) []prometheus.Collector {
	gauge := func(name, help string, value func(db.ReplicaStanding) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { s, _ := d.Replica(); return value(s) })
	}
	reads := func(by string, value func(db.ReplicaStanding) int64) prometheus.Collector {
		opts := prometheus.CounterOpts{Name: "wcpp_replica_reads_total", Help: "Reads that the replica may answer, by who did.", ConstLabels: prometheus.Labels{"by": by}}
		return prometheus.NewCounterFunc(opts, func() float64 { s, _ := d.Replica(); return float64(value(s)) })
	}
	return []prometheus.Collector{
		gauge("wcpp_replica_age_seconds", "Since when the replica may lack what was confirmed; -1 where nobody knows.", func(s db.ReplicaStanding) float64 {
			return max(s.Age.Seconds(), -1)
		}),
		reads("replica", func(s db.ReplicaStanding) int64 { return s.Reads }),
		reads("primary", func(s db.ReplicaStanding) int64 { return s.Instead }),
	}
}

// wrap puts around the routes what every answer has.
func (a *App) wrap(mux *http.ServeMux) error {
	cfg := a.Config
	proxies, err := cfg.proxies()
	a.Handler = httpapi.Wrap(mux, httpapi.Options{
		Log: a.log, Metrics: a.registry, TrustedProxies: proxies, Pulse: a.pulse, TLS: cfg.tls(),
		FrameSources:   origins(cfg.Content.HomePageURL, cfg.Content.LoginPageURL, cfg.Chat.ChatURL),
		ConnectSources: origins(cfg.Content.LoginPageURL),
	})
	return err
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

// CollectAt has memory collected when it has grown by so many percent, unless GOGC
// tells otherwise.
func CollectAt(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
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
	endTraces, err := traces.Start(ctx, Version)
	if err != nil {
		return err
	}
	failed := make(chan error, 2)
	metrics, err := a.serveMetrics(server.ErrorLog, failed)
	if err != nil {
		return err
	}
	defer metrics()
	// Answers are short-lived: a heap of some 60 MB in place of 20 MB spares a quarter of their time.
	CollectAt(400)
	if err := a.here.Begin(ctx); err != nil { // it says so in /readyz, and goes on as soon as it can
		a.log.ErrorContext(ctx, "nothing can be written to the database", "error", err)
	}
	// Jobs outlive the signal: Stop below ends them.
	if err := a.jobs.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	heard, deaf := context.WithCancel(context.WithoutCancel(ctx))
	defer deaf()
	go a.events.Run(heard)
	go a.pulse.Run(heard)
	go a.watchStorage(heard)
	for _, run := range a.running {
		go run(heard)
	}
	go func() {
		if a.Config.TLSCertFile != "" {
			failed <- server.ServeTLS(listener, a.Config.TLSCertFile, a.Config.TLSKeyFile)
			return
		}
		failed <- server.Serve(listener)
	}()
	select {
	case err = <-failed:
	case <-ctx.Done():
		a.log.Info("stopping")
	}
	// Streams of events end first, or the server would wait for them.
	a.events.Close()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.Config.StopTimeout)
	defer cancel()
	err = errors.Join(err, server.Shutdown(stop), a.jobs.Stop(stop), endTraces(stop))
	last, end := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer end()
	if failed := a.here.End(last); failed != nil { // the others find out by themselves
		a.log.WarnContext(ctx, "other instances are not told that this one ends", "error", failed)
	}
	return err
}

// serveMetrics answers GET /metrics at the address that is set for them, until the
// function that it answers is called; without an address nothing does.
func (a *App) serveMetrics(errorLog *log.Logger, failed chan<- error) (end func(), err error) {
	if a.Config.MetricsListen == "" {
		return func() {}, nil
	}
	listener, err := net.Listen("tcp", a.Config.MetricsListen)
	if err != nil {
		return nil, fmt.Errorf("WCPP_METRICS_LISTEN: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.Metrics)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 60 * time.Second, ErrorLog: errorLog}
	go func() { failed <- server.Serve(listener) }()
	return func() { _ = server.Close() }, nil
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

// unready says why calls are refused, and the error behind it; nothing where none is.
func (a *App) unready(ctx context.Context) (why string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := a.DB.Reader.PingContext(ctx); err != nil || !a.pulse.Beats() {
		return "the database cannot be reached", errors.Join(err, db.ErrOutage)
	}
	if err := a.here.Failed(); err != nil {
		return "nothing can be written to the database: " + outside.Words(err), err
	}
	return "", nil
}

func (a *App) ready(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	if why, err := a.unready(ctx); err != nil {
		a.log.WarnContext(ctx, "not ready", "error", err)
		http.Error(w, why, http.StatusServiceUnavailable)
		return
	}
	if warning := a.Config.WarnOfProxies(); warning != "" {
		a.warned.Do(func() { a.log.WarnContext(ctx, warning) })
	}
	if why := a.storing.Load(); why != nil && *why != "" {
		// Most goes on without files: whoever balances leaves the instance in.
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("ok, but files cannot be kept: " + *why + "\n"))
		return
	}
	healthy(w, r)
}

// tidyArgs are those of the job that ends locks and forgets what is over.
type tidyArgs struct{}

func (tidyArgs) Kind() string { return "tidy" }

// tidy lets each module forget what is over; one that fails keeps none of the
// others back.
func tidy(ctx context.Context, modules []module.Module) error {
	var failed []error
	for _, m := range modules {
		if m.Tidy != nil {
			failed = append(failed, m.Tidy(ctx))
		}
	}
	return errors.Join(failed...)
}

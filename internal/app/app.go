// Package app wires the portal: configuration, stores, services, HTTP and jobs. It's the only
// package that depends on every domain package.
package app

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/accesslog"
	"wcpp/internal/accessreview"
	"wcpp/internal/account"
	"wcpp/internal/bills"
	"wcpp/internal/bills/alerts"
	"wcpp/internal/bills/bulklookup"
	"wcpp/internal/bills/cases"
	"wcpp/internal/bills/deposits"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/openbills"
	"wcpp/internal/bills/payercalls"
	"wcpp/internal/bills/remittances"
	"wcpp/internal/bills/unmatchedpayments"
	"wcpp/internal/claims"
	"wcpp/internal/clients"
	"wcpp/internal/deadlines"
	"wcpp/internal/desk"
	"wcpp/internal/directory"
	"wcpp/internal/feeds"
	"wcpp/internal/feeschedules"
	"wcpp/internal/health"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/identity/users/administration"
	"wcpp/internal/identity/users/signin"
	"wcpp/internal/mfa"
	"wcpp/internal/notifications"
	"wcpp/internal/payercontacts"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/cluster"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/deadletter"
	"wcpp/internal/platform/events"
	"wcpp/internal/platform/fileperm"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/retention"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/spool"
	"wcpp/internal/platform/upstream"
	"wcpp/internal/reasoncodes"
	"wcpp/internal/rosters"
	"wcpp/internal/sso"
)

// Version is the version shown to users. make release sets it.
var Version = "2.3.35"

// App is a portal that's ready to serve.
type App struct {
	Config         Config
	DB             *db.DB
	Users          *users.Service
	SignIn         *signin.Service
	Administration *administration.Service
	Account        *account.Service
	Factors        *mfa.Service
	TINs           *tins.Service
	Bills          *bills.Bills
	OpenBills      *openbills.Service
	PayerCalls     *payercalls.Service
	Cases          *cases.Service
	Alerts         *alerts.Service
	Ledger         *ledger.Ledger
	Remittances    *remittances.Service
	Deposits       *deposits.Service
	Lookups        *bulklookup.Service
	Directory      *directory.Service
	Claims         *claims.Service
	Clients        *clients.Service
	Codes          *reasoncodes.Service
	Contacts       *payercontacts.Service
	Deadlines      *deadlines.Service
	Desk           *desk.Service
	FeeSchedules   *feeschedules.Service
	Notifications  *notifications.Service
	Rosters        *rosters.Service
	Reviews        *accessreview.Service
	Visits         *accesslog.Service
	Feeds          *ingest.Importer
	FeedDesk       *feeds.Service
	Unmatched      *unmatchedpayments.Service
	DeadLetters    *deadletter.Service
	API            *httpapi.API
	// Handler serves all requests. Metrics serves metrics on a separate address.
	Handler http.Handler
	Metrics http.Handler

	log            *slog.Logger
	sealer         *seal.Sealer
	keeper         *seal.Sealer // for second factors
	audit          *audit.Log
	pulse          *db.HealthProbe
	registry       *prometheus.Registry
	here           *cluster.Self
	jobs           *jobs.Runner
	retentionItems []retention.Item
	mails          *mail.Outbox
	sender         *mail.Sender
	files          blob.Store
	folder         blob.Store // the watched folder, or nil
	events         *events.Broker
	storing        atomic.Pointer[string] // why files can't be stored, if so
	watcher        *upstream.Watcher
	running        []func(context.Context)
	attempts       *ratelimit.Shared
	kit            platform.Kit
	warned         sync.Once // for the proxy warning at the first /readyz
	alone          sharedFilesWarning
	// outside is the demo's content host.
	outside io.Closer
}

// Extra has the additions of the demo and the simulation to a portal.
type Extra struct {
	// Trace receives each statement before it runs, in the goroutine that runs it; nil: none.
	Trace db.Trace
	// WrapFiles wraps the file storage; nil: not wrapped.
	WrapFiles func(blob.Store) blob.Store

	Demo     bool
	Accounts []sso.DemoAccount // listed on the sign-in form
	Password string
	Mount    func(mux *http.ServeMux)
}

// New opens the database, runs migrations and wires everything. The caller must close the
// returned App.
func New(ctx context.Context, cfg Config, log *slog.Logger, now func() time.Time, extra *Extra) (*App, error) {
	return open(ctx, cfg, log, now, extra, func(d *db.DB) error {
		_, err := migrations.Up(ctx, d)
		return err
	})
}

// open opens the database, migrates its tables with migrate and wires everything.
func open(ctx context.Context, cfg Config, log *slog.Logger, now func() time.Time, extra *Extra, migrate func(*db.DB) error) (*App, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if err := fileperm.CheckOwner(cfg.Data); err != nil {
		return nil, err
	}
	for _, dir := range []string{"", "files", "mail"} {
		if err := fileperm.Restrict(log, filepath.Join(cfg.Data, dir)); err != nil {
			return nil, err
		}
	}
	if extra == nil {
		extra = &Extra{}
	}
	d, err := db.OpenTraced(ctx, cfg.URL(), extra.Trace)
	if err != nil {
		return nil, err
	}
	d.Limit(cfg.DatabaseConnections)
	if cfg.DatabaseDirectURL != "" {
		if err := d.UseDirect(ctx, cfg.DatabaseDirectURL); err != nil {
			return nil, errors.Join(fmt.Errorf("WCPP_DATABASE_DIRECT_URL: %w", err), d.Close())
		}
	}
	if cfg.DatabaseReplicaURL != "" {
		if err := d.UseReplica(cfg.DatabaseReplicaURL, cfg.DatabaseReplicaLag, log); err != nil {
			return nil, errors.Join(fmt.Errorf("WCPP_DATABASE_REPLICA_URL: %w", err), d.Close())
		}
	}
	a := &App{Config: cfg, DB: d, log: log, pulse: db.NewHealthProbe(d, log)}
	err = migrate(d)
	if err == nil {
		err = a.wire(ctx, now, extra)
	}
	if err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// wire sets up the platform, the domains, their modules and sign-in, in that order.
func (a *App) wire(ctx context.Context, now func() time.Time, extra *Extra) error {
	if err := a.openPlatform(ctx, now, extra); err != nil {
		return err
	}
	made, err := a.newDomains(ctx, now, extra)
	if err != nil {
		return err
	}
	return a.assemble(made.listModules(), made.session, now, extra)
}

// openPlatform opens what the domains depend on. The job runner comes before everything that
// enqueues jobs.
func (a *App) openPlatform(ctx context.Context, now func() time.Time, extra *Extra) (err error) {
	if a.sealer, err = seal.Open(ctx, a.DB, "seal", now()); err != nil {
		return err
	}
	if a.keeper, err = seal.Open(ctx, a.DB, mfa.SealName, now()); err != nil {
		return err
	}
	// The audit log has its own key because its retention is longer than the other key's.
	audited, err := seal.Open(ctx, a.DB, audit.SealName, now())
	if err != nil {
		return err
	}
	signer, err := a.Config.Audit.LoadSigner(ctx, a.DB.Writer)
	if err != nil {
		return err
	}
	a.here = cluster.New(a.DB, Version, a.log, now, func(ctx context.Context, living []string) error {
		a.alone.check(ctx, a.log, a.Config.Files.BlobURL, len(living))
		return a.jobs.EndOrphans(ctx, living)
	})
	if a.jobs, err = jobs.New(a.DB, a.here.ID, a.Config.Jobs, a.pulse.QuietLogger(a.log)); err != nil {
		return err
	}
	a.watcher = upstream.NewWatcher(now)
	a.jobs.Observe(func(kind string, err error) { a.watcher.Record(jobsSystem, jobFailure(kind, err)) })
	files, err := blob.Open(ctx, a.Config.Files.BlobURL, filepath.Join(a.Config.Data, "files"))
	switch {
	case err != nil && a.Config.Files.BlobURL != "":
		return fmt.Errorf("WCPP_BLOB_URL: %w", err)
	case err != nil:
		return err
	}
	if extra.WrapFiles != nil {
		files = extra.WrapFiles(files)
	}
	a.files = watchedFiles{files, health.Storage, a.watcher}
	if a.Config.Ingest.FeedURL != "" {
		folder, err := blob.Open(ctx, a.Config.Ingest.FeedURL, "")
		if err != nil {
			return fmt.Errorf("WCPP_FEED_URL: %w", err)
		}
		a.folder = watchedFiles{folder, feedsSystem, a.watcher}
	}
	a.audit = audit.New(audit.Deps{DB: a.DB, Clock: now, Log: a.log, Sealer: audited, Signer: signer, People: users.ListGroupIDs})
	a.events = events.New(a.DB, a.log)
	a.attempts = ratelimit.NewShared(a.DB, now)

	cfg := a.Config
	a.mails = mail.NewOutbox(mail.OutboxDeps{DB: a.DB, Jobs: a.jobs, Clock: now, Folder: cfg.mailFolder(),
		OnRetry: func(ctx context.Context, tx *sql.Tx, id int64) error {
			return a.audit.Record(ctx, tx, audit.Entry{Operation: "mail-resend", Subject: fmt.Sprintf("email %d", id), Result: "ok"})
		}}, cfg.Mail)
	zone, err := cfg.Notifications.Zone()
	a.kit = platform.Kit{DB: a.DB, Audit: a.audit, Clock: now, Zone: zone, Log: a.log, Jobs: a.jobs, Files: a.files,
		Uploads: spool.NewChecker(a.newScanner()), Mail: a.mails, Events: a.events, Limits: a.attempts, Sealer: a.sealer,
		Brand: cfg.Brand, PublicURL: cfg.PublicURL}
	platform.Require(a.kit)
	return err
}

// Close releases everything the portal uses.
func (a *App) Close() {
	if a.audit != nil {
		a.audit.Close()
	}
	if err := a.DB.Close(); err != nil {
		a.log.Error("database not closed", "error", err)
	}
}

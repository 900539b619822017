package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"time"

	"wcpp/internal/health"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/clamd"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/spool"
	"wcpp/internal/platform/upstream"
)

// The external systems with a recorded status.
const (
	mailSystem    = "mail"
	secondSystem  = "second bill system"
	contentSystem = "content host"
	signOnSystem  = "sign-on provider"
	feedsSystem   = "watched folder"
	rostersSystem = "roster folder"
	jobsSystem    = "jobs"
	scannerSystem = "virus scanner"
)

// watchedMail records the mail relay's status. A rejected recipient isn't a relay failure.
type watchedMail struct {
	mail.Transport
	watcher *upstream.Watcher
}

// Send sends an email and records the result.
func (w watchedMail) Send(ctx context.Context, m mail.Message) (err error) {
	_ = w.watcher.Call(ctx, mailSystem, "send", func(ctx context.Context) error {
		if err = w.Transport.Send(ctx, m); mail.Permanent(err) {
			return nil
		}
		return err
	})
	return err
}

// watchedFiles records a storage's status. A missing file isn't a failure.
type watchedFiles struct {
	blob.Store
	system  string
	watcher *upstream.Watcher
}

func (w watchedFiles) call(ctx context.Context, what string, do func(context.Context) error) (err error) {
	_ = w.watcher.Call(ctx, w.system, what, func(ctx context.Context) error {
		if err = do(ctx); errors.Is(err, blob.ErrNotFound) {
			return nil
		}
		return err
	})
	return err
}

func (w watchedFiles) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	var own error // the writer's own error isn't a storage failure
	_ = w.call(ctx, "put", func(ctx context.Context) error {
		failed := false
		err := w.Store.Put(ctx, key, func(out io.Writer) error {
			e := write(out)
			failed = e != nil
			return e
		})
		if own = err; failed {
			return nil
		}
		return err
	})
	return own
}

func (w watchedFiles) Open(ctx context.Context, key string) (f *blob.File, err error) {
	err = w.call(ctx, "open", func(ctx context.Context) error {
		f, err = w.Store.Open(ctx, key)
		return err
	})
	return f, err
}

func (w watchedFiles) Move(ctx context.Context, from, to string) error {
	return w.call(ctx, "move", func(ctx context.Context) error { return w.Store.Move(ctx, from, to) })
}

func (w watchedFiles) Delete(ctx context.Context, key string) error {
	return w.call(ctx, "delete", func(ctx context.Context) error { return w.Store.Delete(ctx, key) })
}

func (w watchedFiles) List(ctx context.Context, prefix string) iter.Seq2[blob.Entry, error] {
	return func(yield func(blob.Entry, error) bool) {
		var failed error
		for entry, err := range w.Store.List(ctx, prefix) {
			failed = errors.Join(failed, err)
			if !yield(entry, err) {
				break
			}
		}
		w.watcher.Record(w.system, failed)
	}
}

// watchedScanner records the virus scanner's status. A virus isn't a failure.
type watchedScanner struct {
	scanner *clamd.Scanner
	watcher *upstream.Watcher
}

// newScanner returns the virus scanner, or nil without one.
func (a *App) newScanner() spool.Scanner {
	if a.Config.Scanner.Clamd == "" {
		return nil
	}
	return watchedScanner{clamd.New(a.Config.Scanner), a.watcher}
}

// Scan checks a file and records the result.
func (w watchedScanner) Scan(ctx context.Context, file io.Reader) (virus string, err error) {
	err = w.watcher.Call(ctx, scannerSystem, "scan", func(ctx context.Context) error {
		virus, err = w.scanner.Scan(ctx, file)
		return err
	})
	return virus, err
}

// jobFailure returns the job's kind as the error, because the job's own error can have
// identifying data.
func jobFailure(kind string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return upstream.Failure("The job " + kind + " failed. See the log for details.")
}

// probeLimit is how long a test of the storage can take.
const probeLimit = 25 * time.Second

// watchStorage writes and reads a small file every 30 seconds until ctx ends, to check the storage. A
// network disk whose server is gone blocks a probe, whatever its context. The next one waits for it.
func (a *App) watchStorage(ctx context.Context) {
	tick := time.NewTicker(30 * time.Second)
	defer tick.Stop()
	results, isRunning := make(chan error, 1), false
	for ctx.Err() == nil {
		if !isRunning {
			isRunning = true
			go func() { results <- a.probeStorage(ctx) }()
		}
		select {
		case err := <-results:
			isRunning = false
			a.recordProbe(ctx, err)
		case <-time.After(probeLimit):
			a.recordProbe(ctx, context.DeadlineExceeded)
		case <-ctx.Done():
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

func (a *App) recordProbe(ctx context.Context, err error) {
	why := ""
	if err != nil {
		why = upstream.DescribeError(err)
	}
	if was := a.storing.Swap(&why); err != nil && ctx.Err() == nil && (was == nil || *was == "") {
		a.log.ErrorContext(ctx, "file storage is failing", "error", err)
	}
}

// storageProbe is shared by all instances, so a killed one leaves no extra file. Backups don't
// include it.
const storageProbe = "health/probe"

func (a *App) probeStorage(ctx context.Context) error {
	full := make([]byte, 64<<10) // the space that a typical file needs
	err := blob.ErrNotFound
	for tries := 0; errors.Is(err, blob.ErrNotFound) && tries < 3; tries++ { // another instance can have deleted it
		if err = blob.Copy(ctx, a.files, storageProbe, bytes.NewReader(full)); err != nil {
			return err
		}
		var f *blob.File
		if f, err = a.files.Open(ctx, storageProbe); err == nil {
			_, err = io.Copy(io.Discard, f)
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		return err
	}
	return a.files.Delete(ctx, storageProbe)
}

// transport monitors requests to a system.
func (a *App) transport(system string) http.RoundTripper { return a.watcher.Transport(system, nil) }

// newAbout returns the program's configured dependencies.
func (a *App) newAbout() health.About {
	cfg := a.Config
	either := func(set bool, yes, no string) string {
		if set {
			return yes
		}
		return no
	}
	return health.About{Version: Version, Systems: []health.System{
		{Name: health.Database, Title: "Database", What: either(a.DB.Dialect.Name == "postgres", "PostgreSQL", "SQLite")},
		{Name: health.Storage, Title: "Storage", What: either(cfg.Files.BlobURL != "", "WCPP_BLOB_URL", "Data directory")},
		{Name: jobsSystem, Title: "Jobs", What: "Background jobs"},
		{Name: mailSystem, Title: "Email", What: either(cfg.Mail.SMTPURL != "", "Mail server (WCPP_SMTP_URL)", "Saved as files, not sent")},
		{Name: feedsSystem, Title: "Imports", What: either(cfg.Ingest.FeedURL != "", "Watch folder (WCPP_FEED_URL)", "No watch folder"),
			Absent: cfg.Ingest.FeedURL == ""},
		{Name: rostersSystem, Title: "Rosters", What: either(cfg.Rosters.RosterOut != "", "Delivery folder (WCPP_ROSTER_OUT)",
			"No delivery folder"), Absent: cfg.Rosters.RosterOut == ""},
		{Name: scannerSystem, Title: "Virus scanner", What: either(cfg.Scanner.Clamd != "", "WCPP_CLAMD", "Not set up"),
			Absent: cfg.Scanner.Clamd == ""},
		{Name: secondSystem, Title: "Second bill system", What: either(cfg.Bills.SecondBillURL != "", "WCPP_SECOND_BILL_URL", "Not set up"),
			Absent: cfg.Bills.SecondBillURL == ""},
		{Name: contentSystem, Title: "Content host", What: either(cfg.Content.ResourceURL != "", "WCPP_RESOURCE_URL", "Not set up"),
			Absent: cfg.Content.ResourceURL == ""},
		{Name: signOnSystem, Title: "Sign-on", What: either(cfg.SSO.IsExternal(), "Identity provider (WCPP_OIDC_ISSUER)",
			"Built-in sign-in form"), Absent: !cfg.SSO.IsExternal()},
		{Name: "chat", Title: "Chat", What: either(cfg.Chat.ChatURL != "", "Browsers connect directly, so it isn't checked", "Not set up"),
			Absent: cfg.Chat.ChatURL == ""},
	}, Cleanups: a.listCleanups}
}

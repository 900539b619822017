package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/notifications"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
)

type importFlags struct {
	app.Store
	blob.Settings
	ingest.Retention
	Access   access.Settings        // without the Workspace, its feeds don't exist
	Business notifications.Settings // for the time zone of feed dates
	Again    bool                   `help:"Re-import files that were already imported."`
	Quiet    bool                   `help:"Don't send notifications about imported data."`
	JSON     bool                   `help:"Print the report as JSON."`
}

type importFiles struct {
	importFlags
	Files []string `arg:"" name:"file" help:"Files to import, in this order."`
}

// Validate returns an error if a file doesn't exist or isn't a regular file.
func (c *importFiles) Validate() error {
	if err := checkExist(c.Files...); err != nil {
		return err
	}
	for _, path := range c.Files {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a folder; list the files inside it", path)
		}
	}
	return nil
}

func checkExist(paths ...string) error {
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			return err
		}
	}
	return nil
}

// Exit codes from sysexits.h for problems that the operator must fix. The files themselves
// aren't at fault.
const (
	exitUsage       = 64 // command-line error
	exitUnavailable = 69 // database unavailable
	exitStorage     = 74 // disk full or failing
	exitAgain       = 75 // interrupted, another process is importing the file, or the portal must be restarted
)

// exitCode returns the exit code for a failed import.
func exitCode(ctx context.Context, err error) exit {
	switch {
	case ctx.Err() != nil, errors.Is(err, ingest.ErrOtherRun), errors.Is(err, app.ErrOutdated):
		return exitAgain
	case db.IsStorageFault(err):
		return exitStorage
	case db.IsUnavailable(err):
		return exitUnavailable
	}
	return exitFailed
}

func (c importFiles) run(ctx context.Context, kind string, opts ingest.Options) error {
	return c.importAll(ctx, kind, c.Files, opts)
}

// importAll imports files and returns the exit code.
func (c importFlags) importAll(ctx context.Context, kind string, files []string, opts ingest.Options) error {
	return reportFailure(ctx, c.importEach(ctx, kind, files, opts))
}

// reportFailure prints an error other than an exit code, and returns its exit code.
func reportFailure(ctx context.Context, err error) error {
	var code exit
	if err == nil || errors.As(err, &code) {
		return err
	}
	fmt.Fprintln(os.Stderr, "wcpp:", err)
	return exitCode(ctx, err)
}

func (c importFlags) importEach(ctx context.Context, kind string, files []string, opts ingest.Options) error {
	clean, err := c.UseTempDir()
	if err != nil {
		return err
	}
	defer clean()
	app.SetGCPercent(200) // rows are short-lived, so 10 MB more memory cuts the GC time to a tenth
	opts.Again, opts.Quiet = c.Again, c.Quiet
	ctx = db.WithConfirmedCommits(ctx)
	cfg := app.NewStoreConfig(c.Store)
	cfg.Files, cfg.Ingest.Retention, cfg.Notifications, cfg.Access = c.Settings, c.Retention, c.Business, c.Access
	a, err := app.NewForCommand(ctx, cfg, newLogger("warn"), time.Now)
	if err != nil {
		return err
	}
	defer a.Close()
	worst := 0
	for _, file := range files {
		opts.Progress = showProgress(file)
		report, err := a.Feeds.Import(ctx, kind, file, opts)
		if err != nil {
			if errors.Is(err, context.Canceled) {
				return fmt.Errorf("%s: stopped; run the same command again to resume", file)
			}
			if errors.Is(err, db.ErrCommitUnknown) {
				return fmt.Errorf("%s: %w; run the same command again to check and resume", file, err)
			}
			return fmt.Errorf("%s: %w", file, err)
		}
		if c.JSON {
			enc := json.NewEncoder(os.Stdout)
			enc.SetIndent("", "  ")
			if err := enc.Encode(report); err != nil {
				return err
			}
		} else if err := report.WriteText(os.Stdout); err != nil {
			return err
		}
		worst = max(worst, report.ExitCode())
	}
	if worst > 0 {
		return exit(worst)
	}
	return nil
}

func showProgress(file string) func(ingest.Progress) {
	return func(p ingest.Progress) {
		percent := 100.0
		if p.Total > 0 {
			percent = float64(p.Bytes) / float64(p.Total) * 100
		}
		fmt.Fprintf(os.Stderr, "%s: %s %3.0f %%, %d records\n", file, p.Phase, percent, p.Records)
	}
}

const exitCodes = `
Exit codes: 0 if all records were imported, 1 if some were rejected, 2 if a whole file was rejected. For other
problems: 64 for invalid arguments, 69 if the database is unreachable, 74 if a disk is full or fails, 75 if the
import was stopped, another run is importing the file, or the portal must be restarted after an upgrade first.
To resume an interrupted import, import the file again. A file that was already imported changes nothing.`

type importX12Cmd struct {
	TakeTest bool `env:"WCPP_FEED_TAKE_TEST" help:"Import test files (ISA15 T)."`
	importFiles
}

func (importX12Cmd) Help() string {
	return `Example:
  wcpp import x12 --data ./data claims.837 remits.835
` + exitCodes
}

func (c *importX12Cmd) Run(ctx context.Context) error {
	return c.run(ctx, "x12", ingest.Options{AllowTest: c.TakeTest})
}

// feedTable is a CSV table type.
type feedTable string

// Choices returns the available table types.
func (feedTable) Choices() []string { return app.FeedTables() }

type importCSVCmd struct {
	Kind feedTable `required:"" placeholder:"KIND" help:"Row type: ${enum}."`
	importFiles
}

func (importCSVCmd) Help() string {
	return `For the columns of each kind, see docs/columns.md. A name such as users.rows120.csv declares 120 rows. If the count
differs, the file is rejected.

Example:
  wcpp import csv --kind users --data ./data users.csv
` + exitCodes
}

func (c *importCSVCmd) Run(ctx context.Context) error {
	return c.run(ctx, string(c.Kind), ingest.Options{})
}

type importNPPESCmd struct{ importFiles }

func (importNPPESCmd) Help() string {
	return `Reads NPPES files as published, of any size. Providers are identified by NPI. To import the TINs they bill under,
use csv --kind provider_tins.

Example:
  wcpp import nppes --data ./data npidata_pfile.csv
` + exitCodes
}

func (c *importNPPESCmd) Run(ctx context.Context) error {
	return c.run(ctx, "nppes", ingest.Options{})
}

type importDocumentsCmd struct {
	importFlags
	Paths []string `arg:"" name:"path" help:"ZIP archives or folders to import, in this order."`
}

func (importDocumentsCmd) Help() string {
	return `An archive or folder contains PDF, TIFF, JPEG and PNG files and a table, manifest.csv. Its columns are tin,
bill_control_number, kind (image, eor or pricing-sheet) and file. Import the bills first.

Example:
  wcpp import documents --data ./data documents-2026-11.zip scans/
` + exitCodes
}

// Validate returns an error if a path doesn't exist.
func (c *importDocumentsCmd) Validate() error { return checkExist(c.Paths...) }

func (c *importDocumentsCmd) Run(ctx context.Context) error {
	clean, err := c.UseTempDir()
	if err == nil {
		defer clean()
		err = c.pack()
	}
	if err != nil {
		return reportFailure(ctx, err)
	}
	return c.importAll(ctx, "documents", c.Paths, ingest.Options{})
}

// pack replaces each folder by an archive of it.
func (c *importDocumentsCmd) pack() error {
	packed, err := os.MkdirTemp("", "wcpp-documents")
	if err != nil {
		return err
	}
	for i, path := range c.Paths {
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			c.Paths[i] = filepath.Join(packed, strconv.Itoa(i), filepath.Base(path)+".zip")
			err = ingest.Pack(path, c.Paths[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"wcpp/internal/app"
	"wcpp/internal/platform/cluster"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/disk"
	"wcpp/internal/platform/migrations"
	"wcpp/internal/platform/text"
)

type serveCmd struct {
	app.Config
}

func (serveCmd) Help() string {
	return `Examples:
  wcpp serve --data /var/lib/wcpp
  WCPP_DATABASE_URL=postgres://wcpp:secret@db/wcpp WCPP_PUBLIC_URL=https://portal.example wcpp serve --listen :8080
  wcpp serve --config /etc/wcpp.yaml`
}

func (c *serveCmd) Run(ctx context.Context) error {
	log := newLogger(c.LogLevel)
	if err := c.Check(); err != nil {
		return err
	}
	listener, err := listen(c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	a, err := app.OpenServing(ctx, log, listener, func() (*lockedPortal, error) {
		return openLocked(c.Store, func() (*app.App, error) { return app.New(ctx, c.Config, log, time.Now, nil) })
	})
	if err != nil {
		return err
	}
	defer a.leave()
	if missing := c.Brand.Missing(); len(missing) > 0 {
		log.Warn("settings shown to users are missing", "notSet", missing)
	}
	if names := listUnknownVariables(); len(names) > 0 {
		log.Warn("unknown WCPP_ variables are set; for valid names, run wcpp serve --help", "names", names)
	}
	if free, err := disk.Free(c.Data); err == nil && free < disk.Little {
		log.Warn("the disk of the data directory is almost full; free some space", "freeMB", free>>20)
	}
	if warning := a.Config.WarnOfProxies(); warning != "" {
		log.Warn(warning)
	}
	if a.DB.Pooled() {
		log.Warn("a connection pooler is in use; set WCPP_DATABASE_DIRECT_URL to the server itself, or updates from other instances " +
			"can be missed")
	}
	if c.MetricsListen == "" {
		log.Info("metrics are off; set WCPP_METRICS_LISTEN to turn them on")
	}
	log.Info("serving", "address", listener.Addr().String(), "publicUrl", a.Config.PublicURL, "database", a.DB.Dialect.Name, "version",
		app.Version)
	return a.Serve(ctx, listener)
}

type demoCmd struct {
	app.Config
	Bills  int  `default:"2000" help:"Number of sample bills for an empty data directory."`
	Public bool `help:"Listen on public addresses. Anyone who connects can sign in."`
}

func (demoCmd) Help() string {
	return `Starts with an empty directory and keeps its data between restarts.

Examples:
  wcpp demo
  wcpp demo --listen 127.0.0.1:9000 --data /tmp/wcpp --bills 100000`
}

func (c *demoCmd) Run(ctx context.Context) error {
	if !c.Public && !isLoopback(c.Listen) {
		return fmt.Errorf("the demo's passwords are public, so it listens only on loopback; use --listen 127.0.0.1:8080, or --public " +
			"to allow other addresses")
	}
	if c.LogLevel == "info" {
		c.LogLevel = "warn"
	}
	log := newLogger(c.LogLevel)
	listener, err := listen(c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	a, err := openLocked(c.Store, func() (*app.App, error) {
		return app.NewDemo(ctx, c.Config, app.DemoOptions{Address: listener.Addr(), Bills: c.Bills, Progress: func(line string) {
			fmt.Fprintln(os.Stderr, line)
		}}, log, time.Now)
	})
	if err != nil {
		return err
	}
	defer a.leave()
	debug.FreeOSMemory() // release memory used to create the demo data
	greeting, err := a.DemoGreeting(ctx)
	if err != nil {
		return err
	}
	fmt.Print(greeting)
	return a.Serve(ctx, listener)
}

func listen(address string) (app.Listener, error) {
	at, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("WCPP_LISTEN: %w", err)
	}
	listener, can := at.(app.Listener)
	if !can {
		return nil, errors.Join(errors.New("WCPP_LISTEN: not a valid TCP address"), at.Close())
	}
	return listener, nil
}

// lockedPortal is a portal that locks its embedded database and has a folder for temporary files
// until it exits.
type lockedPortal struct {
	*app.App
	leave func()
}

func openLocked(s app.Store, open func() (*app.App, error)) (*lockedPortal, error) {
	release, err := db.LockDatabase(s.URL())
	if err != nil {
		return nil, err
	}
	clean, err := s.UseTempDir()
	if err != nil {
		return nil, errors.Join(err, release())
	}
	leave := func() {
		clean()
		_ = release() // exiting releases it too
	}
	a, err := open()
	if err != nil {
		leave()
		return nil, err
	}
	return &lockedPortal{a, func() { a.Close(); leave() }}, nil
}

func isLoopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	return err == nil && text.IsLoopback(host)
}

type migrateCmd struct {
	app.Store
	To         int64 `xor:"way" placeholder:"VERSION" help:"Migrate back to this version. Deletes newer data."`
	Down       bool  `xor:"way" help:"Delete all tables and all data."`
	Yes        bool  `help:"Don't ask before --to or --down deletes data."`
	Partitions int   `xor:"way" placeholder:"N" help:"Also split bill and payment tables into N partitions (PostgreSQL only)."`
}

func (migrateCmd) Help() string {
	return `serve runs migrations when it starts. Use this command to run them earlier, or to go back after an upgrade. Back up first.

Examples:
  wcpp migrate --database-url postgres://wcpp:secret@db/wcpp
  wcpp migrate --data /var/lib/wcpp --to 69 --yes
  wcpp migrate --database-url postgres://wcpp:secret@db/wcpp --partitions 16   # also while the portal is serving`
}

func (c *migrateCmd) Run(ctx context.Context) error {
	if c.isDowngrade() {
		if err := c.CheckExists(); err != nil {
			return err
		}
	}
	release, err := db.LockDatabase(c.URL())
	if err != nil {
		return err
	}
	defer release() //nolint:errcheck // the program's end does it too
	if err := c.checkSameDatabase(ctx); err != nil {
		return err
	}
	d, err := db.Open(ctx, c.DirectURL())
	if err != nil {
		return err
	}
	defer d.Close()
	if c.isDowngrade() { // never drop tables while a portal runs
		if err = cluster.CheckAlone(ctx, d, time.Now()); err == nil {
			err = c.confirmLoss()
		}
	}
	switch {
	case err != nil:
		return err
	case c.Down:
		err = migrations.DownTo(ctx, d, 0)
	case c.To > 0:
		err = migrations.DownTo(ctx, d, c.To)
	default:
		_, err = migrations.Up(ctx, d)
	}
	if err == nil && c.Partitions != 0 {
		err = migrations.Partition(ctx, d, c.Partitions, func(line string) { fmt.Println(line) })
	}
	if err != nil {
		return err
	}
	version, err := migrations.Version(ctx, d)
	if err == nil {
		fmt.Printf("database version: %d\n", version)
	}
	return err
}

func (c *migrateCmd) isDowngrade() bool { return c.Down || c.To > 0 }

// confirmLoss returns an error unless the operator confirmed the data loss with --yes or on a
// terminal.
func (c *migrateCmd) confirmLoss() error {
	loss := fmt.Sprintf("All tables and data in %s will be deleted", c.databaseName())
	if c.To > 0 {
		loss = fmt.Sprintf("%s will go back to version %d, and the data of newer tables will be deleted", c.databaseName(), c.To)
	}
	if c.Yes || isTerminal(os.Stdin) && confirm(os.Stdin, os.Stderr, loss+". You can undo this only with a backup.") {
		return nil
	}
	return errors.New("no changes made. " + loss + ". Back up first, then use --yes")
}

// databaseName returns the database address without the credentials.
func (c *migrateCmd) databaseName() string {
	if path, embedded := db.Path(c.URL()); embedded {
		return path
	}
	address, err := url.Parse(c.DirectURL())
	if err != nil {
		return "the database"
	}
	return address.Host + address.Path
}

// isTerminal reports whether f is interactive.
func isTerminal(f *os.File) bool {
	is, err := f.Stat()
	nobody, errNobody := os.Stat(os.DevNull)
	return err == nil && is.Mode()&os.ModeCharDevice != 0 && (errNobody != nil || !os.SameFile(is, nobody))
}

// confirm asks for confirmation. Only "yes" confirms.
func confirm(answers io.Reader, asks io.Writer, loss string) bool {
	if _, err := io.WriteString(asks, loss+"\nType yes to continue: "); err != nil {
		return false // not asked yet
	}
	line, _ := bufio.NewReader(answers).ReadString('\n') // a final line without a newline is valid
	return strings.EqualFold(strings.TrimSpace(line), "yes")
}

// checkSameDatabase returns an error if the two addresses are for different databases.
func (c *migrateCmd) checkSameDatabase(ctx context.Context) error {
	if c.DatabaseDirectURL == "" {
		return nil
	}
	d, err := db.Open(ctx, c.URL())
	if err != nil {
		return err
	}
	if err = d.UseDirect(ctx, c.DatabaseDirectURL); err != nil {
		err = fmt.Errorf("WCPP_DATABASE_DIRECT_URL: %w", err)
	}
	return errors.Join(err, d.Close())
}

type openapiCmd struct{}

func (openapiCmd) Help() string {
	return `Example:
  wcpp openapi > openapi.json`
}

func (openapiCmd) Run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "wcpp-openapi")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	a, err := app.New(ctx, app.NewStoreConfig(app.Store{Data: dir}), newLogger("error"), time.Now, nil)
	if err != nil {
		return err
	}
	defer a.Close()
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(a.API.OpenAPI())
}

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
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/instances"
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
	log := logger(c.LogLevel)
	if err := c.Check(); err != nil {
		return err
	}
	listener, err := listen(c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	a, err := app.OpenServing(ctx, log, listener, func() (*settled, error) {
		return settle(c.Store, func() (*app.App, error) { return app.New(ctx, c.Config, log, time.Now, nil) })
	})
	if err != nil {
		return err
	}
	defer a.leave()
	if missing := c.Brand.Missing(); len(missing) > 0 {
		log.Warn("users read texts that these settings complete", "notSet", missing)
	}
	if names := unknownVariables(); len(names) > 0 {
		log.Warn("variables are set that are no setting: wcpp serve --help lists those that there are", "names", names)
	}
	if warning := a.Config.WarnOfProxies(); warning != "" {
		log.Warn(warning)
	}
	if a.DB.Pooled() {
		log.Warn("a pooler stands between the portal and PostgreSQL: name the server itself by WCPP_DATABASE_DIRECT_URL, or news of other instances may not be heard")
	}
	if c.MetricsListen == "" {
		log.Info("metrics are not answered: WCPP_METRICS_LISTEN names an address for them")
	}
	log.Info("serving", "address", listener.Addr().String(), "publicUrl", a.Config.PublicURL, "database", a.DB.Dialect.Name, "version", app.Version)
	return a.Serve(ctx, listener)
}

type demoCmd struct {
	app.Config
	Bills  int  `default:"2000" help:"How many invented bills an empty data directory gets."`
	Public bool `help:"Listen on other addresses than loopback: everybody who reaches it can sign in."`
}

func (demoCmd) Help() string {
	return `Starts alone from an empty directory and keeps its data on restart.

Examples:
  wcpp demo
  wcpp demo --listen 127.0.0.1:9000 --data /tmp/wcpp --bills 100000`
}

func (c *demoCmd) Run(ctx context.Context) error {
	if !c.Public && !isLoopback(c.Listen) {
		return fmt.Errorf("the demo listens on loopback only, its accounts are known to everyone: use --listen 127.0.0.1:8080, or --public if you mean it")
	}
	if c.LogLevel == "info" {
		c.LogLevel = "warn"
	}
	log := logger(c.LogLevel)
	listener, err := listen(c.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	a, err := settle(c.Store, func() (*app.App, error) {
		return app.NewDemo(ctx, c.Config, listener.Addr(), c.Bills, log, time.Now, func(line string) { fmt.Fprintln(os.Stderr, line) })
	})
	if err != nil {
		return err
	}
	defer a.leave()
	debug.FreeOSMemory() // what making the demo took
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
		return nil, errors.Join(errors.New("WCPP_LISTEN: is no address of TCP"), at.Close())
	}
	return listener, nil
}

// settled is a portal that has its embedded database for itself, and a folder for
// temporary files, until it leaves.
type settled struct {
	*app.App
	leave func()
}

func settle(s app.Store, open func() (*app.App, error)) (*settled, error) {
	release, err := db.Hold(s.URL())
	if err != nil {
		return nil, err
	}
	clean, err := s.Scratch()
	if err != nil {
		return nil, errors.Join(err, release())
	}
	leave := func() {
		clean()
		_ = release() // the program's end does it too
	}
	a, err := open()
	if err != nil {
		leave()
		return nil, err
	}
	return &settled{a, func() { a.Close(); leave() }}, nil
}

func isLoopback(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	return err == nil && text.IsLoopback(host)
}

type migrateCmd struct {
	app.Store
	To         int64 `xor:"way" placeholder:"VERSION" help:"Go back to the tables of an earlier version instead; the data of what came later is lost."`
	Down       bool  `xor:"way" help:"Take every table away again, with all data."`
	Yes        bool  `help:"Give up data without asking, where --to or --down does."`
	Partitions int   `xor:"way" placeholder:"N" help:"Also part the tables of bills and payments by TIN into so many partitions each; PostgreSQL only."`
}

func (migrateCmd) Help() string {
	return `serve migrates by itself; this does it beforehand, or goes back after an upgrade (back up first).

Examples:
  wcpp migrate --database-url postgres://wcpp:secret@db/wcpp
  wcpp migrate --data /var/lib/wcpp --to 11 --yes
  wcpp migrate --database-url postgres://wcpp:secret@db/wcpp --partitions 16   # while the portal serves, too`
}

func (c *migrateCmd) Run(ctx context.Context) error {
	if c.goesBack() {
		if err := c.MustExist(); err != nil {
			return err
		}
	}
	release, err := db.Hold(c.URL())
	if err != nil {
		return err
	}
	defer release() //nolint:errcheck // the program's end does it too
	if err := c.sameDatabase(ctx); err != nil {
		return err
	}
	d, err := db.Open(ctx, c.DirectURL())
	if err != nil {
		return err
	}
	defer d.Close()
	if c.goesBack() { // from under a portal that serves no table is taken
		if err = instances.Alone(ctx, d, time.Now()); err == nil {
			err = c.onPurpose()
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
		fmt.Printf("the database is at version %d\n", version)
	}
	return err
}

func (c *migrateCmd) goesBack() bool { return c.Down || c.To > 0 }

// onPurpose refuses to give up data unless that was said: by --yes, or on a terminal.
func (c *migrateCmd) onPurpose() error {
	loss := fmt.Sprintf("of %s all tables are taken away, with all data", c.where())
	if c.To > 0 {
		loss = fmt.Sprintf("%s goes back to version %d, and what only later tables hold is lost", c.where(), c.To)
	}
	if c.Yes || terminal(os.Stdin) && agreed(os.Stdin, os.Stderr, loss+". Only a backup brings it back.") {
		return nil
	}
	return errors.New("nothing was done: " + loss + "; back up first, then say --yes")
}

// where names the database, without who signs in to it.
func (c *migrateCmd) where() string {
	if path, embedded := db.Path(c.URL()); embedded {
		return path
	}
	address, err := url.Parse(c.DirectURL())
	if err != nil {
		return "the database"
	}
	return address.Host + address.Path
}

// terminal tells whether somebody can answer there.
func terminal(f *os.File) bool {
	is, err := f.Stat()
	nobody, errNobody := os.Stat(os.DevNull)
	return err == nil && is.Mode()&os.ModeCharDevice != 0 && (errNobody != nil || !os.SameFile(is, nobody))
}

// agreed asks whether to go on, which only yes answers so.
func agreed(answers io.Reader, asks io.Writer, loss string) bool {
	if _, err := io.WriteString(asks, loss+"\nType yes to go on: "); err != nil {
		return false // nobody was asked
	}
	line, _ := bufio.NewReader(answers).ReadString('\n') // what ends without a line says what it says
	return strings.EqualFold(strings.TrimSpace(line), "yes")
}

// sameDatabase refuses two addresses of which one is another database's.
func (c *migrateCmd) sameDatabase(ctx context.Context) error {
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
	a, err := app.New(ctx, app.Over(app.Store{Data: dir}), logger("error"), time.Now, nil)
	if err != nil {
		return err
	}
	defer a.Close()
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(a.API.OpenAPI())
}

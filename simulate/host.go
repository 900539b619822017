package main

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"wcpp/internal/app"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/blob"
	"wcpp/internal/rosters"
)

// hostVariable has the instance that a child process runs, as JSON.
const hostVariable = "WCPP_SIMULATE_HOST"

// instance is a running portal of a simulation: the program's own wiring and settings, in a
// process that can be killed at any call to database or files and at any response.
type instance struct {
	Database, Data, Feeds, Out, SMTP string
	Listen, Control                  string
	Offset                           time.Duration // of the clock
	People                           []account     // to add to an empty database
}

// account is a person of the simulated world, for the first start.
type account struct {
	Name, Office string
	Type         access.Type
	TINs         []string
	mailbox      string // if it isn't the name's
}

func (a account) email() string { return cmp.Or(a.mailbox, a.Name+"@office.example") }

// firstPassword is everyone's password until a reset.
const firstPassword = "Early-Morning-7"

// host is the child's side of an instance.
type host struct {
	offset atomic.Int64
	left   atomic.Int64 // calls until the process kills itself; 0: never
	turns  turns
}

// runHost runs the instance that the environment describes, until the process gets a signal.
func runHost() error {
	var in instance
	if err := json.Unmarshal([]byte(os.Getenv(hostVariable)), &in); err != nil {
		return err
	}
	// A file that reaches the limit is like one on a full disk, not a crash.
	signal.Ignore(syscall.SIGXFSZ)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	h := &host{}
	h.offset.Store(int64(in.Offset))
	h.turns.open = map[string]*turnGroup{}
	control, err := net.Listen("tcp", in.Control)
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(control, http.HandlerFunc(h.serveControl)) }() //nolint:gosec // on loopback, for this process's parent
	listener, err := net.Listen("tcp", in.Listen)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	extra := &app.Extra{
		Trace:     func(ctx context.Context, _ string, _ []any) { h.reach(ctx) },
		WrapFiles: func(s blob.Store) blob.Store { return killableFiles{s, h} },
	}
	a, err := app.OpenServing(ctx, log, listener.(*net.TCPListener), func() (*app.App, error) {
		a, err := app.New(ctx, in.config(), log, h.now, extra)
		if err != nil {
			return nil, err
		}
		return a, addPeople(ctx, a, in.People)
	})
	if err != nil {
		return err
	}
	defer a.Close()
	a.DB.BeforeTx = h.reach
	a.Handler = h.wrap(a.Handler)
	return a.Serve(ctx, listener)
}

func (in instance) config() app.Config {
	cfg := app.NewStoreConfig(app.Store{Data: in.Data, DatabaseURL: in.Database})
	cfg.Listen, cfg.PublicURL = in.Listen, "http://portal.test"
	cfg.Brand.SupportPhone, cfg.Brand.SupportEmail = "800-555-0100", "support@portal.example"
	cfg.Mail.SMTPURL = "smtp://" + in.SMTP + "?tls=none"
	cfg.Ingest.FeedURL = "file://" + in.Feeds
	cfg.Rosters.RosterOut, cfg.Rosters.RosterMail = "file://"+in.Out, rosterMail
	cfg.StopTimeout = 5 * time.Second
	cfg.Jobs.FetchEvery = 50 * time.Millisecond
	cfg.TrustedProxies = []string{"127.0.0.0/8"} // each person has an address of their own
	cfg.Sessions.LegacySignIn = true
	cfg.SignIn.SignInMails = "off"
	cfg.Factors = cfg.Factors.OrOffered()
	return cfg
}

// addPeople adds the people, active and with their first password, and the source of the roster
// hub, unless they exist.
func addPeople(ctx context.Context, a *app.App, people []account) error {
	groups := map[string]int64{}
	for _, p := range people {
		u, err := a.Users.ByName(ctx, p.Name)
		if err != nil {
			u = users.User{UserName: p.Name, FirstName: strings.ToUpper(p.Name[:1]) + p.Name[1:], LastName: "Tester", Email: p.email(),
				TypeCd: p.Type, StatusCd: users.New, GroupID: groups[p.Office]}
			if p.Type.IsInternal() {
				u.EmployeeID = "E-" + p.Name
			}
			if u, err = a.AddUser(ctx, u, p.TINs, firstPassword); err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
		}
		if p.Office != "" {
			groups[p.Office] = u.GroupID
		}
	}
	return a.DB.Tx(ctx, func(tx *sql.Tx) error {
		_, err := rosters.ImportSource(ctx, tx, rosters.Source{SourceID: 201, Name: "Lakes Hub"})
		if err == nil {
			_, err = rosters.ImportSourceGroup(ctx, tx, rosters.SourceGroup{SourceGroupID: 20101, SourceID: 201, GroupID: "G1",
				Name: "edgewater", IsAdmin: true})
		}
		if err == nil {
			_, err = a.Rosters.ImportGroupSource(ctx, tx, rosters.GroupSource{GroupID: groups["hub"], SourceID: 201})
		}
		return err
	})
}

func (h *host) now() time.Time { return time.Now().Add(time.Duration(h.offset.Load())) }

// control is what the parent sets in a running instance.
type control struct {
	Offset time.Duration // of the clock
	KillIn int64         // calls to database and files, or responses; 0: never
}

func (h *host) serveControl(w http.ResponseWriter, r *http.Request) {
	var c control
	if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	h.offset.Store(int64(c.Offset))
	h.left.Store(c.KillIn)
}

// reach is where the process can be killed, and where requests that run at the same time take
// turns.
func (h *host) reach(ctx context.Context) {
	if h.left.Load() > 0 && h.left.Add(-1) == 0 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	if m := memberOf(ctx); m != nil {
		m.wait()
	}
}

// wrap makes requests take turns, and each response a place to be killed.
func (h *host) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, done := h.turns.join(r)
		defer done()
		next.ServeHTTP(&reachingWriter{ResponseWriter: w, reach: func() { h.reach(context.Background()) }}, r.WithContext(ctx))
	})
}

type reachingWriter struct {
	http.ResponseWriter
	reach   func()
	started bool
}

// WriteHeader reaches the response first.
func (w *reachingWriter) WriteHeader(status int) {
	if !w.started {
		w.started = true
		w.reach()
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write reaches the response first.
func (w *reachingWriter) Write(b []byte) (int, error) {
	if !w.started {
		w.started = true
		w.reach()
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap returns the writer for http.ResponseController.
func (w *reachingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// killableFiles reaches before and after each change of a file.
type killableFiles struct {
	blob.Store
	h *host
}

// Put stores a file.
func (k killableFiles) Put(ctx context.Context, key string, write func(io.Writer) error) error {
	k.h.reach(ctx)
	err := k.Store.Put(ctx, key, write)
	k.h.reach(ctx)
	return err
}

// Open opens a file.
func (k killableFiles) Open(ctx context.Context, key string) (*blob.File, error) {
	k.h.reach(ctx)
	return k.Store.Open(ctx, key)
}

// Move renames a file.
func (k killableFiles) Move(ctx context.Context, from, to string) error {
	k.h.reach(ctx)
	err := k.Store.Move(ctx, from, to)
	k.h.reach(ctx)
	return err
}

// Delete removes a file.
func (k killableFiles) Delete(ctx context.Context, key string) error {
	k.h.reach(ctx)
	err := k.Store.Delete(ctx, key)
	k.h.reach(ctx)
	return err
}

// List lists files.
func (k killableFiles) List(ctx context.Context, prefix string) iter.Seq2[blob.Entry, error] {
	k.h.reach(ctx)
	return k.Store.List(ctx, prefix)
}

var errDown = errors.New("the instance is down")

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/emersion/go-smtp"

	"wcpp/internal/platform/db"
)

// fleet are the instances of a simulated portal, with their database, files and mail relay.
type fleet struct {
	dir     string
	url     string // of the database, for the parent
	cable   *cable // between instances and PostgreSQL; nil on SQLite
	db      *db.DB // for the parent
	drop    func() error
	relay   *relay
	people  []account
	offset  time.Duration
	mu      sync.Mutex
	running []*process
	starts  int
	logs    bytes.Buffer
}

// process is a running instance.
type process struct {
	cmd              *exec.Cmd
	address, control string
	exited           chan struct{}
}

// newFleet creates an empty database of a kind, files and an email relay. postgres is the address
// of a server where databases can be created.
func newFleet(ctx context.Context, kind, postgres string, people []account) (f *fleet, err error) {
	f = &fleet{people: people, drop: func() error { return nil }}
	if f.dir, err = os.MkdirTemp("", "wcpp-simulate-"); err != nil {
		return nil, err
	}
	for _, name := range []string{"data", "feeds", "out"} {
		if err := os.Mkdir(filepath.Join(f.dir, name), 0o700); err != nil {
			return nil, err
		}
	}
	if f.relay, err = newRelay(); err != nil {
		return nil, err
	}
	if kind == "sqlite" {
		f.url = "sqlite:" + filepath.Join(f.dir, "data", "wcpp.db")
		return f, nil
	}
	return f, f.createPostgres(ctx, postgres)
}

func (f *fleet) createPostgres(ctx context.Context, postgres string) error {
	at, err := url.Parse(postgres)
	if err != nil || postgres == "" {
		return errors.Join(errors.New("PostgreSQL needs WCPP_TEST_POSTGRES, as tools/with-postgres sets it"), err)
	}
	admin, err := db.Open(ctx, postgres)
	if err != nil {
		return err
	}
	name := "simulate_" + strings.ToLower(rand.Text()[:12])
	if _, err := admin.Writer.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return errors.Join(err, admin.Close())
	}
	f.drop = func() error {
		_, err := admin.Writer.ExecContext(context.WithoutCancel(ctx), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
		return errors.Join(err, admin.Close())
	}
	if f.cable, err = newCable(at.Host); err != nil {
		return err
	}
	at.Path = "/" + name
	query := at.Query()
	query.Set("application_name", "simulate")
	at.RawQuery = query.Encode()
	f.url = at.String()
	return nil
}

// endSessions ends the instances' sessions, as a restart of PostgreSQL does.
func (f *fleet) endSessions(ctx context.Context) error {
	_, err := f.db.Writer.ExecContext(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name <> 'simulate'`)
	return err
}

// instanceURL returns the address of the database for instances.
func (f *fleet) instanceURL() string {
	at, err := url.Parse(f.url)
	if err != nil || f.cable == nil {
		return f.url
	}
	at.Host = f.cable.listener.Addr().String()
	query := at.Query()
	query.Del("application_name") // theirs is wcpp
	at.RawQuery = query.Encode()
	return at.String()
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// start starts another instance and waits until it's ready.
func (f *fleet) start(ctx context.Context) error {
	address, err := freeAddress()
	if err != nil {
		return err
	}
	controlled, err := freeAddress()
	if err != nil {
		return err
	}
	f.starts++
	settings, err := json.Marshal(instance{Database: f.instanceURL(), Data: filepath.Join(f.dir, "data"),
		Feeds: filepath.Join(f.dir, "feeds"), Out: filepath.Join(f.dir, "out"),
		SMTP: f.relay.address, Listen: address, Control: controlled, Offset: f.offset, People: f.people})
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	command := exec.Command(self) //nolint:gosec,noctx // this program, which is killed
	p := &process{cmd: command, address: address, control: controlled, exited: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), hostVariable+"="+string(settings), "TMPDIR="+f.dir)
	p.cmd.Stderr = lockedWriter{&f.mu, &f.logs}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = p.cmd.Wait() // killed, mostly
		close(p.exited)
	}()
	f.running = append(f.running, p)
	deadline := time.Now().Add(time.Minute)
	for !p.isReady(ctx) {
		if p.hasExited() || time.Now().After(deadline) {
			return fmt.Errorf("the instance doesn't get ready:\n%s", f.lastLogs())
		}
		time.Sleep(10 * time.Millisecond)
	}
	if f.db == nil {
		f.db, err = db.Open(ctx, f.url)
	}
	return err
}

type lockedWriter struct {
	mu *sync.Mutex
	w  io.Writer
}

// Write writes one writer at a time.
func (l lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

func (f *fleet) lastLogs() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	text := f.logs.String()
	return text[max(0, len(text)-4000):]
}

func (p *process) hasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// exitsSoon reports whether an instance is killed already.
func (p *process) exitsSoon() bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(100 * time.Millisecond):
		return false
	}
}

func (p *process) isReady(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/readyz", nil)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// set sets the clock and the next kill of an instance.
func (p *process) set(ctx context.Context, c control) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.control, bytes.NewReader(body))
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// pick returns a running instance, or nil.
func (f *fleet) pick(n uint32) *process {
	if len(f.running) == 0 {
		return nil
	}
	return f.running[int(n)%len(f.running)]
}

// restore removes instances that were killed, disarms the others, and makes sure that one runs.
func (f *fleet) restore(ctx context.Context) error {
	var left []*process
	for _, p := range f.running {
		if !p.hasExited() && p.set(ctx, control{Offset: f.offset}) == nil {
			left = append(left, p)
			continue
		}
		p.kill()
	}
	f.running = left
	if len(left) > 0 {
		return nil
	}
	// Otherwise, the lease of River's leader, which adds periodic jobs, would last 15 seconds, and
	// the jobs of the killed instance would start again after 30.
	for _, table := range []string{"river_leader", "instances"} {
		if _, err := db.Exec(ctx, f.db.Writer, `DELETE FROM `+table); err != nil {
			return err
		}
	}
	return f.start(ctx)
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.exited
}

// stop ends an instance in an orderly way.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(20 * time.Second):
		p.kill()
	}
}

// move moves the clock of all instances.
func (f *fleet) move(ctx context.Context, by time.Duration) error {
	f.offset += by
	for _, p := range f.running {
		if err := p.set(ctx, control{Offset: f.offset}); err != nil && !p.hasExited() {
			return err
		}
	}
	return nil
}

func (f *fleet) now() time.Time { return time.Now().Add(f.offset) }

// close kills everything and removes its data.
func (f *fleet) close() error {
	for _, p := range f.running {
		p.kill()
	}
	var failed error
	if f.db != nil {
		failed = f.db.Close()
	}
	if f.cable != nil {
		f.cable.close()
	}
	f.relay.close()
	return errors.Join(failed, f.drop(), os.RemoveAll(f.dir))
}

// cable is the network between instances and PostgreSQL. It can be cut.
type cable struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	broken   bool
	conns    []net.Conn
}

func newCable(to string) (*cable, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c := &cable{listener: listener, to: to}
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			go c.carry(near)
		}
	}()
	return c, nil
}

func (c *cable) carry(near net.Conn) {
	far, err := net.Dial("tcp", c.to)
	c.mu.Lock()
	if err != nil || c.broken {
		c.mu.Unlock()
		_ = near.Close()
		if err == nil {
			_ = far.Close()
		}
		return
	}
	c.conns = append(c.conns, near, far)
	c.mu.Unlock()
	go func() {
		_, _ = io.Copy(far, near)
		_ = far.Close()
	}()
	_, _ = io.Copy(near, far)
	_ = near.Close()
}

// cut closes all connections, and refuses new ones until it is mended.
func (c *cable) cut(broken bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = broken
	if !broken {
		return
	}
	for _, conn := range c.conns {
		_ = conn.Close()
	}
	c.conns = nil
}

func (c *cable) close() {
	_ = c.listener.Close()
	c.cut(true)
}

// relay is the mail server. It records emails and can be silent, refuse them, or kill an instance
// before that gets the answer.
type relay struct {
	address string
	server  *smtp.Server
	mu      sync.Mutex
	mode    string // "", "silent", "refuses" or "kills"
	victim  *process
	mails   []letter
}

// letter is a delivered email.
type letter struct{ to, id, text string }

func newRelay() (*relay, error) {
	r := &relay{}
	r.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &relaySession{relay: r}, nil }))
	r.server.Domain, r.server.ErrorLog = "relay.example", log.New(io.Discard, "", 0)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r.address = listener.Addr().String()
	go func() { _ = r.server.Serve(listener) }() // ends with Close
	return r, nil
}

func (r *relay) close() { _ = r.server.Close() }

func (r *relay) set(mode string, victim *process) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mode, r.victim = mode, victim
}

func (r *relay) isWorking() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mode == "" || r.mode == "kills"
}

func (r *relay) list() []letter {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]letter(nil), r.mails...)
}

type relaySession struct {
	relay *relay
	to    string
}

func (s *relaySession) answer() error {
	s.relay.mu.Lock()
	mode := s.relay.mode
	s.relay.mu.Unlock()
	switch mode {
	case "silent":
		time.Sleep(2 * time.Second)
		return &smtp.SMTPError{Code: 421, Message: "too late"}
	case "refuses":
		return &smtp.SMTPError{Code: 451, Message: "try later"}
	}
	return nil
}

// Mail answers MAIL FROM.
func (s *relaySession) Mail(string, *smtp.MailOptions) error { return s.answer() }

// Rcpt answers RCPT TO.
func (s *relaySession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return s.answer()
}

// Data records the email.
func (s *relaySession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	l, err := readLetter(s.to, raw)
	if err != nil {
		return err
	}
	s.relay.mu.Lock()
	defer s.relay.mu.Unlock()
	s.relay.mails = append(s.relay.mails, l)
	if s.relay.mode == "kills" && s.relay.victim != nil {
		s.relay.mode = ""
		s.relay.victim.kill()
	}
	return nil
}

// Reset does nothing.
func (s *relaySession) Reset() {}

// Logout does nothing.
func (s *relaySession) Logout() error { return nil }

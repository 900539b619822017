package mail

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// relay is a mail server on loopback.
type relay struct {
	user, password string // required if set
	refuseFrom     error
	refuse         error // for recipients
	refuseData     error
	breakOff       bool // disconnects right after it accepts an email

	address, caFile string

	mu    sync.Mutex
	mails []string
	to    []string
}

type relaySession struct {
	*relay
	conn     *smtp.Conn
	signedIn bool
	rcpt     string
}

func (s *relaySession) AuthMechanisms() []string {
	if s.user == "" {
		return nil
	}
	return []string{sasl.Plain}
}

func (s *relaySession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != s.user || password != s.password {
			return smtp.ErrAuthFailed
		}
		s.signedIn = true
		return nil
	}), nil
}

func (s *relaySession) Mail(string, *smtp.MailOptions) error {
	if s.user != "" && !s.signedIn {
		return smtp.ErrAuthRequired
	}
	return s.refuseFrom
}

func (s *relaySession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.rcpt = to
	return s.refuse
}

func (s *relaySession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.refuseData != nil {
		return s.refuseData
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails, s.to = append(s.mails, string(raw)), append(s.to, s.rcpt)
	return nil
}

func (s *relaySession) Reset() {
	if s.mu.Lock(); s.breakOff && len(s.mails) > 0 {
		_ = s.conn.Conn().Close()
	}
	s.mu.Unlock()
}

func (s *relaySession) Logout() error { return nil }

// start starts the server with its own certificate: with TLS from the start, STARTTLS, or no
// TLS.
func (r *relay) start(t *testing.T, how security) *relay {
	t.Helper()
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &relaySession{relay: r, conn: c}, nil
	}))
	server.Domain, server.ErrorLog = "relay.example", log.New(io.Discard, "", 0)
	listener := listen(t)
	r.address = listener.Addr().String()
	if how != plain {
		server.TLSConfig = r.certificate(t)
		if how == implicitTLS {
			listener = tls.NewListener(listener, server.TLSConfig)
		}
	}
	go func() { _ = server.Serve(listener) }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })
	return r
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func (r *relay) certificate(t *testing.T) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "relay"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	require.NoError(t, err)
	r.caFile = filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(r.caFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

func (r *relay) transport(t *testing.T, address string) Transport {
	t.Helper()
	return transport(t, Options{Relay: parsed(t, address), CAFile: r.caFile})
}

func transport(t *testing.T, o Options) Transport {
	t.Helper()
	o.From = sender
	s, err := NewSMTP(o)
	require.NoError(t, err)
	return s
}

func parsed(t *testing.T, address string) Relay {
	t.Helper()
	r, err := ParseURL(address)
	require.NoError(t, err)
	return r
}

// took returns the number of received emails.
func (r *relay) took() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.mails)
}

func TestSMTP(t *testing.T) {
	for name, c := range map[string]struct {
		how            security
		user, password string
		scheme, query  string
	}{
		"STARTTLS":                  {startTLS, "", "", "smtp://", ""},
		"STARTTLS with sign-in":     {startTLS, "portal", "p:w/@ %ü", "smtp://portal:p%3Aw%2F%40%20%25%C3%BC@", ""},
		"implicit TLS":              {implicitTLS, "", "", "smtps://", ""},
		"implicit TLS with sign-in": {implicitTLS, "portal", "secret", "smtps://portal:secret@", ""},
		"without TLS":               {plain, "", "", "smtp://", "?tls=none"},
	} {
		t.Run(name, func(t *testing.T) {
			r := (&relay{user: c.user, password: c.password}).start(t, c.how)
			s := r.transport(t, c.scheme+r.address+c.query)
			first, second := utf8Message(t), write(t, content())
			second.Text += "\n.\n. a line of one dot ends no mail\n"
			for _, m := range []Message{first, second} {
				require.NoError(t, s.Send(t.Context(), m))
			}
			if r.took() != 2 || r.to[0] != "zoe@office.example" {
				t.Fatalf("%d mails, to %v", r.took(), r.to)
			}
			arrived(t, r.mails[0], first)
			arrived(t, r.mails[1], second)
		})
	}
}

func TestRelayMustBeProven(t *testing.T) {
	secure := (&relay{}).start(t, startTLS)
	implicit := (&relay{}).start(t, implicitTLS)
	open := (&relay{}).start(t, plain)
	guarded := (&relay{user: "portal", password: "secret"}).start(t, startTLS)
	otherName := strings.Replace(secure.address, "127.0.0.1", "localhost", 1)
	for name, o := range map[string]Options{
		"no STARTTLS":               {Relay: parsed(t, "smtp://"+open.address)},
		"no TLS from the start":     {Relay: parsed(t, "smtps://"+open.address)},
		"unknown authority":         {Relay: parsed(t, "smtp://"+secure.address)},
		"unknown authority, SMTPS":  {Relay: parsed(t, "smtps://"+implicit.address)},
		"another relay's authority": {Relay: parsed(t, "smtp://"+secure.address), CAFile: implicit.caFile},
		"another name":              {Relay: parsed(t, "smtp://"+otherName), CAFile: secure.caFile},
		"wrong password":            {Relay: parsed(t, "smtp://portal:hunter2@"+guarded.address), CAFile: guarded.caFile},
		"sign-in not offered":       {Relay: parsed(t, "smtp://portal:hunter2@"+secure.address), CAFile: secure.caFile},
		"no sign-in":                {Relay: parsed(t, "smtp://"+guarded.address), CAFile: guarded.caFile},
	} {
		err := transport(t, o).Send(t.Context(), write(t, content()))
		if err == nil || Permanent(err) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.Contains(err.Error(), o.Relay.String()) || strings.Contains(err.Error(), "hunter2") ||
			strings.Contains(err.Error(), "office.example") {
			t.Errorf("%s: %v", name, err)
		}
	}
	assert.LessOrEqual(t, secure.took()+implicit.took()+open.took()+guarded.took(), 0)
}

func TestRefusals(t *testing.T) {
	refusal := func(code, class, subject, detail int) error {
		return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{class, subject, detail}, Message: "<zoe@office.example> refused"}
	}
	withoutCode := &smtp.SMTPError{Code: 550, EnhancedCode: smtp.NoEnhancedCode, Message: "5.1.1.9 refused"}
	for name, c := range map[string]struct {
		relay     *relay
		permanent bool
	}{
		"unknown mailbox":         {&relay{refuse: refusal(550, 5, 1, 1)}, true},
		"bad address":             {&relay{refuse: refusal(501, 5, 1, 3)}, true},
		"full mailbox":            {&relay{refuse: refusal(452, 4, 2, 2)}, false},
		"try later":               {&relay{refuse: refusal(450, 4, 7, 1)}, false},
		"sign-in required":        {&relay{refuse: refusal(530, 5, 7, 0)}, false},
		"sender not allowed":      {&relay{refuseFrom: refusal(550, 5, 7, 1)}, false},
		"relay access denied":     {&relay{refuse: refusal(554, 5, 7, 1)}, false},
		"relaying not allowed":    {&relay{refuse: refusal(550, 5, 7, 54)}, false},
		"closed mailbox":          {&relay{refuse: refusal(550, 5, 2, 1)}, true},
		"sender unknown":          {&relay{refuse: refusal(550, 5, 1, 8)}, false},
		"relaying, without code":  {&relay{refuse: refusal(550, -1, -1, -1)}, false},
		"an IP address":           {&relay{refuse: withoutCode}, false},
		"content looks like spam": {&relay{refuseData: refusal(554, 5, 7, 1)}, true},
		"content not taken":       {&relay{refuseData: refusal(554, 5, 6, 0)}, true},
		"no room for the mail":    {&relay{refuseData: refusal(452, 4, 3, 1)}, false},
		"sender's domain is new":  {&relay{refuseFrom: refusal(451, 4, 7, 1)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.relay.start(t, startTLS)
			err := r.transport(t, "smtp://"+r.address).Send(t.Context(), write(t, content()))
			require.Error(t, err)
			require.Equal(t, c.permanent, Permanent(err))
			if strings.Contains(err.Error(), "office.example") || !strings.Contains(err.Error(), "refused") {
				t.Error(err)
			}
			assert.LessOrEqual(t, r.took(), 0, "a refused mail was taken")
		})
	}
	if Permanent(nil) || Permanent(io.EOF) {
		t.Error("any error is permanent")
	}
}

// A relay that accepts an email and then disconnects must not get it again.
func TestTakenIsTaken(t *testing.T) {
	r := (&relay{breakOff: true}).start(t, startTLS)
	if err := r.transport(t, "smtp://"+r.address).Send(t.Context(), write(t, content())); err != nil || r.took() != 1 {
		t.Errorf("%v, %d mails", err, r.took())
	}
}

// silent accepts connections, sends the greeting, and nothing else. The channel receives the end
// of each connection.
func silent(t *testing.T, greeting string) (address string, ended <-chan struct{}) {
	t.Helper()
	l := listen(t)
	over := make(chan struct{}, 8)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, greeting)
			_, _ = io.Copy(io.Discard, c) // until the client disconnects
			_ = c.Close()
			over <- struct{}{}
		}
	}()
	return l.Addr().String(), over
}

func TestTimeLimit(t *testing.T) {
	for name, c := range map[string]struct{ scheme, greeting string }{
		"no greeting":         {"smtp://", ""},
		"no answer":           {"smtp://", "220 relay.example\r\n"},
		"no TLS handshake":    {"smtps://", ""},
		"STARTTLS never ends": {"smtp://", "220 relay.example\r\n250-relay.example\r\n250 STARTTLS\r\n220 go ahead\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			address, ended := silent(t, c.greeting)
			limited := transport(t, Options{Relay: parsed(t, c.scheme+address), Timeout: 50 * time.Millisecond})
			if err := limited.Send(t.Context(), write(t, content())); !errors.Is(err, context.DeadlineExceeded) || Permanent(err) {
				t.Errorf("the transport's limit: %v", err)
			}
			<-ended // no connection remains
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			unlimited := transport(t, Options{Relay: parsed(t, c.scheme+address), Timeout: time.Hour})
			if err := unlimited.Send(ctx, write(t, content())); !errors.Is(err, context.Canceled) || Permanent(err) {
				t.Errorf("the caller's end: %v", err)
			}
			<-ended
			brief, end := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer end()
			if err := (Settings{SMTPURL: c.scheme + address}).CheckConnection(brief,
				Address{Address: "portal@example.com"}); !errors.Is(err,
				context.DeadlineExceeded) {
				t.Errorf("a greeting: %v", err)
			}
			<-ended
		})
	}
}

func TestNobodyThere(t *testing.T) {
	l := listen(t)
	address := l.Addr().String()
	require.NoError(t, l.Close())
	if err := transport(t, Options{Relay: parsed(t, "smtp://"+address)}).Send(t.Context(), write(t, content())); err == nil ||
		Permanent(err) {
		t.Error(err)
	}
}

func TestAuthorityFile(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.pem")
	require.NoError(t, os.WriteFile(empty, []byte("no certificate"), 0o600))
	for _, file := range []string{empty, empty + ".missing"} {
		if _, err := NewSMTP(Options{Relay: parsed(t, "smtp://relay.example"), From: sender, CAFile: file}); err == nil ||
			!strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestParseURL(t *testing.T) {
	for address, want := range map[string]Relay{
		"smtp://relay.example":                    {"relay.example", 587, "", "", startTLS},
		"smtp://portal:secret@relay.example:2525": {"relay.example", 2525, "portal", "secret", startTLS},
		"smtp://a%40b.example:x%2Fy@relay.example/": {
			"relay.example", 587, "a@b.example", "x/y", startTLS},
		"smtps://relay.example":             {"relay.example", 465, "", "", implicitTLS},
		"smtp://relay.example?tls=none":     {"relay.example", 25, "", "", plain},
		"smtp://[2001:db8::1]:587?tls=none": {"2001:db8::1", 587, "", "", plain},
	} {
		if got, err := ParseURL(address); err != nil || got != want {
			t.Errorf("%s: %#v, %v", address, got, err)
		}
	}
	for address, want := range map[string]string{
		"":                                        "must start with smtp://",
		"relay.example:587":                       "must start with smtp://",
		"https://relay.example":                   "must start with smtp://",
		"smtp://":                                 "needs a host",
		"smtp://portal:hunter2@:587":              "needs a host",
		"smtp://relay.example:0":                  "port",
		"smtp://relay.example:70000":              "port",
		"smtp://portal:hun/ter2@relay.example":    "percent-encoded",
		"smtp://portal:7/hunter2@relay.example":   "must end after the port",
		"smtp://portal:hunter2%zz@relay.example":  "percent-encoded",
		"smtp://portal:7#hunter2@relay.example":   "must end after the port",
		"smtp://portal@relay.example":             "both user and password",
		"smtp://:hunter2@relay.example":           "both user and password",
		"smtp://relay.example?tls=maybe":          "tls=none",
		"smtps://relay.example?tls=none":          "tls=none",
		"smtp://p:hunter2@relay.example?tls=none": "unencrypted",
	} {
		_, err := ParseURL(address)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hun") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if r := parsed(t, "smtp://portal:hunter2@relay.example"); r.String() != "relay.example:587" {
		t.Error(r)
	}
}

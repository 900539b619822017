package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

type security int

const (
	startTLS security = iota
	implicitTLS
	plain
)

// Relay is the server that takes the mails.
type Relay struct {
	host           string
	port           int
	user, password string
	security       security
}

// String names the relay without its password.
func (r Relay) String() string { return net.JoinHostPort(r.host, strconv.Itoa(r.port)) }

// ParseURL reads a relay's address: smtp://user:password@host:587 (STARTTLS is
// required), smtps://host:465 (TLS from the start) or smtp://host:25?tls=none.
// Its errors do not repeat the address, which has the password in it.
func ParseURL(raw string) (Relay, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return Relay{}, errors.New("must be an address such as smtp://user:password@mail.example.com:587, with special characters in the user and password percent-encoded")
	}
	r := Relay{host: u.Hostname(), port: 587}
	switch u.Scheme {
	case "smtp":
	case "smtps":
		r.security, r.port = implicitTLS, 465
	default:
		return Relay{}, errors.New("must start with smtp:// or smtps://")
	}
	if r.host == "" {
		return Relay{}, errors.New("needs a host")
	}
	if u.Path != "" && u.Path != "/" || u.Fragment != "" {
		return Relay{}, errors.New("must end after the port; percent-encode special characters in the user and password")
	}
	switch {
	case u.RawQuery == "":
	case u.RawQuery == "tls=none" && u.Scheme == "smtp":
		r.security, r.port = plain, 25
	default:
		return Relay{}, errors.New("allows only the parameter tls=none, with smtp:// only")
	}
	if p := u.Port(); p != "" {
		if r.port, err = strconv.Atoi(p); err != nil || r.port < 1 || r.port > 65535 {
			return Relay{}, errors.New("must use a port between 1 and 65535")
		}
	}
	if u.User != nil {
		r.user = u.User.Username()
		r.password, _ = u.User.Password()
		if r.user == "" || r.password == "" {
			return Relay{}, errors.New("must have both user and password, or neither")
		}
		if r.security == plain {
			return Relay{}, errors.New("can't have a user with tls=none, because the password would be sent unencrypted")
		}
	}
	return r, nil
}

// Options tell how mails reach the relay.
type Options struct {
	Relay   Relay
	From    Address
	CAFile  string        // PEM; trusted in place of the system's authorities
	Timeout time.Duration // of sending one mail as a whole; 30 s where zero
}

type relayed struct {
	Options
	tls *tls.Config
}

// NewSMTP sends through a relay, with one connection per mail.
func NewSMTP(o Options) (Transport, error) {
	s, err := newRelayed(o)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func newRelayed(o Options) (*relayed, error) {
	if err := checkSender(o.From); err != nil {
		return nil, err
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	config := &tls.Config{ServerName: o.Relay.host, MinVersion: tls.VersionTLS12}
	if o.CAFile != "" {
		pem, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s contains no PEM certificate", o.CAFile)
		}
	}
	return &relayed{o, config}, nil
}

func (s *relayed) Send(ctx context.Context, m Message) error {
	msg, err := compose(s.From, m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	client, err := s.client(ctx)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, msg)
	if err == nil || msg.IsDelivered() {
		return nil // a failed goodbye after the mail was accepted must not send it twice
	}
	return s.explain(ended(ctx, err))
}

// ended is why a call to the relay failed: where its time is over its connection was
// closed under it, of which the error tells.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// Greet connects to the relay and signs in as a mail does, and sends none.
func (s Settings) Greet(ctx context.Context, from Address) error {
	relay, err := ParseURL(s.SMTPURL)
	if err != nil {
		return err
	}
	to, err := newRelayed(Options{Relay: relay, From: from, CAFile: s.SMTPCAFile})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, to.Timeout)
	defer cancel()
	client, err := to.client(ctx)
	if err != nil {
		return err
	}
	if err := client.DialWithContext(ctx); err != nil {
		return to.explain(ended(ctx, err))
	}
	_ = client.Close() // what it says to the goodbye changes nothing
	return nil
}

func (s *relayed) client(ctx context.Context) (*gomail.Client, error) {
	dial := (&net.Dialer{}).DialContext
	options := []gomail.Option{
		gomail.WithPort(s.Relay.port), gomail.WithTLSConfig(s.tls),
		gomail.WithTimeout(s.Timeout + time.Second), // the context's limit comes first
		gomail.WithDialContextFunc(func(dialing context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(dialing, network, address)
			if err == nil {
				// The library heeds the context only while it dials, and leaves the
				// connection open where the sign-in fails.
				context.AfterFunc(ctx, func() { _ = conn.Close() })
			}
			return conn, err
		}),
	}
	switch s.Relay.security {
	case startTLS:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	case implicitTLS:
		dial = (&tls.Dialer{Config: s.tls}).DialContext
		options = append(options, gomail.WithSSL())
	case plain:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	}
	if s.Relay.user != "" {
		options = append(options, gomail.WithUsername(s.Relay.user), gomail.WithPassword(s.Relay.password),
			gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthPlain, gomail.SMTPAuthLogin))
	}
	return gomail.NewClient(s.Relay.host, options...)
}

var anAddress = regexp.MustCompile(`[^\s<>"(),:;]+@[^\s<>"(),:;]+`)

// explain says what went wrong in words for the log. A mailbox or content that
// the relay refuses (RFC 5321 55x, RFC 3463 x.1.x) stays refused; what hints
// at the configuration (sign-in, sender, TLS) may be mended.
func (s *relayed) explain(err error) error {
	text, _, _ := strings.Cut(err.Error(), ", affected ")
	f := &failure{text: fmt.Sprintf("mail server %s: %s", s.Relay, anAddress.ReplaceAllString(text, "(address)")), cause: err}
	var refused *gomail.SendError
	if errors.As(err, &refused) && refused.Reason != gomail.ErrSMTPMailFrom {
		f.permanent = refused.ErrorCode()/10 == 55 || strings.HasPrefix(refused.EnhancedStatusCode(), "5.1.")
	}
	return f
}

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

// Relay is the mail server that sends the emails.
type Relay struct {
	host           string
	port           int
	user, password string
	security       security
}

// String returns the relay's address without its password.
func (r Relay) String() string { return net.JoinHostPort(r.host, strconv.Itoa(r.port)) }

// ParseURL parses a relay's address. Supported forms are smtp://user:password@host:587 (STARTTLS
// is required), smtps://host:465 (TLS from the start), and smtp://host:25?tls=none. Errors omit
// the address because it contains the password.
func ParseURL(raw string) (Relay, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return Relay{}, errors.New("must be an address such as smtp://user:password@mail.example.com:587, with special characters in " +
			"the user and password percent-encoded")
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

// Options configure the connection to the relay.
type Options struct {
	Relay   Relay
	From    Address
	CAFile  string        // PEM; replaces the system's certificate authorities
	Timeout time.Duration // for sending one email; zero means 30 s
}

type smtpTransport struct {
	Options
	tls *tls.Config
}

// NewSMTP sends through a relay, with one connection per email.
func NewSMTP(o Options) (Transport, error) {
	s, err := newRelayed(o)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func newRelayed(o Options) (*smtpTransport, error) {
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
	return &smtpTransport{o, config}, nil
}

func (s *smtpTransport) Send(ctx context.Context, m Message) error {
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
		return nil // an error after the email was accepted must not send it twice
	}
	return s.explain(explainTimeout(ctx, err))
}

// explainTimeout returns why a request to the relay failed. After a timeout, the error is only the closed
// connection.
func explainTimeout(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// CheckConnection connects to the relay and signs in, but sends no email.
func (s Settings) CheckConnection(ctx context.Context, from Address) error {
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
		return to.explain(explainTimeout(ctx, err))
	}
	_ = client.Close() // a failed QUIT changes nothing
	return nil
}

func (s *smtpTransport) client(ctx context.Context) (*gomail.Client, error) {
	dial := (&net.Dialer{}).DialContext
	options := []gomail.Option{
		gomail.WithPort(s.Relay.port), gomail.WithTLSConfig(s.tls),
		gomail.WithTimeout(s.Timeout + time.Second), // the context's timeout comes first
		gomail.WithDialContextFunc(func(dialing context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(dialing, network, address)
			if err == nil {
				// The library checks the context only while it dials, and leaves the connection
				// open if the sign-in fails.
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

// refusedMailbox matches a refusal with an RFC 3463 code of the recipient's address or mailbox. The codes 5.1.7
// and 5.1.8 are about the sender.
var refusedMailbox = regexp.MustCompile(`^[A-Za-z ]+: 5\d\d "#?5\.(1\.([0-69]|10)|2\.\d+)[\s:"]`)

// explain describes an error for the log. A refused mailbox or content (RFC 5321 55x) is permanent. Errors that
// suggest a wrong configuration (sign-in, sender, TLS) can be fixed. A recipient's 55x counts only with the code of
// a mailbox, because relays that refuse the portal reply with another code or none.
func (s *smtpTransport) explain(err error) error {
	text, _, _ := strings.Cut(err.Error(), ", affected ")
	f := &failure{text: fmt.Sprintf("mail server %s: %s", s.Relay, anAddress.ReplaceAllString(text, "(address)")), cause: err}
	var refused *gomail.SendError
	if errors.As(err, &refused) && refused.Reason != gomail.ErrSMTPMailFrom {
		f.permanent = refused.Reason != gomail.ErrSMTPRcptTo && refused.ErrorCode()/10 == 55 ||
			refusedMailbox.MatchString(refused.Error())
	}
	return f
}

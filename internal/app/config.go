package app

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"wcpp/internal/accessreview"
	"wcpp/internal/account"
	"wcpp/internal/bills"
	"wcpp/internal/bills/cases"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/claims"
	"wcpp/internal/desk"
	"wcpp/internal/feeds"
	"wcpp/internal/feeschedules"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users/signin"
	"wcpp/internal/mfa"
	"wcpp/internal/notifications"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/clamd"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/deadletter"
	"wcpp/internal/platform/fileperm"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/tempdir"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/resources"
	"wcpp/internal/rosters"
	"wcpp/internal/sessions"
	"wcpp/internal/sso"
	"wcpp/internal/support"
)

// Store configures where data is stored.
type Store struct {
	Data              string `env:"WCPP_DATA" default:"./data" placeholder:"DIR" help:"Data directory for the embedded database and files."`
	DatabaseDirectURL string `env:"WCPP_DATABASE_DIRECT_URL" placeholder:"URL" help:"Address without a pooler, for migrations and events."`
	DatabaseURL       string `env:"WCPP_DATABASE_URL" placeholder:"URL" help:"sqlite:PATH or postgres://user:password@host/name."`
}

// URL returns the database address.
func (s Store) URL() string {
	if s.DatabaseURL != "" {
		return s.DatabaseURL
	}
	return "sqlite:" + filepath.Join(s.Data, "wcpp.db")
}

// DirectURL returns the database address without a connection pooler.
func (s Store) DirectURL() string { return orDefault(s.DatabaseDirectURL, "", s.URL()) }

// UseTempDir moves this process's temporary files to the data directory and removes those of killed
// processes. clean removes its own.
func (s Store) UseTempDir() (clean func(), err error) {
	if err := fileperm.CheckOwner(s.Data); err != nil {
		return nil, err
	}
	folder, err := tempdir.Open(filepath.Join(s.Data, "tmp"))
	if err == nil {
		err = folder.Use()
	}
	if err != nil {
		return nil, err
	}
	return func() { _ = folder.Close() }, nil // the next process removes leftovers
}

// CheckExists returns an error if there's no embedded database at the address. Otherwise a typo
// would create an empty one.
func (s Store) CheckExists() error {
	path, embedded := db.Path(s.URL())
	if !embedded {
		return nil
	}
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no database at %s; set its location with --data or WCPP_DATABASE_URL", path)
	}
	return err
}

// mailFolder returns the folder of emails that are stored as files.
func (s Store) mailFolder() string { return filepath.Join(s.Data, "mail") }

// Check adds the problems with these settings to p.
func (s Store) Check(p *settings.Problems) {
	known := slices.ContainsFunc([]string{"sqlite:", "postgres://", "postgresql://"}, func(start string) bool {
		return strings.HasPrefix(s.DatabaseURL, start)
	})
	p.Require(s.DatabaseURL == "" || known, "WCPP_DATABASE_URL", "must start with sqlite: or postgres://")
}

// Server configures how the portal is reached and how it runs.
type Server struct {
	Listen         string   `env:"WCPP_LISTEN" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to listen on."`
	MetricsListen  string   `env:"WCPP_METRICS_LISTEN" placeholder:"HOST:PORT" help:"Separate address for /metrics; keep it private."`
	PublicURL      string   `env:"WCPP_PUBLIC_URL" placeholder:"URL" help:"Public address (default: http://localhost and the port)."`
	TrustedProxies []string `env:"WCPP_TRUSTED_PROXIES" placeholder:"CIDR" help:"Proxy networks whose X-Forwarded-For is trusted."`
	TLSCertFile    string   `env:"WCPP_TLS_CERT_FILE" placeholder:"FILE" help:"TLS certificates (PEM), if no proxy handles TLS."`
	TLSKeyFile     string   `env:"WCPP_TLS_KEY_FILE" placeholder:"FILE" help:"Private key (PEM) for the first certificate."`

	DatabaseConnections int           `env:"WCPP_DATABASE_CONNECTIONS" default:"20" help:"Maximum PostgreSQL connections."`
	DatabaseReplicaURL  string        `env:"WCPP_DATABASE_REPLICA_URL" placeholder:"URL" help:"PostgreSQL replica for searches."`
	DatabaseReplicaLag  time.Duration `env:"WCPP_DATABASE_REPLICA_LAG" default:"2s" help:"Maximum replica lag for searches."`

	CallsAtOnce       int `env:"WCPP_CALLS_AT_ONCE" default:"0" help:"Concurrent requests (0: 16 per processor, at least 32)."`
	CallsEach         int `env:"WCPP_CALLS_EACH" default:"0" help:"Concurrent requests per user (0: 1 per processor, at least 2)."`
	ExpensiveCalls    int `env:"WCPP_EXPENSIVE_CALLS" default:"3600" help:"Hourly limit on searches, exports and documents per person."`
	ExpensivePercent  int `env:"WCPP_EXPENSIVE_PERCENT" default:"25" help:"Percent of time for one person's searches (100: no limit)."`
	StreamsPerSession int `env:"WCPP_STREAMS_PER_SESSION" default:"30" help:"Maximum open event streams per session. Each tab uses 1 or 2."`
	StreamsPerPerson  int `env:"WCPP_STREAMS_PER_PERSON" default:"60" help:"Maximum open event streams per person, across sessions."`

	StopTimeout time.Duration `env:"WCPP_STOP_TIMEOUT" default:"20s" help:"Graceful shutdown timeout."`
	LogLevel    string        `env:"WCPP_LOG_LEVEL" default:"info" enum:"debug,info,warn,error" help:"Minimum log level: ${enum}."`
}

// Check adds the problems with these settings to p.
func (s Server) Check(p *settings.Problems) {
	p.Require(isListenAddress(s.Listen), "WCPP_LISTEN", "must be HOST:PORT, such as 127.0.0.1:8080 or :8080")
	p.Require(s.MetricsListen == "" || isListenAddress(s.MetricsListen), "WCPP_METRICS_LISTEN", "must be HOST:PORT, such as 127.0.0.1:9100")
	p.Require(s.PublicURL != "", "WCPP_PUBLIC_URL", "is required")
	p.Address(s.PublicURL, "WCPP_PUBLIC_URL")
	u, err := url.Parse(s.PublicURL)
	p.Require(err != nil || u.Host == "" || *u == url.URL{Scheme: u.Scheme, Host: u.Host}, "WCPP_PUBLIC_URL",
		"must be without a path, such as https://portal.example")
	p.Require(s.DatabaseConnections >= 4, "WCPP_DATABASE_CONNECTIONS", "must be 4 or more")
	p.Require(s.DatabaseReplicaLag >= 500*time.Millisecond, "WCPP_DATABASE_REPLICA_LAG", "must be 500ms or more")
	p.Require((s.TLSCertFile == "") == (s.TLSKeyFile == ""), "WCPP_TLS_KEY_FILE", "must be set together with WCPP_TLS_CERT_FILE")
	if s.TLSCertFile != "" && s.TLSKeyFile != "" {
		_, err := tls.LoadX509KeyPair(s.TLSCertFile, s.TLSKeyFile)
		p.Require(err == nil, "WCPP_TLS_CERT_FILE", fmt.Sprint(err))
	}
	p.Require(s.CallsAtOnce == 0 || s.CallsAtOnce >= 8, "WCPP_CALLS_AT_ONCE", "must be 8 or more, or 0")
	p.Require(s.CallsEach >= 0 && s.CallsEach <= s.concurrentRequests(), "WCPP_CALLS_EACH",
		"must be between 1 and WCPP_CALLS_AT_ONCE, or 0")
	p.Require(s.ExpensiveCalls >= 1, "WCPP_EXPENSIVE_CALLS", "must be 1 or more")
	p.Require(s.ExpensivePercent >= 1 && s.ExpensivePercent <= 100, "WCPP_EXPENSIVE_PERCENT", "must be between 1 and 100")
	p.Require(s.StreamsPerSession >= 1, "WCPP_STREAMS_PER_SESSION", "must be 1 or more")
	p.Require(s.StreamsPerPerson >= s.StreamsPerSession, "WCPP_STREAMS_PER_PERSON", "must be at least WCPP_STREAMS_PER_SESSION")
	_, err = s.parseProxies()
	p.Require(err == nil, "WCPP_TRUSTED_PROXIES", fmt.Sprint(err))
}

// isListenAddress reports whether an address has a valid port to listen on.
func isListenAddress(address string) bool {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	return err == nil
}

// concurrentRequests returns the number of concurrent requests. It's high enough to use all CPUs while
// requests wait for I/O, and low enough for short response times.
func (s Server) concurrentRequests() int {
	if s.CallsAtOnce > 0 {
		return s.CallsAtOnce
	}
	return max(32, 16*runtime.GOMAXPROCS(0))
}

// requestShares returns how this instance's capacity is shared between users.
func (s Server) requestShares() httpapi.Shares {
	return httpapi.Shares{
		Calls: s.concurrentRequests(), Each: s.CallsEach, ExpensiveCalls: s.ExpensiveCalls, ExpensivePercent: s.ExpensivePercent,
		SessionStreams: s.StreamsPerSession, PersonStreams: s.StreamsPerPerson,
	}
}

// Config has all settings of a running portal, grouped by domain. The tags define flags,
// variables, config file keys and defaults.
type Config struct {
	Store
	Server
	Access        access.Settings
	Sessions      sessions.Settings
	SignIn        signin.Settings
	SSO           sso.Settings
	Factors       mfa.Settings
	Account       account.Settings
	TINs          tins.Settings
	Files         blob.Settings
	Scanner       clamd.Settings
	Notifications notifications.Settings
	Ingest        ingest.Settings
	Rosters       rosters.Settings
	Mail          mail.Settings
	Bills         bills.Settings
	Ledger        ledger.Settings
	Cases         cases.Settings
	Claims        claims.Settings
	Brand         settings.Brand
	Content       resources.Settings
	Chat          support.Settings
	Audit         audit.Settings
	Reviews       accessreview.Settings
	Feeds         feeds.Settings
	FeeSchedules  feeschedules.Settings
	Desk          desk.Settings
	DeadLetters   deadletter.Settings
	Jobs          jobs.Settings
}

// NewStoreConfig returns the configuration for a command that works on the data without serving. All
// settings have their defaults, regardless of variables.
func NewStoreConfig(s Store) Config {
	var c Config
	settings.ListFields(&c)
	c.Store, c.Listen = s, "127.0.0.1:0"
	return c
}

const needsWorkspace = "needs WCPP_WORKSPACE=on"

// Check completes the settings, validates them and lists every problem.
func (c *Config) Check() error {
	if c.PublicURL == "" {
		c.PublicURL = "http://localhost"
		if _, port, err := net.SplitHostPort(c.Listen); err == nil && isListenAddress(c.Listen) { // otherwise it's already reported
			c.PublicURL += ":" + port
		}
	}
	c.PublicURL = strings.TrimRight(c.PublicURL, "/")
	p := settings.Problems{TLS: c.usesTLS()}
	for _, part := range reflect.ValueOf(*c).Fields() {
		if checked, has := part.Interface().(interface{ Check(p *settings.Problems) }); has {
			checked.Check(&p)
		}
	}
	if !c.Access.Offers("rosters.receive") {
		p.Require(c.Rosters.RosterOut == "", "WCPP_ROSTER_OUT", needsWorkspace)
		p.Require(c.Rosters.RosterMail == "", "WCPP_ROSTER_MAIL", needsWorkspace)
		p.Require(!c.Rosters.RosterUpdates, "WCPP_ROSTER_UPDATES", needsWorkspace)
	}
	return p.Err()
}

// usesTLS reports whether browsers use TLS to reach the portal.
func (s Server) usesTLS() bool { return strings.HasPrefix(s.PublicURL, "https://") }

// MailFromAddress returns the sender of emails. Without a configured address, it's one at the
// portal's own host, never an invented one.
func (c Config) MailFromAddress() string {
	host := "localhost"
	if u, err := url.Parse(c.PublicURL); err == nil && validate.Email("no-reply@"+u.Hostname()) {
		host = u.Hostname()
	}
	return cmp.Or(c.Mail.MailFrom, c.Brand.SupportEmail, "no-reply@"+host)
}

// WarnOfProxies returns a warning if a proxy is likely but none is trusted. That's the case if
// browsers come from elsewhere, and the portal has no TLS or listens only on this machine.
// Otherwise it returns "".
func (s Server) WarnOfProxies() string {
	u, err := url.Parse(s.PublicURL)
	host, _, failed := net.SplitHostPort(s.Listen)
	if err != nil || len(s.TrustedProxies) > 0 || text.IsLoopback(u.Hostname()) || s.TLSCertFile != "" &&
		(failed != nil || !text.IsLoopback(host)) {
		return ""
	}
	return "WCPP_TRUSTED_PROXIES isn't set, so limits and the audit log see all clients behind a proxy as one address"
}

func (s Server) parseProxies() ([]netip.Prefix, error) {
	var list []netip.Prefix
	for _, network := range s.TrustedProxies {
		p, err := netip.ParsePrefix(network)
		if err != nil {
			return nil, fmt.Errorf("%q is not a network such as 10.0.0.0/8", network)
		}
		list = append(list, p)
	}
	return list, nil
}

// listOrigins returns the distinct origins of the configured addresses.
func listOrigins(addresses ...string) []string {
	var list []string
	for _, address := range addresses {
		if u, err := url.Parse(address); err == nil && u.Host != "" && !slices.Contains(list, u.Scheme+"://"+u.Host) {
			list = append(list, u.Scheme+"://"+u.Host)
		}
	}
	return list
}

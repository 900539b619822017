package app

import (
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // a bare container has no time zones

	"wcpp/internal/platform/check"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/text"
)

// Store is where the data lies.
type Store struct {
	Data        string `name:"data" env:"WCPP_DATA" default:"./data" placeholder:"DIR" help:"Data directory: the embedded database and files."`
	DatabaseURL string `name:"database-url" env:"WCPP_DATABASE_URL" placeholder:"URL" help:"sqlite:PATH or postgres://user:password@host/name. Default: wcpp.db in the data directory."`
}

// URL is the database's address.
func (s Store) URL() string {
	if s.DatabaseURL != "" {
		return s.DatabaseURL
	}
	return "sqlite:" + filepath.Join(s.Data, "wcpp.db")
}

// Config is every setting of a running portal. The tags are the command line,
// the variables and the keys of the configuration file at once.
type Config struct {
	Store

	Listen         string        `env:"WCPP_LISTEN" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address to listen on."`
	PublicURL      string        `name:"public-url" env:"WCPP_PUBLIC_URL" placeholder:"URL" help:"Address at which browsers reach the portal. Default: http://localhost and the port."`
	TrustedProxies []string      `env:"WCPP_TRUSTED_PROXIES" placeholder:"CIDR" help:"Networks whose X-Forwarded-For is believed."`
	TLSCertFile    string        `name:"tls-cert-file" env:"WCPP_TLS_CERT_FILE" placeholder:"FILE" help:"Certificates (PEM) with which the portal itself speaks TLS. Default: a proxy in front does."`
	TLSKeyFile     string        `name:"tls-key-file" env:"WCPP_TLS_KEY_FILE" placeholder:"FILE" help:"Key (PEM) of the first certificate."`
	StopTimeout    time.Duration `env:"WCPP_STOP_TIMEOUT" default:"20s" help:"How long requests and jobs may finish after a stop signal."`
	LogLevel       string        `env:"WCPP_LOG_LEVEL" default:"info" enum:"debug,info,warn,error" help:"Least level that is logged: debug, info, warn or error."`

	IdleMinutes      int    `env:"WCPP_IDLE_MINUTES" default:"30" help:"Minutes without activity after which a session ends (FE_APP_TIMEOUT)."`
	SessionHours     int    `env:"WCPP_SESSION_HOURS" default:"12" help:"Hours after which a session ends in any case."`
	LockFailures     int    `env:"WCPP_LOCK_FAILURES" default:"5" help:"Failed tries to sign in that lock a name."`
	LockMinutes      int    `env:"WCPP_LOCK_MINUTES" default:"30" help:"Minutes a name stays locked."`
	DisableAfterDays int    `env:"WCPP_DISABLE_AFTER_DAYS" default:"0" help:"Days without sign-in that deactivate an account; 0 never."`
	LegacySignIn     bool   `env:"WCPP_LEGACY_SIGN_IN" help:"Offer the user name and password form on the sign-in screen."`
	OIDCIssuer       string `name:"oidc-issuer" env:"WCPP_OIDC_ISSUER" placeholder:"URL" help:"Issuer of the OpenID provider. Default: the portal's own sign-in form."`
	OIDCClientID     string `name:"oidc-client-id" env:"WCPP_OIDC_CLIENT_ID" help:"Client id at the OpenID provider."`
	OIDCClientSecret string `name:"oidc-client-secret" env:"WCPP_OIDC_CLIENT_SECRET" help:"Client secret at the OpenID provider."`
	OIDCUserClaim    string `name:"oidc-user-claim" env:"WCPP_OIDC_USER_CLAIM" default:"preferred_username" help:"Claim that holds the portal's user name."`

	AccountDisclosure     string   `env:"WCPP_ACCOUNT_DISCLOSURE" default:"specified" enum:"specified,neutral" help:"Whether forgotten user names and password resets tell that an account does not exist (specified), or answer the same for all (neutral)."`
	InternalDomains       []string `env:"WCPP_INTERNAL_DOMAINS" placeholder:"DOMAIN" help:"E-mail domains of internal staff, who may not request accounts as strangers do."`
	RestrictedTINs        []string `name:"restricted-tins" env:"WCPP_RESTRICTED_TINS" placeholder:"TIN" help:"TINs of the organisation itself, which nobody may register."`
	ResetLinkMinutes      int      `env:"WCPP_RESET_LINK_MINUTES" default:"60" help:"Minutes for which a link to a new password holds."`
	RegistrationLinkHours int      `env:"WCPP_REGISTRATION_LINK_HOURS" default:"168" help:"Hours for which the link of a registration mail holds."`
	RequestLinkHours      int      `env:"WCPP_REQUEST_LINK_HOURS" default:"48" help:"Hours for which the link of an account request holds."`

	BlobURL string `name:"blob-url" env:"WCPP_BLOB_URL" placeholder:"URL" help:"Where files are kept: s3://bucket?region=... (and endpoint=... for what is compatible), or file:///directory. Default: the data directory."`

	TimeZone string `env:"WCPP_TIME_ZONE" default:"America/New_York" placeholder:"ZONE" help:"Time zone of the business: notifications are sent at 8:00 am there."`

	FeedURL string `name:"feed-url" env:"WCPP_FEED_URL" placeholder:"URL" help:"Folder whose files are imported as they come: s3://bucket?... or file:///directory. Default: none is watched."`

	RosterFileMB     int `name:"roster-file-mb" env:"WCPP_ROSTER_FILE_MB" default:"50" help:"Megabytes that one file of a roster may have."`
	RosterFiles      int `env:"WCPP_ROSTER_FILES" default:"20" help:"Files that one roster may have."`
	RosterEndPercent int `env:"WCPP_ROSTER_END_PERCENT" default:"20" help:"Percent of the last roster's providers that a full one may end without being confirmed."`

	SMTPURL    string `name:"smtp-url" env:"WCPP_SMTP_URL" placeholder:"URL" help:"Mail relay: smtp://user:password@host:587 or smtps://host:465. Default: mails are kept as files in the data directory."`
	SMTPCAFile string `name:"smtp-ca-file" env:"WCPP_SMTP_CA_FILE" placeholder:"FILE" help:"Certificates (PEM) of a private mail relay's authority."`
	MailFrom   string `env:"WCPP_MAIL_FROM" placeholder:"ADDRESS" help:"Sender of mails. Default: the support mailbox."`

	SecondBillURL     string        `name:"second-bill-url" env:"WCPP_SECOND_BILL_URL" placeholder:"URL" help:"Address of the second bill system. Default: there is none."`
	SecondBillKey     string        `name:"second-bill-key" env:"WCPP_SECOND_BILL_KEY" help:"Bearer key for the second bill system."`
	SecondBillTimeout time.Duration `env:"WCPP_SECOND_BILL_TIMEOUT" default:"10s" help:"Time limit of a call to the second bill system."`
	ImageHosts        []string      `env:"WCPP_IMAGE_HOSTS" placeholder:"HOST" help:"Hosts (with port, if any) that links to outside documents may name."`
	ForeignBillURL    string        `name:"foreign-bill-url" env:"WCPP_FOREIGN_BILL_URL" placeholder:"URL" help:"Where the payer shows a bill; {billControlNumber} is replaced. Default: nowhere."`

	BrandName        string `env:"WCPP_BRAND_NAME" default:"Provider Portal" help:"Name of the portal."`
	OrganizationName string `env:"WCPP_ORGANIZATION_NAME" default:"Provider Portal" help:"Organisation in the copyright line."`
	SupportPhone     string `env:"WCPP_SUPPORT_PHONE" default:"800-555-0100" help:"Support telephone number."`
	SupportEmail     string `env:"WCPP_SUPPORT_EMAIL" default:"support@portal.example" help:"Support mailbox."`
	TermsURL         string `name:"terms-url" env:"WCPP_TERMS_URL" placeholder:"URL" help:"Terms and conditions."`
	PrivacyURL       string `name:"privacy-url" env:"WCPP_PRIVACY_URL" placeholder:"URL" help:"Privacy policy."`
	HomePageURL      string `name:"home-page-url" env:"WCPP_HOME_PAGE_URL" placeholder:"URL" help:"Page embedded on the home screen."`
	LoginPageURL     string `name:"login-page-url" env:"WCPP_LOGIN_PAGE_URL" placeholder:"URL" help:"Page embedded on the sign-in screen."`
	WebsiteURL       string `name:"website-url" env:"WCPP_WEBSITE_URL" placeholder:"URL" help:"The network's own website, linked from Provider Resources. Default: no link."`

	ResourceURL         string        `name:"resource-url" env:"WCPP_RESOURCE_URL" placeholder:"URL" help:"Content host from which the portal fetches documents and videos. Default: there is none."`
	ResourceKey         string        `env:"WCPP_RESOURCE_KEY" help:"Bearer key for the content host."`
	ResourceTimeout     time.Duration `env:"WCPP_RESOURCE_TIMEOUT" default:"10s" help:"How long the content host may be silent."`
	ResourceAssetPath   string        `env:"WCPP_RESOURCE_ASSET_PATH" placeholder:"PATH" help:"Start of the links in the list of resources that is replaced by the content path. Default: links stay as they are."`
	ResourceContentPath string        `env:"WCPP_RESOURCE_CONTENT_PATH" placeholder:"PATH" help:"What the asset path becomes, below the content host's address."`

	ChatURL     string `name:"chat-url" env:"WCPP_CHAT_URL" placeholder:"URL" help:"Address of the live chat platform (Chatwoot). Default: there is no chat."`
	ChatToken   string `env:"WCPP_CHAT_TOKEN" help:"Website token of the chat's inbox."`
	ChatHMACKey string `name:"chat-hmac-key" env:"WCPP_CHAT_HMAC_KEY" help:"Key of the inbox's identity validation."`
}

// Over is the configuration of a command that works on the data and serves
// nobody.
func Over(s Store) Config {
	return Config{Store: s, Listen: "127.0.0.1:0", IdleMinutes: 30, SessionHours: 12, LockFailures: 5, LockMinutes: 30,
		ResourceTimeout:  10 * time.Second,
		ResetLinkMinutes: 60, RegistrationLinkHours: 168, RequestLinkHours: 48, TimeZone: "America/New_York",
		RosterFileMB: 50, RosterFiles: 20, RosterEndPercent: 20,
		BrandName: "Provider Portal", OrganizationName: "Provider Portal", SupportEmail: "support@portal.example"}
}

// Check finds what is wrong with the settings and names each.
func (c *Config) Check() error {
	var wrong []string
	say := func(ok bool, setting, message string) {
		if !ok {
			wrong = append(wrong, fmt.Sprintf("%s: %s", setting, message))
		}
	}
	if c.PublicURL == "" {
		_, port, _ := strings.Cut(c.Listen, ":")
		if i := strings.LastIndexByte(c.Listen, ':'); i >= 0 {
			port = c.Listen[i+1:]
		}
		c.PublicURL = "http://localhost:" + port
	}
	c.PublicURL = strings.TrimRight(c.PublicURL, "/")
	address := func(value, setting string, required bool) {
		if value == "" {
			say(!required, setting, "is required")
			return
		}
		u, err := url.Parse(value)
		say(err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "", setting, "must be an address that starts with http:// or https://")
	}
	address(c.PublicURL, "WCPP_PUBLIC_URL", true)
	address(c.OIDCIssuer, "WCPP_OIDC_ISSUER", false)
	address(c.SecondBillURL, "WCPP_SECOND_BILL_URL", false)
	address(c.ForeignBillURL, "WCPP_FOREIGN_BILL_URL", false)
	address(c.TermsURL, "WCPP_TERMS_URL", false)
	address(c.PrivacyURL, "WCPP_PRIVACY_URL", false)
	address(c.HomePageURL, "WCPP_HOME_PAGE_URL", false)
	address(c.LoginPageURL, "WCPP_LOGIN_PAGE_URL", false)
	address(c.WebsiteURL, "WCPP_WEBSITE_URL", false)
	address(c.ResourceURL, "WCPP_RESOURCE_URL", false)
	address(c.ChatURL, "WCPP_CHAT_URL", false)
	// Where browsers reach the portal over TLS, what it asks and shows of others travels so too.
	for setting, value := range map[string]string{
		"WCPP_OIDC_ISSUER": c.OIDCIssuer, "WCPP_SECOND_BILL_URL": c.SecondBillURL, "WCPP_RESOURCE_URL": c.ResourceURL, "WCPP_CHAT_URL": c.ChatURL,
		"WCPP_HOME_PAGE_URL": c.HomePageURL, "WCPP_LOGIN_PAGE_URL": c.LoginPageURL, "WCPP_BLOB_URL": endpoint(c.BlobURL), "WCPP_FEED_URL": endpoint(c.FeedURL),
	} {
		u, err := url.Parse(value)
		say(!c.tls() || err != nil || u.Scheme != "http" || text.IsLoopback(u.Hostname()), setting, "must use https:// as WCPP_PUBLIC_URL does, unless it is on this machine")
	}
	say((c.TLSCertFile == "") == (c.TLSKeyFile == ""), "WCPP_TLS_KEY_FILE", "is given together with WCPP_TLS_CERT_FILE")
	say(c.ResourceTimeout >= time.Second, "WCPP_RESOURCE_TIMEOUT", "must be at least 1s")
	say((c.ChatURL == "") == (c.ChatToken == ""), "WCPP_CHAT_TOKEN", "is given together with WCPP_CHAT_URL")
	say(c.IdleMinutes >= 3 && c.IdleMinutes <= 1440, "WCPP_IDLE_MINUTES", "must be from 3 to 1440")
	say(c.SessionHours >= 1, "WCPP_SESSION_HOURS", "must be at least 1")
	say(c.LockFailures >= 1, "WCPP_LOCK_FAILURES", "must be at least 1")
	say(c.LockMinutes >= 1, "WCPP_LOCK_MINUTES", "must be at least 1")
	say(c.DisableAfterDays >= 0, "WCPP_DISABLE_AFTER_DAYS", "must be 0 or more")
	for _, ftin := range c.RestrictedTINs {
		say(check.TIN(ftin), "WCPP_RESTRICTED_TINS", "must be TINs of 9 digits")
	}
	say(c.ResetLinkMinutes >= 5, "WCPP_RESET_LINK_MINUTES", "must be at least 5")
	say(c.RegistrationLinkHours >= 1, "WCPP_REGISTRATION_LINK_HOURS", "must be at least 1")
	say(c.RequestLinkHours >= 1, "WCPP_REQUEST_LINK_HOURS", "must be at least 1")
	_, err := time.LoadLocation(c.TimeZone)
	say(err == nil && c.TimeZone != "" && c.TimeZone != "Local", "WCPP_TIME_ZONE", "must be a time zone such as America/New_York")
	say(c.RosterFileMB >= 1, "WCPP_ROSTER_FILE_MB", "must be at least 1")
	say(c.RosterFiles >= 1, "WCPP_ROSTER_FILES", "must be at least 1")
	say(c.RosterEndPercent >= 0 && c.RosterEndPercent <= 100, "WCPP_ROSTER_END_PERCENT", "must be from 0 to 100")
	say(check.Email(c.SupportEmail), "WCPP_SUPPORT_EMAIL", "must be an e-mail address")
	say(c.MailFrom == "" || check.Email(c.MailFrom), "WCPP_MAIL_FROM", "must be an e-mail address")
	say(c.OIDCIssuer == "" || c.OIDCClientID != "", "WCPP_OIDC_CLIENT_ID", "is required with WCPP_OIDC_ISSUER")
	say(c.DatabaseURL == "" || strings.HasPrefix(c.DatabaseURL, "sqlite:") || strings.HasPrefix(c.DatabaseURL, "postgres://") || strings.HasPrefix(c.DatabaseURL, "postgresql://"),
		"WCPP_DATABASE_URL", "must start with sqlite: or postgres://")
	if c.SMTPURL != "" {
		_, err := mail.ParseURL(c.SMTPURL)
		say(err == nil, "WCPP_SMTP_URL", fmt.Sprint(err))
	}
	if _, err := c.proxies(); err != nil {
		say(false, "WCPP_TRUSTED_PROXIES", err.Error())
	}
	if len(wrong) > 0 {
		return fmt.Errorf("the configuration is not valid:\n  %s", strings.Join(wrong, "\n  "))
	}
	return nil
}

// tls tells whether browsers reach the portal over TLS.
func (c *Config) tls() bool { return strings.HasPrefix(c.PublicURL, "https://") }

// endpoint is the address of what is compatible with S3, where storage names one.
func endpoint(storage string) string {
	u, err := url.Parse(storage)
	if err != nil {
		return ""
	}
	return u.Query().Get("endpoint")
}

func (c *Config) proxies() ([]netip.Prefix, error) {
	var list []netip.Prefix
	for _, s := range c.TrustedProxies {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, fmt.Errorf("%q is not a network such as 10.0.0.0/8", s)
		}
		list = append(list, p)
	}
	return list, nil
}

// origins lists where the addresses are, each once; those not configured are
// left out.
func origins(addresses ...string) []string {
	var list []string
	for _, address := range addresses {
		if u, err := url.Parse(address); err == nil && u.Host != "" && !slices.Contains(list, u.Scheme+"://"+u.Host) {
			list = append(list, u.Scheme+"://"+u.Host)
		}
	}
	return list
}

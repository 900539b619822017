package account

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wcpp/internal/platform/check"
	"wcpp/internal/platform/settings"
)

// Settings are the configured limits of the flows.
type Settings struct {
	AccountDisclosure     string   `env:"WCPP_ACCOUNT_DISCLOSURE" default:"specified" enum:"specified,neutral" help:"Whether forgotten user names and password resets tell that an account does not exist (specified), or answer the same for all (neutral)."`
	InternalDomains       []string `env:"WCPP_INTERNAL_DOMAINS" placeholder:"DOMAIN" help:"E-mail domains of internal staff, each by its whole name, who may not request accounts as strangers do."`
	ResetLinkMinutes      int      `env:"WCPP_RESET_LINK_MINUTES" default:"60" help:"Minutes for which a link to a new password holds."`
	RegistrationLinkHours int      `env:"WCPP_REGISTRATION_LINK_HOURS" default:"168" help:"Hours for which the link of a registration mail holds."`
	RequestLinkHours      int      `env:"WCPP_REQUEST_LINK_HOURS" default:"48" help:"Hours for which the link of an account request holds."`
	StrangerMails         int      `env:"WCPP_STRANGER_MAILS" default:"10" help:"Different addresses in an hour that may be typed from one source (an address, of IPv6 its first 64 bits) to be mailed: account requests and forgotten user names."`
	StrangerMailsAnHour   int      `env:"WCPP_STRANGER_MAILS_AN_HOUR" default:"200" help:"Different addresses in an hour that account requests mail from all sources together."`

	// PasswordElsewhere tells that people sign in at an outside provider alone: no
	// password of the portal's own lets anybody in, and none is asked for.
	PasswordElsewhere bool
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	for _, d := range s.InternalDomains {
		p.Require(check.Domain(bare(d)), "WCPP_INTERNAL_DOMAINS", fmt.Sprintf("%q is not a domain such as staff.example.com", d))
	}
	p.Require(s.ResetLinkMinutes >= 5, "WCPP_RESET_LINK_MINUTES", "must be at least 5")
	p.Require(s.RegistrationLinkHours >= 1, "WCPP_REGISTRATION_LINK_HOURS", "must be at least 1")
	p.Require(s.RequestLinkHours >= 1, "WCPP_REQUEST_LINK_HOURS", "must be at least 1")
	p.Require(s.StrangerMails >= 1, "WCPP_STRANGER_MAILS", "must be at least 1")
	p.Require(s.StrangerMailsAnHour >= s.StrangerMails, "WCPP_STRANGER_MAILS_AN_HOUR", "must be at least WCPP_STRANGER_MAILS")
}

// neutral answers the same for accounts that exist and that do not.
func (s Settings) neutral() bool { return s.AccountDisclosure == "neutral" }

// Internal tells whether an address belongs to internal staff.
func (s Settings) Internal(email string) bool {
	_, domain, _ := strings.Cut(email, "@")
	return slices.ContainsFunc(s.InternalDomains, func(d string) bool { return strings.EqualFold(bare(d), domain) })
}

// bare is a domain without the @ that many write in front.
func bare(domain string) string { return strings.TrimPrefix(domain, "@") }

// How long links hold.
func (s Settings) resetFor() time.Duration { return time.Duration(s.ResetLinkMinutes) * time.Minute }
func (s Settings) registrationFor() time.Duration {
	return time.Duration(s.RegistrationLinkHours) * time.Hour
}
func (s Settings) requestFor() time.Duration { return time.Duration(s.RequestLinkHours) * time.Hour }

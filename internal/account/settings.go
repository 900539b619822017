package account

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/validate"
)

// Settings are the configured limits of the flows.
type Settings struct {
	AccountDisclosure     string   `env:"WCPP_ACCOUNT_DISCLOSURE" default:"specified" enum:"specified,neutral" help:"What forgotten-username and password-reset pages reveal: missing accounts (specified) or nothing (neutral)."`
	InternalDomains       []string `env:"WCPP_INTERNAL_DOMAINS" placeholder:"DOMAIN" help:"Email domains of internal staff, whose users can't request accounts."`
	ResetLinkMinutes      int      `env:"WCPP_RESET_LINK_MINUTES" default:"60" help:"Password reset link lifetime, in minutes."`
	RegistrationLinkHours int      `env:"WCPP_REGISTRATION_LINK_HOURS" default:"168" help:"How long a registration link is valid, in hours."`
	RequestLinkHours      int      `env:"WCPP_REQUEST_LINK_HOURS" default:"48" help:"How long an account request link is valid, in hours."`
	StrangerMails         int      `env:"WCPP_STRANGER_MAILS" default:"10" help:"Hourly limit on addresses emailed per source (an IPv4 address or IPv6 /64) for account requests and forgotten usernames."`
	StrangerMailsAnHour   int      `env:"WCPP_STRANGER_MAILS_AN_HOUR" default:"200" help:"Hourly limit on addresses emailed for account requests, all sources."`

	// PasswordElsewhere tells that people sign in at an outside provider alone: no
	// password of the portal's own lets anybody in, and none is asked for.
	PasswordElsewhere bool
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	for _, d := range s.InternalDomains {
		p.Require(validate.Domain(bare(d)), "WCPP_INTERNAL_DOMAINS", fmt.Sprintf("%q is not a domain such as staff.example.com", d))
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

package account

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/validate"
)

// Disclosure states whether forgotten-username and password-reset pages reveal missing accounts
// (specified) or nothing (neutral).
type Disclosure string

// Choices lists the allowed values.
func (Disclosure) Choices() []string { return []string{"specified", "neutral"} }

// Settings are the configured limits of the account flows.
type Settings struct {
	AccountDisclosure Disclosure `env:"WCPP_ACCOUNT_DISCLOSURE" default:"specified" help:"Reveal whether an account exists: ${enum}."`

	InternalDomains       []string `env:"WCPP_INTERNAL_DOMAINS" placeholder:"DOMAIN" help:"Staff domains that can't request accounts."`
	ResetLinkMinutes      int      `env:"WCPP_RESET_LINK_MINUTES" default:"60" help:"Password reset link lifetime, up to 129600 minutes."`
	RegistrationLinkHours int      `env:"WCPP_REGISTRATION_LINK_HOURS" default:"168" help:"Registration link lifetime, up to 2160 hours."`
	RequestLinkHours      int      `env:"WCPP_REQUEST_LINK_HOURS" default:"48" help:"Account request link lifetime, up to 2160 hours."`
	StrangerMails         int      `env:"WCPP_STRANGER_MAILS" default:"10" help:"Addresses a source can have emailed per hour."`
	StrangerMailsAnHour   int      `env:"WCPP_STRANGER_MAILS_AN_HOUR" default:"200" help:"Addresses emailed per hour for account requests."`

	AccountRequestKeepDays int `env:"WCPP_ACCOUNT_REQUEST_KEEP_DAYS" default:"730" help:"Closed account request retention, in days."`

	// PasswordElsewhere means that people sign in only at an SSO provider. The portal then
	// accepts no passwords of its own and asks for none.
	PasswordElsewhere bool

	// Issuer is the configured SSO provider, or empty.
	Issuer string
}

// linkKeepDays is how long links are stored, and so the longest that they can be valid.
const linkKeepDays = 90

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	for _, d := range s.InternalDomains {
		p.Require(validate.Domain(trimAt(d)), "WCPP_INTERNAL_DOMAINS", fmt.Sprintf("%q is not a domain such as staff.example.com", d))
	}
	const hours = linkKeepDays * 24
	requireBetween := func(value, least, most int, variable string) {
		p.Require(least <= value && value <= most, variable, fmt.Sprintf("must be between %d and %d", least, most))
	}
	requireBetween(s.ResetLinkMinutes, 5, hours*60, "WCPP_RESET_LINK_MINUTES")
	requireBetween(s.RegistrationLinkHours, 1, hours, "WCPP_REGISTRATION_LINK_HOURS")
	requireBetween(s.RequestLinkHours, 1, hours, "WCPP_REQUEST_LINK_HOURS")
	p.Require(s.StrangerMails >= 1, "WCPP_STRANGER_MAILS", "must be at least 1")
	p.Require(s.StrangerMailsAnHour >= s.StrangerMails, "WCPP_STRANGER_MAILS_AN_HOUR", "must be at least WCPP_STRANGER_MAILS")
	p.Days(s.AccountRequestKeepDays, 90, "WCPP_ACCOUNT_REQUEST_KEEP_DAYS")
}

// isNeutral reports whether responses must be the same whether or not an account exists.
func (s Settings) isNeutral() bool { return s.AccountDisclosure == "neutral" }

// IsInternal reports whether an address belongs to internal staff.
func (s Settings) IsInternal(email string) bool {
	_, domain, _ := strings.Cut(email, "@")
	return slices.ContainsFunc(s.ListDomains(), func(d string) bool { return strings.EqualFold(d, domain) })
}

// ListDomains returns the internal domains without a leading @.
func (s Settings) ListDomains() []string {
	domains := make([]string, len(s.InternalDomains))
	for i, d := range s.InternalDomains {
		domains[i] = trimAt(d)
	}
	return domains
}

// trimAt removes the leading @ that many people write before a domain.
func trimAt(domain string) string { return strings.TrimPrefix(domain, "@") }

// How long links are valid.
func (s Settings) resetValidity() time.Duration {
	return time.Duration(s.ResetLinkMinutes) * time.Minute
}
func (s Settings) registrationValidity() time.Duration {
	return time.Duration(s.RegistrationLinkHours) * time.Hour
}
func (s Settings) requestValidity() time.Duration {
	return time.Duration(s.RequestLinkHours) * time.Hour
}

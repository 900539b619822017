// Package settings validates a program's configuration, and contains the settings that several
// domains share. Each domain has a Settings struct. Its tags define the command line, the
// variables, the keys of the configuration file, and the defaults.
package settings

import (
	"fmt"
	"net/url"
	"strings"

	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Problems collects invalid settings by variable.
type Problems struct {
	// TLS says that browsers use HTTPS.
	TLS   bool
	found []string
}

// Require adds a problem with a setting, unless ok.
func (p *Problems) Require(ok bool, variable, message string) {
	if !ok {
		p.found = append(p.found, variable+": "+message)
	}
}

// AtLeast adds a problem if a number is too low.
func (p *Problems) AtLeast(value, least int, variable string) {
	p.Require(value >= least, variable, fmt.Sprintf("must be %d or more", least))
}

// MaxDays is the maximum of settings in days. It fits into a time.Duration.
const MaxDays = 36500

// Days adds a problem if a number of days is too low or too high.
func (p *Problems) Days(value, least int, variable string) {
	p.Require(least <= value && value <= MaxDays, variable, fmt.Sprintf("must be between %d and %d", least, MaxDays))
}

// RequireWith adds a problem for a setting that only works together with the other.
func (p *Problems) RequireWith(value, variable, other, otherVariable string) {
	p.Require(value == "" || other != "", variable, "needs "+otherVariable)
}

// Address checks that a setting is a web address or empty.
func (p *Problems) Address(value, variable string) {
	if value == "" {
		return
	}
	u, err := url.Parse(value)
	p.Require(err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "", variable,
		"must be an address that starts with http:// or https://")
}

// Encrypted checks the address of an external service. If browsers use HTTPS, external services
// must use it, too.
func (p *Problems) Encrypted(value, variable string) {
	u, err := url.Parse(value)
	p.Require(!p.TLS || err != nil || u.Scheme != "http" || text.IsLoopback(u.Hostname()), variable,
		"must use https:// like WCPP_PUBLIC_URL, unless it's on this machine")
}

// Storage checks the storage address. An S3-compatible endpoint is checked as in Encrypted.
func (p *Problems) Storage(value, variable string) {
	if u, err := url.Parse(value); err == nil {
		p.Encrypted(u.Query().Get("endpoint"), variable)
	}
}

// Err returns an error that lists the invalid settings, or nil.
func (p *Problems) Err() error {
	if len(p.found) == 0 {
		return nil
	}
	return fmt.Errorf("invalid configuration:\n  %s", strings.Join(p.found, "\n  "))
}

// Brand has the portal's names and contact addresses.
type Brand struct {
	BrandName        string `env:"WCPP_BRAND_NAME" default:"Provider Portal" help:"Portal name."`
	OrganizationName string `env:"WCPP_ORGANIZATION_NAME" help:"Organization name for texts and the copyright line."`

	OrganizationAddress string `env:"WCPP_ORGANIZATION_ADDRESS" help:"Organization's postal address for letters."`

	SupportPhone string `env:"WCPP_SUPPORT_PHONE" help:"Support phone number."`
	SupportEmail string `env:"WCPP_SUPPORT_EMAIL" placeholder:"ADDRESS" help:"Support email address, which receives account requests."`
	TermsURL     string `env:"WCPP_TERMS_URL" placeholder:"URL" help:"Terms and conditions URL (default: a built-in page)."`
	PrivacyURL   string `env:"WCPP_PRIVACY_URL" placeholder:"URL" help:"Privacy policy URL."`
}

// InText returns the portal's name within a sentence. The default isn't a proper name.
func (b Brand) InText() string {
	if b.BrandName == defaultBrandName {
		return "the " + b.BrandName
	}
	return b.BrandName
}

const defaultBrandName = "Provider Portal" // same as the field's tag

// Missing lists the unset variables that make texts generic, leave users without a contact, or
// make them agree to the portal's built-in terms.
func (b Brand) Missing() []string {
	var missing []string
	for _, s := range []struct{ variable, value string }{
		{"WCPP_ORGANIZATION_NAME", b.OrganizationName}, {"WCPP_TERMS_URL", b.TermsURL}, {"WCPP_PRIVACY_URL", b.PrivacyURL},
		{"WCPP_SUPPORT_PHONE", b.SupportPhone}, {"WCPP_SUPPORT_EMAIL", b.SupportEmail},
	} {
		if s.value == "" {
			missing = append(missing, s.variable)
		}
	}
	return missing
}

// isDialable reports whether a number can be dialed as written, because links keep only its digits.
func isDialable(number string) bool {
	return validate.Phone(text.Digits(number)) && strings.Trim(number, "0123456789+-.() ") == ""
}

// Check reports problems with the settings.
func (b Brand) Check(p *Problems) {
	p.Address(b.TermsURL, "WCPP_TERMS_URL")
	p.Address(b.PrivacyURL, "WCPP_PRIVACY_URL")
	p.Require(b.SupportEmail == "" || validate.Email(b.SupportEmail), "WCPP_SUPPORT_EMAIL", "must be an email address")
	p.Require(b.SupportPhone == "" || isDialable(b.SupportPhone), "WCPP_SUPPORT_PHONE",
		"must be a phone number of 10 to 15 digits, without letters")
}

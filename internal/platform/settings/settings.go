// Package settings finds out what is wrong with a program's configuration, and
// holds what several areas are configured by. Each area has a Settings struct of
// its own, whose tags are the command line, the variables, the keys of the
// configuration file and the defaults at once.
package settings

import (
	"fmt"
	"net/url"
	"strings"

	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Problems collects the settings that are wrong, each by its variable.
type Problems struct {
	// TLS tells that browsers reach the portal over TLS.
	TLS   bool
	found []string
}

// Require notes the message for a setting, unless ok.
func (p *Problems) Require(ok bool, variable, message string) {
	if !ok {
		p.found = append(p.found, variable+": "+message)
	}
}

// Needs notes a setting that is given and does nothing without the other.
func (p *Problems) Needs(value, variable, other, otherVariable string) {
	p.Require(value == "" || other != "", variable, "needs "+otherVariable)
}

// Address checks a setting that is an address on the web, or empty.
func (p *Problems) Address(value, variable string) {
	if value == "" {
		return
	}
	u, err := url.Parse(value)
	p.Require(err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "", variable, "must be an address that starts with http:// or https://")
}

// Encrypted checks the address of something that the portal asks or shows:
// where browsers reach the portal over TLS, what it asks and shows of others
// travels so too.
func (p *Problems) Encrypted(value, variable string) {
	u, err := url.Parse(value)
	p.Require(!p.TLS || err != nil || u.Scheme != "http" || text.IsLoopback(u.Hostname()), variable, "must use https:// like WCPP_PUBLIC_URL, unless it's on this machine")
}

// Storage checks where files are kept, as Encrypted does where that is an
// endpoint compatible with S3.
func (p *Problems) Storage(value, variable string) {
	if u, err := url.Parse(value); err == nil {
		p.Encrypted(u.Query().Get("endpoint"), variable)
	}
}

// Err names each setting that is wrong, or is nil.
func (p *Problems) Err() error {
	if len(p.found) == 0 {
		return nil
	}
	return fmt.Errorf("invalid configuration:\n  %s", strings.Join(p.found, "\n  "))
}

// Brand is under which names and addresses the portal presents itself.
type Brand struct {
	BrandName        string `env:"WCPP_BRAND_NAME" default:"Provider Portal" help:"Portal name."`
	OrganizationName string `env:"WCPP_ORGANIZATION_NAME" help:"Organization name for texts and the copyright line (default: 'the network' in texts, the portal name in the line)."`
	SupportPhone     string `env:"WCPP_SUPPORT_PHONE" default:"800-555-0100" help:"Support phone number."`
	SupportEmail     string `env:"WCPP_SUPPORT_EMAIL" default:"support@portal.example" help:"Support email address."`
	TermsURL         string `name:"terms-url" env:"WCPP_TERMS_URL" placeholder:"URL" help:"Terms and conditions URL (default: a built-in page)."`
	PrivacyURL       string `name:"privacy-url" env:"WCPP_PRIVACY_URL" placeholder:"URL" help:"Privacy policy URL."`
}

// InText is the portal's name within a sentence: what it is called by default is
// no name.
func (b Brand) InText() string {
	if b.BrandName == defaultBrandName {
		return "the " + b.BrandName
	}
	return b.BrandName
}

const defaultBrandName = "Provider Portal" // as the field's tag says

// Missing lists the variables without which users read of nobody in particular,
// or agree to terms that the portal brings.
func (b Brand) Missing() []string {
	var missing []string
	for _, s := range []struct{ variable, value string }{
		{"WCPP_ORGANIZATION_NAME", b.OrganizationName}, {"WCPP_TERMS_URL", b.TermsURL}, {"WCPP_PRIVACY_URL", b.PrivacyURL},
	} {
		if s.value == "" {
			missing = append(missing, s.variable)
		}
	}
	return missing
}

// dialed tells whether a number is dialed as it is read: links to it keep its digits
// alone.
func dialed(number string) bool {
	return validate.Phone(text.Digits(number)) && strings.Trim(number, "0123456789+-.() ") == ""
}

// Check notes what is wrong with the settings.
func (b Brand) Check(p *Problems) {
	p.Address(b.TermsURL, "WCPP_TERMS_URL")
	p.Address(b.PrivacyURL, "WCPP_PRIVACY_URL")
	p.Require(validate.Email(b.SupportEmail), "WCPP_SUPPORT_EMAIL", "must be an email address")
	p.Require(b.SupportPhone == "" || dialed(b.SupportPhone), "WCPP_SUPPORT_PHONE", "must be a phone number of 10 to 15 digits, without letters")
}

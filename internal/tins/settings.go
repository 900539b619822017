package tins

import (
	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/validate"
)

// Settings list the restricted TINs and how to handle a TIN that others have.
type Settings struct {
	RestrictedTINs []string `name:"restricted-tins" env:"WCPP_RESTRICTED_TINS" placeholder:"TIN" help:"The organization's own TINs, which no one can register."`
	TINSharing     string   `name:"tin-sharing" env:"WCPP_TIN_SHARING" default:"notify" enum:"notify,approve" help:"When a group adds another group's TIN: notify (holders can object) or approve (a system administrator also reviews it)."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	for _, ftin := range s.RestrictedTINs {
		p.Require(validate.TIN(ftin), "WCPP_RESTRICTED_TINS", "must be 9-digit TINs")
	}
}

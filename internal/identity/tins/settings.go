package tins

import (
	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/validate"
)

// Settings list the restricted TINs and how to handle a TIN that others have.
type Settings struct {
	RestrictedTINs []string `name:"restricted-tins" env:"WCPP_RESTRICTED_TINS" placeholder:"TIN" help:"TINs that no one can register."`
	TINSharing     string   `env:"WCPP_TIN_SHARING" default:"notify" enum:"notify,approve" help:"When groups share a TIN: ${enum}."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	for _, ftin := range s.RestrictedTINs {
		p.Require(validate.TIN(ftin), "WCPP_RESTRICTED_TINS", "must be 9-digit TINs")
	}
}

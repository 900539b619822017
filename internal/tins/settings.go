package tins

import (
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/settings"
)

// Settings are which TINs nobody may have.
type Settings struct {
	RestrictedTINs []string `name:"restricted-tins" env:"WCPP_RESTRICTED_TINS" placeholder:"TIN" help:"TINs of the organisation itself, which nobody may register."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	for _, ftin := range s.RestrictedTINs {
		p.Require(check.TIN(ftin), "WCPP_RESTRICTED_TINS", "must be TINs of 9 digits")
	}
}

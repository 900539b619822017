package tins

import (
	"wcpp/internal/platform/check"
	"wcpp/internal/platform/settings"
)

// Settings are which TINs nobody may have, and what comes of one that others have.
type Settings struct {
	RestrictedTINs []string `name:"restricted-tins" env:"WCPP_RESTRICTED_TINS" placeholder:"TIN" help:"TINs of the organisation itself, which nobody may register."`
	TINSharing     string   `name:"tin-sharing" env:"WCPP_TIN_SHARING" default:"notify" enum:"notify,approve" help:"A TIN that a group adds while another has it. notify: the others are told and can object. approve: it also waits for a system administrator's review."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	for _, ftin := range s.RestrictedTINs {
		p.Require(check.TIN(ftin), "WCPP_RESTRICTED_TINS", "must be TINs of 9 digits")
	}
}

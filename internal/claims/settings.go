package claims

import "wcpp/internal/platform/settings"

// Settings are the configured limits of claim searches.
type Settings struct {
	ClaimSearches int `env:"WCPP_CLAIM_SEARCHES" default:"600" help:"Claim searches per user per hour."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	p.Require(s.ClaimSearches >= 1, "WCPP_CLAIM_SEARCHES", "must be at least 1")
}

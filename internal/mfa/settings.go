package mfa

import (
	"cmp"
	"slices"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/settings"
)

// Policy is the second-factor policy of an account type.
type Policy string

// The policies.
const (
	Off      Policy = "off"      // can't be set up, and existing ones aren't required
	Offered  Policy = "offered"  // required if the user has set one up
	Required Policy = "required" // must be set up at the next sign-in
)

// Settings are the configured policies.
type Settings struct {
	SecondFactor map[string]string `env:"WCPP_SECOND_FACTOR" placeholder:"TYPE=POLICY" help:"Off, offered or required by account type."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	for kind, policy := range s.SecondFactor {
		p.Require(slices.Contains(access.Types, access.Type(kind)), "WCPP_SECOND_FACTOR", "has unknown account type "+kind)
		p.Require(slices.Contains([]Policy{Off, Offered, Required}, Policy(policy)), "WCPP_SECOND_FACTOR",
			"must be off, offered or required for "+kind)
	}
}

// policy returns the policy of an account type.
func (s Settings) policy(t access.Type) Policy {
	if p := s.SecondFactor[string(t)]; p != "" {
		return Policy(p)
	}
	if t.IsInternal() {
		return Required
	}
	return Offered
}

// IsOffered reports whether anyone can set up a factor.
func (s Settings) IsOffered() bool {
	return slices.ContainsFunc(access.Types, func(t access.Type) bool { return s.policy(t) != Off })
}

// OrOffered returns the settings with IsOffered for account types without a policy.
func (s Settings) OrOffered() Settings {
	all := Settings{SecondFactor: map[string]string{}}
	for _, t := range access.Types {
		all.SecondFactor[string(t)] = cmp.Or(s.SecondFactor[string(t)], string(Offered))
	}
	return all
}

// None returns settings without second factors.
func None() Settings {
	s := Settings{SecondFactor: map[string]string{}}
	for _, t := range access.Types {
		s.SecondFactor[string(t)] = string(Off)
	}
	return s
}

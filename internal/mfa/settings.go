package mfa

import (
	"cmp"
	"slices"

	"wcpp/internal/access"
	"wcpp/internal/platform/settings"
)

// Policy is what an account type has to do with second factors.
type Policy string

// The policies.
const (
	Off      Policy = "off"      // none can be set up, and none that were are asked for
	Offered  Policy = "offered"  // asked for where a person has set one up
	Required Policy = "required" // set up at the next sign-in
)

// Settings are the configured policies.
type Settings struct {
	SecondFactor map[string]string `env:"WCPP_SECOND_FACTOR" mapsep:"," placeholder:"TYPE=POLICY" help:"Two-step verification by account type: off, offered or required, such as PRAD=required,NNUS=off (default: required for IRAD and ISAD, offered for others)."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	for kind, policy := range s.SecondFactor {
		p.Require(slices.Contains(access.Types, access.Type(kind)), "WCPP_SECOND_FACTOR", "has unknown account type "+kind)
		p.Require(slices.Contains([]Policy{Off, Offered, Required}, Policy(policy)), "WCPP_SECOND_FACTOR", "must be off, offered or required for "+kind)
	}
}

// policy is that of an account type.
func (s Settings) policy(t access.Type) Policy {
	if p := s.SecondFactor[string(t)]; p != "" {
		return Policy(p)
	}
	if t.Internal() {
		return Required
	}
	return Offered
}

// Offered tells whether anybody may set up a factor.
func (s Settings) Offered() bool {
	return slices.ContainsFunc(access.Types, func(t access.Type) bool { return s.policy(t) != Off })
}

// OrOffered are the settings with factors offered to the types that they do not name.
func (s Settings) OrOffered() Settings {
	all := Settings{SecondFactor: map[string]string{}}
	for _, t := range access.Types {
		all.SecondFactor[string(t)] = cmp.Or(s.SecondFactor[string(t)], string(Offered))
	}
	return all
}

// None are the settings under which nobody has a second factor.
func None() Settings {
	s := Settings{SecondFactor: map[string]string{}}
	for _, t := range access.Types {
		s.SecondFactor[string(t)] = string(Off)
	}
	return s
}

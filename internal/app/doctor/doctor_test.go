package doctor

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A provider handles the second factor only if staff can't sign in with a password.
func TestSecondFactorOfStaff(t *testing.T) {
	for name, c := range map[string]struct {
		issuer, policy string
		legacy         bool
		want           Finding
	}{
		"provider":              {"https://id.example", "off", false, Finding{OK, "two-step", "Handled by the OpenID provider.", ""}},
		"provider and password": {"https://id.example", "", true, Finding{OK, "two-step", "Required for staff.", ""}},
		"provider and password alone": {"https://id.example", "off", true, Finding{Warning, "two-step",
			"Optional for these staff account types: ISAD.", "Require it in WCPP_SECOND_FACTOR."}},
		"password": {"", "", true, Finding{OK, "two-step", "Required for staff.", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			var found []Finding
			p := &checkup{onFinding: func(f Finding) { found = append(found, f) }}
			p.SSO.OIDCIssuer, p.Sessions.LegacySignIn = c.issuer, c.legacy
			p.Factors.SecondFactor = map[string]string{"ISAD": c.policy}
			p.checkSecondFactor(t.Context())
			assert.Equal(t, []Finding{c.want}, found)
		})
	}
}

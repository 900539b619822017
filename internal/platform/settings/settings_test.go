package settings

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestBrandInText(t *testing.T) {
	for name, want := range map[string]string{"Provider Portal": "the Provider Portal", "Harborline Network": "Harborline Network"} {
		if got := (Brand{BrandName: name}).InText(); got != want {
			t.Errorf("%s is %q in a sentence", name, got)
		}
	}
}

func TestMissingBrand(t *testing.T) {
	want := []string{"WCPP_ORGANIZATION_NAME", "WCPP_TERMS_URL", "WCPP_PRIVACY_URL", "WCPP_SUPPORT_PHONE", "WCPP_SUPPORT_EMAIL"}
	assert.Equal(t, want, (Brand{BrandName: "Portal"}).Missing())
	whole := Brand{OrganizationName: "Network", TermsURL: "https://n.example/t", PrivacyURL: "https://n.example/p",
		SupportPhone: "800-555-0100", SupportEmail: "help@n.example"}
	assert.Nil(t, whole.Missing())
}

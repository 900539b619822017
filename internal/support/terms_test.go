package support

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform/settings"
)

func TestTerms(t *testing.T) {
	shown := func(brand settings.Brand) *httptest.ResponseRecorder {
		m, err := NewTermsModule(brand)
		require.NoError(t, err)
		mux := http.NewServeMux()
		if m.Routes != nil {
			m.Routes(mux)
		}
		answer := httptest.NewRecorder()
		mux.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, TermsPath, nil))
		return answer
	}
	page := shown(settings.Brand{BrandName: "Provider Portal", SupportPhone: "800-555-0100", SupportEmail: "help@portal.example"})
	for _, said := range []string{
		"<title>Terms and Conditions · Provider Portal</title>", "an account for the Provider Portal.", "come from the network",
		"Call 800-555-0100 or email", `<a href="mailto:help@portal.example">`,
	} {
		assert.Contains(t, page.Body.String(), said)
	}
	if kind := page.Header().Get("Content-Type"); page.Code != http.StatusOK || kind != "text/html; charset=utf-8" {
		t.Errorf("%d, %s", page.Code, kind)
	}
	if page := shown(settings.Brand{BrandName: "A&B", OrganizationName: "C&D"}).Body.String(); !strings.Contains(page,
		"account for A&amp;B.") || !strings.Contains(page, "come from C&amp;D") {
		t.Errorf("names are not those that are configured: %s", page)
	}
	// Nothing is invented where no contact is configured.
	none := shown(settings.Brand{BrandName: "A&B"}).Body.String()
	assert.NotContains(t, none, "Questions")
	assert.NotContains(t, none, "mailto:")
	mailOnly := shown(settings.Brand{SupportEmail: "help@n.example"}).Body.String()
	assert.Contains(t, mailOnly, `Email <a href="mailto:help@n.`)
	assert.Equal(t, http.StatusNotFound, shown(settings.Brand{TermsURL: "https://network.example/terms"}).Code)
}

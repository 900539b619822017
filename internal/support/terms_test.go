package support

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"wcpp/internal/platform/settings"
)

func TestTerms(t *testing.T) {
	shown := func(brand settings.Brand) *httptest.ResponseRecorder {
		m, err := NewTermsModule(brand)
		if err != nil {
			t.Fatal(err)
		}
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
		if !strings.Contains(page.Body.String(), said) {
			t.Errorf("the terms lack %q", said)
		}
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
	if strings.Contains(none, "Questions") || strings.Contains(none, "mailto:") {
		t.Errorf("a contact that nobody configured: %s", none)
	}
	mailOnly := shown(settings.Brand{SupportEmail: "help@n.example"}).Body.String()
	if !strings.Contains(mailOnly, `Email <a href="mailto:help@n.`) {
		t.Errorf("no email address: %s", mailOnly)
	}
	if code := shown(settings.Brand{TermsURL: "https://network.example/terms"}).Code; code != http.StatusNotFound {
		t.Errorf("beside terms of one's own: %d", code)
	}
}

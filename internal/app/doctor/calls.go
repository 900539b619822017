package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"wcpp/internal/sso"
)

// client follows no redirects, like the portal.
var client = http.Client{
	Timeout:       10 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// response is another system's response.
type response struct {
	status int
	body   []byte
	date   time.Time // of its clock, or zero
}

// most is the maximum response size to read, in bytes.
const most = 4 << 20

func get(ctx context.Context, address, key string) (response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return response{}, err
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := client.Do(req)
	if err != nil {
		return response{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, most))
	date, _ := http.ParseTime(res.Header.Get("Date")) // zero if missing
	return response{res.StatusCode, body, date}, err
}

// checkIssuer reads the OpenID provider's discovery document.
func (p *checkup) checkIssuer(ctx context.Context) {
	const what = "sign-on"
	if !p.SSO.IsExternal() {
		p.report(OK, what, "Users sign in with the built-in sign-in form.", "")
		return
	}
	asked := p.now()
	got, err := get(ctx, strings.TrimSuffix(p.SSO.OIDCIssuer, "/")+"/.well-known/openid-configuration", "")
	answered := p.now()
	var about struct {
		Issuer        string   `json:"issuer"`
		Authorization string   `json:"authorization_endpoint"`
		Token         string   `json:"token_endpoint"`
		Keys          string   `json:"jwks_uri"`
		Challenges    []string `json:"code_challenge_methods_supported"`
	}
	if err == nil && got.status == http.StatusOK {
		err = json.Unmarshal(got.body, &about)
	}
	switch {
	case err != nil:
		p.report(Wrong, what, explainError(err),
			"Set WCPP_OIDC_ISSUER to the issuer name that the provider uses, and make sure this server can reach it.")
		return
	case got.status != http.StatusOK:
		p.report(Wrong, what, fmt.Sprintf("The discovery document request returned %d.", got.status),
			"Set WCPP_OIDC_ISSUER to the issuer name that the provider uses.")
		return
	case about.Issuer != p.SSO.OIDCIssuer:
		p.report(Wrong, what, fmt.Sprintf("The provider's issuer name is %q.", about.Issuer), "Set WCPP_OIDC_ISSUER to this exact value.")
	case about.Authorization == "" || about.Token == "" || about.Keys == "":
		p.report(Wrong, what, "The discovery document is missing an address (authorization, token or keys).",
			"Fix the provider's configuration.")
	default:
		if keys, err := get(ctx, about.Keys, ""); err != nil || keys.status != http.StatusOK {
			p.report(Wrong, what, "Couldn't read the provider's keys.",
				"Make sure this server can reach the jwks_uri address in the discovery document.")
			return
		}
		if err := sso.CheckClient(ctx, p.SSO, nil); err != nil {
			p.report(Wrong, what, "The token endpoint doesn't accept the portal: "+explainError(err),
				"Make sure that this server can reach it. Correct WCPP_OIDC_CLIENT_ID and WCPP_OIDC_CLIENT_SECRET, which can expire.")
			return
		}
		p.report(OK, what, "The provider's discovery document and keys are readable.", "")
	}
	if !got.date.IsZero() {
		// The header has whole seconds.
		p.checkClock("OpenID provider", got.date, asked.Truncate(time.Second), answered)
	}
}

// checkSecondBills requests the image of a nonexistent bill, for which the system returns 404.
func (p *checkup) checkSecondBills(ctx context.Context) {
	if p.Bills.SecondBillURL == "" {
		return
	}
	p.checkResponse(ctx, "second bills", strings.TrimSuffix(p.Bills.SecondBillURL, "/")+"/bills/0/image", p.Bills.SecondBillKey,
		"WCPP_SECOND_BILL", http.StatusNotFound)
}

// checkContentHost requests the list of resources.
func (p *checkup) checkContentHost(ctx context.Context) {
	if p.Content.ResourceURL == "" {
		return
	}
	p.checkResponse(ctx, "content host", strings.TrimSuffix(p.Content.ResourceURL, "/")+"/provider-resources.json", p.Content.ResourceKey,
		"WCPP_RESOURCE", http.StatusOK)
}

// checkResponse checks that a system responds with 200 or the expected status. variables is the prefix
// of its settings.
func (p *checkup) checkResponse(ctx context.Context, what, address, key, variables string, expected int) {
	got, err := get(ctx, address, key)
	switch {
	case err != nil:
		p.report(Wrong, what, explainError(err), "Fix the system or check "+variables+"_URL.")
	case got.status == expected || got.status == http.StatusOK:
		p.report(OK, what, "The system responds.", "")
	case got.status == http.StatusUnauthorized || got.status == http.StatusForbidden:
		p.report(Wrong, what, fmt.Sprintf("Access denied (%d).", got.status), "Correct "+variables+"_KEY.")
	default:
		p.report(Wrong, what, fmt.Sprintf("The system returned %d instead of %d.", got.status, expected),
			"Fix the system or check "+variables+"_URL.")
	}
}

package sso

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
)

type claims = map[string]any

// outside is a fake OpenID provider.
type outside struct {
	*httptest.Server
	key    *ecdsa.PrivateKey
	issuer string                                 // in its metadata; empty: its own URL
	token  func(o *outside, c claims) string      // creates the ID token
	moved  string                                 // redirect target of the token endpoint
	denies string                                 // error code of the token endpoint
	asked  url.Values                             // request to the token endpoint
	basic  string                                 // its client and secret in the header
	info   claims                                 // response of the UserInfo endpoint
	found  struct{ issuer, subject, name string } // arguments of the account lookup
	adds   claims                                 // extra metadata

	// The portal's settings, the sign-in in progress, and the returned issuer.
	settings Settings
	pending  Pending
	answerer string
}

func newOutside(t *testing.T) *outside {
	t.Helper()
	o := &outside{key: newKey(t), token: signed, pending: Pending{State: "s", Nonce: "the nonce", Verifier: "the verifier", At: time.Now()}}
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		issuer := o.issuer
		if issuer == "" {
			issuer = o.URL
		}
		metadata := claims{
			"issuer": issuer, "authorization_endpoint": o.URL + "/auth", "token_endpoint": o.URL + "/token", "jwks_uri": o.URL + "/keys",
			"userinfo_endpoint": o.URL + "/me", "id_token_signing_alg_values_supported": []string{"ES256", "HS256", "none"},
			"token_endpoint_auth_methods_supported": []string{"client_secret_basic", "client_secret_post"},
		}
		maps.Copy(metadata, o.adds)
		answer(w, metadata)
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: o.key.Public(), KeyID: "k", Algorithm: "ES256", Use: "sig"}}})
	})
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		o.asked = r.Form
		id, secret, _ := r.BasicAuth()
		o.basic = id + ":" + secret
		if o.denies != "" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_ = json.NewEncoder(w).Encode(claims{"error": o.denies})
			return
		}
		if o.moved != "" {
			http.Redirect(w, r, o.moved, http.StatusTemporaryRedirect)
			return
		}
		answer(w, claims{"access_token": "at", "token_type": "Bearer", "id_token": o.token(o, claims{
			"iss": o.URL, "sub": "s1", "aud": "portal", "exp": time.Now().Add(time.Minute).Unix(), "iat": time.Now().Unix(),
			"nonce": "the nonce", "preferred_username": "zoe",
		})})
	})
	mux.HandleFunc("GET /me", func(w http.ResponseWriter, _ *http.Request) { answer(w, o.info) })
	o.Server = httptest.NewServer(mux)
	t.Cleanup(o.Close)
	o.settings = Settings{OIDCIssuer: o.URL, OIDCClientID: "portal", OIDCClientSecret: "hush", OIDCUserClaim: "preferred_username"}
	return o
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return key
}

func signed(o *outside, c claims) string { return signedBy(jose.ES256, o.key, c) }

func signedBy(algorithm jose.SignatureAlgorithm, key any, c claims) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", "k"))
	if err != nil {
		panic(err)
	}
	token, err := jwt.Signed(signer).Claims(c).Serialize()
	if err != nil {
		panic(err)
	}
	return token
}

// with changes one claim of the token.
func with(name string, value any) func(*outside, claims) string {
	return func(o *outside, c claims) string { c[name] = value; return signed(o, c) }
}

func (o *outside) exchange(ctx context.Context) error {
	_, err := o.proven(ctx)
	return err
}

func (o *outside) proven(ctx context.Context) (Proven, error) {
	return o.portal(nil, ignoreSignOut).Exchange(ctx, "the code", o.answerer, o.pending)
}

func ignoreSignOut(context.Context, *sql.Tx, string, string, string) error { return nil }

// portal returns a portal that signs people in at this provider.
func (o *outside) portal(d *db.DB, ended SignOutHandler) *OIDC {
	kit := platform.Kit{DB: d, Clock: time.Now, Log: slog.New(slog.DiscardHandler), PublicURL: "https://portal.example"}
	find := func(_ context.Context, issuer, subject, name string) (Authenticated, error) {
		o.found.issuer, o.found.subject, o.found.name = issuer, subject, name
		return Authenticated{UserID: 7}, nil
	}
	return NewOIDC(OIDCDeps{Kit: kit, Find: find, SignedOut: ended}, o.settings)
}

// A provider that doesn't list client_secret_post gets the secret in the header, as OpenID Connect
// Discovery says.
func TestClientSecretInTheHeader(t *testing.T) {
	for name, methods := range map[string]any{"listed": []string{"client_secret_basic"}, "default": nil} {
		o := newOutside(t)
		o.settings.OIDCClientSecret = "a secret: 100%"
		o.adds = claims{"token_endpoint_auth_methods_supported": methods}
		if err := o.exchange(t.Context()); err != nil || o.basic != "portal:a+secret%3A+100%25" || o.asked.Has("client_secret") {
			t.Errorf("%s: %v, header %q, body %v", name, err, o.basic, o.asked)
		}
	}
}

// A used or expired code is the user's to repeat. Any other refusal, such as an expired client
// secret, is the operator's to fix, and looks like a provider that is down.
func TestTokenRefused(t *testing.T) {
	for denies, want := range map[string]problem.Kind{
		"invalid_grant": problem.Unauthenticated, "invalid_client": problem.Unavailable, "unauthorized_client": problem.Unavailable,
	} {
		o := newOutside(t)
		o.denies = denies
		if err := o.exchange(t.Context()); !problem.Is(err, want) {
			t.Errorf("%s: %v", denies, err)
		}
		if err := CheckClient(t.Context(), o.settings, nil); (err == nil) != (denies == "invalid_grant") {
			t.Errorf("check with %s: %v", denies, err)
		}
	}
}

// The authentication time comes from the token, and is unknown if the token omits it.
func TestAskedAt(t *testing.T) {
	o := newOutside(t)
	if p, err := o.proven(t.Context()); err != nil || p.UserID != 7 || p.IDToken == "" || !p.At.IsZero() {
		t.Errorf("without auth_time: %+v, %v", p, err)
	}
	o.token = func(o *outside, c claims) string {
		c["auth_time"], c["sid"], c["azp"], c["aud"] = 1_700_000_000, "theirs", "portal", []string{"portal", "elsewhere"}
		return signed(o, c)
	}
	if p, err := o.proven(t.Context()); err != nil || p.At.Unix() != 1_700_000_000 || p.SID != "theirs" {
		t.Errorf("with auth_time: %+v, %v", p, err)
	}
	o.token = with("auth_time", "yesterday")
	if _, err := o.proven(t.Context()); !problem.Is(err, problem.Unauthenticated) {
		t.Errorf("with an auth_time that is no time: %v", err)
	}
}

// The code is sent to the provider with the client secret and the PKCE verifier. The signed
// token identifies the person.
func TestIdentityToken(t *testing.T) {
	o := newOutside(t)
	require.NoError(t, o.exchange(t.Context()))
	if o.found.issuer != o.URL || o.found.subject != "s1" || o.found.name != "zoe" {
		t.Errorf("found by %+v", o.found)
	}
	for name, want := range map[string]string{
		"code": "the code", "code_verifier": "the verifier", "client_id": "portal", "client_secret": "hush",
		"grant_type": "authorization_code", "redirect_uri": "https://portal.example/wcpp/login",
	} {
		assert.Equal(t, want, o.asked.Get(name), name)
	}
	// A name missing in the token is fetched, and must belong to the same subject.
	o.token = with("preferred_username", nil)
	o.info = claims{"sub": "s1", "preferred_username": "Zoe2"}
	if err := o.exchange(t.Context()); err != nil || o.found.name != "Zoe2" {
		t.Errorf("by user info: %+v, %v", o.found, err)
	}
	o.info = claims{"sub": "s2", "preferred_username": "eve"}
	assert.Error(t, o.exchange(t.Context()), "user info of another person is taken")
}

// Each of these defects alone invalidates a token.
func TestIdentityTokenRefused(t *testing.T) {
	other := newKey(t)
	for name, token := range map[string]func(*outside, claims) string{
		"no token":       func(*outside, claims) string { return "" },
		"of another key": func(_ *outside, c claims) string { return signedBy(jose.ES256, other, c) },
		"by the public key as a secret": func(o *outside, c claims) string {
			public, err := o.key.PublicKey.Bytes()
			if err != nil {
				panic(err)
			}
			return signedBy(jose.HS256, public, c)
		},
		"by the client's secret": func(_ *outside, c claims) string {
			return signedBy(jose.HS256, []byte(strings.Repeat("hush", 8)), c)
		},
		"unsigned": func(_ *outside, c claims) string {
			body, err := json.Marshal(c)
			if err != nil {
				panic(err)
			}
			enc := base64.RawURLEncoding
			return enc.EncodeToString([]byte(`{"alg":"none"}`)) + "." + enc.EncodeToString(body) + "."
		},
		"changed": func(o *outside, c claims) string {
			parts := strings.Split(signed(o, c), ".")
			c["preferred_username"] = "isad"
			parts[1] = strings.Split(signed(o, c), ".")[1]
			return strings.Join(parts, ".")
		},
		"for another client":             with("aud", "elsewhere"),
		"of another issuer":              with("iss", "https://id.example"),
		"expired":                        with("exp", time.Now().Add(-2*time.Minute).Unix()),
		"not yet valid":                  with("nbf", time.Now().Add(time.Hour).Unix()),
		"of another sign-in":             with("nonce", "another"),
		"without a nonce":                with("nonce", nil),
		"made for another":               with("azp", "elsewhere"),
		"for two, made for none of them": with("aud", []string{"portal", "elsewhere"}),
		"asked in an hour":               with("auth_time", time.Now().Add(time.Hour).Unix()),
	} {
		o := newOutside(t)
		o.token = token
		if err := o.exchange(t.Context()); !problem.Is(err, problem.Unauthenticated) || o.found.subject != "" {
			t.Errorf("%s: %v, found %+v", name, err, o.found)
		}
	}
}

// The portal checks how and when the person authenticated, if configured.
func TestStrengthAndAgeOfTheSignIn(t *testing.T) {
	ago := func(d time.Duration) int64 { return time.Now().Add(-d).Unix() }
	fresh := func(o *outside) { o.pending.Fresh = true }
	age := func(o *outside) { o.settings.OIDCMaxAge = 600 }
	strong := func(o *outside) { o.settings.OIDCACRValues = "mfa strong" }
	for name, c := range map[string]struct {
		set   func(*outside)
		token func(*outside, claims) string
		good  bool
	}{
		"asked anew":                       {fresh, with("auth_time", ago(0)), true},
		"asked anew by a clock that lags":  {fresh, with("auth_time", ago(50*time.Second)), true},
		"asked before this sign-in":        {fresh, with("auth_time", ago(2*time.Minute)), false},
		"asked anew, and when is not told": {fresh, signed, false},
		"asked lately":                     {age, with("auth_time", ago(9*time.Minute)), true},
		"asked too long ago":               {age, with("auth_time", ago(12*time.Minute)), false},
		"asked, and when is not told":      {age, signed, false},
		"as strong as expected":            {strong, with("acr", "strong"), true},
		"less strong":                      {strong, with("acr", "password"), false},
		"of a strength that is not told":   {strong, signed, false},
		"as its issuer":                    {func(o *outside) { o.answerer = o.URL }, signed, true},
		"as another issuer":                {func(o *outside) { o.answerer = "https://id.example" }, signed, false},
		"as nobody, who says it always names itself": {func(o *outside) {
			o.adds = claims{"authorization_response_iss_parameter_supported": true}
		}, signed, false},
	} {
		o := newOutside(t)
		o.token = c.token
		c.set(o)
		if err := o.exchange(t.Context()); (err == nil) != c.good || err != nil && problem.From(err).Code != "SSO_REFUSED" {
			t.Errorf("%s: %v", name, err)
		}
		if name == "as another issuer" && o.asked != nil {
			t.Error("the code is shown where it does not come from")
		}
	}
}

// A provider with a different issuer is rejected, and redirects aren't followed.
func TestProviderIsTheConfiguredOne(t *testing.T) {
	o := newOutside(t)
	o.issuer = "https://id.example"
	if err := o.exchange(t.Context()); !problem.Is(err, problem.Unavailable) {
		t.Errorf("another issuer: %v", err)
	}
	evil := newOutside(t)
	o = newOutside(t)
	o.moved = evil.URL + "/token"
	if err := o.exchange(t.Context()); err == nil || evil.asked != nil {
		t.Errorf("redirected: %v, the other host was sent %v", err, evil.asked)
	}
}

// Each sign-in has its own state, nonce and challenge.
func TestEachSignInAsksAnew(t *testing.T) {
	o := newOutside(t)
	o.settings.OIDCACRValues, o.settings.OIDCMaxAge = "mfa strong", 600
	portal := o.portal(nil, ignoreSignOut)
	address, err := portal.Address(t.Context(), Pending{State: "s", Nonce: "n", Verifier: newRandom(), Fresh: true})
	require.NoError(t, err)
	u, err := url.Parse(address)
	require.NoError(t, err)
	q := u.Query()
	if q.Get("response_type") != "code" || q.Get("state") != "s" || q.Get("nonce") != "n" || q.Get("code_challenge_method") != "S256" ||
		len(q.Get("code_challenge")) != 43 || q.Get("prompt") != "login" || q.Get("max_age") != "0" ||
		q.Get("acr_values") != "mfa strong" || q.Get("scope") != "openid profile" {
		t.Errorf("asks %s", address)
	}
	if address, err = portal.Address(t.Context(), Pending{}); err != nil || !strings.Contains(address, "max_age=600") ||
		strings.Contains(address, "prompt=") {
		t.Errorf("where nobody must be asked anew: %s, %v", address, err)
	}
	issued := map[string]bool{}
	for range 100 {
		s := newRandom()
		require.Len(t, s, 43)
		require.False(t, issued[s])
		issued[s] = true
	}
}

// unreachable answers no request.
type unreachable struct{}

func (unreachable) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// A sign-out doesn't wait long for an unreachable provider, even while others wait for it.
func TestSignOutWithoutProvider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &OIDC{client: newClient(unreachable{}), log: slog.New(slog.DiscardHandler)}
		o.cfg.OIDCIssuer = "https://sso.example"
		go func() { _, _ = o.Address(t.Context(), Pending{}) }()
		synctest.Wait()
		start := time.Now()
		if address := o.SignOutURL(t.Context(), "a token"); address != "" || time.Since(start) > signOutWait {
			t.Errorf("%q after %v", address, time.Since(start))
		}
		time.Sleep(o.client.Timeout) // until the request ends
	})
}

// An instance that hasn't signed anyone in ends the provider's session too.
func TestSignOutOnAnotherInstance(t *testing.T) {
	o := newOutside(t)
	o.adds = claims{"end_session_endpoint": "https://id.example/end"}
	portal := o.portal(nil, ignoreSignOut)
	assert.Empty(t, portal.SignOutURL(t.Context(), ""))
	u, err := url.Parse(portal.SignOutURL(t.Context(), "a token"))
	if err != nil || u.Host != "id.example" || u.Query().Get("id_token_hint") != "a token" {
		t.Errorf("%v, %v", u, err)
	}
	o.Close()
	assert.Empty(t, o.portal(nil, ignoreSignOut).SignOutURL(t.Context(), "a token"))
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The provider is requested each minute, through the transport that records an outage.
func TestProviderIsWatched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var requested []string
		o := &OIDC{cfg: Settings{OIDCIssuer: "https://provider.example/realm/"}, client: newClient(transport(
			func(r *http.Request) (*http.Response, error) {
				if requested = append(requested, r.URL.String()); len(requested) == 2 {
					return nil, errors.New("down")
				}
				return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
			}))}
		ctx, stop := context.WithTimeout(t.Context(), 150*time.Second)
		defer stop()
		o.watch(ctx)
		const document = "https://provider.example/realm/.well-known/openid-configuration"
		assert.Equal(t, []string{document, document, document}, requested)
	})
}

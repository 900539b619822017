package sso

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"wcpp/internal/platform/problem"
)

type claims = map[string]any

// outside is an OpenID provider that answers what a test wants.
type outside struct {
	*httptest.Server
	key    *ecdsa.PrivateKey
	issuer string                                 // as its metadata says; its own address where empty
	token  func(o *outside, c claims) string      // makes the identity token
	moved  string                                 // where the token endpoint redirects to
	asked  url.Values                             // what the token endpoint was asked
	info   claims                                 // what the user info endpoint answers
	found  struct{ issuer, subject, name string } // whom it was asked for
}

func newOutside(t *testing.T) *outside {
	t.Helper()
	o := &outside{key: newKey(t), token: signed}
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
		answer(w, claims{
			"issuer": issuer, "authorization_endpoint": o.URL + "/auth", "token_endpoint": o.URL + "/token", "jwks_uri": o.URL + "/keys",
			"userinfo_endpoint": o.URL + "/me", "id_token_signing_alg_values_supported": []string{"ES256", "HS256", "none"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: o.key.Public(), KeyID: "k", Algorithm: "ES256", Use: "sig"}}})
	})
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		o.asked = r.Form
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
	return o
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
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
	portal := NewOIDC(Settings{
		OIDCIssuer: o.URL, OIDCClientID: "portal", OIDCClientSecret: "hush", OIDCUserClaim: "preferred_username",
	}, "https://portal.example", func(_ context.Context, issuer, subject, name string) (int64, error) {
		o.found.issuer, o.found.subject, o.found.name = issuer, subject, name
		return 7, nil
	})
	_, _, err := portal.Exchange(ctx, "the code", Pending{State: "s", Nonce: "the nonce", Verifier: "the verifier"})
	return err
}

// The code goes to the provider with the client's secret and the verifier of
// PKCE; the person is whom the signed token names.
func TestIdentityToken(t *testing.T) {
	o := newOutside(t)
	if err := o.exchange(t.Context()); err != nil {
		t.Fatal(err)
	}
	if o.found.issuer != o.URL || o.found.subject != "s1" || o.found.name != "zoe" {
		t.Errorf("found by %+v", o.found)
	}
	for name, want := range map[string]string{
		"code": "the code", "code_verifier": "the verifier", "client_id": "portal", "client_secret": "hush",
		"grant_type": "authorization_code", "redirect_uri": "https://portal.example/wcpp/login",
	} {
		if o.asked.Get(name) != want {
			t.Errorf("%s: %q", name, o.asked.Get(name))
		}
	}
	// A name that the token leaves out is asked for, and must be of the same person.
	o.token = with("preferred_username", nil)
	o.info = claims{"sub": "s1", "preferred_username": "Zoe2"}
	if err := o.exchange(t.Context()); err != nil || o.found.name != "Zoe2" {
		t.Errorf("by user info: %+v, %v", o.found, err)
	}
	o.info = claims{"sub": "s2", "preferred_username": "eve"}
	if err := o.exchange(t.Context()); err == nil {
		t.Error("user info of another person is taken")
	}
}

// Each thing that makes a token worthless, alone.
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
		"for another client": with("aud", "elsewhere"),
		"of another issuer":  with("iss", "https://id.example"),
		"expired":            with("exp", time.Now().Add(-time.Hour).Unix()),
		"not yet valid":      with("nbf", time.Now().Add(time.Hour).Unix()),
		"of another sign-in": with("nonce", "another"),
		"without a nonce":    with("nonce", nil),
	} {
		o := newOutside(t)
		o.token = token
		if err := o.exchange(t.Context()); !problem.Is(err, problem.Unauthenticated) || o.found.subject != "" {
			t.Errorf("%s: %v, found %+v", name, err, o.found)
		}
	}
}

// A provider that calls itself by another name is not believed, and nothing is
// sent where it redirects to.
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

// Each sign-in asks with its own state, nonce and challenge.
func TestEachSignInAsksAnew(t *testing.T) {
	o := newOutside(t)
	portal := NewOIDC(Settings{OIDCIssuer: o.URL, OIDCClientID: "portal"}, "https://portal.example", nil)
	address, err := portal.Address(t.Context(), Pending{State: "s", Nonce: "n", Verifier: random()}, true)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if q.Get("response_type") != "code" || q.Get("state") != "s" || q.Get("nonce") != "n" || q.Get("code_challenge_method") != "S256" ||
		len(q.Get("code_challenge")) != 43 || q.Get("prompt") != "login" || q.Get("scope") != "openid profile" {
		t.Errorf("asks %s", address)
	}
	issued := map[string]bool{}
	for range 100 {
		s := random()
		if len(s) != 43 || issued[s] {
			t.Fatalf("%q again or too short", s)
		}
		issued[s] = true
	}
}

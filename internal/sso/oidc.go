package sso

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"wcpp/internal/platform/module"
	"wcpp/internal/platform/problem"
)

// Identified finds the account of a person whom the provider has proven.
type Identified func(ctx context.Context, issuer, subject, userName string) (userID int64, err error)

// OIDC signs people in at an OpenID provider with state, nonce and PKCE.
type OIDC struct {
	cfg    Settings
	portal string // its address
	find   Identified
	client *http.Client

	mu       sync.Mutex
	provider *oidc.Provider
	endpoint struct {
		EndSession string `json:"end_session_endpoint"`
	}
}

// NewOIDC makes the provider; its discovery document is read at the first use
// and again after a failure, so that the portal starts without it.
func NewOIDC(cfg Settings, publicURL string, find Identified) *OIDC {
	return &OIDC{cfg: cfg, portal: publicURL, find: find, client: &http.Client{
		Timeout: 10 * time.Second,
		// Codes, secrets and keys are exchanged at the addresses that the provider names, and nowhere else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (o *OIDC) discovered(ctx context.Context) (*oidc.Provider, *oauth2.Config, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.provider == nil {
		// The key set outlives this request, so it gets a context of its own.
		p, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), o.client), o.cfg.OIDCIssuer)
		if err != nil {
			return nil, nil, fmt.Errorf("discover %s: %w", o.cfg.OIDCIssuer, err)
		}
		if err := p.Claims(&o.endpoint); err != nil {
			return nil, nil, err
		}
		o.provider = p
	}
	endpoint := o.provider.Endpoint()
	// Guessing the style would try twice, and the first try burns the code.
	endpoint.AuthStyle = oauth2.AuthStyleInParams
	return o.provider, &oauth2.Config{
		ClientID: o.cfg.OIDCClientID, ClientSecret: o.cfg.OIDCClientSecret, Endpoint: endpoint,
		RedirectURL: o.portal + "/wcpp/login", Scopes: []string{oidc.ScopeOpenID, "profile"},
	}, nil
}

// Address is the provider's authorization endpoint.
func (o *OIDC) Address(ctx context.Context, p Pending, fresh bool) (string, error) {
	_, conf, err := o.discovered(ctx)
	if err != nil {
		return "", err
	}
	opts := []oauth2.AuthCodeOption{oidc.Nonce(p.Nonce), oauth2.S256ChallengeOption(p.Verifier)}
	if fresh {
		opts = append(opts, oauth2.SetAuthURLParam("prompt", "login"))
	}
	return conf.AuthCodeURL(p.State, opts...), nil
}

// Exchange redeems the code and checks the identity token's signature, issuer,
// audience, time and nonce.
func (o *OIDC) Exchange(ctx context.Context, code string, p Pending) (int64, string, error) {
	provider, conf, err := o.discovered(ctx)
	if err != nil {
		return 0, "", problem.Coded(problem.Unavailable, "SSO_UNAVAILABLE").Because(err)
	}
	token, err := conf.Exchange(oidc.ClientContext(ctx, o.client), code, oauth2.VerifierOption(p.Verifier))
	if err != nil {
		var refused *oauth2.RetrieveError
		if errors.As(err, &refused) && refused.Response.StatusCode < 500 {
			return 0, "", problem.Coded(problem.Unauthenticated, "SSO_EXPIRED").Because(err)
		}
		return 0, "", problem.Coded(problem.Unavailable, "SSO_UNAVAILABLE").Because(err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return 0, "", problem.Coded(problem.Unauthenticated, "SSO_REFUSED").Because(errors.New("no id_token in the answer"))
	}
	id, err := provider.Verifier(&oidc.Config{ClientID: o.cfg.OIDCClientID}).Verify(ctx, raw)
	if err != nil {
		return 0, "", problem.Coded(problem.Unauthenticated, "SSO_REFUSED").Because(err)
	}
	if id.Nonce != p.Nonce {
		return 0, "", problem.Coded(problem.Unauthenticated, "SSO_REFUSED").Because(errors.New("nonce differs"))
	}
	userName, err := o.userName(ctx, provider, token, id)
	if err != nil {
		return 0, "", problem.Coded(problem.Unavailable, "SSO_UNAVAILABLE").Because(err)
	}
	userID, err := o.find(ctx, id.Issuer, id.Subject, userName)
	return userID, raw, err
}

// userName reads the configured claim from the identity token, or from the
// user info endpoint where the token leaves it out.
func (o *OIDC) userName(ctx context.Context, provider *oidc.Provider, token *oauth2.Token, id *oidc.IDToken) (string, error) {
	var claims map[string]any
	if err := id.Claims(&claims); err != nil {
		return "", err
	}
	if name, ok := claims[o.cfg.OIDCUserClaim].(string); ok {
		return name, nil
	}
	info, err := provider.UserInfo(oidc.ClientContext(ctx, o.client), oauth2.StaticTokenSource(token))
	if err != nil {
		return "", err
	}
	if info.Subject != id.Subject {
		return "", errors.New("user info of another subject")
	}
	claims = nil
	if err := info.Claims(&claims); err != nil {
		return "", err
	}
	name, _ := claims[o.cfg.OIDCUserClaim].(string)
	return name, nil
}

// SignOutURL ends the provider's own session and comes back to the sign-in
// screen.
func (o *OIDC) SignOutURL(idToken string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.endpoint.EndSession == "" || idToken == "" {
		return ""
	}
	return o.endpoint.EndSession + "?" + url.Values{
		"id_token_hint": {idToken}, "client_id": {o.cfg.OIDCClientID}, "post_logout_redirect_uri": {o.portal + "/wcpp/login"},
	}.Encode()
}

// Module is what the provider brings to the program: nothing, its pages are its
// own.
func (o *OIDC) Module() module.Module { return module.Module{} }

// Forget drops nothing: the codes are the provider's.
func (o *OIDC) Forget(context.Context, *sql.Tx, int64) error { return nil }

package sso

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4/jwt"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"wcpp/internal/platform"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
)

// IdentityFinder finds the account of a person verified by the provider.
type IdentityFinder func(ctx context.Context, issuer, subject, userName string) (Authenticated, error)

// SignOutHandler ends the portal sessions of a provider's session, or all of the subject's if it
// names none.
type SignOutHandler func(ctx context.Context, tx *sql.Tx, issuer, subject, sid string) error

// OIDC signs people in at an OpenID provider with state, nonce and PKCE.
type OIDC struct {
	db     *db.DB
	cfg    Settings
	portal string // its URL
	find   IdentityFinder
	ended  SignOutHandler
	now    func() time.Time
	log    *slog.Logger
	limit  *ratelimit.Limiter
	client *http.Client

	discovery singleflight.Group
	found     atomic.Pointer[discovered] // nil until the discovery document was read
}

type discovered struct {
	provider *oidc.Provider
	metadata struct {
		EndSession  string   `json:"end_session_endpoint"`
		TellsIss    bool     `json:"authorization_response_iss_parameter_supported"`
		AuthMethods []string `json:"token_endpoint_auth_methods_supported"`
	}
}

// maxClockSkew is the allowed difference between the provider's clock and the portal's.
const maxClockSkew = time.Minute

// signOutWait is how long a sign-out waits for the provider's discovery document.
const signOutWait = 2 * time.Second

// OIDCDeps are what the provider needs.
type OIDCDeps struct {
	platform.Kit
	Transport http.RoundTripper `optional:"true"`
	Find      IdentityFinder
	SignedOut SignOutHandler
}

// NewOIDC creates the provider. It reads the discovery document on first use, and again after a
// failure, so that the portal can start without it.
func NewOIDC(d OIDCDeps, cfg Settings) *OIDC {
	platform.Require(d)
	return &OIDC{
		db: d.DB, cfg: cfg, portal: d.PublicURL, find: d.Find, ended: d.SignedOut, now: d.Clock, log: d.Log,
		limit:  ratelimit.NewLimiter(1200, 1200),
		client: newClient(d.Transport),
	}
}

func newClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Timeout:   10 * time.Second,
		Transport: transport,
		// Send codes, secrets and keys only to the URLs in the provider's metadata: follow
		// no redirects.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// CheckClient returns an error if the token endpoint is unreachable or refuses the client ID or
// secret. It redeems an unknown code, which the provider refuses only after it has accepted the
// client.
func CheckClient(ctx context.Context, cfg Settings, transport http.RoundTripper) error {
	o := &OIDC{cfg: cfg, client: newClient(transport)}
	found, err := o.discover(ctx)
	if err != nil {
		return err
	}
	_, err = o.newOAuth(found).Exchange(oidc.ClientContext(ctx, o.client), "wcpp doctor", oauth2.VerifierOption(oauth2.GenerateVerifier()))
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && !slices.Contains([]string{"", "invalid_client", "unauthorized_client"}, refused.ErrorCode) {
		return nil
	}
	return err
}

// discover returns the discovery document's content. Callers that wait for it share one request, and stop
// waiting when their ctx ends.
func (o *OIDC) discover(ctx context.Context) (*discovered, error) {
	if found := o.found.Load(); found != nil {
		return found, nil
	}
	// The key set outlives this request, so it gets a context of its own.
	own := oidc.ClientContext(context.WithoutCancel(ctx), o.client)
	read := o.discovery.DoChan("", func() (any, error) {
		p, err := oidc.NewProvider(own, o.cfg.OIDCIssuer)
		if err != nil {
			return nil, fmt.Errorf("discover %s: %w", o.cfg.OIDCIssuer, err)
		}
		found := &discovered{provider: p}
		if err := p.Claims(&found.metadata); err != nil {
			return nil, err
		}
		o.found.Store(found)
		return nil, nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-read:
		return o.found.Load(), result.Err
	}
}

func (o *OIDC) newOAuth(found *discovered) *oauth2.Config {
	endpoint := found.provider.Endpoint()
	// Auto-detecting the style would try twice, and the first try uses up the code.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader // the standard's default
	if slices.Contains(found.metadata.AuthMethods, "client_secret_post") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: o.cfg.OIDCClientID, ClientSecret: o.cfg.OIDCClientSecret, Endpoint: endpoint,
		RedirectURL: o.portal + "/wcpp/login", Scopes: []string{oidc.ScopeOpenID, "profile"},
	}
}

func (o *OIDC) verify(ctx context.Context, provider *oidc.Provider, raw string) (*oidc.IDToken, error) {
	now := func() time.Time { return o.now().Add(-maxClockSkew) }
	return provider.Verifier(&oidc.Config{ClientID: o.cfg.OIDCClientID, Now: now}).Verify(ctx, raw)
}

// Address returns the provider's authorization URL.
func (o *OIDC) Address(ctx context.Context, p Pending) (string, error) {
	found, err := o.discover(ctx)
	if err != nil {
		return "", err
	}
	opts := []oauth2.AuthCodeOption{oidc.Nonce(p.Nonce), oauth2.S256ChallengeOption(p.Verifier)}
	switch {
	case p.Fresh:
		opts = append(opts, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	case o.cfg.OIDCMaxAge > 0:
		opts = append(opts, oauth2.SetAuthURLParam("max_age", strconv.Itoa(o.cfg.OIDCMaxAge)))
	}
	if o.cfg.OIDCACRValues != "" {
		opts = append(opts, oauth2.SetAuthURLParam("acr_values", o.cfg.OIDCACRValues))
	}
	return o.newOAuth(found).AuthCodeURL(p.State, opts...), nil
}

// Exchange redeems the code and verifies the ID token: signature, issuer, audience, times,
// nonce, and how and when the person authenticated.
func (o *OIDC) Exchange(ctx context.Context, code, issuer string, p Pending) (Proven, error) {
	found, err := o.discover(ctx)
	if err != nil {
		return Proven{}, problem.WithCode(problem.Unavailable, "SSO_UNAVAILABLE").WithCause(err)
	}
	// A response of another provider (RFC 9207): don't send its code to this one.
	if issuer != o.cfg.OIDCIssuer && (issuer != "" || found.metadata.TellsIss) {
		return Proven{}, errRefused(fmt.Errorf("unexpected issuer %q", issuer))
	}
	token, err := o.newOAuth(found).Exchange(oidc.ClientContext(ctx, o.client), code, oauth2.VerifierOption(p.Verifier))
	if err != nil {
		var refused *oauth2.RetrieveError
		if errors.As(err, &refused) && refused.ErrorCode == "invalid_grant" {
			return Proven{}, problem.WithCode(problem.Unauthenticated, "SSO_EXPIRED").WithCause(err)
		}
		return Proven{}, problem.WithCode(problem.Unavailable, "SSO_UNAVAILABLE").WithCause(err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return Proven{}, errRefused(errors.New("no id_token in the answer"))
	}
	id, err := o.verify(ctx, found.provider, raw)
	if err != nil {
		return Proven{}, errRefused(err)
	}
	if id.Nonce != p.Nonce {
		return Proven{}, errRefused(errors.New("nonce doesn't match"))
	}
	proven := Proven{IDToken: raw}
	if proven.SID, proven.At, err = o.checkIDToken(id, p); err != nil {
		return Proven{}, errRefused(err)
	}
	userName, err := o.userName(ctx, found.provider, token, id)
	if err != nil {
		return Proven{}, problem.WithCode(problem.Unavailable, "SSO_UNAVAILABLE").WithCause(err)
	}
	who, err := o.find(ctx, id.Issuer, id.Subject, userName)
	proven.UserID, proven.Guard = who.UserID, who.Guard
	return proven, err
}

func errRefused(why error) error {
	return problem.WithCode(problem.Unauthenticated, "SSO_REFUSED").WithCause(why)
}

// checkIDToken verifies that the ID token is for this portal, and that the authentication was strong
// and recent enough. It returns the provider's session id and the authentication time, or zero
// if unknown.
func (o *OIDC) checkIDToken(id *oidc.IDToken, p Pending) (sid string, at time.Time, err error) {
	var claims struct {
		AZP      *string          `json:"azp"`
		ACR      string           `json:"acr"`
		AuthTime *jwt.NumericDate `json:"auth_time"`
		SID      string           `json:"sid"`
	}
	if err := id.Claims(&claims); err != nil {
		return "", at, err
	}
	if claims.AuthTime != nil {
		at = claims.AuthTime.Time()
	}
	now, longest := o.now(), time.Duration(o.cfg.OIDCMaxAge)*time.Second
	strengths := strings.Fields(o.cfg.OIDCACRValues)
	switch {
	case claims.AZP == nil && len(id.Audience) > 1:
		err = errors.New("several audiences but no authorized party")
	case claims.AZP != nil && *claims.AZP != o.cfg.OIDCClientID:
		err = fmt.Errorf("audience is %q", *claims.AZP)
	case len(strengths) > 0 && !slices.Contains(strengths, claims.ACR):
		err = fmt.Errorf("unexpected acr %q", claims.ACR)
	case at.After(now.Add(maxClockSkew)):
		err = fmt.Errorf("auth_time %s is in the future", at)
	case p.Fresh && at.Before(p.At.Add(-maxClockSkew)):
		err = fmt.Errorf("auth_time %s is before this sign-in started", at)
	case longest > 0 && at.Before(now.Add(-longest-maxClockSkew)):
		err = fmt.Errorf("auth_time %s is too old", at)
	}
	return claims.SID, at, err
}

// userName reads the configured claim from the ID token, or from the UserInfo endpoint if the
// token omits it.
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
		return "", errors.New("user info has a different subject")
	}
	claims = nil
	if err := info.Claims(&claims); err != nil {
		return "", err
	}
	name, _ := claims[o.cfg.OIDCUserClaim].(string)
	return name, nil
}

// SignOutURL ends the provider's session and returns to the sign-in screen.
func (o *OIDC) SignOutURL(ctx context.Context, idToken string) string {
	if idToken == "" {
		return ""
	}
	// This instance may not have signed anyone in. If the provider doesn't answer, the user signs out of the
	// portal soon.
	ctx, cancel := context.WithTimeout(ctx, signOutWait)
	defer cancel()
	found, err := o.discover(ctx)
	if err != nil {
		o.log.ErrorContext(ctx, "couldn't end the session of the single sign-on provider", "error", err)
		return ""
	}
	if found.metadata.EndSession == "" {
		return ""
	}
	return found.metadata.EndSession + "?" + url.Values{
		"id_token_hint": {idToken}, "client_id": {o.cfg.OIDCClientID}, "post_logout_redirect_uri": {o.portal + "/wcpp/login"},
	}.Encode()
}

// Module describes the provider's endpoint for logout notifications to the program.
func (o *OIDC) Module() module.Module {
	return module.Module{Routes: o.routes, Cleanup: o.cleanup, Run: o.watch}
}

// watch requests the discovery document each minute until ctx ends, and the transport records
// outages. Sign-ins alone wouldn't show one: browsers that can't reach the provider never return.
func (o *OIDC) watch(ctx context.Context) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet,
			strings.TrimSuffix(o.cfg.OIDCIssuer, "/")+"/.well-known/openid-configuration", nil)
		if err == nil {
			if answer, err := o.client.Do(r); err == nil {
				_ = answer.Body.Close()
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

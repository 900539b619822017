package sso

import "wcpp/internal/platform/settings"

// Settings configure an external OpenID provider.
type Settings struct {
	OIDCIssuer       string `env:"WCPP_OIDC_ISSUER" placeholder:"URL" help:"OpenID provider issuer URL (default: built-in sign-in form)."`
	OIDCClientID     string `env:"WCPP_OIDC_CLIENT_ID" help:"Client ID at the OpenID provider."`
	OIDCClientSecret string `env:"WCPP_OIDC_CLIENT_SECRET" help:"Client secret at the OpenID provider."`
	OIDCUserClaim    string `env:"WCPP_OIDC_USER_CLAIM" default:"preferred_username" help:"Claim that contains the portal username."`
	OIDCBind         string `env:"WCPP_OIDC_BIND" default:"link" enum:"link,claim" help:"How a first sign-in links an account: ${enum}."`
	OIDCACRValues    string `name:"oidc-acr-values" env:"WCPP_OIDC_ACR_VALUES" help:"Allowed sign-in strengths (acr), separated by spaces."`
	OIDCMaxAge       int    `env:"WCPP_OIDC_MAX_AGE" default:"0" placeholder:"SECONDS" help:"Maximum sign-in age (auth_time; 0: any)."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	p.Address(s.OIDCIssuer, "WCPP_OIDC_ISSUER")
	p.Encrypted(s.OIDCIssuer, "WCPP_OIDC_ISSUER")
	p.Require(s.OIDCIssuer == "" || s.OIDCClientID != "", "WCPP_OIDC_CLIENT_ID", "is required with WCPP_OIDC_ISSUER")
	p.RequireWith(s.OIDCClientID, "WCPP_OIDC_CLIENT_ID", s.OIDCIssuer, "WCPP_OIDC_ISSUER")
	p.RequireWith(s.OIDCClientSecret, "WCPP_OIDC_CLIENT_SECRET", s.OIDCIssuer, "WCPP_OIDC_ISSUER")
	p.RequireWith(s.OIDCACRValues, "WCPP_OIDC_ACR_VALUES", s.OIDCIssuer, "WCPP_OIDC_ISSUER")
	p.Require(s.OIDCMaxAge >= 0, "WCPP_OIDC_MAX_AGE", "must be 0 or more")
	p.Require(s.OIDCMaxAge == 0 || s.IsExternal(), "WCPP_OIDC_MAX_AGE", "requires WCPP_OIDC_ISSUER")
}

// IsTrusted reports whether the provider is trusted to identify the account.
func (s Settings) IsTrusted() bool { return s.OIDCBind == "claim" }

// IsExternal reports whether people sign in at an external provider.
func (s Settings) IsExternal() bool { return s.OIDCIssuer != "" }

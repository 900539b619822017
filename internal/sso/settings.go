package sso

import "wcpp/internal/platform/settings"

// Settings are those of an outside OpenID provider.
type Settings struct {
	OIDCIssuer       string `name:"oidc-issuer" env:"WCPP_OIDC_ISSUER" placeholder:"URL" help:"Issuer of the OpenID provider. Default: the portal's own sign-in form."`
	OIDCClientID     string `name:"oidc-client-id" env:"WCPP_OIDC_CLIENT_ID" help:"Client id at the OpenID provider."`
	OIDCClientSecret string `name:"oidc-client-secret" env:"WCPP_OIDC_CLIENT_SECRET" help:"Client secret at the OpenID provider."`
	OIDCUserClaim    string `name:"oidc-user-claim" env:"WCPP_OIDC_USER_CLAIM" default:"preferred_username" help:"Claim that holds the portal's user name."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Address(s.OIDCIssuer, "WCPP_OIDC_ISSUER")
	p.Encrypted(s.OIDCIssuer, "WCPP_OIDC_ISSUER")
	p.Require(s.OIDCIssuer == "" || s.OIDCClientID != "", "WCPP_OIDC_CLIENT_ID", "is required with WCPP_OIDC_ISSUER")
}

// Outside tells whether an outside provider signs people in.
func (s Settings) Outside() bool { return s.OIDCIssuer != "" }

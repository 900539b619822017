package resources

import (
	"time"

	"wcpp/internal/platform/settings"
)

// Settings are where the portal's content comes from.
type Settings struct {
	HomePageURL  string `name:"home-page-url" env:"WCPP_HOME_PAGE_URL" placeholder:"URL" help:"Page embedded on the home screen."`
	LoginPageURL string `name:"login-page-url" env:"WCPP_LOGIN_PAGE_URL" placeholder:"URL" help:"Page embedded on the sign-in screen."`
	WebsiteURL   string `name:"website-url" env:"WCPP_WEBSITE_URL" placeholder:"URL" help:"The network's own website, linked from Provider Resources. Default: no link."`

	ResourceURL         string        `name:"resource-url" env:"WCPP_RESOURCE_URL" placeholder:"URL" help:"Content host from which the portal fetches documents and videos. Default: there is none."`
	ResourceKey         string        `env:"WCPP_RESOURCE_KEY" help:"Bearer key for the content host."`
	ResourceTimeout     time.Duration `env:"WCPP_RESOURCE_TIMEOUT" default:"10s" help:"How long the content host may be silent."`
	ResourceAssetPath   string        `env:"WCPP_RESOURCE_ASSET_PATH" placeholder:"PATH" help:"Start of the links in the list of resources that is replaced by the content path. Default: links stay as they are."`
	ResourceContentPath string        `env:"WCPP_RESOURCE_CONTENT_PATH" placeholder:"PATH" help:"What the asset path becomes, below the content host's address."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Address(s.HomePageURL, "WCPP_HOME_PAGE_URL")
	p.Encrypted(s.HomePageURL, "WCPP_HOME_PAGE_URL")
	p.Address(s.LoginPageURL, "WCPP_LOGIN_PAGE_URL")
	p.Encrypted(s.LoginPageURL, "WCPP_LOGIN_PAGE_URL")
	p.Address(s.WebsiteURL, "WCPP_WEBSITE_URL")
	p.Address(s.ResourceURL, "WCPP_RESOURCE_URL")
	p.Encrypted(s.ResourceURL, "WCPP_RESOURCE_URL")
	p.Needs(s.ResourceKey, "WCPP_RESOURCE_KEY", s.ResourceURL, "WCPP_RESOURCE_URL")
	p.Needs(s.ResourceAssetPath, "WCPP_RESOURCE_ASSET_PATH", s.ResourceURL, "WCPP_RESOURCE_URL")
	p.Needs(s.ResourceContentPath, "WCPP_RESOURCE_CONTENT_PATH", s.ResourceAssetPath, "WCPP_RESOURCE_ASSET_PATH")
	p.Require(s.ResourceTimeout >= time.Second, "WCPP_RESOURCE_TIMEOUT", "must be at least 1s")
}

package resources

import (
	"time"

	"wcpp/internal/platform/settings"
)

// Settings configure the portal's content host.
type Settings struct {
	HomePageURL  string `env:"WCPP_HOME_PAGE_URL" placeholder:"URL" help:"Page embedded on the home screen."`
	LoginPageURL string `env:"WCPP_LOGIN_PAGE_URL" placeholder:"URL" help:"Page embedded on the sign-in screen."`
	WebsiteURL   string `env:"WCPP_WEBSITE_URL" placeholder:"URL" help:"Network website, linked from Provider Resources."`

	ResourceURL         string        `env:"WCPP_RESOURCE_URL" placeholder:"URL" help:"Content host for documents and videos."`
	ResourceKey         string        `env:"WCPP_RESOURCE_KEY" help:"Bearer token for the content host."`
	ResourceTimeout     time.Duration `env:"WCPP_RESOURCE_TIMEOUT" default:"10s" help:"Idle timeout of the content host."`
	ResourceAssetPath   string        `env:"WCPP_RESOURCE_ASSET_PATH" placeholder:"PATH" help:"Resource link prefix to replace."`
	ResourceContentPath string        `env:"WCPP_RESOURCE_CONTENT_PATH" placeholder:"PATH" help:"Replacement for the asset path."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	p.Address(s.HomePageURL, "WCPP_HOME_PAGE_URL")
	p.Encrypted(s.HomePageURL, "WCPP_HOME_PAGE_URL")
	p.Address(s.LoginPageURL, "WCPP_LOGIN_PAGE_URL")
	p.Encrypted(s.LoginPageURL, "WCPP_LOGIN_PAGE_URL")
	p.Address(s.WebsiteURL, "WCPP_WEBSITE_URL")
	p.Address(s.ResourceURL, "WCPP_RESOURCE_URL")
	p.Encrypted(s.ResourceURL, "WCPP_RESOURCE_URL")
	p.RequireWith(s.ResourceKey, "WCPP_RESOURCE_KEY", s.ResourceURL, "WCPP_RESOURCE_URL")
	p.RequireWith(s.ResourceAssetPath, "WCPP_RESOURCE_ASSET_PATH", s.ResourceURL, "WCPP_RESOURCE_URL")
	p.RequireWith(s.ResourceContentPath, "WCPP_RESOURCE_CONTENT_PATH", s.ResourceAssetPath, "WCPP_RESOURCE_ASSET_PATH")
	p.Require(s.ResourceTimeout >= time.Second, "WCPP_RESOURCE_TIMEOUT", "must be at least 1s")
}

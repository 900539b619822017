package support

import "wcpp/internal/platform/settings"

// Settings configure the live chat platform.
type Settings struct {
	ChatURL     string `env:"WCPP_CHAT_URL" placeholder:"URL" help:"Live chat address (Chatwoot) (default: none)."`
	ChatToken   string `env:"WCPP_CHAT_TOKEN" help:"Website token of the chat inbox."`
	ChatHMACKey string `env:"WCPP_CHAT_HMAC_KEY" help:"Identity validation key of the chat inbox."`
}

// Check reports invalid settings.
func (s Settings) Check(p *settings.Problems) {
	p.Address(s.ChatURL, "WCPP_CHAT_URL")
	p.Encrypted(s.ChatURL, "WCPP_CHAT_URL")
	p.Require((s.ChatURL == "") == (s.ChatToken == ""), "WCPP_CHAT_TOKEN", "must be set together with WCPP_CHAT_URL")
	p.RequireWith(s.ChatHMACKey, "WCPP_CHAT_HMAC_KEY", s.ChatURL, "WCPP_CHAT_URL")
}

// IsConfigured reports whether live chat is available.
func (s Settings) IsConfigured() bool { return s.ChatURL != "" && s.ChatToken != "" }

package bills

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/platform/settings"
)

// Settings are the configuration of bills.
type Settings struct {
	SecondBillURL     string        `env:"WCPP_SECOND_BILL_URL" placeholder:"URL" help:"Second bill system URL (default: none)."`
	SecondBillKey     string        `env:"WCPP_SECOND_BILL_KEY" help:"Bearer token for the second bill system."`
	SecondBillTimeout time.Duration `env:"WCPP_SECOND_BILL_TIMEOUT" default:"10s" help:"Timeout of a request to the second bill system."`
	// ImageHosts are the allowed hosts in links to external documents.
	ImageHosts []string `env:"WCPP_IMAGE_HOSTS" placeholder:"HOST" help:"Hosts allowed in links to outside documents, with port if any."`
	// ForeignBillURL is the page of a bill on the claims payer's site. {billControlNumber} is
	// replaced. It's empty if there's no such page.
	ForeignBillURL string `env:"WCPP_FOREIGN_BILL_URL" placeholder:"URL" help:"Bill page of the payer's site, with {billControlNumber}."`
	BillSearches   int    `env:"WCPP_BILL_SEARCHES" default:"3600" help:"Hourly searches per user: bills, remittances and deposits each."`
	BillOpenings   int    `env:"WCPP_BILL_OPENINGS" default:"300" help:"Hourly openings per user: bill documents and remittances each."`
}

// Check adds problems with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Address(s.SecondBillURL, "WCPP_SECOND_BILL_URL")
	p.Encrypted(s.SecondBillURL, "WCPP_SECOND_BILL_URL")
	p.RequireWith(s.SecondBillKey, "WCPP_SECOND_BILL_KEY", s.SecondBillURL, "WCPP_SECOND_BILL_URL")
	for _, host := range s.ImageHosts {
		p.Require(isHost(host), "WCPP_IMAGE_HOSTS", fmt.Sprintf("%q is not a host such as images.example.com or images.example.com:8443",
			host))
	}
	p.Address(s.ForeignBillURL, "WCPP_FOREIGN_BILL_URL")
	p.Require(s.ForeignBillURL == "" || strings.Contains(s.ForeignBillURL, record.NumberPlaceholder), "WCPP_FOREIGN_BILL_URL",
		"must have "+record.NumberPlaceholder+", the placeholder for the bill control number")
	p.Require(s.BillSearches >= 1, "WCPP_BILL_SEARCHES", "must be at least 1")
	p.Require(s.BillOpenings >= 1, "WCPP_BILL_OPENINGS", "must be at least 1")
}

// isHost reports whether a text is a host with an optional port, as in URLs.
func isHost(s string) bool {
	u, err := url.Parse("https://" + s)
	return err == nil && u.Host == s && u.Hostname() != "" && !strings.Contains(s, "*")
}

// Second returns the client for the second bill system, or nil if there's none.
func (s Settings) Second(transport http.RoundTripper) *secondsystem.System {
	if s.SecondBillURL == "" {
		return nil
	}
	return secondsystem.New(s.SecondBillURL, s.SecondBillKey, s.SecondBillTimeout, transport)
}

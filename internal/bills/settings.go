package bills

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"wcpp/internal/platform/settings"
)

// Settings are the configured parts around the bills.
type Settings struct {
	SecondBillURL     string        `name:"second-bill-url" env:"WCPP_SECOND_BILL_URL" placeholder:"URL" help:"Address of the second bill system. Default: there is none."`
	SecondBillKey     string        `name:"second-bill-key" env:"WCPP_SECOND_BILL_KEY" help:"Bearer key for the second bill system."`
	SecondBillTimeout time.Duration `env:"WCPP_SECOND_BILL_TIMEOUT" default:"10s" help:"Time limit of a call to the second bill system."`
	// ImageHosts may appear in links to documents outside of the portal.
	ImageHosts []string `env:"WCPP_IMAGE_HOSTS" placeholder:"HOST" help:"Hosts (with port, if any) that links to outside documents may name."`
	// ForeignBillURL is where the claims payer shows a bill itself;
	// {billControlNumber} is replaced. Empty: there is no such place.
	ForeignBillURL string `name:"foreign-bill-url" env:"WCPP_FOREIGN_BILL_URL" placeholder:"URL" help:"Where the payer shows a bill; {billControlNumber} is replaced. Default: nowhere."`
	BillSearches   int    `env:"WCPP_BILL_SEARCHES" default:"3600" help:"Requests of bill searches in an hour that a person may make: one for each TIN, and one for the second bill system."`
	BillOpenings   int    `env:"WCPP_BILL_OPENINGS" default:"300" help:"Documents and payments of bills that a person may open in an hour."`
}

// Check notes what is wrong with the settings.
func (s Settings) Check(p *settings.Problems) {
	p.Address(s.SecondBillURL, "WCPP_SECOND_BILL_URL")
	p.Encrypted(s.SecondBillURL, "WCPP_SECOND_BILL_URL")
	p.Needs(s.SecondBillKey, "WCPP_SECOND_BILL_KEY", s.SecondBillURL, "WCPP_SECOND_BILL_URL")
	for _, host := range s.ImageHosts {
		p.Require(isHost(host), "WCPP_IMAGE_HOSTS", fmt.Sprintf("%q is not a host such as images.example.com or images.example.com:8443", host))
	}
	p.Address(s.ForeignBillURL, "WCPP_FOREIGN_BILL_URL")
	p.Require(s.ForeignBillURL == "" || strings.Contains(s.ForeignBillURL, billNumber), "WCPP_FOREIGN_BILL_URL", "must have "+billNumber+", where the bill's number goes")
	p.Require(s.BillSearches >= 1, "WCPP_BILL_SEARCHES", "must be at least 1")
	p.Require(s.BillOpenings >= 1, "WCPP_BILL_OPENINGS", "must be at least 1")
}

// billNumber stands in ForeignBillURL for the number of a bill.
const billNumber = "{billControlNumber}"

// isHost tells whether a text is a host, and its port if any, as addresses name them.
func isHost(s string) bool {
	u, err := url.Parse("https://" + s)
	return err == nil && u.Host == s && u.Hostname() != "" && !strings.Contains(s, "*")
}

// Second is the second bill system, nil where there is none.
func (s Settings) Second(transport http.RoundTripper) *SecondSystem {
	if s.SecondBillURL == "" {
		return nil
	}
	return NewSecondSystem(s.SecondBillURL, s.SecondBillKey, s.SecondBillTimeout, transport)
}

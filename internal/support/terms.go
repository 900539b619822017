package support

import (
	"bytes"
	"cmp"
	_ "embed"
	"net/http"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/pages"
	"wcpp/internal/platform/settings"
)

//go:embed terms.css
var termsStyle string

func renderTerms(brand settings.Brand) g.Node {
	part := func(title, text string) g.Node { return g.Group{h.H2(g.Text(title)), h.P(g.Text(text))} }
	return pages.Document("Terms and Conditions · "+brand.BrandName, h.StyleEl(g.Raw(termsStyle)),
		h.Header(g.Text(brand.BrandName)),
		h.Main(
			h.H1(g.Text("Terms and Conditions")),
			h.P(g.Text("These terms apply to everyone who requests or has an account for "+brand.InText()+".")),
			part("Your account", "An account is for one person. Give true information to get it. Keep your password private, and sign "+
				"out of shared computers."),
			part("Permitted use", "Use the portal only to work for providers whose Tax IDs (TINs) you represent, and add only those "+
				"Tax IDs. Don't try to access anything else, and don't use automated tools to collect data."),
			part("Patients", "Information about patients, claims and bills is confidential and protected by law. Use only what you "+
				"need for your work, and share it only with people who are authorized to have it."),
			part("Amounts and listings", "Amounts are recommended reimbursements, not a promise to pay. Clients, providers and fee "+
				"schedules come from "+cmp.Or(brand.OrganizationName, "the network")+" and can change."),
			part("Records", "We record sign-ins, searches, changes and opened documents. We can close an account that breaks these terms."),
			renderContact(brand),
		),
	)
}

// renderContact renders whom to ask, as far as it's configured.
func renderContact(brand settings.Brand) g.Node {
	if brand.SupportPhone == "" && brand.SupportEmail == "" {
		return nil
	}
	return g.Group{
		h.H2(g.Text("Questions")),
		h.P(
			g.If(brand.SupportPhone != "", g.Text("Call "+brand.SupportPhone)),
			g.If(brand.SupportPhone != "" && brand.SupportEmail != "", g.Text(" or email ")),
			g.If(brand.SupportPhone == "", g.Text("Email ")),
			g.If(brand.SupportEmail != "", h.A(h.Href("mailto:"+brand.SupportEmail), g.Text(brand.SupportEmail))),
			g.Text("."),
		),
	}
}

// TermsPath is the URL of the portal's own terms of use.
const TermsPath = "/terms"

// NewTermsModule serves plain terms of use if the operator configures no page of their own, so that users
// don't have to accept terms they can't read.
func NewTermsModule(brand settings.Brand) (module.Module, error) {
	if brand.TermsURL != "" {
		return module.Module{}, nil
	}
	var page bytes.Buffer
	if err := renderTerms(brand).Render(&page); err != nil {
		return module.Module{}, err
	}
	return module.Module{Routes: func(mux *http.ServeMux) {
		mux.Handle("GET "+TermsPath, httpapi.Route(TermsPath, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Cache-Control", "no-cache")
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(page.Bytes()) // the browser disconnected
		})))
	}}, nil
}

// Package bills makes the domain of bills from its parts. They share the ids of bills and the
// limits of a user.
package bills

import (
	"wcpp/internal/bills/desksearch"
	"wcpp/internal/bills/detail"
	"wcpp/internal/bills/documents"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/search"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/ratelimit"
)

// Bills are the parts of the domain.
type Bills struct {
	Records   *record.Service
	Search    *search.Service
	Detail    *detail.Service
	Documents *documents.Service
	Desk      *desksearch.Service
}

// Deps are what the parts need.
type Deps struct {
	platform.Kit
	Ledger    *ledger.Ledger
	Scopes    *tins.Scopes
	Users     *users.Service
	Desk      record.Desk
	Reasons   detail.Reasons
	Contacts  detail.Contacts
	Questions detail.Questions
	Second    *secondsystem.System `optional:"true"`
}

// New creates the parts. If states is set, search results show that a bill was denied, voided or
// replaced, and link to its page. Documents then say that they're generated.
func New(d Deps, settings Settings, states bool) *Bills {
	platform.Require(d)
	records := record.NewService(record.Deps{Kit: d.Kit, Scopes: d.Scopes},
		record.Settings{ForeignBillURL: settings.ForeignBillURL, States: states})
	openings := ratelimit.Hourly(settings.BillOpenings)
	return &Bills{
		Records: records,
		Search: search.NewService(search.Deps{Kit: d.Kit, Records: records, Scopes: d.Scopes, Second: d.Second,
			Searches: ratelimit.Hourly(settings.BillSearches)}),
		Detail: detail.NewService(detail.Deps{Kit: d.Kit, Records: records, Users: d.Users, Desk: d.Desk, Reasons: d.Reasons,
			Contacts: d.Contacts, Questions: d.Questions,
			Second: d.Second, Openings: openings}),
		Documents: documents.NewService(documents.Deps{Kit: d.Kit, Ledger: d.Ledger, Records: records, Scopes: d.Scopes, Users: d.Users,
			Desk: d.Desk, Second: d.Second, Openings: openings}, documents.Settings{ImageHosts: settings.ImageHosts, Notes: states}),
		Desk: desksearch.NewService(d.DB),
	}
}

// Module returns the domain's module.
func (b *Bills) Module() module.Module {
	return module.Module{Operations: func(api *httpapi.API) {
		b.Search.Register(api)
		b.Documents.Register(api)
		b.Detail.Register(api)
	}, Retention: b.Documents.Module().Retention}
}

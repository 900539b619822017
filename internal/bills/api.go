package bills

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// SearchParams are the ways to search. Dates may be timestamps; only their date part counts.
type SearchParams struct {
	ClaimantFirstName   string    `json:"claimantFirstName,omitempty" maxLength:"40"`
	ClaimantLastName    string    `json:"claimantLastName,omitempty" maxLength:"40"`
	ClaimNumber         string    `json:"claimNumber,omitempty" maxLength:"40"`
	DocumentID          string    `json:"documentId,omitempty" maxLength:"50"`
	BillControlNumber   string    `json:"billControlNumber,omitempty" maxLength:"22"`
	ClaimantDateOfBirth date.Date `json:"claimantDateOfBirth,omitempty" doc:"YYYY-MM-DD, or a timestamp"`
	BeginServiceDate    date.Date `json:"beginServiceDate,omitempty" doc:"YYYY-MM-DD, or a timestamp"`
	EndServiceDate      date.Date `json:"endServiceDate,omitempty" doc:"YYYY-MM-DD, or a timestamp"`
}

// criteria returns the search criteria in the request, which must use exactly one way to search.
func (p SearchParams) criteria() (Criteria, error) {
	window := Window{p.BeginServiceDate, p.EndServiceDate}
	number, _ := reference(text.Clean(p.BillControlNumber))
	document := text.Clean(p.DocumentID)
	if _, pasted := reference(document); pasted != "" {
		document = pasted
	}
	return choose(
		ByClaim{text.Clean(p.ClaimNumber), window},
		ByClaimant{text.Clean(p.ClaimantFirstName), text.Clean(p.ClaimantLastName), p.ClaimantDateOfBirth, window},
		ByBillControlNumber{number},
		ByDocument{document},
	)
}

// wireNames are the names of search criteria in requests.
var wireNames = validate.Names{
	fieldBegin: "beginServiceDate", fieldEnd: "endServiceDate", fieldDocument: "documentId", fieldClaim: "claimNumber",
	fieldFirstName: "claimantFirstName", fieldLastName: "claimantLastName", fieldBirthDate: "claimantDateOfBirth",
}

// BillSearch searches the bills of one TIN.
type BillSearch struct {
	SearchParams
	FTIN string `json:"ftin" pattern:"^[0-9]{9}$"`
}

// SecondBillSearch searches the second bill system.
type SecondBillSearch struct {
	SearchParams
	TINs []string `json:"tins" minItems:"1" maxItems:"5" nullable:"false" doc:"No duplicates"`
}

// ClaimBills identifies a claim.
type ClaimBills struct {
	ClaimNumber string `json:"claimNumber" maxLength:"40"`
}

func (c ClaimBills) claim() WholeClaim { return WholeClaim{text.Clean(c.ClaimNumber)} }

type billsOutput struct {
	Body []record.BillResult `nullable:"false"`
}

type claimBillsOutput struct {
	Limited string              `header:"X-Limited-To" doc:"Number of rows returned, if there are more"`
	Body    []record.BillResult `nullable:"false"`
}

// Module returns the domain's module.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Retention: s.Documents.Module().Retention}
}

// Register adds the domain's operations.
func (s *Service) Register(api *httpapi.API) {
	searches := ratelimit.Hourly(s.settings.BillSearches)
	s.registerSearches(api, searches)
	s.registerClaims(api, searches)
	s.Documents.Register(api)
	s.registerPages(api, s.openings)

	httpapi.Register(api, httpapi.Operation{
		ID: "billSearchStart", Method: http.MethodPost, Path: "/public/billSearch/start", Summary: "Nothing",
		Description: "Kept for clients that announce a search. Returns nothing.",
		Access:      httpapi.Public, Effect: httpapi.Read, MaxBytes: 1024,
	}, func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
}

func (s *Service) registerSearches(api *httpapi.API, searches *ratelimit.Limiter) {
	searching := httpapi.Operation{Method: http.MethodPost, Access: "bills.search", Effect: httpapi.Read, Limit: searches, Scoped: true}

	op := searching
	op.ID, op.Path, op.Summary = "searchByAssorted", "/billSearch/searchByAssorted", "Search bills of one TIN"
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body BillSearch }) (*billsOutput, error) {
		criteria, err := in.Body.criteria()
		if err != nil {
			return nil, wireNames.Wire(err)
		}
		found, err := s.Search(ctx, access.From(ctx), in.Body.FTIN, criteria)
		if err != nil {
			return nil, wireNames.Wire(err)
		}
		list, err := makeResults(found, s.records.NewResult)
		return &billsOutput{list}, err
	})

	op = searching
	op.ID, op.Path, op.Summary = "mitchBillSearch", "/billSearch/mitchBillSearch", "Search the second bill system"
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body SecondBillSearch }) (*billsOutput, error) {
		criteria, err := in.Body.criteria()
		if err != nil {
			return nil, wireNames.Wire(err)
		}
		if tins := in.Body.TINs; len(slices.Compact(slices.Sorted(slices.Values(tins)))) < len(tins) {
			return nil, validate.RefuseField("Each TIN can be searched once.", "tins", "Name each TIN once.")
		}
		found, err := s.SearchSecond(ctx, access.From(ctx), in.Body.TINs, criteria)
		if err != nil {
			return nil, wireNames.Wire(err)
		}
		list, err := makeResults(found, s.records.NewSecondResult)
		return &billsOutput{list}, err
	})
}

// registerClaims adds the claim operations of the workspace.
func (s *Service) registerClaims(api *httpapi.API, searches *ratelimit.Limiter) {
	ofClaim := httpapi.Operation{Method: http.MethodPost, Access: "work.bills", Effect: httpapi.Read, Limit: searches, Scoped: true}

	op := ofClaim
	op.ID, op.Path, op.Summary = "billsOfClaim", "/work/bills/ofClaim", "List all bills of a claim"
	op.Description = "Covers every TIN in scope and all dates, newest service first. Returns up to 500 bills. X-Limited-To is set when " +
		"there are more."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body ClaimBills }) (*claimBillsOutput, error) {
		found, more, err := s.FindByClaim(ctx, access.From(ctx), in.Body.claim())
		if err != nil {
			return nil, wireNames.Wire(err)
		}
		out := &claimBillsOutput{}
		if more {
			out.Limited = strconv.Itoa(MaxPerClaim)
		}
		out.Body, err = makeResults(found, s.records.NewResult)
		return out, err
	})

	op = ofClaim
	op.ID, op.Path, op.Summary = "mitchBillsOfClaim", "/work/bills/ofClaim/second", "List all bills of a claim in the second bill system"
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body ClaimBills }) (*billsOutput, error) {
		found, err := s.FindSecondByClaim(ctx, access.From(ctx), in.Body.claim())
		if err != nil {
			return nil, wireNames.Wire(err)
		}
		list, err := makeResults(found, s.records.NewSecondResult)
		return &billsOutput{list}, err
	})

	s.registerFind(api, searches)
}

func makeResults[B any](found []B, result func(B) (record.BillResult, error)) (list []record.BillResult, err error) {
	list = make([]record.BillResult, len(found))
	for i, b := range found {
		if list[i], err = result(b); err != nil {
			return nil, err
		}
	}
	return list, nil
}

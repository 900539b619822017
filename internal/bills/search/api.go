package search

import (
	"context"
	"net/http"
	"strconv"

	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
)

// BillSearch searches the bills of one TIN.
type BillSearch struct {
	Query
	FTIN string `json:"ftin" pattern:"^[0-9]{9}$"`
}

// SecondBillSearch searches the second bill system.
type SecondBillSearch struct {
	Query
	TINs []string `json:"tins" minItems:"1" maxItems:"5" nullable:"false" doc:"No duplicates"`
}

// ClaimBills identifies a claim.
type ClaimBills struct {
	ClaimNumber string `json:"claimNumber" maxLength:"40"`
}

type billsOutput struct {
	Body []record.BillResult `nullable:"false"`
}

type claimBillsOutput struct {
	Limited string              `header:"X-Limited-To" doc:"Number of rows returned, if there are more"`
	Body    []record.BillResult `nullable:"false"`
}

// Register adds the domain's operations.
func (s *Service) Register(api *httpapi.API) {
	s.registerSearches(api)
	s.registerClaims(api)

	httpapi.Register(api, httpapi.Operation{
		ID: "billSearchStart", Method: http.MethodPost, Path: "/public/billSearch/start", Summary: "Nothing",
		Description: "Kept for clients that announce a search. Returns nothing.",
		Access:      httpapi.Public, Effect: httpapi.Read, MaxBytes: 1024,
	}, func(context.Context, *struct{}) (*struct{}, error) { return nil, nil })
}

func (s *Service) registerSearches(api *httpapi.API) {
	searching := httpapi.Operation{Method: http.MethodPost, Access: "bills.search", Effect: httpapi.Read, Limit: s.searches, Scoped: true}

	op := searching
	op.ID, op.Path, op.Summary = "searchByAssorted", "/billSearch/searchByAssorted", "Search bills of one TIN"
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body BillSearch }) (*billsOutput, error) {
		found, err := s.Search(ctx, access.From(ctx), in.Body.FTIN, in.Body.Query)
		if err != nil {
			return nil, err
		}
		list, err := makeResults(found, s.records.NewResult)
		return &billsOutput{list}, err
	})

	op = searching
	op.ID, op.Path, op.Summary = "mitchBillSearch", "/billSearch/mitchBillSearch", "Search the second bill system"
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body SecondBillSearch }) (*billsOutput, error) {
		found, err := s.SearchSecond(ctx, access.From(ctx), in.Body.TINs, in.Body.Query)
		if err != nil {
			return nil, err
		}
		list, err := makeResults(found, s.records.NewSecondResult)
		return &billsOutput{list}, err
	})
}

// registerClaims adds the claim operations of the workspace.
func (s *Service) registerClaims(api *httpapi.API) {
	ofClaim := httpapi.Operation{Method: http.MethodPost, Access: "work.bills", Effect: httpapi.Read, Limit: s.searches, Scoped: true}

	op := ofClaim
	op.ID, op.Path, op.Summary = "billsOfClaim", "/work/bills/ofClaim", "List all bills of a claim"
	op.Description = "Covers every TIN in scope and all dates, newest service first. Returns up to 500 bills. X-Limited-To is set when " +
		"there are more."
	httpapi.Register(api, op, func(ctx context.Context, in *struct{ Body ClaimBills }) (*claimBillsOutput, error) {
		found, more, err := s.FindByClaim(ctx, access.From(ctx), in.Body.ClaimNumber)
		if err != nil {
			return nil, err
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
		found, err := s.FindSecondByClaim(ctx, access.From(ctx), in.Body.ClaimNumber)
		if err != nil {
			return nil, err
		}
		list, err := makeResults(found, s.records.NewSecondResult)
		return &billsOutput{list}, err
	})

	s.registerFind(api)
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

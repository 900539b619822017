package clients

import (
	"context"
	"net/http"
	"strconv"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/retention"
)

// ClientState is an option in the list of states.
type ClientState struct {
	AddState string `json:"addState" example:"OH"`
}

// ProductOption is an option in the list of products.
type ProductOption struct {
	ProductName string `json:"productName"`
	ProductCd   string `json:"productCd"`
}

// ClientRow is a client whose network includes the provider.
type ClientRow struct {
	AEName          string `json:"aeName" doc:"Client"`
	AffltdPayorName string `json:"affltdPayorName" doc:"Affiliated payor"`
	ECSName         string `json:"ecsName" doc:"Recipient of electronic claims"`
	BillClmAttntn   string `json:"billClmAttntn" doc:"Attention line of paper bills"`
	BillClmAddr     string `json:"billClmAddr"`
	ECSPhoneNum     string `json:"ecsPhoneNum" doc:"Digits"`
	BillClmPhoneNum string `json:"billClmPhoneNum" doc:"Digits"`
	ECSPayorID      string `json:"ecsPayorId"`
}

func toRows(list []Client) []ClientRow {
	out := make([]ClientRow, len(list))
	for i, c := range list {
		out[i] = ClientRow{
			AEName: c.Name, AffltdPayorName: c.AffiliatedPayor, ECSName: c.ECSName, BillClmAttntn: c.BillAttention,
			BillClmAddr: c.BillAddress,
			ECSPhoneNum: c.ECSPhone, BillClmPhoneNum: c.BillPhone, ECSPayorID: c.ECSPayorID,
		}
	}
	return out
}

// newRows returns the response. More reports whether the list was cut off.
func newRows(list []Client, more bool) *rows {
	out := &rows{Body: toRows(list)}
	if more {
		out.Limited = strconv.Itoa(len(list))
	}
	return out
}

type rows struct {
	Limited string      `header:"X-Limited-To" doc:"Number of rows returned, if there are more"`
	Body    []ClientRow `nullable:"false"`
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Retention: []retention.Item{
		retention.Forever("Client lists and accepted terms", "products", "clients", "provider_products", "client_exclusions",
			"client_list_agreements"),
	}}
}

// Register adds the client endpoints.
func (s *Service) Register(api *httpapi.API) {
	s.registerChoices(api)
	s.registerClients(api)
}

// registerChoices adds the endpoints that list states and products.
func (s *Service) registerChoices(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "clientStates", Method: http.MethodGet, Path: "/clients/states/{providerType}/{providerId}",
		Summary: "List the states where a provider is in network",
		Access:  "clients.search", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ProviderType string `path:"providerType" maxLength:"2"`
		ProviderID   string `path:"providerId" maxLength:"20"`
	}) (*httpapi.List[ClientState], error) {
		list, err := s.States(ctx, access.From(ctx), in.ProviderID)
		return httpapi.NewList(list, func(state string) ClientState { return ClientState{state} }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "clientProducts", Method: http.MethodGet, Path: "/clients/getProductsByProv/{lob}/{providerId}/{state}/{tin}",
		Summary: "List a provider's products in a state",
		Access:  "clients.search", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		LOB        string `path:"lob" enum:"WC,AUTO" doc:"Line of business"`
		ProviderID string `path:"providerId" maxLength:"20"`
		State      string `path:"state" maxLength:"2"`
		TIN        string `path:"tin" maxLength:"9"`
	}) (*httpapi.List[ProductOption], error) {
		list, err := s.Products(ctx, access.From(ctx), in.LOB, in.ProviderID, in.State, in.TIN)
		return httpapi.NewList(list, func(p Product) ProductOption { return ProductOption{p.Name, p.Code} }), err
	})
}

// registerClients adds the endpoints for the client list and the agreement that precedes it.
func (s *Service) registerClients(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "clientsByLob", Method: http.MethodGet, Path: "/clients/getClientsByLOB/{lob}/{providerId}/{state}/{productCode}/{tin}",
		Summary:     "List clients that include a provider in their network",
		Description: "Sorted by name, up to 5,000. X-Limited-To is set when there are more.",
		Access:      "clients.search", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		LOB         string `path:"lob" enum:"WC,AUTO" doc:"Line of business"`
		ProviderID  string `path:"providerId" maxLength:"20"`
		State       string `path:"state" maxLength:"2"`
		ProductCode string `path:"productCode" maxLength:"20"`
		TIN         string `path:"tin" maxLength:"9"`
	}) (*rows, error) {
		list, more, err := s.Find(ctx, access.From(ctx), Lookup{
			LOB: in.LOB, ProviderID: in.ProviderID, State: in.State, Product: in.ProductCode, FTIN: in.TIN,
		})
		return newRows(list, more), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "clientDetails", Method: http.MethodGet, Path: "/clients/getClientDetails/{providerId}/{tin}",
		Summary:     "List a provider's clients for all products and states",
		Description: "Sorted by name, up to 5,000. X-Limited-To is set when there are more.",
		Access:      "clients.search", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		ProviderID string `path:"providerId" maxLength:"20"`
		TIN        string `path:"tin" maxLength:"9"`
	}) (*rows, error) {
		list, more, err := s.Details(ctx, access.From(ctx), in.ProviderID, in.TIN)
		return newRows(list, more), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "acceptClientListAgreement", Method: http.MethodPost, Path: "/clients/agreement", Summary: "Accept the agreement",
		Access: "clients.search", Effect: httpapi.Write,
	}, func(ctx context.Context, _ *struct{}) (*struct{}, error) {
		return nil, s.AcceptAgreement(ctx, access.From(ctx))
	})
}

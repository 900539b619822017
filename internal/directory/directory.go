// Package directory owns the providers (physicians and facilities) and the tax IDs they bill
// under.
package directory

import (
	"context"
	"database/sql"
	"net/http"
	"slices"
	"strconv"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/module"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/retention"
)

// Provider is a physician (P), a facility (F), an ancillary provider (A) or a
// hospital (H).
type Provider struct {
	ProviderID   string
	ProviderType string
	NPI          string
	FirstName    string
	MiddleName   string
	LastName     string
	FacilityName string
	Specialty    string
	Address      string
	City         string
	State        string
	ZIP          string
	Phone        string
}

// Service finds the providers of the network.
type Service struct {
	db     *db.DB
	scopes *tins.Scopes
	moves  []Move
}

// Move moves what another domain stored for a provider to the provider's new id.
type Move func(ctx context.Context, tx *sql.Tx, old, id string) error

// NewService creates the service.
func NewService(d *db.DB, scopes *tins.Scopes, moves ...Move) *Service {
	return &Service{db: d, scopes: scopes, moves: moves}
}

// Lookup filters the providers of a TIN. Names match by prefix.
type Lookup struct {
	Type       string // P for physicians, F for all others
	ProviderID string
	Facility   string
	FirstName  string
	LastName   string
}

const maxProviders = 1000

// Find lists the providers who bill under a TIN, by name. A provider's details serve as proof of
// a TIN, so it lists only the actor's own TINs, or any TIN for internal staff. More reports
// whether the list was cut off.
func (s *Service) Find(ctx context.Context, a access.Actor, ftin string, l Lookup) (list []Provider, more bool, err error) {
	if err := access.RequireTIN(ctx, s.scopes, a, ftin); err != nil {
		return nil, false, err
	}
	list, err = db.ReadFromReplica(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]Provider, error) {
		return listProviders(ctx, q, ftin, l, maxProviders+1)
	})
	return list[:min(len(list), maxProviders)], len(list) > maxProviders, err
}

// Page returns a page of the providers who bill under a TIN and the total. It has the same
// restrictions as Find.
func (s *Service) Page(ctx context.Context, a access.Actor, ftin string, t paging.Table) (list []Provider, count int, err error) {
	if err := access.RequireTIN(ctx, s.scopes, a, ftin); err != nil {
		return nil, 0, err
	}
	list, err = db.ReadFromReplica(ctx, s.db, func(ctx context.Context, q db.Queryer) (list []Provider, err error) {
		list, count, err = providerPage(ctx, q, s.db.Dialect, ftin, t)
		return list, err
	})
	return list, count, err
}

// OfficeNames returns the office names of the actor's own TINs. A TIN without an office has
// none.
func (s *Service) OfficeNames(ctx context.Context, a access.Actor) ([]OfficeName, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	return officeNames(ctx, s.db.Reader, scope.TINs())
}

// ListOfficeNames returns the office names of those TINs that the actor can see in the directory.
func (s *Service) ListOfficeNames(ctx context.Context, a access.Actor, ftins []string) ([]OfficeName, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	seen := slices.DeleteFunc(slices.Clone(ftins), func(ftin string) bool { return !a.Reach().SeesTIN(scope, ftin) })
	return officeNames(ctx, s.db.Reader, seen)
}

// OnFile reports whether any provider bills under the TIN (known), and whether the one with this
// id does (valid).
func (s *Service) OnFile(ctx context.Context, ftin, providerID string) (known, valid bool, err error) {
	first, err := providerIDs(ctx, s.db.Reader, ftin, "")
	if err != nil || len(first) == 0 || providerID == "" {
		return len(first) > 0, false, err
	}
	match, err := providerIDs(ctx, s.db.Reader, ftin, providerID)
	return true, len(match) > 0, err
}

// ListAllTINs lists the TINs that providers with an id bill or billed under.
func (s *Service) ListAllTINs(ctx context.Context, providerID string) ([]string, error) {
	return listAllTINs(ctx, s.db.Reader, providerID)
}

// ListTINs lists the TINs that a provider bills under.
func (s *Service) ListTINs(ctx context.Context, providerID string) ([]string, error) {
	return listTINs(ctx, s.db.Reader, providerID)
}

// Name returns the provider's display name.
func (p Provider) Name() string {
	if p.FacilityName != "" {
		return p.FacilityName
	}
	name := p.LastName + ", " + p.FirstName
	if p.MiddleName != "" {
		name += " " + p.MiddleName
	}
	return name
}

// ProviderEntry is a provider who bills under a TIN.
type ProviderEntry struct {
	PrvTaxID        string `json:"prvTaxId"`
	FTIN            string `json:"ftin" doc:"Same as prvTaxId"`
	PrvID           string `json:"prvId"`
	PrvName         string `json:"prvName"`
	PrvProviderType string `json:"prvProviderType" doc:"P physician, F facility, A ancillary, any other hospital"`
}

// ListEntry is a provider in a picker.
type ListEntry struct {
	PrvID           string `json:"prvId"`
	PrvName         string `json:"prvName"`
	PrvProviderType string `json:"prvProviderType" doc:"P physician, F facility, A ancillary, any other hospital"`
}

func toProviderEntry(ftin string, p Provider) ProviderEntry {
	return ProviderEntry{PrvTaxID: ftin, FTIN: ftin, PrvID: p.ProviderID, PrvName: p.Name(), PrvProviderType: p.ProviderType}
}

func toListEntry(p Provider) ListEntry {
	return ListEntry{PrvID: p.ProviderID, PrvName: p.Name(), PrvProviderType: p.ProviderType}
}

// Module describes this domain to the program.
func (s *Service) Module() module.Module {
	return module.Module{Operations: s.Register, Retention: []retention.Item{
		retention.Forever("Provider directory", "providers", "provider_tins", "provider_specialties", "provider_offices",
			"provider_office_details", "provider_licenses", "provider_listings", "former_provider_ids", "former_provider_tins",
			"taxonomies"),
	}}
}

// Register adds the directory endpoints.
func (s *Service) Register(api *httpapi.API) {
	s.registerRecords(api)
	httpapi.Register(api, httpapi.Operation{
		ID: "clientProviders", Method: http.MethodGet, Path: "/clients/list/{tin}",
		Summary:     "List a TIN's providers for selection, by name",
		Description: "Up to 1,000. X-Limited-To is set when there are more. Internal staff can request any TIN, others only their own.",
		Access:      "directory.lookup", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		TIN string `path:"tin" maxLength:"9"`
	}) (*found[ListEntry], error) {
		list, more, err := s.Find(ctx, access.From(ctx), in.TIN, Lookup{})
		return newFound(list, more, toListEntry), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "providerPage", Method: http.MethodPost, Path: "/provider/page", Summary: "List a TIN's providers, one page at a time",
		Description: "Columns: name, type and provider (the name with the ID in brackets). Internal staff can request any TIN, other " +
			"users only their own.",
		Access: "directory.lookup", Effect: httpapi.Read, Expensive: true,
	}, func(ctx context.Context, in *struct {
		Body struct {
			FTIN  string       `json:"ftin" maxLength:"9"`
			Table paging.Table `json:"table"`
		}
	}) (*struct{ Body paging.Page[ListEntry] }, error) {
		list, count, err := s.Page(ctx, access.From(ctx), in.Body.FTIN, in.Body.Table)
		return &struct{ Body paging.Page[ListEntry] }{paging.NewPage(list, count, toListEntry)}, err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "officeNames", Method: http.MethodGet, Path: "/provider/officeNames", Summary: "List the office names of your TINs",
		Access: "directory.lookup", Effect: httpapi.Read,
	}, func(ctx context.Context, _ *struct{}) (*httpapi.List[TINName], error) {
		list, err := s.OfficeNames(ctx, access.From(ctx))
		return httpapi.NewList(list, func(n OfficeName) TINName { return TINName(n) }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "namesOfTins", Method: http.MethodPost, Path: "/provider/officeNames", Summary: "List the office names of TINs",
		Description: "Internal staff can request any TIN. Other users get none for TINs that aren't theirs.",
		Access:      "directory.lookup", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		Body struct {
			FTINs []string `json:"ftins" maxItems:"5000" nullable:"false" doc:"TINs, 9 digits each"`
		}
	}) (*httpapi.List[TINName], error) {
		list, err := s.ListOfficeNames(ctx, access.From(ctx), in.Body.FTINs)
		return httpapi.NewList(list, func(n OfficeName) TINName { return TINName(n) }), err
	})
	httpapi.Register(api, httpapi.Operation{
		ID: "providerList", Method: http.MethodGet, Path: "/provider/list/{tin}", Summary: "Search a TIN's providers by name",
		Description: "Up to 1,000. X-Limited-To is set when there are more. Matches the start of names. Internal staff can request any " +
			"TIN, other users only their own.",
		Access: "directory.lookup", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct {
		TIN       string `path:"tin" maxLength:"9"`
		Type      string `query:"prv-type" enum:"P,F" doc:"P physicians, F facilities and all others"`
		ID        string `query:"prv-id" maxLength:"8"`
		Facility  string `query:"facility-nm" maxLength:"120"`
		FirstName string `query:"phy-first-nm" maxLength:"120"`
		LastName  string `query:"phy-last-nm" maxLength:"120"`
	}) (*found[ProviderEntry], error) {
		list, more, err := s.Find(ctx, access.From(ctx), in.TIN, Lookup{in.Type, in.ID, in.Facility, in.FirstName, in.LastName})
		return newFound(list, more, func(p Provider) ProviderEntry { return toProviderEntry(in.TIN, p) }), err
	})
}

// TINName is a TIN with the name of its primary office.
type TINName struct {
	FTIN  string `json:"ftin"`
	Name  string `json:"name" doc:"Name of the primary office, or the first by name"`
	Names int    `json:"names" doc:"Number of office names"`
}

type found[Row any] struct {
	Limited string `header:"X-Limited-To" doc:"Number of rows returned, if there are more"`
	Body    []Row  `nullable:"false"`
}

func newFound[Row any](list []Provider, more bool, row func(Provider) Row) *found[Row] {
	out := &found[Row]{Body: convertAll(list, row)}
	if more {
		out.Limited = strconv.Itoa(len(list))
	}
	return out
}

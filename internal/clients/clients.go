// Package clients owns the Client List: the clients (payers and their administrators) whose
// network includes a provider.
package clients

import (
	"context"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// Lines of business.
const (
	WorkersComp = "WC"
	Auto        = "AUTO"
)

// Client is a payer and its billing address, in one product and state.
type Client struct {
	ClientID        string `db:"client_id"`
	LineOfBusiness  string
	ProductCode     string
	State           string
	Name            string
	AffiliatedPayor string
	ECSName         string `db:"ecs_name"` // clearinghouse for electronic claims
	ECSPhone        string `db:"ecs_phone"`
	ECSPayorID      string `db:"ecs_payor_id"`
	BillAttention   string
	BillAddress     string
	BillPhone       string
}

// Product is a network product of a line of business.
type Product struct {
	LineOfBusiness string
	Code           string
	Name           string
}

// Participation is a period when a provider participates in a product, in a state and under a
// TIN.
type Participation struct {
	ProviderID     string `db:"provider_id"`
	FTIN           string `db:"ftin"`
	LineOfBusiness string
	ProductCode    string
	State          string
	EffectiveDate  date.Date // empty: open
	EndDate        date.Date // empty: open
}

// Exclusion is a period when a client excludes a provider from its network, under one TIN. An
// empty TIN means all of them.
type Exclusion struct {
	ClientID      string    `db:"client_id"`
	ProviderID    string    `db:"provider_id"`
	FTIN          string    `db:"ftin"`
	EffectiveDate date.Date // empty: open
	EndDate       date.Date // empty: open
}

// Providers finds the TINs that a provider bills under.
type Providers interface {
	ListTINs(ctx context.Context, providerID string) ([]string, error)
}

// Service finds the clients whose network includes a provider.
type Service struct {
	db        *db.DB
	scopes    *tins.Scopes
	providers Providers
	audit     *audit.Log
	now       func() time.Time
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Scopes    *tins.Scopes
	Providers Providers
}

// NewService creates the service. Periods are compared with today's date in the business time
// zone.
func NewService(d Deps) *Service {
	platform.Require(d)
	return &Service{db: d.DB, scopes: d.Scopes, providers: d.Providers, audit: d.Audit, now: d.LocalTime}
}

func (s *Service) today() date.Date { return date.Of(s.now()) }

// checkVisible checks that the actor can ask about a provider. The provider must bill under a
// TIN in the actor's scope.
func (s *Service) checkVisible(ctx context.Context, a access.Actor, providerID string) error {
	if a.Reach().SeesAllTINs() {
		return nil
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return err
	}
	tins, err := s.providers.ListTINs(ctx, providerID)
	if err != nil {
		return err
	}
	for _, ftin := range tins {
		if scope.Has(ftin) {
			return nil
		}
	}
	return access.Refuse("provider " + providerID)
}

// States lists the states where a provider participates in any product.
func (s *Service) States(ctx context.Context, a access.Actor, providerID string) ([]string, error) {
	if err := s.checkVisible(ctx, a, providerID); err != nil {
		return nil, err
	}
	return listStates(ctx, s.db.Reader, providerID, s.today())
}

// Products lists the products in which a provider participates, in a state and under a TIN.
func (s *Service) Products(ctx context.Context, a access.Actor, lob, providerID, state, ftin string) ([]Product, error) {
	if err := access.RequireTIN(ctx, s.scopes, a, ftin); err != nil {
		return nil, err
	}
	return listProducts(ctx, s.db.Reader, Lookup{LOB: lob, ProviderID: providerID, State: state, FTIN: ftin, Today: s.today()})
}

// A state and product have hundreds of clients, rarely thousands.
const maxClients = 5000

// Find lists the clients whose network includes the provider today: those of the product and
// state in which the provider participates, minus those that exclude the provider. More reports
// whether the list was cut off.
func (s *Service) Find(ctx context.Context, a access.Actor, l Lookup) (list []Client, more bool, err error) {
	if err := access.RequireTIN(ctx, s.scopes, a, l.FTIN); err != nil {
		return nil, false, err
	}
	if err := s.auditSearch(ctx, l.FTIN, criteria{ProviderID: l.ProviderID, LOB: l.LOB, State: l.State, Product: l.Product}); err != nil {
		return nil, false, err
	}
	l.Today = s.today()
	taking, err := takesPart(ctx, s.db.Reader, l)
	if err != nil || !taking {
		return nil, false, err
	}
	list, err = listClients(ctx, s.db.Reader, l, maxClients+1)
	return list[:min(len(list), maxClients)], len(list) > maxClients, err
}

// Details lists a provider's clients under a TIN, for all products and states. More reports whether the
// list was cut off.
func (s *Service) Details(ctx context.Context, a access.Actor, providerID, ftin string) (list []Client, more bool, err error) {
	if err := access.RequireTIN(ctx, s.scopes, a, ftin); err != nil {
		return nil, false, err
	}
	if err := s.auditSearch(ctx, ftin, criteria{ProviderID: providerID}); err != nil {
		return nil, false, err
	}
	list, err = listProviderClients(ctx, s.db.Reader, providerID, ftin, s.today(), maxClients+1)
	return list[:min(len(list), maxClients)], len(list) > maxClients, err
}

// criteria are the search criteria besides the TIN, as stored in the audit log.
type criteria struct {
	ProviderID string `json:"providerId"`
	LOB        string `json:"lineOfBusiness,omitempty"`
	State      string `json:"state,omitempty"`
	Product    string `json:"product,omitempty"`
}

func (s *Service) auditSearch(ctx context.Context, ftin string, c criteria) error {
	return s.audit.RecordNow(ctx, audit.Entry{Operation: "client-search", Subject: ftin, About: []string{ftin}, Searched: c, Result: "ok"})
}

// AgreementVersion is the version of the agreement text that users accept.
const AgreementVersion = "1"

// AcceptAgreement records that the actor accepted the agreement, once per version.
func (s *Service) AcceptAgreement(ctx context.Context, a access.Actor) error {
	if err := insertAgreement(ctx, s.db.Writer, a.Person.ID, AgreementVersion, db.At(s.now())); err != nil {
		return err
	}
	return s.audit.RecordNow(ctx, audit.Entry{Operation: "client-list-agreement", Subject: "version " + AgreementVersion, Result: "ok"})
}

func key(s string) string { return text.Key(s) }

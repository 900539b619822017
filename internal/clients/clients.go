// Package clients owns the Client List: which clients (payers and their
// administrators) consider a provider part of their network.
package clients

import (
	"context"
	"time"

	"wcpp/internal/access"
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

// Client is a payer, with where its bills go, in one product and state.
type Client struct {
	ClientID        string `db:"client_id"`
	LineOfBusiness  string
	ProductCode     string
	State           string
	Name            string
	AffiliatedPayor string
	ECSName         string `db:"ecs_name"` // electronic claims: clearing house
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

// Participation is a period in which a provider takes part in a product in a state,
// under a TIN.
type Participation struct {
	ProviderID     string `db:"provider_id"`
	FTIN           string `db:"ftin"`
	LineOfBusiness string
	ProductCode    string
	State          string
	EffectiveDate  date.Date // empty: open
	EndDate        date.Date // empty: open
}

// Exclusion is a period in which a client leaves a provider out of its network, under
// one TIN, or under all where it is empty.
type Exclusion struct {
	ClientID      string    `db:"client_id"`
	ProviderID    string    `db:"provider_id"`
	FTIN          string    `db:"ftin"`
	EffectiveDate date.Date // empty: open
	EndDate       date.Date // empty: open
}

// Scopes tells whose rows an actor may read.
type Scopes interface {
	Scope(ctx context.Context, a access.Actor) (access.Scope, error)
}

// Providers tells which TINs a provider bills under.
type Providers interface {
	TINsOf(ctx context.Context, providerID string) ([]string, error)
}

// Service answers who considers whom part of the network.
type Service struct {
	db        *db.DB
	scopes    Scopes
	providers Providers
	audit     *audit.Log
	now       func() time.Time
}

// NewService makes the service. What is in force is what is in force today
// where now tells the time.
func NewService(d *db.DB, scopes Scopes, providers Providers, log *audit.Log, now func() time.Time) *Service {
	return &Service{db: d, scopes: scopes, providers: providers, audit: log, now: now}
}

func (s *Service) today() date.Date { return date.Of(s.now()) }

// seesProvider tells whether the actor may ask about a provider: one who bills
// under a TIN that the actor may ask about.
func (s *Service) seesProvider(ctx context.Context, a access.Actor, providerID string) error {
	if a.Reach().SeesAllTINs() {
		return nil
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return err
	}
	tins, err := s.providers.TINsOf(ctx, providerID)
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

// States lists the states in which a provider takes part in any product.
func (s *Service) States(ctx context.Context, a access.Actor, providerID string) ([]string, error) {
	if err := s.seesProvider(ctx, a, providerID); err != nil {
		return nil, err
	}
	return statesOf(ctx, s.db.Reader, providerID, s.today())
}

// Products lists the products in which a provider takes part in a state, under
// a TIN.
func (s *Service) Products(ctx context.Context, a access.Actor, lob, providerID, state, ftin string) ([]Product, error) {
	if err := access.RequireTIN(ctx, s.scopes, a, ftin); err != nil {
		return nil, err
	}
	return productsOf(ctx, s.db.Reader, lob, providerID, state, ftin, s.today())
}

// A state and product have hundreds of clients, seldom thousands.
const mostClients = 5000

// Find lists the clients who consider the provider part of their network: those
// of the product and state in which the provider takes part, but for the ones
// that exclude the provider. More tells that there are others.
func (s *Service) Find(ctx context.Context, a access.Actor, lob, providerID, state, product, ftin string) (list []Client, more bool, err error) {
	if err := access.RequireTIN(ctx, s.scopes, a, ftin); err != nil {
		return nil, false, err
	}
	about := asked{lob, providerID, state, product, ftin, s.today()}
	taking, err := takesPart(ctx, s.db.Reader, about)
	if err != nil || !taking {
		return nil, false, err
	}
	list, err = clientsOf(ctx, s.db.Reader, about, mostClients+1)
	if err != nil {
		return nil, false, err
	}
	if err := s.searched(ctx, ftin, criteria{ProviderID: providerID, LOB: lob, State: state, Product: product}); err != nil {
		return nil, false, err
	}
	return list[:min(len(list), mostClients)], len(list) > mostClients, nil
}

// Details lists the clients of a provider under a TIN in every product and
// state.
func (s *Service) Details(ctx context.Context, a access.Actor, providerID, ftin string) ([]Client, error) {
	if err := access.RequireTIN(ctx, s.scopes, a, ftin); err != nil {
		return nil, err
	}
	if err := s.searched(ctx, ftin, criteria{ProviderID: providerID}); err != nil {
		return nil, err
	}
	return clientsOfProvider(ctx, s.db.Reader, providerID, ftin, s.today(), mostClients)
}

// criteria are what a search asked for beside the TIN, as the audit log keeps them.
type criteria struct {
	ProviderID string `json:"providerId"`
	LOB        string `json:"lineOfBusiness,omitempty"`
	State      string `json:"state,omitempty"`
	Product    string `json:"product,omitempty"`
}

func (s *Service) searched(ctx context.Context, ftin string, c criteria) error {
	return s.audit.Now(ctx, audit.Entry{Operation: "client-search", Subject: ftin, About: []string{ftin}, Searched: c, Result: "ok"})
}

// AgreementVersion names the wording of the agreement that people accept.
const AgreementVersion = "1"

// Agree records that the actor accepted the agreement, once for each version.
func (s *Service) Agree(ctx context.Context, a access.Actor) error {
	if err := insertAgreement(ctx, s.db.Writer, a.Person.ID, AgreementVersion, db.At(s.now())); err != nil {
		return err
	}
	return s.audit.Now(ctx, audit.Entry{Operation: "client-list-agreement", Subject: "version " + AgreementVersion, Result: "ok"})
}

func key(s string) string { return text.Key(s) }

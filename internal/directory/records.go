package directory

import (
	"context"
	"errors"
	"slices"
	"strings"

	"wcpp/internal/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
)

// Record is what the directory knows of a provider beside the lists.
type Record struct {
	Provider
	Degrees         string
	BirthDate       date.Date
	Gender          string
	Languages       string
	LinesOfBusiness string
	// DeactivatedOn is the day on which the registry put the NPI out of use; lists
	// leave the provider out from then on.
	DeactivatedOn date.Date
}

// Specialty is what a physician practises, the first rank first.
type Specialty struct {
	Description string
	Rank        int
}

// Office is where a provider works.
type Office struct {
	OfficeID  string `db:"office_id"`
	Name      string
	IsPrimary bool
	AcceptsWC bool   `db:"accepts_wc"`
	FTIN      string `db:"ftin"`
	Address   string
	Phone     string
	Fax       string
	Email     string
	Details   []Detail `db:"-"`
}

// Detail is something that an office offers.
type Detail struct {
	OfficeID    string `db:"office_id"`
	Kind        string
	Description string
}

// License is a licence to practise.
type License struct {
	LicenseType    string
	State          string
	LicenseNumber  string
	IssueDate      date.Date
	ExpirationDate date.Date
	Status         string
}

// visible refuses providers whom the actor may not look up: all but those who
// bill under one of the own TINs; internal staff may look up anyone.
func (s *Service) visible(ctx context.Context, a access.Actor, providerID string) error {
	if a.Reach().SeesAllTINs() {
		return nil
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return err
	}
	tins, err := tinsOf(ctx, s.db.Reader, providerID)
	if err == nil && !slices.ContainsFunc(tins, scope.Has) {
		err = problem.New(problem.NotFound)
	}
	return err
}

// Record answers a provider: a physician, or any other.
func (s *Service) Record(ctx context.Context, a access.Actor, providerID string, physician bool) (Record, error) {
	if err := s.visible(ctx, a, providerID); err != nil {
		return Record{}, err
	}
	r, err := db.Aged(ctx, s.db, func(ctx context.Context, q db.Queryer) (Record, error) { return recordOf(ctx, q, providerID) })
	if errors.Is(err, db.ErrNotFound) || err == nil && (r.ProviderType == "P") != physician {
		err = problem.New(problem.NotFound)
	}
	return r, err
}

// Specialties lists a page of a provider's specialties by rank, from 0; as the others do, at most
// mostParts at a time.
func (s *Service) Specialties(ctx context.Context, a access.Actor, providerID string, page int) ([]Specialty, error) {
	if err := s.visible(ctx, a, providerID); err != nil {
		return nil, err
	}
	return db.Aged(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]Specialty, error) {
		return specialtiesOf(ctx, q, providerID, partsOf(page))
	})
}

// Offices lists a page of where a provider works, with what is offered there, by name.
func (s *Service) Offices(ctx context.Context, a access.Actor, providerID string, page int) ([]Office, error) {
	if err := s.visible(ctx, a, providerID); err != nil {
		return nil, err
	}
	offices, err := db.Aged(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]Office, error) {
		return officesOf(ctx, q, providerID, partsOf(page))
	})
	if err != nil {
		return nil, err
	}
	if len(offices) == 0 {
		return nil, nil
	}
	at, ids := map[string]int{}, make([]string, len(offices))
	for i, o := range offices {
		at[o.OfficeID], ids[i] = i, o.OfficeID
	}
	details, err := db.Aged(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]Detail, error) {
		return detailsOf(ctx, q, providerID, ids...)
	})
	for _, d := range details {
		o := &offices[at[d.OfficeID]]
		o.Details = append(o.Details, d)
	}
	return offices, err
}

// Licenses lists a page of a provider's licences by type.
func (s *Service) Licenses(ctx context.Context, a access.Actor, providerID string, page int) ([]License, error) {
	if err := s.visible(ctx, a, providerID); err != nil {
		return nil, err
	}
	return db.Aged(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]License, error) {
		return licensesOf(ctx, q, providerID, partsOf(page))
	})
}

// initial is the first letter of a middle name.
func initial(s string) string {
	for _, r := range s {
		return strings.ToUpper(string(r))
	}
	return ""
}

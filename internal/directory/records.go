package directory

import (
	"context"
	"errors"
	"slices"
	"strings"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
)

// Record contains a provider's data besides the lists.
type Record struct {
	Provider
	Degrees         string
	BirthDate       date.Date
	Gender          string
	Languages       string
	LinesOfBusiness string
	// DeactivatedOn is the day when the registry deactivated the NPI. Lists omit the provider
	// after that.
	DeactivatedOn date.Date
}

// Specialty is a physician's specialty. Lower ranks come first.
type Specialty struct {
	Description string
	Rank        int
}

// Office is a provider's location.
type Office struct {
	OfficeID  string `db:"office_id"`
	Name      string
	IsPrimary bool
	AcceptsWC *bool  `db:"accepts_wc"` // nil: no file states it
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

// License is a license to practice.
type License struct {
	LicenseType    string
	State          string
	LicenseNumber  string
	IssueDate      date.Date
	ExpirationDate date.Date
	Status         string
}

// checkVisible checks that the actor can look up a provider: one who bills under one of the actor's
// TINs. Internal staff can look up anyone.
func (s *Service) checkVisible(ctx context.Context, a access.Actor, providerID string) error {
	if a.Reach().SeesAllTINs() {
		return nil
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return err
	}
	tins, err := listTINs(ctx, s.db.Reader, providerID)
	if err == nil && !slices.ContainsFunc(tins, scope.Has) {
		err = problem.New(problem.NotFound)
	}
	return err
}

// Record returns a physician, or any other kind of provider.
func (s *Service) Record(ctx context.Context, a access.Actor, providerID string, physician bool) (Record, error) {
	if err := s.checkVisible(ctx, a, providerID); err != nil {
		return Record{}, err
	}
	r, err := db.ReadFromReplica(ctx, s.db, func(ctx context.Context, q db.Queryer) (Record, error) {
		return getRecord(ctx, q, providerID)
	})
	if errors.Is(err, db.ErrNotFound) || err == nil && (r.ProviderType == "P") != physician {
		err = problem.New(problem.NotFound)
	}
	return r, err
}

// Specialties returns a page of a provider's specialties by rank. Pages start at 0 and, as in
// the other lists, have up to maxParts rows.
func (s *Service) Specialties(ctx context.Context, a access.Actor, providerID string, page int) ([]Specialty, error) {
	if err := s.checkVisible(ctx, a, providerID); err != nil {
		return nil, err
	}
	return db.ReadFromReplica(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]Specialty, error) {
		return listSpecialties(ctx, q, providerID, newPart(page))
	})
}

// Offices returns a page of a provider's locations with their services, by name. Locations under
// TINs that the actor can't see have no TIN.
func (s *Service) Offices(ctx context.Context, a access.Actor, providerID string, page int) ([]Office, error) {
	if err := s.checkVisible(ctx, a, providerID); err != nil {
		return nil, err
	}
	offices, err := db.ReadFromReplica(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]Office, error) {
		return listOffices(ctx, q, providerID, newPart(page))
	})
	if err != nil {
		return nil, err
	}
	if len(offices) == 0 {
		return nil, nil
	}
	if err := s.hideTINs(ctx, a, offices); err != nil {
		return nil, err
	}
	at, ids := map[string]int{}, make([]string, len(offices))
	for i, o := range offices {
		at[o.OfficeID], ids[i] = i, o.OfficeID
	}
	details, err := db.ReadFromReplica(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]Detail, error) {
		return listDetails(ctx, q, providerID, ids...)
	})
	for _, d := range details {
		o := &offices[at[d.OfficeID]]
		o.Details = append(o.Details, d)
	}
	return offices, err
}

// hideTINs removes the TINs that the actor can't see from locations.
func (s *Service) hideTINs(ctx context.Context, a access.Actor, offices []Office) error {
	if a.Reach().SeesAllTINs() {
		return nil
	}
	scope, err := s.scopes.Scope(ctx, a)
	for i := range offices {
		if !scope.Has(offices[i].FTIN) {
			offices[i].FTIN = ""
		}
	}
	return err
}

// Licenses returns a page of a provider's licenses by type.
func (s *Service) Licenses(ctx context.Context, a access.Actor, providerID string, page int) ([]License, error) {
	if err := s.checkVisible(ctx, a, providerID); err != nil {
		return nil, err
	}
	return db.ReadFromReplica(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]License, error) {
		return listLicenses(ctx, q, providerID, newPart(page))
	})
}

// initial returns the first letter of a middle name.
func initial(s string) string {
	for _, r := range s {
		return strings.ToUpper(string(r))
	}
	return ""
}

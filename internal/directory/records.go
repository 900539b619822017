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
	r, err := recordOf(ctx, s.db.Reader, providerID)
	if errors.Is(err, db.ErrNotFound) || err == nil && (r.ProviderType == "P") != physician {
		err = problem.New(problem.NotFound)
	}
	return r, err
}

// Specialties lists a provider's specialties by rank.
func (s *Service) Specialties(ctx context.Context, a access.Actor, providerID string) ([]Specialty, error) {
	if err := s.visible(ctx, a, providerID); err != nil {
		return nil, err
	}
	return specialtiesOf(ctx, s.db.Reader, providerID)
}

// Offices lists where a provider works, with what is offered there, by name.
func (s *Service) Offices(ctx context.Context, a access.Actor, providerID string) ([]Office, error) {
	if err := s.visible(ctx, a, providerID); err != nil {
		return nil, err
	}
	offices, err := officesOf(ctx, s.db.Reader, providerID)
	if err != nil {
		return nil, err
	}
	details, err := detailsOf(ctx, s.db.Reader, providerID)
	for i := range offices {
		for _, d := range details {
			if d.OfficeID == offices[i].OfficeID {
				offices[i].Details = append(offices[i].Details, d)
			}
		}
	}
	return offices, err
}

// Licenses lists a provider's licences by type.
func (s *Service) Licenses(ctx context.Context, a access.Actor, providerID string) ([]License, error) {
	if err := s.visible(ctx, a, providerID); err != nil {
		return nil, err
	}
	return licensesOf(ctx, s.db.Reader, providerID)
}

const mostParts = 500 // of one provider

func recordOf(ctx context.Context, q db.Queryer, providerID string) (Record, error) {
	var r Record
	err := db.Get(ctx, q, &r, `
		SELECT provider_id, provider_type, npi, first_name, middle_name, last_name, facility_name, specialty, address, city, state, zip, phone,
		       degrees, birth_date, gender, languages, lines_of_business
		FROM providers WHERE provider_id = $1`, providerID)
	return r, err
}

func specialtiesOf(ctx context.Context, q db.Queryer, providerID string) ([]Specialty, error) {
	var list []Specialty
	err := db.Select(ctx, q, &list, `
		SELECT coalesce(t.description, s.description) AS description, s.rank FROM provider_specialties s
		LEFT JOIN taxonomies t ON t.code = s.taxonomy_code
		WHERE s.provider_id = $1 ORDER BY s.rank, s.description LIMIT $2`, providerID, mostParts)
	return list, err
}

func officesOf(ctx context.Context, q db.Queryer, providerID string) ([]Office, error) {
	var list []Office
	err := db.Select(ctx, q, &list, `
		SELECT office_id, name, is_primary, accepts_wc, ftin, address, phone, fax, email FROM provider_offices
		WHERE provider_id = $1 ORDER BY name, office_id LIMIT $2`, providerID, mostParts)
	return list, err
}

func detailsOf(ctx context.Context, q db.Queryer, providerID string) ([]Detail, error) {
	var list []Detail
	err := db.Select(ctx, q, &list, `
		SELECT office_id, kind, description FROM provider_office_details WHERE provider_id = $1 ORDER BY description LIMIT 5000`, providerID)
	return list, err
}

func licensesOf(ctx context.Context, q db.Queryer, providerID string) ([]License, error) {
	var list []License
	err := db.Select(ctx, q, &list, `
		SELECT license_type, state, license_number, issue_date, expiration_date, status FROM provider_licenses
		WHERE provider_id = $1 ORDER BY license_type, state, license_number LIMIT $2`, providerID, mostParts)
	return list, err
}

// initial is the first letter of a middle name.
func initial(s string) string {
	for _, r := range s {
		return strings.ToUpper(string(r))
	}
	return ""
}

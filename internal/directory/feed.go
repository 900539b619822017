package directory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
)

// HasTINs reports whether a feed contains TINs that providers bill under.
func HasTINs(f ingest.Feed) bool { return f.Name() == "providers" || f.Name() == "provider_tins" }

// Feeds returns the provider tables and NPPES files that can be imported.
func (s *Service) Feeds() []ingest.Feed {
	return []ingest.Feed{
		ingest.Table("providers", providerFields, checkProvider, inTurn(s, ingest.Each(s.ImportProvider))).AsOf("providers"),
		ingest.File("nppes", "npidata*.csv", "the NPPES registry", decodeNPPES, inTurn(s, ingest.Each(importRegistered))).AsOf("providers"),
	}
}

// DetailFeeds returns the tables with details that the registry lacks, about providers already on
// file.
func (s *Service) DetailFeeds() []ingest.Feed {
	return []ingest.Feed{
		ingest.Table("taxonomies", taxonomyFields, nil, ingest.Each(importTaxonomy)),
		partTable(s, "provider_tins", func(ctx context.Context, tx *sql.Tx, id string, ftin TIN) (int64, error) {
			linked, err := storeFileTIN(ctx, tx, id, string(ftin))
			if linked {
				return 1, err
			}
			return 0, err
		},
			ingest.Required("tin", ingest.TIN(func(p *Part[TIN]) *string { return (*string)(&p.What) }))),
		partTable(s, "provider_details", storeDetails,
			ingest.Optional("degrees", ingest.Text(func(p *Part[ProviderDetails]) *string { return &p.What.Degrees }, 60)),
			ingest.Optional("birth_date", ingest.Date(func(p *Part[ProviderDetails]) *date.Date { return &p.What.BirthDate })),
			ingest.Optional("gender", ingest.OneOf(func(p *Part[ProviderDetails]) *string { return &p.What.Gender }, "F", "M", "U")),
			ingest.Optional("languages", ingest.Text(func(p *Part[ProviderDetails]) *string { return &p.What.Languages }, 200)),
			ingest.Optional("lines_of_business", ingest.Text(func(p *Part[ProviderDetails]) *string {
				return &p.What.LinesOfBusiness
			}, 128))),
		partTable(s, "specialties", storeSpecialty,
			ingest.Required("description", ingest.Text(func(p *Part[Specialty]) *string { return &p.What.Description }, 128)),
			ingest.Required("rank", ingest.Number(func(p *Part[Specialty]) *int { return &p.What.Rank }))).AsOf("providers"),
		partTable(s, "offices", storeOffice,
			ingest.Required("office_id", ingest.Text(func(p *Part[Office]) *string { return &p.What.OfficeID }, 20)),
			ingest.Required("office_name", ingest.Text(func(p *Part[Office]) *string { return &p.What.Name }, 128)),
			ingest.Optional("tin", ingest.TIN(func(p *Part[Office]) *string { return &p.What.FTIN })),
			ingest.Optional("primary", ingest.Flag(func(p *Part[Office]) *bool { return &p.What.IsPrimary })),
			ingest.Optional("accepts_wc", ingest.Flag(func(p *Part[Office]) *bool {
				p.What.AcceptsWC = new(bool)
				return p.What.AcceptsWC
			})),
			ingest.Optional("address", ingest.Text(func(p *Part[Office]) *string { return &p.What.Address }, 200)),
			ingest.Optional("phone", ingest.Phone(func(p *Part[Office]) *string { return &p.What.Phone })),
			ingest.Optional("fax", ingest.Phone(func(p *Part[Office]) *string { return &p.What.Fax })),
			ingest.Optional("email", ingest.Text(func(p *Part[Office]) *string { return &p.What.Email }, 120))).AsOf("providers"),
		partTable(s, "office_details", storeDetail,
			ingest.Required("office_id", ingest.Text(func(p *Part[Detail]) *string { return &p.What.OfficeID }, 20)),
			ingest.Required("kind", ingest.OneOf(func(p *Part[Detail]) *string {
				return &p.What.Kind
			}, "SERVICE", "SPECIALTY", "FOCUS", "LANGUAGE")),
			ingest.Required("description", ingest.Text(func(p *Part[Detail]) *string { return &p.What.Description }, 128))),
		partTable(s, "licenses", storeLicense,
			ingest.Required("license_type", ingest.Text(func(p *Part[License]) *string { return &p.What.LicenseType }, 60)),
			ingest.Required("state", ingest.OneOf(func(p *Part[License]) *string { return &p.What.State }, identifiers.States...)),
			ingest.Required("license_number", ingest.Text(func(p *Part[License]) *string { return &p.What.LicenseNumber }, 40)),
			ingest.Optional("issue_date", ingest.Date(func(p *Part[License]) *date.Date { return &p.What.IssueDate })),
			ingest.Optional("expiration_date", ingest.Date(func(p *Part[License]) *date.Date { return &p.What.ExpirationDate })),
			ingest.Optional("status", ingest.Text(func(p *Part[License]) *string { return &p.What.Status }, 40))),
	}
}

// ProviderRow is a provider with a TIN.
type ProviderRow struct {
	Provider
	FTIN string
}

// Taxonomy is the description of a taxonomy code.
type Taxonomy struct{ Code, Description string }

// Part is a detail of a provider, who is identified by id or NPI.
type Part[P any] struct {
	ProviderID, NPI string
	What            P
}

// TIN is a tax ID that a provider bills under.
type TIN string

// ProviderDetails contains what the registry lacks. Empty fields leave the stored value.
type ProviderDetails struct {
	Degrees, Gender, Languages, LinesOfBusiness string
	BirthDate                                   date.Date
}

var providerFields = []ingest.Column[ProviderRow]{
	ingest.Required("provider_id", ingest.Digits(func(p *ProviderRow) *string { return &p.ProviderID }, 8)),
	ingest.Required("tin", ingest.TIN(func(p *ProviderRow) *string { return &p.FTIN })),
	ingest.Required("type", ingest.OneOf(func(p *ProviderRow) *string { return &p.ProviderType }, "P", "F", "A", "H")),
	ingest.Optional("npi", ingest.NPI(func(p *ProviderRow) *string { return &p.NPI })),
	ingest.Optional("first_name", ingest.Text(func(p *ProviderRow) *string { return &p.FirstName }, 40)),
	ingest.Optional("middle_name", ingest.Text(func(p *ProviderRow) *string { return &p.MiddleName }, 40)),
	ingest.Optional("last_name", ingest.Text(func(p *ProviderRow) *string { return &p.LastName }, 60)),
	ingest.Optional("facility_name", ingest.Text(func(p *ProviderRow) *string { return &p.FacilityName }, 128)),
	ingest.Optional("specialty", ingest.Text(func(p *ProviderRow) *string { return &p.Specialty }, 128)),
	ingest.Optional("address", ingest.Text(func(p *ProviderRow) *string { return &p.Address }, 128)),
	ingest.Optional("city", ingest.Text(func(p *ProviderRow) *string { return &p.City }, 60)),
	ingest.Optional("state", ingest.OneOf(func(p *ProviderRow) *string { return &p.State }, identifiers.States...)),
	ingest.Optional("zip", ingest.ZIP(func(p *ProviderRow) *string { return &p.ZIP })),
	ingest.Optional("phone", ingest.Phone(func(p *ProviderRow) *string { return &p.Phone })),
}

// checkProvider requires a person's name for a physician and a facility name for a facility.
func checkProvider(p *ProviderRow) error {
	switch {
	case p.ProviderType == "P" && (p.FirstName == "" || p.LastName == ""):
		return errors.New("first_name and last_name are required for type P")
	case p.ProviderType != "P" && p.FacilityName == "":
		return errors.New("facility_name is required for types F, A and H")
	}
	return nil
}

var taxonomyFields = []ingest.Column[Taxonomy]{
	ingest.Required("code", ingest.Text(func(t *Taxonomy) *string { return &t.Code }, 20)),
	ingest.Required("description", ingest.Text(func(t *Taxonomy) *string { return &t.Description }, 200)),
}

// partTable returns a table of details. The columns that identify the provider come first.
func partTable[P any](
	s *Service, name string, store func(ctx context.Context, tx *sql.Tx, id string, part P) (int64, error),
	columns ...ingest.Column[Part[P]],
) ingest.Feed {
	named := []ingest.Column[Part[P]]{
		ingest.Optional("provider_id", ingest.Digits(func(p *Part[P]) *string { return &p.ProviderID }, 8)),
		ingest.Optional("npi", ingest.NPI(func(p *Part[P]) *string { return &p.NPI })),
	}
	check := func(p *Part[P]) error {
		if p.ProviderID == "" && p.NPI == "" {
			return errors.New("provider_id or npi is required")
		}
		return nil
	}
	take := func(ctx context.Context, tx *sql.Tx, p Part[P]) (ingest.Outcome, error) {
		return importPart(ctx, tx, p.ProviderID, p.NPI, func(id string) (int64, error) { return store(ctx, tx, id, p.What) })
	}
	return ingest.Table(name, append(named, columns...), check, inTurn(s, ingest.Each(take)))
}

// ImportProvider stores a provider by id, with the TIN. A provider that so far only the registry has
// brought gets the table's id. Another one with this id gets a new id.
func (s *Service) ImportProvider(ctx context.Context, tx *sql.Tx, r ProviderRow) (ingest.Outcome, error) {
	old, err := providerByID(ctx, tx, r.ProviderID)
	known := err == nil
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return ingest.Outcome{}, err
	}
	registered, err := registeredIDs(ctx, tx, r.ProviderID, r.NPI)
	if err != nil {
		return ingest.Outcome{}, err
	}
	if n := slices.Index(registered, r.ProviderID); n >= 0 && old.NPI != r.NPI {
		if err := renumber(ctx, tx, old); err != nil {
			return ingest.Outcome{}, err
		}
		known, registered = false, slices.Delete(registered, n, n+1)
	}
	same := known && old == r.Provider && len(registered) == 0
	if !known {
		if err := deleteFormerID(ctx, tx, r.ProviderID); err != nil {
			return ingest.Outcome{}, err
		}
	}
	if !same {
		if err := saveProvider(ctx, tx, r.Provider); err != nil {
			return ingest.Outcome{}, err
		}
	}
	for _, id := range registered {
		if err := s.replaceRegistered(ctx, tx, id, r.ProviderID); err != nil {
			return ingest.Outcome{}, err
		}
	}
	linked, err := storeFileTIN(ctx, tx, r.ProviderID, r.FTIN)
	switch {
	case err != nil:
		return ingest.Outcome{}, err
	case !known && len(registered) == 0:
		return ingest.Imported, nil
	case !same || linked:
		return ingest.Updated, nil
	default:
		return ingest.Unchanged, nil
	}
}

// replaceRegistered stores that a table brings a provider of the registry. A provider with another id gets the
// table's id, also in other domains.
func (s *Service) replaceRegistered(ctx context.Context, tx *sql.Tx, old, id string) error {
	if old == id {
		return endRegistered(ctx, tx, id)
	}
	for _, move := range append([]Move{moveProvider, putFormerID}, s.moves...) {
		if err := move(ctx, tx, old, id); err != nil {
			return err
		}
	}
	return nil
}

// renumber gives a provider of the registry a new id, because a table has another provider with the present one.
func renumber(ctx context.Context, tx *sql.Tx, p Provider) error {
	old := p.ProviderID
	id, err := nextID(ctx, tx)
	if err != nil {
		return err
	}
	p.ProviderID = id
	if err := addRegistered(ctx, tx, p); err != nil {
		return err
	}
	return moveProvider(ctx, tx, old, id)
}

// importPart stores a detail of a provider. Importing it again changes nothing.
func importPart(ctx context.Context, tx *sql.Tx, id, npi string, store func(id string) (int64, error)) (ingest.Outcome, error) {
	noProvider := ingest.Rejected("the provider doesn't exist: import the providers first")
	var err error
	if id == "" {
		id, err = idByNPI(ctx, tx, npi)
	} else {
		id, err = currentID(ctx, tx, id)
	}
	if errors.Is(err, db.ErrNotFound) {
		return noProvider, nil
	}
	if err != nil {
		return ingest.Outcome{}, err
	}
	return ingest.Stored(store(id))
}

// fingerprint returns all imported data of a provider, to detect changes by the registry.
func fingerprint(ctx context.Context, tx *sql.Tx, id string) (string, error) {
	r, err := getRecord(ctx, tx, id)
	if err != nil {
		return "", err
	}
	tins, err := listTINs(ctx, tx, id)
	if err != nil {
		return "", err
	}
	specialties, err := listSpecialties(ctx, tx, id, every)
	if err != nil {
		return "", err
	}
	offices, err := listOffices(ctx, tx, id, every)
	if err != nil {
		return "", err
	}
	details, err := listDetails(ctx, tx, id)
	if err != nil {
		return "", err
	}
	licenses, err := listLicenses(ctx, tx, id, every)
	if err != nil {
		return "", err
	}
	all, err := json.Marshal([]any{r, tins, specialties, offices, details, licenses})
	return string(all), err
}

func importTaxonomy(ctx context.Context, tx *sql.Tx, t Taxonomy) (ingest.Outcome, error) {
	return ingest.Stored(putTaxonomy(ctx, tx, t))
}

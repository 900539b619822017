package directory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/intake"
)

// TellsTINs tells feeds that bring TINs under which providers bill.
func TellsTINs(f intake.Feed) bool { return f.Name() == "providers" || f.Name() == "provider_tins" }

// Feeds are tables of providers, and files of the national registry.
func Feeds() []intake.Feed {
	return []intake.Feed{
		intake.Table("providers", providerFields, checkProvider, intake.Each(Take)).AsOf("providers"),
		intake.File("nppes", "npidata*.csv", "the NPPES registry", decodeNPPES, intake.Each(takeRegistered)).AsOf("providers"),
	}
}

// PartFeeds are tables of what the registry lacks, about providers who are there.
func PartFeeds() []intake.Feed {
	return []intake.Feed{
		intake.Table("taxonomies", taxonomyFields, nil, intake.Each(takeTaxonomy)),
		partTable("provider_tins", func(ctx context.Context, tx *sql.Tx, id string, ftin TIN) (int64, error) {
			linked, err := storeTIN(ctx, tx, id, string(ftin))
			if linked {
				return 1, err
			}
			return 0, err
		},
			intake.Required("tin", intake.TIN(func(p *Part[TIN]) *string { return (*string)(&p.What) }))),
		partTable("provider_details", storeDetails,
			intake.Optional("degrees", intake.Text(func(p *Part[ProviderDetails]) *string { return &p.What.Degrees }, 60)),
			intake.Optional("birth_date", intake.Date(func(p *Part[ProviderDetails]) *date.Date { return &p.What.BirthDate })),
			intake.Optional("gender", intake.OneOf(func(p *Part[ProviderDetails]) *string { return &p.What.Gender }, "F", "M", "U")),
			intake.Optional("languages", intake.Text(func(p *Part[ProviderDetails]) *string { return &p.What.Languages }, 200)),
			intake.Optional("lines_of_business", intake.Text(func(p *Part[ProviderDetails]) *string { return &p.What.LinesOfBusiness }, 128))),
		partTable("specialties", storeSpecialty,
			intake.Required("description", intake.Text(func(p *Part[Specialty]) *string { return &p.What.Description }, 128)),
			intake.Required("rank", intake.Number(func(p *Part[Specialty]) *int { return &p.What.Rank }))).AsOf("providers"),
		partTable("offices", storeOffice,
			intake.Required("office_id", intake.Text(func(p *Part[Office]) *string { return &p.What.OfficeID }, 20)),
			intake.Required("office_name", intake.Text(func(p *Part[Office]) *string { return &p.What.Name }, 128)),
			intake.Optional("tin", intake.TIN(func(p *Part[Office]) *string { return &p.What.FTIN })),
			intake.Optional("primary", intake.Flag(func(p *Part[Office]) *bool { return &p.What.IsPrimary })),
			intake.Optional("accepts_wc", intake.Flag(func(p *Part[Office]) *bool { return &p.What.AcceptsWC })),
			intake.Optional("address", intake.Text(func(p *Part[Office]) *string { return &p.What.Address }, 200)),
			intake.Optional("phone", intake.Phone(func(p *Part[Office]) *string { return &p.What.Phone })),
			intake.Optional("fax", intake.Phone(func(p *Part[Office]) *string { return &p.What.Fax })),
			intake.Optional("email", intake.Text(func(p *Part[Office]) *string { return &p.What.Email }, 120))).AsOf("providers"),
		partTable("office_details", storeDetail,
			intake.Required("office_id", intake.Text(func(p *Part[Detail]) *string { return &p.What.OfficeID }, 20)),
			intake.Required("kind", intake.OneOf(func(p *Part[Detail]) *string { return &p.What.Kind }, "SERVICE", "SPECIALTY", "FOCUS", "LANGUAGE")),
			intake.Required("description", intake.Text(func(p *Part[Detail]) *string { return &p.What.Description }, 128))),
		partTable("licenses", storeLicense,
			intake.Required("license_type", intake.Text(func(p *Part[License]) *string { return &p.What.LicenseType }, 60)),
			intake.Required("state", intake.OneOf(func(p *Part[License]) *string { return &p.What.State }, identifiers.States...)),
			intake.Required("license_number", intake.Text(func(p *Part[License]) *string { return &p.What.LicenseNumber }, 40)),
			intake.Optional("issue_date", intake.Date(func(p *Part[License]) *date.Date { return &p.What.IssueDate })),
			intake.Optional("expiration_date", intake.Date(func(p *Part[License]) *date.Date { return &p.What.ExpirationDate })),
			intake.Optional("status", intake.Text(func(p *Part[License]) *string { return &p.What.Status }, 40))),
	}
}

// ProviderRow is a provider with a TIN.
type ProviderRow struct {
	Provider
	FTIN string
}

// Taxonomy is what a taxonomy code stands for.
type Taxonomy struct{ Code, Description string }

// Part is something about a provider, who is named by id or else by NPI.
type Part[P any] struct {
	ProviderID, NPI string
	What            P
}

// TIN is a tax ID that a provider bills under.
type TIN string

// ProviderDetails is what the registry does not tell; what is empty stays.
type ProviderDetails struct {
	Degrees, Gender, Languages, LinesOfBusiness string
	BirthDate                                   date.Date
}

var providerFields = []intake.Column[ProviderRow]{
	intake.Required("provider_id", intake.Digits(func(p *ProviderRow) *string { return &p.ProviderID }, 8)),
	intake.Required("tin", intake.TIN(func(p *ProviderRow) *string { return &p.FTIN })),
	intake.Required("type", intake.OneOf(func(p *ProviderRow) *string { return &p.ProviderType }, "P", "F", "A", "H")),
	intake.Optional("npi", intake.NPI(func(p *ProviderRow) *string { return &p.NPI })),
	intake.Optional("first_name", intake.Text(func(p *ProviderRow) *string { return &p.FirstName }, 40)),
	intake.Optional("middle_name", intake.Text(func(p *ProviderRow) *string { return &p.MiddleName }, 40)),
	intake.Optional("last_name", intake.Text(func(p *ProviderRow) *string { return &p.LastName }, 60)),
	intake.Optional("facility_name", intake.Text(func(p *ProviderRow) *string { return &p.FacilityName }, 128)),
	intake.Optional("specialty", intake.Text(func(p *ProviderRow) *string { return &p.Specialty }, 128)),
	intake.Optional("address", intake.Text(func(p *ProviderRow) *string { return &p.Address }, 128)),
	intake.Optional("city", intake.Text(func(p *ProviderRow) *string { return &p.City }, 60)),
	intake.Optional("state", intake.OneOf(func(p *ProviderRow) *string { return &p.State }, identifiers.States...)),
	intake.Optional("zip", intake.ZIP(func(p *ProviderRow) *string { return &p.ZIP })),
	intake.Optional("phone", intake.Phone(func(p *ProviderRow) *string { return &p.Phone })),
}

// checkProvider holds a physician to a name and a facility to its own.
func checkProvider(p *ProviderRow) error {
	switch {
	case p.ProviderType == "P" && (p.FirstName == "" || p.LastName == ""):
		return errors.New("first_name and last_name are required for type P")
	case p.ProviderType != "P" && p.FacilityName == "":
		return errors.New("facility_name is required for types F, A and H")
	}
	return nil
}

var taxonomyFields = []intake.Column[Taxonomy]{
	intake.Required("code", intake.Text(func(t *Taxonomy) *string { return &t.Code }, 20)),
	intake.Required("description", intake.Text(func(t *Taxonomy) *string { return &t.Description }, 200)),
}

// partTable is a table of parts: the columns that name the provider come first.
func partTable[P any](name string, store func(ctx context.Context, tx *sql.Tx, id string, part P) (int64, error), columns ...intake.Column[Part[P]]) intake.Feed {
	named := []intake.Column[Part[P]]{
		intake.Optional("provider_id", intake.Digits(func(p *Part[P]) *string { return &p.ProviderID }, 8)),
		intake.Optional("npi", intake.NPI(func(p *Part[P]) *string { return &p.NPI })),
	}
	check := func(p *Part[P]) error {
		if p.ProviderID == "" && p.NPI == "" {
			return errors.New("provider_id or npi is required")
		}
		return nil
	}
	take := func(ctx context.Context, tx *sql.Tx, p Part[P]) (intake.Outcome, error) {
		return takePart(ctx, tx, p.ProviderID, p.NPI, func(id string) (int64, error) { return store(ctx, tx, id, p.What) })
	}
	return intake.Table(name, append(named, columns...), check, intake.Each(take))
}

// Take stores a provider by id, and the TIN.
func Take(ctx context.Context, tx *sql.Tx, r ProviderRow) (intake.Outcome, error) {
	old, err := providerByID(ctx, tx, r.ProviderID)
	known := err == nil
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return intake.Outcome{}, err
	}
	same := known && old == r.Provider
	if !same {
		if err := saveProvider(ctx, tx, r.Provider); err != nil {
			return intake.Outcome{}, err
		}
	}
	linked, err := storeTIN(ctx, tx, r.ProviderID, r.FTIN)
	switch {
	case err != nil:
		return intake.Outcome{}, err
	case !known:
		return intake.Taken, nil
	case !same || linked:
		return intake.Updated, nil
	default:
		return intake.Unchanged, nil
	}
}

// takePart stores something about a provider; taking it again changes nothing.
func takePart(ctx context.Context, tx *sql.Tx, id, npi string, store func(id string) (int64, error)) (intake.Outcome, error) {
	noProvider := intake.Rejected("the provider doesn't exist: import the providers first")
	if id == "" {
		var err error
		if id, err = idByNPI(ctx, tx, npi); errors.Is(err, db.ErrNotFound) {
			return noProvider, nil
		} else if err != nil {
			return intake.Outcome{}, err
		}
	} else if has, err := hasProvider(ctx, tx, id); err != nil || !has {
		return noProvider, err
	}
	return intake.Stored(store(id))
}

// fingerprint is all that files tell of a provider, to see whether the registry changed
// anything.
func fingerprint(ctx context.Context, tx *sql.Tx, id string) (string, error) {
	r, err := recordOf(ctx, tx, id)
	if err != nil {
		return "", err
	}
	tins, err := tinsOf(ctx, tx, id)
	if err != nil {
		return "", err
	}
	specialties, err := specialtiesOf(ctx, tx, id, every)
	if err != nil {
		return "", err
	}
	offices, err := officesOf(ctx, tx, id, every)
	if err != nil {
		return "", err
	}
	details, err := detailsOf(ctx, tx, id)
	if err != nil {
		return "", err
	}
	licenses, err := licensesOf(ctx, tx, id, every)
	return fmt.Sprintf("%+v %v %+v %+v %+v %+v", r, tins, specialties, offices, details, licenses), err
}

func takeTaxonomy(ctx context.Context, tx *sql.Tx, t Taxonomy) (intake.Outcome, error) {
	return intake.Stored(putTaxonomy(ctx, tx, t))
}

package directory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// What becomes of a row of a feed.
const (
	taken     = "taken"
	updated   = "updated"
	unchanged = "unchanged"
	rejected  = "rejected"
)

const noProvider = "there is no such provider: import the providers first"

// Registered is a provider as the national registry (NPPES) lists them.
type Registered struct {
	Provider        // without an id: the NPI names the provider
	Degrees, Gender string
	Fax             string
	Specialties     []RegisteredSpecialty
	Licenses        []License
}

// RegisteredSpecialty is a taxonomy code of the registry.
type RegisteredSpecialty struct {
	Code    string
	Primary bool
}

// The registry's providers get ids of eight digits from here on.
const firstRegistered = "10000000"

// registryOffice is the one office that the registry knows.
const registryOffice = "NPPES"

// TakeRegistered stores a provider of the registry: by NPI, with its practice
// address as office, its taxonomies as specialties and its licences. What came
// from elsewhere stays.
func TakeRegistered(ctx context.Context, tx *sql.Tx, r Registered) (kind, reason string, err error) {
	before, err := fingerprint(ctx, tx, r.NPI)
	if err != nil {
		return "", "", err
	}
	id, err := idByNPI(ctx, tx, r.NPI)
	known := err == nil
	if errors.Is(err, db.ErrNotFound) {
		id, err = nextID(ctx, tx)
	}
	if err != nil {
		return "", "", err
	}
	r.ProviderID = id
	if known && r.ProviderType != "P" { // the registry does not tell hospitals from other organisations
		old, err := recordOf(ctx, tx, id)
		if err != nil {
			return "", "", err
		}
		r.ProviderType = old.ProviderType
	}
	if len(r.Specialties) > 0 {
		r.Specialty = taxonomy(r.Specialties[0].Code)
	}
	if err := storeRegistered(ctx, tx, r); err != nil {
		return "", "", err
	}
	for n, s := range r.Specialties {
		if err := storeSpecialty(ctx, tx, id, taxonomy(s.Code), s.Code, n+1); err != nil {
			return "", "", err
		}
	}
	for _, l := range r.Licenses {
		if err := storeLicense(ctx, tx, id, l); err != nil {
			return "", "", err
		}
	}
	if !known {
		return taken, "", nil
	}
	after, err := fingerprint(ctx, tx, r.NPI)
	if err != nil || before == after {
		return unchanged, "", err
	}
	return updated, "", nil
}

// taxonomy is the code's common name, or the code where the portal knows none;
// a feed of taxonomies tells the rest.
func taxonomy(code string) string {
	if name := taxonomyNames[code]; name != "" {
		return name
	}
	return code
}

var taxonomyNames = map[string]string{
	"101YM0800X": "Counselor, Mental Health", "103TC0700X": "Psychologist, Clinical", "1041C0700X": "Social Worker, Clinical",
	"111N00000X": "Chiropractor", "122300000X": "Dentist", "152W00000X": "Optometrist", "163W00000X": "Registered Nurse",
	"183500000X": "Pharmacist", "193200000X": "Multi-Specialty Group", "193400000X": "Single Specialty Group",
	"204D00000X": "Neuromusculoskeletal Medicine & OMM", "207L00000X": "Anesthesiology", "207LP2900X": "Pain Medicine (Anesthesiology)",
	"207N00000X": "Dermatology", "207P00000X": "Emergency Medicine", "207Q00000X": "Family Medicine", "207R00000X": "Internal Medicine",
	"207RC0000X": "Cardiovascular Disease", "207RG0100X": "Gastroenterology", "207RP1001X": "Pulmonary Disease", "207T00000X": "Neurological Surgery",
	"207V00000X": "Obstetrics & Gynecology", "207W00000X": "Ophthalmology", "207X00000X": "Orthopaedic Surgery",
	"207XS0106X": "Orthopaedic Hand Surgery", "207XS0117X": "Orthopaedic Surgery of the Spine", "207XX0005X": "Sports Medicine (Orthopaedic Surgery)",
	"207XX0801X": "Orthopaedic Trauma", "207Y00000X": "Otolaryngology", "208000000X": "Pediatrics", "208100000X": "Physical Medicine & Rehabilitation",
	"2081P2900X": "Pain Medicine (Physical Medicine & Rehabilitation)", "2083X0100X": "Occupational Medicine", "2084N0400X": "Neurology",
	"2084P0800X": "Psychiatry", "2085R0202X": "Diagnostic Radiology", "208600000X": "Surgery", "2086S0105X": "Surgery of the Hand",
	"208800000X": "Urology", "208D00000X": "General Practice", "208VP0014X": "Interventional Pain Medicine", "213E00000X": "Podiatrist",
	"225100000X": "Physical Therapist", "2251X0800X": "Physical Therapist, Orthopedic", "225X00000X": "Occupational Therapist",
	"235Z00000X": "Speech-Language Pathologist", "251E00000X": "Home Health", "261Q00000X": "Clinic/Center", "261QA1903X": "Ambulatory Surgical Center",
	"261QC1500X": "Community Health Center", "261QM0801X": "Mental Health Center", "261QP2000X": "Physical Therapy Center",
	"261QP2300X": "Primary Care Center", "261QR0400X": "Rehabilitation Center", "261QR0405X": "Substance Use Disorder Rehabilitation Center",
	"261QU0200X": "Urgent Care Center", "261QX0100X": "Occupational Medicine Center", "282N00000X": "General Acute Care Hospital",
	"291U00000X": "Clinical Medical Laboratory", "293D00000X": "Physiological Laboratory", "332B00000X": "Durable Medical Equipment & Supplies",
	"333600000X": "Pharmacy", "363A00000X": "Physician Assistant", "363L00000X": "Nurse Practitioner", "363LF0000X": "Nurse Practitioner, Family",
	"367500000X": "Nurse Anesthetist, Certified Registered",
}

func idByNPI(ctx context.Context, tx *sql.Tx, npi string) (string, error) {
	var id string
	err := db.Get(ctx, tx, &id, `SELECT provider_id FROM providers WHERE npi = $1 ORDER BY provider_id LIMIT 1`, npi)
	return id, err
}

func nextID(ctx context.Context, tx *sql.Tx) (string, error) {
	var last string
	err := db.Get(ctx, tx, &last, `
		SELECT coalesce(max(provider_id), '') FROM providers WHERE provider_id >= $1 AND provider_id < '99999999' AND length(provider_id) = 8`, firstRegistered)
	if err != nil || last == "" {
		return firstRegistered, err
	}
	n, err := strconv.Atoi(last)
	if err != nil {
		return "", fmt.Errorf("provider id %q is no number", last)
	}
	return strconv.Itoa(n + 1), nil
}

// fingerprint is all that the registry tells of a provider, to see whether a
// row changed anything.
func fingerprint(ctx context.Context, tx *sql.Tx, npi string) (string, error) {
	id, err := idByNPI(ctx, tx, npi)
	if errors.Is(err, db.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	r, err := recordOf(ctx, tx, id)
	if err != nil {
		return "", err
	}
	specialties, err := specialtiesOf(ctx, tx, id)
	if err != nil {
		return "", err
	}
	offices, err := officesOf(ctx, tx, id)
	if err != nil {
		return "", err
	}
	licenses, err := licensesOf(ctx, tx, id)
	return fmt.Sprintf("%+v %+v %+v %+v", r, specialties, offices, licenses), err
}

func storeRegistered(ctx context.Context, tx *sql.Tx, r Registered) error {
	if _, err := Take(ctx, tx, r.Provider, ""); err != nil {
		return err
	}
	if _, err := db.Exec(ctx, tx, `UPDATE providers SET degrees = $2, gender = $3 WHERE provider_id = $1`, r.ProviderID, r.Degrees, r.Gender); err != nil {
		return err
	}
	name := r.FacilityName
	if name == "" {
		name = "Practice location"
	}
	return storeOffice(ctx, tx, r.ProviderID, Office{
		OfficeID: registryOffice, Name: name, IsPrimary: true, Address: oneLine(r.Provider), Phone: r.Phone, Fax: r.Fax,
	})
}

func oneLine(p Provider) string {
	return text.Clean(p.Address + ", " + p.City + ", " + p.State + " " + p.ZIP[:min(5, len(p.ZIP))])
}

func storeSpecialty(ctx context.Context, tx *sql.Tx, id, description, code string, rank int) error {
	_, err := db.Exec(ctx, tx, `
		INSERT INTO provider_specialties (provider_id, description, taxonomy_code, rank) VALUES ($1, $2, $3, $4)
		ON CONFLICT (provider_id, description) DO UPDATE SET taxonomy_code = excluded.taxonomy_code, rank = excluded.rank`, id, description, code, rank)
	return err
}

func storeOffice(ctx context.Context, tx *sql.Tx, id string, o Office) error {
	_, err := db.Exec(ctx, tx, `
		INSERT INTO provider_offices (provider_id, office_id, name, is_primary, accepts_wc, ftin, address, phone, fax, email)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (provider_id, office_id) DO UPDATE
		SET name = excluded.name, is_primary = excluded.is_primary, accepts_wc = excluded.accepts_wc, ftin = excluded.ftin,
		    address = excluded.address, phone = excluded.phone, fax = excluded.fax, email = excluded.email`,
		id, o.OfficeID, o.Name, o.IsPrimary, o.AcceptsWC, o.FTIN, o.Address, o.Phone, o.Fax, o.Email)
	return err
}

func storeLicense(ctx context.Context, tx *sql.Tx, id string, l License) error {
	_, err := db.Exec(ctx, tx, `
		INSERT INTO provider_licenses (provider_id, license_type, state, license_number, issue_date, expiration_date, status)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (provider_id, license_type, state, license_number) DO UPDATE
		SET issue_date = excluded.issue_date, expiration_date = excluded.expiration_date, status = excluded.status`,
		id, l.LicenseType, l.State, l.LicenseNumber, l.IssueDate, l.ExpirationDate, l.Status)
	return err
}

// Named says which provider a row is about: by id, or else by NPI.
type Named struct{ ProviderID, NPI string }

// Part is something a feed tells of a provider beside the registry.
type Part struct {
	Named
	FTIN      string           // gives the provider a TIN
	Specialty *Specialty       // adds a specialty
	Office    *Office          // adds an office
	Detail    *Detail          // adds what an office offers
	License   *License         // adds a licence
	About     *ProviderDetails // tells about the provider
}

// ProviderDetails is what the registry does not tell; what is empty stays.
type ProviderDetails struct {
	Degrees, Gender, Languages, LinesOfBusiness string
	BirthDate                                   date.Date
}

// TakePart stores something about a provider; taking it again changes nothing.
func TakePart(ctx context.Context, tx *sql.Tx, p Part) (kind, reason string, err error) {
	id, err := p.find(ctx, tx)
	if errors.Is(err, db.ErrNotFound) {
		return rejected, noProvider, nil
	}
	if err != nil {
		return "", "", err
	}
	before, err := partsPrint(ctx, tx, id)
	if err != nil {
		return "", "", err
	}
	switch {
	case p.FTIN != "":
		_, err = db.Exec(ctx, tx, `INSERT INTO provider_tins (ftin, provider_id) VALUES ($1, $2) ON CONFLICT (ftin, provider_id) DO NOTHING`, p.FTIN, id)
	case p.Specialty != nil:
		err = storeSpecialty(ctx, tx, id, p.Specialty.Description, "", p.Specialty.Rank)
	case p.Office != nil:
		err = storeOffice(ctx, tx, id, *p.Office)
	case p.Detail != nil:
		_, err = db.Exec(ctx, tx, `
			INSERT INTO provider_office_details (provider_id, office_id, kind, description) VALUES ($1, $2, $3, $4)
			ON CONFLICT (provider_id, office_id, kind, description) DO NOTHING`, id, p.Detail.OfficeID, p.Detail.Kind, p.Detail.Description)
	case p.License != nil:
		err = storeLicense(ctx, tx, id, *p.License)
	case p.About != nil:
		a := p.About
		_, err = db.Exec(ctx, tx, `
			UPDATE providers SET degrees = coalesce(nullif($2, ''), degrees), gender = coalesce(nullif($3, ''), gender),
			       languages = coalesce(nullif($4, ''), languages), lines_of_business = coalesce(nullif($5, ''), lines_of_business),
			       birth_date = coalesce($6, birth_date)
			WHERE provider_id = $1`, id, a.Degrees, a.Gender, a.Languages, a.LinesOfBusiness, a.BirthDate)
	}
	if err != nil {
		return "", "", err
	}
	after, err := partsPrint(ctx, tx, id)
	if err != nil || before == after {
		return unchanged, "", err
	}
	return taken, "", nil
}

func (n Named) find(ctx context.Context, tx *sql.Tx) (string, error) {
	if n.ProviderID == "" {
		return idByNPI(ctx, tx, n.NPI)
	}
	var id string
	err := db.Get(ctx, tx, &id, `SELECT provider_id FROM providers WHERE provider_id = $1`, n.ProviderID)
	return id, err
}

func partsPrint(ctx context.Context, tx *sql.Tx, id string) (string, error) {
	r, err := recordOf(ctx, tx, id)
	if err != nil {
		return "", err
	}
	tins, err := tinsOf(ctx, tx, id)
	if err != nil {
		return "", err
	}
	specialties, err := specialtiesOf(ctx, tx, id)
	if err != nil {
		return "", err
	}
	offices, err := officesOf(ctx, tx, id)
	if err != nil {
		return "", err
	}
	details, err := detailsOf(ctx, tx, id)
	if err != nil {
		return "", err
	}
	licenses, err := licensesOf(ctx, tx, id)
	return fmt.Sprintf("%+v %v %+v %+v %+v %+v", r, tins, specialties, offices, details, licenses), err
}

// TakeTaxonomy stores what a taxonomy code stands for.
func TakeTaxonomy(ctx context.Context, tx *sql.Tx, code, description string) (kind, reason string, err error) {
	n, err := db.Exec(ctx, tx, `
		INSERT INTO taxonomies (code, description) VALUES ($1, $2)
		ON CONFLICT (code) DO UPDATE SET description = excluded.description WHERE taxonomies.description <> excluded.description`, code, description)
	if n > 0 {
		return taken, "", err
	}
	return unchanged, "", err
}

package directory

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/text"
)

// Registered is a provider from the national registry (NPPES). If the NPI is deactivated, the
// other fields are empty.
type Registered struct {
	Provider        // without an id: identified by NPI
	DeactivatedOn   date.Date
	Degrees, Gender string
	Fax             string
	Specialties     []RegisteredSpecialty
	Licenses        []License
}

// RegisteredSpecialty is a taxonomy code from the registry.
type RegisteredSpecialty struct {
	Code    string
	Primary bool
}

// Providers from the registry get eight-digit ids that start here.
const firstRegistered = "10000000"

// registryOffice is the id of the only office that the registry provides.
const registryOffice = "NPPES"

// lockSpace identifies the lock on changes of providers.
const lockSpace = 7723514

// inTurn returns an import during which other files and rosters with providers wait until the transaction
// ends: they would assign the same ids, add a provider of their own for an NPI that is new in both, or store
// a detail of a provider that gets another id. The lock comes before all other statements to avoid deadlocks.
func inTurn[Row any](s *Service, each importer[Row]) importer[Row] {
	return func(ctx context.Context, tx *sql.Tx, rows []Row) ([]ingest.Outcome, error) {
		if err := s.takeTurn(ctx, tx); err != nil {
			return nil, err
		}
		return each(ctx, tx, rows)
	}
}

func (s *Service) takeTurn(ctx context.Context, tx *sql.Tx) error {
	return s.db.Lock(ctx, tx, lockSpace, 1)
}

type importer[Row any] = func(ctx context.Context, tx *sql.Tx, rows []Row) ([]ingest.Outcome, error)

// importRegistered stores a registry provider by NPI: the practice address as an office, the
// taxonomies as specialties, and the licenses. It replaces earlier registry data. Data from
// other files stays.
func importRegistered(ctx context.Context, tx *sql.Tx, r Registered) (ingest.Outcome, error) {
	if r.DeactivatedOn != "" {
		n, err := deactivate(ctx, tx, r.NPI, r.DeactivatedOn)
		if n > 0 {
			return ingest.Updated, err
		}
		return ingest.Unchanged, err
	}
	var before string
	id, err := idByNPI(ctx, tx, r.NPI)
	known := err == nil
	if known {
		before, err = fingerprint(ctx, tx, id)
	}
	if errors.Is(err, db.ErrNotFound) {
		id, err = nextID(ctx, tx)
	}
	if err != nil {
		return ingest.Outcome{}, err
	}
	r.ProviderID = id
	if known && r.ProviderType != "P" { // the registry doesn't distinguish hospitals from other organizations
		old, err := getRecord(ctx, tx, id)
		if err != nil {
			return ingest.Outcome{}, err
		}
		r.ProviderType = old.ProviderType
	}
	if len(r.Specialties) > 0 {
		r.Specialty = taxonomyName(r.Specialties[0].Code)
	}
	save := saveProvider
	if !known {
		save = addRegistered
	}
	if err := save(ctx, tx, r.Provider); err != nil {
		return ingest.Outcome{}, err
	}
	if err := storeRegistered(ctx, tx, r); err != nil {
		return ingest.Outcome{}, err
	}
	if !known {
		return ingest.Imported, nil
	}
	after, err := fingerprint(ctx, tx, id)
	if err != nil || before == after {
		return ingest.Unchanged, err
	}
	return ingest.Updated, nil
}

// taxonomyName returns a code's common name, or the code itself if unknown. The taxonomy feed adds
// the other names.
func taxonomyName(code string) string {
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
	"207RC0000X": "Cardiovascular Disease", "207RG0100X": "Gastroenterology", "207RP1001X": "Pulmonary Disease",
	"207T00000X": "Neurological Surgery",
	"207V00000X": "Obstetrics & Gynecology", "207W00000X": "Ophthalmology", "207X00000X": "Orthopaedic Surgery",
	"207XS0106X": "Orthopaedic Hand Surgery", "207XS0117X": "Orthopaedic Surgery of the Spine",
	"207XX0005X": "Sports Medicine (Orthopaedic Surgery)",
	"207XX0801X": "Orthopaedic Trauma", "207Y00000X": "Otolaryngology", "208000000X": "Pediatrics",
	"208100000X": "Physical Medicine & Rehabilitation",
	"2081P2900X": "Pain Medicine (Physical Medicine & Rehabilitation)", "2083X0100X": "Occupational Medicine", "2084N0400X": "Neurology",
	"2084P0800X": "Psychiatry", "2085R0202X": "Diagnostic Radiology", "208600000X": "Surgery", "2086S0105X": "Surgery of the Hand",
	"208800000X": "Urology", "208D00000X": "General Practice", "208VP0014X": "Interventional Pain Medicine", "213E00000X": "Podiatrist",
	"225100000X": "Physical Therapist", "2251X0800X": "Physical Therapist, Orthopedic", "225X00000X": "Occupational Therapist",
	"235Z00000X": "Speech-Language Pathologist", "251E00000X": "Home Health", "261Q00000X": "Clinic/Center",
	"261QA1903X": "Ambulatory Surgical Center",
	"261QC1500X": "Community Health Center", "261QM0801X": "Mental Health Center", "261QP2000X": "Physical Therapy Center",
	"261QP2300X": "Primary Care Center", "261QR0400X": "Rehabilitation Center",
	"261QR0405X": "Substance Use Disorder Rehabilitation Center",
	"261QU0200X": "Urgent Care Center", "261QX0100X": "Occupational Medicine Center", "282N00000X": "General Acute Care Hospital",
	"291U00000X": "Clinical Medical Laboratory", "293D00000X": "Physiological Laboratory",
	"332B00000X": "Durable Medical Equipment & Supplies",
	"333600000X": "Pharmacy", "363A00000X": "Physician Assistant", "363L00000X": "Nurse Practitioner",
	"363LF0000X": "Nurse Practitioner, Family",
	"367500000X": "Nurse Anesthetist, Certified Registered",
}

// storeRegistered stores the details of a stored provider.
func storeRegistered(ctx context.Context, tx *sql.Tx, r Registered) error {
	if _, err := storeDetails(ctx, tx, r.ProviderID, ProviderDetails{Degrees: r.Degrees, Gender: r.Gender}); err != nil {
		return err
	}
	name := r.FacilityName
	if name == "" {
		name = "Practice location"
	}
	if _, err := storeOffice(ctx, tx, r.ProviderID, Office{
		OfficeID: registryOffice, Name: name, IsPrimary: true, Address: formatAddress(r.Provider), Phone: r.Phone, Fax: r.Fax,
	}); err != nil {
		return err
	}
	if err := storeTaxonomies(ctx, tx, r); err != nil {
		return err
	}
	if err := storeLicenses(ctx, tx, r); err != nil {
		return err
	}
	return reactivate(ctx, tx, r.NPI)
}

// storeTaxonomies stores the provider's specialties and removes those that are no longer in the
// registry.
func storeTaxonomies(ctx context.Context, tx *sql.Tx, r Registered) error {
	former, err := registeredSpecialties(ctx, tx, r.ProviderID)
	if err != nil {
		return err
	}
	for _, description := range former {
		if slices.ContainsFunc(r.Specialties, func(s RegisteredSpecialty) bool { return taxonomyName(s.Code) == description }) {
			continue
		}
		if err := removeSpecialty(ctx, tx, r.ProviderID, description); err != nil {
			return err
		}
	}
	for n, s := range r.Specialties {
		if err := storeRegisteredSpecialty(ctx, tx, r.ProviderID, taxonomyName(s.Code), s.Code, n+1); err != nil {
			return err
		}
	}
	return nil
}

// storeLicenses does the same for licenses.
func storeLicenses(ctx context.Context, tx *sql.Tx, r Registered) error {
	former, err := registeredLicenses(ctx, tx, r.ProviderID)
	if err != nil {
		return err
	}
	for _, l := range former {
		if slices.Contains(r.Licenses, l) {
			continue
		}
		if err := removeLicense(ctx, tx, r.ProviderID, l); err != nil {
			return err
		}
	}
	for _, l := range r.Licenses {
		if err := storeRegisteredLicense(ctx, tx, r.ProviderID, l); err != nil {
			return err
		}
	}
	return nil
}

// formatAddress formats an address as one line. Nine-digit ZIP codes are cut to five digits; other
// countries' codes stay as they are.
func formatAddress(p Provider) string {
	zip := p.ZIP
	if digits := strings.ReplaceAll(zip, "-", ""); len(digits) == 9 && text.Digits(digits) == digits {
		zip = digits[:5]
	}
	return text.Clean(p.Address + ", " + p.City + ", " + p.State + " " + zip)
}

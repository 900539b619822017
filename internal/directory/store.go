package directory

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strconv"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/text"
)

// providerKeys are the columns by which providers are found.
var providerKeys = []db.Column[Provider]{
	db.Computed("name_key", func(p *Provider) any { return text.Key(p.name()) }),
	db.Computed("first_name_key", func(p *Provider) any { return text.Key(p.FirstName) }),
	db.Computed("last_name_key", func(p *Provider) any { return text.Key(p.LastName) }),
}

// providerTable is the portion of the table of providers that comes from provider tables and the
// registry. recordTable is all of it.
var (
	providerTable = db.NewTable("providers", append(db.Fields[Provider]("provider_id"), providerKeys...)...)
	recordTable   = db.NewTable("providers", append(db.Fields[Record]("provider_id"),
		db.Within(func(r *Record) *Provider { return &r.Provider }, providerKeys)...)...)
)

func listProviders(ctx context.Context, q db.Queryer, ftin string, l Lookup, limit int) ([]Provider, error) {
	args := []any{ftin, l.Type, text.Clean(l.ProviderID), limit}
	named := ""
	for _, begins := range []struct{ key, column, typed string }{
		{"p.name_key", "p.facility_name", l.Facility}, {"p.first_name_key", "p.first_name", l.FirstName},
		{"p.last_name_key", "p.last_name", l.LastName},
	} {
		if typed := text.Key(text.Clean(begins.typed)); typed != "" {
			args = append(args, db.PrefixPattern(typed), db.PrefixPattern(names.FoldPart(typed)))
			named += ` AND (` + begins.key + ` LIKE $` + strconv.Itoa(len(args)-1) + ` ESCAPE '\' OR ` +
				db.FoldSQL(begins.column) + ` LIKE $` + strconv.Itoa(len(args)) + ` ESCAPE '\')`
		}
	}
	return providerTable.Query(ctx, q, `
		SELECT `+providerTable.List("p.")+`
		FROM provider_tins t JOIN providers p ON p.provider_id = t.provider_id
		WHERE t.ftin = $1 AND p.deactivated_on IS NULL
		  AND ($2 = '' OR ($2 = 'P') = (p.provider_type = 'P'))
		  AND ($3 = '' OR p.provider_id = $3)`+named+`
		ORDER BY p.name_key, p.provider_id LIMIT $4`, args...)
}

// nameSQL is the folded display name of a provider.
const nameSQL = `CASE WHEN p.facility_name <> '' THEN p.name_key
	ELSE p.last_name_key || ', ' || p.first_name_key || CASE WHEN p.middle_name <> '' THEN ' ' || lower(p.middle_name) ELSE '' END END`

// providerPageColumns are the columns of a TIN's provider table. provider is the value shown in
// pickers.
var providerPageColumns = paging.Columns{
	"name":     paging.Name(nameSQL).SortedBy("p.name_key"),
	"type":     paging.Words("p.provider_type", map[string]string{"P": "Physician", "F": "Facility", "A": "Ancillary", "H": "Hospital"}),
	"provider": paging.Name(nameSQL + ` || ' (' || p.provider_id || ')'`).SortedBy("p.name_key"),
}

func providerPage(ctx context.Context, q db.Queryer, d db.Dialect, ftin string, t paging.Table) ([]Provider, int, error) {
	return paging.Select(ctx, q, d, t, paging.Statement{
		Select: providerTable.List("p."),
		From: `FROM provider_tins t JOIN providers p ON p.provider_id = t.provider_id
			WHERE t.ftin = $1 AND p.deactivated_on IS NULL`,
		Args: []any{ftin}, Columns: providerPageColumns, Order: "p.name_key, p.provider_id",
	}, providerTable.Query)
}

// OfficeName is the name of a TIN's primary office, or of the first one by name. It includes the
// number of names.
type OfficeName struct {
	FTIN  string
	Name  string
	Names int
}

const tinsAtOnce = 100

func officeNames(ctx context.Context, q db.Queryer, tins []string) ([]OfficeName, error) {
	var list []OfficeName
	for some := range slices.Chunk(tins, tinsAtOnce) {
		var found []OfficeName
		err := db.Select(ctx, q, &found, `
			SELECT ftin, coalesce(min(CASE WHEN is_primary THEN name END), min(name)) AS name, count(DISTINCT name) AS names
			FROM provider_offices WHERE ftin IN (`+db.In(1, len(some))+`) GROUP BY ftin ORDER BY ftin`, db.Args(some)...)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// ListTINsByNPI returns the TINs under which providers with an NPI bill.
func (*Service) ListTINsByNPI(ctx context.Context, q db.Queryer, npi string) ([]string, error) {
	return db.List[string](ctx, q, `
		SELECT DISTINCT t.ftin FROM providers p CROSS JOIN provider_tins t WHERE p.npi = $1 AND t.provider_id = p.provider_id
			ORDER BY t.ftin LIMIT 1000`, npi)
}

func listTINs(ctx context.Context, q db.Queryer, providerID string) ([]string, error) {
	return db.List[string](ctx, q, `SELECT ftin FROM provider_tins WHERE provider_id = $1 ORDER BY ftin LIMIT 1000`, providerID)
}

// listAllTINs also lists a provider's former TINs.
func listAllTINs(ctx context.Context, q db.Queryer, providerID string) ([]string, error) {
	return db.List[string](ctx, q, `
		SELECT ftin FROM provider_tins WHERE provider_id = $1
		UNION SELECT ftin FROM former_provider_tins WHERE provider_id = $1 ORDER BY ftin`, providerID)
}

func providerIDs(ctx context.Context, q db.Queryer, ftin, providerID string) ([]string, error) {
	return db.List[string](ctx, q, `
		SELECT t.provider_id FROM provider_tins t JOIN providers p ON p.provider_id = t.provider_id
		WHERE t.ftin = $1 AND ($2 = '' OR t.provider_id = $2) AND p.deactivated_on IS NULL LIMIT 1`, ftin, providerID)
}

// maxParts is the maximum number of a provider's records per response.
const maxParts = 500

// part is a page of a provider's records.
type part struct{ limit, offset int }

// every is used to compare all rows.
var every = part{limit: math.MaxInt32}

func newPart(n int) part { return part{maxParts, n * maxParts} }

func getRecord(ctx context.Context, q db.Queryer, providerID string) (Record, error) {
	return recordTable.Get(ctx, q, `WHERE provider_id = $1`, providerID)
}

func listSpecialties(ctx context.Context, q db.Queryer, providerID string, p part) ([]Specialty, error) {
	return db.List[Specialty](ctx, q, `
		SELECT coalesce(t.description, s.description) AS description, s.rank FROM provider_specialties s
		LEFT JOIN taxonomies t ON t.code = s.taxonomy_code
		WHERE s.provider_id = $1 ORDER BY s.rank, s.description LIMIT $2 OFFSET $3`, providerID, p.limit, p.offset)
}

// listOffices returns a provider's offices. The registry's is the primary one unless another is.
func listOffices(ctx context.Context, q db.Queryer, providerID string, p part) ([]Office, error) {
	return db.List[Office](ctx, q, `
		SELECT office_id, name, is_primary AND (office_id <> '`+registryOffice+`' OR NOT EXISTS (SELECT 1 FROM provider_offices p
		           WHERE p.provider_id = $1 AND p.is_primary AND p.office_id <> '`+registryOffice+`')) AS is_primary,
		       CASE WHEN accepts_wc_known THEN accepts_wc END AS accepts_wc, ftin, address, phone, fax, email
		FROM provider_offices WHERE provider_id = $1 ORDER BY name, office_id LIMIT $2 OFFSET $3`, providerID, p.limit, p.offset)
}

// listDetails returns the details of some of a provider's offices, or of all if none are given.
func listDetails(ctx context.Context, q db.Queryer, providerID string, offices ...string) ([]Detail, error) {
	at, args := "", []any{providerID}
	if len(offices) > 0 {
		at, args = ` AND office_id IN (`+db.In(2, len(offices))+`)`, append(args, db.Args(offices)...)
	}
	return db.List[Detail](ctx, q, `
		SELECT office_id, kind, description FROM provider_office_details WHERE provider_id = $1`+at+` ORDER BY description`, args...)
}

func listLicenses(ctx context.Context, q db.Queryer, providerID string, p part) ([]License, error) {
	return db.List[License](ctx, q, `
		SELECT license_type, state, license_number, issue_date, expiration_date, status FROM provider_licenses
		WHERE provider_id = $1 ORDER BY license_type, state, license_number LIMIT $2 OFFSET $3`, providerID, p.limit, p.offset)
}

func providerByID(ctx context.Context, tx *sql.Tx, id string) (Provider, error) {
	return providerTable.Get(ctx, tx, `WHERE provider_id = $1`, id)
}

func saveProvider(ctx context.Context, tx *sql.Tx, p Provider) error {
	return providerTable.Upsert(ctx, tx, p)
}

// addRegistered stores a new provider of the registry. It returns an error if the id is in use.
func addRegistered(ctx context.Context, tx *sql.Tx, p Provider) error {
	if err := providerTable.Insert(ctx, tx, p); err != nil {
		return err
	}
	return db.Run(ctx, tx, `UPDATE providers SET registered = true WHERE provider_id = $1`, p.ProviderID)
}

// registeredIDs returns the providers with an id or NPI that only the registry has brought.
func registeredIDs(ctx context.Context, tx *sql.Tx, id, npi string) ([]string, error) {
	return db.List[string](ctx, tx, `
		SELECT provider_id FROM providers WHERE provider_id = $1 AND registered
		UNION SELECT provider_id FROM providers WHERE npi = $2 AND npi <> '' AND registered ORDER BY provider_id`, id, npi)
}

// endRegistered records that a provider comes from a table.
func endRegistered(ctx context.Context, tx *sql.Tx, id string) error {
	return db.Run(ctx, tx, `UPDATE providers SET registered = false WHERE provider_id = $1`, id)
}

func putFormerID(ctx context.Context, tx *sql.Tx, former, id string) error {
	return db.Run(ctx, tx, `INSERT INTO former_provider_ids (former_id, provider_id) VALUES ($1, $2)`, former, id)
}

func deleteFormerID(ctx context.Context, tx *sql.Tx, id string) error {
	return db.Run(ctx, tx, `DELETE FROM former_provider_ids WHERE former_id = $1`, id)
}

// moveProvider moves a provider's data to the provider with another id. The old id has the TINs as former ones.
func moveProvider(ctx context.Context, tx *sql.Tx, old, id string) error {
	r, err := getRecord(ctx, tx, old)
	if err != nil {
		return err
	}
	if _, err := storeDetails(ctx, tx, id, ProviderDetails{r.Degrees, r.Gender, r.Languages, r.LinesOfBusiness, r.BirthDate}); err != nil {
		return err
	}
	if r.DeactivatedOn != "" {
		if _, err := deactivate(ctx, tx, r.NPI, r.DeactivatedOn); err != nil {
			return err
		}
	}
	if err := moveListings(ctx, tx, old, id); err != nil {
		return err
	}
	if _, err := db.Exec(ctx, tx, `
		INSERT INTO former_provider_tins (provider_id, ftin) SELECT provider_id, ftin FROM provider_tins WHERE provider_id = $1
		ON CONFLICT DO NOTHING`, old); err != nil {
		return err
	}
	for _, t := range []struct{ name, columns string }{
		{"provider_tins", "ftin"},
		{"provider_specialties", "description, taxonomy_code, rank"},
		{"provider_offices", "office_id, name, is_primary, accepts_wc, accepts_wc_known, ftin, address, phone, fax, email"},
		{"provider_office_details", "office_id, kind, description"},
		{"provider_licenses", "license_type, state, license_number, issue_date, expiration_date, status, registered"},
	} {
		if _, err := db.Exec(ctx, tx, `
			INSERT INTO `+t.name+` (provider_id, `+t.columns+`) SELECT $2, `+t.columns+` FROM `+t.name+` WHERE provider_id = $1
			ON CONFLICT DO NOTHING`, old, id); err != nil {
			return err
		}
		if _, err := db.Exec(ctx, tx, `DELETE FROM `+t.name+` WHERE provider_id = $1`, old); err != nil {
			return err
		}
	}
	return db.Run(ctx, tx, `DELETE FROM providers WHERE provider_id = $1`, old)
}

// moveListings moves a provider's listings to another provider before its TINs. TINs that a file names for either
// one no longer count as added by rosters.
func moveListings(ctx context.Context, tx *sql.Tx, old, id string) error {
	if _, err := db.Exec(ctx, tx, `
		UPDATE provider_listings SET brought_tin = false WHERE provider_id IN ($1, $2) AND brought_tin AND EXISTS (
			SELECT 1 FROM provider_tins t WHERE t.ftin = provider_listings.ftin AND t.provider_id IN ($1, $2)
				AND t.provider_id <> provider_listings.provider_id AND NOT EXISTS (SELECT 1 FROM provider_listings l
					WHERE l.provider_id = t.provider_id AND l.ftin = t.ftin AND l.brought_tin))`, old, id); err != nil {
		return err
	}
	if _, err := db.Exec(ctx, tx, `
		INSERT INTO provider_listings (source_group_id, provider_id, ftin, office_id, upload_id, brought_tin)
		SELECT source_group_id, $2, ftin, office_id, upload_id, brought_tin FROM provider_listings WHERE provider_id = $1
		ON CONFLICT (source_group_id, provider_id, ftin, office_id) DO UPDATE SET upload_id = excluded.upload_id
		WHERE provider_listings.upload_id < excluded.upload_id`, old, id); err != nil {
		return err
	}
	return db.Run(ctx, tx, `DELETE FROM provider_listings WHERE provider_id = $1`, old)
}

// storeTIN reports whether the TIN is new for the provider.
func storeTIN(ctx context.Context, tx *sql.Tx, id, ftin string) (bool, error) {
	n, err := db.Exec(ctx, tx, `
		INSERT INTO provider_tins (ftin, provider_id) VALUES ($1, $2) ON CONFLICT (ftin, provider_id) DO NOTHING`, ftin, id)
	return n > 0, err
}

// storeFileTIN stores a TIN that a file names, and reports whether it's new. If a roster added it before,
// the end of its listing no longer removes it.
func storeFileTIN(ctx context.Context, tx *sql.Tx, id, ftin string) (bool, error) {
	isNew, err := storeTIN(ctx, tx, id, ftin)
	if err != nil || isNew {
		return isNew, err
	}
	_, err = db.Exec(ctx, tx, `
		UPDATE provider_listings SET brought_tin = FALSE WHERE provider_id = $1 AND ftin = $2 AND brought_tin`, id, ftin)
	return false, err
}

func (p Provider) name() string {
	if p.FacilityName != "" {
		return p.FacilityName
	}
	return p.LastName + " " + p.FirstName
}

func idByNPI(ctx context.Context, tx *sql.Tx, npi string) (string, error) {
	return db.One[string](ctx, tx, `SELECT provider_id FROM providers WHERE npi = $1 ORDER BY provider_id LIMIT 1`, npi)
}

// nextID returns an id that no provider has or had.
func nextID(ctx context.Context, tx *sql.Tx) (string, error) {
	var used struct{ Present, Former string }
	err := db.Get(ctx, tx, &used, `
		SELECT coalesce(max(provider_id), '') AS present,
			coalesce((SELECT max(former_id) FROM former_provider_ids WHERE former_id >= $1), '') AS former
		FROM providers WHERE provider_id >= $1 AND provider_id < '99999999' AND length(provider_id) = 8`, firstRegistered)
	last := max(used.Present, used.Former)
	if err != nil || last == "" {
		return firstRegistered, err
	}
	n, err := strconv.Atoi(last)
	if err != nil {
		return "", fmt.Errorf("provider id %q is no number", last)
	}
	return strconv.Itoa(n + 1), nil
}

// Imported details are stored if they differ. Each function returns the number of rows changed.

func storeSpecialty(ctx context.Context, tx *sql.Tx, id string, s Specialty) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO provider_specialties (provider_id, description, taxonomy_code, rank) VALUES ($1, $2, '', $3)
		ON CONFLICT (provider_id, description) DO UPDATE SET taxonomy_code = '', rank = excluded.rank
		WHERE provider_specialties.taxonomy_code <> '' OR provider_specialties.rank <> excluded.rank`, id, s.Description, s.Rank)
}

// storeRegisteredSpecialty stores a registry taxonomy. It has a code, unlike a specialty from a
// table, which stays as it is.
func storeRegisteredSpecialty(ctx context.Context, tx *sql.Tx, id, description, code string, rank int) error {
	return db.Run(ctx, tx, `
		INSERT INTO provider_specialties (provider_id, description, taxonomy_code, rank) VALUES ($1, $2, $3, $4)
		ON CONFLICT (provider_id, description) DO UPDATE SET taxonomy_code = excluded.taxonomy_code, rank = excluded.rank
		WHERE provider_specialties.taxonomy_code <> ''`, id, description, code, rank)
}

// registeredSpecialties returns the provider's taxonomies from the latest registry file, by
// description.
func registeredSpecialties(ctx context.Context, tx *sql.Tx, id string) ([]string, error) {
	return db.List[string](ctx, tx, `
		SELECT description FROM provider_specialties WHERE provider_id = $1 AND taxonomy_code <> '' ORDER BY description`, id)
}

func removeSpecialty(ctx context.Context, tx *sql.Tx, id, description string) error {
	return db.Run(ctx, tx, `DELETE FROM provider_specialties WHERE provider_id = $1 AND description = $2`, id, description)
}

// storeRegisteredLicense stores a license from the registry. A license from a table has more
// data and stays as it is.
func storeRegisteredLicense(ctx context.Context, tx *sql.Tx, id string, l License) error {
	return db.Run(ctx, tx, `
		INSERT INTO provider_licenses (provider_id, license_type, state, license_number, status, registered)
			VALUES ($1, $2, $3, $4, '', true)
		ON CONFLICT (provider_id, license_type, state, license_number) DO NOTHING`, id, l.LicenseType, l.State, l.LicenseNumber)
}

// registeredLicenses returns the provider's licenses from the latest registry file.
func registeredLicenses(ctx context.Context, tx *sql.Tx, id string) ([]License, error) {
	return db.List[License](ctx, tx, `
		SELECT license_type, state, license_number, issue_date, expiration_date, status FROM provider_licenses
		WHERE provider_id = $1 AND registered ORDER BY license_type, state, license_number`, id)
}

func removeLicense(ctx context.Context, tx *sql.Tx, id string, l License) error {
	return db.Run(ctx, tx, `
		DELETE FROM provider_licenses WHERE provider_id = $1 AND license_type = $2 AND state = $3 AND license_number = $4`,
		id, l.LicenseType, l.State, l.LicenseNumber)
}

// deactivate removes the providers with an NPI from the lists. It returns how many were listed
// or had another deactivation date.
func deactivate(ctx context.Context, tx *sql.Tx, npi string, on date.Date) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE providers SET deactivated_on = $2 WHERE npi = $1 AND (deactivated_on IS NULL OR deactivated_on <> $2)`, npi, on)
}

// reactivate lists the providers with an NPI again.
func reactivate(ctx context.Context, tx *sql.Tx, npi string) error {
	return db.Run(ctx, tx, `UPDATE providers SET deactivated_on = NULL WHERE npi = $1 AND deactivated_on IS NOT NULL`, npi)
}

func storeOffice(ctx context.Context, tx *sql.Tx, id string, o Office) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO provider_offices (provider_id, office_id, name, is_primary, accepts_wc, accepts_wc_known, ftin, address, phone,
			fax, email)
		VALUES ($1, $2, $3, $4, coalesce($5, false), $5 IS NOT NULL, $6, $7, $8, $9, $10)
		ON CONFLICT (provider_id, office_id) DO UPDATE
		SET name = excluded.name, is_primary = excluded.is_primary, accepts_wc = excluded.accepts_wc,
		    accepts_wc_known = excluded.accepts_wc_known, ftin = excluded.ftin,
		    address = excluded.address, phone = excluded.phone, fax = excluded.fax, email = excluded.email
		WHERE provider_offices.name <> excluded.name OR provider_offices.is_primary <> excluded.is_primary
		    OR provider_offices.accepts_wc <> excluded.accepts_wc OR provider_offices.accepts_wc_known <> excluded.accepts_wc_known
		    OR provider_offices.ftin <> excluded.ftin OR provider_offices.address <> excluded.address
		    	OR provider_offices.phone <> excluded.phone
		    OR provider_offices.fax <> excluded.fax OR provider_offices.email <> excluded.email`,
		id, o.OfficeID, o.Name, o.IsPrimary, o.AcceptsWC, o.FTIN, o.Address, o.Phone, o.Fax, o.Email)
}

func storeLicense(ctx context.Context, tx *sql.Tx, id string, l License) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO provider_licenses (provider_id, license_type, state, license_number, issue_date, expiration_date, status)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (provider_id, license_type, state, license_number) DO UPDATE
		SET issue_date = excluded.issue_date, expiration_date = excluded.expiration_date, status = excluded.status, registered = false
		WHERE provider_licenses.issue_date IS DISTINCT FROM excluded.issue_date OR provider_licenses.expiration_date IS DISTINCT
			FROM excluded.expiration_date
		    OR provider_licenses.status <> excluded.status OR provider_licenses.registered`,
		id, l.LicenseType, l.State, l.LicenseNumber, l.IssueDate, l.ExpirationDate, l.Status)
}

func storeDetail(ctx context.Context, tx *sql.Tx, id string, d Detail) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO provider_office_details (provider_id, office_id, kind, description) VALUES ($1, $2, $3, $4)
		ON CONFLICT (provider_id, office_id, kind, description) DO NOTHING`, id, d.OfficeID, d.Kind, d.Description)
}

// storeDetails stores details from a table, a roster or the registry. Empty fields leave the stored values.
func storeDetails(ctx context.Context, tx *sql.Tx, id string, d ProviderDetails) (int64, error) {
	return db.Exec(ctx, tx, `
		UPDATE providers SET degrees = coalesce(nullif($2, ''), degrees), gender = coalesce(nullif($3, ''), gender),
		       languages = coalesce(nullif($4, ''), languages), lines_of_business = coalesce(nullif($5, ''), lines_of_business),
		       birth_date = coalesce($6, birth_date)
		WHERE provider_id = $1 AND (degrees <> coalesce(nullif($2, ''), degrees) OR gender <> coalesce(nullif($3, ''), gender)
		    OR languages <> coalesce(nullif($4, ''), languages) OR lines_of_business <> coalesce(nullif($5, ''), lines_of_business)
		    OR birth_date IS DISTINCT FROM coalesce($6, birth_date))`, id, d.Degrees, d.Gender, d.Languages, d.LinesOfBusiness, d.BirthDate)
}

// currentID returns the id of the provider that has or had an id.
func currentID(ctx context.Context, tx *sql.Tx, id string) (string, error) {
	err := db.Get(ctx, tx, &id, `
		SELECT provider_id FROM providers
		WHERE provider_id = coalesce((SELECT f.provider_id FROM former_provider_ids f WHERE f.former_id = $1), $1)`, id)
	return id, err
}

// putTaxonomy returns the number of rows changed.
func putTaxonomy(ctx context.Context, tx *sql.Tx, t Taxonomy) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO taxonomies (code, description) VALUES ($1, $2)
		ON CONFLICT (code) DO UPDATE SET description = excluded.description WHERE taxonomies.description <> excluded.description`,
		t.Code, t.Description)
}

// putListing stores a roster listing. If any roster added the TIN, it stays marked that way.
func putListing(ctx context.Context, tx *sql.Tx, l listing, uploadID int64) error {
	return db.Run(ctx, tx, `
		INSERT INTO provider_listings (source_group_id, provider_id, ftin, office_id, upload_id, brought_tin)
		VALUES ($1, $2, $3, $4, $5, $6 OR EXISTS (SELECT 1 FROM provider_listings WHERE provider_id = $2 AND ftin = $3 AND brought_tin))
		ON CONFLICT (source_group_id, provider_id, ftin, office_id) DO UPDATE
		SET upload_id = excluded.upload_id, brought_tin = provider_listings.brought_tin OR excluded.brought_tin`,
		l.SourceGroupID, l.ProviderID, l.FTIN, l.OfficeID, uploadID, l.BroughtTIN)
}

func formerListings(ctx context.Context, tx *sql.Tx, sourceGroupID, uploadID int64, limit int) ([]listing, error) {
	return db.List[listing](ctx, tx, `
		SELECT source_group_id, provider_id, ftin, office_id, brought_tin FROM provider_listings
		WHERE source_group_id = $1 AND upload_id < $2 ORDER BY upload_id LIMIT $3`, sourceGroupID, uploadID, limit)
}

func deleteListing(ctx context.Context, tx *sql.Tx, l listing) error {
	return db.Run(ctx, tx, `
		DELETE FROM provider_listings WHERE source_group_id = $1 AND provider_id = $2 AND ftin = $3 AND office_id = $4`,
		l.SourceGroupID, l.ProviderID, l.FTIN, l.OfficeID)
}

// otherListings reports whether rosters list the provider at the office under another TIN, and
// anywhere under this TIN.
func otherListings(ctx context.Context, tx *sql.Tx, l listing) (office, tin bool, err error) {
	var found []listing
	err = db.Select(ctx, tx, &found, `SELECT ftin, office_id FROM provider_listings WHERE provider_id = $1`, l.ProviderID)
	for _, o := range found {
		office = office || o.OfficeID == l.OfficeID
		tin = tin || o.FTIN == l.FTIN
	}
	return office, tin, err
}

func deleteOffice(ctx context.Context, tx *sql.Tx, providerID, officeID string) error {
	return db.Run(ctx, tx, `DELETE FROM provider_offices WHERE provider_id = $1 AND office_id = $2`, providerID, officeID)
}

// deleteTIN removes a provider's TIN, and stores it as a former one.
func deleteTIN(ctx context.Context, tx *sql.Tx, providerID, ftin string) error {
	if _, err := db.Exec(ctx, tx, `
		INSERT INTO former_provider_tins (provider_id, ftin) VALUES ($1, $2) ON CONFLICT (provider_id, ftin) DO NOTHING`,
		providerID, ftin); err != nil {
		return err
	}
	return db.Run(ctx, tx, `DELETE FROM provider_tins WHERE ftin = $1 AND provider_id = $2`, ftin, providerID)
}

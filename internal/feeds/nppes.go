package feeds

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/platform/csvrows"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
)

// Registered is a provider as the national registry (NPPES) lists them.
type Registered struct {
	NPI                             string
	Person                          bool // else an organisation
	FirstName, MiddleName, LastName string
	OrganizationName                string
	Credential, Gender              string
	Address, City, State, ZIP       string
	Phone, Fax                      string
	Taxonomies                      []Taxonomy // the primary one first
	Licenses                        []RegisteredLicense
}

// Taxonomy is a specialty by its national code.
type Taxonomy struct {
	Code    string
	Primary bool
}

// RegisteredLicense is a licence to practise in a state.
type RegisteredLicense struct{ Number, State string }

// ImportNPPES imports a file of the registry, as it is published: a table with
// some three hundred columns, of which those that the directory shows are read.
// Report and error are as those of ImportX12.
func (im *Importer) ImportNPPES(ctx context.Context, path string, opts Options) (Report, error) {
	takeRows := func(ctx context.Context, tx *sql.Tx, records []record) ([]Outcome, error) {
		rows := make([]Registered, len(records))
		for i, r := range records {
			rows[i] = *r.row.(*Registered)
		}
		return take(ctx, tx, im.takers.Registered, rows)
	}
	return im.run(ctx, "nppes", path, opts, decodeNPPES, takeRows)
}

// Columns of the registry's table.
const (
	colNPI          = "NPI"
	colEntity       = "Entity Type Code"
	colOrganization = "Provider Organization Name (Legal Business Name)"
	colLast         = "Provider Last Name (Legal Name)"
	colFirst        = "Provider First Name"
	colMiddle       = "Provider Middle Name"
	colCredential   = "Provider Credential Text"
	colAddress1     = "Provider First Line Business Practice Location Address"
	colAddress2     = "Provider Second Line Business Practice Location Address"
	colCity         = "Provider Business Practice Location Address City Name"
	colState        = "Provider Business Practice Location Address State Name"
	colZIP          = "Provider Business Practice Location Address Postal Code"
	colPhone        = "Provider Business Practice Location Address Telephone Number"
	colFax          = "Provider Business Practice Location Address Fax Number"
	colDeactivated  = "NPI Deactivation Date"
	colReactivated  = "NPI Reactivation Date"
	colTaxonomy     = "Healthcare Provider Taxonomy Code_"
	colPrimary      = "Healthcare Provider Primary Taxonomy Switch_"
	colLicense      = "Provider License Number_"
	colLicenseState = "Provider License Number State Code_"
	mostTaxonomies  = 15
)

// What the file calls the sex of a person has changed over the years.
var colGender = []string{"Provider Gender Code", "Provider Sex Code"}

func decodeNPPES(r io.Reader, out sink) error {
	table := csvrows.New(r)
	header, err := table.Read()
	if errors.Is(err, io.EOF) {
		return tableErrorf(1, "", "the file is empty: its first line must name the columns")
	}
	if err != nil {
		return rowError(1, err)
	}
	at := map[string]int{}
	for i, name := range header {
		at[strings.TrimSpace(name)] = i
	}
	for _, need := range []string{colNPI, colEntity, colOrganization, colLast, colFirst, colAddress1, colCity, colState, colZIP, colTaxonomy + "1"} {
		if _, ok := at[need]; !ok {
			return tableErrorf(1, need, "this column is missing: the file is no table of the national registry")
		}
	}
	width := len(header)
	for line := int64(2); ; line++ {
		fields, err := table.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return rowError(line, err)
		}
		first, _ := table.FieldPos(0)
		if err := out.record(readRegistered(int64(first), fields, width, at)); err != nil {
			return err
		}
	}
}

func readRegistered(line int64, fields []string, width int, at map[string]int) record {
	rec := record{at: Problem{Severity: SeverityError, Line: line}, weight: 1}
	fault := func(column, reason string) {
		rec.problems = append(rec.problems, Problem{Severity: SeverityError, Line: line, Element: column, Reason: reason})
	}
	if len(fields) != width {
		fault("", fmt.Sprintf("the row has %d fields, the header %d", len(fields), width))
		return rec
	}
	get := func(column string) string {
		i, ok := at[column]
		if !ok {
			return ""
		}
		value := clean(fields[i])
		if value == "<UNAVAIL>" {
			return ""
		}
		return strings.ToValidUTF8(value, "")
	}
	p := &Registered{
		NPI: get(colNPI), Person: get(colEntity) == "1", FirstName: get(colFirst), MiddleName: get(colMiddle), LastName: get(colLast),
		OrganizationName: get(colOrganization), Credential: get(colCredential),
		Address: strings.TrimSuffix(get(colAddress1)+" "+get(colAddress2), " "), City: get(colCity), State: get(colState),
		ZIP: get(colZIP), Phone: onlyDigits(get(colPhone)), Fax: onlyDigits(get(colFax)),
	}
	for _, column := range colGender {
		if p.Gender == "" {
			p.Gender = get(column)
		}
	}
	switch entity := get(colEntity); {
	case !identifiers.ValidNPI(p.NPI):
		fault(colNPI, "the NPI fails its check digit")
	case deactivated(get(colDeactivated), get(colReactivated)):
		fault(colDeactivated, "the NPI is deactivated")
	case entity != "1" && entity != "2":
		fault(colEntity, "is neither 1 nor 2")
	case p.Person && (p.LastName == "" || p.FirstName == ""):
		fault(colLast, "a person must have a first and a last name")
	case !p.Person && p.OrganizationName == "":
		fault(colOrganization, "an organisation must have a name")
	}
	for n := range mostTaxonomies {
		suffix := strconv.Itoa(n + 1)
		if code := get(colTaxonomy + suffix); code != "" {
			p.Taxonomies = append(p.Taxonomies, Taxonomy{Code: code, Primary: get(colPrimary+suffix) == "Y"})
		}
		license := RegisteredLicense{Number: get(colLicense + suffix), State: get(colLicenseState + suffix)}
		if license.Number != "" && !slices.Contains(p.Licenses, license) {
			p.Licenses = append(p.Licenses, license)
		}
	}
	slices.SortStableFunc(p.Taxonomies, func(a, b Taxonomy) int {
		switch {
		case a.Primary == b.Primary:
			return 0
		case a.Primary:
			return -1
		default:
			return 1
		}
	})
	p.Taxonomies = slices.CompactFunc(p.Taxonomies, func(a, b Taxonomy) bool { return a.Code == b.Code })
	if !rec.rejected() {
		rec.row = p
	}
	return rec
}

// deactivated tells whether an NPI is out of use. The registry's dates are
// MM/DD/YYYY.
func deactivated(off, on string) bool {
	day := func(s string) date.Date {
		if d, err := date.Parse(s); err == nil {
			return d
		}
		if len(s) == 10 {
			if d, err := date.Parse(s[6:] + "-" + s[:2] + "-" + s[3:5]); err == nil {
				return d
			}
		}
		return ""
	}
	return day(off) != "" && day(on) < day(off)
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

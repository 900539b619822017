package directory

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/text"
)

// Columns of an NPPES file.
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
	maxTaxonomies   = 15
)

// The file's name for a person's sex has changed over the years.
var colGender = []string{"Provider Gender Code", "Provider Sex Code"}

// decodeNPPES reads an NPPES file as published. The table has about 300 columns, and we read
// those that the directory shows.
func decodeNPPES(r io.Reader, out ingest.Sink) error {
	at := map[string]int{}
	width := 0
	isHeader := func(fields []string, _ bool) bool {
		return slices.ContainsFunc(fields, func(name string) bool { return strings.TrimSpace(name) == colNPI })
	}
	return ingest.ReadRows(r, isHeader, func(line int64, header []string) error {
		width = len(header)
		for i, name := range header {
			at[strings.TrimSpace(name)] = i
		}
		for _, need := range []string{colNPI, colEntity, colOrganization, colLast, colFirst, colAddress1, colCity, colState, colZIP,
			colTaxonomy + "1"} {
			if _, ok := at[need]; !ok {
				return ingest.Refusef(line, need, "this column is missing, so the file isn't an NPPES table")
			}
		}
		return nil
	}, func(line int64, fields []string) error {
		return out.Record(readRegistered(line, fields, width, at))
	})
}

func readRegistered(line int64, fields []string, width int, at map[string]int) ingest.Record {
	rec := ingest.Record{At: ingest.Problem{Severity: ingest.SeverityError, Line: line}, Weight: 1}
	fault := func(column, reason string) {
		rec.Problems = append(rec.Problems, ingest.Problem{Severity: ingest.SeverityError, Line: line, Element: column, Reason: reason})
	}
	if len(fields) != width {
		fault("", fmt.Sprintf("the row has %d fields but the header has %d", len(fields), width))
		return rec
	}
	get := func(column string) string {
		i, ok := at[column]
		if !ok {
			return ""
		}
		value := ingest.Clean(fields[i])
		if value == "<UNAVAIL>" {
			return ""
		}
		if err := ingest.CheckCell(value); err != nil {
			fault(column, err.Error())
		}
		return value
	}
	p := &Registered{Provider: Provider{NPI: get(colNPI)}}
	if !identifiers.IsNPI(p.NPI) {
		fault(colNPI, "the NPI fails its check digit")
	}
	if p.DeactivatedOn = deactivatedOn(get(colDeactivated), get(colReactivated)); p.DeactivatedOn == "" {
		p.read(get, fault)
	}
	if !rec.Rejected() {
		rec.Row = p
	}
	return rec
}

// read reads the registry data of a provider with an active NPI.
func (p *Registered) read(get func(column string) string, fault func(column, reason string)) {
	entity := get(colEntity)
	p.Address, p.City, p.State = strings.TrimSuffix(get(colAddress1)+" "+get(colAddress2), " "), get(colCity), get(colState)
	p.ZIP, p.Phone, p.Fax = get(colZIP), text.Digits(get(colPhone)), text.Digits(get(colFax))
	p.Degrees = get(colCredential)
	for _, column := range colGender {
		if p.Gender == "" {
			p.Gender = get(column)
		}
	}
	switch entity {
	case "1":
		p.ProviderType = "P"
		p.FirstName, p.MiddleName, p.LastName = get(colFirst), get(colMiddle), get(colLast)
		if p.LastName == "" || p.FirstName == "" {
			fault(colLast, "a person must have a first and a last name")
		}
	case "2":
		p.ProviderType, p.FacilityName = "F", get(colOrganization)
		if p.FacilityName == "" {
			fault(colOrganization, "an organization must have a name")
		}
	default:
		fault(colEntity, "must be 1 or 2")
	}
	p.readTaxonomies(get)
}

// readTaxonomies reads a provider's taxonomies, primary one first, and the licenses listed with
// them.
func (p *Registered) readTaxonomies(get func(column string) string) {
	for n := range maxTaxonomies {
		suffix := strconv.Itoa(n + 1)
		if code := get(colTaxonomy + suffix); code != "" {
			p.Specialties = append(p.Specialties, RegisteredSpecialty{Code: code, Primary: get(colPrimary+suffix) == "Y"})
		}
		license := License{LicenseType: "State License", LicenseNumber: get(colLicense + suffix), State: get(colLicenseState + suffix)}
		if license.LicenseNumber != "" && !slices.Contains(p.Licenses, license) {
			p.Licenses = append(p.Licenses, license)
		}
	}
	slices.SortStableFunc(p.Specialties, func(a, b RegisteredSpecialty) int {
		switch {
		case a.Primary == b.Primary:
			return 0
		case a.Primary:
			return -1
		default:
			return 1
		}
	})
	listed := map[string]bool{}
	p.Specialties = slices.DeleteFunc(p.Specialties, func(s RegisteredSpecialty) bool {
		repeated := listed[s.Code]
		listed[s.Code] = true
		return repeated
	})
}

// deactivatedOn returns the day when an NPI was deactivated, or none if it is active. The
// registry's dates are MM/DD/YYYY.
func deactivatedOn(off, on string) date.Date {
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
	if day(on) >= day(off) {
		return ""
	}
	return day(off)
}

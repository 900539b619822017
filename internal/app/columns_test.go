package app

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const columnsIntro = `# Columns of tables

<!-- written by make gen -->

The columns of each kind of ` + "`wcpp import csv`" + `. A file without a required column is refused.
A row without its value is rejected, and the others are imported.
[Feeds](feeds.md#csv-tables) explains files, values and the rules of some tables.
`

// newColumnsPage returns docs/columns.md: every column with what its own check accepts.
func newColumnsPage(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(columnsIntro)
	unused := len(columnNotes)
	for _, kind := range FeedTables() {
		columns := findFeed(kind).Columns()
		fmt.Fprintf(&b, "\n## %s\n\n| Column | Required | Value |\n|---|---|---|\n", kind)
		commas := strings.Repeat(",", len(columns)-1)
		first, last := probeColumns(t, kind, "x"+commas), probeColumns(t, kind, commas+"x")
		accepted := probeColumns(t, kind, strings.Repeat(strings.Repeat("x", 1999)+",", len(columns)-1)+strings.Repeat("x", 1999))
		for _, column := range columns {
			need, value := "", formatAccepted(accepted[column])
			if first[column] == "is empty" || last[column] == "is empty" {
				need = "yes"
			}
			if note := columnNotes[kind+" "+column]; note != "" {
				unused--
				value = strings.TrimPrefix(value+"; "+note, "; ")
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", column, need, value)
		}
	}
	assert.Equal(t, 0, unused)
	return b.String()
}

// probeColumns returns the reason for which each column refuses its value in the row.
func probeColumns(t *testing.T, kind, row string) map[string]string {
	t.Helper()
	records, err := decodeTable(kind, strings.Join(findFeed(kind).Columns(), ",")+"\n"+row+"\n")
	if err != nil || len(records) != 1 {
		t.Fatalf("%s: %v %+v", kind, err, records)
	}
	reasons := map[string]string{}
	for _, p := range records[0].Problems {
		reasons[p.Element] = p.Reason
	}
	return reasons
}

// formatAccepted turns a refusal into what the column accepts.
func formatAccepted(reason string) string {
	if strings.Contains(reason, " AL, AK, ") {
		return "a state's two letters"
	}
	for _, start := range []string{"must be one of ", "must be ", "must have ", "isn't "} {
		if rest, is := strings.CutPrefix(reason, start); is {
			return rest
		}
	}
	if limit, is := strings.CutPrefix(reason, "has more than "); is {
		return "up to " + limit
	}
	return reason
}

// docs/columns.md lists every column as the program checks it.
func TestDocumentedColumns(t *testing.T) {
	const page = "../../docs/columns.md"
	want := newColumnsPage(t)
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil { //nolint:gosec // a page of the project
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != want {
		t.Errorf("docs/columns.md is out of date (%v). Run make gen.", err)
	}
}

// columnNotes say what a column means, by kind and column, if its name and check don't.
var columnNotes = map[string]string{
	"groups name":                  "a system administrator's later name stays",
	"users user_name":              "assigned when empty. The email address then identifies an existing account",
	"users group_id":               "required for all types except IRAD and ISAD, and for drafts optional",
	"tins tin":                     "the group gets it",
	"tins user_name":               "this user of the group gets it too",
	"providers type":               "physician, facility, ancillary, hospital",
	"providers npi":                "a wrong check digit gets a warning",
	"providers first_name":         "required for P",
	"providers last_name":          "required for P",
	"providers facility_name":      "required for F, A, H",
	"bills document_id":            "when empty, the patient control number, else the bill control number",
	"bills patient_control_number": "the document ID when empty",
	"bills bill_type":              "professional, institutional; P when empty",
	"bills frequency_code":         "1 when empty",
	"bills end_service_date":       "the begin when empty",
	"bills filing":                 "the kind of insurance",
	"bills physician_npi":          "a wrong check digit gets a warning",
	"bills facility_npi":           "a wrong check digit gets a warning",
	"bills allowance":              "the recommended allowance",
	"bills bill_status": "paid, received, priced, paid after correction, denied, void. When empty, it follows from frequency, " +
		"payment and allowance",
	"bills eor":                            "there is an explanation of review",
	"clients product_code":                 "a known product",
	"participations tin":                   "under which the provider participates",
	"participations product_code":          "a known product",
	"participations effective_date":        "always when empty",
	"participations end_date":              "open when empty",
	"exclusions tin":                       "only under this one; under all when empty",
	"exclusions effective_date":            "always when empty",
	"exclusions end_date":                  "open when empty",
	"rate_codes line_of_business":          "workers' compensation, auto",
	"allowances end_date":                  "open when empty",
	"roster_source_groups source_group_id": "the hub's own key of the group",
	"roster_source_groups group_id": "the Provider Hub Provider Group ID for display and search: the source's own id of the group," +
		" unique within the source. `source_group_id` when empty",
	"roster_source_groups admin_group": "N when empty",
	"group_sources group_id":           "a portal user group of the kind ROSTER",
	"provider_tins provider_id":        "required without `npi`",
	"provider_tins npi":                "required without `provider_id`",
	"provider_tins tin":                "the provider bills under it",
	"specialties rank":                 "1 first",
	"offices office_id":                "of this provider",
	"offices primary":                  "N when empty",
	"offices accepts_wc":               "accepts workers' compensation patients; unknown when empty",
	"office_details office_id":         "an office of this provider",
	"reason_codes list": "groups of adjustments, their reasons, remarks, adjustments of a whole payment, statuses of claims, why " +
		"the network didn't price the bill, others",
	"reason_codes code":                   "letters and digits",
	"reason_codes jurisdiction":           "its text takes precedence over the general one",
	"reason_codes title":                  "one sentence",
	"reason_codes plain":                  "more of it",
	"reason_codes advice":                 "what to do",
	"reason_codes official":               "the text of the list's owner",
	"reason_codes effective":              "first day",
	"reason_codes ended":                  "last day",
	"jurisdiction_rules line_of_business": "workers' compensation, auto",
	"jurisdiction_rules kind": "the payer's time to answer and to pay; when to follow up; the office's time to ask for reconsideration, " +
		"the payer's to answer that, the office's to dispute; when interest starts",
	"jurisdiction_rules basis": "the day counted from: service, receipt by the network or by the payer (not for the office's times), EOR " +
		"available, EOR opened, payment, case sent",
	"jurisdiction_rules amount":       "up to 3,650",
	"jurisdiction_rules next_workday": "Y moves a deadline that isn't a business day to the next one",
	"jurisdiction_rules condition":    "PUBLIC employer, outside of a certified network, contract of the network",
	"jurisdiction_rules rate_bp":      "of INTEREST: hundredths of a percent a month, up to 10,000",
	"jurisdiction_rules citation":     "the rule's citation",
	"jurisdiction_rules url":          "its text, https://",
	"jurisdiction_rules text":         "a summary of the rule",
	"jurisdiction_rules effective":    "the rule applies if the day counted from is this day or later",
	"jurisdiction_rules ended":        "the last day counted from",
	"provider_details provider_id":    "required without `npi`",
	"provider_details npi":            "required without `provider_id`",
	"specialties provider_id":         "required without `npi`",
	"specialties npi":                 "required without `provider_id`",
	"offices provider_id":             "required without `npi`",
	"offices npi":                     "required without `provider_id`",
	"office_details provider_id":      "required without `npi`",
	"office_details npi":              "required without `provider_id`",
	"licenses provider_id":            "required without `npi`",
	"licenses npi":                    "required without `provider_id`",
}

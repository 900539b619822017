package rosters

import "wcpp/internal/platform/spreadsheet"

// Column is a column of the roster template.
type Column struct {
	Name string
	// Also lists other headings that offices use for it.
	Also []string
	// Hint is the hint for people who fill in the column.
	Hint    string
	Example string
	// required says when a row must have a value.
	required need
	check    func(*row, string) (code, message string)
	max      int
	isDate   bool
}

type need int

const (
	optional need = iota
	always
	partialOnly // in a partial roster, where it names the row's action
	toList      // unless the row terminates a provider
	toEnd       // if the row terminates a provider
)

// Columns that are used in rules for a whole row.
const (
	colAction       = "Action"
	colNPI          = "NPI"
	colTIN          = "TIN"
	colLastName     = "Last Name"
	colFirstName    = "First Name"
	colOrganization = "Organization Name"
	colAddress      = "Address"
	colZIP          = "ZIP"
	colEffective    = "Effective Date"
	colTerm         = "Term Date"
)

// Template lists the columns of the roster template in order.
var Template = []Column{
	{Name: colAction, Also: []string{"A/C/T", "ACT", "Action Code", "Change Type", "Transaction", "Transaction Type", "Add/Change/Term"},
		Hint: "Partial rosters only: A add, C change, T term", Example: "A", required: partialOnly, check: isAction},
	{Name: colNPI, Also: []string{"Provider NPI", "Individual NPI", "NPI Number", "NPI #", "Type 1 NPI", "Practitioner NPI",
		"Rendering NPI", "Rendering Provider NPI", "National Provider Identifier"}, Hint: "10 digits with a valid check digit",
		Example: "1234567893", required: always, check: isNPI},
	{Name: colTIN, Also: []string{"Tax ID", "Tax ID Number", "Federal Tax ID", "FTIN", "EIN", "FEIN", "Tax ID Number (TIN)", "TIN Number",
		"Federal ID", "Federal Tax ID Number", "Tax Identification Number", "Taxpayer ID", "Taxpayer Identification Number"},
		Hint: "9 digits", Example: "987654321", required: always, check: isTIN},
	{Name: colLastName, Also: []string{"Last", "LName", "Provider Last Name", "Practitioner Last Name", "Surname", "Family Name"},
		Hint: "Practitioners only", Example: "Hand", max: 60},
	{Name: colFirstName, Also: []string{"First", "FName", "Provider First Name", "Practitioner First Name", "Given Name"},
		Hint: "Practitioners only", Example: "Lee", max: 40},
	{Name: "Middle Name", Also: []string{"Middle", "Middle Initial", "MI", "Provider Middle Name"}, Example: "K", max: 40},
	{Name: colOrganization, Also: []string{"Facility", "Facility Name", "Organization", "Legal Name", "Legal Business Name"},
		Hint: "Facilities only, instead of the names", max: 128},
	{Name: "Degree", Also: []string{"Credential", "Credentials", "Title"}, Example: "MD", max: 40},
	{Name: "Specialty", Also: []string{"Primary Specialty", "Provider Specialty"}, Example: "Orthopedic Surgery", max: 128},
	{Name: "License Number", Also: []string{"State License", "License", "License #", "State License Number", "State License #"},
		Example: "35.123456", max: 40},
	{Name: "License State", Hint: "Two letters", Example: "OH", check: isState},
	{Name: "Location Name", Also: []string{"Practice Name", "Office Name", "Group Name"}, Example: "Lakeside Orthopedic", max: 128},
	{Name: colAddress, Also: []string{"Address 1", "Address Line 1", "Street", "Street Address", "Practice Address", "Practice Address 1",
		"Service Address", "Location Address", "Office Address"}, Example: "1 Shore Rd", required: toList, max: 128},
	{Name: "Address 2", Also: []string{"Address Line 2", "Suite", "Practice Address 2"}, Example: "Suite 2", max: 128},
	{Name: "City", Also: []string{"Practice City", "Location City", "Office City"}, Example: "Cleveland", required: toList, max: 60},
	{Name: "State", Also: []string{"Practice State", "Location State", "Office State", "ST"}, Hint: "Two letters", Example: "OH",
		required: toList, check: isState},
	{Name: colZIP, Also: []string{"ZIP Code", "Postal Code", "ZIP/Postal Code", "Practice ZIP", "Practice ZIP Code", "Location ZIP",
		"Office ZIP"}, Hint: "5 or 9 digits", Example: "44114", required: toList, check: isZIPCode},
	{Name: "Phone", Also: []string{"Phone Number", "Phone #", "Telephone", "Telephone Number", "Office Phone", "Practice Phone",
		"Location Phone"}, Hint: "10 digits", Example: "216-555-0100", required: toList, check: isPhone},
	{Name: "Fax", Also: []string{"Fax Number", "Fax #", "Office Fax", "Practice Fax"}, Hint: "10 digits", check: isPhone},
	{Name: "Email", Also: []string{"Email Address", "E-mail"}, check: isEmail},
	{Name: colEffective, Also: []string{"Effective", "Start Date", "Begin Date", "Eff Date", "Eff Dt", "Provider Effective Date"},
		Hint: "MM/DD/YYYY", Example: "01/01/2026", required: toList, check: checkDate, isDate: true},
	{Name: colTerm, Also: []string{"End Date", "Termination Date", "Term Dt", "Provider Term Date"},
		Hint: "MM/DD/YYYY; required to terminate a provider", required: toEnd, check: checkDate, isDate: true},
	{Name: "Accepting New Patients", Also: []string{"Accepting Patients", "Accepts New Patients"}, Hint: "Y or N", Example: "Y",
		check: isYesNo},
	{Name: "Languages", Also: []string{"Language"}, Hint: "Separated by commas", Example: "English, Spanish", max: 200},
}

// byHeader finds a column by any spelling of its heading, and byName by its exact name.
var byHeader, byName = func() (map[string]int, map[string]int) {
	headers, names := map[string]int{}, map[string]int{}
	for i, c := range Template {
		names[c.Name] = i
		for _, name := range append([]string{c.Name}, c.Also...) {
			headers[spreadsheet.HeadingKey(name)] = i
		}
	}
	return headers, names
}()

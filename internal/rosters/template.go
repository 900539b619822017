package rosters

import (
	"strings"
	"unicode"
)

// Column is a column of the roster template.
type Column struct {
	Name string
	// Also are other headers under which offices send it.
	Also []string
	// Holds tells people what to write.
	Holds   string
	Example string
	// required says when a row must have it.
	required need
	check    func(*row, string) (code, message string)
	max      int
	isDate   bool
}

type need int

const (
	optional need = iota
	always
	partialOnly // of a partial roster, which says what to do with the row
	toList      // unless the row ends a provider
	toEnd       // when the row ends a provider
)

// The columns that rules over a whole row name.
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

// Template lists the columns of the roster template in its order.
var Template = []Column{
	{Name: colAction, Also: []string{"A/C/T", "ACT", "Action Code", "Change Type", "Transaction"}, Holds: "Partial rosters only: A add, C change, T term", Example: "A", required: partialOnly, check: isAction},
	{Name: colNPI, Also: []string{"Provider NPI", "Individual NPI", "NPI Number", "Type 1 NPI"}, Holds: "10 digits with a valid check digit", Example: "1234567893", required: always, check: isNPI},
	{Name: colTIN, Also: []string{"Tax ID", "Tax ID Number", "Federal Tax ID", "FTIN", "EIN", "Tax ID Number (TIN)"}, Holds: "9 digits", Example: "987654321", required: always, check: isTIN},
	{Name: colLastName, Also: []string{"Provider Last Name", "Surname"}, Holds: "Of a practitioner", Example: "Hand", max: 60},
	{Name: colFirstName, Also: []string{"Provider First Name", "Given Name"}, Holds: "Of a practitioner", Example: "Lee", max: 40},
	{Name: "Middle Name", Also: []string{"Middle Initial", "MI"}, Example: "K", max: 40},
	{Name: colOrganization, Also: []string{"Facility Name", "Organization", "Legal Business Name"}, Holds: "Of a facility, in place of the names", max: 128},
	{Name: "Degree", Also: []string{"Credential", "Credentials", "Title"}, Example: "MD", max: 40},
	{Name: "Specialty", Also: []string{"Primary Specialty", "Provider Specialty"}, Example: "Orthopedic Surgery", max: 128},
	{Name: "License Number", Also: []string{"State License", "License", "License #", "State License Number"}, Example: "35.123456", max: 40},
	{Name: "License State", Holds: "Two letters", Example: "OH", check: isState},
	{Name: "Location Name", Also: []string{"Practice Name", "Office Name", "Group Name"}, Example: "Lakeside Orthopedic", max: 128},
	{Name: colAddress, Also: []string{"Address 1", "Address Line 1", "Street", "Street Address", "Practice Address", "Service Address"}, Example: "1 Shore Rd", required: toList, max: 128},
	{Name: "Address 2", Also: []string{"Address Line 2", "Suite"}, Example: "Suite 2", max: 128},
	{Name: "City", Also: []string{"Practice City"}, Example: "Cleveland", required: toList, max: 60},
	{Name: "State", Also: []string{"Practice State", "ST"}, Holds: "Two letters", Example: "OH", required: toList, check: isState},
	{Name: colZIP, Also: []string{"ZIP Code", "Postal Code", "Practice ZIP"}, Holds: "5 or 9 digits", Example: "44114", required: toList, check: isZIPCode},
	{Name: "Phone", Also: []string{"Phone Number", "Telephone", "Office Phone", "Practice Phone"}, Holds: "10 digits", Example: "216-555-0100", required: toList, check: isPhone},
	{Name: "Fax", Also: []string{"Fax Number", "Office Fax"}, Holds: "10 digits", check: isPhone},
	{Name: "Email", Also: []string{"Email Address", "E-mail"}, check: isEmail},
	{Name: colEffective, Also: []string{"Start Date", "Eff Date"}, Holds: "MM/DD/YYYY", Example: "01/01/2026", required: toList, check: checkDate, isDate: true},
	{Name: colTerm, Also: []string{"End Date", "Termination Date"}, Holds: "MM/DD/YYYY; required to end a provider", required: toEnd, check: checkDate, isDate: true},
	{Name: "Accepting New Patients", Also: []string{"Accepting Patients", "Accepts New Patients"}, Holds: "Y or N", Example: "Y", check: isYesNo},
	{Name: "Languages", Also: []string{"Language"}, Holds: "Separated by commas", Example: "English, Spanish", max: 200},
}

// byHeader finds a column by any spelling of its header: case, blanks and signs
// do not count.
var byHeader = func() map[string]int {
	m := map[string]int{}
	for i, c := range Template {
		for _, name := range append([]string{c.Name}, c.Also...) {
			m[bare(name)] = i
		}
	}
	return m
}()

func bare(header string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, header)
}

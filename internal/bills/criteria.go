package bills

import (
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Criteria is one of the ways to search: ByClaim, ByClaimant,
// ByBillControlNumber or ByDocument.
type Criteria interface {
	// given tells whether anything of it was asked for.
	given() bool
	// wrong lists what is missing or cannot be.
	wrong() []problem.Field
	// condition ends the query for the bills of a TIN, which is $1; its arguments
	// are those from $2 on. Each has an index that starts with the TIN.
	condition() (rest string, args []any)
	// ask fills what the second bill system is asked.
	ask(s *SecondSearch)
}

// Window is a span of days that the service must touch.
type Window struct{ Begin, End date.Date }

// Longest window a search may ask for; the screen asks for 14 days.
const maxWindowDays = 31

func (w Window) wrong() []problem.Field {
	return problems(
		missing(w.Begin == "", "beginServiceDate", "Enter an approximate date of service."),
		missing(w.End == "", "endServiceDate", "Enter an approximate date of service."),
		missing(w.Begin != "" && w.End != "" && (w.Begin > w.End || w.End > w.Begin.AddDays(maxWindowDays)), "endServiceDate", "Enter a valid Approximate Date of Service"),
	)
}

func (w Window) ask(s *SecondSearch) { s.BeginServiceDate, s.EndServiceDate = w.Begin, w.End }

// ByClaim searches by claim number and service window.
type ByClaim struct {
	ClaimNumber string
	Window
}

func (c ByClaim) given() bool            { return c.ClaimNumber != "" }
func (c ByClaim) wrong() []problem.Field { return c.Window.wrong() }
func (c ByClaim) condition() (string, []any) {
	return `AND claim_number_key = $2 AND begin_service_date <= $3 AND end_service_date >= $4
		ORDER BY patient_last_name_key, patient_first_name_key, begin_service_date, bill_control_number_key`,
		[]any{text.Key(c.ClaimNumber), c.End, c.Begin}
}

func (c ByClaim) ask(s *SecondSearch) {
	s.ClaimNumber = c.ClaimNumber
	c.Window.ask(s)
}

// ByClaimant searches by a claimant's name and birth date, and service window.
type ByClaimant struct {
	FirstName, LastName string
	BirthDate           date.Date
	Window
}

func (c ByClaimant) given() bool { return c.FirstName != "" || c.LastName != "" || c.BirthDate != "" }

func (c ByClaimant) wrong() []problem.Field {
	return append(problems(
		missing(c.FirstName == "", "claimantFirstName", "Enter claimant's first name"),
		missing(c.LastName == "", "claimantLastName", "Enter claimant's last name"),
		missing(c.BirthDate == "", "claimantDateOfBirth", "Enter claimant's date of birth"),
	), c.Window.wrong()...)
}

func (c ByClaimant) condition() (string, []any) {
	return `AND patient_last_name_key = $2 AND patient_first_name_key = $3 AND patient_birth_date = $4
		  AND begin_service_date <= $5 AND end_service_date >= $6
		ORDER BY begin_service_date, bill_control_number_key`,
		[]any{text.Key(c.LastName), text.Key(c.FirstName), c.BirthDate, c.End, c.Begin}
}

func (c ByClaimant) ask(s *SecondSearch) {
	s.ClaimantFirstName, s.ClaimantLastName, s.ClaimantBirthDate = c.FirstName, c.LastName, c.BirthDate
	c.Window.ask(s)
}

// ByBillControlNumber searches by the number that the payer or network gave a
// bill.
type ByBillControlNumber struct{ Number string }

func (c ByBillControlNumber) given() bool            { return c.Number != "" }
func (c ByBillControlNumber) wrong() []problem.Field { return nil }
func (c ByBillControlNumber) condition() (string, []any) {
	return `AND bill_control_number_key = $2`, []any{text.Key(c.Number)}
}
func (c ByBillControlNumber) ask(s *SecondSearch) { s.BillControlNumber = c.Number }

// ByDocument searches by document ID.
type ByDocument struct{ ID string }

func (c ByDocument) given() bool            { return c.ID != "" }
func (c ByDocument) wrong() []problem.Field { return nil }
func (c ByDocument) condition() (string, []any) {
	return `AND document_id_key = $2
		ORDER BY patient_last_name_key, patient_first_name_key, begin_service_date, bill_control_number_key`, []any{text.Key(c.ID)}
}
func (c ByDocument) ask(s *SecondSearch) { s.DocumentID = c.ID }

// choose answers the one way of searching that is asked for.
func choose(ways ...Criteria) (Criteria, error) {
	var chosen []Criteria
	for _, way := range ways {
		if way.given() {
			chosen = append(chosen, way)
		}
	}
	if len(chosen) == 1 {
		return chosen[0], nil
	}
	if len(chosen) == 2 {
		_, byNumber := chosen[0].(ByBillControlNumber)
		if _, byDocument := chosen[1].(ByDocument); byNumber && byDocument {
			return nil, incomplete(problem.Field{Path: "documentId", Code: "INVALID", Message: "Enter Document ID or Bill Control Number"})
		}
	}
	return nil, incomplete(problem.Field{Code: "INVALID", Message: "Search by claim number, by claimant, or by bill ID."})
}

// check refuses criteria that ask for nothing or lack something.
func check(c Criteria) error {
	if _, err := choose(c); err != nil {
		return err
	}
	if wrong := c.wrong(); len(wrong) > 0 {
		return incomplete(wrong...)
	}
	return nil
}

func incomplete(wrong ...problem.Field) error {
	e := problem.Say(problem.Invalid, `Please enter required information for search.  Refer to "Search Help" for valid search combinations.`)
	e.Fields = wrong
	return e
}

func missing(is bool, path, message string) *problem.Field {
	if !is {
		return nil
	}
	return &problem.Field{Path: path, Code: "INVALID", Message: message}
}

func problems(found ...*problem.Field) (list []problem.Field) {
	for _, f := range found {
		if f != nil {
			list = append(list, *f)
		}
	}
	return list
}

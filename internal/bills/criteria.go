package bills

import (
	"wcpp/internal/bills/ledger"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/validate"
)

// Criteria is one of the ways to search: ByClaim, ByClaimant,
// ByBillControlNumber or ByDocument.
type Criteria interface {
	// given tells whether anything of it was asked for.
	given() bool
	// check notes what is missing or cannot be.
	check(wrong *validate.Fields)
	// conditions end the queries for the bills of a TIN, which is $1; their arguments
	// are those from $2 on. Each has an index that starts with the TIN, and no bill
	// meets two.
	conditions() []ledger.Condition
	// compare tells in which order they are shown.
	compare(a, b *Bill) int
	asker
}

// What is refused of criteria, by the area's own names.
const (
	fieldBegin     = "begin"
	fieldEnd       = "end"
	fieldFirstName = "first_name"
	fieldLastName  = "last_name"
	fieldBirthDate = "birth_date"
	fieldDocument  = "document"
	fieldClaim     = "claim"
)

const incomplete = `Please enter required information for search.  Refer to "Search Help" for valid search combinations.`

// Window is a span of days that the service must touch.
type Window struct{ Begin, End date.Date }

// Longest window a search may ask for; the screen asks for 14 days.
const maxWindowDays = 31

func (w Window) check(wrong *validate.Fields) {
	wrong.Require(w.Begin != "", fieldBegin, "Enter an approximate date of service.")
	wrong.Require(w.End != "", fieldEnd, "Enter an approximate date of service.")
	if w.Begin != "" && w.End != "" {
		wrong.Require(w.Begin <= w.End && w.End <= w.Begin.AddDays(maxWindowDays), fieldEnd, "Enter a valid Approximate Date of Service")
	}
}

func (w Window) ask(s *SecondSearch) { s.BeginServiceDate, s.EndServiceDate = w.Begin, w.End }

// ByClaim searches by claim number and service window.
type ByClaim struct {
	ClaimNumber string
	Window
}

func (c ByClaim) given() bool { return c.ClaimNumber != "" }

func (c ByClaim) ask(s *SecondSearch) {
	s.ClaimNumber = c.ClaimNumber
	c.Window.ask(s)
}

// WholeClaim asks for all bills of a claim, whatever their dates.
type WholeClaim struct{ ClaimNumber string }

func (c WholeClaim) check() error {
	if c.ClaimNumber == "" {
		return validate.RefuseField("Enter a claim number", fieldClaim, "Enter a claim number")
	}
	return nil
}

func (c WholeClaim) ask(s *SecondSearch) { s.ClaimNumber = c.ClaimNumber }

// ByClaimant searches by a claimant's name and birth date, and service window.
type ByClaimant struct {
	FirstName, LastName string
	BirthDate           date.Date
	Window
}

func (c ByClaimant) given() bool { return c.FirstName != "" || c.LastName != "" || c.BirthDate != "" }

func (c ByClaimant) check(wrong *validate.Fields) {
	wrong.Require(c.FirstName != "", fieldFirstName, "Enter claimant's first name")
	wrong.Require(c.LastName != "", fieldLastName, "Enter claimant's last name")
	wrong.Require(c.BirthDate != "", fieldBirthDate, "Enter claimant's date of birth")
	c.Window.check(wrong)
}

func (c ByClaimant) ask(s *SecondSearch) {
	s.ClaimantFirstName, s.ClaimantLastName, s.ClaimantBirthDate = c.FirstName, c.LastName, c.BirthDate
	c.Window.ask(s)
}

// ByBillControlNumber searches by the number that the payer or network gave a
// bill.
type ByBillControlNumber struct{ Number string }

func (c ByBillControlNumber) given() bool            { return c.Number != "" }
func (c ByBillControlNumber) check(*validate.Fields) {}
func (c ByBillControlNumber) ask(s *SecondSearch)    { s.BillControlNumber = c.Number }

// ByDocument searches by document ID.
type ByDocument struct{ ID string }

func (c ByDocument) given() bool            { return c.ID != "" }
func (c ByDocument) check(*validate.Fields) {}
func (c ByDocument) ask(s *SecondSearch)    { s.DocumentID = c.ID }

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
			return nil, validate.RefuseField(incomplete, fieldDocument, "Enter Document ID or Bill Control Number")
		}
	}
	return nil, validate.RefuseField(incomplete, "", "Search by claim number, by claimant, or by bill ID.")
}

// validateCriteria refuses criteria that ask for nothing or lack something.
func validateCriteria(c Criteria) error {
	if _, err := choose(c); err != nil {
		return err
	}
	var wrong validate.Fields
	c.check(&wrong)
	return wrong.Refuse(incomplete)
}

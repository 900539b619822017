package bills

import (
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/validate"
)

// Criteria is one of the ways to search: ByClaim, ByClaimant, ByBillControlNumber or ByDocument.
type Criteria interface {
	// isSet reports whether any of the criteria is set.
	isSet() bool
	// check adds errors for missing or invalid fields.
	check(wrong *validate.Fields)
	// conditions complete the queries for the bills of a TIN, which is $1. Their arguments start
	// at $2. Each uses an index that starts with the TIN, and no bill matches two.
	conditions() []ledger.Condition
	// compare sorts the results.
	compare(a, b *Bill) int
	searchCriteria
}

// Problem messages for criteria, with the domain's field names.
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

// Window is a range of days that the service must overlap.
type Window struct{ Begin, End date.Date }

// The longest window for a search; the screen uses 14 days.
const maxWindowDays = 31

func (w Window) check(wrong *validate.Fields) {
	wrong.Require(w.Begin != "", fieldBegin, "Enter an approximate date of service.")
	wrong.Require(w.End != "", fieldEnd, "Enter an approximate date of service.")
	if w.Begin != "" && w.End != "" {
		wrong.Require(w.Begin <= w.End && w.End <= w.Begin.AddDays(maxWindowDays), fieldEnd, "Enter a valid Approximate Date of Service")
	}
}

func (w Window) fillSearch(q *secondsystem.Query) {
	q.BeginServiceDate, q.EndServiceDate = w.Begin, w.End
}

// ByClaim searches by claim number and service window.
type ByClaim struct {
	ClaimNumber string
	Window
}

func (c ByClaim) isSet() bool { return c.ClaimNumber != "" }

func (c ByClaim) fillSearch(q *secondsystem.Query) {
	q.ClaimNumber = c.ClaimNumber
	c.Window.fillSearch(q)
}

// WholeClaim finds all the bills of a claim, regardless of their dates.
type WholeClaim struct{ ClaimNumber string }

func (c WholeClaim) check() error {
	if c.ClaimNumber == "" {
		return validate.RefuseField("Enter a claim number", fieldClaim, "Enter a claim number")
	}
	return nil
}

func (c WholeClaim) fillSearch(q *secondsystem.Query) { q.ClaimNumber = c.ClaimNumber }

// ByClaimant searches by a claimant's name, birth date and service window.
type ByClaimant struct {
	FirstName, LastName string
	BirthDate           date.Date
	Window
}

func (c ByClaimant) isSet() bool { return c.FirstName != "" || c.LastName != "" || c.BirthDate != "" }

func (c ByClaimant) check(wrong *validate.Fields) {
	wrong.Require(c.FirstName != "", fieldFirstName, "Enter claimant's first name")
	wrong.Require(c.LastName != "", fieldLastName, "Enter claimant's last name")
	wrong.Require(c.BirthDate != "", fieldBirthDate, "Enter claimant's date of birth")
	c.Window.check(wrong)
}

func (c ByClaimant) fillSearch(q *secondsystem.Query) {
	q.ClaimantFirstName, q.ClaimantLastName, q.ClaimantDateOfBirth = c.FirstName, c.LastName, c.BirthDate
	c.Window.fillSearch(q)
}

// ByBillControlNumber searches by the payer's or network's number of a bill.
type ByBillControlNumber struct{ Number string }

func (c ByBillControlNumber) isSet() bool                      { return c.Number != "" }
func (c ByBillControlNumber) check(*validate.Fields)           {}
func (c ByBillControlNumber) fillSearch(q *secondsystem.Query) { q.BillControlNumber = c.Number }

// ByDocument searches by document ID.
type ByDocument struct{ ID string }

func (c ByDocument) isSet() bool                      { return c.ID != "" }
func (c ByDocument) check(*validate.Fields)           {}
func (c ByDocument) fillSearch(q *secondsystem.Query) { q.DocumentID = c.ID }

// choose returns the only way to search that is given.
func choose(ways ...Criteria) (Criteria, error) {
	var chosen []Criteria
	for _, way := range ways {
		if way.isSet() {
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

// validateCriteria rejects empty and incomplete criteria.
func validateCriteria(c Criteria) error {
	if _, err := choose(c); err != nil {
		return err
	}
	var wrong validate.Fields
	c.check(&wrong)
	return wrong.Refuse(incomplete)
}

// searchCriteria fills a search request to the second bill system.
type searchCriteria interface{ fillSearch(q *secondsystem.Query) }

// makeQuery returns the criteria as a search of the second bill system.
func makeQuery(c searchCriteria) (q secondsystem.Query) {
	c.fillSearch(&q)
	return q
}

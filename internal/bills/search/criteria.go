package search

import (
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Query are the criteria of a search. The second bill system has the same.
type Query = secondsystem.Query

// way is a way to search: the criteria it needs, and how they find bills. A search uses one.
type way struct {
	fields  []criterion
	isDated bool // it also needs the service dates
	match   func(q Query) match
	// compare sorts the results.
	compare func(q Query, a, b *record.Bill) int
}

// criterion is a field of a query.
type criterion struct {
	at      func(q *Query) *string
	name    string // in requests
	missing string // message if others of its way are set
}

// ways are all ways to search. To search by another number of a bill, add a line here and the
// field of Query.
var ways = []way{
	byNumber("claim_number_key", func(q *Query) *string { return &q.ClaimNumber }, true, compareNameAndService),
	{
		fields: []criterion{
			{func(q *Query) *string { return &q.ClaimantFirstName }, "claimantFirstName", "Enter claimant's first name"},
			{func(q *Query) *string { return &q.ClaimantLastName }, "claimantLastName", "Enter claimant's last name"},
			{func(q *Query) *string { return (*string)(&q.ClaimantDateOfBirth) }, "claimantDateOfBirth", "Enter claimant's date of birth"},
		},
		isDated: true, match: matchClaimant, compare: compareSpelling,
	},
	byNumber("bill_control_number_key", func(q *Query) *string { return &q.BillControlNumber }, false, compareService),
	byNumber("document_id_key", func(q *Query) *string { return &q.DocumentID }, false, compareNameAndService),
}

// byNumber is the way to search by a number in a column.
func byNumber(column string, at func(q *Query) *string, isDated bool, compare func(q Query, a, b *record.Bill) int) way {
	return way{fields: []criterion{{at: at}}, isDated: isDated, compare: compare, match: func(q Query) match {
		if isDated {
			return matchNumber(column, *at(&q), inWindow, q.EndServiceDate, q.BeginServiceDate)
		}
		return matchNumber(column, *at(&q), "")
	}}
}

// criteria is a query with only the values of the way it uses.
type criteria struct {
	*way
	Query
}

const incomplete = `Please enter required information for search.  Refer to "Search Help" for valid search combinations.`

// choose returns the only way to search that a query uses. Its numbers may be pasted from the portal.
func choose(q Query) (criteria, error) {
	var chosen []criteria
	for i := range ways {
		c := criteria{way: &ways[i]}
		isUsed := false
		for _, k := range c.fields {
			*k.at(&c.Query) = text.Clean(*k.at(&q))
			isUsed = isUsed || *k.at(&c.Query) != ""
		}
		if isUsed {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 1 {
		c := chosen[0]
		c.BillControlNumber, _ = SplitReference(c.BillControlNumber)
		if _, document := SplitReference(c.DocumentID); document != "" {
			c.DocumentID = document
		}
		if c.isDated {
			c.BeginServiceDate, c.EndServiceDate = q.BeginServiceDate, q.EndServiceDate
		}
		return c, nil
	}
	if len(chosen) == 2 && chosen[0].BillControlNumber != "" && chosen[1].DocumentID != "" {
		return criteria{}, validate.RefuseField(incomplete, "documentId", "Enter Document ID or Bill Control Number")
	}
	return criteria{}, validate.RefuseField(incomplete, "", "Search by claim number, by claimant, or by bill ID.")
}

// The longest window for a search; the screen uses 14 days.
const maxWindowDays = 31

// check rejects incomplete criteria. The service must overlap the window of service dates.
func (c criteria) check() error {
	var wrong validate.Fields
	for _, k := range c.fields {
		wrong.Require(*k.at(&c.Query) != "", k.name, k.missing)
	}
	if begin, end := c.BeginServiceDate, c.EndServiceDate; c.isDated {
		wrong.Require(begin != "", "beginServiceDate", "Enter an approximate date of service.")
		wrong.Require(end != "", "endServiceDate", "Enter an approximate date of service.")
		if begin != "" && end != "" {
			wrong.Require(begin <= end && end <= begin.AddDays(maxWindowDays), "endServiceDate",
				"Enter a valid Approximate Date of Service")
		}
	}
	return wrong.Refuse(incomplete)
}

package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// match finds bills of a TIN, which is $1. Each of its conditions uses an index that starts with
// the TIN, and no bill meets two.
type match struct {
	conditions []string // start with AND; their arguments start at $2
	args       []any
}

// query returns one statement for all conditions, so that it takes one round trip and a bill
// that changes meanwhile is found once.
func (m match) query(columns string) string {
	parts := make([]string, len(m.conditions))
	for i, c := range m.conditions {
		parts[i] = "SELECT " + columns + " FROM bills WHERE ftin = $1 " + c
	}
	return strings.Join(parts, " UNION ALL ")
}

func (m match) argsOf(ftin string) []any { return append([]any{ftin}, m.args...) }

// matchNumber finds a number with any hyphens and spaces, regardless of how it's stored.
func matchNumber(column, number, and string, args ...any) match {
	keys := store.FoldNumbers(number)
	if len(keys) == 0 {
		return match{[]string{"AND " + column + " = $2" + and}, append([]any{text.Key(number)}, args...)}
	}
	m, numbers := match{args: append([]any{keys[0]}, args...)}, "$2"
	for _, key := range keys[1:] {
		m.args = append(m.args, key)
		numbers += ", " + db.In(len(m.args)+1, 1)
	}
	for _, is := range store.NumberConditions(column, numbers) {
		m.conditions = append(m.conditions, "AND "+is+and)
	}
	return m
}

const inWindow = " AND begin_service_date <= $3 AND end_service_date >= $4"

// makeClaimant returns the claimant of a query.
func makeClaimant(q Query) store.Claimant {
	return store.Claimant{LastName: q.ClaimantLastName, FirstName: q.ClaimantFirstName, BirthDate: q.ClaimantDateOfBirth}
}

func matchClaimant(q Query) match {
	m := match{args: []any{q.ClaimantDateOfBirth, q.EndServiceDate, q.BeginServiceDate}}
	for i := range makeClaimant(q).NameConditions(0) {
		named := makeClaimant(q).NameConditions(len(m.args) + 2)[i]
		m.conditions = append(m.conditions, "AND patient_birth_date = $2"+inWindow+" AND "+named.SQL)
		m.args = append(m.args, named.Args...)
	}
	return m
}

// compareSpelling sorts bills with the exact name first.
func compareSpelling(q Query, a, b *record.Bill) int {
	claimant := makeClaimant(q)
	spelled := func(b *record.Bill) int { return rank(claimant.IsSpelled(b.PatientLastName, b.PatientFirstName)) }
	return cmp.Or(spelled(a)-spelled(b), compareService(q, a, b))
}

func compareNameAndService(q Query, a, b *record.Bill) int {
	return cmp.Or(
		strings.Compare(text.Key(a.PatientLastName), text.Key(b.PatientLastName)),
		strings.Compare(text.Key(a.PatientFirstName), text.Key(b.PatientFirstName)),
		compareService(q, a, b))
}

func compareService(_ Query, a, b *record.Bill) int {
	return cmp.Or(strings.Compare(string(a.BeginServiceDate), string(b.BeginServiceDate)), strings.Compare(a.Key(), b.Key()))
}

// answered are the columns in a search result. Reading other columns of twenty rows would take
// longer than finding them.
var answered = record.ResultColumns()

var answeredList = answered.List("")

// search returns bills with only the columns of search results.
func search(ctx context.Context, q db.Queryer, scope access.Scope, ftin string, c criteria) ([]record.Bill, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	m := c.match(c.Query)
	found, err := answered.Query(ctx, q, m.query(answeredList), m.argsOf(ftin)...)
	if c.BillControlNumber != "" && err == nil && len(found) == 0 {
		return findByShownNumber(ctx, q, ftin, c.BillControlNumber)
	}
	slices.SortFunc(found, func(a, b record.Bill) int { return c.compare(c.Query, &a, &b) })
	return found, err
}

// findByShownNumber finds a bill by a former number in any notation.
func findByShownNumber(ctx context.Context, q db.Queryer, ftin, number string) ([]record.Bill, error) {
	hits, err := store.FindByFormerNumbers(ctx, q, []string{ftin}, store.FoldNumbers(number))
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	first := slices.MinFunc(hits, func(a, b store.Hit) int { return strings.Compare(a.Bill, b.Bill) })
	return answered.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, ftin, first.Bill)
}

func selectSample(ctx context.Context, q db.Queryer, scope access.Scope, ftin string, n int) ([]record.Bill, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	return store.Bills.Select(ctx, q, `
		WHERE ftin = $1 AND claim_number_key > '' ORDER BY claim_number_key, begin_service_date LIMIT $2`, ftin, n)
}

// hasBill reports whether a TIN has any bill, or one with a number.
func hasBill(ctx context.Context, q db.Queryer, ftin, number string) (bool, error) {
	m := match{conditions: []string{""}}
	if number != "" {
		m = matchNumber("bill_control_number_key", number, "")
	}
	var found []string
	err := db.Select(ctx, q, &found, m.query("ftin")+" LIMIT 1", m.argsOf(ftin)...)
	return len(found) > 0, err
}

package bills

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// matchNumber finds a number with any hyphens and spaces, regardless of how it's stored.
func matchNumber(column, number, and string, args ...any) []ledger.Condition {
	key := ledger.FoldNumber(number)
	if key == "" {
		return []ledger.Condition{{SQL: "AND " + column + " = $2" + and, Args: append([]any{text.Key(number)}, args...)}}
	}
	var list []ledger.Condition
	for _, is := range ledger.NumberConditions(column, "$2") {
		list = append(list, ledger.Condition{SQL: "AND " + is + and, Args: append([]any{key}, args...)})
	}
	return list
}

const inWindow = " AND begin_service_date <= $3 AND end_service_date >= $4"

func (c ByClaim) conditions() []ledger.Condition {
	return matchNumber("claim_number_key", c.ClaimNumber, inWindow, c.End, c.Begin)
}

func (c ByClaim) compare(a, b *Bill) int { return compareNameAndService(a, b) }

func (c ByClaimant) conditions() []ledger.Condition {
	claimant := ledger.Claimant{LastName: c.LastName, FirstName: c.FirstName, BirthDate: c.BirthDate}
	var list []ledger.Condition
	for _, named := range claimant.NameConditions(5) {
		list = append(list, ledger.Condition{
			SQL:  "AND patient_birth_date = $2" + inWindow + " AND " + named.SQL,
			Args: append([]any{c.BirthDate, c.End, c.Begin}, named.Args...),
		})
	}
	return list
}

// compare sorts bills with the exact name first.
func (c ByClaimant) compare(a, b *Bill) int {
	claimant := ledger.Claimant{LastName: c.LastName, FirstName: c.FirstName}
	spelled := func(b *Bill) int { return rank(claimant.IsSpelled(b.PatientLastName, b.PatientFirstName)) }
	return cmp.Or(spelled(a)-spelled(b), compareService(a, b))
}

func (c ByBillControlNumber) conditions() []ledger.Condition {
	return matchNumber("bill_control_number_key", c.Number, "")
}

func (c ByBillControlNumber) compare(a, b *Bill) int { return compareService(a, b) }

func (c ByDocument) conditions() []ledger.Condition { return matchNumber("document_id_key", c.ID, "") }

func (c ByDocument) compare(a, b *Bill) int { return compareNameAndService(a, b) }

func compareNameAndService(a, b *Bill) int {
	return cmp.Or(
		strings.Compare(text.Key(a.PatientLastName), text.Key(b.PatientLastName)),
		strings.Compare(text.Key(a.PatientFirstName), text.Key(b.PatientFirstName)),
		compareService(a, b))
}

func compareService(a, b *Bill) int {
	return cmp.Or(strings.Compare(string(a.BeginServiceDate), string(b.BeginServiceDate)), strings.Compare(a.Key(), b.Key()))
}

// answered are the columns in a search result. Reading other columns of twenty rows would take
// longer than finding them.
var answered = ledger.Bills.Only("ftin", "bill_control_number", "document_id", "billing_id", "claim_number",
	"patient_first_name", "patient_middle_name", "patient_last_name", "begin_service_date", "end_service_date", "date_of_injury",
	"physician_first_name", "physician_middle_name", "physician_last_name", "facility_name", "payer_id", "payer_name",
	"bill_charges", "recommended_allowance", "bill_status", "pricing_sheet", "eor", "paid_amount", "paid_date", "check_number",
	"open_state", "replaced_by")

// search returns bills with only the columns of search results.
func search(ctx context.Context, q db.Queryer, scope access.Scope, ftin string, c Criteria) ([]Bill, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	found, err := selectAll(ctx, q, answered, ftin, c.conditions())
	if byNumber, is := c.(ByBillControlNumber); is && err == nil && len(found) == 0 {
		return findByShownNumber(ctx, q, ftin, byNumber.Number)
	}
	slices.SortFunc(found, func(a, b Bill) int { return c.compare(&a, &b) })
	return found, err
}

// selectAll returns the bills of a TIN that meet any of the conditions, each once.
func selectAll(ctx context.Context, q db.Queryer, bills *db.Table[Bill], ftin string, conditions []ledger.Condition) ([]Bill, error) {
	var list []Bill
	for _, c := range conditions {
		found, err := bills.Select(ctx, q, "WHERE ftin = $1 "+c.SQL, append([]any{ftin}, c.Args...)...)
		if err != nil {
			return nil, err
		}
		list = ledger.AddBills(list, found)
	}
	return list, nil
}

// findByShownNumber finds a bill by a former number in any notation.
func findByShownNumber(ctx context.Context, q db.Queryer, ftin, number string) ([]Bill, error) {
	key := ledger.FoldNumber(number)
	if key == "" {
		return nil, nil
	}
	hits, err := ledger.FindByFormerNumbers(ctx, q, []string{ftin}, []string{key})
	if err != nil || len(hits) == 0 {
		return nil, err
	}
	first := slices.MinFunc(hits, func(a, b ledger.Hit) int { return strings.Compare(a.Bill, b.Bill) })
	return answered.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, ftin, first.Bill)
}

func selectSample(ctx context.Context, q db.Queryer, scope access.Scope, ftin string, n int) ([]Bill, error) {
	if !scope.Has(ftin) {
		return nil, nil
	}
	return ledger.Bills.Select(ctx, q, `
		WHERE ftin = $1 AND claim_number_key > '' ORDER BY claim_number_key, begin_service_date LIMIT $2`, ftin, n)
}

// hasBill reports whether a TIN has any bill, or one with a number.
func hasBill(ctx context.Context, q db.Queryer, ftin, number string) (bool, error) {
	ways := []ledger.Condition{{}}
	if number != "" {
		ways = matchNumber("bill_control_number_key", number, "")
	}
	for _, way := range ways {
		var found []string
		err := db.Select(ctx, q, &found, `SELECT ftin FROM bills WHERE ftin = $1 `+way.SQL+` LIMIT 1`, append([]any{ftin}, way.Args...)...)
		if err != nil || len(found) > 0 {
			return len(found) > 0, err
		}
	}
	return false, nil
}

// withEORs marks bills that have only a paper EOR as having an EOR.
func (s *Service) withEORs(ctx context.Context, found []Bill) error {
	without := map[string][]string{}
	for _, b := range found {
		if !b.EOR && !b.PricingSheet {
			without[b.FTIN] = append(without[b.FTIN], b.Key())
		}
	}
	for ftin, keys := range without {
		has, err := ledger.SelectKeysWithPaper(ctx, s.db.Reader, ftin, ledger.EORPaper, keys)
		if err != nil {
			return err
		}
		for i := range found {
			if found[i].FTIN == ftin && has[found[i].Key()] {
				found[i].EOR = true
			}
		}
	}
	return nil
}

package record

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// GetByKey returns the bill of a TIN in scope with a number's key, which can be a former one. It
// returns db.ErrNotFound if there's none.
func GetByKey(ctx context.Context, q db.Queryer, scope access.Scope, ftin, key string) (Bill, error) {
	if !scope.Has(ftin) {
		return Bill{}, db.ErrNotFound
	}
	b, err := store.Bills.Get(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, ftin, key)
	if errors.Is(err, db.ErrNotFound) {
		found, err := findByFormerNumber(ctx, q, ftin, key)
		if err != nil || len(found) == 0 {
			return Bill{}, cmp.Or(err, db.ErrNotFound)
		}
		return found[0], nil
	}
	return b, err
}

// GetDetailed returns a bill with its details.
func GetDetailed(ctx context.Context, q db.Queryer, b Bill) (Detailed, error) {
	detail, err := store.GetDetail(ctx, q, b)
	return Detailed{Bill: b, Detail: detail}, err
}

// findByFormerNumber finds the bill with a former key.
func findByFormerNumber(ctx context.Context, q db.Queryer, ftin, key string) ([]Bill, error) {
	key, err := store.FindCurrentKey(ctx, q, ftin, key)
	if err != nil || key == "" {
		return nil, err
	}
	return store.Bills.Select(ctx, q, `WHERE ftin = $1 AND bill_control_number_key = $2`, ftin, key)
}

// ListClaimBills finds the bills of a claim under the TINs in scope, latest service first.
func ListClaimBills(ctx context.Context, q db.Queryer, scope access.Scope, claimNumber string, limit int) ([]Bill, error) {
	tins := scope.TINs()
	if len(tins) == 0 {
		return nil, nil
	}
	keys, column := store.FoldNumbers(claimNumber), "claim_number_key"
	args := append([]any{limit}, db.Args(tins)...)
	var ways []string
	if len(keys) == 0 {
		keys, ways = []string{text.Key(claimNumber)}, []string{column + " = " + db.In(len(args)+1, 1)}
	} else {
		ways = store.NumberConditions(column, db.In(len(args)+1, len(keys)))
	}
	args = append(args, db.Args(keys)...)
	var list []Bill
	for _, is := range ways {
		found, err := store.Bills.Select(ctx, q, `
			WHERE ftin IN (`+db.In(2, len(tins))+`) AND `+is+`
			ORDER BY begin_service_date DESC, ftin, bill_control_number_key LIMIT $1`, args...)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	slices.SortFunc(list, func(a, b Bill) int {
		return cmp.Or(strings.Compare(string(b.BeginServiceDate), string(a.BeginServiceDate)), strings.Compare(a.FTIN, b.FTIN),
			strings.Compare(a.Key(), b.Key()))
	})
	return list[:min(len(list), limit)], nil
}

// ListPapers returns the paper documents of a bill. It marks a bill that has only a paper EOR as
// having an EOR.
func ListPapers(ctx context.Context, q db.Queryer, b *Bill) ([]facts.Paper, error) {
	papers, err := store.ListPapers(ctx, q, *b)
	if _, is := facts.FindLatestPaper(papers, EOR); is && !b.PricingSheet {
		b.EOR = true
	}
	return papers, err
}

// maxChanges is how many changes of a bill its page and certificate use.
const maxChanges = 200

// ListChanges returns the changes of a bill that its page and certificate use, oldest first.
func ListChanges(ctx context.Context, q db.Queryer, b Bill) ([]facts.Change, error) {
	return store.ListChanges(ctx, q, b, maxChanges)
}

// ListFormerNumbers returns the former numbers of a bill in upper case.
func ListFormerNumbers(ctx context.Context, q db.Queryer, b Bill, e derive.Explanation) (former []string, err error) {
	keys, err := store.FormerNumbers(ctx, q, b.FTIN, append([]string{b.Fact}, e.Derived.Facts()...))
	for _, key := range keys {
		if key != b.Key() {
			former = append(former, strings.ToUpper(key))
		}
	}
	return former, err
}

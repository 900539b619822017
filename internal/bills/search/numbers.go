package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
)

// By is the kind of number that found a bill.
type By string

// The kinds, in the order in which a bulk lookup tries them.
const (
	ByNumber   By = "billControlNumber"
	ByFormer   By = "formerNumber"
	ByDocID    By = "documentId"
	ByAccount  By = "patientControlNumber"
	ByPayer    By = "payerControlNumber"
	ByClaimDay By = "claimNumber"
	ByPerson   By = "claimant"
	ByCheck    By = "checkNumber"
)

// Schema describes the kinds.
func (By) Schema(huma.Registry) *huma.Schema {
	return httpapi.Enum("Kind of number that matched. Empty for the second bill system",
		ByNumber, ByFormer, ByDocID, ByAccount, ByPayer, ByCheck, ByClaimDay, ByPerson, "")
}

// Finder finds bills by numbers in their store.FoldNumbers forms.
type Finder = func(ctx context.Context, q db.Queryer, tins, numbers []string) ([]store.Hit, error)

// numberKinds are the ways to find bills by any kind of number.
var numberKinds = []struct {
	by   By
	find Finder
}{
	{ByNumber, store.FindByNumbers}, {ByFormer, store.FindByFormerNumbers}, {ByDocID, store.FindByDocuments},
	{ByAccount, store.FindByAccounts},
	{ByPayer, store.FindByPayerNumbers}, {ByCheck, findByChecks}, {ByClaimDay, store.FindByClaims},
}

func findByChecks(ctx context.Context, q db.Queryer, tins, checks []string) ([]store.Hit, error) {
	keys := make([]string, len(checks))
	for i, check := range checks {
		keys[i] = facts.CheckKey(check)
	}
	return store.FindByChecks(ctx, q, tins, keys, nil)
}

// SplitReference splits a bill number and its document ID, in the portal's format: 7000001080 /
// 202506080000011. Anything else is only a number.
func SplitReference(typed string) (number, document string) {
	number, document, is := strings.Cut(typed, " / ")
	if !is || strings.Contains(document, "/") || strings.TrimSpace(number) == "" || strings.TrimSpace(document) == "" {
		return typed, ""
	}
	return strings.TrimSpace(number), strings.TrimSpace(document)
}

// SortByService removes duplicates and sorts by latest service first.
func SortByService(hits []store.Hit) []store.Hit {
	slices.SortFunc(hits, func(a, b store.Hit) int {
		return cmp.Or(strings.Compare(string(b.BeginOn), string(a.BeginOn)), strings.Compare(a.FTIN, b.FTIN),
			strings.Compare(a.Bill, b.Bill))
	})
	return slices.CompactFunc(hits, func(a, b store.Hit) bool { return a.FTIN == b.FTIN && a.Bill == b.Bill })
}

// SortSpelled moves bills with exactly a claimant's name before those with a similar name.
func SortSpelled(hits []store.Hit, claimants ...store.Claimant) {
	isSpelled := func(h store.Hit) bool {
		return slices.ContainsFunc(claimants, func(c store.Claimant) bool { return c.IsSpelled(h.LastName, h.FirstName) })
	}
	slices.SortStableFunc(hits, func(a, b store.Hit) int { return rank(isSpelled(a)) - rank(isSpelled(b)) })
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// MaxFound is how many bills one number can find.
const MaxFound = 20

// SelectBills returns the first bills of hits, in order, and whether there are more.
func SelectBills(ctx context.Context, q db.Queryer, hits []store.Hit) (found []record.Bill, more bool, err error) {
	hits, more = truncate(hits)
	list, err := store.SelectHitBills(ctx, q, hits)
	if err != nil {
		return nil, false, err
	}
	for _, h := range hits {
		if at := slices.IndexFunc(list, func(b record.Bill) bool { return b.FTIN == h.FTIN && b.Key() == h.Bill }); at >= 0 {
			found = append(found, list[at])
		}
	}
	return found, more, nil
}

func truncate[B any](found []B) ([]B, bool) {
	if len(found) > MaxFound {
		return found[:MaxFound], true
	}
	return found, false
}

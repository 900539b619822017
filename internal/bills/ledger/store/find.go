package store

import (
	"context"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/text"
)

// Hit is a bill found by a number.
type Hit struct {
	FTIN    string
	Bill    string // key of its number
	Number  string // the number it was found by, without hyphens and spaces
	BeginOn date.Date
	EndOn   date.Date
	// ReplacedBy is the key of the bill that replaced it.
	ReplacedBy string

	Account            string // patient account number in the payment, if found by check
	PayerControlNumber string // payer's number in the payment, if found by that
	FormerNumber       string
	LastName           string // found by claimant
	FirstName          string
	BirthDate          date.Date
	Name               string // key of both names; empty until it's set
}

// Claimant is the patient of a bill: a name, compared by package names, and the birth date.
type Claimant struct {
	LastName, FirstName string
	BirthDate           date.Date
}

func (c Claimant) name() names.Name { return names.Of(c.LastName, c.FirstName) }

// IsSpelled reports whether a name equals the claimant's exactly, in any case.
func (c Claimant) IsSpelled(lastName, firstName string) bool {
	return text.Key(c.LastName) == text.Key(lastName) && text.Key(c.FirstName) == text.Key(firstName)
}

// Is reports whether a bill found by a claimant search is for this claimant.
func (c Claimant) Is(h Hit) bool {
	return c.BirthDate == h.BirthDate && (c.IsSpelled(h.LastName, h.FirstName) || slices.Contains(c.name().Keys(), h.Name))
}

// FoldNumber folds a number for searching: no case, hyphens or spaces. Placeholders for a missing
// number become empty.
func FoldNumber(s string) string {
	if facts.FoldOrEmpty(s) == "" {
		return ""
	}
	return text.Key(text.TIN(s))
}

// FoldNumbers returns the forms of a number to search for. Its second form, if any, keeps the dashes that aren't
// hyphens, as the search indexes do.
func FoldNumbers(s string) []string {
	folded := FoldNumber(s)
	if folded == "" {
		return nil
	}
	return slices.Compact([]string{folded, facts.NumberKey(s)})
}

// MaxHits is how many bills a lookup counts. A search by a bill's own number returns one more at most.
const MaxHits = 100

// numbersPerQuery is how many numbers one statement searches.
const numbersPerQuery = 200

// maxPerKey is how many bills an account, a claim, a claimant, a payer's number or a check can find. It's higher
// because the caller filters them by day or account.
const maxPerKey = 1_000

// perAccount is how many payments with one patient account number a check can have.
const perAccount = 10

// searchChunks searches the keys in chunks. If a chunk finds more than most per key, it tries
// smaller chunks. Only a single key may exceed the limit.
func searchChunks[K any](keys []K, atOnce, most int, find func(chunk []K, limit int) ([]Hit, error)) ([]Hit, error) {
	var all []Hit
	for chunk := range slices.Chunk(keys, atOnce) {
		found, err := find(chunk, most*len(chunk)+1)
		if err == nil && len(found) > most*len(chunk) && len(chunk) > 1 {
			found, err = searchChunks(chunk, (len(chunk)+1)/2, most, find)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// FindByNumbers finds bills by their current numbers in FoldNumber form, like the functions
// below.
func FindByNumbers(ctx context.Context, q db.Queryer, tins, numbers []string) ([]Hit, error) {
	return hits(ctx, q, tins, numbers, MaxHits, hitsByNumber)
}

// FindByFormerNumbers finds bills by their former numbers.
func FindByFormerNumbers(ctx context.Context, q db.Queryer, tins, numbers []string) ([]Hit, error) {
	return hits(ctx, q, tins, numbers, MaxHits, hitsByFormer)
}

// FindByDocuments finds bills by document IDs.
func FindByDocuments(ctx context.Context, q db.Queryer, tins, ids []string) ([]Hit, error) {
	return hits(ctx, q, tins, ids, MaxHits, hitsByDocument)
}

// FindByAccounts finds bills by patient account numbers.
func FindByAccounts(ctx context.Context, q db.Queryer, tins, accounts []string) ([]Hit, error) {
	return hits(ctx, q, tins, accounts, maxPerKey, hitsByAccount)
}

// FindByClaims finds bills by claim numbers.
func FindByClaims(ctx context.Context, q db.Queryer, tins, claims []string) ([]Hit, error) {
	return hits(ctx, q, tins, claims, maxPerKey, hitsByClaim)
}

// FindByPayerNumbers finds bills by the payers' claim numbers, current or former. Links also
// contain the network's numbers, because payments can repeat them.
func FindByPayerNumbers(ctx context.Context, q db.Queryer, tins, numbers []string) ([]Hit, error) {
	linked := make([]string, len(numbers))
	for i, n := range numbers {
		linked[i] = facts.ByNumber + n
	}
	found, err := hits(ctx, q, tins, linked, maxPerKey, hitsByLink)
	for i := range found {
		found[i].Number = strings.TrimPrefix(found[i].Number, facts.ByNumber)
	}
	return slices.DeleteFunc(found, func(h Hit) bool {
		return h.Number != facts.NumberKey(h.PayerControlNumber) && h.Number != facts.NumberKey(h.FormerNumber)
	}), err
}

// FindByChecks finds bills by their checks, with numbers in CheckKey form. If accounts are
// given, it returns only payments with one of these patient account numbers.
func FindByChecks(ctx context.Context, q db.Queryer, tins, checks, accounts []string) ([]Hit, error) {
	numbers := slices.DeleteFunc(slices.Clone(checks), func(check string) bool { return check == "" })
	return hits(ctx, q, tins, numbers, max(maxPerKey, perAccount*len(accounts)), hitsByCheck(accounts))
}

// FindByClaimants finds bills by the claimants' names and birth dates.
func FindByClaimants(ctx context.Context, q db.Queryer, tins []string, claimants []Claimant) ([]Hit, error) {
	return searchChunks(claimants, claimantsPerQuery, maxPerKey, func(chunk []Claimant, limit int) ([]Hit, error) {
		return findClaimantHits(ctx, q, tins, chunk, limit)
	})
}

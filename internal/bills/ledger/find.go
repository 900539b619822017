package ledger

import (
	"context"
	"maps"
	"slices"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// Hit is a bill that is found by a number.
type Hit struct {
	FTIN    string
	Bill    string // key of its number
	Number  string // by which it is found, as Bare writes it
	BeginOn date.Date
	EndOn   date.Date
	// ReplacedBy is the key of the bill that took its place.
	ReplacedBy string

	Account            string // by check: the office's number that the payment tells
	PayerControlNumber string // by payer's number: that the payment tells
	FormerNumber       string
	LastName           string // by claimant: folded
	FirstName          string
	BirthDate          date.Date
}

// Claimant is whom the bill is about, of one that is found by that.
func (h Hit) Claimant() Claimant { return Claimant{h.LastName, h.FirstName, h.BirthDate} }

// Claimant is whom a bill is about: names in any case, and the birth date.
type Claimant struct {
	LastName, FirstName string
	BirthDate           date.Date
}

// Key is the claimant with the names folded.
func (c Claimant) Key() Claimant {
	return Claimant{text.Key(c.LastName), text.Key(c.FirstName), c.BirthDate}
}

// Bare folds a number for finding: without case, hyphens and spaces. What stands for
// a missing one is empty.
func Bare(s string) string {
	if number(s) == "" {
		return ""
	}
	return text.Key(text.TIN(s))
}

// MostHits is how many bills one number is answered with.
const MostHits = 100

// lookedUpAtOnce is how many numbers one statement asks for.
const lookedUpAtOnce = 200

// inChunks asks for the bills of keys. Where they have more than MostHits each, fewer
// keys are asked for at once, until one alone may have more.
func inChunks[K any](keys []K, ask func(chunk []K, limit int) ([]Hit, error)) ([]Hit, error) {
	var all []Hit
	for chunk := range slices.Chunk(keys, lookedUpAtOnce) {
		most := MostHits * len(chunk)
		found, err := ask(chunk, most+1)
		if err == nil && len(found) > most {
			if half := len(chunk) / 2; half > 0 {
				found, err = inChunks(chunk[:half], ask)
				if err == nil {
					var others []Hit
					others, err = inChunks(chunk[half:], ask)
					found = append(found, others...)
				}
			}
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// OfNumbers finds bills by the numbers that they have, as Bare writes them. So do the
// others.
func OfNumbers(ctx context.Context, q db.Queryer, tins, numbers []string) ([]Hit, error) {
	return hits(ctx, q, tins, numbers, nil, hitsByNumber)
}

// OfFormerNumbers finds bills by numbers under which they were shown before.
func OfFormerNumbers(ctx context.Context, q db.Queryer, tins, numbers []string) ([]Hit, error) {
	return hits(ctx, q, tins, numbers, nil, hitsByFormer)
}

// OfDocuments finds bills by document IDs.
func OfDocuments(ctx context.Context, q db.Queryer, tins, ids []string) ([]Hit, error) {
	return hits(ctx, q, tins, ids, nil, hitsByDocument)
}

// OfAccounts finds bills by the offices' own numbers of them.
func OfAccounts(ctx context.Context, q db.Queryer, tins, accounts []string) ([]Hit, error) {
	return hits(ctx, q, tins, accounts, nil, hitsByAccount)
}

// OfClaims finds bills by the numbers of their claims.
func OfClaims(ctx context.Context, q db.Queryer, tins, claims []string) ([]Hit, error) {
	return hits(ctx, q, tins, claims, nil, hitsByClaim)
}

// OfPayerNumbers finds bills by payers' numbers of their claims, now or before. Links
// hold the network's numbers as well, which payments may repeat.
func OfPayerNumbers(ctx context.Context, q db.Queryer, tins, numbers []string) ([]Hit, error) {
	linked := make([]string, len(numbers))
	for i, n := range numbers {
		linked[i] = byNumber + n
	}
	found, err := hits(ctx, q, tins, linked, nil, hitsByLink)
	for i := range found {
		found[i].Number = strings.TrimPrefix(found[i].Number, byNumber)
	}
	return slices.DeleteFunc(found, func(h Hit) bool {
		return h.Number != Bare(h.PayerControlNumber) && h.Number != Bare(h.FormerNumber)
	}), err
}

// OfChecks finds bills by the checks that remittances tell to pay them, with the
// offices' numbers of them as payments tell these; where such are named, by these alone.
func OfChecks(ctx context.Context, q db.Queryer, tins, checks, accounts []string) ([]Hit, error) {
	return hits(ctx, q, tins, checks, accounts, hitsByCheck)
}

// OfClaimants finds bills by the names of their claimants who were born on that day.
func OfClaimants(ctx context.Context, q db.Queryer, tins []string, claimants []Claimant) ([]Hit, error) {
	asked, names := map[Claimant]bool{}, map[[2]string]bool{}
	for _, c := range claimants {
		k := c.Key()
		asked[k], names[[2]string{k.LastName, k.FirstName}] = true, true
	}
	found, err := hitsByNames(ctx, q, tins, slices.Collect(maps.Keys(names)))
	return slices.DeleteFunc(found, func(h Hit) bool { return !asked[h.Claimant()] }), err
}

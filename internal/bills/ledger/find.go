package ledger

import (
	"context"
	"slices"
	"strings"

	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/names"
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
	LastName           string // by claimant
	FirstName          string
	BirthDate          date.Date
	Name               string // key of both names; empty until it is known
}

// Claimant is whom a bill is about: a name, compared as package names does, and the birth
// date.
type Claimant struct {
	LastName, FirstName string
	BirthDate           date.Date
}

func (c Claimant) name() names.Name { return names.Of(c.LastName, c.FirstName) }

// IsSpelled reports whether a name is that of the claimant to the letter, in any case.
func (c Claimant) IsSpelled(lastName, firstName string) bool {
	return text.Key(c.LastName) == text.Key(lastName) && text.Key(c.FirstName) == text.Key(firstName)
}

// Is reports whether a bill that is found by claimants is of this one.
func (c Claimant) Is(h Hit) bool {
	return c.BirthDate == h.BirthDate && (c.IsSpelled(h.LastName, h.FirstName) || slices.Contains(c.name().Keys(), h.Name))
}

// Bare folds a number for finding: without case, hyphens and spaces. What stands for
// a missing one is empty.
func Bare(s string) string {
	if number(s) == "" {
		return ""
	}
	return text.Key(text.TIN(s))
}

// MostHits is how many bills one number or claimant is answered with, or one more.
const MostHits = 100

// lookedUpAtOnce is how many numbers one statement asks for.
const lookedUpAtOnce = 200

// mostOfClaim is how many bills a claim is answered with: their days decide later.
const mostOfClaim = 1_000

// inChunks asks for the bills of so many keys at once. Where they have more than most
// each, fewer keys are asked for, until one alone may have more.
func inChunks[K any](keys []K, atOnce, most int, ask func(chunk []K, limit int) ([]Hit, error)) ([]Hit, error) {
	var all []Hit
	for chunk := range slices.Chunk(keys, atOnce) {
		found, err := ask(chunk, most*len(chunk)+1)
		if err == nil && len(found) > most*len(chunk) && len(chunk) > 1 {
			found, err = inChunks(chunk, (len(chunk)+1)/2, most, ask)
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
	return hits(ctx, q, tins, numbers, nil, MostHits, hitsByNumber)
}

// OfFormerNumbers finds bills by numbers under which they were shown before.
func OfFormerNumbers(ctx context.Context, q db.Queryer, tins, numbers []string) ([]Hit, error) {
	return hits(ctx, q, tins, numbers, nil, MostHits, hitsByFormer)
}

// OfDocuments finds bills by document IDs.
func OfDocuments(ctx context.Context, q db.Queryer, tins, ids []string) ([]Hit, error) {
	return hits(ctx, q, tins, ids, nil, MostHits, hitsByDocument)
}

// OfAccounts finds bills by the offices' own numbers of them.
func OfAccounts(ctx context.Context, q db.Queryer, tins, accounts []string) ([]Hit, error) {
	return hits(ctx, q, tins, accounts, nil, MostHits, hitsByAccount)
}

// OfClaims finds bills by the numbers of their claims.
func OfClaims(ctx context.Context, q db.Queryer, tins, claims []string) ([]Hit, error) {
	return hits(ctx, q, tins, claims, nil, mostOfClaim, hitsByClaim)
}

// OfPayerNumbers finds bills by payers' numbers of their claims, now or before. Links
// hold the network's numbers as well, which payments may repeat.
func OfPayerNumbers(ctx context.Context, q db.Queryer, tins, numbers []string) ([]Hit, error) {
	linked := make([]string, len(numbers))
	for i, n := range numbers {
		linked[i] = byNumber + n
	}
	found, err := hits(ctx, q, tins, linked, nil, MostHits, hitsByLink)
	for i := range found {
		found[i].Number = strings.TrimPrefix(found[i].Number, byNumber)
	}
	return slices.DeleteFunc(found, func(h Hit) bool {
		return h.Number != Bare(h.PayerControlNumber) && h.Number != Bare(h.FormerNumber)
	}), err
}

// OfChecks finds bills by the checks that remittances tell to pay them, by their numbers as
// CheckKey writes them, with the offices' numbers of them as payments tell these; where such are named, by these alone.
func OfChecks(ctx context.Context, q db.Queryer, tins, checks, accounts []string) ([]Hit, error) {
	numbers := slices.DeleteFunc(slices.Clone(checks), func(check string) bool { return check == "" })
	return hits(ctx, q, tins, numbers, accounts, MostHits, hitsByCheck)
}

// OfClaimants finds bills by the names and birth dates of their claimants.
func OfClaimants(ctx context.Context, q db.Queryer, tins []string, claimants []Claimant) ([]Hit, error) {
	return inChunks(claimants, claimantsAtOnce, MostHits, func(chunk []Claimant, limit int) ([]Hit, error) {
		return hitsOfClaimants(ctx, q, tins, chunk, limit)
	})
}

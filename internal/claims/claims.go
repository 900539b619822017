// Package claims owns the workers' compensation and auto claims.
package claims

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/names"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Claim is one claim of a payer.
type Claim struct {
	ClaimNumber         string
	PayerID             string `db:"payer_id"`
	PayerName           string
	ClaimantFirstName   string
	ClaimantLastName    string
	ClaimantBirthDate   date.Date
	DateOfInjury        date.Date
	StateOfJurisdiction string
	ClaimantGender      string
}

// Service finds claims.
type Service struct {
	db       *db.DB
	audit    *audit.Log
	now      func() time.Time
	settings Settings
}

// NewService creates the service.
func NewService(kit platform.Kit, settings Settings) *Service {
	return &Service{db: kit.DB, audit: kit.Audit, now: kit.Clock, settings: settings}
}

// Search identifies a claimant and the accident. All fields are required, so that only someone
// who knows the claimant can find a claim. A wildcard turns the first name into a prefix.
type Search struct {
	FirstName    string    `json:"claimantFirstName"`
	LastName     string    `json:"claimantLastName"`
	BirthDate    date.Date `json:"claimantDateOfBirth"`
	DateOfInjury date.Date `json:"dateOfInjury"`
	Wildcard     bool      `json:"wildcard,omitempty"`
}

// A search with more results isn't specific to one claimant.
const maxClaims = 100

// Messages that a search returns instead of claims.
const (
	noClaims   = "There are no Claims available for the criteria entered, please revise your search criteria and try again"
	manyClaims = "More than 100 claims match. Enter the whole first name."
)

// Find lists a claimant's claims by claim number, or returns a message that explains why it
// can't show any.
func (s *Service) Find(ctx context.Context, q Search) ([]Claim, string, error) {
	q.FirstName, q.LastName = text.Clean(strings.TrimRight(text.Clean(q.FirstName), "*")), text.Clean(q.LastName)
	if err := s.check(q); err != nil {
		return nil, "", err
	}
	list, err := byClaimant(ctx, s.db.Reader, q, maxClaims+1)
	if err != nil {
		return nil, "", err
	}
	list = q.sortMatches(list)
	message, result := "", "ok"
	switch {
	case len(list) == 0:
		message, result = noClaims, "mismatch"
	case len(list) > maxClaims:
		list, message, result = nil, manyClaims, "too-many"
	}
	found := claimNumbers(list)
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "claim-search", About: found, Answered: found, Searched: q,
		Result: result}); err !=
		nil {
		return nil, "", err
	}
	return list, message, nil
}

// sortMatches returns the claimant's claims, exact name matches first. A prefix of a first name can
// also match a person with another suffix.
func (s Search) sortMatches(list []Claim) []Claim {
	suffix := names.Of(s.LastName, s.FirstName).Suffix
	list = slices.DeleteFunc(list, func(c Claim) bool { return !names.SuffixesMatch(suffix, c.name().Suffix) })
	rank := func(c Claim) int {
		if text.Key(c.ClaimantLastName) == text.Key(s.LastName) && text.Key(c.ClaimantFirstName) == text.Key(s.FirstName) {
			return 0
		}
		return 1
	}
	slices.SortFunc(list, func(a, b Claim) int {
		return cmp.Or(rank(a)-rank(b), strings.Compare(text.Key(a.ClaimNumber), text.Key(b.ClaimNumber)),
			strings.Compare(a.PayerID, b.PayerID))
	})
	return list
}

// NameClaims adds name keys to older claims. It can be interrupted at any time.
func (s *Service) NameClaims(ctx context.Context) error {
	return s.db.RunSteps(ctx, func(tx *sql.Tx) (int, error) {
		list, err := lockUnnamed(ctx, tx, s.db.Dialect)
		if err != nil {
			return 0, err
		}
		return len(list), putNames(ctx, tx, list)
	})
}

// FindByNumber finds claims by number, up to a limit. It doesn't audit the search. The caller must
// do that.
func (s *Service) FindByNumber(ctx context.Context, claimNumber string, limit int) ([]Claim, error) {
	return listByNumber(ctx, s.db.Reader, claimNumber, limit)
}

func claimNumbers(list []Claim) []string {
	found := make([]string, len(list))
	for i, c := range list {
		found[i] = c.ClaimNumber
	}
	return found
}

func (s *Service) check(q Search) error {
	today := date.Of(s.now().UTC()).AddDays(1) // the date may already be a day ahead in another time zone
	var wrong validate.Fields
	wrong.Require(validate.Length(q.FirstName, 1, validate.MaxName), "first_name", "Error: Enter Claimant First Name")
	wrong.Require(validate.Length(q.LastName, 1, validate.MaxName), "last_name", "Error: Enter Claimant Last Name")
	wrong.Require(q.BirthDate != "", "birth_date", "Error: Enter Claimant Date of Birth")
	wrong.Require(q.BirthDate <= today, "birth_date", "Error: Claimant Date of Birth cannot be a future date")
	wrong.Require(q.DateOfInjury != "", "date_of_injury", "Error: Enter Claimant Date of Injury")
	wrong.Require(q.DateOfInjury <= today, "date_of_injury", "Error: Claimant Date of Injury cannot be a future date")
	return wrong.Refuse(validate.MarkedFields)
}

// Package claims owns the workers' compensation and auto claims.
package claims

import (
	"context"
	"strings"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
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
	db    *db.DB
	audit *audit.Log
	now   func() time.Time
}

// NewService makes the service.
func NewService(d *db.DB, log *audit.Log, now func() time.Time) *Service {
	return &Service{db: d, audit: log, now: now}
}

// Search is who was injured when. All of it is needed: a claim is found by
// those who know the claimant, and nobody can look around. A wildcard takes the
// first name as a beginning.
type Search struct {
	FirstName, LastName     string
	BirthDate, DateOfInjury date.Date
	Wildcard                bool
}

// A search that finds more than this is not a search for one claimant.
const mostClaims = 100

// Messages that answer a search in place of claims.
const (
	noClaims   = "There are no Claims available for the criteria entered, please revise your search criteria and try again"
	manyClaims = "More than 100 claims match. Enter the whole first name."
)

// Find lists a claimant's claims by claim number, or answers a message that
// tells why there are none to show.
func (s *Service) Find(ctx context.Context, a access.Actor, q Search) ([]Claim, string, error) {
	q.FirstName, q.LastName = text.Clean(strings.TrimRight(text.Clean(q.FirstName), "*")), text.Clean(q.LastName)
	if err := s.check(q); err != nil {
		return nil, "", err
	}
	list, err := byClaimant(ctx, s.db.Reader, q, mostClaims+1)
	if err != nil {
		return nil, "", err
	}
	message := ""
	switch {
	case len(list) == 0:
		message = noClaims
	case len(list) > mostClaims:
		list, message = nil, manyClaims
	}
	e := audit.Entry{Actor: a.Person.UserName, Operation: "claim-search", Result: "ok"}
	if a.Mirrored != nil {
		e.ActingFor = a.Mirrored.UserName
	}
	s.audit.Later(ctx, e)
	return list, message, nil
}

func (s *Service) check(q Search) error {
	today := date.Of(s.now().UTC()).AddDays(1) // somewhere it is tomorrow already
	var wrong []problem.Field
	unless := func(ok bool, path, message string) {
		if !ok {
			wrong = append(wrong, problem.Field{Path: path, Code: "INVALID", Message: message})
		}
	}
	unless(q.FirstName != "" && len([]rune(q.FirstName)) <= 40, "claimantFirstName", "Error: Enter Claimant First Name")
	unless(q.LastName != "" && len([]rune(q.LastName)) <= 40, "claimantLastName", "Error: Enter Claimant Last Name")
	unless(q.BirthDate != "", "claimantDOB", "Error: Enter Claimant Date of Birth")
	unless(q.BirthDate <= today, "claimantDOB", "Error: Claimant Date of Birth cannot be a future date")
	unless(q.DateOfInjury != "", "doi", "Error: Enter Claimant Date of Injury")
	unless(q.DateOfInjury <= today, "doi", "Error: Claimant Date of Injury cannot be a future date")
	if len(wrong) == 0 {
		return nil
	}
	e := problem.Say(problem.Invalid, "An error has occurred. Please address all fields marked with “Error”.")
	e.Fields = wrong
	return e
}

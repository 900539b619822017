// Package bills owns bills and payments. It searches them and opens their documents.
package bills

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"wcpp/internal/bills/documents"
	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
)

// Bill is a bill as the ledger derives it.
type Bill = record.Bill

// Service searches bills and opens their documents.
type Service struct {
	Documents *documents.Service
	openings  *ratelimit.Limiter
	records   *record.Service
	db        *db.DB
	scopes    record.Scopes
	people    record.People
	second    *secondsystem.System // nil if there's none
	audit     *audit.Log
	log       *slog.Logger
	now       func() time.Time
	settings  Settings
	desk      record.Desk
	states    bool // search results include the bill state, and documents a note that they're generated
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Ledger *ledger.Ledger
	Scopes record.Scopes
	People record.People
	Desk   record.Desk
	Second *secondsystem.System `optional:"true"`
}

// NewService creates the service. If states is set, search results show that a bill was denied,
// voided or replaced, and link to its page. Documents then say that they're generated.
func NewService(d Deps, settings Settings, states bool) *Service {
	platform.Require(d)
	records := record.NewService(record.Deps{Kit: d.Kit, Scopes: d.Scopes},
		record.Settings{ForeignBillURL: settings.ForeignBillURL, States: states})
	openings := ratelimit.Hourly(settings.BillOpenings)
	return &Service{records: records, openings: openings,
		Documents: documents.NewService(documents.Deps{Kit: d.Kit, Ledger: d.Ledger, Records: records, Scopes: d.Scopes, People: d.People,
			Second: d.Second, Openings: openings}, documents.Settings{ImageHosts: settings.ImageHosts, Notes: states}),
		db: d.DB, scopes: d.Scopes, people: d.People, second: d.Second, desk: d.Desk, audit: d.Audit, log: d.Log, now: d.LocalTime,
		settings: settings, states: states}
}

// Records returns what seals and opens the ids of bills.
func (s *Service) Records() *record.Service { return s.records }

// searchEntry returns the audit entry for a search of TINs, with the criteria and the bill
// numbers found.
func searchEntry[B any](
	operation audit.Operation, result string, tins []string, c searchCriteria, found []B, number func(*B) string,
) audit.Entry {
	answered := make([]string, len(found))
	for i := range found {
		answered[i] = number(&found[i])
	}
	return audit.Entry{Operation: operation, Subject: strings.Join(tins, " "), About: tins, Answered: answered,
		Searched: secondsystem.Search{TINs: tins, Query: makeQuery(c)}, Result: result}
}

func getNumber(b *Bill) string { return b.BillControlNumber }

// Search finds the bills of one TIN. A TIN out of scope is treated like an unknown one.
func (s *Service) Search(ctx context.Context, a access.Actor, ftin string, c Criteria) ([]Bill, error) {
	if err := validateCriteria(c); err != nil {
		return nil, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	if !scope.Has(ftin) {
		return nil, cmp.Or(s.audit.RecordNow(ctx, searchEntry("searchByAssorted", record.Refused, []string{ftin}, c, nil, getNumber)),
			error(problem.New(problem.NotFound)))
	}
	found, err := db.ReadFromReplica(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]Bill, error) {
		return search(ctx, q, scope, ftin, c)
	})
	if err == nil {
		err = s.withEORs(ctx, found)
	}
	if err != nil {
		return nil, err
	}
	return auditFound(s, ctx, found, searchEntry("searchByAssorted", record.OK, []string{ftin}, c, found, getNumber))
}

// SearchSecond finds the bills of several TINs in the second bill system. It only uses those in
// scope, because one can be revoked during the search. It drops results for TINs that weren't
// requested.
func (s *Service) SearchSecond(ctx context.Context, a access.Actor, tins []string, c Criteria) ([]secondsystem.Bill, error) {
	if err := validateCriteria(c); err != nil {
		return nil, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	lost := slices.DeleteFunc(slices.Clone(tins), scope.Has)
	if len(lost) > 0 {
		if err := s.audit.RecordNow(ctx, searchEntry("mitchBillSearch", record.Refused, lost, c, nil, (*secondsystem.Bill).Number)); err != nil {
			return nil, err
		}
	}
	if tins = slices.DeleteFunc(slices.Clone(tins), func(ftin string) bool { return !scope.Has(ftin) }); len(tins) == 0 {
		return nil, problem.New(problem.NotFound)
	}
	found, err := s.second.Search(ctx, tins, makeQuery(c))
	if err != nil {
		return nil, err
	}
	return auditFound(s, ctx, found, searchEntry("mitchBillSearch", record.OK, tins, c, found, (*secondsystem.Bill).Number))
}

// auditFound returns the results after auditing them, or only an error if that fails.
func auditFound[T any](s *Service, ctx context.Context, found []T, e audit.Entry) ([]T, error) {
	if err := s.audit.RecordNow(ctx, e); err != nil {
		return nil, err
	}
	return found, nil
}

// MaxPerClaim is how many bills of one claim are returned.
const MaxPerClaim = 500

// FindByClaim finds the bills of a claim number under every TIN in scope, regardless of their
// dates. The latest service comes first. It returns up to MaxPerClaim bills, and whether there
// are more.
func (s *Service) FindByClaim(ctx context.Context, a access.Actor, c WholeClaim) (found []Bill, more bool, err error) {
	scope, err := s.checkClaim(ctx, a, c)
	if err != nil {
		return nil, false, err
	}
	found, err = db.ReadFromReplica(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]Bill, error) {
		return record.ListClaimBills(ctx, q, scope, c.ClaimNumber, MaxPerClaim+1)
	})
	if err == nil {
		err = s.withEORs(ctx, found)
	}
	if err != nil {
		return nil, false, err
	}
	if more = len(found) > MaxPerClaim; more {
		found = found[:MaxPerClaim]
	}
	found, err = auditFound(s, ctx, found, searchEntry("billsOfClaim", record.OK, scope.TINs(), c, found, getNumber))
	return found, more, err
}

// FindSecondByClaim finds the bills of a claim in the second bill system.
func (s *Service) FindSecondByClaim(ctx context.Context, a access.Actor, c WholeClaim) ([]secondsystem.Bill, error) {
	scope, err := s.checkClaim(ctx, a, c)
	if err != nil {
		return nil, err
	}
	found, err := s.second.Search(ctx, scope.TINs(), makeQuery(c))
	if err != nil {
		return nil, err
	}
	return auditFound(s, ctx, found, searchEntry("mitchBillsOfClaim", record.OK, scope.TINs(), c, found, (*secondsystem.Bill).Number))
}

func (s *Service) checkClaim(ctx context.Context, a access.Actor, c WholeClaim) (access.Scope, error) {
	if err := c.check(); err != nil {
		return access.Scope{}, err
	}
	return s.scopes.Scope(ctx, a)
}

// OnFile reports whether the TIN has any bill on file, and the one with this number. A group
// uses it to prove that it may have a TIN. It doesn't reveal anything else.
func (s *Service) OnFile(ctx context.Context, ftin, billControlNumber string) (known, valid bool, err error) {
	known, err = hasBill(ctx, s.db.Reader, ftin, "")
	if err != nil || !known || billControlNumber == "" {
		return known, false, err
	}
	valid, err = hasBill(ctx, s.db.Reader, ftin, billControlNumber)
	return known, valid, err
}

// Sample returns the first n bills of a TIN with a claim number.
func (s *Service) Sample(ctx context.Context, scope access.Scope, ftin string, n int) ([]Bill, error) {
	return selectSample(ctx, s.db.Reader, scope, ftin, n)
}

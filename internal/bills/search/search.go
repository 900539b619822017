// Package search finds bills under the TINs that an actor can see: by criteria, by claim, or by
// any number.
package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Service searches bills.
type Service struct {
	db       *db.DB
	records  *record.Service
	scopes   *tins.Scopes
	second   *secondsystem.System // nil if there's none
	searches *ratelimit.Limiter
	audit    *audit.Log
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Records  *record.Service
	Scopes   *tins.Scopes
	Second   *secondsystem.System `optional:"true"`
	Searches *ratelimit.Limiter   // limits the searches of a user
}

// NewService creates the service.
func NewService(d Deps) *Service {
	platform.Require(d)
	return &Service{db: d.DB, records: d.Records, scopes: d.Scopes, second: d.Second, searches: d.Searches, audit: d.Audit}
}

// searchEntry returns the audit entry for a search of TINs, with the criteria and the bill
// numbers found.
func searchEntry[B any](
	operation audit.Operation, result string, tins []string, q Query, found []B, number func(*B) string,
) audit.Entry {
	answered := make([]string, len(found))
	for i := range found {
		answered[i] = number(&found[i])
	}
	return audit.Entry{Operation: operation, Subject: strings.Join(tins, " "), About: tins, Answered: answered,
		Searched: secondsystem.Search{TINs: tins, Query: q}, Result: result}
}

func getNumber(b *record.Bill) string             { return b.BillControlNumber }
func getSecondNumber(b *secondsystem.Bill) string { return b.Number() }

// Search finds the bills of one TIN. A TIN out of scope is treated like an unknown one.
func (s *Service) Search(ctx context.Context, a access.Actor, ftin string, q Query) ([]record.Bill, error) {
	c, err := choose(q)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return nil, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	if !scope.Has(ftin) {
		return nil, cmp.Or(s.audit.RecordNow(ctx, searchEntry("searchByAssorted", record.Refused, []string{ftin}, c.Query, nil, getNumber)),
			error(problem.New(problem.NotFound)))
	}
	found, err := db.ReadFromReplica(ctx, s.db, func(ctx context.Context, r db.Queryer) ([]record.Bill, error) {
		return search(ctx, r, scope, ftin, c)
	})
	if err == nil {
		err = s.withEORs(ctx, found)
	}
	if err != nil {
		return nil, err
	}
	return auditFound(s, ctx, found, searchEntry("searchByAssorted", record.OK, []string{ftin}, c.Query, found, getNumber))
}

// SearchSecond finds the bills of several TINs in the second bill system. It only uses those in
// scope, because one can be revoked during the search. It drops results for TINs that weren't
// requested.
func (s *Service) SearchSecond(ctx context.Context, a access.Actor, tins []string, q Query) ([]secondsystem.Bill, error) {
	c, err := choose(q)
	if err != nil {
		return nil, err
	}
	if len(slices.Compact(slices.Sorted(slices.Values(tins)))) < len(tins) {
		return nil, validate.RefuseField("Each TIN can be searched once.", "tins", "Name each TIN once.")
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	lost := slices.DeleteFunc(slices.Clone(tins), scope.Has)
	if len(lost) > 0 {
		if err := s.audit.RecordNow(ctx, searchEntry("mitchBillSearch", record.Refused, lost, c.Query, nil, getSecondNumber)); err != nil {
			return nil, err
		}
	}
	if tins = slices.DeleteFunc(slices.Clone(tins), func(ftin string) bool { return !scope.Has(ftin) }); len(tins) == 0 {
		return nil, problem.New(problem.NotFound)
	}
	found, err := s.second.Search(ctx, tins, c.Query)
	if err != nil {
		return nil, err
	}
	return auditFound(s, ctx, found, searchEntry("mitchBillSearch", record.OK, tins, c.Query, found, getSecondNumber))
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
func (s *Service) FindByClaim(ctx context.Context, a access.Actor, claimNumber string) (found []record.Bill, more bool, err error) {
	q, scope, err := s.checkClaim(ctx, a, claimNumber)
	if err != nil {
		return nil, false, err
	}
	found, err = db.ReadFromReplica(ctx, s.db, func(ctx context.Context, r db.Queryer) ([]record.Bill, error) {
		return record.ListClaimBills(ctx, r, scope, q.ClaimNumber, MaxPerClaim+1)
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
	found, err = auditFound(s, ctx, found, searchEntry("billsOfClaim", record.OK, scope.TINs(), q, found, getNumber))
	return found, more, err
}

// FindSecondByClaim finds the bills of a claim in the second bill system.
func (s *Service) FindSecondByClaim(ctx context.Context, a access.Actor, claimNumber string) ([]secondsystem.Bill, error) {
	q, scope, err := s.checkClaim(ctx, a, claimNumber)
	if err != nil {
		return nil, err
	}
	found, err := s.second.Search(ctx, scope.TINs(), q)
	if err != nil {
		return nil, err
	}
	return auditFound(s, ctx, found, searchEntry("mitchBillsOfClaim", record.OK, scope.TINs(), q, found, getSecondNumber))
}

func (s *Service) checkClaim(ctx context.Context, a access.Actor, claimNumber string) (Query, access.Scope, error) {
	q := Query{ClaimNumber: text.Clean(claimNumber)}
	if q.ClaimNumber == "" {
		return q, access.Scope{}, validate.RefuseField("Enter a claim number", "claimNumber", "Enter a claim number")
	}
	scope, err := s.scopes.Scope(ctx, a)
	return q, scope, err
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
func (s *Service) Sample(ctx context.Context, scope access.Scope, ftin string, n int) ([]record.Bill, error) {
	return selectSample(ctx, s.db.Reader, scope, ftin, n)
}

// withEORs marks bills that have only a paper EOR as having an EOR.
func (s *Service) withEORs(ctx context.Context, found []record.Bill) error {
	without := map[string][]string{}
	for _, b := range found {
		if !b.EOR && !b.PricingSheet {
			without[b.FTIN] = append(without[b.FTIN], b.Key())
		}
	}
	for ftin, keys := range without {
		has, err := store.SelectKeysWithPaper(ctx, s.db.Reader, ftin, facts.EORPaper, keys)
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

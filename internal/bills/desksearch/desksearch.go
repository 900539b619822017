// Package desksearch finds bills and checks for the service desk, under any TIN.
package desksearch

import (
	"context"
	"database/sql"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/search"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
)

// Service finds bills and checks. It doesn't audit; that's up to the caller.
type Service struct{ db *db.DB }

// NewService creates the service.
func NewService(d *db.DB) *Service { return &Service{db: d} }

// FindAcrossTINs finds bills by the network's number under any TIN, latest service first, up to
// limit.
func (s *Service) FindAcrossTINs(ctx context.Context, number string, limit int) (list []record.Bill, err error) {
	number, _ = search.SplitReference(number)
	keys := store.FoldNumbers(number)
	if len(keys) == 0 {
		return nil, nil
	}
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		hits, err := store.FindAcrossTINs(ctx, tx, keys, limit)
		if err != nil {
			return err
		}
		list, _, err = search.SelectBills(ctx, tx, search.SortByService(hits))
		return err
	})
	return list, err
}

// FindInScope finds bills of the scope by any kind of number, like search.Service.Find.
func (s *Service) FindInScope(ctx context.Context, scope access.Scope, number string) (list []record.Bill, err error) {
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		if err := s.db.ForceIndexScans(ctx, tx); err != nil {
			return err
		}
		found, _, err := search.FindAny(ctx, tx, scope.TINs(), search.AnyNumber{Number: number})
		list = nil
		for _, f := range found {
			list = append(list, f.Bill)
		}
		return err
	})
	return list, err
}

// FindRemittancesAcrossTINs finds checks and transfers by number under any TIN, newest first, up
// to limit.
func (s *Service) FindRemittancesAcrossTINs(ctx context.Context, number string, limit int) ([]facts.Remittance, error) {
	if facts.NumberKey(number) == "" {
		return nil, nil
	}
	return store.FindRemittancesAcrossTINs(ctx, s.db.Reader, number, limit)
}

package detail

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// BillFacts returns the bill of a sealed page id as lists show it. It also returns when the payer
// received it, if a payment says so. For a bill of the second system, it only returns that it's
// from there. It's audited as an opening by the operation.
func (s *Service) BillFacts(
	ctx context.Context, a access.Actor, operation audit.Operation, sealed string,
) (b record.Bill, payerReceived date.Date, second bool, err error) {
	id, scope, err := s.records.OpenPage(ctx, a, operation, sealed)
	if err != nil || id.ExID != "" {
		return b, "", true, err
	}
	b, payerReceived, err = s.readBillFacts(ctx, scope, id)
	if err == nil {
		err = s.audit.RecordNow(ctx, record.Entry(operation, b.FTIN, b.BillControlNumber, record.OK))
	}
	return b, payerReceived, false, err
}

// readBillFacts reads the data for BillFacts.
func (s *Service) readBillFacts(
	ctx context.Context, scope access.Scope, id record.PageID,
) (b record.Bill, payerReceived date.Date, err error) {
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		if b, err = record.GetByKey(ctx, tx, scope, id.FTIN, id.Key); err != nil {
			return err
		}
		paid, err := store.ListPayments(ctx, tx, b)
		payerReceived = ""
		for _, p := range paid {
			if p.IsCounted() && p.ReceivedOn != "" && (payerReceived == "" || p.ReceivedOn < payerReceived) {
				payerReceived = p.ReceivedOn
			}
		}
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		err = record.ErrNoPage()
	}
	return b, payerReceived, err
}

// BillFactsAtDesk is like BillFacts, but for staff and a bill they've opened. It's audited before
// anything is read.
func (s *Service) BillFactsAtDesk(ctx context.Context, a access.Actor, sealed string) (record.Bill, date.Date, error) {
	ftin, key, named := s.records.OpenPageID(sealed)
	if !named {
		return record.Bill{}, "", record.ErrNoPage()
	}
	if err := s.desk.AuditShown(ctx, a, deskDeadlines, ftin, []string{strings.ToUpper(key)}); err != nil {
		return record.Bill{}, "", err
	}
	return s.readBillFacts(ctx, access.NewScope([]string{ftin}), record.PageID{FTIN: ftin, Key: key})
}

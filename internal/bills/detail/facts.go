package detail

import (
	"context"
	"database/sql"
	"strings"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/derive"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
)

// BillFacts are the facts about a bill that determine its deadlines.
type BillFacts struct {
	Bill          record.Bill
	PayerReceived date.Date // when the payer received it, if a payment says so
	// Payments are the payments and reversals behind the paid amount. It's empty if everything was
	// paid in one, or if how the bill was derived isn't known.
	Payments []DatedAmount
}

// DatedAmount is a payment in cents, negative for a reversal.
type DatedAmount struct {
	On     date.Date
	Amount int64
}

// BillFacts returns the facts about the bill of a sealed page id. For a bill of the second system,
// it only returns that it's from there. It's audited as an opening by the operation.
func (s *Service) BillFacts(
	ctx context.Context, a access.Actor, operation audit.Operation, sealed string,
) (b BillFacts, second bool, err error) {
	id, scope, err := s.records.OpenPage(ctx, a, operation, sealed)
	if err != nil || id.ExID != "" {
		return b, true, err
	}
	b, err = s.readBillFacts(ctx, scope, id)
	if err == nil {
		err = s.audit.RecordNow(ctx, record.Entry(operation, b.Bill.FTIN, b.Bill.BillControlNumber, record.OK))
	}
	return b, false, err
}

// readBillFacts reads the data for BillFacts.
func (s *Service) readBillFacts(ctx context.Context, scope access.Scope, id record.PageID) (found BillFacts, err error) {
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		found = BillFacts{}
		if found.Bill, err = record.GetByKey(ctx, tx, scope, id.FTIN, id.Key); err != nil {
			return err
		}
		paid, err := store.ListPayments(ctx, tx, found.Bill)
		if err != nil {
			return err
		}
		moves := 0
		for _, p := range paid {
			found.PayerReceived = p.EarlierReceipt(found.PayerReceived)
			if p.Paid != 0 {
				moves++
			}
		}
		if moves > 1 {
			found.Payments, err = s.listCounted(ctx, tx, found.Bill)
		}
		return err
	})
	return found, db.IfNotFound(err, record.ErrNoPage())
}

// listCounted returns the payments of a bill that count, and what their reversals reverse.
func (s *Service) listCounted(ctx context.Context, tx *sql.Tx, b record.Bill) (list []DatedAmount, err error) {
	e, _, err := batch.LoadExplanation(ctx, s.db, tx, b)
	for _, p := range e.Payments {
		switch p.Role {
		case derive.RoleInForce, derive.RoleReduced, derive.RoleReversed, derive.RoleReversal:
			if p.Paid != 0 {
				list = append(list, DatedAmount{p.PaidDate, p.Paid + p.Pending})
			}
		}
	}
	return list, err
}

// BillFactsAtDesk is like BillFacts, but for staff and a bill they've opened. It's audited before
// anything is read.
func (s *Service) BillFactsAtDesk(ctx context.Context, a access.Actor, sealed string) (BillFacts, error) {
	ftin, key, named := s.records.OpenPageID(sealed)
	if !named {
		return BillFacts{}, record.ErrNoPage()
	}
	if err := s.desk.AuditShown(ctx, a, deskDeadlines, ftin, []string{strings.ToUpper(key)}); err != nil {
		return BillFacts{}, err
	}
	return s.readBillFacts(ctx, access.NewScope([]string{ftin}), record.PageID{FTIN: ftin, Key: key})
}

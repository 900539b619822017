package detail

import (
	"context"
	"strings"

	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
)

// The service desk operations in the audit log.
const (
	deskBill      = "desk-open-bill"
	deskOthers    = "desk-see-bills"
	deskDeadlines = "desk-open-deadlines"
)

// AtDesk returns a bill page for staff. They have no TINs of their own, so the scope is the
// bill's TIN for this request only. That's audited first.
func (s *Service) AtDesk(ctx context.Context, a access.Actor, sealed string) (Page, error) {
	ftin, key, named := s.records.OpenPageID(sealed)
	if !named {
		return Page{}, record.ErrNoPage()
	}
	if err := s.desk.AuthorizeOpening(ctx, a, deskBill, ftin, strings.ToUpper(key)); err != nil {
		return Page{}, err
	}
	p, err := s.readPage(ctx, a, access.NewScope([]string{ftin}), record.PageID{FTIN: ftin, Key: key})
	if err != nil {
		return p, err
	}
	var related []string
	for _, list := range [][]record.Bill{p.SameClaim, p.relatedBills()} {
		for _, b := range list {
			related = append(related, b.BillControlNumber)
		}
	}
	return p, s.desk.AuditShown(ctx, a, deskOthers, ftin, related)
}

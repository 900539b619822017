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

// Questions provides what offices asked the network about a bill.
type Questions interface {
	// ListQuestions returns the questions that offices can still write to, newest first.
	ListQuestions(ctx context.Context, ftin, key string) ([]BillQuestion, error)
}

// BillQuestion is an office's question about a bill.
type BillQuestion struct {
	Number string `json:"number" example:"C-4K7Q-29MX"`
	State  string `json:"state" enum:"OPEN,WAITING,ANSWERED"`
	Office string `json:"office" doc:"Name or number of the group"`
}

// AtDesk returns a bill page and its questions for staff. They have no TINs of their own, so the
// scope is the bill's TIN for this request only. That's audited first.
func (s *Service) AtDesk(ctx context.Context, a access.Actor, sealed string) (p Page, questions []BillQuestion, err error) {
	ftin, key, named := s.records.OpenPageID(sealed)
	if !named {
		return p, nil, record.ErrNoPage()
	}
	if err := s.desk.AuthorizeOpening(ctx, a, deskBill, ftin, strings.ToUpper(key)); err != nil {
		return p, nil, err
	}
	if p, err = s.readPage(ctx, a, access.NewScope([]string{ftin}), record.PageID{FTIN: ftin, Key: key}); err != nil {
		return p, nil, err
	}
	if questions, err = s.questions.ListQuestions(ctx, ftin, key); err != nil {
		return p, nil, err
	}
	var related []string
	for _, list := range [][]record.Bill{p.SameClaim, p.relatedBills()} {
		for _, b := range list {
			related = append(related, b.BillControlNumber)
		}
	}
	return p, questions, s.desk.AuditShown(ctx, a, deskOthers, ftin, related)
}

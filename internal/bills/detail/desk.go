package detail

import (
	"context"
	"net/http"
	"strings"

	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/httpapi"
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

// DeskBillPage is a bill page as the office sees it, and whether the office opened it.
type DeskBillPage struct {
	Page BillPage      `json:"page"`
	Seen *SeenByOffice `json:"seen,omitempty" doc:"First user in the offices with this Tax ID to open the bill. Absent if no one has"`
}

func (s *Service) registerDesk(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskBill", Method: http.MethodPost, Path: "/desk/bills/open", Summary: "Get a bill's page for network staff",
		Description: "Requires a support session. Each view is logged first, and offices with the Tax ID can read the log.",
		Access:      "desk.open", Effect: httpapi.Read,
	}, func(ctx context.Context, in *struct{ Body record.DeskOpening }) (*struct{ Body DeskBillPage }, error) {
		p, err := s.AtDesk(ctx, access.From(ctx), in.Body.ID)
		if err != nil {
			return nil, err
		}
		page, err := s.wirePage(p)
		return &struct{ Body DeskBillPage }{DeskBillPage{page, p.firstOpening()}}, err
	})
}

// firstOpening returns the first opening of any document or page of the bill.
func (p *Page) firstOpening() *SeenByOffice {
	for _, e := range p.History {
		if e.Kind == eventOpened {
			return record.NewSeenByOffice(e.By, e.At)
		}
	}
	return nil
}

package bills

import (
	"context"
	"database/sql"
	"net/http"
	"strings"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/httpapi"
)

// The service desk operations in the audit log.
const (
	deskBill      = "desk-open-bill"
	deskOthers    = "desk-see-bills"
	deskDeadlines = "desk-open-deadlines"
)

// FindAcrossTINs finds bills by the network's number under any TIN, latest service first, up to
// limit.
func (s *Service) FindAcrossTINs(ctx context.Context, number string, limit int) (list []Bill, err error) {
	number, _ = reference(number)
	key := ledger.FoldNumber(number)
	if key == "" {
		return nil, nil
	}
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		hits, err := ledger.FindAcrossTINs(ctx, tx, key, limit)
		if err != nil {
			return err
		}
		found, _, err := makeFindings(ctx, tx, sortByService(hits), func(ledger.Hit) By { return ByNumber })
		list = toBills(found)
		return err
	})
	return list, err
}

// FindInScope finds bills of the scope by any kind of number, like Find. It doesn't audit;
// that's up to the caller.
func (s *Service) FindInScope(ctx context.Context, scope access.Scope, number string) (list []Bill, err error) {
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		if err := s.db.ForceIndexScans(ctx, tx); err != nil {
			return err
		}
		found, _, err := find(ctx, tx, scope.TINs(), AnyNumber{Number: number})
		list = toBills(found)
		return err
	})
	return list, err
}

func toBills(found []Finding) []Bill {
	list := make([]Bill, len(found))
	for i, f := range found {
		list[i] = f.Bill
	}
	return list
}

// FindRemittancesAcrossTINs finds checks and transfers by number under any TIN, newest first, up
// to limit.
func (s *Service) FindRemittancesAcrossTINs(ctx context.Context, number string, limit int) ([]ledger.Remittance, error) {
	if ledger.NumberKey(number) == "" {
		return nil, nil
	}
	return ledger.FindRemittancesAcrossTINs(ctx, s.db.Reader, number, limit)
}

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
	for _, list := range [][]Bill{p.SameClaim, p.relatedBills()} {
		for _, b := range list {
			related = append(related, b.BillControlNumber)
		}
	}
	return p, s.desk.AuditShown(ctx, a, deskOthers, ftin, related)
}

// BillFactsAtDesk is like BillFacts, but for staff and a bill they've opened. It's audited before
// anything is read.
func (s *Service) BillFactsAtDesk(ctx context.Context, a access.Actor, sealed string) (Bill, date.Date, error) {
	ftin, key, named := s.records.OpenPageID(sealed)
	if !named {
		return Bill{}, "", record.ErrNoPage()
	}
	if err := s.desk.AuditShown(ctx, a, deskDeadlines, ftin, []string{strings.ToUpper(key)}); err != nil {
		return Bill{}, "", err
	}
	return s.readBillFacts(ctx, access.NewScope([]string{ftin}), record.PageID{FTIN: ftin, Key: key})
}

// DeskBillPage is a bill page as the office sees it, and whether the office opened it.
type DeskBillPage struct {
	Page BillPage             `json:"page"`
	Seen *record.SeenByOffice `json:"seen,omitempty" doc:"First user in the offices with this Tax ID to open the bill. Absent if no one has"`
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
func (p *Page) firstOpening() *record.SeenByOffice {
	for _, e := range p.History {
		if e.Kind == eventOpened {
			return record.NewSeenByOffice(e.By, e.At)
		}
	}
	return nil
}

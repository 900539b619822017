package documents

import (
	"context"
	"errors"
	"net/http"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/httpapi"
	"wcpp/internal/platform/problem"
)

// deskOperations are the audit operations of the documents that staff open. Offices' openings
// have other names, so a document that only staff opened isn't shown as opened by the office.
var deskOperations = map[string]audit.Operation{
	record.Image:     "desk-open-image",
	record.EOR:       "desk-open-eor",
	facts.SheetPaper: "desk-open-pricing-sheet",
}

// DeskDocument identifies a document that staff open.
type DeskDocument struct {
	record.DeskOpening
	Kind string `json:"kind" enum:"image,eor,pricing-sheet"`
}

func (s *Service) registerDesk(api *httpapi.API) {
	httpapi.Register(api, httpapi.Operation{
		ID: "deskDocument", Method: http.MethodPost, Path: "/desk/bills/document",
		Summary:     "Get a bill's document as PDF for network staff",
		Description: "Requires a support session. Each opening is logged first, and offices with the Tax ID can read the log.",
		Access:      "desk.open", Effect: httpapi.Read, Limit: s.openings, Expensive: true,
	}, func(ctx context.Context, in *struct{ Body DeskDocument }) (*httpapi.PDF, error) {
		name, body, err := s.AtDesk(ctx, access.From(ctx), in.Body.ID, in.Body.Kind)
		return httpapi.NewPDF(name, body, err)
	})
}

// AtDesk renders a document of a bill page for staff, and returns its file name. They have no TINs
// of their own, so the scope is the bill's TIN for this request only. The opening is audited
// before anything is rendered, but only if the document exists.
func (s *Service) AtDesk(ctx context.Context, a access.Actor, page, kind string) (name string, pdf []byte, err error) {
	ftin, key, named := s.records.OpenPageID(page)
	if !named {
		return "", nil, record.ErrNoPage()
	}
	scope := access.NewScope([]string{ftin})
	read, render := s.readDocument, func(ctx context.Context, b detailed) ([]byte, error) { return s.render(ctx, kind, b) }
	if kind == facts.SheetPaper {
		read, render = s.readSheet, s.renderSheet
	}
	b, err := read(ctx, scope, record.DocumentID{Kind: kind, FTIN: ftin, Key: key})
	if err != nil {
		return "", nil, err
	}
	if err := s.desk.AuthorizeOpening(ctx, a, deskOperations[kind], ftin, b.BillControlNumber); err != nil {
		return "", nil, err
	}
	pdf, err = render(ctx, b)
	return fileName(b.BillControlNumber, kind), pdf, err
}

// readSheet returns the bill of a pricing sheet, if the bill has one.
func (s *Service) readSheet(ctx context.Context, scope access.Scope, d record.DocumentID) (detailed, error) {
	b, err := s.withDetails(ctx)(record.GetByKey(ctx, s.db.Reader, scope, d.FTIN, d.Key))
	if errors.Is(err, db.ErrNotFound) || err == nil && !b.PricingSheet {
		return b, problem.New(problem.NotFound)
	}
	return b, err
}

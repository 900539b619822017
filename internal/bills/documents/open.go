package documents

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"wcpp/internal/bills/ledger/batch"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// findDocument finds the bill of an id, if the bill has that document.
func (s *Service) findDocument(ctx context.Context, a access.Actor, id string) (record.DocumentID, detailed, error) {
	d, scope, err := s.records.OpenDocument(ctx, a, id)
	if err != nil {
		return d, detailed{}, err
	}
	b, err := s.readDocument(ctx, scope, d)
	return d, b, err
}

// readDocument returns the bill of a document, if the bill has that document.
func (s *Service) readDocument(ctx context.Context, scope access.Scope, d record.DocumentID) (detailed, error) {
	b, err := s.withDetails(ctx)(record.GetByKey(ctx, s.db.Reader, scope, d.FTIN, d.Key))
	if err != nil {
		return b, db.IfNotFound(err, problem.New(problem.NotFound))
	}
	if d.Kind != record.Image && d.Kind != record.EOR {
		return b, problem.New(problem.NotFound)
	}
	if p, is, err := s.paper(ctx, b.Bill, d.Kind); is || err != nil {
		b.paper = &p
		return b, err
	}
	if d.Kind == record.EOR && !b.EOR || !b.hasLines() {
		return b, problem.New(problem.NotFound)
	}
	return b, nil
}

// withDetails adds the document details to a bill.
func (s *Service) withDetails(ctx context.Context) func(record.Bill, error) (detailed, error) {
	return func(b record.Bill, err error) (detailed, error) {
		if err != nil {
			return detailed{}, err
		}
		d, err := record.GetDetailed(ctx, s.db.Reader, b)
		return detailed{Detailed: d}, err
	}
}

// hasLines reports whether the bill has service lines. Documents are rendered from them, so a
// bill without lines has none.
func (b detailed) hasLines() bool { return len(b.Detail.Lines) > 0 }

// DocumentExists reports whether the document of an id can be opened.
func (s *Service) DocumentExists(ctx context.Context, a access.Actor, id string) (bool, error) {
	_, _, err := s.findDocument(ctx, a, id)
	if problem.Is(err, problem.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// Document renders the bill image or EOR of an id as PDF, and returns its file name.
func (s *Service) Document(ctx context.Context, a access.Actor, id string) (name string, pdf []byte, err error) {
	d, b, err := s.findDocument(ctx, a, id)
	if err != nil {
		return "", nil, err
	}
	if pdf, err = s.render(ctx, d.Kind, b); err != nil {
		return "", nil, err
	}
	return fileName(b.BillControlNumber, d.Kind), pdf, s.audit.RecordNow(ctx,
		record.Entry(audit.Operation("open-"+d.Kind), d.FTIN, b.BillControlNumber, record.OK))
}

// fileName returns the file name of a bill's document, which differs for each bill and kind.
func fileName(number, document string) string {
	return "bill-" + text.FileName(number) + "-" + document + ".pdf"
}

func (s *Service) render(ctx context.Context, kind string, b detailed) ([]byte, error) {
	if b.paper != nil {
		return s.readPaper(ctx, *b.paper)
	}
	if kind == record.Image {
		return renderImage(b, s.brand, s.settings.Notes)
	}
	paid, pending, err := s.listPayments(ctx, b.Bill)
	if err != nil {
		return nil, err
	}
	return renderEOR(b, paid, pending, s.brand, s.settings.Notes)
}

// listPayments returns the counted payments of a bill, and the amounts of reversals, in cents, that wait for
// the payment they reverse.
func (s *Service) listPayments(ctx context.Context, b record.Bill) (paid []record.Payment, pending map[facts.FactID]int64, err error) {
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		if paid, err = store.ListPayments(ctx, tx, b); err != nil {
			return err
		}
		e, _, err := batch.LoadExplanation(ctx, s.db, tx, b)
		pending = map[facts.FactID]int64{}
		for _, p := range e.Payments {
			pending[facts.FactID{Fact: p.Fact, Occurrence: p.Occurrence}] = p.Pending
		}
		return err
	})
	return slices.DeleteFunc(paid, func(p record.Payment) bool { return !p.IsCounted() }), pending, err
}

// CheckEOR returns an error if the EOR link of a bill can't be opened. Bills only contain our
// own links, so it doesn't send external requests.
func (s *Service) CheckEOR(ctx context.Context, a access.Actor, link string) error {
	u, err := url.Parse(link)
	if err != nil || u.Host != "" || u.Scheme != "" {
		return problem.WithMessage(problem.Invalid, "The EOR link isn't valid. Contact support.")
	}
	_, _, err = s.findDocument(ctx, a, u.Query().Get("id"))
	return err
}

func (s *Service) checkHost(u *url.URL) error {
	if u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
		return errors.New("not a plain web URL")
	}
	if !slices.ContainsFunc(s.settings.ImageHosts, func(host string) bool { return strings.EqualFold(host, u.Host) }) {
		return fmt.Errorf("host %q is not among the configured image hosts", u.Host)
	}
	return nil
}

// SecondDocument returns the URL of a bill's image or EOR from the second bill system. Only
// allow-listed hosts are accepted.
func (s *Service) SecondDocument(ctx context.Context, a access.Actor, id string, isEOR bool) (string, error) {
	d, _, err := s.records.OpenDocument(ctx, a, id)
	if err != nil {
		return "", err
	}
	if d.Kind != record.Second || s.second == nil {
		return "", problem.New(problem.NotFound)
	}
	address, err := s.second.Document(ctx, d.Key, isEOR)
	if errors.Is(err, secondsystem.ErrNoDocument) {
		return "", problem.New(problem.NotFound)
	}
	if err != nil {
		return "", problem.New(problem.Unavailable).WithCause(err)
	}
	u, err := url.Parse(address)
	if err == nil {
		err = s.checkHost(u)
	}
	if err != nil {
		return "", problem.New(problem.Unavailable).WithCause(err)
	}
	return address, s.audit.RecordNow(ctx, record.Entry("open-second", d.FTIN, d.Key, record.OK))
}

// Payment returns the payment of a bill.
func (s *Service) Payment(ctx context.Context, a access.Actor, ftin, billControlNumber string) (record.Bill, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return record.Bill{}, err
	}
	if !scope.Has(ftin) {
		return record.Bill{}, cmp.Or(s.audit.RecordNow(ctx, record.Entry(record.OpenPayment, ftin, billControlNumber, record.Refused)),
			error(problem.New(problem.NotFound)))
	}
	b, err := record.GetByKey(ctx, s.db.Reader, scope, ftin, text.Key(billControlNumber))
	if err != nil {
		return record.Bill{}, db.IfNotFound(err, problem.New(problem.NotFound))
	}
	return b, s.audit.RecordNow(ctx, record.Entry(record.OpenPayment, ftin, b.BillControlNumber, record.OK))
}

// pricingSheet finds the pricing sheet with a bill control number among the TINs in scope.
func (s *Service) pricingSheet(ctx context.Context, a access.Actor, billControlNumber string) (detailed, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return detailed{}, err
	}
	b, err := s.withDetails(ctx)(pricingSheetByKey(ctx, s.db.Reader, scope, text.Key(billControlNumber)))
	if err != nil {
		return detailed{}, db.IfNotFound(err, problem.New(problem.NotFound))
	}
	return b, nil
}

func (s *Service) recordSheetOpening(ctx context.Context, b detailed) error {
	return s.audit.RecordNow(ctx, record.Entry("open-pricing-sheet", b.FTIN, b.BillControlNumber, record.OK))
}

// PricingSheetPDF renders the network's pricing sheet of a bill.
func (s *Service) PricingSheetPDF(ctx context.Context, a access.Actor, billControlNumber string) ([]byte, error) {
	b, err := s.pricingSheet(ctx, a, billControlNumber)
	if err != nil {
		return nil, err
	}
	if err := s.recordSheetOpening(ctx, b); err != nil {
		return nil, err
	}
	return s.renderSheet(ctx, b)
}

func (s *Service) renderSheet(ctx context.Context, b detailed) ([]byte, error) {
	if p, is, err := s.paper(ctx, b.Bill, facts.SheetPaper); err != nil {
		return nil, err
	} else if is {
		return s.readPaper(ctx, p)
	}
	return renderPricingSheet(b, s.brand, s.settings.Notes)
}

// PricingSheetLines returns the pricing sheet as lines of text. Each page starts with a line
// that contains "PAGE ". A sheet with the network's paper has no lines, because the paper is shown
// instead.
func (s *Service) PricingSheetLines(ctx context.Context, a access.Actor, billControlNumber string) ([]string, error) {
	b, err := s.pricingSheet(ctx, a, billControlNumber)
	if err != nil {
		return nil, err
	}
	if _, is, err := s.paper(ctx, b.Bill, facts.SheetPaper); is || err != nil {
		return nil, err
	}
	return pricingSheetLines(b, s.brand), s.recordSheetOpening(ctx, b)
}

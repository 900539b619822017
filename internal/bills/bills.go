// Package bills owns bills and payments. It searches them and opens their documents.
package bills

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"time"

	"wcpp/internal/bills/ledger"
	"wcpp/internal/bills/record"
	"wcpp/internal/bills/secondsystem"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
)

// Bill is a bill as the ledger derives it.
type Bill = record.Bill

// detailed is a bill with the details for its documents.
type detailed struct {
	record.Detailed
	paper *ledger.Paper // used instead of a rendered document; nil if there is none
}

// Service searches bills and opens their documents.
type Service struct {
	records  *record.Service
	db       *db.DB
	ledger   *ledger.Ledger
	files    blob.Store
	scopes   record.Scopes
	people   record.People
	second   *secondsystem.System // nil if there's none
	audit    *audit.Log
	log      *slog.Logger
	now      func() time.Time
	settings Settings
	brand    string // on documents
	desk     record.Desk
	states   bool // search results include the bill state, and documents a note that they're generated
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Ledger *ledger.Ledger
	Scopes record.Scopes
	People record.People
	Desk   record.Desk
	Second *secondsystem.System `optional:"true"`
}

// NewService creates the service. If states is set, search results show that a bill was denied,
// voided or replaced, and link to its page. Documents then say that they're generated.
func NewService(d Deps, settings Settings, states bool) *Service {
	platform.Require(d)
	records := record.NewService(record.Deps{Kit: d.Kit, Scopes: d.Scopes},
		record.Settings{ForeignBillURL: settings.ForeignBillURL, States: states})
	return &Service{records: records, db: d.DB, ledger: d.Ledger, files: d.Files, scopes: d.Scopes, people: d.People, second: d.Second, desk: d.Desk,
		audit: d.Audit, log: d.Log, now: d.LocalTime, settings: settings, brand: d.Brand.BrandName, states: states}
}

// Records returns what seals and opens the ids of bills.
func (s *Service) Records() *record.Service { return s.records }

// searchEntry returns the audit entry for a search of TINs, with the criteria and the bill
// numbers found.
func searchEntry[B any](
	operation audit.Operation, result string, tins []string, c searchCriteria, found []B, number func(*B) string,
) audit.Entry {
	answered := make([]string, len(found))
	for i := range found {
		answered[i] = number(&found[i])
	}
	return audit.Entry{Operation: operation, Subject: strings.Join(tins, " "), About: tins, Answered: answered,
		Searched: secondsystem.Search{TINs: tins, Query: makeQuery(c)}, Result: result}
}

func getNumber(b *Bill) string { return b.BillControlNumber }

// Search finds the bills of one TIN. A TIN out of scope is treated like an unknown one.
func (s *Service) Search(ctx context.Context, a access.Actor, ftin string, c Criteria) ([]Bill, error) {
	if err := validateCriteria(c); err != nil {
		return nil, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	if !scope.Has(ftin) {
		return nil, cmp.Or(s.audit.RecordNow(ctx, searchEntry("searchByAssorted", record.Refused, []string{ftin}, c, nil, getNumber)),
			error(problem.New(problem.NotFound)))
	}
	found, err := db.ReadFromReplica(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]Bill, error) {
		return search(ctx, q, scope, ftin, c)
	})
	if err == nil {
		err = s.withEORs(ctx, found)
	}
	if err != nil {
		return nil, err
	}
	return auditFound(s, ctx, found, searchEntry("searchByAssorted", record.OK, []string{ftin}, c, found, getNumber))
}

// SearchSecond finds the bills of several TINs in the second bill system. It only uses those in
// scope, because one can be revoked during the search. It drops results for TINs that weren't
// requested.
func (s *Service) SearchSecond(ctx context.Context, a access.Actor, tins []string, c Criteria) ([]secondsystem.Bill, error) {
	if err := validateCriteria(c); err != nil {
		return nil, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	lost := slices.DeleteFunc(slices.Clone(tins), scope.Has)
	if len(lost) > 0 {
		if err := s.audit.RecordNow(ctx, searchEntry("mitchBillSearch", record.Refused, lost, c, nil, (*secondsystem.Bill).Number)); err != nil {
			return nil, err
		}
	}
	if tins = slices.DeleteFunc(slices.Clone(tins), func(ftin string) bool { return !scope.Has(ftin) }); len(tins) == 0 {
		return nil, problem.New(problem.NotFound)
	}
	found, err := s.second.Search(ctx, tins, makeQuery(c))
	if err != nil {
		return nil, err
	}
	return auditFound(s, ctx, found, searchEntry("mitchBillSearch", record.OK, tins, c, found, (*secondsystem.Bill).Number))
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
func (s *Service) FindByClaim(ctx context.Context, a access.Actor, c WholeClaim) (found []Bill, more bool, err error) {
	scope, err := s.checkClaim(ctx, a, c)
	if err != nil {
		return nil, false, err
	}
	found, err = db.ReadFromReplica(ctx, s.db, func(ctx context.Context, q db.Queryer) ([]Bill, error) {
		return record.ListClaimBills(ctx, q, scope, c.ClaimNumber, MaxPerClaim+1)
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
	found, err = auditFound(s, ctx, found, searchEntry("billsOfClaim", record.OK, scope.TINs(), c, found, getNumber))
	return found, more, err
}

// FindSecondByClaim finds the bills of a claim in the second bill system.
func (s *Service) FindSecondByClaim(ctx context.Context, a access.Actor, c WholeClaim) ([]secondsystem.Bill, error) {
	scope, err := s.checkClaim(ctx, a, c)
	if err != nil {
		return nil, err
	}
	found, err := s.second.Search(ctx, scope.TINs(), makeQuery(c))
	if err != nil {
		return nil, err
	}
	return auditFound(s, ctx, found, searchEntry("mitchBillsOfClaim", record.OK, scope.TINs(), c, found, (*secondsystem.Bill).Number))
}

func (s *Service) checkClaim(ctx context.Context, a access.Actor, c WholeClaim) (access.Scope, error) {
	if err := c.check(); err != nil {
		return access.Scope{}, err
	}
	return s.scopes.Scope(ctx, a)
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
func (s *Service) Sample(ctx context.Context, scope access.Scope, ftin string, n int) ([]Bill, error) {
	return selectSample(ctx, s.db.Reader, scope, ftin, n)
}

// findDocument finds the bill of an id, if the bill has that document.
func (s *Service) findDocument(ctx context.Context, a access.Actor, id string) (record.DocumentID, detailed, error) {
	d, scope, err := s.records.OpenDocument(ctx, a, id)
	if err != nil {
		return d, detailed{}, err
	}
	b, err := s.withDetails(ctx)(record.GetByKey(ctx, s.db.Reader, scope, d.FTIN, d.Key))
	if errors.Is(err, db.ErrNotFound) {
		return d, b, problem.New(problem.NotFound)
	}
	if err != nil {
		return d, b, err
	}
	if d.Kind != record.Image && d.Kind != record.EOR {
		return d, b, problem.New(problem.NotFound)
	}
	if p, is, err := s.paper(ctx, b.Bill, d.Kind); is || err != nil {
		b.paper = &p
		return d, b, err
	}
	if d.Kind == record.EOR && !b.EOR || !b.hasLines() {
		return d, b, problem.New(problem.NotFound)
	}
	return d, b, nil
}

// withDetails adds the document details to a bill.
func (s *Service) withDetails(ctx context.Context) func(Bill, error) (detailed, error) {
	return func(b Bill, err error) (detailed, error) {
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
		return renderImage(b, s.brand, s.states)
	}
	paid, err := ledger.ListPayments(ctx, s.db.Reader, b.Bill)
	if err != nil {
		return nil, err
	}
	paid = slices.DeleteFunc(paid, func(p record.Payment) bool { return !p.IsCounted() })
	return renderEOR(b, paid, s.brand, s.states)
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
func (s *Service) Payment(ctx context.Context, a access.Actor, ftin, billControlNumber string) (Bill, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return Bill{}, err
	}
	if !scope.Has(ftin) {
		return Bill{}, cmp.Or(s.audit.RecordNow(ctx, record.Entry(record.OpenPayment, ftin, billControlNumber, record.Refused)),
			error(problem.New(problem.NotFound)))
	}
	b, err := record.GetByKey(ctx, s.db.Reader, scope, ftin, text.Key(billControlNumber))
	if errors.Is(err, db.ErrNotFound) {
		return Bill{}, problem.New(problem.NotFound)
	}
	if err != nil {
		return Bill{}, err
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
	if errors.Is(err, db.ErrNotFound) {
		return detailed{}, problem.New(problem.NotFound)
	}
	if err != nil {
		return detailed{}, err
	}
	return b, s.audit.RecordNow(ctx, record.Entry("open-pricing-sheet", b.FTIN, b.BillControlNumber, record.OK))
}

// PricingSheetPDF renders the network's pricing sheet of a bill.
func (s *Service) PricingSheetPDF(ctx context.Context, a access.Actor, billControlNumber string) ([]byte, error) {
	b, err := s.pricingSheet(ctx, a, billControlNumber)
	if err != nil {
		return nil, err
	}
	if p, is, err := s.paper(ctx, b.Bill, ledger.SheetPaper); err != nil {
		return nil, err
	} else if is {
		return s.readPaper(ctx, p)
	}
	return renderPricingSheet(b, s.brand, s.states)
}

// PricingSheetLines returns the pricing sheet as lines of text. Each page starts with a line
// that contains "PAGE ".
func (s *Service) PricingSheetLines(ctx context.Context, a access.Actor, billControlNumber string) ([]string, error) {
	b, err := s.pricingSheet(ctx, a, billControlNumber)
	if err != nil {
		return nil, err
	}
	return pricingSheetLines(b, s.brand), nil
}

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
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/text"
)

type (
	// Bill is a bill as the ledger derives it.
	Bill = ledger.Bill
	// Detail is the part of a bill that documents show.
	Detail = ledger.Detail
	// Payment is the payment of a bill in a remittance.
	Payment = ledger.Payment
)

// The statuses of a bill. Payment information is available for the two paid ones.
const (
	StatusPaid          = ledger.StatusPaid
	StatusReceived      = ledger.StatusReceived
	StatusPriced        = ledger.StatusPriced
	StatusPaidCorrected = ledger.StatusPaidCorrected
	StatusDenied        = ledger.StatusDenied
	StatusVoid          = ledger.StatusVoid
)

// detailed is a bill with the details for its documents.
type detailed struct {
	Bill
	Detail Detail
	paper  *ledger.Paper // used instead of a rendered document; nil if there is none
}

// Service searches bills and opens their documents.
type Service struct {
	db       *db.DB
	ledger   *ledger.Ledger
	files    blob.Store
	scopes   *tins.Scopes
	users    *users.Service
	second   *SecondSystem // nil if there's none
	sealer   *seal.Sealer
	audit    *audit.Log
	log      *slog.Logger
	now      func() time.Time
	settings Settings
	brand    string // on documents
	desk     Desk
	states   bool // search results include the bill state, and documents a note that they're generated
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Ledger *ledger.Ledger
	Scopes *tins.Scopes
	Users  *users.Service
	Desk   Desk
	Second *SecondSystem `optional:"true"`
}

// NewService creates the service. If states is set, search results show that a bill was denied,
// voided or replaced, and link to its page. Documents then say that they're generated.
func NewService(d Deps, settings Settings, states bool) *Service {
	platform.Require(d)
	return &Service{db: d.DB, ledger: d.Ledger, files: d.Files, scopes: d.Scopes, users: d.Users, second: d.Second, desk: d.Desk,
		sealer: d.Sealer,
		audit:  d.Audit, log: d.Log, now: d.LocalTime, settings: settings, brand: d.Brand.BrandName, states: states}
}

// entry returns an audit entry for an operation on a bill, or on the bills of a TIN. It can be
// found by both.
func entry(operation audit.Operation, ftin, number, result string) audit.Entry {
	e := audit.Entry{Operation: operation, Subject: ftin, About: []string{ftin}, Result: result}
	if number != "" {
		e.Subject, e.Answered = ftin+" "+number, []string{number}
		e.About = append(e.About, e.Subject)
	}
	return e
}

// searchEntry returns the audit entry for a search of TINs, with the criteria and the bill
// numbers found.
func searchEntry[B any](
	operation audit.Operation, result string, tins []string, c searchCriteria, found []B, number func(*B) string,
) audit.Entry {
	asked := SecondSearch{TINs: tins}
	c.fillSearch(&asked)
	answered := make([]string, len(found))
	for i := range found {
		answered[i] = number(&found[i])
	}
	return audit.Entry{Operation: operation, Subject: strings.Join(tins, " "), About: tins, Answered: answered, Searched: asked,
		Result: result}
}

func getNumber(b *Bill) string             { return b.BillControlNumber }
func getSecondNumber(b *SecondBill) string { return cmp.Or(b.BillControlNumber, b.ExID) }

const (
	ok      = "ok"
	refused = "refused"
)

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
		return nil, cmp.Or(s.audit.RecordNow(ctx, searchEntry("searchByAssorted", refused, []string{ftin}, c, nil, getNumber)),
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
	return auditFound(s, ctx, found, searchEntry("searchByAssorted", ok, []string{ftin}, c, found, getNumber))
}

// SearchSecond finds the bills of several TINs in the second bill system. It only uses those in
// scope, because one can be revoked during the search. It drops results for TINs that weren't
// requested.
func (s *Service) SearchSecond(ctx context.Context, a access.Actor, tins []string, c Criteria) ([]SecondBill, error) {
	if err := validateCriteria(c); err != nil {
		return nil, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, err
	}
	lost := slices.DeleteFunc(slices.Clone(tins), scope.Has)
	if len(lost) > 0 {
		if err := s.audit.RecordNow(ctx, searchEntry("mitchBillSearch", refused, lost, c, nil, getSecondNumber)); err != nil {
			return nil, err
		}
	}
	if tins = slices.DeleteFunc(slices.Clone(tins), func(ftin string) bool { return !scope.Has(ftin) }); len(tins) == 0 {
		return nil, problem.New(problem.NotFound)
	}
	found, err := s.searchSecond(ctx, tins, c)
	if err != nil {
		return nil, err
	}
	return auditFound(s, ctx, found, searchEntry("mitchBillSearch", ok, tins, c, found, getSecondNumber))
}

// auditFound returns the results after auditing them, or only an error if that fails.
func auditFound[T any](s *Service, ctx context.Context, found []T, e audit.Entry) ([]T, error) {
	if err := s.audit.RecordNow(ctx, e); err != nil {
		return nil, err
	}
	return found, nil
}

func (s *Service) searchSecond(ctx context.Context, tins []string, c searchCriteria) ([]SecondBill, error) {
	if s.second == nil || len(tins) == 0 {
		return nil, nil
	}
	found, err := s.second.Search(ctx, tins, c)
	if err != nil {
		return nil, problem.New(problem.Unavailable).WithCause(err)
	}
	return slices.DeleteFunc(found, func(b SecondBill) bool { return !slices.Contains(tins, b.FTIN) }), nil
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
		return listClaimBills(ctx, q, scope, c.ClaimNumber, MaxPerClaim+1)
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
	found, err = auditFound(s, ctx, found, searchEntry("billsOfClaim", ok, scope.TINs(), c, found, getNumber))
	return found, more, err
}

// FindSecondByClaim finds the bills of a claim in the second bill system.
func (s *Service) FindSecondByClaim(ctx context.Context, a access.Actor, c WholeClaim) ([]SecondBill, error) {
	scope, err := s.checkClaim(ctx, a, c)
	if err != nil {
		return nil, err
	}
	found, err := s.searchSecond(ctx, scope.TINs(), c)
	if err != nil {
		return nil, err
	}
	return auditFound(s, ctx, found, searchEntry("mitchBillsOfClaim", ok, scope.TINs(), c, found, getSecondNumber))
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

// documentID is the content of a sealed document id. It keeps TINs and bill numbers out of URLs.
// Each use checks the scope again.
type documentID struct {
	Kind string // image or eor
	FTIN string
	Key  string // key of the bill control number, or the second system's id
}

const (
	imageDocument  = ledger.ImagePaper
	eorDocument    = ledger.EORPaper
	secondDocument = "second"
)

const documentPurpose = "bill document"

func (s *Service) sealDocument(kind, ftin, key string) (string, error) {
	return s.sealer.Name(documentPurpose, documentID{kind, ftin, key})
}

// openDocument opens a sealed id and checks that the actor can still see the bill. The id is a
// kind and a bill page (see link), or it's sealed for the document.
func (s *Service) openDocument(ctx context.Context, a access.Actor, id string) (documentID, access.Scope, error) {
	var d documentID
	if kind, page, of := strings.Cut(id, "."); of {
		ftin, key, named := s.OpenPageID(page)
		if !named || kind != imageDocument && kind != eorDocument {
			return d, access.Scope{}, problem.New(problem.NotFound)
		}
		d = documentID{kind, ftin, key}
	} else if s.sealer.Open(documentPurpose, id, &d) != nil {
		return d, access.Scope{}, problem.New(problem.NotFound)
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return d, scope, err
	}
	if !scope.Has(d.FTIN) {
		if err := s.audit.RecordNow(ctx, entry(audit.Operation("open-"+d.Kind), d.FTIN, d.Key, refused)); err != nil {
			return d, scope, err
		}
		return d, scope, problem.New(problem.NotFound)
	}
	return d, scope, nil
}

// findDocument finds the bill of an id, if the bill has that document.
func (s *Service) findDocument(ctx context.Context, a access.Actor, id string) (documentID, detailed, error) {
	d, scope, err := s.openDocument(ctx, a, id)
	if err != nil {
		return d, detailed{}, err
	}
	b, err := s.withDetails(ctx)(byKey(ctx, s.db.Reader, scope, d.FTIN, d.Key))
	if errors.Is(err, db.ErrNotFound) {
		return d, b, problem.New(problem.NotFound)
	}
	if err != nil {
		return d, b, err
	}
	if d.Kind != imageDocument && d.Kind != eorDocument {
		return d, b, problem.New(problem.NotFound)
	}
	if p, is, err := s.paper(ctx, b.Bill, d.Kind); is || err != nil {
		b.paper = &p
		return d, b, err
	}
	if d.Kind == eorDocument && !b.EOR || !b.hasLines() {
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
		detail, err := ledger.GetDetail(ctx, s.db.Reader, b)
		return detailed{Bill: b, Detail: detail}, err
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
		entry(audit.Operation("open-"+d.Kind), d.FTIN, b.BillControlNumber, ok))
}

// fileName returns the file name of a bill's document, which differs for each bill and kind.
func fileName(number, document string) string {
	return "bill-" + text.FileName(number) + "-" + document + ".pdf"
}

func (s *Service) render(ctx context.Context, kind string, b detailed) ([]byte, error) {
	if b.paper != nil {
		return s.readPaper(ctx, *b.paper)
	}
	if kind == imageDocument {
		return renderImage(b, s.brand, s.states)
	}
	paid, err := ledger.ListPayments(ctx, s.db.Reader, b.Bill)
	if err != nil {
		return nil, err
	}
	paid = slices.DeleteFunc(paid, func(p Payment) bool { return !p.IsCounted() })
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
	d, _, err := s.openDocument(ctx, a, id)
	if err != nil {
		return "", err
	}
	if d.Kind != secondDocument || s.second == nil {
		return "", problem.New(problem.NotFound)
	}
	address, err := s.second.Document(ctx, d.Key, isEOR)
	if errors.Is(err, errNoDocument) {
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
	return address, s.audit.RecordNow(ctx, entry("open-second", d.FTIN, d.Key, ok))
}

// Payment returns the payment of a bill.
func (s *Service) Payment(ctx context.Context, a access.Actor, ftin, billControlNumber string) (Bill, error) {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return Bill{}, err
	}
	if !scope.Has(ftin) {
		return Bill{}, cmp.Or(s.audit.RecordNow(ctx, entry(openPayment, ftin, billControlNumber, refused)),
			error(problem.New(problem.NotFound)))
	}
	b, err := byKey(ctx, s.db.Reader, scope, ftin, text.Key(billControlNumber))
	if errors.Is(err, db.ErrNotFound) {
		return Bill{}, problem.New(problem.NotFound)
	}
	if err != nil {
		return Bill{}, err
	}
	return b, s.audit.RecordNow(ctx, entry(openPayment, ftin, b.BillControlNumber, ok))
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
	return b, s.audit.RecordNow(ctx, entry("open-pricing-sheet", b.FTIN, b.BillControlNumber, ok))
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

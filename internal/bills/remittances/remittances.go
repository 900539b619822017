// Package remittances shows checks and transfers to their payees, bill by bill, and exports them
// as documents.
package remittances

import (
	"cmp"
	"context"
	"strings"
	"time"

	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/money"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/validate"
)

// ID identifies a remittance within its TIN.
type ID = record.RemittanceID

// StoredFiles are the stored original files of feeds.
type StoredFiles interface {
	// OpenStored opens a file by the SHA-256 of its content. It returns blob.ErrNotFound if the
	// file isn't stored, or no longer.
	OpenStored(ctx context.Context, sha256 string) (*blob.File, error)
}

// CodeTexts returns the text of a list's code for a jurisdiction, or without one.
type CodeTexts func(list, code, jurisdiction string) string

// Reasons returns the meanings of codes.
type Reasons interface {
	// LoadTexts returns a function for the texts of codes. A jurisdiction's own text wins. The
	// result is empty for a code without a text.
	LoadTexts(ctx context.Context) (CodeTexts, error)
}

// Service lists remittances and shows their content.
type Service struct {
	db       *db.DB
	records  *record.Service
	scopes   *tins.Scopes
	users    *users.Service
	reasons  Reasons
	kept     StoredFiles
	jobs     jobs.Queue
	audit    *audit.Log
	now      func() time.Time
	settings Settings
	brand    string // on documents
	exports  *fileexport.Exports[Export, int64]
	desk     record.Desk
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Records *record.Service
	Scopes  *tins.Scopes
	Users   *users.Service
	Reasons Reasons
	Stored  StoredFiles
	Desk    record.Desk
}

// Settings limit how much one user can search and open.
type Settings struct {
	BillSearches int // requests per hour
	BillOpenings int // documents and pages per hour
}

// NewService creates the service.
func NewService(d Deps, settings Settings, quota fileexport.Quota) *Service {
	platform.Require(d)
	s := &Service{db: d.DB, records: d.Records, jobs: d.Jobs, scopes: d.Scopes, users: d.Users, reasons: d.Reasons, kept: d.Stored,
		desk:  d.Desk,
		audit: d.Audit, now: d.LocalTime, settings: settings, brand: d.Brand.BrandName}
	s.exports = s.newExports(d.DB, d.Files, quota)
	return s
}

// methodNames are the BPR04 codes in words.
var methodNames = map[string]string{
	"CHK": "Check", "ACH": "ACH transfer", "FWT": "Wire transfer", "BOP": "Transfer or check", "NON": "No payment",
}

// Criteria are the criteria for remittances. A number finds them regardless of their dates.
type Criteria struct {
	Number    string    // the complete check or transfer number; spaces, hyphens and case don't matter
	Payer     string    // part of the name
	From, To  date.Date // payment date
	Amount    *int64    // cents
	Method    string
	FTIN      string
	Reversals bool // only those with reversals
	Adjusted  bool // only those with provider-level adjustments
	NotPosted bool // only those the group hasn't posted
}

const (
	maxNumber   = 50
	maxPayer    = 60
	maxDays     = 366
	defaultDays = 30
)

// complete checks the criteria. Without a number and dates, it adds the last 30 days.
func (c Criteria) complete(today date.Date) (Criteria, error) {
	if c.Number == "" && c.From == "" && c.To == "" {
		c.From, c.To = today.AddDays(1-defaultDays), today
	}
	var wrong validate.Fields
	wrong.Limit(c.Number, maxNumber, "number")
	wrong.Limit(c.Payer, maxPayer, "payer")
	if c.Number == "" {
		wrong.Require(c.From != "", "from", "Enter a start date.")
		wrong.Require(c.To != "", "to", "Enter an end date.")
		if c.From != "" && c.To != "" {
			wrong.Require(c.From <= c.To, "from", "Start date must be on or before the end date.")
			wrong.Require(c.From > c.To || c.To < c.From.AddDays(maxDays), "to", "End date must be within 366 days of the start date.")
		}
	}
	_, known := methodNames[c.Method]
	wrong.Require(known || c.Method == "", "method", "Select a payment method.")
	wrong.Require(c.FTIN == "" || validate.TIN(c.FTIN), "ftin", "Enter 9 digits.")
	return c, wrong.Refuse("Couldn't search remittances. Correct the criteria and try again.")
}

// auditFields returns the criteria for the audit log.
func (c Criteria) auditFields() map[string]string {
	fields := map[string]string{}
	for name, value := range map[string]string{
		"number": c.Number, "payer": c.Payer, "paidFrom": string(c.From), "paidTo": string(c.To), "method": c.Method, "ftin": c.FTIN,
	} {
		if value != "" {
			fields[name] = value
		}
	}
	if c.Amount != nil {
		fields["amount"] = money.Text(*c.Amount)
	}
	for name, is := range map[string]bool{"reversals": c.Reversals, "adjusted": c.Adjusted, "notPosted": c.NotPosted} {
		if is {
			fields[name] = "yes"
		}
	}
	return fields
}

const (
	ok      = "ok"
	refused = "refused"
)

// The operations on remittances in the audit log.
const (
	searchRemittances = "searchRemittances"
	openRemittance    = "open-remittance"
	openAdvice        = "open-remittance-voucher"
	openLines         = "open-remittance-lines"
	openOriginal      = "open-remittance-835"
	postRemittance    = "remittance-post"
	unpostRemittance  = "remittance-unpost"
	exportRemittances = "remittance-export"
	openExport        = "remittance-export-open"
)

// Openings are the audit operations for opening a remittance, its documents, or an export of
// several.
var Openings = []string{openRemittance, openAdvice, openLines, openOriginal, openExport}

// Search returns a page of remittances, and their total number. A TIN out of scope is treated
// like an unknown one.
func (s *Service) Search(ctx context.Context, a access.Actor, c Criteria, t paging.Table) ([]Listed, int, error) {
	c, err := c.complete(date.Of(s.now()))
	if err != nil {
		return nil, 0, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, 0, err
	}
	searched := audit.Entry{Operation: searchRemittances, About: scope.TINs(), Searched: c.auditFields(), Result: ok}
	if c.FTIN != "" {
		searched.About = []string{c.FTIN}
	}
	searched.Subject = strings.Join(searched.About, " ")
	if c.FTIN != "" && !scope.Has(c.FTIN) {
		searched.Result = refused
		return nil, 0, cmp.Or(s.audit.RecordNow(ctx, searched), error(problem.New(problem.NotFound)))
	}
	var (
		found []Listed
		count int
	)
	if statement, ok := c.statement(scope, a.Acting().GroupID); ok {
		if found, count, err = search(ctx, s.db.Reader, s.db.Dialect, t, statement); err != nil {
			return nil, 0, err
		}
	}
	for _, r := range found {
		searched.Answered = append(searched.Answered, r.TraceNumber)
	}
	if err := s.audit.RecordNow(ctx, searched); err != nil {
		return nil, 0, err
	}
	return found, count, nil
}

// entry returns an audit entry for an operation on a remittance. It can be found by the TIN, and
// by TIN and check number.
func entry(operation audit.Operation, ftin, number, result string) audit.Entry {
	e := audit.Entry{Operation: operation, Subject: ftin, About: []string{ftin}, Result: result}
	if number != "" {
		e.Subject = ftin + " " + number
		e.About = append(e.About, e.Subject)
	}
	return e
}

func errNoRemittance() error {
	return problem.WithMessage(problem.NotFound, "This link is no longer valid. Find the remittance by its number.")
}

// openID opens an id issued by the portal and checks that the actor can still see its remittance.
// An id sealed with a retired key is treated as invalid.
func (s *Service) openID(ctx context.Context, a access.Actor, operation audit.Operation, sealed string) (ID, error) {
	id, err := s.records.OpenRemittance(sealed)
	if err != nil {
		return id, errNoRemittance()
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return id, err
	}
	if !scope.Has(id.FTIN) {
		if err := s.audit.RecordNow(ctx, entry(operation, id.FTIN, "", refused)); err != nil {
			return id, err
		}
		return id, errNoRemittance()
	}
	return id, nil
}

// posterNames returns the names of users for people of the same group, and caches them.
func (s *Service) posterNames(a access.Actor) func(ctx context.Context, userName string) (string, error) {
	names := map[string]string{}
	return func(ctx context.Context, userName string) (string, error) {
		if name, known := names[userName]; known {
			return name, nil
		}
		name, err := s.users.GetColleagueName(ctx, userName, a.Acting().GroupID)
		if err != nil {
			return "", err
		}
		names[userName] = cmp.Or(name, "a former group member")
		return names[userName], nil
	}
}

// Package remittances shows checks and transfers to whom they pay: what they come
// to, bill by bill, and gives them out as documents.
package remittances

import (
	"cmp"
	"context"
	"strings"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/bills"
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

// ID names a remittance within its TIN.
type ID = bills.RemittanceID

// Kept are the files of feeds, as they came.
type Kept interface {
	// OpenKept opens a file by the SHA-256 of its content; blob.ErrNotFound where it is
	// not kept, or no longer.
	OpenKept(ctx context.Context, sha256 string) (*blob.File, error)
}

// Sentences tell a code of a list in a jurisdiction, or without one.
type Sentences func(list, code, jurisdiction string) string

// Reasons tell what codes mean.
type Reasons interface {
	// Sentences answers what tells a code of a list in a sentence, that of a jurisdiction
	// where it has one of its own; empty where nothing is told of it.
	Sentences(ctx context.Context) (Sentences, error)
}

// Service lists remittances and shows what they say.
type Service struct {
	db       *db.DB
	bills    *bills.Service
	scopes   bills.Scopes
	people   bills.People
	reasons  Reasons
	kept     Kept
	files    blob.Store
	jobs     jobs.Queue
	audit    *audit.Log
	now      func() time.Time
	settings bills.Settings
	brand    string // on documents
	quota    fileexport.Quota
	desk     bills.Desk
}

// NewService makes the service, which puts its jobs into the queue. The clock tells
// moments where the business is; the settings bound how much one person may search
// and open.
func NewService(d *db.DB, b *bills.Service, queue jobs.Queue, scopes bills.Scopes, people bills.People, reasons Reasons, kept Kept, files blob.Store, log *audit.Log, now func() time.Time, settings bills.Settings, brand string) *Service {
	return &Service{db: d, bills: b, jobs: queue, scopes: scopes, people: people, reasons: reasons, kept: kept, files: files, audit: log, now: now, settings: settings, brand: brand}
}

// UseQuota limits how many files a group can have stored.
func (s *Service) UseQuota(q fileexport.Quota) { s.quota = q }

// methods are the codes of BPR04 in words.
var methods = map[string]string{
	"CHK": "Check", "ACH": "ACH transfer", "FWT": "Wire transfer", "BOP": "Transfer or check", "NON": "No payment",
}

// Criteria are what remittances are searched by. Those of a number are found
// whatever their dates.
type Criteria struct {
	Number    string    // of the check or transfer, whole; blanks, hyphens and case do not matter
	Payer     string    // a part of the name
	From, To  date.Date // paid
	Amount    *int64    // cents
	Method    string
	FTIN      string
	Reversals bool // with reversals alone
	Adjusted  bool // with adjustments to the whole payment alone
	NotPosted bool // without the group's mark alone
}

const (
	mostNumber  = 50
	mostPayer   = 60
	mostDays    = 366
	defaultDays = 30
)

// whole checks the criteria. Without a number and dates they are about the last 30
// days.
func (c Criteria) whole(today date.Date) (Criteria, error) {
	if c.Number == "" && c.From == "" && c.To == "" {
		c.From, c.To = today.AddDays(1-defaultDays), today
	}
	var wrong validate.Fields
	wrong.Limit(c.Number, mostNumber, "number")
	wrong.Limit(c.Payer, mostPayer, "payer")
	if c.Number == "" {
		wrong.Require(c.From != "", "from", "Enter a start date.")
		wrong.Require(c.To != "", "to", "Enter an end date.")
		if c.From != "" && c.To != "" {
			wrong.Require(c.From <= c.To, "from", "Start date must be on or before the end date.")
			wrong.Require(c.From > c.To || c.To < c.From.AddDays(mostDays), "to", "End date must be within 366 days of the start date.")
		}
	}
	_, known := methods[c.Method]
	wrong.Require(known || c.Method == "", "method", "Select a payment method.")
	wrong.Require(c.FTIN == "" || validate.TIN(c.FTIN), "ftin", "Enter 9 digits.")
	return c, wrong.Refuse("Couldn't search remittances. Correct the criteria and try again.")
}

// searched is what was searched for, as the audit log keeps it.
func (c Criteria) searched() map[string]string {
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

// What is done with remittances, as the audit log names it.
const (
	searchRemittances = "searchRemittances"
	openRemittance    = "open-remittance"
	openVoucher       = "open-remittance-voucher"
	openLines         = "open-remittance-lines"
	openAsSent        = "open-remittance-835"
	postRemittance    = "remittance-post"
	unpostRemittance  = "remittance-unpost"
	exportRemittances = "remittance-export"
	openExport        = "remittance-export-open"
)

// Openings are the operations of the audit log by which people open a remittance, a
// document of it, or a file of several.
var Openings = []string{openRemittance, openVoucher, openLines, openAsSent, openExport}

// Search answers a page of remittances, and how many there are. A TIN out of scope
// is as one that does not exist.
func (s *Service) Search(ctx context.Context, a access.Actor, c Criteria, t paging.Table) ([]Listed, int, error) {
	c, err := c.whole(date.Of(s.now()))
	if err != nil {
		return nil, 0, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, 0, err
	}
	searched := audit.Entry{Operation: searchRemittances, About: scope.TINs(), Searched: c.searched(), Result: ok}
	if c.FTIN != "" {
		searched.About = []string{c.FTIN}
	}
	searched.Subject = strings.Join(searched.About, " ")
	if c.FTIN != "" && !scope.Has(c.FTIN) {
		searched.Result = refused
		return nil, 0, cmp.Or(s.audit.Now(ctx, searched), error(problem.New(problem.NotFound)))
	}
	found, count, err := search(ctx, s.db.Reader, s.db.Dialect, scope, a.Acting().GroupID, c, t)
	if err != nil {
		return nil, 0, err
	}
	for _, r := range found {
		searched.Answered = append(searched.Answered, r.TraceNumber)
	}
	if err := s.audit.Now(ctx, searched); err != nil {
		return nil, 0, err
	}
	return found, count, nil
}

// entry audits what was done with a remittance. It is found by the TIN, and by the
// number of the check with it.
func entry(operation audit.Operation, ftin, number, result string) audit.Entry {
	e := audit.Entry{Operation: operation, Subject: ftin, About: []string{ftin}, Result: result}
	if number != "" {
		e.Subject = ftin + " " + number
		e.About = append(e.About, e.Subject)
	}
	return e
}

func errNoRemittance() error {
	return problem.Say(problem.NotFound, "This link is no longer valid. Find the remittance by its number.")
}

// open reads an id that the portal handed out and checks that the actor may still
// see its remittance; one of a key that is gone is as one that never was.
func (s *Service) open(ctx context.Context, a access.Actor, operation audit.Operation, sealed string) (ID, error) {
	id, err := s.bills.OpenRemittance(sealed)
	if err != nil {
		return id, errNoRemittance()
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return id, err
	}
	if !scope.Has(id.FTIN) {
		if err := s.audit.Now(ctx, entry(operation, id.FTIN, "", refused)); err != nil {
			return id, err
		}
		return id, errNoRemittance()
	}
	return id, nil
}

// posters names who set marks to people of the same group; each is asked for once.
func (s *Service) posters(a access.Actor) func(ctx context.Context, userName string) (string, error) {
	names := map[string]string{}
	return func(ctx context.Context, userName string) (string, error) {
		if name, known := names[userName]; known {
			return name, nil
		}
		name, err := s.people.NameOf(ctx, userName, a.Acting().GroupID)
		if err != nil {
			return "", err
		}
		names[userName] = cmp.Or(name, "a former group member")
		return names[userName], nil
	}
}

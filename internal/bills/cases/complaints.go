package cases

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// ComplaintReplyDays is how many days after its resolution the office can reply to a complaint.
const ComplaintReplyDays = 30

// maxName is the maximum length of a complainant's name, in characters.
const maxName = 100

// category is a category of complaints.
type category struct{ code, name string }

// categories are those of 28 TAC 10.121(d), in its order.
var categories = []category{
	{"QUALITY", "Quality of care or services"},
	{"ACCESS", "Accessibility and availability of services or providers"},
	{"UTILIZATION", "Utilization review"},
	{"PROCEDURES", "Complaint procedures"},
	{"CONTRACTS", "Health care provider contracts"},
	{"PAYMENT", "Bill payment"},
	{"FEES", "Fee disputes"},
	{"OTHER", "Miscellaneous"},
}

// Categories returns the codes of the categories in display order.
func Categories() []string {
	codes := make([]string, len(categories))
	for i, c := range categories {
		codes[i] = c.code
	}
	return codes
}

// Origin is how a case reached the network.
type Origin string

// Origins.
const (
	FromPortal Origin = "PORTAL"
	ByPhone    Origin = "PHONE"
	ByMail     Origin = "MAIL"
)

// Outcome is the outcome of a complaint.
type Outcome string

// Outcomes.
const (
	Upheld       Outcome = "UPHELD"
	PartlyUpheld Outcome = "PARTLY"
	NotUpheld    Outcome = "NOT_UPHELD"
	NoDecision   Outcome = "NONE" // also if it was withdrawn
)

// outcomes are the names of the outcomes.
var outcomes = map[Outcome]string{Upheld: "Upheld", PartlyUpheld: "Partly upheld", NotUpheld: "Not upheld", NoDecision: "No decision"}

// Complaint is what a complaint has besides the fields of every case.
type Complaint struct {
	Categories  string // codes, separated by spaces
	Origin      Origin
	ReceivedOn  date.Date
	LawState    string // the state whose law applies; empty: unknown
	Complainant string // name of someone without an account
	Outcome     Outcome
	// The days by which law requires the letters, as of the receipt, and when they reached the
	// complainant.
	AckDue, AckOn                date.Date
	ResolveDue, ResolveOn        date.Date
	AckCitation, ResolveCitation string
	ResolveText                  string    // summary of the rule
	LegalDue                     date.Date // the earlier one that's still required
}

// Clock is a day by which law requires something.
type Clock struct {
	Due      date.Date // empty: no active rule
	Citation string
	Text     string // summary of the rule
}

// Clocks are the clocks of a complaint.
type Clocks struct{ Ack, Resolve Clock }

// Law calculates the clocks of a complaint from the active rules. Filing is the claim filing code
// of its bill, or empty.
type Law interface {
	FindClocks(ctx context.Context, tx *sql.Tx, state, filing string, received date.Date) (Clocks, error)
}

// ComplaintDetails is what makes a question a complaint.
type ComplaintDetails struct {
	Categories []string
	LawState   string // if no bill's file names one; can be empty
}

func (d ComplaintDetails) check(wrong *validate.Fields) {
	unknown := slices.ContainsFunc(d.Categories, func(c string) bool { return !slices.Contains(Categories(), c) })
	wrong.Require(len(d.Categories) > 0 && len(d.Categories) <= len(categories) && !unknown, "categories", "Select a category.")
	wrong.Require(d.LawState == "" || identifiers.IsState(d.LawState), "lawState", "Select a state.")
}

// normalize returns the codes in display order, each once.
func (d ComplaintDetails) normalize() string {
	var codes []string
	for _, code := range Categories() {
		if slices.Contains(d.Categories, code) {
			codes = append(codes, code)
		}
	}
	return strings.Join(codes, " ")
}

// beginComplaint makes a new case a complaint and starts its clocks. The law is that of the first bill whose file named a state.
func (s *Service) beginComplaint(
	ctx context.Context, tx *sql.Tx, c *Case, d ComplaintDetails, bills []aboutBill,
) (clocks Clocks, err error) {
	c.Kind, c.Topic, c.Categories, c.LawState = KindComplaint, TopicOther, d.normalize(), d.LawState
	filing := ""
	for i, b := range bills {
		law, err := getBillLaw(ctx, tx, b)
		if err != nil {
			return clocks, err
		}
		if i == 0 {
			filing = law.Filing
		}
		if law.StateBasis == facts.StateGiven && law.State != "" {
			c.LawState, filing = law.State, law.Filing
			break
		}
	}
	if c.LawState == "" {
		return clocks, nil
	}
	if clocks, err = s.law.FindClocks(ctx, tx, c.LawState, filing, c.ReceivedOn); err != nil {
		return clocks, err
	}
	c.AckDue, c.AckCitation = clocks.Ack.Due, clocks.Ack.Citation
	c.ResolveDue, c.ResolveCitation, c.ResolveText = clocks.Resolve.Due, clocks.Resolve.Citation, clocks.Resolve.Text
	c.setLegalDue()
	return clocks, nil
}

// setLegalDue updates the earlier day that's still required. Withdrawn complaints need no letter.
func (c *Case) setLegalDue() {
	c.LegalDue = ""
	if c.State == Withdrawn {
		return
	}
	if c.AckOn == "" {
		c.LegalDue = c.AckDue
	}
	if c.ResolveOn == "" && c.ResolveDue != "" && (c.LegalDue == "" || c.ResolveDue < c.LegalDue) {
		c.LegalDue = c.ResolveDue
	}
}

// isResolved reports whether a complaint has a resolution.
func (c Case) isResolved() bool {
	return c.Kind == KindComplaint && c.Outcome != "" && c.State != Withdrawn
}

// meet notes that the letters made so far reached the complainant, and reports whether that's new.
func (c *Case) meet(on date.Date) bool {
	if c.Kind != KindComplaint || c.AckOn != "" && (c.ResolveOn != "" || !c.isResolved()) {
		return false
	}
	c.AckOn = cmp.Or(c.AckOn, on)
	if c.isResolved() {
		c.ResolveOn = cmp.Or(c.ResolveOn, on)
	}
	c.setLegalDue()
	return true
}

// meetByOpening notes that the office opened a complaint.
func (s *Service) meetByOpening(ctx context.Context, tx *sql.Tx, c Case) (Case, error) {
	if copied := c; !copied.meet(s.today()) {
		return c, nil
	}
	c, err := getCase(ctx, tx, c.Number, s.db.Dialect.ForUpdate)
	if err == nil && c.meet(s.today()) {
		err = putCase(ctx, tx, c)
	}
	return c, err
}

func (s *Service) today() date.Date { return date.Of(s.now()) }

// resolve stores the outcome of an answered complaint and makes its letter. It returns the operation to
// audit. Nothing else has an outcome.
func (s *Service) resolve(ctx context.Context, tx *sql.Tx, c *Case, how writing, w Written) (audit.Operation, error) {
	switch {
	case how.event == eventAsk && c.Group == 0:
		return "", problem.WithMessage(problem.Conflict, "People without an account can't reply here. Call or write to them.")
	case c.Kind != KindComplaint || how.event != eventAnswer:
		if w.Outcome != "" {
			return "", problem.New(problem.Invalid)
		}
		return how.operation, nil
	case outcomes[w.Outcome] == "":
		return "", validate.RefuseField(validate.MarkedFields, "outcome", "Select an outcome.")
	}
	c.Outcome = w.Outcome
	bills, err := listBills(ctx, tx, []int64{c.ID})
	if err != nil {
		return "", err
	}
	return "case-resolve", s.addLetter(ctx, tx, *c, draft{kind: Resolution, bills: bills, body: w.Body, rules: []string{c.ResolveText}})
}

// Recorded is a complaint that staff record.
type Recorded struct {
	RequestKey  string
	UserName    string // the office's user who complained
	Complainant string // or the name of someone without an account
	FTIN        string
	Bills       []string // numbers of bills of the TIN
	Origin      Origin
	ReceivedOn  date.Date
	Body        string
	ComplaintDetails
}

const notRecorded = "The complaint wasn't recorded. Correct the marked fields and try again."

func (r *Recorded) check(today date.Date) error {
	r.Body, r.UserName, r.Complainant = text.Paragraphs(r.Body), text.Clean(r.UserName), text.Clean(r.Complainant)
	var wrong validate.Fields
	wrong.Require(r.RequestKey != "" && len(r.RequestKey) <= maxKey, "requestKey", "Reload the page, then try again.")
	wrong.Require((r.UserName == "") != (r.Complainant == ""), "userName", "Enter a username, or the name of someone without an account.")
	wrong.Limit(r.Complainant, maxName, "complainant")
	wrong.Require(r.UserName != "" || r.FTIN == "", "ftin", "Enter a Tax ID only for a user.")
	wrong.Require(len(r.Bills) == 0 || r.FTIN != "", "ftin", "Enter the Tax ID of the bills.")
	wrong.Require(len(r.Bills) <= MaxBills, "bills", fmt.Sprintf("Enter up to %d bills.", MaxBills))
	wrong.Require(r.Origin == ByPhone || r.Origin == ByMail, "origin", "Select how it came.")
	const oldest = 366 // days
	wrong.Require(r.ReceivedOn != "" && r.ReceivedOn <= today && r.ReceivedOn >= today.AddDays(-oldest), "receivedOn",
		"Enter a day of the past year.")
	wrong.Require(r.Body != "", "body", "Enter the complaint.")
	wrong.Limit(r.Body, MaxText, "body")
	r.ComplaintDetails.check(&wrong)
	return wrong.Refuse(notRecorded)
}

// RecordComplaint stores a complaint that came by phone or mail. The group of an office's user sees
// it. A repeated request with the same key returns the stored one.
func (s *Service) RecordComplaint(ctx context.Context, a access.Actor, r Recorded) (c Case, err error) {
	if err := r.check(s.today()); err != nil {
		return Case{}, err
	}
	complainant := access.Person{ID: a.Person.ID}
	if r.UserName != "" {
		u, err := s.users.FindVisible(ctx, a, r.UserName)
		if problem.Is(err, problem.NotFound) || err == nil && (!slices.Contains(officeTypes, u.TypeCd) || !u.CanWork()) {
			return Case{}, validate.RefuseField(notRecorded, "userName", "Enter the username of an office's user.")
		}
		if err != nil {
			return Case{}, err
		}
		complainant = u.Person()
	}
	hash, err := hashRequest(r)
	if err != nil {
		return Case{}, err
	}
	of := request{author: complainant.ID, key: r.RequestKey, hash: hash}
	return s.once(ctx, of, anyCase, func(tx *sql.Tx) (Case, error) { return s.addRecorded(ctx, tx, a, complainant, r, of) })
}

// officeTypes are the account types that see questions of their group.
var officeTypes = []access.Type{access.PRUS, access.PRAD, access.NNUS}

// addRecorded stores a complaint for an office's user, or for someone without an account.
func (s *Service) addRecorded(
	ctx context.Context, tx *sql.Tx, a access.Actor, complainant access.Person, r Recorded, of request,
) (Case, error) {
	now := s.now()
	c := Case{Group: complainant.GroupID, OpenedBy: complainant.ID, FTIN: r.FTIN, State: Open, OpenedAt: db.At(now),
		DueAt: db.At(s.hours.After(now, promised)), RequestKey: of.key, RequestHash: of.hash, Version: 1,
		Complaint: Complaint{Origin: r.Origin, ReceivedOn: r.ReceivedOn, Complainant: r.Complainant}}
	office := access.Actor{Person: complainant}
	if c.FTIN != "" {
		err := access.RequireTIN(ctx, s.scopes, office, c.FTIN)
		if problem.Is(err, problem.NotFound) {
			return Case{}, validate.RefuseField(notRecorded, "ftin", "Enter a Tax ID of the user.")
		}
		if err != nil {
			return Case{}, err
		}
	}
	pages := make([]string, len(r.Bills))
	for i, number := range r.Bills {
		var err error
		if pages[i], err = s.pages.PageID(r.FTIN, text.Key(number)); err != nil {
			return Case{}, err
		}
	}
	bills, err := s.findBills(ctx, tx, office, &c, pages)
	if problem.Is(err, problem.NotFound) {
		return Case{}, validate.RefuseField(notRecorded, "bills", "Enter bill numbers of this Tax ID.")
	}
	if err != nil {
		return Case{}, err
	}
	return s.store(ctx, tx, c, opening{
		complaint: &r.ComplaintDetails, bills: bills, operation: "case-record-complaint",
		entry: Entry{At: c.OpenedAt, Author: a.Person.ID, Side: Network, Kind: Message, Body: r.Body},
	})
}

// opening is how a case begins.
type opening struct {
	complaint *ComplaintDetails // nil: a question
	bills     []aboutBill
	entry     Entry
	operation audit.Operation
}

// store stores a new case with its bills and first entry. The acknowledgment of a complaint is
// made at once.
func (s *Service) store(ctx context.Context, tx *sql.Tx, c Case, o opening) (Case, error) {
	var clocks Clocks
	var err error
	if o.complaint != nil {
		if clocks, err = s.beginComplaint(ctx, tx, &c, *o.complaint, o.bills); err != nil {
			return Case{}, err
		}
	}
	if c, err = addCase(ctx, tx, c); err != nil {
		return Case{}, err
	}
	for i := range o.bills {
		o.bills[i].CaseID = c.ID
	}
	o.entry.CaseID = c.ID
	if err := errors.Join(addBills(ctx, tx, o.bills), s.addEntry(ctx, tx, &c, o.entry)); err != nil {
		return Case{}, err
	}
	if o.complaint != nil {
		d := draft{kind: Acknowledgment, bills: o.bills, body: o.entry.Body, rules: []string{clocks.Ack.Text, clocks.Resolve.Text}}
		if err := s.addLetter(ctx, tx, c, d); err != nil {
			return Case{}, err
		}
	}
	return c, s.record(ctx, tx, o.operation, c, o.bills)
}

// clock returns the earliest clock of a case. It's zero if none is running.
func (s *Service) clock(c Case) db.Instant {
	if c.LegalDue == "" {
		return c.DueAt
	}
	legal := s.endOf(c.LegalDue)
	if c.DueAt.IsZero() || legal.Before(c.DueAt.Time) {
		return legal
	}
	return c.DueAt
}

// endOf returns the end of a day in the business time zone, when a legal day has passed.
func (s *Service) endOf(d date.Date) db.Instant {
	year, month, day := d.Time().Date()
	return db.At(time.Date(year, month, day+1, 0, 0, 0, 0, s.now().Location()))
}

// mergeQueues merges cases by promise with complaints by legal day into a list by earliest clock.
// Cases without a running clock are last.
func (s *Service) mergeQueues(list, legal []Case, limit int) []Case {
	for _, c := range legal {
		if !slices.ContainsFunc(list, func(other Case) bool { return other.ID == c.ID }) {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b Case) int {
		first, second := s.clock(a), s.clock(b)
		if first.IsZero() != second.IsZero() {
			if first.IsZero() {
				return 1
			}
			return -1
		}
		return cmp.Or(first.Compare(second.Time), cmp.Compare(a.ID, b.ID))
	})
	return list[:min(len(list), limit)]
}

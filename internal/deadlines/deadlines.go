// Package deadlines owns the deadlines that state law or the network's contract sets for bills.
// It manages the rules, applies them to bills and calculates the next deadline, which is used to
// filter and sort open bills.
package deadlines

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	_ "embed" // for the drafts
	"encoding/csv"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/identifiers"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
)

// Statuses of rules.
const (
	Draft  = "DRAFT"  // not in effect, visible only to staff
	Active = "ACTIVE" // confirmed by staff
)

// Maximum text lengths and numbers of a rule.
const (
	MaxCitation = 160
	MaxURL      = 300
	MaxText     = 400
	MaxReviewer = 120
	MaxName     = 80 // rulesFor a holiday
	MaxAmount   = 3650
	MaxRate     = 10_000 // 100% a month
)

// Rule is a deadline that state law or the network's contract sets.
type Rule struct {
	ID          string
	State       string
	Line        string `db:"line_of_business"`
	Kind        string
	Basis       string
	Amount      int
	Unit        string
	NextWorkday bool   // a last day that isn't a business day moves to the next business day
	Condition   string `db:"condition_cd"` // limits the rule to some bills; empty: all
	RateBP      int    // for Interest: basis points per month; 0: not on file
	Citation    string
	URL         string
	Text        string // plain-language summary
	Status      string
	Effective   date.Date // applies to periods that start on or after this day
	Ended       date.Date // up to this day
	ReviewedBy  string    // who reviewed the rule
	ReviewedOn  date.Date
	Version     int64 // number of the network's changes; 0: a built-in draft
	UpdatedAt   db.Instant
	UpdatedBy   string
}

// drafts are the built-in, unconfirmed rules.
//
//go:embed rules.csv
var drafts []byte

// readDrafts reads the built-in drafts, by id.
func readDrafts() (map[string]Rule, error) {
	rows, err := csv.NewReader(bytes.NewReader(drafts)).ReadAll()
	if err != nil {
		return nil, err
	}
	list := make(map[string]Rule, len(rows))
	for _, row := range rows[1:] {
		r := Rule{
			ID: row[0], State: row[1], Line: row[2], Kind: row[3], Basis: row[4], Unit: row[6], Condition: row[7],
			Citation: row[9], URL: row[10], Text: row[11], Effective: date.Date(row[12]), Status: Draft,
		}
		var errs [2]error
		r.Amount, errs[0] = strconv.Atoi(row[5])
		r.RateBP, errs[1] = strconv.Atoi(row[8])
		if err := errors.Join(errs[:]...); err != nil {
			return nil, err
		}
		list[r.ID] = r
	}
	return list, nil
}

// Service manages the rules and applies them.
type Service struct {
	db     *db.DB
	queue  jobs.Queue
	bills  Bills
	ledger Ledger
	audit  *audit.Log
	now    func() time.Time
	own    map[string]Rule // built-in drafts
	active *Rules
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Rules  *Rules
	Bills  Bills
	Ledger Ledger
}

// NewService creates the service.
func NewService(d Deps) (*Service, error) {
	platform.Require(d)
	own, err := readDrafts()
	return &Service{db: d.DB, queue: d.Jobs, bills: d.Bills, ledger: d.Ledger, audit: d.Audit, now: d.LocalTime, own: own,
		active: d.Rules}, err
}

func (s *Service) today() date.Date { return date.Of(s.now()) }

// Desk contains the rules and holidays as staff see them.
type Desk struct {
	Rules    []Rule
	Holidays []StateHoliday
	Counting bool // open bills are still being recalculated
}

// Desk lists all rules, including drafts, by state, line and kind, and all holidays.
func (s *Service) Desk(ctx context.Context) (desk Desk, err error) {
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		if desk.Rules, err = s.listAll(ctx, tx); err != nil {
			return err
		}
		if desk.Holidays, err = allHolidays(ctx, tx); err != nil {
			return err
		}
		version, err := getVersion(ctx, tx)
		if err != nil {
			return err
		}
		run, err := getRun(ctx, tx)
		desk.Counting = run.Done != version
		return err
	})
	return desk, err
}

// listAll returns the network's rules and the built-in drafts that it hasn't changed.
func (s *Service) listAll(ctx context.Context, q db.Queryer) ([]Rule, error) {
	list, err := stored(ctx, q)
	rules := maps.Clone(s.own)
	for _, r := range list {
		rules[r.ID] = r
	}
	return slices.SortedFunc(maps.Values(rules), func(a, b Rule) int {
		return cmp.Or(
			cmp.Compare(a.State, b.State), -cmp.Compare(a.Line, b.Line), slices.Index(Kinds, a.Kind)-slices.Index(Kinds, b.Kind),
			cmp.Compare(a.Condition, b.Condition), cmp.Compare(a.Effective, b.Effective), cmp.Compare(a.ID, b.ID))
	}), err
}

// lockSpace identifies the lock that serializes changes of rules and holidays.
const lockSpace = 7723506

// Add stores a new rule as a draft, unless the actor already has a draft with the same terms.
func (s *Service) Add(ctx context.Context, a access.Actor, r Rule) (Rule, error) {
	r.ID, r.Status, r.Version = rand.Text(), Draft, 0
	return s.save(ctx, a.Person.UserName, r, true)
}

// Save replaces the version of a rule that r names. It also confirms the rule if its status is
// active.
func (s *Service) Save(ctx context.Context, a access.Actor, r Rule) (Rule, error) {
	return s.save(ctx, a.Person.UserName, r, false)
}

func (s *Service) save(ctx context.Context, by string, r Rule, added bool) (Rule, error) {
	r = r.clean()
	if err := r.check(); err != nil {
		return Rule{}, err
	}
	err := s.change(ctx, func(tx *sql.Tx) (counts bool, err error) {
		all, err := s.listAll(ctx, tx)
		if err != nil {
			return false, err
		}
		at := slices.IndexFunc(all, func(o Rule) bool { return o.ID == r.ID || added && o.isDraftOf(by) && o.terms() == r.terms() })
		var old Rule
		switch {
		case at >= 0 && added: // the response was lost
			r = all[at]
			return false, nil
		case at >= 0:
			old = all[at]
		case !added:
			return false, problem.New(problem.NotFound)
		}
		if old.Version != r.Version {
			if err := checkVersion(old, r); err != nil {
				return false, err
			}
			r = old // the same change was already stored, and its response was lost
			return false, nil
		}
		if o, overlaps := r.findOverlap(all); overlaps {
			return false, validate.RefuseField(validate.MarkedFields, "effective", formatOverlap(o))
		}
		return s.replaceRule(ctx, tx, by, old, &r)
	})
	return r, err
}

func (r Rule) isDraftOf(by string) bool { return r.Status == Draft && r.UpdatedBy == by }

// checkVersion rejects a change based on an outdated version. It accepts one that is identical to the
// stored rule.
func checkVersion(theirs, mine Rule) error {
	if theirs.Version == 0 { // deleted, or never existed
		return problem.New(problem.Conflict)
	}
	is, err := version.ListFields(wireRule(theirs).RuleEdit, "version")
	if err != nil {
		return err
	}
	wanted, err := version.ListFields(wireRule(mine).RuleEdit, "version")
	if err != nil {
		return err
	}
	return version.CheckAs(strconv.FormatInt(mine.Version, 10), strconv.FormatInt(theirs.Version, 10), is, wanted)
}

// replaceRule replaces a rule and audits the change. It reports whether the change affects deadlines.
func (s *Service) replaceRule(ctx context.Context, tx *sql.Tx, by string, old Rule, r *Rule) (counts bool, err error) {
	if r.Status == Active {
		r.ReviewedOn = s.today()
	}
	r.Version, r.UpdatedAt, r.UpdatedBy = old.Version+1, db.At(s.now()), by
	operation := audit.Operation("deadline-rule-change")
	if r.Status == Active && old.Status != Active {
		operation = "deadline-rule-confirm"
	}
	changed := struct {
		Old *DeadlineRule `json:"old"`
		New DeadlineRule  `json:"new"`
	}{New: wireRule(*r)}
	if old.ID != "" {
		before := wireRule(old)
		changed.Old = &before
	}
	detail, err := json.Marshal(changed)
	if err != nil {
		return false, err
	}
	if err := putRule(ctx, tx, *r); err != nil {
		return false, err
	}
	counts = r.Status == Active && !r.isForComplaints() || old.Status == Active && !old.isForComplaints()
	return counts, s.audit.Record(ctx, tx, audit.Entry{
		Actor: by, Operation: operation, Subject: r.name(), About: []string{r.ID}, Result: "ok", Detail: string(detail),
	})
}

// name identifies a rule in the audit log and in error messages.
func (r Rule) name() string {
	return strings.Join(strings.Fields(strings.Join([]string{r.State, r.Line, r.Kind, r.Condition}, " ")), " ")
}

// change runs a change of rules or holidays. If it affects deadlines, it increments the version
// of the law and queues a recalculation of all bills.
func (s *Service) change(ctx context.Context, do func(tx *sql.Tx) (counts bool, err error)) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.db.Lock(ctx, tx, lockSpace, 1); err != nil {
			return err
		}
		counts, err := do(tx)
		if err != nil || !counts {
			return err
		}
		return errors.Join(nextVersion(ctx, tx), s.queue.Insert(ctx, tx, RecalculateArgs{}))
	})
}

// findOverlap finds an active rule that would apply to the same bills in the same period.
func (r Rule) findOverlap(all []Rule) (Rule, bool) {
	for _, o := range all {
		if o.ID != r.ID && o.Status == Active && o.overlapKey() == r.overlapKey() &&
			(r.Ended == "" || o.Effective <= r.Ended) && (o.Ended == "" || r.Effective <= o.Ended) {
			return o, true
		}
	}
	return Rule{}, false
}

func formatOverlap(o Rule) string {
	until := ""
	if o.Ended != "" {
		until = " to " + o.Ended.US()
	}
	return "An active rule already covers this from " + o.Effective.US() + until + ". End that rule first, or start later"
}

// overlapKey is the key by which overlapping rules are detected.
type overlapKey struct{ state, line, kind, condition string }

func (r Rule) overlapKey() overlapKey { return overlapKey{r.State, r.Line, r.Kind, r.Condition} }

// clean normalizes the rule for storage.
func (r Rule) clean() Rule {
	r.State = strings.ToUpper(text.Clean(r.State))
	for _, field := range []*string{&r.Citation, &r.URL, &r.Text, &r.ReviewedBy} {
		*field = text.Clean(*field)
	}
	if r.Status != Active {
		r.ReviewedBy, r.ReviewedOn = "", ""
	}
	return r
}

// check validates a rule on its own.
func (r Rule) check() error {
	var wrong validate.Fields
	oneOf := func(value string, list []string, field string) {
		wrong.Require(slices.Contains(list, value), field, "Select one of "+strings.Join(list, ", "))
	}
	wrong.Require(identifiers.IsState(r.State), "state", "Enter a two-letter state code")
	oneOf(r.Line, Lines, "line")
	oneOf(r.Kind, Kinds, "kind")
	oneOf(r.Basis, Bases, "basis")
	oneOf(r.Unit, Units, "unit")
	oneOf(r.Status, []string{Draft, Active}, "status")
	if r.Condition != "" {
		oneOf(r.Condition, Conditions, "condition")
	}
	wrong.Require(r.Amount >= 1 && r.Amount <= MaxAmount, "amount", "Enter a number between 1 and "+strconv.Itoa(MaxAmount))
	wrong.Require(r.RateBP >= 0 && r.RateBP <= MaxRate, "rate", "Enter a rate between 0 and 100")
	wrong.Require(r.RateBP == 0 || r.Kind == Interest, "rate", "Only interest rules can have a rate")
	// The ledger doesn't provide the payer's receipt date for the office's deadlines.
	wrong.Require(r.Basis != BasisPayerReceived || !slices.Contains(awaited[ForOffice], r.Kind), "basis",
		"An office deadline can't be calculated from the payer's receipt")
	wrong.Require(r.Basis == BasisReceived || !r.isForComplaints(), "basis",
		"A complaint's deadline is calculated from the date the network received it")
	wrong.Require(r.Citation != "", "citation", "Enter a citation")
	wrong.Limit(r.Citation, MaxCitation, "citation")
	wrong.Require(r.Text != "", "text", "Enter a summary of the rule")
	wrong.Limit(r.Text, MaxText, "text")
	if wrong.Limit(r.URL, MaxURL, "url") {
		wrong.Require(isHTTPS(r.URL), "url", "Enter a link that starts with https://")
	}
	wrong.Require(r.Effective >= date.Earliest, "effective", "Enter a date in 1900 or later")
	wrong.Require(r.Ended == "" || r.Ended >= r.Effective, "ended", "End date must be on or after the start date")
	wrong.Require(r.Status != Active || r.ReviewedBy != "", "reviewedBy", "Enter the reviewer")
	wrong.Limit(r.ReviewedBy, MaxReviewer, "reviewedBy")
	return wrong.Refuse(validate.MarkedFields)
}

// isHTTPS reports whether a text is an HTTPS URL.
func isHTTPS(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil
}

// SetHoliday adds a state holiday, or renames one.
func (s *Service) SetHoliday(ctx context.Context, a access.Actor, h StateHoliday) error {
	h.Name = text.Clean(h.Name)
	var wrong validate.Fields
	wrong.Require(identifiers.IsState(h.State), "state", "Enter a two-letter state code")
	wrong.Require(h.Day >= date.Earliest, "day", "Enter a date in 1900 or later")
	wrong.Require(h.Name != "", "name", "Enter the holiday's name")
	wrong.Limit(h.Name, MaxName, "name")
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return err
	}
	return s.change(ctx, func(tx *sql.Tx) (bool, error) {
		return true, errors.Join(putHoliday(ctx, tx, h), s.recordHoliday(ctx, tx, a, "holiday-set", h))
	})
}

// RemoveHoliday removes a state holiday.
func (s *Service) RemoveHoliday(ctx context.Context, a access.Actor, state string, day date.Date) error {
	return s.change(ctx, func(tx *sql.Tx) (bool, error) {
		removed, err := removeHoliday(ctx, tx, state, day)
		if err == nil && !removed {
			err = problem.New(problem.NotFound)
		}
		if err != nil {
			return false, err
		}
		return true, s.recordHoliday(ctx, tx, a, "holiday-remove", StateHoliday{State: state, Day: day})
	})
}

func (s *Service) recordHoliday(ctx context.Context, tx *sql.Tx, a access.Actor, operation audit.Operation, h StateHoliday) error {
	return s.audit.Record(ctx, tx, audit.Entry{
		Actor: a.Person.UserName, Operation: operation, Subject: h.State + " " + string(h.Day), Result: "ok", Detail: h.Name,
	})
}

// Trial is the result of a rule for sample dates.
type Trial struct {
	Rule     Rule
	Deadline Deadline
	Sets     bool // false if the rule sets no deadline
}

// Try applies all rules of a state and line, including drafts.
func (s *Service) Try(ctx context.Context, f Facts) ([]Trial, error) {
	desk, err := s.Desk(ctx)
	if err != nil {
		return nil, err
	}
	calendar := NewCalendar(desk.Holidays)
	var list []Trial
	for _, r := range desk.Rules {
		if r.State == f.State && r.Line == f.Line {
			on, b, ok := Due(r, f, calendar)
			list = append(list, Trial{r, Deadline{r, on, b}, ok})
		}
	}
	return list, nil
}

// Package openbills owns Open Bills, which are the bills that need follow-up, and a group's work
// on them. Other groups with the TIN and mirroring staff don't see this work.
package openbills

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/fileexport"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// When a bill is due.
const (
	DuePassed = "passed" // before today
	DueWeek   = "week"   // from today, within seven days
	DueSoon   = "soon"   // from today, within soonDays
)

// soonDays is how far ahead Today looks for the office's own deadlines.
const soonDays = 14

// The group's work status of a bill.
const (
	MarkedOpen = "open"   // still on the list
	MarkedDone = "done"   // until the bill changes
	Snoozed    = "parked" // snoozed until a day
)

// The same in bill_work.
const (
	stateOpen    = "OPEN"
	stateDone    = "DONE"
	stateSnoozed = "PARKED"
)

// Limits per request and for stored data.
const (
	MaxMarked   = 500
	MaxChosen   = 500  // selected by id
	MaxNote     = 1000 // characters
	noteChanges = time.Hour

	maxPayerName = 128 // characters, as in files
)

// Filter filters the open bills of a scope. Amounts are in cents.
type Filter struct {
	States     []string // any of billstate.Filters; empty for all
	TINs       []string // empty for all in scope
	Payer      string   // part of its name
	Provider   string   // part of the physician's or facility's name
	From, To   date.Date
	AmountFrom *int64 // the charge
	AmountTo   *int64
	Assigned   string // a username in the group; empty for any
	Unassigned bool   // only unassigned bills
	FollowUps  bool   // due follow-ups, of the user or unassigned
	Noted      bool
	Due        string // DuePassed, DueWeek or DueSoon
	Reason     string // a code, with its group, as in CO-45, or without, as in 45 or N130
	Marked     string // MarkedOpen, MarkedDone or Snoozed
	Mine       bool   // assigned to the user
	AgeFrom    *int   // days since the service
	AgeTo      *int
	Answered   string   // one of Periods in which the payer last paid or denied
	ShortFrom  *int64   // minimum of the allowance minus the payment
	Bills      []string // page ids; empty for all
	Lost       int64    // bills left unassigned since a loss; 0 for all
	// CallOutcome is that of the last call to the payer; empty for any.
	CallOutcome CallOutcome
	Called      string // CalledNever to NotCalled14
	// ToCall selects bills that are overdue or have a due follow-up. Totals ignore it.
	ToCall bool
	Order  string // one of Orders; OldestFirst if empty

	DoneThisWeek bool // marked as done since Monday

	assignee int64    // of Assigned
	bills    []billID // of Bills

	untouched bool // without work by the group
}

// billID is a bill as its page id identifies it.
type billID struct{ ftin, key string }

// Periods are ranges of days up to today, with functions for their first day.
var Periods = map[string]func(today date.Date) (from, to date.Date){
	"thisMonth": func(today date.Date) (from, to date.Date) { return startOfMonth(today), today },
	"lastMonth": func(today date.Date) (from, to date.Date) {
		last := startOfMonth(today).AddDays(-1)
		return startOfMonth(last), last
	},
	"last7":  func(today date.Date) (from, to date.Date) { return today.AddDays(-6), today },
	"last30": func(today date.Date) (from, to date.Date) { return today.AddDays(-29), today },
	"last90": func(today date.Date) (from, to date.Date) { return today.AddDays(-89), today },
}

func startOfMonth(day date.Date) date.Date { return day[:len("2006-01")] + "-01" }

const sayDays = "Enter a number of days."

var reasonCode = regexp.MustCompile(`^([A-Za-z]{2}-)?[A-Za-z0-9]{0,10}$`)

const fieldWrong = "Couldn't load the list. Correct the filter and try again."

func (f *Filter) check() error {
	f.Marked = cmp.Or(f.Marked, MarkedOpen)
	var wrong validate.Fields
	for i, s := range f.States {
		wrong.Require(slices.Contains(billstate.Filters(), s), fmt.Sprintf("filter.states.%d", i), "Select a valid state.")
	}
	for i, t := range f.TINs {
		wrong.Require(validate.TIN(t), fmt.Sprintf("filter.tins.%d", i), "Enter a 9-digit Tax ID.")
	}
	wrong.Require(markConditions[f.Marked] != "", "filter.marked", "Select open, done or snoozed.")
	wrong.Require(f.From == "" || f.To == "" || f.From <= f.To, "filter.to", "End date must be on or after the start date.")
	wrong.Require(f.AmountFrom == nil || f.AmountTo == nil || *f.AmountFrom <= *f.AmountTo, "filter.amountTo",
		"Maximum amount must be at least the minimum.")
	wrong.Require(f.AgeFrom == nil || *f.AgeFrom >= 0, "filter.ageFrom", sayDays)
	wrong.Require(f.AgeTo == nil || *f.AgeTo >= 0, "filter.ageTo", sayDays)
	wrong.Require(f.AgeFrom == nil || f.AgeTo == nil || *f.AgeFrom <= *f.AgeTo, "filter.ageTo",
		"Maximum days must be at least the minimum.")
	wrong.Require(f.Answered == "" || Periods[f.Answered] != nil, "filter.answered", "Select a valid period.")
	wrong.Require(len(f.Bills) <= MaxChosen, "filter.bills", fmt.Sprintf("Select up to %d bills.", MaxChosen))
	wrong.Require(slices.Contains([]string{"", DuePassed, DueWeek, DueSoon}, f.Due), "filter.due", "Select passed, week or soon.")
	wrong.Require(f.CallOutcome == "" || slices.Contains(CallOutcomes(), f.CallOutcome), "filter.callOutcome", "Select a valid outcome.")
	wrong.Require(f.Called == "" || slices.Contains(calledPeriods, f.Called), "filter.called", "Select a valid period.")
	wrong.Require(reasonCode.MatchString(f.Reason), "filter.reason", "Enter a code, such as CO-45, 45 or N130.")
	wrong.Require(f.Order == "" || slices.Contains(Orders, f.Order), "order", "Select a valid order.")
	wrong.Limit(f.Payer, maxPayerName, "filter.payer")
	wrong.Limit(f.Provider, 80, "filter.provider")
	return wrong.Refuse(fieldWrong)
}

// selectTINs returns the TINs of a scope that the filter matches, in order.
func (f *Filter) selectTINs(scope access.Scope) []string {
	tins := slices.Clone(scope.TINs())
	if len(f.TINs) > 0 {
		tins = slices.DeleteFunc(tins, func(t string) bool { return !slices.Contains(f.TINs, t) })
	}
	if len(f.Bills) > 0 {
		tins = slices.DeleteFunc(tins, func(t string) bool {
			return !slices.ContainsFunc(f.bills, func(b billID) bool { return b.ftin == t })
		})
	}
	slices.Sort(tins)
	return tins
}

// Work is a group's work on a bill.
type Work struct {
	Group       int64 `db:"group_id"`
	FTIN        string
	Bill        string `db:"bill_control_number_key"` // key
	AssignedTo  int64  `db:",null"`                   // user id; 0 if unassigned
	FollowUpOn  date.Date
	State       string `db:"state_cd"`
	ParkedUntil date.Date
	DoneChange  int64 // the bill's last change when it was marked as done
	DoneAt      db.Instant
	Lost        int64 `db:"lost_id,null"` // the loss that ended its last assignment; otherwise 0
	Notes       int   // without deleted ones
	Version     int64 // 0 before the first change
	UpdatedAt   db.Instant
	UpdatedBy   string // username
}

// Note is a group member's note on a bill.
type Note struct {
	ID       int64
	Group    int64 `db:"group_id"`
	FTIN     string
	Bill     string `db:"bill_control_number_key"`
	AuthorID int64
	At       db.Instant
	Body     string
	EditedAt db.Instant
	StruckAt db.Instant
	// WrittenOn is the fact of the bill that the note was written on, if that joined another
	// bill.
	WrittenOn string
}

// Pages converts page ids of bills.
type Pages interface {
	PageID(ftin, key string) (string, error)
	// OpenPageID returns the bill of a page id, without checking the scope.
	OpenPageID(id string) (ftin, key string, ok bool)
}

// Service lists open bills and stores the groups' work.
type Service struct {
	db      *db.DB
	jobs    jobs.Queue
	scopes  *tins.Scopes
	users   *users.Service
	pages   Pages
	limits  *ratelimit.Shared
	sealer  *seal.Sealer
	audit   *audit.Log
	now     func() time.Time
	sums    totalsCache
	exports *fileexport.Exports[Export, string]
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Scopes *tins.Scopes
	Users  *users.Service
	Pages  Pages
}

// NewService creates the service.
func NewService(d Deps, quota fileexport.Quota) *Service {
	platform.Require(d)
	s := &Service{db: d.DB, jobs: d.Jobs, scopes: d.Scopes, users: d.Users, pages: d.Pages, limits: d.Limits, sealer: d.Sealer,
		audit: d.Audit, now: d.LocalTime}
	s.exports = s.newExports(d.DB, d.Files, quota)
	return s
}

// newRequester returns the user who asks. Mirroring staff see the bills without the group's work.
func (s *Service) newRequester(a access.Actor) requester {
	who := requester{me: a.Acting().ID, today: date.Of(s.now()), week: startOfWeek(s.now())}
	if !a.IsMirroring() {
		who.group = a.Acting().GroupID
	}
	return who
}

// ask checks a filter, and returns the user with the scope.
func (s *Service) ask(ctx context.Context, a access.Actor, f *Filter) (requester, error) {
	who := s.newRequester(a)
	if err := f.check(); err != nil {
		return who, err
	}
	if f.Assigned != "" {
		assignee, err := s.findListedUser(ctx, who.group, f.Assigned)
		if err != nil {
			return who, err
		}
		f.assignee = assignee
	}
	for _, id := range f.Bills {
		if ftin, key, ok := s.pages.OpenPageID(id); ok {
			f.bills = append(f.bills, billID{ftin, key})
		}
	}
	var err error
	if who.scope, err = s.scopes.Scope(ctx, a); err == nil {
		err = store.Renumber(ctx, s.db.Reader, who.scope.Has, f.bills, func(b *billID) (string, *string) { return b.ftin, &b.key }, "")
	}
	return who, err
}

// Listed is an open bill with the group's work.
type Listed struct {
	listed
	Page     string
	Assignee *users.User
}

// Page lists open bills after a position of the same order, skipping some. It returns the
// position at which the page ends, or nil after the last bill.
func (s *Service) Page(ctx context.Context, a access.Actor, f Filter, after Place, skip, limit int) ([]Listed, *Place, error) {
	if err := paging.CheckSkip(skip); err != nil {
		return nil, nil, err
	}
	who, err := s.ask(ctx, a, &f)
	if err != nil {
		return nil, nil, err
	}
	if !after.isStart() && after.Order != f.Order {
		return nil, nil, errOtherPlace()
	}
	var found []listed
	err = s.db.Read(ctx, func(tx *sql.Tx) error {
		// PostgreSQL expects few bills of a TIN, and would join and sort all of them.
		if err := s.db.ForceIndexScans(ctx, tx); err != nil {
			return err
		}
		found, err = page(ctx, tx, who, f, after, skip+limit+1)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	found = found[min(skip, len(found)):]
	var next *Place
	if len(found) > limit {
		found = found[:limit]
		place := found[limit-1].place(f.Order)
		next = &place
	}
	people, err := s.loadColleagues(ctx, who.group)
	if err != nil {
		return nil, nil, err
	}
	list := make([]Listed, len(found))
	numbers := make([]string, len(found))
	for i, l := range found {
		list[i].listed = l
		if list[i].Assignee, err = s.findAssignee(ctx, people, l.Work.AssignedTo); err != nil {
			return nil, nil, err
		}
		numbers[i] = l.BillControlNumber
		if list[i].Page, err = s.pages.PageID(l.FTIN, l.Key()); err != nil {
			return nil, nil, err
		}
	}
	tins := f.selectTINs(who.scope)
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "openBills", About: tins, Answered: numbers, Result: "ok"}); err != nil {
		return nil, nil, err
	}
	return list, next, nil
}

// loadColleagues returns a group's users who can work, by id.
func (s *Service) loadColleagues(ctx context.Context, group int64) (map[int64]*users.User, error) {
	if group == 0 {
		return nil, nil
	}
	list, err := s.users.ListColleagues(ctx, group)
	by := make(map[int64]*users.User, len(list))
	for i := range list {
		by[list[i].ID] = &list[i]
	}
	return by, err
}

// findAssignee returns a user, who can be inactive, and adds them to the others. It's nil without an ID.
func (s *Service) findAssignee(ctx context.Context, people map[int64]*users.User, id int64) (*users.User, error) {
	if id == 0 || people[id] != nil {
		return people[id], nil
	}
	u, err := s.users.ByID(ctx, id)
	if err != nil {
		return nil, err
	}
	people[id] = &u
	return &u, nil
}

// Colleagues returns the users to whom bills can be assigned.
func (s *Service) Colleagues(ctx context.Context, a access.Actor) ([]users.User, error) {
	group := s.newRequester(a).group
	if group == 0 {
		return nil, nil
	}
	return s.users.ListColleagues(ctx, group)
}

func (s *Service) findColleague(ctx context.Context, group int64, userName string) (users.User, error) {
	list, err := s.users.ListColleagues(ctx, group)
	if err != nil {
		return users.User{}, err
	}
	for _, c := range list {
		if text.Key(c.UserName) == text.Key(userName) {
			return c, nil
		}
	}
	return users.User{}, access.Refuse(userName)
}

// findListedUser finds a user of the group whose bills are listed, also one who left.
func (s *Service) findListedUser(ctx context.Context, group int64, userName string) (int64, error) {
	c, err := s.findColleague(ctx, group, userName)
	if err == nil {
		return c.ID, nil
	}
	u, failed := s.users.ByName(ctx, userName)
	if failed != nil || group == 0 || u.GroupID != group {
		return 0, err
	}
	return u.ID, nil
}

// Sum counts bills and adds up their amounts in cents.
type Sum struct {
	Bills   int
	Charges int64
	Allowed int64
	Paid    int64
	Short   int64 // the known differences
}

func (s *Sum) add(t tally) {
	s.Bills += t.Bills
	s.Charges += t.Charges
	s.Allowed += t.Allowed
	s.Paid += t.Paid
	s.Short += t.Short
}

// Summary is the total of Page, by state and by age.
type Summary struct {
	All       Sum
	States    map[string]Sum
	Ages      map[string]Ages // the same by state
	AllAges   Ages
	Undated   Sum
	PayerLate Sum // bills with a payer that is overdue
	OfficeDue Sum // bills on which the office has to act within soonDays
	FollowUps Sum // due follow-ups, of the user or unassigned, with only the charges
}

// Ages are the bills up to 30, 60 and 90 days after the service, and older ones.
type Ages [4]Sum

// Summary summarizes the filtered bills.
func (s *Service) Summary(ctx context.Context, a access.Actor, f Filter) (Summary, error) {
	who, err := s.ask(ctx, a, &f)
	if err != nil {
		return Summary{}, err
	}
	list, err := s.loadTallies(ctx, who, f)
	return sumTallies(list), err
}

// ScopeSummary summarizes the open bills of a scope without any group's work.
func (s *Service) ScopeSummary(ctx context.Context, scope access.Scope) (Summary, error) {
	list, err := s.loadTallies(ctx, requester{scope: scope, today: date.Of(s.now())}, Filter{Marked: MarkedOpen})
	return sumTallies(list), err
}

func sumTallies(list []tally) Summary {
	sum := Summary{States: map[string]Sum{}, Ages: map[string]Ages{}}
	for _, t := range list {
		name := t.State.Filter()
		state := sum.States[name]
		state.add(t)
		sum.States[name] = state
		sum.All.add(t)
		if t.Age < 0 {
			sum.Undated.add(t)
		} else {
			sum.AllAges[t.Age].add(t)
			ages := sum.Ages[name]
			ages[t.Age].add(t)
			sum.Ages[name] = ages
		}
		isPayers := t.State.NextToAct() == billstate.Payer
		if t.Late && isPayers {
			sum.PayerLate.add(t)
		}
		if t.Soon && !isPayers {
			sum.OfficeDue.add(t)
		}
		sum.FollowUps.Bills += t.FollowUps
		sum.FollowUps.Charges += t.Followed
	}
	maps.DeleteFunc(sum.States, func(_ string, s Sum) bool { return s == Sum{} })
	maps.DeleteFunc(sum.Ages, func(_ string, a Ages) bool { return a == Ages{} })
	return sum
}

// Change is a change to the work on bills; nil fields stay the same.
type Change struct {
	AssignTo   *string // a username, or "" to unassign
	FollowUpOn *date.Date
	Marked     *string // MarkedOpen, MarkedDone, or Snoozed until ParkedUntil
	Until      date.Date
	Note       string // to add; empty for none

	assignee *assignee // resolved from AssignTo
}

// assignee is the user to whom bills are assigned, with their scope.
type assignee struct {
	id    int64
	scope access.Scope
}

// check checks a change and cleans its note.
func (c *Change) check(today date.Date) error {
	var wrong validate.Fields
	c.Note = text.Clean(c.Note)
	wrong.Limit(c.Note, MaxNote, "change.note")
	wrong.Require(c.changesWork(), "change", "Enter a change.")
	wrong.Require(c.FollowUpOn == nil || *c.FollowUpOn == "" || *c.FollowUpOn >= today, "change.followUpOn", "Enter today or a later date.")
	if c.Marked != nil {
		wrong.Require(markConditions[*c.Marked] != "", "change.marked", "Select open, done or snoozed.")
		wrong.Require(*c.Marked != Snoozed || c.Until > today, "change.until", "Enter a date after today.")
	}
	return wrong.Refuse("Nothing changed. Try again.")
}

// Target is a bill to change, in the version the user saw.
type Target struct {
	Page    string
	Version int64 // of the work
	Changed int64 // the bill's last change
}

// Results of a change.
const (
	Saved  = "saved"
	Stale  = "stale"  // another user was faster; Work is theirs
	Unseen = "unseen" // the new assignee can't see its TIN
	Gone   = "gone"   // the bill doesn't exist, or isn't in scope
)

// Outcome is the result for one target.
type Outcome struct {
	Page     string
	Outcome  string
	Work     Work
	Number   string // the bill's number, as shown
	Assignee *users.User
}

// Set changes the work on bills, each independently. It keeps changes that another user made
// first.
func (s *Service) Set(ctx context.Context, a access.Actor, targets []Target, c Change) ([]Outcome, error) {
	who := s.newRequester(a)
	var wrong validate.Fields
	wrong.Require(len(targets) > 0 && len(targets) <= MaxMarked, "bills", fmt.Sprintf("Select 1 to %d bills.", MaxMarked))
	if err := cmp.Or(wrong.Refuse("Nothing changed. Try again."), c.check(who.today)); err != nil {
		return nil, err
	}
	people, err := s.loadColleagues(ctx, who.group)
	if err != nil {
		return nil, err
	}
	if who.scope, err = s.scopes.Scope(ctx, a); err != nil {
		return nil, err
	}
	if c.AssignTo != nil && *c.AssignTo != "" {
		found, err := s.findColleague(ctx, who.group, *c.AssignTo)
		if err != nil {
			return nil, err
		}
		c.assignee = &assignee{id: found.ID}
	}
	outcomes := map[string]Outcome{}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.readAssignee(ctx, tx, who.group, c.assignee); err != nil {
			return err
		}
		for _, t := range s.sortTargets(targets) {
			out, err := s.setOne(ctx, tx, a, who, t, c)
			if err != nil {
				return err
			}
			outcomes[t.Page] = out
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list := make([]Outcome, len(targets))
	for i, t := range targets {
		list[i] = outcomes[t.Page]
		if list[i].Assignee, err = s.findAssignee(ctx, people, list[i].Work.AssignedTo); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// readAssignee reads the TINs of the assignee, if any. They don't change until the transaction ends.
func (s *Service) readAssignee(ctx context.Context, tx *sql.Tx, group int64, to *assignee) error {
	if to == nil {
		return nil
	}
	if err := lockGroup(ctx, tx, s.db.Dialect, group); err != nil {
		return err
	}
	tins, err := s.scopes.ReadTINsInGroup(ctx, tx, group, to.id)
	to.scope = access.NewScope(tins)
	return err
}

// sortTargets returns targets in a fixed order, so that two users who change many don't deadlock.
func (s *Service) sortTargets(targets []Target) []Target {
	order := slices.Clone(targets)
	slices.SortFunc(order, func(x, y Target) int { return cmp.Compare(s.lockKey(x), s.lockKey(y)) })
	return order
}

// lockKey returns the sort key for locking the work on bills.
func (s *Service) lockKey(t Target) string {
	ftin, key, _ := s.pages.OpenPageID(t.Page)
	return ftin + " " + key
}

func (s *Service) setOne(ctx context.Context, tx *sql.Tx, a access.Actor, who requester, t Target, c Change) (Outcome, error) {
	out := Outcome{Page: t.Page, Outcome: Gone}
	ftin, key, ok := s.pages.OpenPageID(t.Page)
	if !ok {
		return out, nil
	}
	number, has, err := hasBill(ctx, tx, who.scope, billID{ftin, key}, s.db.Dialect.ForUpdate)
	if err != nil || !has {
		return out, err
	}
	key, out.Number = text.Key(number), number
	changed, err := lastChange(ctx, tx, ftin, key)
	if err != nil {
		return out, err
	}
	if c.assignee != nil && !c.assignee.scope.Has(ftin) {
		w, err := findWork(ctx, tx, who.group, ftin, key)
		out.Outcome, out.Work = Unseen, w.withoutEndedMark(changed, who.today)
		return out, err
	}
	now := db.At(s.now())
	w, err := lockWork(ctx, tx, who.group, ftin, key, now)
	if err != nil {
		return out, err
	}
	if w.Version != t.Version && c.changesWork() {
		out.Outcome, out.Work = Stale, w.withoutEndedMark(changed, who.today)
		return out, nil
	}
	c.apply(&w, min(t.Changed, changed), now)
	w.Version, w.UpdatedAt, w.UpdatedBy = w.Version+1, now, a.Person.UserName
	if err := s.addNoteOnce(ctx, tx, &w, ScopedBill{ftin, key, number}, who.me, c.Note); err != nil {
		return out, err
	}
	if err := putWork(ctx, tx, w); err != nil {
		return out, err
	}
	out.Outcome, out.Work = Saved, w.withoutEndedMark(changed, who.today)
	if !c.changesWork() {
		return out, nil
	}
	subject := ftin + " " + number
	return out, s.audit.Record(ctx, tx, audit.Entry{Operation: "bill-work", Subject: subject, About: []string{ftin, subject},
		Detail: c.describe(), Result: "ok"})
}

// addNoteOnce adds a note to locked work, unless it's empty or repeats another one.
func (s *Service) addNoteOnce(ctx context.Context, tx *sql.Tx, w *Work, b ScopedBill, author int64, body string) error {
	if body == "" {
		return nil
	}
	n := Note{Group: w.Group, FTIN: b.FTIN, Bill: b.Key, AuthorID: author, At: db.At(s.now()), Body: body}
	written, err := listNotes(ctx, tx, n.Group, n.FTIN, n.Bill)
	if err != nil || slices.ContainsFunc(written, n.repeats) {
		return err
	}
	w.Notes++
	_, err = addNote(ctx, tx, n)
	return errors.Join(err, s.recordNote(ctx, tx, "bill-note-add", b))
}

// changesWork reports whether the change has another part than a note.
func (c Change) changesWork() bool {
	return c.AssignTo != nil || c.FollowUpOn != nil || c.Marked != nil
}

func (c Change) apply(w *Work, changed int64, now db.Instant) {
	if c.AssignTo != nil {
		w.AssignedTo, w.Lost = 0, 0
		if c.assignee != nil {
			w.AssignedTo = c.assignee.id
		}
	}
	if c.FollowUpOn != nil {
		w.FollowUpOn = *c.FollowUpOn
	}
	if c.Marked == nil {
		return
	}
	w.State, w.ParkedUntil, w.DoneAt = stateOpen, "", db.Instant{}
	switch *c.Marked {
	case MarkedDone:
		w.State, w.DoneChange, w.DoneAt = stateDone, changed, now
	case Snoozed:
		w.State, w.ParkedUntil = stateSnoozed, c.Until
	}
}

// withoutEndedMark returns the work as the list shows it: open again after the bill's last change ended Done, or a
// day ended Snoozed.
func (w Work) withoutEndedMark(changed int64, today date.Date) Work {
	if w.State == stateDone && w.DoneChange < changed || w.State == stateSnoozed && w.ParkedUntil <= today {
		w.State, w.ParkedUntil = stateOpen, ""
	}
	return w
}

// describe describes a change for the audit log.
func (c Change) describe() string {
	var list []string
	if c.AssignTo != nil {
		list = append(list, "assigned to "+cmp.Or(*c.AssignTo, "nobody"))
	}
	if c.FollowUpOn != nil {
		list = append(list, "follow up on "+cmp.Or(string(*c.FollowUpOn), "no day"))
	}
	if c.Marked != nil {
		list = append(list, strings.TrimSpace(*c.Marked+" "+string(c.Until)))
	}
	return strings.Join(list, ", ")
}

// ScopedBill is a bill in scope, for its group's notes and calls.
type ScopedBill struct {
	FTIN, Key, Number string
}

// FindBill finds the bill of a page by its current number, which the lock protects (see hasBill).
func (s *Service) FindBill(ctx context.Context, q db.Queryer, a access.Actor, page, lock string) (ScopedBill, error) {
	ftin, key, ok := s.pages.OpenPageID(page)
	if !ok {
		return ScopedBill{}, problem.New(problem.NotFound)
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return ScopedBill{}, err
	}
	number, has, err := hasBill(ctx, q, scope, billID{ftin, key}, lock)
	if err == nil && !has {
		err = access.Refuse(ftin)
	}
	return ScopedBill{ftin, text.Key(number), number}, err
}

// AuthoredNote is a note with its author.
type AuthoredNote struct {
	Note
	Author *users.User // nil if they left
	Mine   bool        // the user can edit or delete it
	Fresh  bool        // its text can still be edited; later it can only be deleted
}

// Notes returns the group's notes on a bill, newest first, up to 200.
func (s *Service) Notes(ctx context.Context, a access.Actor, page string) ([]AuthoredNote, error) {
	who := s.newRequester(a)
	b, err := s.FindBill(ctx, s.db.Reader, a, page, "")
	if err != nil || who.group == 0 {
		return nil, err
	}
	list, err := listNotes(ctx, s.db.Reader, who.group, b.FTIN, b.Key)
	if err != nil || len(list) == 0 {
		return []AuthoredNote{}, err
	}
	if err := s.db.Tx(ctx, func(tx *sql.Tx) error { return s.recordNote(ctx, tx, "bill-notes-read", b) }); err != nil {
		return nil, err
	}
	people, err := s.loadColleagues(ctx, who.group)
	if err != nil {
		return nil, err
	}
	out := make([]AuthoredNote, len(list))
	for i, n := range list {
		out[i] = AuthoredNote{Note: n, Author: people[n.AuthorID], Mine: n.AuthorID == who.me, Fresh: s.isEditable(n)}
	}
	return out, nil
}

// sameWithin is how soon an identical note by the same author is a repeated request.
const sameWithin = time.Minute

// repeats reports whether a note on the same bill is this one, sent before.
func (n Note) repeats(before Note) bool {
	return before.AuthorID == n.AuthorID && before.Body == n.Body && before.StruckAt.IsZero() && n.At.Sub(before.At.Time) < sameWithin
}

func (s *Service) isEditable(n Note) bool {
	return s.now().Before(n.At.Add(noteChanges)) && n.StruckAt.IsZero()
}

func checkNote(body string) (string, error) {
	body = text.Clean(body)
	const missing = "Enter a note."
	if body == "" {
		return "", validate.RefuseField(missing, "body", missing)
	}
	var wrong validate.Fields
	wrong.Limit(body, MaxNote, "body")
	return body, wrong.Refuse("The note is too long. Use 1,000 characters or fewer.")
}

// AddNote adds a note on a bill.
//
// A note that repeats another one was sent twice and isn't stored again.
func (s *Service) AddNote(ctx context.Context, a access.Actor, page, body string) error {
	body, err := checkNote(body)
	if err != nil {
		return err
	}
	who := s.newRequester(a)
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		b, err := s.FindBill(ctx, tx, a, page, s.db.Dialect.ForUpdate)
		if err != nil {
			return err
		}
		now := db.At(s.now())
		w, err := lockWork(ctx, tx, who.group, b.FTIN, b.Key, now)
		if err != nil {
			return err
		}
		notes := w.Notes
		if err := s.addNoteOnce(ctx, tx, &w, b, who.me, body); err != nil || w.Notes == notes {
			return err
		}
		w.UpdatedAt = now // the team's figures count from here
		return putWork(ctx, tx, w)
	})
}

// updateNoteCount updates the number of notes. It doesn't count as a change of the work, so users'
// versions don't become stale.
func (s *Service) updateNoteCount(ctx context.Context, tx *sql.Tx, w Work, more int) error {
	w.Notes += more
	return putWork(ctx, tx, w)
}

func (s *Service) recordNote(ctx context.Context, tx *sql.Tx, operation audit.Operation, b ScopedBill) error {
	subject := b.FTIN + " " + b.Number
	return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: subject, About: []string{b.FTIN, subject}, Result: "ok"})
}

// EditNote edits the user's own note within an hour. DeleteNote can delete it later too.
func (s *Service) EditNote(ctx context.Context, a access.Actor, page string, id int64, body string) error {
	body, err := checkNote(body)
	if err != nil {
		return err
	}
	return s.changeNote(ctx, a, page, id, "bill-note-edit", func(n *Note) error {
		if !s.isEditable(*n) {
			return problem.WithMessage(problem.Conflict, "You can edit a note for one hour. Delete it and add a new one.")
		}
		n.Body, n.EditedAt = body, db.At(s.now())
		return nil
	})
}

// DeleteNote deletes the user's own note. It stays visible as struck through.
func (s *Service) DeleteNote(ctx context.Context, a access.Actor, page string, id int64) error {
	return s.changeNote(ctx, a, page, id, "bill-note-strike", func(n *Note) error {
		if n.StruckAt.IsZero() {
			n.StruckAt = db.At(s.now())
		}
		return nil
	})
}

func (s *Service) changeNote(
	ctx context.Context, a access.Actor, page string, id int64, operation audit.Operation, change func(*Note) error,
) error {
	who := s.newRequester(a)
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		b, err := s.FindBill(ctx, tx, a, page, s.db.Dialect.ForUpdate)
		if err != nil {
			return err
		}
		w, err := lockWork(ctx, tx, who.group, b.FTIN, b.Key, db.At(s.now()))
		if err != nil {
			return err
		}
		n, err := lockNote(ctx, tx, who.group, id)
		if errors.Is(err, db.ErrNotFound) || err == nil && (n.FTIN != b.FTIN || n.Bill != b.Key || n.AuthorID != who.me) {
			return access.Refuse(fmt.Sprintf("note %d", id))
		}
		if err != nil {
			return err
		}
		struck := !n.StruckAt.IsZero()
		if err := change(&n); err != nil {
			return err
		}
		if err := putNote(ctx, tx, n); err != nil {
			return err
		}
		if !struck && !n.StruckAt.IsZero() {
			err = s.updateNoteCount(ctx, tx, w, -1)
		}
		return errors.Join(err, s.recordNote(ctx, tx, operation, b))
	})
}

// Package alerts owns the Today page. It has the changes to a user's bills since their last
// visit, the bills and claims they follow, and emails about both. An email only has counts.
// Imported history and old events aren't announced.
package alerts

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"time"

	"wcpp/internal/bills/billstate"
	"wcpp/internal/bills/ledger/facts"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/tins"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/validate"
)

// The kinds of updates, in the words of offices.
const (
	Paid      = billstate.NamePaid
	Denied    = billstate.NameDenied
	Reversed  = billstate.NameReversed
	Overdue   = "overdue" // the payer's response or payment is overdue
	Priced    = billstate.NamePriced
	NotPriced = "notPriced"
	Received  = billstate.NameReceived
	Replaced  = billstate.NameReplaced // or voided
	Documents = "documents"
	Watched   = "watched" // any change to something the user follows
)

// announced are the kinds of updates, in order.
var announced = []string{Paid, Denied, Reversed, Overdue, Priced, NotPriced, Received, Replaced, Documents}

// changeKinds maps each kind to the ledger's kinds of changes.
var changeKinds = map[string][]string{
	Paid: {facts.Paid, facts.PaidShort}, Denied: {facts.Denied}, Reversed: {facts.Reversed}, Priced: {facts.Priced, facts.Repriced},
	NotPriced: {facts.NotPriced}, Received: {facts.Received}, Replaced: {facts.Replaced, facts.Voided}, Documents: {facts.Document},
}

// anyChange are all of the ledger's kinds that are announced.
var anyChange = func() (all []string) {
	for _, kind := range announced {
		all = append(all, changeKinds[kind]...)
	}
	return all
}()

// Window is the range of updates. It covers the changes after one up to another, and the
// deadlines that passed from a day until today.
type Window struct {
	From  int64     `db:"from_change"`
	To    int64     `db:"to_change"`
	Since date.Date `db:"from_day"`
	Today date.Date `db:"to_day"`
}

// Count is the number of bills with an update. The amount is in cents: what was paid, else the
// charges.
type Count struct {
	Kind   string
	Bills  int
	Amount int64
}

// Pages converts page ids of bills.
type Pages interface {
	PageID(ftin, key string) (string, error)
	// OpenPageID returns the bill of a page id, without checking the scope.
	OpenPageID(id string) (ftin, key string, ok bool)
}

// Ages returns how current the bills are, ISO 8601 in UTC. It's empty before the first import.
type Ages interface {
	AsOf(ctx context.Context) (string, error)
}

// Questions are the numbers of questions to the network that need a user.
type Questions struct {
	Answers int // to read
	Replies int // that the network waits for
}

// QuestionCounter counts the questions that need a user with a scope.
type QuestionCounter interface {
	CountForUser(ctx context.Context, q db.Queryer, p access.Person, scope access.Scope) (Questions, error)
}

// Settings are the portal's settings for alerts.
type Settings struct {
	Brand     string
	PublicURL string // of the portal, for links
	// Internal reports whether an address belongs to internal staff.
	Internal func(email string) bool
}

// Service returns updates and stores what users want to receive.
type Service struct {
	db       *db.DB
	scopes   *tins.Scopes
	users    *users.Service
	pages    Pages
	ages     Ages
	mails    *mail.Outbox
	attempts *ratelimit.Shared
	sealer   *seal.Sealer
	audit    *audit.Log
	now      func() time.Time
	visits   AccessLog
	counter  QuestionCounter
	settings Settings
}

// AccessLog counts the network staff who acted as users of a group, each once. It's 0 if the
// administrators don't want that in their summaries.
type AccessLog interface {
	CountVisitors(ctx context.Context, q db.Queryer, groupID int64, from, to time.Time) (int, error)
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Scopes *tins.Scopes
	Users  *users.Service
	Pages  Pages
	Ages   Ages
	// AccessLog counts the network staff who opened the office's data.
	AccessLog AccessLog
	// Questions counts the user's questions to the network.
	Questions QuestionCounter
}

// NewService creates the service.
func NewService(d Deps, settings Settings) *Service {
	platform.Require(d)
	return &Service{db: d.DB, scopes: d.Scopes, users: d.Users, pages: d.Pages, ages: d.Ages, visits: d.AccessLog,
		counter: d.Questions, mails: d.Mail, attempts: d.Limits,
		sealer: d.Sealer, audit: d.Audit, now: d.LocalTime, settings: settings}
}

func (s *Service) today() date.Date { return date.Of(s.now()) }

// Today is the changes to a user's bills since their last visit.
type Today struct {
	First  bool // first visit, without counts
	Since  db.Instant
	AsOf   string // of the bills
	Window Window
	Counts []Count // those above zero, in order
	// Questions are the user's to work on, seen or not.
	Questions Questions
	Asked     bool      // the user has answered whether to receive emails
	Stopped   []Mailbox // stopped mailboxes of the group; for its administrators
}

// Today counts the changes to the user's bills.
func (s *Service) Today(ctx context.Context, a access.Actor) (Today, error) {
	me := a.Acting()
	t, scope, err := s.startToday(ctx, a)
	if err != nil {
		return t, err
	}
	newest, err := newestChange(ctx, s.db.Reader)
	if err != nil {
		return t, err
	}
	t.Window = Window{From: newest, To: newest, Since: s.today(), Today: s.today()}
	seen, err := seenBy(ctx, s.db.Reader, me.ID)
	if errors.Is(err, db.ErrNotFound) {
		t.First = true
		return t, nil
	}
	if err != nil {
		return t, err
	}
	t.Since, t.Window.From, t.Window.Since = seen.At, min(seen.Change, newest), seen.Day
	if t.Counts, err = s.countUpdates(ctx, s.db.Reader, scope, t.Window, nil); err != nil {
		return t, err
	}
	n, err := countWatched(ctx, s.db.Reader, scope, me.ID, t.Window)
	if n > 0 {
		t.Counts = append(t.Counts, Count{Kind: Watched, Bills: n})
	}
	return t, err
}

// startToday returns what Today shows for any period, and the user's scope.
func (s *Service) startToday(ctx context.Context, a access.Actor) (t Today, scope access.Scope, err error) {
	me := a.Acting()
	if t.AsOf, err = s.ages.AsOf(ctx); err != nil {
		return t, scope, err
	}
	if t.Stopped, err = s.listStopped(ctx, me); err != nil {
		return t, scope, err
	}
	_, err = getSettings(ctx, s.db.Reader, me.ID)
	if t.Asked = err == nil; err != nil && !errors.Is(err, db.ErrNotFound) {
		return t, scope, err
	}
	if scope, err = s.scopes.Scope(ctx, a); err != nil {
		return t, scope, err
	}
	t.Questions, err = s.counter.CountForUser(ctx, s.db.Reader, me, scope)
	return t, scope, err
}

// countUpdates counts the changes to the bills of a scope, by kind. Without kinds, it counts all
// of them.
func (s *Service) countUpdates(ctx context.Context, q db.Queryer, scope access.Scope, w Window, kinds []string) ([]Count, error) {
	list, err := counts(ctx, q, scope, w)
	if err != nil {
		return nil, err
	}
	late, err := countOverdue(ctx, q, scope, w)
	if err != nil {
		return nil, err
	}
	if late.Bills > 0 {
		list = append(list, late)
	}
	var out []Count
	for _, kind := range announced {
		at := slices.IndexFunc(list, func(t tally) bool { return t.Kind == kind })
		if at >= 0 && (len(kinds) == 0 || slices.Contains(kinds, kind)) {
			out = append(out, Count(list[at]))
		}
	}
	return out, nil
}

// historyDays is how far back the history of Today goes.
const historyDays = 30

// History counts the changes to the user's bills in the last days, seen or not.
func (s *Service) History(ctx context.Context, a access.Actor) (Today, error) {
	t, scope, err := s.startToday(ctx, a)
	if err != nil {
		return t, err
	}
	since := s.now().AddDate(0, 0, -historyDays)
	t.Since, t.Window.Since, t.Window.Today = db.At(since), date.Of(since), s.today()
	if t.Window.To, err = newestChange(ctx, s.db.Reader); err != nil {
		return t, err
	}
	if t.Window.From, err = lastChangeBefore(ctx, s.db.Reader, scope.TINs(), t.Since); err != nil {
		return t, err
	}
	t.Counts, err = s.countUpdates(ctx, s.db.Reader, scope, t.Window, nil)
	return t, err
}

// Undo is what marking updates as seen changed.
type Undo struct{ Now, Before Seen }

// MarkSeen marks the updates of a window as seen now. It returns the way back, or nil after the
// first visit.
func (s *Service) MarkSeen(ctx context.Context, a access.Actor, w Window) (*Undo, error) {
	return s.MarkSeenAt(ctx, a, w, s.now())
}

// MarkSeenAt marks the updates of a window as seen.
func (s *Service) MarkSeenAt(ctx context.Context, a access.Actor, w Window, at time.Time) (undo *Undo, err error) {
	now := Seen{UserID: a.Acting().ID, Change: w.To, Day: w.Today, At: db.At(at)}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		before, err := seenBy(ctx, tx, now.UserID)
		switch {
		case err == nil:
			undo = &Undo{now, before}
		case !errors.Is(err, db.ErrNotFound):
			return err
		}
		return putSeen(ctx, tx, now)
	})
	return undo, err
}

// MarkUnseen undoes MarkSeen, unless the user has marked later updates since.
func (s *Service) MarkUnseen(ctx context.Context, a access.Actor, undo Undo) error {
	if undo.Now.UserID != a.Acting().ID {
		return errNoUndo()
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		restored, err := restoreSeen(ctx, tx, undo.Now, undo.Before)
		if err == nil && !restored {
			err = problem.WithMessage(problem.Conflict, "You have marked later updates as seen since then.")
		}
		return err
	})
}

// Place is the position of the last bill on a page; the next page starts after it.
type Place struct {
	Change int64
	Due    date.Date // for overdue bills, used with Bill instead of a change
	FTIN   string
	Bill   string // key
}

// Listed is a bill with an update.
type Listed struct {
	changedBill
	Page string
}

// Figure is a count in Today, and the window that it covers.
type Figure struct {
	Kind string // empty: all changes
	Window
	follower int64 // counts only bills that this user follows; 0: all bills
}

// List lists the bills behind a figure, newest change or longest overdue first. It starts after
// a position, skips some, and returns the position at which the page ends, or nil after the last
// bill.
func (s *Service) List(ctx context.Context, a access.Actor, f Figure, after *Place, skip, limit int) ([]Listed, *Place, error) {
	if err := paging.CheckSkip(skip); err != nil {
		return nil, nil, err
	}
	if f.Kind != Watched && !slices.Contains(announced, f.Kind) {
		return nil, nil, validate.RefuseField("Couldn't load the list.", "kind", "Select a valid figure.")
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	if f.Kind == Watched {
		f.follower = a.Acting().ID
	}
	found, err := s.findBehind(ctx, scope, f, after, skip+limit+1)
	if err != nil {
		return nil, nil, err
	}
	found = found[min(skip, len(found)):]
	var next *Place
	if len(found) > limit {
		found = found[:limit]
		next = found[limit-1].position()
	}
	list, numbers := make([]Listed, len(found)), make([]string, len(found))
	for i, c := range found {
		list[i], numbers[i] = Listed{changedBill: c}, c.BillControlNumber
		if list[i].Page, err = s.pages.PageID(c.FTIN, c.Key()); err != nil {
			return nil, nil, err
		}
	}
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "todayList", About: scope.TINs(), Answered: numbers, Result: "ok"}); err !=
		nil {
		return nil, nil, err
	}
	return list, next, nil
}

// Latest lists the bills of a scope with the latest changes, newest first, up to limit. It
// doesn't audit; that's up to the caller.
func (s *Service) Latest(ctx context.Context, scope access.Scope, limit int) ([]Listed, error) {
	const newest = math.MaxInt64
	found, err := changedBills(ctx, s.db.Reader, scope, Figure{Window: Window{To: newest}}, newest, limit)
	list := make([]Listed, len(found))
	for i, c := range found {
		list[i] = Listed{changedBill: c}
		if list[i].Page, err = s.pages.PageID(c.FTIN, c.Key()); err != nil {
			return nil, err
		}
	}
	return list, err
}

func (c changedBill) position() *Place {
	if c.Change == 0 {
		return &Place{Due: c.NextDue, FTIN: c.FTIN, Bill: c.Key()}
	}
	return &Place{Change: c.Change}
}

// findBehind finds the bills behind a figure.
func (s *Service) findBehind(ctx context.Context, scope access.Scope, f Figure, after *Place, limit int) ([]changedBill, error) {
	if after == nil {
		after = &Place{Change: f.To + 1, Due: f.Since}
	}
	if f.Kind == Overdue {
		return overdueBills(ctx, s.db.Reader, scope, f.Window, *after, limit)
	}
	return changedBills(ctx, s.db.Reader, scope, f, after.Change, limit)
}

// listStopped returns the stopped mailboxes of an administrator's group.
func (s *Service) listStopped(ctx context.Context, p access.Person) ([]Mailbox, error) {
	if p.Type != access.PRAD || p.GroupID == 0 {
		return nil, nil
	}
	all, err := listMailboxes(ctx, s.db.Reader, p.GroupID)
	return slices.DeleteFunc(all, func(m Mailbox) bool { return m.StoppedAt.IsZero() }), err
}

// Cleanup deletes expired data. It's safe to repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	now := s.now()
	if err := s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) {
		return forgetSent(ctx, tx, db.At(now.AddDate(0, 0, -90)))
	}); err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := dropMailboxes(ctx, tx, db.At(now.Add(-confirmWithin))); err != nil {
			return err
		}
		gone, err := listTerminatedUsers(ctx, tx)
		if err != nil {
			return err
		}
		for _, user := range gone {
			if err := forgetUser(ctx, tx, user); err != nil {
				return err
			}
		}
		empty, err := listDeserted(ctx, tx)
		if err != nil {
			return err
		}
		for _, m := range empty {
			if _, err := removeMailbox(ctx, tx, m.GroupID, m.ID); err != nil {
				return err
			}
		}
		return nil
	})
}

func errNoUndo() error {
	return validate.RefuseField("This can't be undone.", "undo", "Reload the page.")
}

func errNotFound() error { return problem.New(problem.NotFound) }

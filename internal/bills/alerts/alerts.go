// Package alerts owns Today: what became of one's bills since one last looked, the
// bills and claims that a person watches, and the mails that tell of both. A mail
// counts and names nothing; a first load and what is long over is told to nobody.
package alerts

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/bills/ledger"
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

// What is told of bills, in the words of offices.
const (
	Paid      = "paid"
	Denied    = "denied"
	TakenBack = "takenBack"
	Overdue   = "overdue" // past the payer's time to answer or pay
	Priced    = "priced"
	NotPriced = "notPriced"
	Received  = "received"
	Replaced  = "replaced" // or voided
	Documents = "documents"
	Watched   = "watched" // anything, of what one watches
)

// announced is what is told, in its order.
var announced = []string{Paid, Denied, TakenBack, Overdue, Priced, NotPriced, Received, Replaced, Documents}

// changesOf are the ledger's kinds of changes of each.
var changesOf = map[string][]string{
	Paid: {ledger.Paid, ledger.PaidShort}, Denied: {ledger.Denied}, TakenBack: {ledger.Reversed}, Priced: {ledger.Priced, ledger.Repriced},
	NotPriced: {ledger.NotPriced}, Received: {ledger.Received}, Replaced: {ledger.Replaced, ledger.Voided}, Documents: {ledger.Document},
}

// anyChange are all of the ledger's kinds that are told.
var anyChange = func() (all []string) {
	for _, kind := range announced {
		all = append(all, changesOf[kind]...)
	}
	return all
}()

// Window is what is told of: the changes after one up to another, and the deadlines
// that passed from a day on until today.
type Window struct {
	From, To int64
	Since    date.Date
	Today    date.Date
}

// Count is of how many bills something is told.
type Count struct {
	Kind  string
	Bills int
}

// Scopes finds the TINs whose bills a person may see.
type Scopes interface {
	Scope(ctx context.Context, a access.Actor) (access.Scope, error)
	Of(ctx context.Context, p access.Person) ([]string, error)
}

// Pages name the pages of bills.
type Pages interface {
	PageID(ftin, key string) (string, error)
	// Named is the bill that a page's id names, whoever asks.
	Named(id string) (ftin, key string, ok bool)
}

// Ages tell as of when the bills are, ISO 8601 in UTC; empty before any.
type Ages interface {
	AsOf(ctx context.Context) (string, error)
}

// Recipient is whose news are mailed.
type Recipient struct {
	Person access.Person
	Email  string
	Active bool // may sign in
}

// People finds recipients; NotFound where there is no such user.
type People interface {
	Recipient(ctx context.Context, userID int64) (Recipient, error)
	// GroupActive tells whether a group is there and in use.
	GroupActive(ctx context.Context, groupID int64) (bool, error)
}

// Settings are what the area is told of the portal.
type Settings struct {
	Brand     string
	PublicURL string // of the portal, for links
	// Internal tells whether an address belongs to internal staff.
	Internal func(email string) bool
}

// Service tells what is new, and keeps who wants to be told what.
type Service struct {
	db       *db.DB
	scopes   Scopes
	people   People
	pages    Pages
	ages     Ages
	mails    *mail.Outbox
	attempts *ratelimit.Shared
	sealer   *seal.Sealer
	audit    *audit.Log
	now      func() time.Time
	visits   Visits
	settings Settings
}

// Visits counts who of the network acted as users of a group, each once, as far as its
// administrators want that in their digests.
type Visits interface {
	Visitors(ctx context.Context, q db.Queryer, groupID int64, from, to time.Time) (int, error)
}

// UseVisits names who counts visits of the network.
func (s *Service) UseVisits(v Visits) { s.visits = v }

// NewService makes the service. Now tells the time where the business is.
func NewService(d *db.DB, scopes Scopes, people People, pages Pages, ages Ages, mails *mail.Outbox, attempts *ratelimit.Shared, sealer *seal.Sealer, log *audit.Log, now func() time.Time, settings Settings) *Service {
	s := &Service{db: d, scopes: scopes, people: people, pages: pages, ages: ages, mails: mails, attempts: attempts, sealer: sealer, audit: log, now: now, settings: settings}
	s.letters()
	return s
}

func (s *Service) today() date.Date { return date.Of(s.now()) }

// Today is what became of one's bills since one last looked.
type Today struct {
	First   bool // one never looked: nothing is counted yet
	Since   db.Instant
	AsOf    string // of the bills
	Window  Window
	Counts  []Count   // those above zero, in the order in which they are told
	Asked   bool      // whether mails are wanted has been answered
	Stopped []Mailbox // of one's group, that were stopped; for its administrator
}

// Today counts what became of one's bills.
func (s *Service) Today(ctx context.Context, a access.Actor) (t Today, err error) {
	me := a.Acting()
	if t.AsOf, err = s.ages.AsOf(ctx); err != nil {
		return t, err
	}
	if t.Stopped, err = s.stopped(ctx, me); err != nil {
		return t, err
	}
	newest, err := newestChange(ctx, s.db.Reader)
	if err != nil {
		return t, err
	}
	t.Window = Window{From: newest, To: newest, Since: s.today(), Today: s.today()}
	_, err = settingsOf(ctx, s.db.Reader, me.ID)
	if t.Asked = err == nil; err != nil && !errors.Is(err, db.ErrNotFound) {
		return t, err
	}
	seen, err := seenBy(ctx, s.db.Reader, me.ID)
	if errors.Is(err, db.ErrNotFound) {
		t.First = true
		return t, nil
	}
	if err != nil {
		return t, err
	}
	t.Since, t.Window.From, t.Window.Since = seen.At, min(seen.Change, newest), seen.Day
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return t, err
	}
	if t.Counts, err = s.news(ctx, s.db.Reader, scope, t.Window, nil); err != nil {
		return t, err
	}
	n, err := countWatched(ctx, s.db.Reader, scope, me.ID, t.Window)
	if n > 0 {
		t.Counts = append(t.Counts, Count{Watched, n})
	}
	return t, err
}

// news counts what became of the bills of a scope, by kind; without kinds all are told.
func (s *Service) news(ctx context.Context, q db.Queryer, scope access.Scope, w Window, kinds []string) ([]Count, error) {
	list, err := counts(ctx, q, scope, w)
	if err != nil {
		return nil, err
	}
	late, err := countOverdue(ctx, q, scope, w)
	if err != nil {
		return nil, err
	}
	if late > 0 {
		list = append(list, tally{Overdue, late})
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

// See marks as seen what a window tells of, at this moment.
func (s *Service) See(ctx context.Context, a access.Actor, w Window) error {
	return s.SeeAt(ctx, a, w, s.now())
}

// SeeAt marks as seen what a window tells of.
func (s *Service) SeeAt(ctx context.Context, a access.Actor, w Window, at time.Time) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		return putSeen(ctx, tx, Seen{UserID: a.Acting().ID, Change: w.To, Day: w.Today, At: db.At(at)})
	})
}

// Place is one in a list: that of the last bill of a part, after which the next begins.
type Place struct {
	Change int64
	Due    date.Date // of what is overdue, with the bill in place of a change
	FTIN   string
	Bill   string // key
}

// Listed is a bill of which something is told.
type Listed struct {
	changed
	Page string
}

// List lists the bills behind a figure, the newest change first and of what is overdue
// the longest, after a place and some that are passed over, and where the part ends;
// nil after the last.
func (s *Service) List(ctx context.Context, a access.Actor, kind string, w Window, after *Place, skip, limit int) ([]Listed, *Place, error) {
	if err := paging.Skip(skip); err != nil {
		return nil, nil, err
	}
	if kind != Watched && !slices.Contains(announced, kind) {
		return nil, nil, validate.RefuseField("Couldn't load the list.", "kind", "Select a valid figure.")
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	found, err := s.behind(ctx, scope, a.Acting().ID, kind, w, after, skip+limit+1)
	if err != nil {
		return nil, nil, err
	}
	found = found[min(skip, len(found)):]
	var next *Place
	if len(found) > limit {
		found = found[:limit]
		next = found[limit-1].place()
	}
	list, numbers := make([]Listed, len(found)), make([]string, len(found))
	for i, c := range found {
		list[i], numbers[i] = Listed{changed: c}, c.BillControlNumber
		if list[i].Page, err = s.pages.PageID(c.FTIN, c.Key()); err != nil {
			return nil, nil, err
		}
	}
	if err := s.audit.Now(ctx, audit.Entry{Operation: "todayList", About: scope.TINs(), Answered: numbers, Result: "ok"}); err != nil {
		return nil, nil, err
	}
	return list, next, nil
}

// Latest lists the bills of a scope of which something became last, the newest first, at
// most so many. It is not written down: who asks does.
func (s *Service) Latest(ctx context.Context, scope access.Scope, limit int) ([]Listed, error) {
	const newest = math.MaxInt64
	found, err := changedBills(ctx, s.db.Reader, scope, anyChange, 0, Window{To: newest}, newest, limit)
	list := make([]Listed, len(found))
	for i, c := range found {
		list[i] = Listed{changed: c}
		if list[i].Page, err = s.pages.PageID(c.FTIN, c.Key()); err != nil {
			return nil, err
		}
	}
	return list, err
}

func (c changed) place() *Place {
	if c.Change == 0 {
		return &Place{Due: c.NextDue, FTIN: c.FTIN, Bill: c.Key()}
	}
	return &Place{Change: c.Change}
}

// behind finds the bills behind a figure.
func (s *Service) behind(ctx context.Context, scope access.Scope, user int64, kind string, w Window, after *Place, limit int) ([]changed, error) {
	if after == nil {
		after = &Place{Change: w.To + 1, Due: w.Since}
	}
	switch kind {
	case Overdue:
		return overdueBills(ctx, s.db.Reader, scope, w, *after, limit)
	case Watched:
		return changedBills(ctx, s.db.Reader, scope, anyChange, user, w, after.Change, limit)
	default:
		return changedBills(ctx, s.db.Reader, scope, changesOf[kind], 0, w, after.Change, limit)
	}
}

// stopped are the mailboxes of an administrator's group that were stopped.
func (s *Service) stopped(ctx context.Context, p access.Person) ([]Mailbox, error) {
	if p.Type != access.PRAD || p.GroupID == 0 {
		return nil, nil
	}
	all, err := mailboxesOf(ctx, s.db.Reader, p.GroupID)
	return slices.DeleteFunc(all, func(m Mailbox) bool { return m.StoppedAt.IsZero() }), err
}

// Tidy forgets what is over. It is safe to repeat.
func (s *Service) Tidy(ctx context.Context) error {
	now := s.now()
	if err := s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return forgetSent(ctx, tx, db.At(now.AddDate(0, 0, -90))) }); err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := dropMailboxes(ctx, tx, db.At(now.Add(-confirmWithin))); err != nil {
			return err
		}
		gone, err := leavers(ctx, tx)
		if err != nil {
			return err
		}
		for _, user := range gone {
			if err := forgetUser(ctx, tx, user); err != nil {
				return err
			}
		}
		empty, err := deserted(ctx, tx)
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

func notFound() error { return problem.New(problem.NotFound) }

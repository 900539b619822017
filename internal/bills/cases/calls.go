package cases

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"wcpp/internal/bills/ledger/store"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// undoWithin is how long staff can undo a call that they logged.
const undoWithin = 10 * time.Minute

// Call is an office's call about bills, which a staff member logs.
type Call struct {
	RequestKey string
	Pages      []string // page IDs of its bills; all of one TIN
	Group      int64    // the office that called; 0: the only one with the TIN
}

// Logged is a stored call, or the offices that may have called.
type Logged struct {
	Case    Case  // of the call, or the open question that it was added to
	Entry   int64 // ID of the call
	Offices []int64
}

// LogCall stores that an office called about bills. If the office has an open question about the
// first bill, the call is added there. Otherwise it's a closed case of its own. If several offices
// have the TIN and none is given, it stores nothing and returns them.
func (s *Service) LogCall(ctx context.Context, a access.Actor, call Call) (l Logged, err error) {
	var wrong validate.Fields
	requireKey(&wrong, call.RequestKey)
	wrong.Require(len(call.Pages) > 0 && len(call.Pages) <= MaxBills, "bills", "Open the bill that the office asks about.")
	if err := wrong.Refuse("The call wasn't logged."); err != nil {
		return l, err
	}
	if err := s.desk.RequireCall(ctx, a); err != nil {
		return l, err
	}
	bills, err := s.openPages(call.Pages)
	if err != nil {
		return l, err
	}
	groups, err := s.scopes.FindGroups(ctx, bills[0].FTIN)
	if err != nil {
		return l, err
	}
	if call.Group == 0 && len(groups) == 1 {
		call.Group = groups[0]
	}
	switch {
	case len(groups) == 0:
		return l, problem.WithMessage(problem.Conflict, "No office has this Tax ID, so the call can't be logged.")
	case call.Group == 0:
		return Logged{Offices: groups}, nil
	case !slices.Contains(groups, call.Group):
		return l, access.Refuse("group of the call")
	}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		l, err = s.storeCall(ctx, tx, a, call, bills)
		return err
	})
	return l, err
}

// openPages returns the bills of page IDs, which must have one TIN.
func (s *Service) openPages(list []string) ([]aboutBill, error) {
	var bills []aboutBill
	for _, page := range list {
		ftin, key, ok := s.pages.OpenPageID(page)
		if !ok {
			return nil, problem.New(problem.NotFound)
		}
		if len(bills) > 0 && bills[0].FTIN != ftin {
			return nil, validate.RefuseField("The call wasn't logged.", "bills", "Log a call for each Tax ID.")
		}
		bills = append(bills, aboutBill{FTIN: ftin, Bill: key})
	}
	return bills, nil
}

func (s *Service) storeCall(ctx context.Context, tx *sql.Tx, a access.Actor, call Call, bills []aboutBill) (l Logged, err error) {
	if err := s.db.Lock(ctx, tx, caseLocks, int(a.Person.ID)); err != nil {
		return l, err
	}
	stored, err := getEntryByKey(ctx, tx, a.Person.ID, call.RequestKey)
	if err == nil {
		l.Entry = stored.ID
		l.Case, err = getByID(ctx, tx, stored.CaseID)
		return l, err
	}
	if !errors.Is(err, db.ErrNotFound) {
		return l, err
	}
	if err := s.addNumbers(ctx, tx, bills); err != nil {
		return l, err
	}
	c, err := s.caseOfCall(ctx, tx, a, call, bills[0])
	if err != nil {
		return l, err
	}
	e := Entry{CaseID: c.ID, At: db.At(s.now()), Author: a.Person.ID, Side: Network, Kind: CallLogged, RequestKey: call.RequestKey}
	err = errors.Join(s.addEntry(ctx, tx, &c, e), s.record(ctx, tx, "case-call", c, bills))
	if err == nil {
		err = addCalledBills(ctx, tx, c, bills)
	}
	return Logged{Case: c, Entry: c.LastNetwork}, err
}

// addNumbers sets the current numbers of bills, which don't change until the end of the transaction.
func (s *Service) addNumbers(ctx context.Context, tx *sql.Tx, bills []aboutBill) error {
	for i := range bills {
		number, err := store.FindNumber(ctx, tx, bills[i].FTIN, bills[i].Bill, s.db.Dialect.ForShare)
		if err != nil {
			return notFound(err)
		}
		bills[i].Number, bills[i].Bill = number, text.Key(number)
	}
	return nil
}

// caseOfCall returns the office's open question about a bill, or a new case.
func (s *Service) caseOfCall(ctx context.Context, tx *sql.Tx, a access.Actor, call Call, b aboutBill) (Case, error) {
	c, has, err := s.lockCurrent(ctx, tx, call.Group, b)
	if err != nil || has {
		c.Version++
		return c, err
	}
	now := db.At(s.now())
	return addCase(ctx, tx, Case{Kind: KindCall, Topic: TopicOther, Group: call.Group, OpenedBy: a.Person.ID, FTIN: b.FTIN,
		Owner: a.Person.ID, State: Closed, OpenedAt: now, ClosedAt: now, RequestKey: call.RequestKey, Version: 1})
}

// addCalledBills adds the bills of a case's latest call that the case isn't about yet.
func addCalledBills(ctx context.Context, tx *sql.Tx, c Case, bills []aboutBill) error {
	known, err := listBills(ctx, tx, []int64{c.ID})
	if err != nil {
		return err
	}
	var added []aboutBill
	for _, b := range bills {
		if slices.ContainsFunc(known, func(other aboutBill) bool { return other.Bill == b.Bill }) {
			continue
		}
		b.CaseID, b.Call = c.ID, c.LastNetwork
		known, added = append(known, b), append(added, b)
	}
	return addBills(ctx, tx, added)
}

// lockCurrent returns and locks a group's open question about a bill, if there is one.
func (s *Service) lockCurrent(ctx context.Context, tx *sql.Tx, group int64, b aboutBill) (c Case, has bool, err error) {
	for {
		about, err := listAbout(ctx, tx, group, b.FTIN, b.Bill)
		at := slices.IndexFunc(about, Case.isCurrent)
		if err != nil || at < 0 {
			return Case{}, false, err
		}
		// While this waited for the lock, the question can have been merged or closed.
		c, err := getCase(ctx, tx, about[at].Number, s.db.Dialect.ForUpdate)
		if err != nil || c.isCurrent() {
			return c, err == nil, err
		}
	}
}

// UndoCall deletes an entry of a case if it is the latest one, and the actor's call of the last ten
// minutes. It deletes the case if the call is its only entry. It returns a conflict for any other
// entry, and so if the request is repeated.
func (s *Service) UndoCall(ctx context.Context, a access.Actor, number string, entry int64) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		c, err := getCase(ctx, tx, parseNumber(number), s.db.Dialect.ForUpdate)
		if err != nil {
			return notFound(err)
		}
		list, err := listEntries(ctx, tx, c.ID, Network)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return problem.New(problem.NotFound)
		}
		latest := list[len(list)-1]
		at := slices.IndexFunc(list, func(e Entry) bool {
			return e.ID == entry && e.Kind == CallLogged && e.Author == a.Person.ID && s.now().Sub(e.At.Time) <= undoWithin
		})
		isOpened := c.Kind != KindCall && len(list) == 1 // a question that staff opened from the call
		if at < 0 || isOpened {
			return problem.WithMessage(problem.Conflict, "Only a call that you just logged can be undone.")
		}
		if at < len(list)-1 {
			return problem.WithMessage(problem.Conflict, "The call can't be undone because something was added after it.")
		}
		if err := s.record(ctx, tx, "case-call-undo", c, nil); err != nil {
			return err
		}
		if c.Kind == KindCall && len(list) == 1 {
			return deleteCall(ctx, tx, c.ID)
		}
		c.LastNetwork = 0
		for _, e := range list[:len(list)-1] {
			if e.Side == Network && e.Visible == Both {
				c.LastNetwork = e.ID
			}
		}
		c.Version++
		return errors.Join(deleteCallEntry(ctx, tx, c.ID, latest.ID), putCase(ctx, tx, c))
	})
}

// MaxCallback is the longest time within which staff promise to call back, in business hours.
const MaxCallback = 36

// OpenQuestion makes a question of a call, with a promised answer. With callback, staff promise to call back
// within so many business hours, and a note says so.
func (s *Service) OpenQuestion(ctx context.Context, a access.Actor, seen Seen, callback int) (Case, error) {
	if callback < 0 || callback > MaxCallback {
		return Case{}, validate.RefuseField(validate.MarkedFields, "callbackHours",
			fmt.Sprintf("Select a time within %d business hours.", MaxCallback))
	}
	isCall := func(_ *sql.Tx, c Case) error {
		if c.Kind != KindCall {
			return problem.WithMessage(problem.Conflict, refusals[c.State])
		}
		return nil
	}
	return s.changeAs(ctx, a.Person.ID, seen, eventOpenCall, isCall, func(tx *sql.Tx, c *Case) error {
		c.Kind, c.Owner, c.ClosedAt = KindQuestion, a.Person.ID, db.Instant{}
		if err := s.record(ctx, tx, "case-open", *c, nil); err != nil || callback == 0 {
			return errors.Join(err, putCase(ctx, tx, *c))
		}
		now := s.now()
		c.DueAt = db.At(s.hours.After(now, time.Duration(callback)*time.Hour))
		note := Entry{CaseID: c.ID, At: db.At(now), Author: a.Person.ID, Side: Network, Visible: NetworkOnly, Kind: Note,
			Body: "Promised to call the office back within " + text.FormatCount(callback, "business hour", "business hours") + "."}
		return s.addEntry(ctx, tx, c, note)
	})
}

package cases

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
)

// viewer is an office's user with the TINs and groups whose cases they see.
type viewer struct {
	access.Person
	scope access.Scope
}

func (s *Service) viewer(ctx context.Context, a access.Actor) (viewer, error) {
	scope, err := s.scopes.Scope(ctx, a)
	return viewer{a.Acting(), scope}, err
}

// sees reports whether the user sees a case: one of their group with a TIN in their scope. Without
// a TIN, only its author and the group's administrators see it.
func (v viewer) sees(c Case) bool {
	if c.Group == 0 || c.Group != v.GroupID {
		return false
	}
	if c.FTIN == "" {
		return c.OpenedBy == v.ID || v.Type == access.PRAD
	}
	return v.scope.Has(c.FTIN)
}

// ofOffice returns a check that the actor sees a case, with the TINs that they have in the transaction. Others get
// the same problem as for a case that doesn't exist.
func (s *Service) ofOffice(ctx context.Context, a access.Actor) func(*sql.Tx, Case) error {
	return func(tx *sql.Tx, c Case) error {
		sees, err := s.sees(ctx, tx, a.Acting(), c)
		if err == nil && !sees {
			err = access.Refuse("case " + c.Number)
		}
		return err
	}
}

// sees reports whether a person sees a case, with the TINs that they have in the transaction.
func (s *Service) sees(ctx context.Context, tx *sql.Tx, p access.Person, c Case) (bool, error) {
	tins, err := s.scopes.ReadTINs(ctx, tx, p)
	return viewer{p, access.NewScope(tins)}.sees(c), err
}

// Reply adds an office's message to a case. It reopens an answered one. No version is needed, so
// that no message is lost.
func (s *Service) Reply(ctx context.Context, a access.Actor, number string, w Written) (Case, error) {
	w, err := w.check("Enter your reply.")
	if err != nil {
		return Case{}, err
	}
	may := s.ofOffice(ctx, a)
	var answered bool
	c, err := s.change(ctx, Seen{Number: number}, eventReply, func(tx *sql.Tx, c Case) error {
		answered = c.State == Answered
		if err := may(tx, c); err != nil {
			return err
		}
		return checkUnsent(ctx, tx, c, a.Acting().ID, w)
	}, func(tx *sql.Tx, c *Case) error {
		if answered {
			if err := s.checkOwner(ctx, tx, c); err != nil {
				return err
			}
		}
		e := Entry{CaseID: c.ID, At: db.At(s.now()), Author: a.Acting().ID, Side: Office, Kind: Message, Body: w.Body,
			RequestKey: w.RequestKey, Files: w.Files}
		return errors.Join(s.addEntry(ctx, tx, c, e), s.record(ctx, tx, "case-reply", *c, nil))
	})
	if errors.Is(err, errSent) {
		return c, nil
	}
	if err == nil && answered {
		s.meters.helpful.WithLabelValues(no).Inc()
	}
	return c, err
}

// Helped stores that the answer helped, and closes the case.
func (s *Service) Helped(ctx context.Context, a access.Actor, seen Seen) (Case, error) {
	c, err := s.change(ctx, seen, eventYes, s.ofOffice(ctx, a), func(tx *sql.Tx, c *Case) error {
		c.Helpful = "YES"
		return s.end(ctx, tx, a, c, ClosedNoMore, "case-close")
	})
	if err == nil {
		s.meters.helpful.WithLabelValues(yes).Inc()
	}
	return c, err
}

// Withdraw withdraws a case that isn't answered.
func (s *Service) Withdraw(ctx context.Context, a access.Actor, seen Seen) (Case, error) {
	return s.change(ctx, seen, eventWithdraw, s.ofOffice(ctx, a), func(tx *sql.Tx, c *Case) error {
		if c.Kind == KindComplaint {
			c.Outcome = NoDecision
			c.setLegalDue()
		}
		return s.end(ctx, tx, a, c, WithdrawnBy, "case-withdraw")
	})
}

// end adds the entry that ends a case.
func (s *Service) end(ctx context.Context, tx *sql.Tx, a access.Actor, c *Case, kind Kind, operation audit.Operation) error {
	e := Entry{CaseID: c.ID, At: db.At(s.now()), Author: a.Acting().ID, Side: Office, Kind: kind}
	return errors.Join(s.addEntry(ctx, tx, c, e), s.record(ctx, tx, operation, *c, nil))
}

// Tab selects an office's cases.
type Tab string

// Tabs.
const (
	TabReply    Tab = "reply" // needs a reply, or has an answer that the user hasn't read
	TabOpen     Tab = "open"
	TabAnswered Tab = "answered"
	TabAll      Tab = "all"
)

// tabStates are the states of a tab's cases.
var tabStates = map[Tab][]State{
	TabReply:    {Waiting, Answered},
	TabOpen:     {Open, Waiting},
	TabAnswered: {Answered, Closed},
	TabAll:      {Open, Waiting, Answered, Closed, Withdrawn, Merged},
}

// perPart is how many cases a part of the list has.
const perPart = 50

// Listed is a case in an office's list.
type Listed struct {
	Case
	Unread bool // has an entry of the network that the user hasn't read
	Bills  []aboutBill
}

// ListOwn lists the cases of an office that the actor sees, newest first, after the one with the
// given number (empty: from the newest). mine restricts it to the actor's own.
func (s *Service) ListOwn(
	ctx context.Context, a access.Actor, tab Tab, mine bool, after string,
) (list []Listed, more bool, err error) {
	states := tabStates[tab]
	if states == nil {
		return nil, false, problem.New(problem.Invalid)
	}
	v, err := s.viewer(ctx, a)
	if err != nil {
		return nil, false, err
	}
	var before Case
	if after != "" {
		if before, err = getCase(ctx, s.db.Reader, parseNumber(after), ""); err != nil {
			return nil, false, notFound(err)
		}
		if !v.sees(before) {
			return nil, false, access.Refuse("case " + before.Number)
		}
	}
	found, err := listOwn(ctx, s.db.Reader, v, ownPart{states, tab == TabReply, mine, before.ID, perPart + 1})
	if err != nil {
		return nil, false, err
	}
	if len(found) > perPart {
		found, more = found[:perPart], true
	}
	ids := make([]int64, len(found))
	for i, c := range found {
		ids[i] = c.ID
	}
	bills, err := listBills(ctx, s.db.Reader, ids)
	if err != nil {
		return nil, false, err
	}
	seen, err := listReads(ctx, s.db.Reader, v.ID, ids)
	if err != nil {
		return nil, false, err
	}
	shown := audit.Entry{Operation: "cases-list", Subject: "cases", About: findTINs(found), Result: "ok"}
	for _, c := range found {
		l := Listed{Case: c, Unread: c.LastNetwork > seen[c.ID]}
		for _, b := range bills {
			if b.CaseID == c.ID {
				l.Bills = append(l.Bills, b)
				shown.Answered = append(shown.Answered, b.Number)
			}
		}
		list = append(list, l)
	}
	return list, more, s.audit.RecordNow(ctx, shown)
}

// findTINs returns the TINs of cases, each once.
func findTINs(list []Case) []string {
	tins := []string{}
	for _, c := range list {
		if c.FTIN != "" && !slices.Contains(tins, c.FTIN) {
			tins = append(tins, c.FTIN)
		}
	}
	return tins
}

// Thread is a case with everything in it that the reader sees.
type Thread struct {
	Listed
	Entries []Entry
	Letters []letter
	Files   []File
	// Contacts is how often the office contacted the network about the first bill so far.
	Contacts int
	// MergedInto is the number of the case that it was merged into.
	MergedInto string
	// TraceNumber is the number of the remittance that it's about.
	TraceNumber string
}

// ReadOwn returns a case of an office, and marks it as read by the actor unless staff mirror them.
// The letters of a complaint reach the office by this.
func (s *Service) ReadOwn(ctx context.Context, a access.Actor, number string) (t Thread, err error) {
	may := s.ofOffice(ctx, a)
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		// The lock keeps staff from undoing a call while a user reads it.
		if t, err = s.thread(ctx, tx, number, Office, s.db.Dialect.ForUpdate); err != nil {
			return err
		}
		if err := may(tx, t.Case); err != nil {
			return err
		}
		seen, err := listReads(ctx, tx, a.Acting().ID, []int64{t.ID})
		if err != nil {
			return err
		}
		t.Unread = t.LastNetwork > seen[t.ID]
		if t.Unread && !a.IsMirroring() {
			if err := putRead(ctx, tx, read{t.ID, a.Acting().ID, t.LastNetwork}); err != nil {
				return err
			}
		}
		if !a.IsMirroring() {
			if t.Case, err = s.meetByOpening(ctx, tx, t.Case); err != nil {
				return err
			}
		}
		return s.record(ctx, tx, "case-read", t.Case, t.Bills)
	})
	return t, err
}

// thread returns a case as a side sees it, locked by the given clause.
func (s *Service) thread(ctx context.Context, q db.Queryer, number string, by Side, lock string) (t Thread, err error) {
	if t.Case, err = getCase(ctx, q, parseNumber(number), lock); err != nil {
		return t, notFound(err)
	}
	if t.Bills, err = listBills(ctx, q, []int64{t.ID}); err != nil {
		return t, err
	}
	if t.Letters, err = listLetters(ctx, q, t.ID); err != nil {
		return t, err
	}
	if t.Entries, err = listEntries(ctx, q, t.ID, by); err != nil {
		return t, err
	}
	if t.Files, err = listFiles(ctx, q, t.ID); err != nil {
		return t, err
	}
	t.Files = slices.DeleteFunc(t.Files, func(f File) bool {
		return !slices.ContainsFunc(t.Entries, func(e Entry) bool { return e.ID == f.EntryID })
	})
	if t.Case.MergedInto != 0 {
		into, err := getByID(ctx, q, t.Case.MergedInto)
		if err != nil {
			return t, err
		}
		t.MergedInto = into.Number
	}
	if t.Remittance != "" {
		id := record.RemittanceID{FTIN: t.FTIN, Remittance: t.Remittance}
		if t.TraceNumber, err = getTraceNumber(ctx, q, id); err != nil && !errors.Is(err, db.ErrNotFound) {
			return t, err
		}
	}
	if len(t.Bills) > 0 {
		t.Contacts, err = countContacts(ctx, q, t.Group, t.Bills[0].FTIN, t.Bills[0].Bill)
		return t, err
	}
	return t, nil
}

// FindAbout lists the group's cases about a bill that aren't closed, newest first.
func (s *Service) FindAbout(ctx context.Context, a access.Actor, page string) ([]Case, error) {
	b, err := s.openBills.FindBill(ctx, s.db.Reader, a, page, "")
	if err != nil {
		return nil, err
	}
	list, err := listAbout(ctx, s.db.Reader, a.Acting().GroupID, b.FTIN, b.Key)
	list = slices.DeleteFunc(list, func(c Case) bool { return !c.isCurrent() })
	if err != nil || len(list) == 0 {
		return nil, err
	}
	subject := b.FTIN + " " + b.Number
	return list, s.audit.RecordNow(ctx, audit.Entry{Operation: "cases-list", Subject: subject, About: []string{b.FTIN, subject},
		Result: "ok"})
}

// Package payercalls owns a group's calls to payers, each about up to 50 bills. Other groups with
// the TIN and mirroring staff don't see them.
package payercalls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"wcpp/internal/bills/openbills"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Limits of a call.
const (
	MaxBills     = 50
	MaxPayer     = 128 // characters, like the next ones
	MaxPerson    = 60
	MaxReference = 60
	MaxText      = 1000
	maxKey       = 64
)

// Call is a group member's call to a payer.
type Call struct {
	ID         int64
	AuthorID   int64
	RequestKey string // the browser's
	At         db.Instant
	CalledOn   date.Date
	Payer      string
	Person     string
	Outcome    openbills.CallOutcome
	PromisedOn date.Date // of a promised payment
	Reference  string
	FollowUpOn date.Date // that the call set on its bills; empty if it left theirs
	Body       string
}

// calledBill is a bill that a call was about.
type calledBill struct {
	ID     int64
	CallID int64
	Group  int64 `db:"group_id"`
	FTIN   string
	Bill   string `db:"bill_control_number_key"` // key
	// WrittenOn is the fact of the bill that the call was about, if that joined another bill.
	WrittenOn string
}

// Service logs calls and lists them.
type Service struct {
	db        *db.DB
	openBills *openbills.Service
	users     *users.Service
	audit     *audit.Log
	now       func() time.Time
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	OpenBills *openbills.Service
	Users     *users.Service
}

// NewService creates the service.
func NewService(d Deps) *Service {
	platform.Require(d)
	return &Service{db: d.DB, openBills: d.OpenBills, users: d.Users, audit: d.Audit, now: d.LocalTime}
}

const notLogged = "The call wasn't logged. Correct the marked fields and try again."

// check cleans a call and checks it.
func (c *Call) check(bills int, today date.Date) error {
	for _, field := range []*string{&c.Payer, &c.Person, &c.Reference, &c.Body} {
		*field = text.Clean(*field)
	}
	var wrong validate.Fields
	wrong.Require(bills > 0 && bills <= MaxBills, "bills", fmt.Sprintf("Select 1 to %d bills.", MaxBills))
	wrong.Require(c.RequestKey != "" && len(c.RequestKey) <= maxKey, "requestKey", "Reload the page, then try again.")
	wrong.Require(c.Payer != "", "payer", "Enter the payer.")
	wrong.Limit(c.Payer, MaxPayer, "payer")
	wrong.Limit(c.Person, MaxPerson, "spokeWith")
	wrong.Require(slices.Contains(openbills.CallOutcomes(), c.Outcome), "outcome", "Select an outcome.")
	promised := c.Outcome == openbills.CallPromised
	wrong.Require(!promised || c.PromisedOn >= today, "promisedOn", "Enter today or a later date.")
	wrong.Require(promised || c.PromisedOn == "", "promisedOn", "Leave blank unless a payment was promised.")
	wrong.Limit(c.Reference, MaxReference, "reference")
	wrong.Require(c.FollowUpOn == "" || c.FollowUpOn >= today, "followUpOn", "Enter today or a later date.")
	wrong.Limit(c.Body, MaxText, "body")
	return wrong.Refuse(notLogged)
}

// callsLocked is the lock space for authors of calls.
const callsLocked = 44

// errNotSaved rolls a call back because another user changed one of its bills first.
var errNotSaved = errors.New("a bill of the call has changed")

// Log logs a call about bills and sets their follow-up date, if it has one. If it does and another user changed a
// bill's work first, or if a bill is gone, nothing is stored, and it returns these bills. A repeated request with
// the same key returns the stored call.
func (s *Service) Log(ctx context.Context, a access.Actor, c Call, targets []openbills.Target) (Call, []openbills.Outcome, error) {
	now := s.now()
	if err := c.check(len(targets), date.Of(now)); err != nil {
		return c, nil, err
	}
	c.AuthorID, c.At, c.CalledOn = a.Acting().ID, db.At(now), date.Of(now)
	var failed []openbills.Outcome
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.db.Lock(ctx, tx, callsLocked, int(c.AuthorID)); err != nil {
			return err
		}
		stored, err := getByKey(ctx, tx, c.AuthorID, c.RequestKey)
		if err == nil {
			c, err = c.checkRepeated(stored)
			return err
		}
		if !errors.Is(err, db.ErrNotFound) {
			return err
		}
		failed, err = s.add(ctx, tx, a, &c, targets)
		return err
	})
	if errors.Is(err, errNotSaved) {
		return c, failed, nil
	}
	return c, nil, err
}

// checkRepeated returns the stored call, or an error if the request with its key has other content.
func (c Call) checkRepeated(stored Call) (Call, error) {
	same := stored
	same.Payer, same.Person, same.Outcome, same.PromisedOn = c.Payer, c.Person, c.Outcome, c.PromisedOn
	same.Reference, same.FollowUpOn, same.Body = c.Reference, c.FollowUpOn, c.Body
	if same != stored {
		return c, problem.WithMessage(problem.Conflict, "This call is already logged, with other details. Check the bill's history.")
	}
	return stored, nil
}

// add stores a new call, or returns the bills that keep it from that with errNotSaved.
func (s *Service) add(ctx context.Context, tx *sql.Tx, a access.Actor, c *Call, targets []openbills.Target) ([]openbills.Outcome, error) {
	var followUp *date.Date
	if c.FollowUpOn != "" {
		followUp = &c.FollowUpOn
	}
	outcomes, err := s.openBills.SetFollowUps(ctx, tx, a, targets, followUp)
	if err != nil {
		return nil, err
	}
	failed := slices.DeleteFunc(slices.Clone(outcomes), func(o openbills.Outcome) bool { return o.Outcome == openbills.Saved })
	if len(failed) > 0 {
		return failed, errNotSaved
	}
	if c.ID, err = addCall(ctx, tx, *c); err != nil {
		return nil, err
	}
	entry := audit.Entry{Operation: "payer-call-add", Subject: fmt.Sprintf("payer call %d", c.ID), Detail: string(c.Outcome), Result: "ok"}
	entry.About = []string{entry.Subject}
	bills := make([]calledBill, len(outcomes))
	for i, o := range outcomes {
		bills[i] = calledBill{CallID: c.ID, Group: a.Acting().GroupID, FTIN: o.Work.FTIN, Bill: o.Work.Bill}
		entry.Answered = append(entry.Answered, o.Number)
		entry.About = append(entry.About, o.Work.FTIN+" "+o.Number)
		if !slices.Contains(entry.About, o.Work.FTIN) {
			entry.About = append(entry.About, o.Work.FTIN)
		}
	}
	return nil, errors.Join(addBills(ctx, tx, bills), s.audit.Record(ctx, tx, entry))
}

// AuthoredCall is a call with its author.
type AuthoredCall struct {
	Call
	Author *users.User // nil if they left
}

// List returns the group's calls about a bill, newest first, up to 200.
func (s *Service) List(ctx context.Context, a access.Actor, page string) ([]AuthoredCall, error) {
	b, err := s.openBills.FindBill(ctx, s.db.Reader, a, page, "")
	if err != nil || a.IsMirroring() {
		return nil, err
	}
	group := a.Acting().GroupID
	list, err := listCalls(ctx, s.db.Reader, group, b.FTIN, b.Key)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	subject := b.FTIN + " " + b.Number
	if err := s.audit.RecordNow(ctx, audit.Entry{Operation: "payer-calls-read", Subject: subject, About: []string{b.FTIN, subject},
		Result: "ok"}); err != nil {
		return nil, err
	}
	people, err := s.users.ListColleagues(ctx, group)
	if err != nil {
		return nil, err
	}
	out := make([]AuthoredCall, len(list))
	for i, c := range list {
		out[i].Call = c
		if at := slices.IndexFunc(people, func(u users.User) bool { return u.ID == c.AuthorID }); at >= 0 {
			out[i].Author = &people[at]
		}
	}
	return out, nil
}

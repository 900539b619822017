// Package cases owns questions of offices to the network: about bills, a remittance or nothing in
// particular, and their calls. Each has a thread of entries, an owner among the network's staff, and a promised
// time of the answer.
package cases

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"wcpp/internal/bills/openbills"
	"wcpp/internal/bills/record"
	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/settings"
	"wcpp/internal/platform/spool"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Limits of a case.
const (
	MaxBills = 50
	MaxText  = 4000 // characters
	maxKey   = 64
)

// Promises.
const (
	// promised is the business time within which the network promises an answer.
	promised = 36 * time.Hour
	// leastLeft remains of a promise at least after the office replied.
	leastLeft = 4 * time.Hour
	// ReplyDays is how many days after an answer the office can reply. Then the case closes.
	ReplyDays = 14
)

// Topics of questions.
const (
	TopicPrice     = "PRICE"
	TopicStatus    = "STATUS"
	TopicPayment   = "PAYMENT"
	TopicDenial    = "DENIAL"
	TopicDirectory = "DIRECTORY"
	TopicAccount   = "ACCOUNT"
	TopicOther     = "OTHER"
)

// Topics returns the topics in display order.
func Topics() []string {
	return []string{TopicPrice, TopicStatus, TopicPayment, TopicDenial, TopicDirectory, TopicAccount, TopicOther}
}

// State is a case's state.
type State string

// States of a case.
const (
	Open      State = "OPEN"     // the network owes an answer
	Waiting   State = "WAITING"  // the network waits for the office
	Answered  State = "ANSWERED" // the office can reply for ReplyDays
	Closed    State = "CLOSED"
	Withdrawn State = "WITHDRAWN"
	Merged    State = "MERGED" // into another case
)

// CaseKind is the kind of a case.
type CaseKind string

// Kinds of cases.
const (
	KindQuestion  CaseKind = "QUESTION"
	KindCall      CaseKind = "CALL" // of an office, logged by staff
	KindComplaint CaseKind = "COMPLAINT"
)

// event is what happens to a case.
type event string

const (
	eventReply    event = "reply"    // by the office
	eventYes      event = "yes"      // the answer helped
	eventWithdraw event = "withdraw" // by the office
	eventAssign   event = "assign"   // taken, assigned or released by staff
	eventAsk      event = "ask"      // staff ask the office
	eventAnswer   event = "answer"   // by staff
	eventNote     event = "note"     // of staff, for staff
	eventMerge    event = "merge"    // into another case, by staff
	eventOpenCall event = "openCall" // staff open a question from a call
	eventExpire   event = "expire"   // no reply for ReplyDays
)

// transitions are the states in which an event can happen, and the states afterward.
var transitions = map[event]map[State]State{
	eventReply:    {Open: Open, Waiting: Open, Answered: Open},
	eventYes:      {Answered: Closed},
	eventWithdraw: {Open: Withdrawn, Waiting: Withdrawn},
	eventAssign:   {Open: Open, Waiting: Waiting},
	eventAsk:      {Open: Waiting},
	eventAnswer:   {Open: Answered, Waiting: Answered},
	eventNote:     {Open: Open, Waiting: Waiting, Answered: Answered, Closed: Closed, Withdrawn: Withdrawn},
	eventMerge:    {Open: Merged, Waiting: Merged},
	eventOpenCall: {Closed: Open},
	eventExpire:   {Answered: Closed},
}

// Case is a question, a call or a complaint.
type Case struct {
	ID         int64
	Number     string
	Kind       CaseKind
	Topic      string
	Group      int64 `db:"group_id,null"` // 0: someone without an account
	OpenedBy   int64
	FTIN       string // empty without a TIN
	Remittance string // key of the remittance it's about
	Owner      int64  `db:"owner_id,null"` // 0: nobody
	State      State
	AnswerID   int64  `db:",null"`
	Helpful    string // YES if the office confirmed an answer, NO if it replied to one
	OpenedAt   db.Instant
	AnsweredAt db.Instant
	// The first answer. Reopening the case doesn't change it.
	FirstAnsweredAt db.Instant
	FirstAnsweredBy int64 `db:",null"`
	ClosedAt        db.Instant
	DueAt           db.Instant // promised time of the answer, in state Open
	Left            int64      `db:"left_seconds"` // seconds of business time that remain of the promise, in state Waiting
	// The latest entries of each side that the office sees.
	LastOffice  int64 `db:"last_office_id"`
	LastNetwork int64 `db:"last_network_id"`
	MergedInto  int64 `db:",null"` // ID of the case that it was merged into; 0: none
	RequestKey  string
	RequestHash string // of the request's content, so that a repeated one isn't taken for another
	Version     int64
	Complaint
}

// aboutBill is a bill that a case is about.
type aboutBill struct {
	ID     int64
	CaseID int64
	FTIN   string
	Bill   string `db:"bill_control_number_key"` // key
	Number string // as it was when the office asked
	// WrittenOn is the fact of the bill that was asked about, if that joined another bill.
	WrittenOn string
	// Call is the entry of the call that added the bill to an open question, or 0.
	Call int64 `db:"call_id,null"`
}

// Side is who wrote an entry.
type Side string

// Sides.
const (
	Office  Side = "OFFICE"
	Network Side = "NETWORK"
	System  Side = "SYSTEM"
)

// Visible is who reads an entry.
type Visible string

// Readers of entries.
const (
	Both        Visible = "BOTH"
	NetworkOnly Visible = "NETWORK"
)

// Kind is the kind of an entry.
type Kind string

// Kinds of entries.
const (
	Message      Kind = "MESSAGE" // of the office
	Answer       Kind = "ANSWER"
	Ask          Kind = "ASK" // a question back to the office
	WithdrawnBy  Kind = "WITHDRAWN"
	ClosedNoMore Kind = "CLOSED"
	Note         Kind = "NOTE"   // of staff, for staff
	CallLogged   Kind = "CALL"   // with an internal note
	MergedWith   Kind = "MERGE"  // with another case
	Letter       Kind = "LETTER" // to the complainant
)

// Entry is an entry of a case's thread.
type Entry struct {
	ID     int64
	CaseID int64
	At     db.Instant
	Author int64 `db:"author_id,null"` // 0 for the system
	Side   Side
	// Visible is Both unless set.
	Visible Visible
	Kind    Kind
	Body    string
	// RequestKey is the browser's key, so that a repeated request is stored once. It's empty for entries that
	// no request repeats.
	RequestKey string
	Files      []int64 `db:"-"` // IDs of uploaded files to claim; not stored with the entry
}

// errSent is the result of a repeated request, whose entry is already stored.
var errSent = errors.New("the entry is already stored")

// checkUnsent returns errSent if an earlier request of the author had the same key, or Conflict if that one had
// another text. The case can be merged since.
func checkUnsent(ctx context.Context, tx *sql.Tx, c Case, author int64, w Written) error {
	stored, err := getEntryByKey(ctx, tx, author, w.RequestKey)
	switch {
	case errors.Is(err, db.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	for c.ID != stored.CaseID && c.MergedInto != 0 {
		if c, err = getByID(ctx, tx, c.MergedInto); err != nil {
			return err
		}
	}
	if c.ID != stored.CaseID || stored.Body != w.Body {
		return problem.WithMessage(problem.Conflict, "This was already sent, with another text. Reload the page.")
	}
	return errSent
}

// Service asks, answers and lists questions.
type Service struct {
	db        *db.DB
	files     blob.Store
	uploads   *spool.Checker
	desk      Desk
	openBills *openbills.Service
	scopes    Scopes
	users     *users.Service
	pages     Pages
	audit     *audit.Log
	law       Law
	mails     *mail.Outbox
	meters    meters
	hours     Hours
	now       func() time.Time
	silent    bool // sends no emails
	brand     settings.Brand
	url       string // of the portal, for links
	// deflected counts questions that offices didn't send, because the portal already answered them.
	deflected prometheus.Counter
}

// Pages makes and reads page IDs of bills and remittances.
type Pages interface {
	PageID(ftin, key string) (string, error)
	OpenPageID(id string) (ftin, key string, ok bool)
	LinkRemittance(ftin, remittance string) (string, error)
	OpenRemittance(id string) (record.RemittanceID, error)
}

// Scopes returns the TINs that an actor can see, and the groups with a TIN.
type Scopes interface {
	Scope(ctx context.Context, a access.Actor) (access.Scope, error)
	ReadTINs(ctx context.Context, q db.Queryer, p access.Person) ([]string, error)
	FindGroups(ctx context.Context, ftin string) ([]int64, error)
}

// Desk checks support sessions.
type Desk interface {
	// RequireCall fails unless the actor has a support session because of a call.
	RequireCall(ctx context.Context, a access.Actor) error
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	OpenBills *openbills.Service
	Scopes    Scopes
	Users     *users.Service
	Pages     Pages
	Desk      Desk
	Law       Law
}

// NewService creates the service.
func NewService(d Deps, s Settings) (*Service, error) {
	platform.Require(d)
	hours, err := ParseHours(s.CaseHours, d.Zone)
	if err != nil {
		return nil, fmt.Errorf("business hours: %w", err)
	}
	return &Service{db: d.DB, files: d.Files, uploads: d.Uploads, desk: d.Desk, law: d.Law, openBills: d.OpenBills, scopes: d.Scopes,
		users: d.Users, pages: d.Pages, audit: d.Audit, mails: d.Mail, meters: newMeters(), hours: hours, now: d.LocalTime, brand: d.Brand,
		url: d.PublicURL, deflected: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "wcpp_case_deflected_total", Help: "Questions that offices didn't send because the portal already answered them."})}, nil
}

// At returns the service at another time, for the demo's past weeks. It sends no emails.
func (s *Service) At(t time.Time) *Service {
	past := *s
	past.now, past.silent = func() time.Time { return t }, true
	return &past
}

// Question is a new question.
type Question struct {
	RequestKey string
	Topic      string
	Body       string
	Pages      []string // page IDs of its bills; all of one TIN
	FTIN       string   // without bills; can be empty
	Files      []int64  // IDs of uploaded files
	Remittance string   // page ID of the remittance that it's about, without bills; can be empty
	Complaint  *ComplaintDetails
}

const notSent = "Your question wasn't sent. Correct the marked fields and try again."

// requireKey requires the key of a request.
func requireKey(wrong *validate.Fields, key string) {
	wrong.Require(key != "" && len(key) <= maxKey, "requestKey", "Reload the page, then try again.")
}

func (q *Question) check() error {
	q.Body = text.Paragraphs(q.Body)
	var wrong validate.Fields
	requireKey(&wrong, q.RequestKey)
	if q.Complaint != nil {
		q.Topic = TopicOther
		q.Complaint.check(&wrong)
	}
	wrong.Require(slices.Contains(Topics(), q.Topic), "topic", "Select a topic.")
	wrong.Require(q.Body != "", "body", "Enter your question.")
	wrong.Limit(q.Body, MaxText, "body")
	wrong.Require(len(q.Pages) <= MaxBills, "bills", fmt.Sprintf("Select up to %d bills.", MaxBills))
	wrong.Require(len(q.Files) <= MaxFiles, "files", tooManyFiles)
	wrong.Require(q.Remittance == "" || len(q.Pages) == 0, "bills", "Ask about the payment or about bills.")
	return wrong.Refuse(notSent)
}

// caseLocks is the lock space for authors of questions.
const caseLocks = 45

// Submit stores a question. A repeated request with the same key returns the stored one.
func (s *Service) Submit(ctx context.Context, a access.Actor, q Question) (c Case, err error) {
	if err := q.check(); err != nil {
		return Case{}, err
	}
	hash, err := hashRequest(q)
	if err != nil {
		return Case{}, err
	}
	of := request{author: a.Acting().ID, key: q.RequestKey, hash: hash}
	return s.once(ctx, of, s.ofOffice(ctx, a), func(tx *sql.Tx) (Case, error) { return s.add(ctx, tx, a, q, of) })
}

// request identifies a request for a new case.
type request struct {
	author int64
	key    string // of the browser
	hash   string // of its content
}

// once adds a case unless a request of the same author with the same key did. may checks whether the
// caller still sees that one. The same key with other content is refused.
func (s *Service) once(
	ctx context.Context, of request, may func(*sql.Tx, Case) error, add func(tx *sql.Tx) (Case, error),
) (c Case, err error) {
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := s.db.Lock(ctx, tx, caseLocks, int(of.author)); err != nil {
			return err
		}
		stored, err := getByKey(ctx, tx, of.author, of.key)
		if err == nil {
			if err := may(tx, stored); err != nil {
				return err
			}
			if stored.RequestHash != of.hash {
				return refuseSent(stored.Number)
			}
			c = stored
			return nil
		}
		if !errors.Is(err, db.ErrNotFound) {
			return err
		}
		c, err = add(tx)
		return err
	})
	return c, err
}

// refuseSent returns a Conflict that names the case that an earlier request with the same key stored.
func refuseSent(number string) error {
	e := problem.WithMessage(problem.Conflict, "This was already sent as "+number+", with other details.")
	e.Fields = []problem.Field{{Path: "requestKey", Code: "SENT", Message: e.Message, Value: &number}}
	return e
}

// hashRequest returns a hash of a request's content.
func hashRequest(content any) (string, error) {
	text, err := json.Marshal(content)
	hash := sha256.Sum256(text)
	return hex.EncodeToString(hash[:]), err
}

// add stores a question or complaint of an office.
func (s *Service) add(ctx context.Context, tx *sql.Tx, a access.Actor, q Question, of request) (Case, error) {
	now, author := s.now(), a.Acting()
	c := Case{Kind: KindQuestion, Topic: q.Topic, Group: author.GroupID, OpenedBy: author.ID, FTIN: q.FTIN, State: Open,
		OpenedAt: db.At(now),
		DueAt:    db.At(s.hours.After(now, promised)), RequestKey: of.key, RequestHash: of.hash, Version: 1}
	if q.Complaint != nil {
		c.Origin, c.ReceivedOn = FromPortal, s.today()
	}
	bills, err := s.findBills(ctx, tx, a, &c, q.Pages)
	if err != nil {
		return Case{}, err
	}
	if q.Remittance != "" {
		id, err := s.pages.OpenRemittance(q.Remittance)
		if err != nil {
			return Case{}, err
		}
		c.FTIN, c.Remittance = id.FTIN, id.Remittance
		if _, err := getTraceNumber(ctx, tx, id); err != nil {
			return Case{}, notFound(err)
		}
	}
	if c.FTIN != "" {
		sees, err := s.sees(ctx, tx, author, c)
		if err == nil && !sees {
			err = access.Refuse(c.FTIN)
		}
		if err != nil {
			return Case{}, err
		}
	}
	e := Entry{At: c.OpenedAt, Author: author.ID, Side: Office, Kind: Message, Body: q.Body, Files: q.Files}
	return s.store(ctx, tx, c, opening{q.Complaint, bills, e, "case-ask"})
}

// findBills returns the bills of a question, which must be in the actor's scope and have one TIN.
func (s *Service) findBills(ctx context.Context, tx *sql.Tx, a access.Actor, c *Case, pages []string) ([]aboutBill, error) {
	var bills []aboutBill
	for _, page := range pages {
		b, err := s.openBills.FindBill(ctx, tx, a, page, s.db.Dialect.ForShare)
		if err != nil {
			return nil, err
		}
		if len(bills) > 0 && b.FTIN != c.FTIN {
			return nil, validate.RefuseField(notSent, "bills", "Select bills of one Tax ID.")
		}
		c.FTIN = b.FTIN
		if !slices.ContainsFunc(bills, func(other aboutBill) bool { return other.Bill == b.Key }) {
			bills = append(bills, aboutBill{FTIN: b.FTIN, Bill: b.Key, Number: b.Number})
		}
	}
	return bills, nil
}

// addEntry stores an entry with its files, and makes it the latest of its side. It stores the case,
// too.
func (s *Service) addEntry(ctx context.Context, tx *sql.Tx, c *Case, e Entry) error {
	e.Visible = cmp.Or(e.Visible, Both)
	var err error
	e.ID, err = insertEntry(ctx, tx, e)
	if err != nil {
		return err
	}
	if err := s.claimFiles(ctx, tx, e); err != nil {
		return err
	}
	switch {
	case e.Visible == NetworkOnly:
	case e.Side == Office:
		c.LastOffice = e.ID
	case e.Side == Network:
		c.LastNetwork = e.ID
	}
	if e.Kind == Answer {
		c.AnswerID = e.ID
	}
	return putCase(ctx, tx, *c)
}

// record audits what happened to a case, with the numbers of its bills. The office's group sees the entry.
func (s *Service) record(ctx context.Context, tx *sql.Tx, operation audit.Operation, c Case, bills []aboutBill) error {
	entry := newAuditEntry(operation, c)
	for _, b := range bills {
		entry.Answered = append(entry.Answered, b.Number)
	}
	return s.audit.Record(ctx, tx, entry)
}

func newAuditEntry(operation audit.Operation, c Case) audit.Entry {
	subject := "case " + c.Number
	entry := audit.Entry{Operation: operation, Subject: subject, About: []string{subject}, Result: "ok"}
	if c.Group != 0 {
		entry.Groups = []int64{c.Group}
	}
	if c.FTIN != "" {
		entry.About = append(entry.About, c.FTIN)
	}
	return entry
}

// Stale is a conflict with someone else's change.
const Stale = "Someone else changed this question. Read it, then try again. Your text is saved."

// Seen is a case in the version that the caller saw.
type Seen struct {
	Number  string
	Version int64 // 0: any
}

// change locks a case and applies an event, unless the caller saw another version of it.
func (s *Service) change(ctx context.Context, seen Seen, e event,
	may func(tx *sql.Tx, c Case) error, apply func(tx *sql.Tx, c *Case) error,
) (c Case, err error) {
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		c, err = s.changeIn(ctx, tx, seen, e, may, apply)
		return err
	})
	return c, err
}

// changeIn is change in a transaction.
func (s *Service) changeIn(ctx context.Context, tx *sql.Tx, seen Seen, e event,
	may func(tx *sql.Tx, c Case) error, apply func(tx *sql.Tx, c *Case) error,
) (Case, error) {
	c, err := getCase(ctx, tx, parseNumber(seen.Number), s.db.Dialect.ForUpdate)
	if err != nil {
		return c, notFound(err)
	}
	if err := may(tx, c); err != nil {
		return c, err
	}
	// Before the version: trying again can't help in this state.
	next, ok := transitions[e][c.State]
	if !ok {
		return c, problem.WithMessage(problem.Conflict, refusals[c.State])
	}
	if seen.Version != 0 && seen.Version != c.Version {
		return c, problem.WithMessage(problem.Conflict, Stale)
	}
	s.move(&c, next)
	c.Version++
	err = apply(tx, &c)
	return c, err
}

// refusals say why an event can't happen in a state.
var refusals = map[State]string{
	Open:      "This question isn't answered yet.",
	Waiting:   "This question waits for the office.",
	Answered:  "This question is answered.",
	Closed:    "This question is closed. Ask a new one.",
	Withdrawn: "This question was withdrawn. Ask a new one.",
	Merged:    "This question was merged with another one. Continue there.",
}

func notFound(err error) error {
	return db.IfNotFound(err, problem.New(problem.NotFound))
}

// move changes the state of a case, with its times. The promise pauses while the network waits for
// the office, and a reply to an answer gets a new one.
func (s *Service) move(c *Case, next State) {
	now := s.now()
	before := c.State
	c.State = next
	if before == next {
		return
	}
	switch before {
	case Open:
		c.Left = int64(max(leastLeft, s.hours.Between(now, c.DueAt.Time)).Seconds())
		c.DueAt = db.Instant{}
	case Answered:
		c.AnsweredAt = db.Instant{}
	case Waiting, Closed, Withdrawn, Merged:
	}
	switch next {
	case Open:
		left := promised
		if before == Waiting {
			left = time.Duration(c.Left) * time.Second
		}
		c.DueAt, c.Outcome = db.At(s.hours.After(now, left)), ""
		if before == Answered {
			c.Helpful = "NO"
		}
	case Answered:
		c.AnsweredAt = db.At(now)
	case Closed, Withdrawn, Merged:
		c.ClosedAt = db.At(now)
	case Waiting:
	}
	if next != Waiting {
		c.Left = 0
	}
}

// isCurrent reports whether the office can still write to a case.
func (c Case) isCurrent() bool { return c.State == Open || c.State == Waiting || c.State == Answered }

// Written is what someone writes to a case.
type Written struct {
	RequestKey string // of the browser; a repeated request with it is stored once
	Body       string
	Files      []int64 // IDs of uploaded files
	Outcome    Outcome // of a complaint that is answered
}

// check cleans a text and checks it. empty is the message for an empty one.
func (w Written) check(empty string) (Written, error) {
	w.Body = text.Paragraphs(w.Body)
	var wrong validate.Fields
	requireKey(&wrong, w.RequestKey)
	wrong.Require(w.Body != "", "body", empty)
	wrong.Limit(w.Body, MaxText, "body")
	wrong.Require(len(w.Files) <= MaxFiles, "files", tooManyFiles)
	return w, wrong.Refuse(validate.MarkedFields)
}

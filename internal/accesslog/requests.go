package accesslog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// State is the state of a request.
type State string

// Request states.
const (
	Asked     State = "ASKED"
	Approved  State = "APPROVED"
	Refused   State = "REFUSED"
	Expired   State = "EXPIRED"  // not decided in time
	NotNeeded State = "NEEDLESS" // the office stopped requiring approval
	Override  State = "OVERRIDE" // a system administrator used the emergency override
)

// Request is a staff member's request to act as users of a group.
type Request struct {
	ID         int64  `db:"id"`
	GroupID    int64  `db:"group_id"`
	Who        string // staff username
	WhoID      int64  `db:"who_id"`
	Whom       string // username of the user they want to act as
	Reason     string // empty: none given
	State      State
	AskedAt    db.Instant
	AnsweredAt db.Instant
	AnsweredBy string     // username
	Words      string     // only if declined
	Until      db.Instant // end of the staff member's access to the group; zero: no access
}

const (
	answerWithin = 24 * time.Hour
	allowedFor   = time.Hour
	askedAnHour  = 20
	maxReason    = 200
)

// CodeApprovalRequired rejects acting as a user of an office that requires approval.
const CodeApprovalRequired = "ASK_FIRST"

func newApprovalError(words string) error {
	return &problem.Error{Kind: problem.Conflict, Code: CodeApprovalRequired, Message: words}
}

// withExpiry returns the request's current state: one that was pending too long has expired.
func (s *Service) withExpiry(r Request) Request {
	if r.State == Asked && !s.now().Before(r.AskedAt.Add(answerWithin)) {
		r.State = Expired
	}
	return r
}

// pendingSince returns when a request was made that expires now.
func (s *Service) pendingSince() db.Instant { return db.At(s.now().Add(-answerWithin)) }

func (s *Service) isAllowed(r Request) bool {
	return (r.State == Approved || r.State == Override) && s.now().Before(r.Until.Time)
}

// findApproval returns the request that lets a staff member act as a user of an office that requires
// approval. If there is none, it creates one. The refusal explains the office's decision or that
// the request was sent. A new request must be committed even then.
func (s *Service) findApproval(ctx context.Context, tx *sql.Tx, staff, as access.Person, reason string) (r Request, refusal, err error) {
	c, err := getSettings(ctx, tx, as.GroupID)
	if err != nil || !c.AsksFirst {
		return r, nil, err
	}
	if r, err = newestRequest(ctx, tx, staff.ID, as.GroupID); err != nil {
		return r, nil, err
	}
	switch r = s.withExpiry(r); {
	case s.isAllowed(r):
		return r, nil, nil
	case r.State == Asked:
		return r, newApprovalError("This office requires approval. You requested it " + s.formatTime(r.AskedAt) +
			", and no one has responded yet. Requests expire after 24 hours."), nil
	case r.State == Refused && s.now().Before(r.AnsweredAt.Add(answerWithin)):
		return r, newApprovalError("This office declined your request " + s.formatTime(r.AnsweredAt) + quote(r.Words) +
			". You can request access again in Service desk."), nil
	}
	return r, newApprovalError("This office requires approval, so we sent your request to its administrators. Once approved, you can " +
			"act as " +
			"its users for 60 minutes. We'll email you."),
		s.requestApproval(ctx, tx, staff, as, reason)
}

func quote(words string) string {
	if words == "" {
		return ""
	}
	return ": “" + words + "”"
}

// formatTime formats a time in the business time zone.
func (s *Service) formatTime(at db.Instant) string {
	return "on " + date.FormatTime(at.Time, s.now().Location())
}

// requestApproval sends a request to an office unless one is pending. It returns Conflict if the office has
// no administrator to decide it.
func (s *Service) requestApproval(ctx context.Context, tx *sql.Tx, staff, as access.Person, reason string) error {
	now := s.now()
	admins, err := listAdmins(ctx, tx, as.GroupID)
	if err != nil {
		return err
	}
	if len(admins) == 0 {
		return newApprovalError("This office requires approval, but it doesn't have an administrator. In an emergency, a system " +
			"administrator " +
			"can override this in Service desk.")
	}
	n, err := countAsked(ctx, tx, staff.ID, db.At(now.Add(-time.Hour)))
	if err == nil && n >= askedAnHour {
		err = problem.RetryLater(time.Hour, fmt.Sprintf("You've sent %d requests in the last hour. Try again in an hour.", askedAnHour))
	}
	if err == nil {
		err = expire(ctx, tx, staff.ID, as.GroupID, s.pendingSince())
	}
	if err != nil {
		return err
	}
	id, err := addRequest(ctx, tx, Request{WhoID: staff.ID, GroupID: as.GroupID, Reason: reason, State: Asked, AskedAt: db.At(now)}, as.ID)
	if errors.Is(err, db.ErrNotFound) { // created by someone else in the meantime
		return nil
	}
	if err == nil {
		err = s.notifyAdmins(ctx, tx, mailRequest, as.GroupID, 0, id)
	}
	if err != nil {
		return err
	}
	return s.audit.Record(ctx, tx, audit.Entry{Operation: "visit-ask", Subject: as.UserName, Groups: []int64{as.GroupID}, Result: "ok",
		Detail: reason})
}

// ApprovalStatus is the state of a group's approval, for staff about to act as a user.
type ApprovalStatus struct {
	AsksFirst bool
	Request   Request // latest; zero: none
	Allowed   bool    // right now
}

// ApprovalStatus returns whether a user's office requires approval, and the latest request.
func (s *Service) ApprovalStatus(ctx context.Context, a access.Actor, userName string) (st ApprovalStatus, err error) {
	as, err := s.users.FindActive(ctx, userName)
	if err != nil {
		return st, err
	}
	c, err := getSettings(ctx, s.db.Reader, as.GroupID)
	if err != nil || !c.AsksFirst {
		return st, err
	}
	r, err := newestRequest(ctx, s.db.Reader, a.Person.ID, as.GroupID)
	r = s.withExpiry(r)
	return ApprovalStatus{true, r, s.isAllowed(r)}, err
}

// RequestApproval sends a request to a user's office, even if it declined one before. The reason is the one
// entered at the service desk. A pending request stays as it is.
func (s *Service) RequestApproval(ctx context.Context, a access.Actor, userName string) error {
	why, err := s.desk.CurrentReason(ctx, a)
	if err != nil {
		return err
	}
	as, err := s.findMirrorable(ctx, userName)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := checkRequiresApproval(ctx, tx, as.GroupID); err != nil {
			return err
		}
		r, err := newestRequest(ctx, tx, a.Person.ID, as.GroupID)
		if err != nil {
			return err
		}
		if s.isAllowed(r) {
			return problem.WithMessage(problem.Conflict, "This office already approved your access.")
		}
		return s.requestApproval(ctx, tx, a.Person, as, stripSessionNumber(why))
	})
}

// checkRequiresApproval rejects a group that doesn't require approval.
func checkRequiresApproval(ctx context.Context, tx *sql.Tx, group int64) error {
	c, err := getSettings(ctx, tx, group)
	if err == nil && !c.AsksFirst {
		err = problem.WithMessage(problem.Conflict, "This office doesn't require approval.")
	}
	return err
}

func (s *Service) findMirrorable(ctx context.Context, userName string) (access.Person, error) {
	u, err := s.users.FindActive(ctx, userName)
	if err == nil && !u.TypeCd.IsMirrorable() {
		err = problem.WithMessage(problem.Invalid, "You can mirror only provider users, provider administrators and non-network users.")
	}
	return u.Person(), err
}

// Override lets a system administrator act as users of an office for 60 minutes without its
// approval. It notifies the office's administrators immediately.
func (s *Service) Override(ctx context.Context, a access.Actor, userName, reason string) error {
	reason = text.Clean(reason)
	var wrong validate.Fields
	if wrong.Limit(reason, maxReason, "reason") {
		wrong.Require(reason != "", "reason", "Enter a reason for the emergency")
		wrong.Require(!validate.HasPersonNumber(reason), "reason", leaveOut)
	}
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return err
	}
	as, err := s.findMirrorable(ctx, userName)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := checkRequiresApproval(ctx, tx, as.GroupID); err != nil {
			return err
		}
		now := db.At(s.now())
		r := Request{WhoID: a.Person.ID, GroupID: as.GroupID, Reason: reason, State: Override, AskedAt: now, AnsweredAt: now,
			Until: db.At(now.Add(allowedFor))}
		if err := expire(ctx, tx, a.Person.ID, as.GroupID, s.pendingSince()); err != nil {
			return err
		}
		id, err := overridePending(ctx, tx, r, as.ID)
		if errors.Is(err, db.ErrNotFound) {
			id, err = addRequest(ctx, tx, r, as.ID)
		}
		if err != nil {
			return err
		}
		if err := s.notifyAdmins(ctx, tx, mailOverride, as.GroupID, 0, id); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "visit-override", Subject: as.UserName, Groups: []int64{as.GroupID},
			Result: "ok", Detail: reason})
	})
}

const leaveOut = "Remove ID numbers from this text"

// ListRequests returns a page of the requests to the actor's group: pending ones first, then the
// newest.
func (s *Service) ListRequests(ctx context.Context, a access.Actor, t paging.Table) ([]Request, int, error) {
	list, count, err := requestPage(ctx, s.db.Reader, s.db.Dialect, a.Acting().GroupID, s.pendingSince(), t)
	for i, r := range list {
		list[i] = s.withExpiry(r)
	}
	return list, count, err
}

// Answer approves a request for 60 minutes, or declines it with a comment. If two people decide,
// the first decision counts and the second returns Conflict.
func (s *Service) Answer(ctx context.Context, a access.Actor, id int64, agree bool, words string) error {
	words = text.Clean(words)
	var wrong validate.Fields
	if wrong.Limit(words, maxReason, "words") {
		wrong.Require(!validate.HasPersonNumber(words), "words", leaveOut)
	}
	if err := wrong.Refuse(validate.MarkedFields); err != nil {
		return err
	}
	group := a.Acting().GroupID
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		now := s.now()
		to, until, operation := Refused, db.Instant{}, audit.Operation("visit-refuse")
		if agree {
			to, until, operation, words = Approved, db.At(now.Add(allowedFor)), "visit-agree", ""
		}
		n, err := answer(ctx, tx, id, group, s.pendingSince(),
			Request{State: to, AnsweredAt: db.At(now), AnsweredBy: a.Person.UserName, Words: words, Until: until})
		if err != nil {
			return err
		}
		r, err := requestByID(ctx, tx, id)
		if errors.Is(err, db.ErrNotFound) || err == nil && r.GroupID != group {
			return access.Refuse(fmt.Sprintf("request %d", id))
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return problem.WithMessage(problem.Conflict, s.explainClosed(s.withExpiry(r)))
		}
		if err := s.notifyRequester(ctx, tx, r); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: r.Who, Groups: []int64{group}, Result: "ok",
			Detail: words})
	})
}

// explainClosed explains why a request can no longer be decided.
func (s *Service) explainClosed(r Request) string {
	switch r.State {
	case Approved:
		return r.AnsweredBy + " already approved this request."
	case Refused:
		return r.AnsweredBy + " already declined this request."
	case NotNeeded:
		return "Your group no longer requires approval."
	case Override:
		return "A system administrator used emergency access without approval."
	default:
		return "This request expired after 24 hours without a response."
	}
}

// Emails about requests. Administrators learn about a new request, an emergency override, and a
// change of the approval setting. Staff learn about a decision. The subject is the request or
// the group.
const (
	mailRequest  mail.Kind = "visit-request"
	mailOverride mail.Kind = "visit-override"
	mailAnswered mail.Kind = "visit-answered"
	mailSwitched mail.Kind = "visit-switched"
)

func (s *Service) listRequestEmails() []mail.Email {
	var list []mail.Email
	of := func(kind mail.Kind, write func(r Request) (mail.Content, error)) {
		list = append(list, mail.Email{Kind: kind, Compose: func(ctx context.Context, tx *sql.Tx, id int64) (mail.Content, error) {
			r, err := requestByID(ctx, tx, id)
			if err != nil {
				return mail.Content{}, db.IfNotFound(err, mail.ErrObsolete)
			}
			return write(s.withExpiry(r))
		}})
	}
	of(mailRequest, func(r Request) (mail.Content, error) {
		if r.State != Asked {
			return mail.Content{}, mail.ErrObsolete
		}
		return s.newEmail("network access request",
			"Network staff want to act as a user in your group. Sign in to see who and why, then approve access for 60 minutes or "+
				"decline it. The request expires after 24 hours."), nil
	})
	of(mailOverride, func(Request) (mail.Content, error) {
		return s.newEmail("emergency network access",
			"A network system administrator used emergency access and can act as users in your group for 60 minutes without your "+
				"approval. Sign in to see who and why."), nil
	})
	of(mailAnswered, func(r Request) (mail.Content, error) {
		l := mail.Content{
			Subject: s.brand + ": response to your access request", Greeting: "Hello,",
			Button: &mail.Link{Text: "Open service desk", URL: s.url + "/wcpp/desk"},
		}
		switch {
		case s.isAllowed(r):
			l.Paragraphs = []string{"The office approved your request. You can act as its users until " +
				date.FormatTime(r.Until.Time, s.now().Location()) + "."}
		case r.State == Refused:
			l.Paragraphs = []string{"The office declined your request. To see its note, open the user's card in Service desk."}
		default:
			return l, mail.ErrObsolete
		}
		return l, nil
	})
	return append(list, mail.Email{Kind: mailSwitched, Compose: func(ctx context.Context, tx *sql.Tx, group int64) (mail.Content, error) {
		c, err := getSettings(ctx, tx, group)
		does := "no longer needs your approval to act as a user in your group"
		if c.AsksFirst {
			does = "now needs your approval to act as a user in your group"
		}
		return s.newEmail("network access settings changed", "Another administrator changed your group's settings. The network "+does+"."),
			err
	}})
}

// notifyRequester emails the requester that there is a decision.
func (s *Service) notifyRequester(ctx context.Context, tx *sql.Tx, r Request) error {
	email, err := getEmail(ctx, tx, r.WhoID)
	if err != nil {
		return err
	}
	return s.mails.Enqueue(ctx, tx, mailAnswered, email, r.ID)
}

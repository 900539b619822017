package alerts

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/seal"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// The frequencies of summaries.
const (
	Daily   = "daily" // on the selected days
	Mondays = "mondays"
	Never   = "never"
)

// Why a mailbox was stopped.
const (
	StoppedByLink = "link"
	Refused       = "refused" // permanently, by its email server
)

// Limits of mailboxes.
const (
	MaxMailboxes  = 5
	confirmWithin = 7 * 24 * time.Hour
	addedAnHour   = 10
)

// sendMinute is the minute of the selected hour at which summaries are sent.
const sendMinute = 30

// defaultHour is the default, which sends summaries at 7:30.
const defaultHour = 7

// workdays are Monday to Friday, as in time.Weekday.
var workdays = []int{1, 2, 3, 4, 5}

// Mailing is the content and schedule of emails.
type Mailing struct {
	Digest     string
	Days       []int    `db:",json"` // of a daily summary; 0 is Sunday
	Hour       int      // 0 to 23; sent at half past, in the business's time zone
	Kinds      []string `db:",json"`
	TINs       []string `db:"tins,json"` // empty for all, like Kinds
	QuietWeeks bool     // send an email after a week without updates
}

// defaultMailing returns the default settings for a user who hasn't answered yet.
func defaultMailing() Mailing { return Mailing{Digest: Never, Days: workdays, Hour: defaultHour} }

func (m *Mailing) normalize() {
	m.Days = slices.Compact(slices.Sorted(slices.Values(m.Days)))
	if m.Digest != Daily && len(m.Days) == 0 {
		m.Days = workdays
	}
	m.TINs = slices.Compact(slices.Sorted(slices.Values(m.TINs)))
}

func (m *Mailing) check(scope access.Scope) error {
	m.normalize()
	var wrong validate.Fields
	wrong.Require(m.Digest == Daily || m.Digest == Mondays || m.Digest == Never, "digest", "Select daily, Mondays or never.")
	wrong.Require(len(m.Days) > 0, "days", "Select at least one day.")
	wrong.Require(!slices.ContainsFunc(m.Days, func(d int) bool {
		return d < 0 || d > 6
	}), "days", "Select days of the week, 0 (Sunday) to 6.")
	wrong.Require(m.Hour >= 0 && m.Hour <= 23, "hour", "Select an hour from 0 to 23.")
	for i, kind := range m.Kinds {
		wrong.Require(slices.Contains(announced, kind), fmt.Sprintf("kinds.%d", i), "Select a valid kind of update.")
	}
	for i, tin := range m.TINs {
		wrong.Require(validate.TIN(tin), fmt.Sprintf("tins.%d", i), "Enter a 9-digit Tax ID.")
	}
	if err := wrong.Refuse("Nothing changed. Try again."); err != nil {
		return err
	}
	for _, tin := range m.TINs {
		if !scope.Has(tin) {
			return access.Refuse(tin)
		}
	}
	return nil
}

// isSentOn reports whether a summary is sent on a weekday.
func (m Mailing) isSentOn(day time.Weekday) bool {
	switch m.Digest {
	case Daily:
		return slices.Contains(m.Days, int(day))
	case Mondays:
		return day == time.Monday
	default:
		return false
	}
}

// firstDay returns the day of a week's first summary; weeks start on Monday.
func (m Mailing) firstDay() time.Weekday {
	for ahead := range time.Weekday(7) {
		if day := (time.Monday + ahead) % 7; m.isSentOn(day) {
			return day
		}
	}
	return time.Monday
}

// next returns when the next summary after a time is due, in its time zone, or zero if there's
// none. If that time is skipped when daylight saving starts, it uses the next valid time that
// day. If the time is repeated when daylight saving ends, it uses the first one.
func (m Mailing) next(after time.Time) db.Instant {
	year, month, day := after.Date()
	for ahead := range 8 {
		noon := time.Date(year, month, day+ahead, 12, 0, 0, 0, after.Location())
		due := time.Date(year, month, day+ahead, m.Hour, sendMinute, 0, 0, after.Location())
		if due.Day() != noon.Day() || due.Hour() < m.Hour { // the day has no such time
			due = due.Add(time.Hour)
		}
		if m.isSentOn(noon.Weekday()) && due.After(after) {
			return db.At(due)
		}
	}
	return db.Instant{}
}

// narrow reduces a scope to the selected TINs.
func (m Mailing) narrow(scope access.Scope) access.Scope {
	if len(m.TINs) == 0 {
		return scope
	}
	return access.NewScope(slices.DeleteFunc(slices.Clone(scope.TINs()), func(t string) bool { return !slices.Contains(m.TINs, t) }))
}

// hasLostTINs reports whether none of the selected TINs is in a scope. Then there are no summaries, because without
// a selection they would be about all TINs.
func (m Mailing) hasLostTINs(scope access.Scope) bool {
	return len(m.TINs) > 0 && !slices.ContainsFunc(m.TINs, scope.Has)
}

// Delivered is the position of the last summary, and when the next one is due.
type Delivered struct {
	NextAt   db.Instant
	Change   int64     `db:"delivered_change"`
	Day      date.Date `db:"delivered_day"`
	MailedOn date.Date // of the last email; before the first, the day it was requested
}

// Choices are the emails that a user gets outside of the schedule, at most one of each an hour.
type Choices struct {
	Watches   bool // about followed items
	Questions bool // about questions to the network
}

// OwnSettings is a user's email settings.
type OwnSettings struct {
	Mailing
	Asked bool // the user answered
	Choices
	TINs  []string
	Email string
}

// Settings returns the user's email settings, without TINs they lost, so that they can be saved as they are.
// If all selected TINs are lost, the digest is off.
func (s *Service) Settings(ctx context.Context, a access.Actor) (OwnSettings, error) {
	own := OwnSettings{Mailing: defaultMailing(), Choices: Choices{Questions: true}}
	row, err := getSettings(ctx, s.db.Reader, a.Acting().ID)
	switch {
	case err == nil:
		own.Mailing, own.Asked, own.Choices = row.Mailing, true, Choices{!row.WatchAt.IsZero(), row.Questions}
	case !errors.Is(err, db.ErrNotFound):
		return own, err
	}
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return own, err
	}
	own.TINs = scope.TINs()
	if own.hasLostTINs(scope) {
		own.Digest = Never
	}
	own.Mailing.TINs = slices.DeleteFunc(own.Mailing.TINs, func(tin string) bool { return !scope.Has(tin) })
	to, err := s.users.ByID(ctx, a.Acting().ID)
	own.Email = to.Email
	return own, err
}

// SetSettings changes the user's email settings. Earlier changes aren't emailed.
func (s *Service) SetSettings(ctx context.Context, a access.Actor, m Mailing, c Choices) error {
	scope, err := s.scopes.Scope(ctx, a)
	if err != nil {
		return err
	}
	if err := m.check(scope); err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		newest, err := newestChange(ctx, tx)
		if err != nil {
			return err
		}
		row, err := lockSettings(ctx, tx, s.db.Dialect, a.Acting().ID) // a summary that is being enqueued advances the position
		if errors.Is(err, db.ErrNotFound) {
			row, err = userSettings{UserID: a.Acting().ID, Mailing: Mailing{Digest: Never}}, nil
		}
		if err != nil {
			return err
		}
		if row.Digest == Never { // earlier updates aren't emailed
			row.Change, row.Day, row.MailedOn = newest, s.today(), s.today()
		}
		row.Mailing, row.NextAt, row.Questions = m, m.next(s.now()), c.Questions
		switch {
		case !c.Watches:
			row.WatchAt, row.WatchChange = db.Instant{}, newest
		case row.WatchAt.IsZero():
			row.WatchAt, row.WatchChange = db.At(s.now()), newest
		}
		if err := putSettings(ctx, tx, row); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "mails-set", Subject: a.Acting().UserName, Detail: m.describe(),
			Result: "ok"})
	})
}

// describe describes the schedule for the audit log.
func (m Mailing) describe() string {
	if m.Digest == Never {
		return "digest never"
	}
	return fmt.Sprintf("digest %s at %d:%d", m.Digest, m.Hour, sendMinute)
}

func (m *Mailbox) key() string { return text.Key(m.Email) }

func mailboxSubject(id int64) string { return "mailbox " + strconv.FormatInt(id, 10) }

// Mailboxes lists the mailboxes of the user's group, with the TINs they can get updates on.
func (s *Service) Mailboxes(ctx context.Context, a access.Actor) ([]Mailbox, error) {
	return listMailboxes(ctx, s.db.Reader, a.Acting().GroupID)
}

// AddMailbox adds a mailbox and emails it a confirmation link.
func (s *Service) AddMailbox(ctx context.Context, a access.Actor, email string, m Mailing) error {
	return s.addMailbox(ctx, a, email, m, func(ctx context.Context, tx *sql.Tx, box Mailbox) error {
		return s.mails.Enqueue(ctx, tx, mailConfirm, box.Email, box.ID)
	})
}

// AddConfirmed adds a mailbox that is known to be the office's.
func (s *Service) AddConfirmed(ctx context.Context, a access.Actor, email string, m Mailing) error {
	return s.addMailbox(ctx, a, email, m, s.confirm)
}

func (s *Service) addMailbox(
	ctx context.Context, a access.Actor, email string, m Mailing, then func(context.Context, *sql.Tx, Mailbox) error,
) error {
	const nothing = "Couldn't add the mailbox."
	group := a.Acting().GroupID
	if group == 0 {
		return errNotFound()
	}
	scope, err := s.groupScope(ctx, group)
	if err != nil {
		return err
	}
	email = text.Clean(email)
	var wrong validate.Fields
	wrong.Require(validate.Email(email), "email", "Enter an email address such as billing@example.com.")
	wrong.Require(!s.settings.Internal(email), "email", "This address belongs to the network. Enter one of your office.")
	wrong.Require(m.Digest != Never, "digest", "Select daily or Mondays.")
	if err := cmp.Or(wrong.Refuse(nothing), m.check(scope)); err != nil {
		return err
	}
	if err := s.attempts.Allow(ctx, "mailbox", strconv.FormatInt(group, 10), addedAnHour, ratelimit.Hour); err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if err := lockGroup(ctx, tx, s.db.Dialect, group); err != nil {
			return err
		}
		has, err := listMailboxes(ctx, tx, group)
		if err != nil {
			return err
		}
		box := Mailbox{GroupID: group, Email: email, AddedAt: db.At(s.now()), Mailing: m,
			Delivered: Delivered{Day: s.today(), MailedOn: s.today()}}
		var wrong validate.Fields
		wrong.Require(!slices.ContainsFunc(has, func(o Mailbox) bool {
			return o.key() == box.key()
		}), "email", "This mailbox is already on the list.")
		wrong.Require(len(has) < MaxMailboxes, "email", fmt.Sprintf("An office can have up to %d mailboxes. Remove one first.",
			MaxMailboxes))
		if err := wrong.Refuse(nothing); err != nil {
			return err
		}
		if box.ID, err = addMailbox(ctx, tx, box); err != nil {
			return err
		}
		return errors.Join(s.auditChange(ctx, tx, "mailbox-add", box), then(ctx, tx, box))
	})
}

func (s *Service) auditChange(ctx context.Context, tx *sql.Tx, operation audit.Operation, m Mailbox) error {
	return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: mailboxSubject(m.ID), Groups: []int64{m.GroupID},
		Result: "ok"})
}

// RemoveMailbox removes a mailbox of the user's group.
func (s *Service) RemoveMailbox(ctx context.Context, a access.Actor, id int64) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := removeMailbox(ctx, tx, a.Acting().GroupID, id)
		if err == nil && n == 0 {
			err = access.Refuse(mailboxSubject(id))
		}
		if err != nil {
			return err
		}
		return s.auditChange(ctx, tx, "mailbox-remove", Mailbox{ID: id, GroupID: a.Acting().GroupID})
	})
}

func hashToken(token string) []byte {
	h := sha256.Sum256([]byte(token))
	return h[:]
}

// createToken creates the token for a mailbox's link. A new token invalidates the previous one.
func (s *Service) createToken(ctx context.Context, tx *sql.Tx, id int64) (string, error) {
	token := seal.NewToken()
	return token, mintMailbox(ctx, tx, id, hashToken(token))
}

// ConfirmMailbox confirms a mailbox by its emailed link.
func (s *Service) ConfirmMailbox(ctx context.Context, token string) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		box, err := mailboxByToken(ctx, tx, hashToken(token))
		if err != nil {
			return db.IfNotFound(err, problem.WithCode(problem.Invalid, "INVALID_TOKEN"))
		}
		if box.AddedAt.Add(confirmWithin).Before(s.now()) {
			return problem.WithCode(problem.Invalid, "EXPIRED_TOKEN")
		}
		return s.confirm(ctx, tx, box)
	})
	return s.auditRefusal(ctx, "mailbox-confirm", err)
}

// confirm activates a mailbox. Earlier changes aren't emailed.
func (s *Service) confirm(ctx context.Context, tx *sql.Tx, box Mailbox) error {
	newest, err := newestChange(ctx, tx)
	if err != nil {
		return err
	}
	n, err := confirmMailbox(ctx, tx, box.ID, db.At(s.now()), Delivered{box.next(s.now()), newest, s.today(), s.today()})
	if err == nil && n == 0 {
		err = problem.WithCode(problem.Invalid, "INVALID_TOKEN")
	}
	if err != nil {
		return err
	}
	return s.auditChange(ctx, tx, "mailbox-confirm", box)
}

// auditRefusal audits a rejected link.
func (s *Service) auditRefusal(ctx context.Context, operation audit.Operation, err error) error {
	if e := problem.From(err); err != nil && e.Kind == problem.Invalid {
		if unwritten := s.audit.RecordNow(ctx, audit.Entry{Operation: operation, Result: e.Code}); unwritten != nil {
			return unwritten
		}
	}
	return err
}

// stopID identifies the owner of the emails that a link stops. It's sealed in transit. It
// doesn't expire, because people unsubscribe by old emails.
type stopID struct{ UserID, MailboxID int64 }

const stopPurpose = "stop mails"

// StopMails unsubscribes the owner in an emailed link. Repeating it changes nothing.
func (s *Service) StopMails(ctx context.Context, token string) error {
	var id stopID
	if s.sealer.Open(stopPurpose, token, &id) != nil {
		return s.auditRefusal(ctx, "mails-stop", problem.WithCode(problem.Invalid, "INVALID_TOKEN"))
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		if id.UserID != 0 {
			n, err := stopUser(ctx, tx, id.UserID)
			if err != nil || n == 0 {
				return err
			}
			to, err := s.users.ByID(ctx, id.UserID)
			if err != nil {
				return err
			}
			return s.audit.Record(ctx, tx, audit.Entry{Actor: to.UserName, Operation: "mails-stop", Subject: to.UserName,
				Result: "ok"})
		}
		return s.stop(ctx, tx, id.MailboxID, StoppedByLink)
	})
}

// stop stops the emails to a mailbox, unless it's already removed or stopped.
func (s *Service) stop(ctx context.Context, tx *sql.Tx, id int64, why string) error {
	n, err := stopMailbox(ctx, tx, id, why, db.At(s.now()))
	if err != nil || n == 0 {
		return err
	}
	box, err := mailboxByID(ctx, tx, id)
	if err != nil {
		return err
	}
	return s.auditChange(ctx, tx, "mailbox-stop", box)
}

// CountRecipients counts a group's addresses that get emails, including its users'.
func (s *Service) CountRecipients(ctx context.Context, group int64) (int, error) {
	return countRecipients(ctx, s.db.Reader, group)
}

// groupScope returns the TINs of a group.
func (s *Service) groupScope(ctx context.Context, group int64) (access.Scope, error) {
	tins, err := s.scopes.ListTINs(ctx, access.Person{Type: access.PRAD, GroupID: group})
	return access.NewScope(tins), err
}

// Package notifications owns the notifications that administrators write for users: their
// schedule and recipients, and the copies in each user's bell menu.
package notifications

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
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
	"wcpp/internal/platform/events"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
)

// Status is the status of a notification.
type Status string

// The statuses.
const (
	Draft     Status = "DRAFT"     // campaign, recipients, link or name missing
	Ready     Status = "READY"     // complete
	Scheduled Status = "SCHEDULED" // complete, with a send date
	Sent      Status = "SENT"      // every recipient has a copy
)

// Notification is a notification as administrators write it.
type Notification struct {
	ID          int64
	Name        string
	Campaign    string
	RequestedBy string
	Link        string
	SendDate    date.Date // empty: none
	Status      Status
	Recipients  string // user ids in order, separated by commas
	Audience    string // a stored Audience, which replaces Recipients
	CreatedAt   db.Instant
	CreatedBy   string
	UpdatedAt   db.Instant
	UpdatedBy   string
}

// same reports whether both look the same to the user.
func (n Notification) same(o Notification) bool {
	return n.Name == o.Name && n.Campaign == o.Campaign && n.RequestedBy == o.RequestedBy && n.Link == o.Link &&
		n.SendDate == o.SendDate && n.Status == o.Status && n.Recipients == o.Recipients && n.Audience == o.Audience
}

// editable returns the fields of the notification form.
func (n Notification) editable() version.Fields {
	return version.Fields{
		{Name: "name", Value: n.Name}, {Name: "campaign", Value: n.Campaign}, {Name: "requested_by", Value: n.RequestedBy},
		{Name: "link", Value: n.Link},
		{Name: "send_date", Value: string(n.SendDate)}, {Name: fieldRecipients, Value: n.Recipients}, {Name: "audience", Value: n.Audience},
	}
}

// Copy is a notification in a recipient's bell menu.
type Copy struct {
	NotificationID int64
	Name           string
	Link           string
	ViewedAt       db.Instant
}

// Addressed is a notification that some users received.
type Addressed struct {
	Name   string
	Sent   int // number of these users
	Viewed int
	SentAt db.Instant
}

// Service manages and sends notifications.
type Service struct {
	db     *db.DB
	events *events.Broker
	audit  *audit.Log
	log    *slog.Logger
	now    func() time.Time
	zone   *time.Location
	jobs   jobs.Queue
	// news returns the event topic for a user's other updates.
	news     func(userID int64) string
	settings Settings
}

// Cleanup deletes old sent notifications, their copies first. It is safe to repeat.
func (s *Service) Cleanup(ctx context.Context) error {
	if s.settings.NotificationKeepDays == 0 {
		return nil
	}
	day := date.Of(s.now().In(s.zone)).AddDays(-s.settings.NotificationKeepDays)
	old, err := sentBefore(ctx, s.db.Reader, day)
	for _, id := range old {
		err = errors.Join(err,
			s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return removeCopies(ctx, tx, id, day) }),
			s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return removeRecipients(ctx, tx, id, day) }),
			s.db.DeleteInBatches(ctx, func(tx *sql.Tx) (int64, error) { return removeSent(ctx, tx, id) }))
	}
	return err
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	News func(userID int64) string // event topic for a user's other updates
}

// NewService creates the service. Notifications are sent in the morning of the business time zone.
func NewService(d Deps, settings Settings) *Service {
	platform.Require(d)
	return &Service{db: d.DB, jobs: d.Jobs, events: d.Events, audit: d.Audit, log: d.Log, now: d.Clock, zone: d.Zone, news: d.News,
		settings: settings}
}

const (
	defaultName     = "Provider Portal Notification"
	maxName         = 64
	maxCampaign     = 64
	maxRequestedBy  = 22
	maxLink         = 2000
	maxListed       = 1000
	maxCopies       = 500
	maxRecipients   = 200_000
	sameWithin      = time.Minute // an identical notification this soon is a double click
	topic           = "notifications"
	fieldRecipients = "recipients"
	sayUnpublish    = "This notification has already been sent. Unpublish it first."
	sayDeleted      = "Another administrator deleted this notification."
	sayJustSent     = "This notification was sent while you were editing. Unpublish it first."
	sayNoRecipients = "Some recipients don't exist. Remove them and save again."
)

// List lists the notifications, newest first. It returns one more than maxListed if there are
// more.
func (s *Service) List(ctx context.Context) ([]Notification, error) {
	return list(ctx, s.db.Reader, maxListed+1)
}

// checkNotification normalizes the input, returns errors and derives the status.
func (s *Service) checkNotification(n Notification) (Notification, []int64, error) {
	for _, field := range []*string{&n.Name, &n.Campaign, &n.RequestedBy} {
		*field = text.Clean(*field)
	}
	n.Link = strings.TrimSpace(n.Link)
	var wrong validate.Fields
	wrong.Limit(n.Name, maxName, "name")
	wrong.Limit(n.Campaign, maxCampaign, "campaign")
	wrong.Limit(n.RequestedBy, maxRequestedBy, "requested_by")
	wrong.Require(n.Link == "" || isLink(n.Link), "link",
		"Enter an address of up to 2,000 characters that starts with http:// or https://.")
	wrong.Require(n.SendDate == "" || n.SendDate >= s.Today(), "send_date", "Enter today's date or later.")
	ids, ok := parseIDs(n.Recipients)
	wrong.Require(ok, fieldRecipients, "Enter user IDs, separated by commas.")
	wrong.Require(len(ids) <= maxRecipients, fieldRecipients, fmt.Sprintf("Select up to %d recipients.", maxRecipients))
	if err := wrong.Refuse("The notification isn't valid."); err != nil {
		return n, nil, err
	}
	n.Recipients = formatIDs(ids)
	switch {
	case n.Name == "" || n.Campaign == "" || n.Link == "" || len(ids) == 0 && n.Audience == "":
		n.Status = Draft
	case n.SendDate == "":
		n.Status = Ready
	default:
		n.Status = Scheduled
	}
	if n.Name == "" {
		n.Name = defaultName
	}
	return n, ids, nil
}

func isLink(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && len(address) <= maxLink
}

// parseIDs parses ids separated by commas and returns the distinct ones in order.
func parseIDs(recipients string) (ids []int64, ok bool) {
	if recipients == "" {
		return nil, true
	}
	for digits := range strings.SplitSeq(recipients, ",") {
		id, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || digits[0] < '0' || digits[0] > '9' {
			return nil, false
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids), true
}

func formatIDs(ids []int64) string {
	var b strings.Builder
	for n, id := range ids {
		if n > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(id, 10))
	}
	return b.String()
}

// Today returns today's date in the business time zone.
func (s *Service) Today() date.Date { return date.Of(s.now().In(s.zone)) }

// dueDate returns the last date for which notifications are due. Today's are due from 8 AM.
func (s *Service) dueDate() date.Date {
	local := s.now().In(s.zone)
	if local.Hour() < 8 {
		return date.Of(local).AddDays(-1)
	}
	return date.Of(local)
}

// Create stores a notification. An identical one within a minute is ignored.
func (s *Service) Create(ctx context.Context, a access.Actor, n Notification) (Notification, error) {
	n, ids, err := s.checkNotification(n)
	if err != nil {
		return Notification{}, err
	}
	var id int64
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		now := s.now()
		n.CreatedAt, n.CreatedBy = db.At(now), a.Person.UserName
		if err := lockUser(ctx, tx, s.db.Dialect, a.Person.ID); err != nil { // serializes double clicks
			return err
		}
		made, err := madeSince(ctx, tx, n.CreatedBy, db.At(now.Add(-sameWithin)))
		if err != nil {
			return err
		}
		for _, m := range made {
			if m.Status == Sent {
				m.Status = n.Status
			}
			if m.same(n) {
				id = m.ID
				return nil
			}
		}
		if id, err = insert(ctx, tx, n); err != nil {
			return err
		}
		if err := s.setRecipients(ctx, tx, id, ids); err != nil {
			return err
		}
		return s.auditAndQueue(ctx, tx, id, n, "notification-create")
	})
	if err != nil {
		return Notification{}, err
	}
	return s.find(ctx, s.db.Writer, id)
}

// setRecipients adds a notification's recipients.
func (s *Service) setRecipients(ctx context.Context, tx *sql.Tx, id int64, users []int64) error {
	added, err := addRecipients(ctx, tx, id, users)
	if err == nil && added != int64(len(users)) {
		e := problem.WithMessage(problem.Invalid, sayNoRecipients)
		e.Fields = []problem.Field{{Path: fieldRecipients, Code: "UNKNOWN", Message: sayNoRecipients}}
		return e
	}
	return err
}

// auditAndQueue audits a change, and queues the send job if the notification is due.
func (s *Service) auditAndQueue(ctx context.Context, tx *sql.Tx, id int64, n Notification, operation audit.Operation) error {
	if n.Status == Scheduled && n.SendDate <= s.dueDate() {
		if err := s.jobs.Insert(ctx, tx, JobArgs{}); err != nil {
			return err
		}
	}
	detail, err := formatDetail(n)
	if err != nil {
		return err
	}
	return s.auditChange(ctx, tx, operation, id, detail)
}

func (s *Service) auditChange(ctx context.Context, tx *sql.Tx, operation audit.Operation, id int64, detail string) error {
	return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: fmt.Sprintf("notification %d", id), Result: "ok",
		Detail: detail})
}

func (s *Service) find(ctx context.Context, q db.Queryer, id int64) (Notification, error) {
	n, err := byID(ctx, q, id)
	return n, db.IfNotFound(err, problem.New(problem.NotFound))
}

// lockNotification returns a notification and locks it against changes and sending.
func (s *Service) lockNotification(ctx context.Context, tx *sql.Tx, id int64) (Notification, error) {
	err := lock(ctx, tx, s.db.Dialect, id)
	if err != nil {
		return Notification{}, db.IfNotFound(err, problem.New(problem.NotFound))
	}
	return s.find(ctx, tx, id)
}

// Update changes a notification if its version matches the one that was read, when known. A sent
// one can only be unpublished, by setting READY without a date. A change with no effect
// succeeds. A notification for an audience keeps it unless recipients are named.
func (s *Service) Update(ctx context.Context, a access.Actor, n Notification, asked Status) (Notification, error) {
	return s.change(ctx, a, n, asked, n.Recipients == "")
}

func (s *Service) change(ctx context.Context, a access.Actor, n Notification, asked Status, keepAudience bool) (Notification, error) {
	read := n.UpdatedAt
	var unpublished bool
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		stored, err := s.lockNotification(ctx, tx, n.ID)
		if problem.Is(err, problem.NotFound) {
			return problem.WithMessage(problem.NotFound, sayDeleted)
		}
		if err != nil {
			return err
		}
		fresh := read.IsZero() || read.Equal(stored.UpdatedAt.Time)
		unpublished = false
		if stored.Status == Sent {
			switch {
			case asked != Ready || n.SendDate != "":
				return problem.WithMessage(problem.Conflict, sayUnpublish)
			case !fresh: // it wasn't sent when it was read
				return problem.WithMessage(problem.Conflict, sayJustSent)
			}
			unpublished = true
			return s.unpublish(ctx, tx, a, stored)
		}
		if keepAudience {
			n.Audience = stored.Audience
		}
		changed, ids, err := s.checkNotification(n)
		if err != nil || changed.same(stored) {
			return err
		}
		if !fresh {
			return version.CheckAs(formatInstant(read), formatInstant(stored.UpdatedAt), stored.editable(), changed.editable())
		}
		changed.UpdatedAt, changed.UpdatedBy = s.nextUpdate(stored), a.Person.UserName
		if err := update(ctx, tx, changed); err != nil {
			return err
		}
		if changed.Recipients != stored.Recipients {
			if err := dropRecipients(ctx, tx, n.ID); err != nil {
				return err
			}
			if err := s.setRecipients(ctx, tx, n.ID, ids); err != nil {
				return err
			}
		}
		return s.auditAndQueue(ctx, tx, n.ID, changed, "notification-update")
	})
	if err != nil {
		return Notification{}, err
	}
	if unpublished {
		s.events.Publish(ctx, topic)
	}
	return s.find(ctx, s.db.Writer, n.ID)
}

// nextUpdate returns the current time, or a later one if needed to differ from the last change.
func (s *Service) nextUpdate(stored Notification) db.Instant {
	now := db.At(s.now())
	if !now.After(stored.UpdatedAt.Time) {
		return db.At(stored.UpdatedAt.Add(time.Microsecond))
	}
	return now
}

// unpublish deletes a notification's copies.
func (s *Service) unpublish(ctx context.Context, tx *sql.Tx, a access.Actor, n Notification) error {
	if err := dropCopies(ctx, tx, n.ID); err != nil {
		return err
	}
	n.Status, n.SendDate = Ready, ""
	n.UpdatedAt, n.UpdatedBy = s.nextUpdate(n), a.Person.UserName
	if err := update(ctx, tx, n); err != nil {
		return err
	}
	return s.auditChange(ctx, tx, "notification-unpublish", n.ID, "")
}

// Recall deletes the copies of a notification and unpublishes it if it was sent. It is safe to
// repeat.
func (s *Service) Recall(ctx context.Context, a access.Actor, id int64) error {
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := s.lockNotification(ctx, tx, id)
		if err != nil || n.Status != Sent { // only a sent one has copies
			return err
		}
		return s.unpublish(ctx, tx, a, n)
	})
	if err == nil {
		s.events.Publish(ctx, topic)
	}
	return err
}

// Delete deletes an unsent notification.
func (s *Service) Delete(ctx context.Context, a access.Actor, id int64) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := s.lockNotification(ctx, tx, id)
		if err == nil && n.Status == Sent {
			err = problem.WithMessage(problem.Conflict, sayUnpublish)
		}
		if err != nil {
			return err
		}
		if err := remove(ctx, tx, id); err != nil {
			return err
		}
		return s.auditChange(ctx, tx, "notification-delete", id, string(n.Status))
	})
}

// ListForUser lists a user's notifications, newest first. Callers must pass the acting user. It returns
// one more than maxCopies if there are more.
func (s *Service) ListForUser(ctx context.Context, userID int64) ([]Copy, error) {
	return listCopies(ctx, s.db.Reader, userID, maxCopies+1)
}

// ListSentTo lists the notifications that some users received, newest first, up to a limit.
func (s *Service) ListSentTo(ctx context.Context, users []int64, limit int) ([]Addressed, error) {
	return sentTo(ctx, s.db.Reader, users, limit)
}

// CountDrafts counts the incomplete notifications.
func (s *Service) CountDrafts(ctx context.Context) (paging.Backlog, error) {
	return drafts(ctx, s.db.Reader)
}

// MarkViewed marks one of the acting user's notifications as viewed, or all of them if id is 0. It is
// safe to repeat.
func (s *Service) MarkViewed(ctx context.Context, a access.Actor, id int64) error {
	var marked int64
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		var err error
		if marked, err = markViewed(ctx, tx, a.Acting().ID, id, db.At(s.now())); err != nil || marked == 0 {
			return err
		}
		detail := "all"
		if id != 0 {
			detail = strconv.FormatInt(id, 10)
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "notification-view", Subject: a.Person.UserName, Result: "ok",
			Detail: detail})
	})
	if err == nil && marked > 0 {
		s.events.Publish(ctx, s.news(a.Acting().ID)) // for the same person's other browsers
	}
	return err
}

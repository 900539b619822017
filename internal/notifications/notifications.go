// Package notifications owns what the network tells its users: the
// notifications that administrators write, when they are sent and to whom, and
// the copies that users see in their bell.
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

	"wcpp/internal/access"
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

// Status is how far a notification is.
type Status string

// The states.
const (
	Draft     Status = "DRAFT"     // campaign, recipients, link or name are missing
	Ready     Status = "READY"     // complete
	Scheduled Status = "SCHEDULED" // complete, with a date to be sent on
	Sent      Status = "SENT"      // every recipient has a copy
)

// Notification is what administrators write.
type Notification struct {
	ID          int64
	Name        string
	Campaign    string
	RequestedBy string
	Link        string
	SendDate    date.Date // empty: none
	Status      Status
	Recipients  string // ids of users, in order, with commas between them
	Audience    string // an Audience as it is stored, where it goes to all that match instead
	CreatedAt   db.Instant
	CreatedBy   string
	UpdatedAt   db.Instant
	UpdatedBy   string
}

// same tells whether a person sees the same in both.
func (n Notification) same(o Notification) bool {
	return n.Name == o.Name && n.Campaign == o.Campaign && n.RequestedBy == o.RequestedBy && n.Link == o.Link &&
		n.SendDate == o.SendDate && n.Status == o.Status && n.Recipients == o.Recipients && n.Audience == o.Audience
}

// editable is what the form of a notification edits.
func (n Notification) editable() version.Fields {
	return version.Fields{
		{Name: "name", Value: n.Name}, {Name: "campaign", Value: n.Campaign}, {Name: "requested_by", Value: n.RequestedBy}, {Name: "link", Value: n.Link},
		{Name: "send_date", Value: string(n.SendDate)}, {Name: fieldRecipients, Value: n.Recipients}, {Name: "audience", Value: n.Audience},
	}
}

// Copy is a notification as one of its recipients sees it.
type Copy struct {
	NotificationID int64
	Name           string
	Link           string
	ViewedAt       db.Instant
}

// Addressed is a notification that some users got.
type Addressed struct {
	Name   string
	Sent   int // to how many of them
	Viewed int
	SentAt db.Instant
}

// Service keeps notifications and sends them.
type Service struct {
	db     *db.DB
	events *events.Broker
	audit  *audit.Log
	log    *slog.Logger
	now    func() time.Time
	zone   *time.Location
	jobs   jobs.Queue
	// news names the topic on which a user is told of anything else of their own.
	news func(userID int64) string
	// keepDays is for how many days those that were sent are kept.
	keepDays int
}

// Keep has notifications that were sent kept for as many days; 0: for ever.
func (s *Service) Keep(days int) { s.keepDays = days }

// Tidy removes notifications that were sent long ago, the copies of their users first.
// It is safe to repeat.
func (s *Service) Tidy(ctx context.Context) error {
	if s.keepDays == 0 {
		return nil
	}
	old, err := sentBefore(ctx, s.db.Reader, date.Of(s.now().In(s.zone)).AddDays(-s.keepDays))
	for _, id := range old {
		err = errors.Join(err,
			s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return removeCopies(ctx, tx, id) }),
			s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return removeRecipients(ctx, tx, id) }),
			s.db.Forget(ctx, func(tx *sql.Tx) (int64, error) { return removeSent(ctx, tx, id) }))
	}
	return err
}

// NewService makes the service, which puts its jobs into the queue.
// Notifications are sent in the morning of the zone.
func NewService(d *db.DB, queue jobs.Queue, broker *events.Broker, log *audit.Log, logger *slog.Logger, now func() time.Time, zone *time.Location, news func(userID int64) string) *Service {
	return &Service{db: d, jobs: queue, events: broker, audit: log, log: logger, now: now, zone: zone, news: news}
}

const (
	defaultName     = "Provider Portal Notification"
	maxName         = 64
	maxCampaign     = 64
	maxRequestedBy  = 22
	maxLink         = 2000
	mostListed      = 1000
	mostCopies      = 500
	mostRecipients  = 200_000
	sameWithin      = time.Minute // a notification that is made again so soon is a second click
	topic           = "notifications"
	fieldRecipients = "recipients"
	sayUnpublish    = "This notification has already been sent. Unpublish it first."
	sayDeleted      = "Another administrator deleted this notification."
	sayJustSent     = "This notification was sent while you were editing. Unpublish it first."
	sayNoRecipients = "Some recipients don't exist. Remove them and save again."
)

// List lists the notifications, the newest first, with one more than mostListed where there
// are more.
func (s *Service) List(ctx context.Context) ([]Notification, error) {
	return list(ctx, s.db.Reader, mostListed+1)
}

// checked cleans what was typed, names what is wrong, and derives the status.
func (s *Service) checked(n Notification) (Notification, []int64, error) {
	for _, field := range []*string{&n.Name, &n.Campaign, &n.RequestedBy} {
		*field = text.Clean(*field)
	}
	n.Link = strings.TrimSpace(n.Link)
	var wrong validate.Fields
	wrong.Limit(n.Name, maxName, "name")
	wrong.Limit(n.Campaign, maxCampaign, "campaign")
	wrong.Limit(n.RequestedBy, maxRequestedBy, "requested_by")
	wrong.Require(n.Link == "" || isLink(n.Link), "link", "Enter an address of up to 2,000 characters that starts with http:// or https://.")
	wrong.Require(n.SendDate == "" || n.SendDate >= s.Today(), "send_date", "Enter today's date or later.")
	ids, ok := idsOf(n.Recipients)
	wrong.Require(ok, fieldRecipients, "Enter user IDs, separated by commas.")
	wrong.Require(len(ids) <= mostRecipients, fieldRecipients, fmt.Sprintf("Select up to %d recipients.", mostRecipients))
	if err := wrong.Refuse("The notification isn't valid."); err != nil {
		return n, nil, err
	}
	n.Recipients = listOf(ids)
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

// idsOf reads ids with commas between them, each once and in order.
func idsOf(recipients string) (ids []int64, ok bool) {
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

func listOf(ids []int64) string {
	var b strings.Builder
	for n, id := range ids {
		if n > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(id, 10))
	}
	return b.String()
}

// Today is the date of the business.
func (s *Service) Today() date.Date { return date.Of(s.now().In(s.zone)) }

// dueDate is the last day of which the notifications are to be sent: from eight
// in the morning on that is today.
func (s *Service) dueDate() date.Date {
	local := s.now().In(s.zone)
	if local.Hour() < 8 {
		return date.Of(local).AddDays(-1)
	}
	return date.Of(local)
}

// Create stores a notification. The same one twice within a minute is one.
func (s *Service) Create(ctx context.Context, a access.Actor, n Notification) (Notification, error) {
	n, ids, err := s.checked(n)
	if err != nil {
		return Notification{}, err
	}
	var id int64
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		now := s.now()
		n.CreatedAt, n.CreatedBy = db.At(now), a.Person.UserName
		if err := lockUser(ctx, tx, s.db.Dialect, a.Person.ID); err != nil { // clicks wait for each other
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
		if err := s.address(ctx, tx, id, ids); err != nil {
			return err
		}
		return s.saved(ctx, tx, id, n, "notification-create")
	})
	if err != nil {
		return Notification{}, err
	}
	return s.find(ctx, s.db.Writer, id)
}

// address gives a notification its recipients.
func (s *Service) address(ctx context.Context, tx *sql.Tx, id int64, users []int64) error {
	added, err := addRecipients(ctx, tx, id, users)
	if err == nil && added != int64(len(users)) {
		e := problem.Say(problem.Invalid, sayNoRecipients)
		e.Fields = []problem.Field{{Path: fieldRecipients, Code: "UNKNOWN", Message: sayNoRecipients}}
		return e
	}
	return err
}

// saved notes a change, and has the notification sent that is due already.
func (s *Service) saved(ctx context.Context, tx *sql.Tx, id int64, n Notification, operation audit.Operation) error {
	if n.Status == Scheduled && n.SendDate <= s.dueDate() {
		if err := s.jobs.Insert(ctx, tx, JobArgs{}); err != nil {
			return err
		}
	}
	detail, err := recorded(n)
	if err != nil {
		return err
	}
	return s.note(ctx, tx, operation, id, detail)
}

func (s *Service) note(ctx context.Context, tx *sql.Tx, operation audit.Operation, id int64, detail string) error {
	return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: fmt.Sprintf("notification %d", id), Result: "ok", Detail: detail})
}

func (s *Service) find(ctx context.Context, q db.Queryer, id int64) (Notification, error) {
	n, err := byID(ctx, q, id)
	if errors.Is(err, db.ErrNotFound) {
		err = problem.New(problem.NotFound)
	}
	return n, err
}

// lockNotification finds a notification and keeps it from being changed or sent meanwhile.
func (s *Service) lockNotification(ctx context.Context, tx *sql.Tx, id int64) (Notification, error) {
	err := lock(ctx, tx, s.db.Dialect, id)
	if errors.Is(err, db.ErrNotFound) {
		return Notification{}, problem.New(problem.NotFound)
	}
	if err != nil {
		return Notification{}, err
	}
	return s.find(ctx, tx, id)
}

// Update changes a notification, as it was when it was changed last, if that is
// known. A sent one can only be un-published: by asking for READY without a
// date. What changes nothing is done already. One for an audience keeps it,
// unless recipients are named.
func (s *Service) Update(ctx context.Context, a access.Actor, n Notification, asked Status) (Notification, error) {
	return s.change(ctx, a, n, asked, n.Recipients == "")
}

func (s *Service) change(ctx context.Context, a access.Actor, n Notification, asked Status, keepAudience bool) (Notification, error) {
	read := n.UpdatedAt
	var unpublished bool
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		stored, err := s.lockNotification(ctx, tx, n.ID)
		if problem.Is(err, problem.NotFound) {
			return problem.Say(problem.NotFound, sayDeleted)
		}
		if err != nil {
			return err
		}
		fresh := read.IsZero() || read.Equal(stored.UpdatedAt.Time)
		unpublished = false
		if stored.Status == Sent {
			switch {
			case asked != Ready || n.SendDate != "":
				return problem.Say(problem.Conflict, sayUnpublish)
			case !fresh: // it was not yet sent when it was read
				return problem.Say(problem.Conflict, sayJustSent)
			}
			unpublished = true
			return s.unpublish(ctx, tx, a, stored)
		}
		if keepAudience {
			n.Audience = stored.Audience
		}
		changed, ids, err := s.checked(n)
		if err != nil || changed.same(stored) {
			return err
		}
		if !fresh {
			return version.CheckAs(instant(read), instant(stored.UpdatedAt), stored.editable(), changed.editable())
		}
		changed.UpdatedAt, changed.UpdatedBy = s.after(stored), a.Person.UserName
		if err := update(ctx, tx, changed); err != nil {
			return err
		}
		if changed.Recipients != stored.Recipients {
			if err := dropRecipients(ctx, tx, n.ID); err != nil {
				return err
			}
			if err := s.address(ctx, tx, n.ID, ids); err != nil {
				return err
			}
		}
		return s.saved(ctx, tx, n.ID, changed, "notification-update")
	})
	if err != nil {
		return Notification{}, err
	}
	if unpublished {
		s.events.Publish(ctx, topic)
	}
	return s.find(ctx, s.db.Writer, n.ID)
}

// after is now, and later than the last change, which it must differ from.
func (s *Service) after(stored Notification) db.Instant {
	now := db.At(s.now())
	if !now.After(stored.UpdatedAt.Time) {
		return db.At(stored.UpdatedAt.Add(time.Microsecond))
	}
	return now
}

// unpublish takes a notification's copies back.
func (s *Service) unpublish(ctx context.Context, tx *sql.Tx, a access.Actor, n Notification) error {
	if err := dropCopies(ctx, tx, n.ID); err != nil {
		return err
	}
	n.Status, n.SendDate = Ready, ""
	n.UpdatedAt, n.UpdatedBy = s.after(n), a.Person.UserName
	if err := update(ctx, tx, n); err != nil {
		return err
	}
	return s.note(ctx, tx, "notification-unpublish", n.ID, "")
}

// Recall takes the copies of a notification back, which is un-published by it
// if it was sent. It is safe to repeat.
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

// Delete removes a notification that is not sent.
func (s *Service) Delete(ctx context.Context, a access.Actor, id int64) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		n, err := s.lockNotification(ctx, tx, id)
		if err == nil && n.Status == Sent {
			err = problem.Say(problem.Conflict, sayUnpublish)
		}
		if err != nil {
			return err
		}
		if err := remove(ctx, tx, id); err != nil {
			return err
		}
		return s.note(ctx, tx, "notification-delete", id, string(n.Status))
	})
}

// Of lists the notifications a user was sent, the newest first: for the acting
// user alone, with one more than mostCopies where there are more.
func (s *Service) Of(ctx context.Context, userID int64) ([]Copy, error) {
	return copiesOf(ctx, s.db.Reader, userID, mostCopies+1)
}

// SentTo lists the notifications that some users got: the newest first, at most so many.
func (s *Service) SentTo(ctx context.Context, users []int64, limit int) ([]Addressed, error) {
	return sentTo(ctx, s.db.Reader, users, limit)
}

// Drafts counts the notifications that were not finished.
func (s *Service) Drafts(ctx context.Context) (paging.Backlog, error) {
	return drafts(ctx, s.db.Reader)
}

// View marks a notification of the acting user as viewed, or all where the id
// is 0. It is safe to repeat.
func (s *Service) View(ctx context.Context, a access.Actor, id int64) error {
	var marked int64
	err := s.db.Tx(ctx, func(tx *sql.Tx) error {
		var err error
		if marked, err = noteViewed(ctx, tx, a.Acting().ID, id, db.At(s.now())); err != nil || marked == 0 {
			return err
		}
		detail := "all"
		if id != 0 {
			detail = strconv.FormatInt(id, 10)
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "notification-view", Subject: a.Person.UserName, Result: "ok", Detail: detail})
	})
	if err == nil && marked > 0 {
		s.events.Publish(ctx, s.news(a.Acting().ID)) // other browsers of the same person
	}
	return err
}

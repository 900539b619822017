// Package accessreview asks the administrators of each provider group once a quarter to confirm
// who can see the group's bills.
package accessreview

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
)

// Review asks a group which users keep access.
type Review struct {
	ID         int64 `db:"id"`
	GroupID    int64 `db:"group_id"`
	DueOn      date.Date
	OpenedAt   db.Instant
	Reminded   int
	FinishedAt db.Instant // zero: still open
	FinishedBy string     // username
}

// Person is a user in a review.
type Person struct {
	ID           int64 `db:"id"`
	UserName     string
	FirstName    string
	LastName     string
	TypeCd       access.Type
	StatusCd     string
	LastSignInAt db.Instant
	TINs         int `db:"tins"`
	Opened       int // bills in 90 days
	KeptAt       db.Instant
	KeptBy       string
	Version      int64 // of the answer; 0: not answered
}

// The outcomes of a review for a person. Unanswered is possible only while it is open.
const (
	Unanswered = ""
	Kept       = "KEPT"
	Ended      = "ENDED"
)

// Outcome returns the result for the person's access.
func (p Person) Outcome() string {
	switch {
	case p.StatusCd == terminated:
		return Ended
	case p.KeptAt.IsZero():
		return Unanswered
	default:
		return Kept
	}
}

// Name returns the person's full name.
func (p Person) Name() string { return text.Clean(p.FirstName + " " + p.LastName) }

// Current is a group's review status.
type Current struct {
	Reviews    []Review // newest first, at most maxReviews
	People     int      // users with access, in the open review
	Unanswered int
	CountedTo  date.Date // last day with counted bills; empty: none yet
}

const (
	maxReviews = 40 // ten years
	openedDays = 90
	terminated = "TERM"
)

// Administration ends accounts.
type Administration interface {
	// EndUnreviewed terminates a provider user's account if isDue, called in the same transaction, is true
	// and the group is active.
	EndUnreviewed(ctx context.Context, userID int64, isDue func(tx *sql.Tx) (bool, error)) error
}

// Service manages the reviews.
type Service struct {
	db             *db.DB
	users          *users.Service
	administration Administration
	mails          *mail.Outbox
	audit          *audit.Log
	now            func() time.Time // in the business time zone
	settings       Settings
	openings       []string // audit log operations for opening a bill
	brand          string
	url            string // of the portal, used in links
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Users          *users.Service
	Administration Administration
	Openings       []string // audit operations that open a bill
}

// NewService creates the service.
func NewService(d Deps, settings Settings) *Service {
	platform.Require(d)
	return &Service{db: d.DB, users: d.Users, administration: d.Administration, mails: d.Mail, audit: d.Audit, now: d.LocalTime,
		settings: settings, openings: d.Openings, brand: d.Brand.BrandName, url: d.PublicURL}
}

// Emails returns the reminder of a review.
func (s *Service) Emails() []mail.Email {
	return []mail.Email{{Kind: mailReminder, Compose: s.reminderEmail}}
}

func (s *Service) today() date.Date { return date.Of(s.now()) }

func findOpen(list []Review) (Review, bool) {
	i := slices.IndexFunc(list, func(r Review) bool { return r.FinishedAt.IsZero() })
	if i < 0 {
		return Review{}, false
	}
	return list[i], true
}

// Current returns the reviews of the actor's group.
func (s *Service) Current(ctx context.Context, a access.Actor) (c Current, err error) {
	group := a.Acting().GroupID
	if c.Reviews, err = listReviews(ctx, s.db.Reader, group, maxReviews); err != nil {
		return c, err
	}
	if open, is := findOpen(c.Reviews); is {
		if c.People, c.Unanswered, err = counts(ctx, s.db.Reader, open); err != nil {
			return c, err
		}
	}
	c.CountedTo, err = lastCounted(ctx, s.db.Reader, s.today().AddDays(-openedDays))
	return c, err
}

// Page returns a page of the people in the group's open review, or none if no review is open.
// The default order is by first name.
func (s *Service) Page(ctx context.Context, a access.Actor, t paging.Table) ([]Person, int, error) {
	r, err := openReview(ctx, s.db.Reader, a.Acting().GroupID)
	if errors.Is(err, db.ErrNotFound) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	return peoplePage(ctx, s.db.Reader, s.db.Dialect, r, t)
}

// Answer records that a person in the group's open review keeps access, or undoes that. The
// version is that of the answer the actor saw. It returns Conflict if the answer changed since
// or the person no longer has access.
func (s *Service) Answer(ctx context.Context, a access.Actor, userID int64, kept bool, version int64) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		r, err := lockOpen(ctx, tx, s.db.Dialect, a.Acting().GroupID)
		if err != nil {
			return db.IfNotFound(err, problem.New(problem.NotFound))
		}
		p, err := getPerson(ctx, tx, r, userID)
		if err != nil {
			return db.IfNotFound(err, access.Refuse(fmt.Sprintf("user %d", userID)))
		}
		if p.StatusCd == terminated {
			return problem.WithMessage(problem.Conflict, p.Name()+" no longer has access, so there's nothing to confirm.")
		}
		p.KeptBy, p.KeptAt, p.Version = a.Person.UserName, db.At(s.now()), version
		operation := audit.Operation("access-keep")
		if !kept {
			p.KeptBy, p.KeptAt, operation = "", db.Instant{}, "access-unkeep"
		}
		n, err := answer(ctx, tx, r.ID, p)
		if err == nil && n == 0 {
			err = problem.WithMessage(problem.Conflict, "Someone else already reviewed this user. Reload the list.")
		}
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: p.UserName, Result: "ok", Detail: formatSubject(r.ID)})
	})
}

// Conversions are an administrator's conversions of users, which count as decisions in reviews.
type Conversions struct {
	audit *audit.Log
	now   func() time.Time
}

// NewConversions creates the conversions.
func NewConversions(kit platform.Kit) Conversions { return Conversions{kit.Audit, kit.Clock} }

// KeepConverted records that a user in the group's open review keeps access, unless someone already decided.
// It locks no review, because the job that ends accounts locks reviews before users.
func (c Conversions) KeepConverted(ctx context.Context, tx *sql.Tx, u users.User, by string) error {
	review, err := keep(ctx, tx, u.GroupID, Person{ID: u.ID, KeptAt: db.At(c.now()), KeptBy: by})
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return c.audit.Record(ctx, tx, audit.Entry{Operation: "access-keep", Subject: u.UserName, Result: "ok",
		Detail: formatSubject(review)})
}

func formatSubject(id int64) string { return "access review " + strconv.FormatInt(id, 10) }

// Finish closes the group's open review. The actor signs by typing their own full name. It
// returns Conflict if anyone is unanswered or the review is already closed.
func (s *Service) Finish(ctx context.Context, a access.Actor, id int64, typed string) error {
	name, err := s.users.GetName(ctx, a.Person.ID)
	if err != nil {
		return err
	}
	var wrong validate.Fields
	wrong.Require(text.Key(text.Clean(typed)) == text.Key(text.Clean(name)), "name", "Enter your own first and last name: "+name+".")
	if err := wrong.Refuse("The review isn't completed."); err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		r, err := lockReview(ctx, tx, s.db.Dialect, id)
		if errors.Is(err, db.ErrNotFound) || err == nil && r.GroupID != a.Acting().GroupID {
			return access.Refuse(formatSubject(id))
		}
		if err != nil {
			return err
		}
		if !r.FinishedAt.IsZero() {
			return problem.WithMessage(problem.Conflict, "The review was already completed by "+r.FinishedBy+".")
		}
		list, err := listPeople(ctx, tx, r)
		if err != nil {
			return err
		}
		for _, p := range list {
			if p.Outcome() == Unanswered {
				return problem.WithMessage(problem.Conflict, p.Name()+" isn't reviewed yet. Keep or remove access for all users first.")
			}
			if err := writeDown(ctx, tx, r.ID, p); err != nil {
				return err
			}
		}
		if err := finish(ctx, tx, r.ID, db.At(s.now()), a.Person.UserName); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{
			Operation: "access-review-finish", Subject: formatSubject(r.ID), Groups: []int64{r.GroupID}, Result: "ok",
			Detail: fmt.Sprintf("%s, due %s", text.FormatCount(len(list), "person", "people"), r.DueOn),
		})
	})
}

// ListOverdue returns a page of the groups with overdue reviews, longest overdue first.
func (s *Service) ListOverdue(ctx context.Context, t paging.Table) ([]GroupBehind, int, error) {
	return behindPage(ctx, s.db.Reader, s.db.Dialect, s.today(), t)
}

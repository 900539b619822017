// Package feeds manages imports. It knows the sources of files and their schedules, lists
// received files with the problems found in them, and alerts owners about late files.
package feeds

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/date"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/paging"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/text"
	"wcpp/internal/platform/validate"
	"wcpp/internal/platform/version"
)

// Service manages sources and their files.
type Service struct {
	db       *db.DB
	importer *ingest.Importer
	folder   *ingest.Watch // nil: no watched folder
	mails    *mail.Outbox
	audit    *audit.Log
	zone     *time.Location
	now      func() time.Time
	url      string
	settings Settings
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Importer *ingest.Importer
	Folder   *ingest.Watch `optional:"true"` // without it, files can't be uploaded
}

// NewService creates the service.
func NewService(d Deps, settings Settings) *Service {
	platform.Require(d)
	return &Service{db: d.DB, importer: d.Importer, folder: d.Folder, mails: d.Mail, audit: d.Audit, zone: d.Zone, now: d.LocalTime,
		url: d.PublicURL, settings: settings}
}

// Source is a sender of files of one kind.
type Source struct {
	ID           int64
	Name         string
	Kind         string // kind of import
	Pattern      string // file name pattern (path.Match, case-insensitive); empty: all files of the kind
	Expected     string `db:"expected_cron"` // five cron fields in business time; empty: no schedule
	GraceMinutes int
	OwnerMail    string // recipient of late-file alerts; empty: none
	ExpectedFrom db.Instant
	AlertedFor   db.Instant // expected time of the late file that was already reported
}

// Listed is a source with its status.
type Listed struct {
	Source
	LastAt db.Instant // zero: never
	Status
}

const (
	maxSources = 200
	maxName    = 80
	maxPattern = 120
	maxCron    = 60
	maxGrace   = 7 * 24 * 60
)

// NewSourceFinder returns a function that finds the source of a file, or 0. If several patterns match
// its name, the longest wins.
func NewSourceFinder(d *db.DB) func(ctx context.Context, kind, name string) (int64, error) {
	return func(ctx context.Context, kind, name string) (int64, error) {
		return findSource(ctx, d.Reader, kind, name)
	}
}

func findSource(ctx context.Context, q db.Queryer, kind, name string) (int64, error) {
	list, err := sources(ctx, q)
	var found Source
	for _, x := range list {
		matches, _ := path.Match(strings.ToLower(x.Pattern), strings.ToLower(name)) // patterns were validated
		if x.Kind == kind && (matches || x.Pattern == "") && (found.ID == 0 || len(x.Pattern) > len(found.Pattern)) {
			found = x
		}
	}
	return found.ID, err
}

// Sources lists the sources by name, with their status.
func (s *Service) Sources(ctx context.Context) ([]Listed, error) {
	list, err := sources(ctx, s.db.Reader)
	listed := make([]Listed, len(list))
	for i, x := range list {
		if listed[i], err = s.withStatus(ctx, s.db.Reader, x); err != nil {
			return nil, err
		}
	}
	return listed, err
}

// CountOverdue counts the late sources and returns the earliest time.
func (s *Service) CountOverdue(ctx context.Context) (b paging.Backlog, err error) {
	list, err := s.Sources(ctx)
	for _, l := range list {
		if l.LateFrom.IsZero() {
			continue
		}
		if b.Count++; b.Since.IsZero() || l.LateFrom.Before(b.Since.Time) {
			b.Since = db.At(l.LateFrom)
		}
	}
	return b, err
}

func (s *Service) withStatus(ctx context.Context, q db.Queryer, x Source) (Listed, error) {
	last, err := s.importer.LastOfSource(ctx, q, x.ID)
	l := Listed{x, last, Status{Light: Unscheduled}}
	if err != nil || x.Expected == "" {
		return l, err
	}
	e, err := parseExpectation(x.Expected, s.zone)
	if err != nil {
		return l, fmt.Errorf("source %d: %w", x.ID, err)
	}
	l.Status = e.status(s.now(), x.ExpectedFrom.Time, last.Time, time.Duration(x.GraceMinutes)*time.Minute)
	return l, nil
}

// Add adds a source.
func (s *Service) Add(ctx context.Context, x Source) (Listed, error) {
	x.ID, x.AlertedFor = 0, db.Instant{}
	return s.save(ctx, x, "", "feed-source-add")
}

// Save updates a source if the version matches the one that was read, when known. It returns
// problem.NotFound if there is none.
func (s *Service) Save(ctx context.Context, x Source, read string) (Listed, error) {
	return s.save(ctx, x, read, "feed-source-change")
}

func (s *Service) save(ctx context.Context, x Source, read string, operation audit.Operation) (l Listed, err error) {
	if err := s.check(&x); err != nil {
		return l, err
	}
	err = s.db.Tx(ctx, func(tx *sql.Tx) error {
		x.ExpectedFrom = db.At(s.now())
		var before Source
		if x.ID != 0 {
			if before, err = lockSource(ctx, tx, s.db.Dialect, x.ID); errors.Is(err, db.ErrNotFound) {
				return problem.New(problem.NotFound)
			}
			if err != nil {
				return err
			}
			if err := version.Check(read, before.editable(), x.editable()); err != nil {
				return err
			}
			if before.Expected == x.Expected {
				x.ExpectedFrom, x.AlertedFor = before.ExpectedFrom, before.AlertedFor
			}
			err = saveSource(ctx, tx, x)
		} else {
			var n int
			if n, err = countSources(ctx, tx); err == nil && n >= maxSources {
				return problem.WithMessage(problem.Conflict, fmt.Sprintf("You already have %d sources, the maximum. Delete one first.",
					maxSources))
			}
			if err == nil {
				x.ID, err = addSource(ctx, tx, x)
			}
		}
		if db.IsUnique(err) {
			const taken = "Another source already has this name"
			return validate.RefuseField(validate.MarkedFields, "name", taken)
		}
		if err != nil {
			return err
		}
		if l, err = s.withStatus(ctx, tx, x); err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: x.subject(), Result: "ok",
			Detail: listChanges(before, x)})
	})
	return l, err
}

// subject identifies the source in the audit log.
func (x Source) subject() string { return fmt.Sprintf("feed source %d %s", x.ID, x.Name) }

// editable returns the fields of the source form.
func (x Source) editable() version.Fields {
	return version.Fields{
		{Name: "name", Value: x.Name}, {Name: "kind", Value: x.Kind}, {Name: "pattern", Value: x.Pattern},
		{Name: "expected", Value: x.Expected},
		{Name: "graceMinutes", Value: strconv.Itoa(x.GraceMinutes)}, {Name: "ownerMail", Value: x.OwnerMail},
	}
}

// listChanges lists a source's changed fields.
func listChanges(before, after Source) string {
	var parts []string
	is := after.editable()
	for i, was := range before.editable() {
		if was.Value != is[i].Value {
			parts = append(parts, fmt.Sprintf("%s %q to %q", was.Name, was.Value, is[i].Value))
		}
	}
	return strings.Join(parts, ", ")
}

func (s *Service) check(x *Source) error {
	x.Name, x.Pattern, x.Expected, x.OwnerMail = text.Clean(x.Name), text.Clean(x.Pattern), text.Clean(x.Expected), text.Clean(x.OwnerMail)
	var wrong validate.Fields
	if wrong.Limit(x.Name, maxName, "name") {
		wrong.Require(x.Name != "", "name", "Enter a name")
	}
	wrong.Require(slices.Contains(s.importer.Kinds(), x.Kind), "kind", "Select a kind")
	if wrong.Limit(x.Pattern, maxPattern, "pattern") {
		_, err := path.Match(x.Pattern, "")
		wrong.Require(err == nil, "pattern", "Enter a pattern such as north-*.835, with * for any characters and ? for one")
	}
	if wrong.Limit(x.Expected, maxCron, "expected") && x.Expected != "" {
		if _, err := parseExpectation(x.Expected, s.zone); err != nil {
			wrong.Require(false, "expected", err.Error())
		}
	}
	wrong.Require(x.GraceMinutes >= 0 && x.GraceMinutes <= maxGrace, "graceMinutes",
		fmt.Sprintf("Enter minutes between 0 and %d", maxGrace))
	if wrong.Limit(x.OwnerMail, validate.MaxEmail, "ownerMail") {
		wrong.Require(x.OwnerMail == "" || validate.Email(x.OwnerMail), "ownerMail", "Enter an email address")
	}
	return wrong.Refuse(validate.MarkedFields)
}

// Delete removes a source. Its files stay, without a source.
func (s *Service) Delete(ctx context.Context, id int64) error {
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		x, err := sourceByID(ctx, tx, id)
		if errors.Is(err, db.ErrNotFound) {
			return problem.New(problem.NotFound)
		}
		if err == nil {
			err = s.importer.ForgetSource(ctx, tx, id)
		}
		if err == nil {
			err = deleteSource(ctx, tx, id)
		}
		if err != nil {
			return err
		}
		return s.audit.Record(ctx, tx, audit.Entry{Operation: "feed-source-delete", Subject: x.subject(), Result: "ok"})
	})
}

// File returns a received file and the problems found in it.
func (s *Service) File(ctx context.Context, id int64) (ingest.Arrival, []ingest.Problem, error) {
	f, err := s.importer.FileByID(ctx, id)
	if err != nil {
		return f, nil, db.IfNotFound(err, problem.New(problem.NotFound))
	}
	found, err := s.importer.ListProblems(ctx, id)
	return f, found, err
}

// CanUpload reports whether there is a folder for uploaded files.
func (s *Service) CanUpload() bool { return s.folder != nil }

const noFolder = "Uploads need a watched folder. Set WCPP_FEED_URL and restart the portal."

// Upload imports or validates an uploaded file, as if it came from the watched folder.
func (s *Service) Upload(ctx context.Context, a access.Actor, name string, checkOnly bool, content io.Reader) (ingest.Arrival, error) {
	if s.folder == nil {
		return ingest.Arrival{}, problem.WithMessage(problem.Conflict, noFolder)
	}
	operation := audit.Operation("feed-take")
	if checkOnly {
		operation = "feed-check"
	}
	f, err := s.folder.Upload(ctx, ingest.Upload{Name: name, By: a.Person.UserName, CheckOnly: checkOnly}, content, s.auditFile(operation))
	return f, s.explainRefusal(err)
}

// Reimport re-imports a file.
func (s *Service) Reimport(ctx context.Context, a access.Actor, id int64) (ingest.Arrival, error) {
	was, err := s.importer.FileByID(ctx, id)
	if err != nil {
		return was, db.IfNotFound(err, problem.New(problem.NotFound))
	}
	if s.folder == nil {
		return was, problem.WithMessage(problem.Conflict, noFolder)
	}
	f, err := s.folder.Reimport(ctx, was, a.Person.UserName, s.auditFile("feed-take-again"))
	return f, s.explainRefusal(err)
}

// auditFile audits that someone had a file imported or validated.
func (s *Service) auditFile(operation audit.Operation) func(context.Context, *sql.Tx, ingest.Arrival) error {
	return func(ctx context.Context, tx *sql.Tx, f ingest.Arrival) error {
		return s.audit.Record(ctx, tx, audit.Entry{Operation: operation, Subject: fmt.Sprintf("feed file %d %s", f.ID, f.Name),
			Result: "ok", Detail: f.SHA256})
	}
}

// explainRefusal explains why a file can't be imported.
func (s *Service) explainRefusal(err error) error {
	var unwanted ingest.RefusedError
	var before ingest.AlreadyImported
	switch {
	case errors.As(err, &unwanted):
		return validate.RefuseField("The file can't be read: "+unwanted.Reason+".", "file", unwanted.Reason)
	case errors.As(err, &before):
		return problem.WithMessage(problem.Conflict,
			fmt.Sprintf("This content was already imported on %s. To import it again, open that file in the list and select Re-import.",
				date.FormatTime(before.At.Time, s.zone)))
	case errors.Is(err, ingest.ErrUnderWay):
		return problem.WithMessage(problem.Conflict, "This content is being imported now. Wait until it's finished.")
	case errors.Is(err, ingest.ErrGone):
		return problem.WithMessage(problem.Conflict, "This file is no longer stored, or was only validated. Upload it again.")
	}
	return err
}

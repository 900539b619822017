// Package rosters owns the systems that rosters come from, their assignment to roster groups,
// and the rosters that groups send.
package rosters

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/spool"
	"wcpp/internal/platform/text"
)

// Source is a roster hub source, a system that rosters come from.
type Source struct {
	SourceID int64
	Name     string
}

// SourceGroup is a provider group of a source.
type SourceGroup struct {
	SourceGroupID int64
	SourceID      int64
	GroupID       string // the source's own group id
	Name          string
	IsAdmin       bool
}

// Service manages rosters and their sources.
type Service struct {
	db       *db.DB
	users    *users.Service
	files    blob.Store
	uploads  *spool.Checker
	audit    *audit.Log
	log      *slog.Logger
	now      func() time.Time
	settings Settings

	// For processing by the network. Without it, only the sending group sees a roster.
	receives  bool
	out       blob.Store // nil: rosters aren't handed over
	directory Directory  // nil: rosters don't update it
	mails     *mail.Outbox
	jobs      jobs.Queue
	portal    string // its URL
	// ofPerson and ofGroup limit how many rosters can be sent.
	ofPerson, ofGroup *ratelimit.Limiter
}

// Deps are what the service needs.
type Deps struct {
	platform.Kit
	Users     *users.Service
	Directory Directory
	Out       blob.Store `optional:"true"` // without it, rosters aren't handed over
}

// NewService creates the service. If receives is set, the network processes the rosters.
// Otherwise, only the sending group sees them.
func NewService(d Deps, settings Settings, receives bool) *Service {
	platform.Require(d)
	s := &Service{db: d.DB, users: d.Users, files: d.Files, uploads: d.Uploads, audit: d.Audit, log: d.Log, now: d.LocalTime,
		settings: settings, receives: receives, out: d.Out, mails: d.Mail, jobs: d.Jobs, portal: d.PublicURL,
		ofPerson: ratelimit.Hourly(settings.RosterUploads), ofGroup: ratelimit.Hourly(settings.GroupUploads)}
	if settings.RosterUpdates {
		s.directory = d.Directory
	}
	return s
}

// Sources lists all sources by name.
func (s *Service) Sources(ctx context.Context) ([]Source, error) { return allSources(ctx, s.db.Reader) }

// SourceGroups lists the provider groups of all sources by name.
func (s *Service) SourceGroups(ctx context.Context) ([]SourceGroup, error) {
	return allSourceGroups(ctx, s.db.Reader)
}

// ListSources lists the sources of a portal user group by name.
func (s *Service) ListSources(ctx context.Context, a access.Actor, groupID int64) ([]Source, error) {
	if err := checkVisible(a, groupID); err != nil {
		return nil, err
	}
	return listSources(ctx, s.db.Reader, groupID)
}

// ListSourceGroups lists the provider groups of a portal user group's sources, by name.
func (s *Service) ListSourceGroups(ctx context.Context, a access.Actor, groupID int64) ([]SourceGroup, error) {
	if err := checkVisible(a, groupID); err != nil {
		return nil, err
	}
	return listSourceGroups(ctx, s.db.Reader, groupID)
}

// checkVisible reports a group out of reach as missing.
func checkVisible(a access.Actor, groupID int64) error {
	if a.Reach().SeesGroup(groupID) {
		return nil
	}
	return access.RefuseGroup(groupID)
}

// The audit operations of changes to a group's sources.
const (
	sourceAdd    audit.Operation = "roster-source-add"
	sourceRemove audit.Operation = "roster-source-remove"
)

// AddSource adds a source to a roster group. If another group has it or sent rosters for it, only an
// actor who manages both groups can add it, because it opens those rosters.
func (s *Service) AddSource(ctx context.Context, a access.Actor, groupID, sourceID int64) error {
	return s.change(ctx, a, groupID, sourceID, sourceAdd, func(tx *sql.Tx, group access.GroupGrant, source Source) error {
		if !a.Reach().SharesSources() {
			if err := checkOtherUse(ctx, tx, groupID, sourceID); err != nil {
				return err
			}
		}
		n, err := insertGroupSource(ctx, tx, group, sourceID, db.At(s.now()))
		if err == nil && n == 0 {
			err = problem.WithMessage(problem.Conflict,
				fmt.Sprintf(`Error: The Roster Hub Source "%s" is already associated with this Portal User Group.`, source.Name))
		}
		return err
	})
}

// checkOtherUse refuses a source that another group has or sent rosters for.
func checkOtherUse(ctx context.Context, tx *sql.Tx, groupID, sourceID int64) error {
	use, err := findOtherUse(ctx, tx, sourceID, groupID)
	var why string
	switch {
	case err != nil:
		return err
	case use.Has:
		why = "Another group already has this Roster Hub Source. Ask a system administrator to add it to yours."
	case use.Sent:
		why = "Another group sent rosters for this source. Ask a system administrator to add it."
	default:
		return nil
	}
	return problem.WithMessage(problem.Forbidden, why).WithCause(&access.OutOfReach{Subject: fmt.Sprintf("source %d", sourceID)})
}

// RemoveSource removes a source from a roster group. It accepts one that is already gone.
func (s *Service) RemoveSource(ctx context.Context, a access.Actor, groupID, sourceID int64) error {
	return s.change(ctx, a, groupID, sourceID, sourceRemove, func(tx *sql.Tx, group access.GroupGrant, _ Source) error {
		_, err := deleteGroupSource(ctx, tx, group, sourceID)
		return err
	})
}

func (s *Service) change(ctx context.Context, a access.Actor, groupID, sourceID int64, operation audit.Operation,
	do func(*sql.Tx, access.GroupGrant, Source) error) error {
	grant, err := a.Reach().ManageGroup(groupID)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		group, err := s.users.LockGroup(ctx, tx, groupID)
		if err != nil {
			return err
		}
		if group.Kind != users.RosterGroup {
			return problem.WithMessage(problem.Conflict, "Only roster groups can have roster hub sources.")
		}
		// Serializes changes of groups with the same source.
		source, err := lockSource(ctx, tx, s.db.Dialect, sourceID)
		if errors.Is(err, db.ErrNotFound) {
			err = problem.WithMessage(problem.NotFound, "Error: The source was not found.")
		}
		if err != nil {
			return err
		}
		if err := do(tx, grant, source); err != nil {
			return err
		}
		return s.auditChange(ctx, tx, operation, groupID, sourceID)
	})
}

func (s *Service) auditChange(ctx context.Context, tx *sql.Tx, operation audit.Operation, groupID, sourceID int64) error {
	return s.audit.Record(ctx, tx, audit.Entry{
		Operation: operation, Subject: fmt.Sprintf("group %d", groupID), Result: "ok", Detail: fmt.Sprintf("source %d", sourceID),
	})
}

// AddSources adds sources to a group in the caller's transaction. It doesn't audit those that the group has.
func (s *Service) AddSources(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceIDs []int64) error {
	for _, id := range sourceIDs {
		n, err := insertGroupSource(ctx, tx, group, id, db.At(s.now()))
		if err == nil && n > 0 {
			err = s.auditChange(ctx, tx, sourceAdd, group.ID(), id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// RemoveSources removes sources from a group in the caller's transaction. It doesn't audit missing ones.
func (s *Service) RemoveSources(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceIDs []int64) error {
	for _, id := range sourceIDs {
		n, err := deleteGroupSource(ctx, tx, group, id)
		if err == nil && n > 0 {
			err = s.auditChange(ctx, tx, sourceRemove, group.ID(), id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// AllExist reports whether all the sources exist.
func (s *Service) AllExist(ctx context.Context, sourceIDs []int64) (bool, error) {
	if len(sourceIDs) == 0 {
		return true, nil
	}
	found, err := sourcesByID(ctx, s.db.Reader, sourceIDs)
	return len(found) == len(sourceIDs), err
}

// GroupsWithSource lists the portal user groups with a source.
func (s *Service) GroupsWithSource(ctx context.Context, sourceID int64) ([]int64, error) {
	return groupsWithSource(ctx, s.db.Reader, sourceID)
}

// GroupsWithSourceGroup lists the portal user groups whose sources have a provider group. The
// argument is the group's own id, ignoring case, or the hub's id.
func (s *Service) GroupsWithSourceGroup(ctx context.Context, groupID string) ([]int64, error) {
	number, err := strconv.ParseInt(groupID, 10, 64)
	if err != nil {
		number = 0
	}
	return groupsWithSourceGroup(ctx, s.db.Reader, text.Key(groupID), number)
}

// ListSourcesByGroup lists each group's sources by name.
func (s *Service) ListSourcesByGroup(ctx context.Context, groupIDs []int64) (map[int64][]Source, error) {
	return sourcesOfGroups(ctx, s.db.Reader, groupIDs)
}

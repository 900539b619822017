// Package rosters keeps the systems from which rosters come, which of them a
// roster group has, and the rosters that groups send.
package rosters

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"wcpp/internal/access"
	"wcpp/internal/platform/audit"
	"wcpp/internal/platform/blob"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/jobs"
	"wcpp/internal/platform/mail"
	"wcpp/internal/platform/problem"
	"wcpp/internal/platform/ratelimit"
	"wcpp/internal/platform/text"
)

// Source is a roster hub source: a system from which rosters come.
type Source struct {
	SourceID int64
	Name     string
}

// SourceGroup is a provider group that a source keeps.
type SourceGroup struct {
	SourceGroupID int64
	SourceID      int64
	GroupID       string // the source's own id of the group
	Name          string
	IsAdmin       bool
}

// Groups are the portal user groups, as this area needs them.
type Groups interface {
	// LockGroup locks a group and answers its kind: PROVIDER, NONNETWORK or ROSTER.
	LockGroup(ctx context.Context, tx *sql.Tx, groupID int64) (kind string, err error)
	// Mailbox is the address of a user who may sign in; empty where there is none.
	Mailbox(ctx context.Context, tx *sql.Tx, userName string) (string, error)
}

// Service is the rosters area.
type Service struct {
	db       *db.DB
	groups   Groups
	files    blob.Store
	audit    *audit.Log
	log      *slog.Logger
	now      func() time.Time
	settings Settings
	keepDays int // of rosters that were sent

	// Of the hand-over to the network; without it rosters stay with those who sent them.
	receives  bool
	out       blob.Store // nil: they stay in the portal
	directory Directory  // nil: they do not update it
	mails     *mail.Outbox
	jobs      jobs.Queue
	portal    string // its address
	// ofPerson and ofGroup limit the rosters that are sent.
	ofPerson, ofGroup *ratelimit.Limiter
}

// NewService makes the area.
func NewService(d *db.DB, groups Groups, files blob.Store, log *audit.Log, logger *slog.Logger, now func() time.Time, settings Settings) *Service {
	return &Service{db: d, groups: groups, files: files, audit: log, log: logger, now: now, settings: settings, ofPerson: ratelimit.Hourly(settings.RosterUploads), ofGroup: ratelimit.Hourly(settings.GroupUploads)}
}

// Sources lists all sources by name.
func (s *Service) Sources(ctx context.Context) ([]Source, error) { return allSources(ctx, s.db.Reader) }

// SourceGroups lists the provider groups of all sources by name.
func (s *Service) SourceGroups(ctx context.Context) ([]SourceGroup, error) {
	return allSourceGroups(ctx, s.db.Reader)
}

// SourcesOf lists the sources of a portal user group by name.
func (s *Service) SourcesOf(ctx context.Context, a access.Actor, groupID int64) ([]Source, error) {
	if err := sees(a, groupID); err != nil {
		return nil, err
	}
	return sourcesOf(ctx, s.db.Reader, groupID)
}

// SourceGroupsOf lists the provider groups of the sources of a portal user
// group by name.
func (s *Service) SourceGroupsOf(ctx context.Context, a access.Actor, groupID int64) ([]SourceGroup, error) {
	if err := sees(a, groupID); err != nil {
		return nil, err
	}
	return sourceGroupsOf(ctx, s.db.Reader, groupID)
}

// sees refuses groups out of reach as what does not exist.
func sees(a access.Actor, groupID int64) error {
	if a.Reach().SeesGroup(groupID) {
		return nil
	}
	return access.RefuseGroup(groupID)
}

// AddSource gives a roster group a source; one that another group has is given by
// those alone who answer for both.
func (s *Service) AddSource(ctx context.Context, a access.Actor, groupID, sourceID int64) error {
	return s.change(ctx, a, groupID, sourceID, "roster-source-add", func(tx *sql.Tx, group access.GroupGrant, source Source) error {
		if !a.Reach().SharesSources() {
			holders, err := groupsWithSource(ctx, tx, sourceID)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(holders, func(id int64) bool { return id != groupID }) {
				return problem.Say(problem.Forbidden, "Another group already has this Roster Hub Source. Ask a system administrator to add it to yours.")
			}
		}
		n, err := insertGroupSource(ctx, tx, group, sourceID, db.At(s.now()))
		if err == nil && n == 0 {
			err = problem.Say(problem.Conflict, fmt.Sprintf(`Error: The Roster Hub Source "%s" is already associated with this Portal User Group.`, source.Name))
		}
		return err
	})
}

// RemoveSource takes a source from a roster group. One that it does not have is
// no error: somebody else was faster.
func (s *Service) RemoveSource(ctx context.Context, a access.Actor, groupID, sourceID int64) error {
	return s.change(ctx, a, groupID, sourceID, "roster-source-remove", func(tx *sql.Tx, group access.GroupGrant, _ Source) error {
		return deleteGroupSource(ctx, tx, group, sourceID)
	})
}

func (s *Service) change(ctx context.Context, a access.Actor, groupID, sourceID int64, operation audit.Operation, do func(*sql.Tx, access.GroupGrant, Source) error) error {
	grant, err := a.Reach().ManageGroup(groupID)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *sql.Tx) error {
		kind, err := s.groups.LockGroup(ctx, tx, groupID)
		if err != nil {
			return err
		}
		if kind != "ROSTER" {
			return problem.Say(problem.Conflict, "Only roster groups can have roster hub sources.")
		}
		// Groups that take the same source wait for each other.
		source, err := lockSource(ctx, tx, s.db.Dialect, sourceID)
		if errors.Is(err, db.ErrNotFound) {
			err = problem.Say(problem.NotFound, "Error: The source was not found.")
		}
		if err != nil {
			return err
		}
		if err := do(tx, grant, source); err != nil {
			return err
		}
		return s.changed(ctx, tx, operation, groupID, sourceID)
	})
}

func (s *Service) changed(ctx context.Context, tx *sql.Tx, operation audit.Operation, groupID, sourceID int64) error {
	return s.audit.Record(ctx, tx, audit.Entry{
		Operation: operation, Subject: fmt.Sprintf("group %d", groupID), Result: "ok", Detail: fmt.Sprintf("source %d", sourceID),
	})
}

// GiveIn gives a group that is being made its sources, in the caller's
// transaction.
func (s *Service) GiveIn(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceIDs []int64) error {
	for _, id := range sourceIDs {
		if _, err := insertGroupSource(ctx, tx, group, id, db.At(s.now())); err != nil {
			return err
		}
	}
	return nil
}

// TakeIn takes sources from a group, in the caller's transaction.
func (s *Service) TakeIn(ctx context.Context, tx *sql.Tx, group access.GroupGrant, sourceIDs []int64) error {
	for _, id := range sourceIDs {
		if err := deleteGroupSource(ctx, tx, group, id); err != nil {
			return err
		}
		if err := s.changed(ctx, tx, "roster-source-remove", group.ID(), id); err != nil {
			return err
		}
	}
	return nil
}

// Known tells whether all the sources exist.
func (s *Service) Known(ctx context.Context, sourceIDs []int64) (bool, error) {
	if len(sourceIDs) == 0 {
		return true, nil
	}
	found, err := sourcesByID(ctx, s.db.Reader, sourceIDs)
	return len(found) == len(sourceIDs), err
}

// GroupsWithSource lists the portal user groups that have a source.
func (s *Service) GroupsWithSource(ctx context.Context, sourceID int64) ([]int64, error) {
	return groupsWithSource(ctx, s.db.Reader, sourceID)
}

// GroupsWithSourceGroup lists the portal user groups whose sources keep a
// provider group, by its own id in any case of letters or by the hub's number
// of it.
func (s *Service) GroupsWithSourceGroup(ctx context.Context, groupID string) ([]int64, error) {
	number, err := strconv.ParseInt(groupID, 10, 64)
	if err != nil {
		number = 0
	}
	return groupsWithSourceGroup(ctx, s.db.Reader, text.Key(groupID), number)
}

// SourcesOfGroups lists the sources of each of the groups by name.
func (s *Service) SourcesOfGroups(ctx context.Context, groupIDs []int64) (map[int64][]Source, error) {
	return sourcesOfGroups(ctx, s.db.Reader, groupIDs)
}

package rosters

import (
	"context"
	"database/sql"
	"strconv"

	"wcpp/internal/identity/access"
	"wcpp/internal/identity/users"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/ingest"
	"wcpp/internal/platform/problem"
)

// Feeds returns the tables that can be imported: sources, their provider groups, and the sources
// of portal user groups.
func (s *Service) Feeds() []ingest.Feed {
	return []ingest.Feed{
		ingest.Table("roster_sources", sourceFields, nil, ingest.Each(ImportSource)),
		ingest.Table("roster_source_groups", sourceGroupFields, checkSourceGroup, ingest.Each(ImportSourceGroup)),
		ingest.Table("group_sources", groupSourceFields, nil, ingest.Each(s.ImportGroupSource)),
	}
}

// GroupSource is a source of a portal user group.
type GroupSource struct{ GroupID, SourceID int64 }

var sourceFields = []ingest.Column[Source]{
	ingest.Required("source_id", ingest.Number(func(r *Source) *int64 { return &r.SourceID })),
	ingest.Required("source_name", ingest.Text(func(r *Source) *string { return &r.Name }, 128)),
}

var sourceGroupFields = []ingest.Column[SourceGroup]{
	ingest.Required("source_group_id", ingest.Number(func(g *SourceGroup) *int64 { return &g.SourceGroupID })),
	ingest.Required("source_id", ingest.Number(func(g *SourceGroup) *int64 { return &g.SourceID })),
	ingest.Optional("group_id", ingest.Text(func(g *SourceGroup) *string { return &g.GroupID }, 14)),
	ingest.Optional("group_name", ingest.Text(func(g *SourceGroup) *string { return &g.Name }, 128)),
	ingest.Optional("admin_group", ingest.Flag(func(g *SourceGroup) *bool { return &g.IsAdmin })),
}

// checkSourceGroup uses the hub's id if the group lacks its own id.
func checkSourceGroup(g *SourceGroup) error {
	if g.GroupID == "" {
		g.GroupID = strconv.FormatInt(g.SourceGroupID, 10)
	}
	return nil
}

var groupSourceFields = []ingest.Column[GroupSource]{
	ingest.Required("group_id", ingest.Number(func(g *GroupSource) *int64 { return &g.GroupID })),
	ingest.Required("source_id", ingest.Number(func(g *GroupSource) *int64 { return &g.SourceID })),
}

var noSource = ingest.Rejected("the source doesn't exist: import the roster sources first")

// ImportSource stores a source.
func ImportSource(ctx context.Context, tx *sql.Tx, s Source) (ingest.Outcome, error) {
	return ingest.Stored(putSource(ctx, tx, s))
}

// ImportSourceGroup stores a provider group of a source.
func ImportSourceGroup(ctx context.Context, tx *sql.Tx, g SourceGroup) (ingest.Outcome, error) {
	found, err := sourcesByID(ctx, tx, []int64{g.SourceID})
	if err != nil || len(found) == 0 {
		return noSource, err
	}
	// An upload names a provider group by this ID.
	if taken, err := isOwnIDTaken(ctx, tx, g); err != nil || taken {
		return ingest.Rejected("group_id: another provider group of the source has it. " +
			"Import that group with another group_id first. A blank group_id is the source_group_id"), err
	}
	return ingest.Stored(putSourceGroup(ctx, tx, g))
}

// ImportGroupSource adds a source to a roster group. The feed never removes sources.
func (s *Service) ImportGroupSource(ctx context.Context, tx *sql.Tx, g GroupSource) (ingest.Outcome, error) {
	group, err := s.users.LockGroup(ctx, tx, g.GroupID)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return ingest.Outcome{}, err
	}
	if group.Kind != users.RosterGroup {
		return ingest.Rejected("the roster group doesn't exist: import the groups first"), nil
	}
	found, err := sourcesByID(ctx, tx, []int64{g.SourceID})
	if err != nil || len(found) == 0 {
		return noSource, err
	}
	return ingest.Stored(insertGroupSource(ctx, tx, access.System("feed").Group(g.GroupID), g.SourceID, db.At(s.now())))
}

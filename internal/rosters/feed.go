package rosters

import (
	"context"
	"database/sql"
	"strconv"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/intake"
	"wcpp/internal/platform/problem"
)

// Feeds are tables of sources, of the provider groups that each keeps, and of
// the sources that portal user groups have.
func (s *Service) Feeds() []intake.Feed {
	return []intake.Feed{
		intake.Table("roster_sources", sourceFields, nil, intake.Each(TakeSource)),
		intake.Table("roster_source_groups", sourceGroupFields, checkSourceGroup, intake.Each(TakeSourceGroup)),
		intake.Table("group_sources", groupSourceFields, nil, intake.Each(s.TakeGroupSource)),
	}
}

// GroupSource is a source of a portal user group.
type GroupSource struct{ GroupID, SourceID int64 }

var sourceFields = []intake.Column[Source]{
	intake.Required("source_id", intake.Number(func(r *Source) *int64 { return &r.SourceID })),
	intake.Required("source_name", intake.Text(func(r *Source) *string { return &r.Name }, 128)),
}

var sourceGroupFields = []intake.Column[SourceGroup]{
	intake.Required("source_group_id", intake.Number(func(g *SourceGroup) *int64 { return &g.SourceGroupID })),
	intake.Required("source_id", intake.Number(func(g *SourceGroup) *int64 { return &g.SourceID })),
	intake.Optional("group_id", intake.Text(func(g *SourceGroup) *string { return &g.GroupID }, 14)),
	intake.Optional("group_name", intake.Text(func(g *SourceGroup) *string { return &g.Name }, 128)),
	intake.Optional("admin_group", intake.Flag(func(g *SourceGroup) *bool { return &g.IsAdmin })),
}

// checkSourceGroup gives a group without an id of its own the hub's one.
func checkSourceGroup(g *SourceGroup) error {
	if g.GroupID == "" {
		g.GroupID = strconv.FormatInt(g.SourceGroupID, 10)
	}
	return nil
}

var groupSourceFields = []intake.Column[GroupSource]{
	intake.Required("group_id", intake.Number(func(g *GroupSource) *int64 { return &g.GroupID })),
	intake.Required("source_id", intake.Number(func(g *GroupSource) *int64 { return &g.SourceID })),
}

var noSource = intake.Rejected("the source doesn't exist: import the roster sources first")

// TakeSource stores a source.
func TakeSource(ctx context.Context, tx *sql.Tx, s Source) (intake.Outcome, error) {
	return intake.Stored(putSource(ctx, tx, s))
}

// TakeSourceGroup stores a provider group of a source.
func TakeSourceGroup(ctx context.Context, tx *sql.Tx, g SourceGroup) (intake.Outcome, error) {
	found, err := sourcesByID(ctx, tx, []int64{g.SourceID})
	if err != nil || len(found) == 0 {
		return noSource, err
	}
	return intake.Stored(putSourceGroup(ctx, tx, g))
}

// TakeGroupSource gives a roster group a source. Sources are only added.
func (s *Service) TakeGroupSource(ctx context.Context, tx *sql.Tx, g GroupSource) (intake.Outcome, error) {
	kind, err := s.groups.LockGroup(ctx, tx, g.GroupID)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return intake.Outcome{}, err
	}
	if kind != "ROSTER" {
		return intake.Rejected("the roster group doesn't exist: import the groups first"), nil
	}
	found, err := sourcesByID(ctx, tx, []int64{g.SourceID})
	if err != nil || len(found) == 0 {
		return noSource, err
	}
	return intake.Stored(insertGroupSource(ctx, tx, access.System("feed").Group(g.GroupID), g.SourceID, db.At(s.now())))
}

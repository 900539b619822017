package rosters

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
)

func allSources(ctx context.Context, q db.Queryer) ([]Source, error) {
	var list []Source
	err := db.Select(ctx, q, &list, `SELECT source_id, name FROM roster_sources ORDER BY name_key, source_id`)
	return list, err
}

func sourcesByID(ctx context.Context, q db.Queryer, ids []int64) ([]Source, error) {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	var list []Source
	err := db.Select(ctx, q, &list, `
		SELECT source_id, name FROM roster_sources WHERE source_id IN (`+db.In(1, len(ids))+`) ORDER BY source_id`, args...)
	return list, err
}

func sourcesOf(ctx context.Context, q db.Queryer, groupID int64) ([]Source, error) {
	var list []Source
	err := db.Select(ctx, q, &list, `
		SELECT s.source_id, s.name FROM group_roster_sources g JOIN roster_sources s ON s.source_id = g.source_id
		WHERE g.group_id = $1 ORDER BY s.name_key, s.source_id`, groupID)
	return list, err
}

const sourceGroupColumns = `p.source_group_id, p.source_id, p.group_id, p.name, p.is_admin`

func allSourceGroups(ctx context.Context, q db.Queryer) ([]SourceGroup, error) {
	var list []SourceGroup
	err := db.Select(ctx, q, &list, `
		SELECT `+sourceGroupColumns+` FROM roster_source_groups p ORDER BY p.name_key, p.source_group_id`)
	return list, err
}

func sourceGroupsOf(ctx context.Context, q db.Queryer, groupID int64) ([]SourceGroup, error) {
	var list []SourceGroup
	err := db.Select(ctx, q, &list, `
		SELECT `+sourceGroupColumns+` FROM group_roster_sources g JOIN roster_source_groups p ON p.source_id = g.source_id
		WHERE g.group_id = $1 ORDER BY p.name_key, p.source_group_id`, groupID)
	return list, err
}

func insertGroupSource(ctx context.Context, tx *sql.Tx, groupID, sourceID int64, now db.Instant, by string) (int64, error) {
	return db.Exec(ctx, tx, `
		INSERT INTO group_roster_sources (group_id, source_id, added_at, added_by) VALUES ($1, $2, $3, $4)
		ON CONFLICT (group_id, source_id) DO NOTHING`, groupID, sourceID, now, by)
}

func deleteGroupSource(ctx context.Context, tx *sql.Tx, groupID, sourceID int64) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM group_roster_sources WHERE group_id = $1 AND source_id = $2`, groupID, sourceID)
	return err
}

// So many groups a search shows.
const mostGroups = 1001

func groupsWithSource(ctx context.Context, q db.Queryer, sourceID int64) ([]int64, error) {
	var list []int64
	err := db.Select(ctx, q, &list, `
		SELECT group_id FROM group_roster_sources WHERE source_id = $1 ORDER BY group_id LIMIT $2`, sourceID, mostGroups)
	return list, err
}

func groupsWithSourceGroup(ctx context.Context, q db.Queryer, sourceGroupID int64) ([]int64, error) {
	var list []int64
	err := db.Select(ctx, q, &list, `
		SELECT g.group_id FROM roster_source_groups p JOIN group_roster_sources g ON g.source_id = p.source_id
		WHERE p.source_group_id = $1 ORDER BY g.group_id LIMIT $2`, sourceGroupID, mostGroups)
	return list, err
}

func sourcesOfGroups(ctx context.Context, q db.Queryer, groupIDs []int64) (map[int64][]Source, error) {
	found := map[int64][]Source{}
	if len(groupIDs) == 0 {
		return found, nil
	}
	args := make([]any, len(groupIDs))
	for i, id := range groupIDs {
		args[i] = id
	}
	var list []struct {
		GroupID, SourceID int64
		Name              string
	}
	err := db.Select(ctx, q, &list, `
		SELECT g.group_id, s.source_id, s.name FROM group_roster_sources g JOIN roster_sources s ON s.source_id = g.source_id
		WHERE g.group_id IN (`+db.In(1, len(groupIDs))+`) ORDER BY s.name_key, s.source_id`, args...)
	for _, r := range list {
		found[r.GroupID] = append(found[r.GroupID], Source{r.SourceID, r.Name})
	}
	return found, err
}

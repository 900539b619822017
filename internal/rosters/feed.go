package rosters

import (
	"context"
	"database/sql"

	"wcpp/internal/access"
	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

func changed(n int64, err error) (string, error) {
	if n > 0 {
		return "taken", err
	}
	return "unchanged", err
}

// TakeSource stores a source that came in by feed.
func TakeSource(ctx context.Context, tx *sql.Tx, s Source) (string, error) {
	return changed(db.Exec(ctx, tx, `
		INSERT INTO roster_sources (source_id, name, name_key) VALUES ($1, $2, $3)
		ON CONFLICT (source_id) DO UPDATE SET name = excluded.name, name_key = excluded.name_key WHERE roster_sources.name <> excluded.name`,
		s.SourceID, s.Name, text.Key(s.Name)))
}

// TakeSourceGroup stores a provider group of a source; the reason tells why one
// is refused.
func TakeSourceGroup(ctx context.Context, tx *sql.Tx, g SourceGroup) (kind, reason string, err error) {
	found, err := sourcesByID(ctx, tx, []int64{g.SourceID})
	if err != nil {
		return "", "", err
	}
	if len(found) == 0 {
		return "rejected", "there is no such source: import the roster sources first", nil
	}
	kind, err = changed(db.Exec(ctx, tx, `
		INSERT INTO roster_source_groups (source_group_id, source_id, group_id, name, name_key, is_admin) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (source_group_id) DO UPDATE
		SET source_id = excluded.source_id, group_id = excluded.group_id, name = excluded.name, name_key = excluded.name_key, is_admin = excluded.is_admin
		WHERE roster_source_groups.source_id <> excluded.source_id OR roster_source_groups.group_id <> excluded.group_id
		   OR roster_source_groups.name <> excluded.name OR roster_source_groups.is_admin <> excluded.is_admin`,
		g.SourceGroupID, g.SourceID, g.GroupID, g.Name, text.Key(g.Name), g.IsAdmin))
	return kind, "", err
}

// TakeGroupSource gives a portal user group a source that came in by feed.
func (s *Service) TakeGroupSource(ctx context.Context, tx *sql.Tx, groupID, sourceID int64) (kind, reason string, err error) {
	found, err := sourcesByID(ctx, tx, []int64{sourceID})
	if err != nil {
		return "", "", err
	}
	if len(found) == 0 {
		return "rejected", "there is no such source: import the roster sources first", nil
	}
	kind, err = changed(insertGroupSource(ctx, tx, access.System("feed").Group(groupID), sourceID, db.At(s.now())))
	return kind, "", err
}

package feeds

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

var sourceTable = db.NewTable("feed_sources",
	db.Col("id", func(x *Source) *int64 { return &x.ID }).Key(),
	db.Col("name", func(x *Source) *string { return &x.Name }),
	db.Derived("name_key", func(x *Source) any { return text.Key(x.Name) }),
	db.Col("kind", func(x *Source) *string { return &x.Kind }),
	db.Col("pattern", func(x *Source) *string { return &x.Pattern }),
	db.Col("expected_cron", func(x *Source) *string { return &x.Expected }),
	db.Col("grace_minutes", func(x *Source) *int { return &x.GraceMinutes }),
	db.Col("owner_mail", func(x *Source) *string { return &x.OwnerMail }),
	db.Col("expected_from", func(x *Source) *db.Instant { return &x.ExpectedFrom }),
	db.Col("told_for", func(x *Source) *db.Instant { return &x.ToldFor }),
)

var newSource = sourceTable.Without("id")

func sources(ctx context.Context, q db.Queryer) ([]Source, error) {
	return sourceTable.Select(ctx, q, `ORDER BY name_key`)
}

func countSources(ctx context.Context, q db.Queryer) (int, error) {
	var n int
	err := db.Get(ctx, q, &n, `SELECT count(*) FROM feed_sources`)
	return n, err
}

func sourceByID(ctx context.Context, q db.Queryer, id int64) (Source, error) {
	return sourceTable.Get(ctx, q, `WHERE id = $1`, id)
}

func addSource(ctx context.Context, tx *sql.Tx, x Source) (int64, error) {
	return newSource.Add(ctx, tx, x, "id")
}

func saveSource(ctx context.Context, tx *sql.Tx, x Source) error {
	_, err := sourceTable.Update(ctx, tx, x)
	return err
}

func deleteSource(ctx context.Context, tx *sql.Tx, id int64) error {
	_, err := db.Exec(ctx, tx, `DELETE FROM feed_sources WHERE id = $1`, id)
	return err
}

// tell notes that a late source is told of, and whether nobody else told of it.
func tell(ctx context.Context, tx *sql.Tx, id int64, lateFrom db.Instant) (bool, error) {
	n, err := db.Exec(ctx, tx, `UPDATE feed_sources SET told_for = $2 WHERE id = $1 AND (told_for IS NULL OR told_for < $2)`, id, lateFrom)
	return n > 0, err
}

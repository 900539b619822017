package migrations

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"wcpp/internal/platform/db"
)

// costOfAPage is the planner's cost of a random page read, relative to 1 for a sequential one.
// PostgreSQL's default of 4 suits hard disks. With it, the planner scans whole tables of some
// hundred thousand rows to find an office's scattered bills.
const costOfAPage = "1.1"

// insufficientPrivilege is the SQLSTATE for changes by a user who isn't the owner.
const insufficientPrivilege = "42501"

// tunePlanner sets the page cost of a PostgreSQL database for future connections. It doesn't
// override an administrator's setting, or change a database that the portal doesn't own.
func tunePlanner(ctx context.Context, d *db.DB) error {
	if d.Dialect.Name != "postgres" {
		return nil
	}
	var source, name string
	if err := d.Writer.QueryRowContext(ctx, `
		SELECT source, quote_ident(current_database()) FROM pg_settings WHERE name = 'random_page_cost'`).Scan(&source, &name); err != nil {
		return err
	}
	if source != "default" {
		return nil
	}
	_, err := d.Writer.ExecContext(ctx, `ALTER DATABASE `+name+` SET random_page_cost = `+costOfAPage)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == insufficientPrivilege {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read page costs: %w", err)
	}
	return nil
}

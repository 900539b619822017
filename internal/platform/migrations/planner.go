package migrations

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"wcpp/internal/platform/db"
)

// costOfAPage is what PostgreSQL is told a page read here and there costs, one read in a
// row being 1. Its own 4 is a turning disk's: with it an office's bills, which lie
// scattered, are found by reading whole tables of some hundred thousand rows.
const costOfAPage = "1.1"

// insufficientPrivilege is the SQLSTATE of who does not own what is changed.
const insufficientPrivilege = "42501"

// tunePlanner tells a PostgreSQL database what its pages cost, for connections that are
// opened from now on. What an administrator has set, wherever, stays; a database that
// the portal does not own keeps what it has.
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

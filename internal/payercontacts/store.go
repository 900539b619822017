package payercontacts

import (
	"context"
	"database/sql"

	"wcpp/internal/platform/db"
	"wcpp/internal/platform/text"
)

// contacts maps the entries to their table.
var contacts = db.NewTable("payer_contacts", append(db.Fields[Entry](),
	db.Computed("payer_key", func(e *Entry) any { return e.key() }).Key(),
	db.Computed("name_key", func(e *Entry) any { return text.Key(e.Name) }),
)...)

// all lists the entries by name.
func all(ctx context.Context, q db.Queryer) ([]Entry, error) {
	return contacts.Select(ctx, q, `ORDER BY name_key, payer_key`)
}

func get(ctx context.Context, q db.Queryer, key string) (Entry, error) {
	return contacts.Get(ctx, q, `WHERE payer_key = $1`, key)
}

// getByName returns the latest entry with a payer's name.
func getByName(ctx context.Context, q db.Queryer, key string) (Entry, error) {
	return contacts.Get(ctx, q, `WHERE name_key = $1 ORDER BY updated_at DESC, payer_key LIMIT 1`, key)
}

func put(ctx context.Context, tx *sql.Tx, e Entry) error { return contacts.Upsert(ctx, tx, e) }

func remove(ctx context.Context, tx *sql.Tx, e Entry) error {
	return db.Run(ctx, tx, `DELETE FROM payer_contacts WHERE payer_key = $1`, e.key())
}

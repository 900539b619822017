package audit

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"wcpp/internal/platform/db"
)

type row struct {
	Entry
	Searched string // sealed; empty without a search
	Answered string // bill and claim numbers, a JSON list
	Keys     string // search keys, a JSON list
}

func listAbout(ctx context.Context, q db.Queryer, key string, operations []string, limit int) ([]Entry, error) {
	args := []any{key, limit}
	args = append(args, db.Args(operations)...)
	return db.List[Entry](ctx, q, `
		SELECT l.at, l.actor, l.acting_for, l.operation, l.subject, l.result, l.detail, l.request_id, l.client
		FROM audit_keys k JOIN audit_log l ON l.id = k.entry
		WHERE k.key = $1 AND l.operation IN (`+db.In(3, len(operations))+`) ORDER BY k.at DESC, k.entry DESC LIMIT $2`, args...)
}

// insert adds entries to the open segment in one statement. On PostgreSQL, that segment can't be
// sealed before the transaction ends.
func insert(ctx context.Context, q db.Queryer, rows ...row) error {
	const columns = 12
	values := make([]string, len(rows))
	args := make([]any, 0, columns*len(rows))
	for i, r := range rows {
		values[i] = "(" + db.In(len(args)+1, columns) + ", (SELECT segment FROM open))"
		args = append(args, r.At, r.Actor, r.ActingFor, r.Operation, r.Subject, r.Result, r.Detail, r.RequestID, r.Client, r.Searched,
			r.Answered, r.Keys)
	}
	return db.Run(ctx, q, `
		WITH open AS MATERIALIZED (SELECT segment FROM audit_open)
		INSERT INTO audit_log (at, actor, acting_for, operation, subject, result, detail, request_id, client, searched, answered, keys,
			segment)
		VALUES `+strings.Join(values, ", "), args...)
}

// closeOpen starts a new segment if the open one has entries.
func closeOpen(ctx context.Context, q db.Queryer) error {
	return db.Run(ctx, q, `
		INSERT INTO audit_segments (id) SELECT id + 1 FROM audit_segments s
		WHERE id = (SELECT max(id) FROM audit_segments) AND (SELECT min(l.id) FROM audit_log l WHERE l.segment = s.id) IS NOT NULL
		ON CONFLICT (id) DO NOTHING`)
}

// nextClosed returns the next segment after the given one that accepts no more entries.
func nextClosed(ctx context.Context, q db.Queryer, after int64) (int64, error) {
	return db.One[int64](ctx, q, `
		SELECT id FROM audit_segments WHERE id > $1 AND id < (SELECT max(id) FROM audit_segments) ORDER BY id LIMIT 1`, after)
}

func listEntries(ctx context.Context, q db.Queryer, segment, after int64, limit int) ([]stored, error) {
	return db.List[stored](ctx, q, `
		SELECT id, segment, at, actor, acting_for, operation, subject, result, detail, request_id, client, searched, answered, keys
		FROM audit_log WHERE segment = $1 AND id > $2 ORDER BY id LIMIT $3`, segment, after, limit)
}

const headColumns = `segment, entries, last_at, sealed_at, previous, content, head, signature`

// lastHead returns the zero head if there is none.
func lastHead(ctx context.Context, q db.Queryer) (head, error) {
	var h head
	err := db.Get(ctx, q, &h, `SELECT `+headColumns+` FROM audit_heads ORDER BY segment DESC LIMIT 1`)
	if errors.Is(err, db.ErrNotFound) {
		return head{}, nil
	}
	return h, err
}

func headsAfter(ctx context.Context, q db.Queryer, segment int64, limit int) ([]head, error) {
	return db.List[head](ctx, q, `
		SELECT `+headColumns+` FROM audit_heads WHERE segment > $1 ORDER BY segment LIMIT $2`, segment, limit)
}

func insertHead(ctx context.Context, q db.Queryer, h head) error {
	return db.Run(ctx, q, `
		INSERT INTO audit_heads (segment, entries, last_at, sealed_at, previous, content, head, signature)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		h.Segment, h.Entries, h.LastAt, h.SealedAt, h.Previous, h.Content, h.Head, h.Signature)
}

func countAfter(ctx context.Context, q db.Queryer, segment int64) (int64, error) {
	return db.One[int64](ctx, q, `SELECT count(*) FROM audit_log WHERE segment > $1`, segment)
}

// countOutside counts entries with a segment number that was never started.
func countOutside(ctx context.Context, q db.Queryer) (int64, error) {
	return db.One[int64](ctx, q, `
		SELECT (SELECT count(*) FROM audit_log WHERE segment < 1)
		     + (SELECT count(*) FROM audit_log WHERE segment > (SELECT max(id) FROM audit_segments))`)
}

func prunedSegment(ctx context.Context, q db.Queryer, segment int64) (pruned, error) {
	return db.One[pruned](ctx, q, `SELECT segment, pruned_at, signature FROM audit_pruned WHERE segment = $1`, segment)
}

// prunedUntil returns the time of the last removed entry, or db.ErrNotFound.
func prunedUntil(ctx context.Context, q db.Queryer) (db.Instant, error) {
	return db.One[db.Instant](ctx, q, `SELECT last_at FROM audit_heads WHERE segment = (SELECT max(segment) FROM audit_pruned)`)
}

func unprunedHeads(ctx context.Context, q db.Queryer, after int64, limit int) ([]head, error) {
	return db.List[head](ctx, q, `
		SELECT `+headColumns+` FROM audit_heads
		WHERE segment > $1 AND segment > (SELECT coalesce(max(segment), 0) FROM audit_pruned) ORDER BY segment LIMIT $2`, after, limit)
}

func insertPruned(ctx context.Context, q db.Queryer, p pruned) error {
	return db.Run(ctx, q, `
		INSERT INTO audit_pruned (segment, pruned_at, signature) VALUES ($1, $2, $3)`, p.Segment, p.PrunedAt, p.Signature)
}

func deleteEntries(ctx context.Context, q db.Queryer, segment int64) error {
	return db.Run(ctx, q, `DELETE FROM audit_log WHERE segment = $1`, segment)
}

// deleteStrayKeys deletes the keys of removed entries.
func deleteStrayKeys(ctx context.Context, q db.Queryer, before db.Instant) error {
	return db.Run(ctx, q, `
		DELETE FROM audit_keys WHERE at < $1 AND NOT EXISTS (SELECT 1 FROM audit_log l WHERE l.id = audit_keys.entry)`, before)
}

const foundColumns = `l.id, l.at, l.actor, l.acting_for, l.operation, l.subject, l.result, l.detail, l.request_id, l.client, l.searched,
	l.answered`

// sql returns the end of a query, and its order. The query uses the index of the first key, or
// else of the operation or the time.
func (c condition) sql() (from, order string, args []any) {
	add := func(v any) string {
		args = append(args, v)
		return "$" + strconv.Itoa(len(args))
	}
	at, id := "l.at", "l.id"
	from = `FROM audit_log l WHERE `
	if len(c.keys) > 0 {
		at, id = "k.at", "k.entry"
		from = `FROM audit_keys k JOIN audit_log l ON l.id = k.entry WHERE k.key = ` + add(c.keys[0]) + ` AND `
	}
	from += "(" + at + ", " + id + ") < (" + add(c.after.At) + ", " + add(c.after.ID) + ")" +
		` AND ` + at + " >= " + add(c.from)
	for _, key := range c.keys[min(1, len(c.keys)):] {
		from += ` AND EXISTS (SELECT 1 FROM audit_keys x WHERE x.key = ` + add(key) + ` AND x.at = ` + at + ` AND x.entry = ` + id + ")"
	}
	if c.operation != "" {
		from += ` AND l.operation = ` + add(c.operation)
	}
	if c.number != "" {
		from += ` AND upper(l.answered) LIKE ` + add(c.number) + ` ESCAPE '\'`
	}
	return from, ` ORDER BY ` + at + " DESC, " + id + " DESC", args
}

func page(args []any, skip, limit int) (string, []any) {
	n := strconv.Itoa
	return " LIMIT $" + n(len(args)+1) + " OFFSET $" + n(len(args)+2), append(args, limit, skip)
}

func found(ctx context.Context, q db.Queryer, c condition, skip, limit int) ([]Found, error) {
	from, order, args := c.sql()
	end, args := page(args, skip, limit)
	return db.List[Found](ctx, q, `SELECT `+foundColumns+" "+from+order+end, args...)
}

// first searches by key only, because an operation matches the entries of all users.
func first(ctx context.Context, q db.Queryer, key, operation string) (Found, error) {
	return db.One[Found](ctx, q, `SELECT `+foundColumns+`
		FROM audit_keys k JOIN audit_log l ON l.id = k.entry
		WHERE k.key = $1 AND l.operation || '' = $2 AND l.result = 'ok' AND l.acting_for = '' ORDER BY k.at, k.entry LIMIT 1`, key,
		operation)
}

// countFound counts up to a limit.
func countFound(ctx context.Context, q db.Queryer, c condition, skip, limit int) (count int, err error) {
	from, order, args := c.sql()
	end, args := page(args, skip, limit)
	return db.One[int](ctx, q, `SELECT count(*) FROM (SELECT 1 AS one `+from+order+end+") found", args...)
}

func foundByID(ctx context.Context, q db.Queryer, id int64) (Found, error) {
	return db.One[Found](ctx, q, `SELECT `+foundColumns+` FROM audit_log l WHERE l.id = $1`, id)
}

// checkKey returns db.ErrNotFound if the entry doesn't have the key.
func checkKey(ctx context.Context, q db.Queryer, key string, p Place) error {
	var found int
	return db.Get(ctx, q, &found, `SELECT 1 FROM audit_keys WHERE key = $1 AND at = $2 AND entry = $3`, key, p.At, p.ID)
}

package db

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/stdlib"
)

// copying maps the *sql.Tx of transactions that insert by COPY to their connections.
var copying sync.Map

// copyRows is the minimum number of rows for COPY, which needs more round trips than INSERT.
const copyRows = 10

// Bulk is Tx for many rows. On PostgreSQL, it inserts new rows by COPY, which is cheaper than
// INSERT.
func (d *DB) Bulk(ctx context.Context, fn func(tx *sql.Tx) error) error {
	if d.Dialect.Name != "postgres" {
		return d.Tx(ctx, fn)
	}
	return runWithRetry(ctx, func() error {
		conn, err := d.Writer.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		return transact(ctx, d.Writer, conn.BeginTx, func(tx *sql.Tx) error {
			copying.Store(tx, conn)
			defer copying.Delete(tx)
			return fn(tx)
		})
	})
}

// copyAll inserts new rows by COPY and reports whether it did. It does so only within Bulk, and
// only for enough rows.
func (t *Table[T]) copyAll(ctx context.Context, q Queryer, rows []T) (done bool, err error) {
	conn, is := copying.Load(q)
	if !is || len(rows) < copyRows {
		return false, nil
	}
	text, err := t.copyText(rows)
	if err != nil {
		return true, err
	}
	ctx, end := traceStatement(ctx)
	err = conn.(*sql.Conn).Raw(func(c any) error {
		_, err := c.(*stdlib.Conn).Conn().PgConn().CopyFrom(ctx, bytes.NewReader(text),
			"COPY "+t.name+" ("+strings.Join(t.Names(), ", ")+") FROM STDIN")
		return err
	})
	end(err)
	if err != nil {
		err = fmt.Errorf("copy into %s: %w", t.name, err)
	}
	return true, err
}

// copied escapes characters that COPY would read as the end of a value or as NULL.
var copied = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// copyText returns the rows in COPY's text format: one line per row, values separated by tabs,
// NULL as \N.
func (t *Table[T]) copyText(rows []T) ([]byte, error) {
	values, err := t.values(rows)
	if err != nil {
		return nil, err
	}
	var text []byte
	for i, v := range values {
		if v, err = driver.DefaultParameterConverter.ConvertValue(v); err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case nil:
			text = append(text, `\N`...)
		case string:
			text = append(text, copied.Replace(v)...)
		case int64:
			text = strconv.AppendInt(text, v, 10)
		case bool:
			text = strconv.AppendBool(text, v)
		default:
			return nil, fmt.Errorf("%s.%s: cannot copy %T", t.name, t.columns[i%len(t.columns)].name, v)
		}
		if (i+1)%len(t.columns) > 0 {
			text = append(text, '\t')
		} else {
			text = append(text, '\n')
		}
	}
	return text, nil
}

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

// copying are the connections of the transactions whose new rows go by COPY, by
// *sql.Tx.
var copying sync.Map

// copyRows is how many rows COPY is worth beginning for: its exchange is longer
// than that of INSERT.
const copyRows = 10

// Bulk is Tx for what stores many rows: PostgreSQL is given new ones by COPY,
// which costs it less than INSERT.
func (d *DB) Bulk(ctx context.Context, fn func(tx *sql.Tx) error) error {
	if d.Dialect.Name != "postgres" {
		return d.Tx(ctx, fn)
	}
	return retried(ctx, func() error {
		conn, err := d.Writer.Conn(ctx)
		if err != nil {
			return err
		}
		defer conn.Close()
		return transact(ctx, conn.BeginTx, func(tx *sql.Tx) error {
			copying.Store(tx, conn)
			defer copying.Delete(tx)
			return fn(tx)
		})
	})
}

// copyAll stores new rows by COPY, and tells whether it did: only within Bulk, and
// only as many as are worth it.
func (t *Table[T]) copyAll(ctx context.Context, q Queryer, rows []T) (done bool, err error) {
	conn, is := copying.Load(q)
	if !is || len(rows) < copyRows {
		return false, nil
	}
	text, err := t.copyText(rows)
	if err != nil {
		return true, err
	}
	ctx, end := asked(ctx)
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

// copied writes what COPY would read as an end or a NULL so that it does not.
var copied = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// copyText is the rows in COPY's text format: a line for each, its values apart by
// tabs, NULL as \N.
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

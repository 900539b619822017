package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strconv"
	"strings"
)

// preparingConnector opens SQLite connections that cache prepared statements, as pgx does for PostgreSQL.
// SQLite takes longer to parse most statements than to run them.
type preparingConnector struct {
	driver driver.Driver
	dsn    string
	trace  Trace // can be nil
}

func (p preparingConnector) Driver() driver.Driver { return p.driver }

func (p preparingConnector) Connect(context.Context) (driver.Conn, error) {
	conn, err := p.driver.Open(p.dsn)
	if err != nil {
		return nil, err
	}
	return &preparedConn{sqliteConn: conn.(sqliteConn), kept: map[string]*statement{}, trace: p.trace}, nil
}

// openPreparing opens the database with the registered driver.
func openPreparing(dsn string, trace Trace) (*sql.DB, error) {
	registered, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	defer registered.Close()
	return sql.OpenDB(preparingConnector{registered.Driver(), dsn, trace}), nil
}

type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type sqliteRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeScanType
}

// statement is a prepared statement. While its rows are read, no one else can use it.
type statement struct {
	driver.Stmt
	busy bool
}

// preparedConn is a connection with its statements. database/sql uses it from one goroutine at a
// time.
type preparedConn struct {
	sqliteConn
	kept  map[string]*statement
	trace Trace
}

func (c *preparedConn) callTrace(ctx context.Context, query string, args []driver.NamedValue) {
	if c.trace == nil {
		return
	}
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	c.trace(ctx, query, values)
}

// Maximum number of cached statements per connection. The program has fewer, except for lists of
// every length.
const keptStatements = 200

// prepare returns the prepared statement of a query, or nil if the query shouldn't be prepared.
func (c *preparedConn) prepare(ctx context.Context, query string) (*statement, error) {
	if s := c.kept[query]; s != nil {
		if s.busy {
			return nil, nil
		}
		return s, nil
	}
	// Some other statements (PRAGMA) take effect during prepare.
	switch verb, _, _ := strings.Cut(strings.TrimLeft(query, " \t\n"), " "); strings.ToUpper(verb) {
	case "SELECT", "INSERT", "UPDATE", "DELETE", "WITH":
	default:
		return nil, nil
	}
	if len(c.kept) >= keptStatements {
		if err := c.closeUnused(); err != nil {
			return nil, err
		}
	}
	stmt, err := c.PrepareContext(ctx, stripNumbers(query))
	if err != nil {
		return nil, err
	}
	s := &statement{Stmt: stmt}
	c.kept[query] = s
	return s, nil
}

// closeUnused closes the unused statements.
func (c *preparedConn) closeUnused() error {
	var failed error
	for query, s := range c.kept {
		if !s.busy {
			failed = errors.Join(failed, s.Close())
			delete(c.kept, query)
		}
	}
	return failed
}

func (c *preparedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.callTrace(ctx, query, args)
	s, err := c.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.sqliteConn.QueryContext(ctx, query, args)
	}
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.busy = true
	return &preparedRows{rows.(sqliteRows), s}, nil
}

func (c *preparedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.callTrace(ctx, query, args)
	s, err := c.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.sqliteConn.ExecContext(ctx, query, args)
	}
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

func (c *preparedConn) Close() error {
	return errors.Join(c.closeUnused(), c.sqliteConn.Close())
}

type preparedRows struct {
	sqliteRows
	statement *statement
}

func (r *preparedRows) Close() error {
	r.statement.busy = false
	return r.sqliteRows.Close()
}

// stripNumbers replaces $1, $2 ... with ? if they appear in order and once each. SQLite searches
// each numbered parameter in a list, which takes longer than storing the rows of a long INSERT.
func stripNumbers(query string) string {
	if strings.ContainsAny(query, `'"`) {
		return query // an apparent parameter may be in a string
	}
	parts := strings.Split(query, "$")
	var b strings.Builder
	b.WriteString(parts[0])
	for i, part := range parts[1:] {
		rest, ok := strings.CutPrefix(part, strconv.Itoa(i+1))
		if !ok || rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return query
		}
		b.WriteString("?" + rest)
	}
	return b.String()
}

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
	lock   *writeLock // nil: read-only
	trace  Trace      // can be nil
}

func (p preparingConnector) Driver() driver.Driver { return p.driver }

func (p preparingConnector) Connect(context.Context) (driver.Conn, error) {
	conn, err := p.driver.Open(p.dsn)
	if err != nil {
		return nil, err
	}
	return &preparedConn{sqliteConn: conn.(sqliteConn), kept: map[string]*statement{}, lock: p.lock, trace: p.trace}, nil
}

// openPreparing opens the database with the registered driver. Its writes take turns by lock,
// which is nil for a read-only pool.
func openPreparing(dsn string, lock *writeLock, trace Trace) (*sql.DB, error) {
	registered, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	defer registered.Close()
	return sql.OpenDB(preparingConnector{registered.Driver(), dsn, lock, trace}), nil
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
	busy   bool
	writes bool
}

// preparedConn is a connection with its statements. database/sql uses it from one goroutine at a
// time.
type preparedConn struct {
	sqliteConn
	kept   map[string]*statement
	lock   *writeLock // nil: read-only
	isInTx bool       // the connection has the lock until the transaction ends
	trace  Trace
}

// BeginTx waits until no other program writes, unless the transaction is read-only.
func (c *preparedConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	if c.lock == nil || options.ReadOnly {
		return c.sqliteConn.BeginTx(ctx, options)
	}
	if err := c.lock.take(ctx); err != nil {
		return nil, err
	}
	tx, err := c.sqliteConn.BeginTx(ctx, options)
	if err != nil {
		return nil, errors.Join(err, c.lock.release())
	}
	c.isInTx = true
	return lockedTx{tx, c}, nil
}

// lockedTx is a transaction that has the write lock.
type lockedTx struct {
	driver.Tx
	conn *preparedConn
}

func (t lockedTx) Commit() error   { return t.release(t.Tx.Commit()) }
func (t lockedTx) Rollback() error { return t.release(t.Tx.Rollback()) }

func (t lockedTx) release(err error) error {
	t.conn.isInTx = false
	if failed := t.conn.lock.release(); failed != nil && err == nil {
		return driver.ErrBadConn
	}
	return err
}

// lockFor takes the write lock for a statement that is a whole transaction. The caller must call
// done.
func (c *preparedConn) lockFor(ctx context.Context, s *statement) (done func() error, err error) {
	if c.lock == nil || c.isInTx || !s.writes {
		return func() error { return nil }, nil
	}
	if err := c.lock.take(ctx); err != nil {
		return nil, err
	}
	return c.lock.release, nil
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
	verb := readVerb(query)
	switch verb {
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
	s := &statement{Stmt: stmt, writes: verb != "SELECT"}
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
	done, err := c.lockFor(ctx, s)
	if err != nil {
		return nil, err
	}
	rows, err := s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		return nil, errors.Join(err, done())
	}
	s.busy = true
	return &preparedRows{rows.(sqliteRows), s, done}, nil
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
	done, err := c.lockFor(ctx, s)
	if err != nil {
		return nil, err
	}
	result, err := s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
	return result, errors.Join(err, done())
}

func (c *preparedConn) Close() error {
	return errors.Join(c.closeUnused(), c.sqliteConn.Close())
}

type preparedRows struct {
	sqliteRows
	statement *statement
	done      func() error
}

func (r *preparedRows) Close() error {
	r.statement.busy = false
	return errors.Join(r.sqliteRows.Close(), r.done())
}

// readVerb returns the first word of a query after comments, in capitals.
func readVerb(query string) string {
	for {
		query = strings.TrimLeft(query, " \t\n")
		rest, is := strings.CutPrefix(query, "--")
		if !is {
			break
		}
		_, query, _ = strings.Cut(rest, "\n")
	}
	if end := strings.IndexAny(query, " \t\n"); end >= 0 {
		query = query[:end]
	}
	return strings.ToUpper(query)
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
